//! Continuous cleaning: the oldest region is let go once nothing in it is needed any more.
//!
//! For each log that still needs it: full blocks go to the segment and are flushed; the unfull last block is carried
//! forward in the journal, or sealed when the tail idles or the carry is too much; statements are made again. Starts
//! at the live limit, not when the circle closes (rule 4), or when tails fill the memory.

use std::rc::Rc;

use super::writer::Journal;
use crate::log::error::LogError;
use crate::log::log::LogInner;

/// Logs cleaned at the same time.
const CLEANED_AT_ONCE: usize = 16;

/// The cleaner's task.
pub(crate) async fn run(journal: &Rc<Journal>) {
    let shard = journal.shard.clone();
    loop {
        let wake = journal.cleaner_wake.wait();
        let pressure = shard.pressure.wait();
        if journal.is_stopped() {
            return;
        }
        let starving = shard.starved.get() > 0;
        let live = journal.space.borrow().live();
        retire_unneeded(journal);
        if (live > journal.live_limit() || starving || no_room(journal)) && journal.space.borrow().live() > 0
        {
            if clean_oldest(journal).await {
                continue;
            }
            if starving {
                // Nothing came free: do not turn in circles while readers hold the memory.
                shard.runtime.sleep(std::time::Duration::from_millis(1)).await;
                continue;
            }
        }
        futures_lite::future::or(wake, pressure).await;
    }
}

fn no_room(journal: &Journal) -> bool {
    let space = journal.space.borrow();
    space.live() + space.reserve() * 2 > space.capacity()
}

/// Lets go of the oldest regions that nobody needs; gives how many.
pub(crate) fn retire_unneeded(journal: &Journal) -> usize {
    let mut retired = 0;
    loop {
        let next = {
            let space = journal.space.borrow();
            let newest = space.next_sequence();
            let Some(region) = space.oldest() else { break };
            // The region being filled stays.
            if region.last_sequence + 1 == newest && region.bytes < space.region_bytes() {
                break;
            }
            let needed = region.logs.iter().filter_map(std::rc::Weak::upgrade);
            if { needed }.any(|log| log.needs_journal(region.last_sequence)) {
                break;
            }
            region.last_sequence + 1
        };
        retired += journal.space.borrow_mut().retire_before(next);
    }
    if retired > 0 {
        journal.shard.counters.with(|counters| counters.cleaned_regions += retired as u64);
        journal.nudge();
    }
    retired
}

/// Cleans the oldest region. False when it could not be let go.
async fn clean_oldest(journal: &Rc<Journal>) -> bool {
    let (last_sequence, logs, bytes) = {
        let space = journal.space.borrow();
        let Some(region) = space.oldest() else { return false };
        let logs: Vec<_> = region.logs.iter().filter_map(std::rc::Weak::upgrade).collect();
        (region.last_sequence, logs, region.bytes)
    };
    let runtime = journal.shard.runtime.clone();
    let slots = crate::runtime::sync::Budget::new(CLEANED_AT_ONCE as u64);
    let carried = Rc::new(std::cell::Cell::new(0u64));
    let mut tasks = Vec::new();
    for log in logs {
        if !log.needs_journal(last_sequence) {
            continue;
        }
        let permit = slots.acquire(1).await;
        let carried = carried.clone();
        tasks.push(runtime.spawn(async move {
            // Half a region may be carried forward, so that cleaning gains on what is written.
            let result = log.release_journal(last_sequence, &carried, bytes / 2).await;
            drop(permit);
            (log, result)
        }));
    }
    for task in tasks {
        let (log, result) = task.await;
        if let Err(error) = result
            && !matches!(error, LogError::Busy | LogError::Closed | LogError::Storage(_))
        {
            tracing::warn!(%error, topic = %log.topic, "cleaning a tail failed");
        }
    }
    journal.shard.room.notify();
    retire_unneeded(journal) > 0
}

impl LogInner {
    /// Sees to it that the journal's groups up to `sequence` are not needed any more.
    async fn release_journal(
        self: &Rc<Self>,
        sequence: u64,
        carried: &std::cell::Cell<u64>,
        carry_limit: u64,
    ) -> Result<(), LogError> {
        let open: Vec<_> = self.unsealed.borrow().iter().cloned().collect();
        for segment in open {
            if !segment.needs(sequence) {
                continue;
            }
            let is_active = || Rc::ptr_eq(&self.active(), &segment);
            if !is_active() && segment.stated.get() == segment.end.get() {
                // A rolled segment is being sealed by its own task. As long as bytes of it wait for room in the journal
                // that task waits too: then its older groups are let go as an active segment's are.
                self.wait_changed(|| !segment.needs(sequence)).await?;
                continue;
            }
            // What a bypass under way holds back is stated by the group that follows it.
            self.wait_changed(|| !segment.bypass_running.get() || segment.dropped.get()).await?;
            let lock = self.io.acquire().await;
            if segment.dropped.get() || segment.sealed.get() {
                continue;
            }
            // Only whole blocks that are durable in the journal: what a later truncation cuts off was stated.
            let upto = super::super::chain::block_floor(segment.stated.get().position);
            if upto > segment.written.get() || segment.flushed.get() < segment.written.get() {
                self.write_blocks(&segment, upto.max(segment.written.get()), true, true, &lock).await?;
                self.zero_ahead(&segment);
            }
            if !segment.needs(sequence) {
                continue;
            }
            let unfull = segment.gathered.get().position - segment.written.get();
            let idle_ms = self.shard.runtime.wall_clock_ms() - self.last_append_ms.get();
            let idle = idle_ms >= self.shard.settings.tail_idle_seal_ms as i64;
            let too_much = carried.get() + unfull > carry_limit && idle_ms > 0;
            if (idle || too_much)
                && is_active()
                && self.reservations.get() == 0
                && !self.busy.get()
                && self.seal_segment(&segment, &lock).await?
            {
                continue;
            }
            carried.set(carried.get() + unfull);
            segment.carry.set(true);
            drop(lock);
            self.enqueue_urgent();
            self.wait_changed(|| !segment.needs(sequence)).await?;
        }
        self.carry_log_start(sequence).await
    }

    fn enqueue_urgent(self: &Rc<Self>) {
        if let Ok(journal) = self.directory.journal() {
            journal.enqueue_urgent(self);
        }
    }
}
