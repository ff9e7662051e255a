//! Continuous cleaning: the oldest region is let go once nothing in it is needed any more.
//!
//! For each log that still needs it: full blocks go to the segment and are flushed; the unfull last block is carried
//! forward in the journal, or sealed when the tail idles or the carry is too much; statements are made again. Starts
//! at the live limit, not when the circle closes (rule 4), or when tails fill the memory.

use std::rc::Rc;
use std::time::Duration;

use super::writer::Journal;
use crate::log::bulk::{Aim, write_together};
use crate::log::chain::block_floor;
use crate::log::directory::Directory;
use crate::log::error::LogError;
use crate::log::log::LogInner;
use crate::log::segment::Segment;
use crate::log::segment_io::After;

/// Logs whose blocks are written and flushed together.
const CLEANED_TOGETHER: usize = 64;

/// The cleaner's task. From half the live limit on it cleans at the pace of what is journaled, so that many tails of
/// the same age are not all written at once; at the limit, or when memory is short, as fast as it goes.
pub(crate) async fn run(journal: &Rc<Journal>) {
    let shard = journal.shard.clone();
    loop {
        let wake = journal.cleaner_wake.wait();
        let pressure = shard.pressure.wait();
        if journal.is_stopped() {
            return;
        }
        retire_unneeded(journal);
        let live = journal.space.borrow().live();
        if live > 0 && (live > journal.live_limit() / 2 || is_urgent(journal)) {
            if clean_oldest(journal).await {
                continue;
            }
            if shard.starved.get() > 0 {
                // Nothing came free: do not turn in circles while readers hold the memory.
                shard.runtime.sleep(Duration::from_millis(1)).await;
                continue;
            }
        }
        futures_lite::future::or(wake, pressure).await;
    }
}

fn is_urgent(journal: &Journal) -> bool {
    let space = journal.space.borrow();
    space.live() > journal.live_limit_of(&space)
        || space.live() + space.reserve() * 2 > space.capacity()
        || journal.shard.starved.get() > 0
        || journal.wants_room()
}

/// Waits until `bytes` more are journaled, or cleaning is urgent.
async fn keep_pace(journal: &Journal, bytes: u64) {
    let target = journal.space.borrow().total() + bytes;
    while !journal.is_stopped() && !is_urgent(journal) && journal.space.borrow().total() < target {
        let (pressure, wake) = (journal.shard.pressure.wait(), journal.cleaner_wake.wait());
        futures_lite::future::or(journal.progressed.wait(), futures_lite::future::or(pressure, wake)).await;
    }
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
            // Of a group under way the logs have not heard yet: what it states would seem not to be needed.
            if region.last_sequence >= journal.first_in_flight() {
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
    let (last_sequence, logs) = {
        let space = journal.space.borrow();
        let Some(region) = space.oldest() else { return false };
        let logs: Vec<_> = region.logs.iter().filter_map(std::rc::Weak::upgrade).collect();
        (region.last_sequence, logs)
    };
    let Some(directory) = journal.directory.upgrade() else { return false };
    let needing: Vec<_> = logs.into_iter().filter(|log| log.needs_journal(last_sequence)).collect();
    for part in needing.chunks(CLEANED_TOGETHER) {
        let bytes = clean_part(journal, &directory, part, last_sequence).await;
        if journal.is_stopped() {
            return false;
        }
        journal.shard.room.notify();
        keep_pace(journal, bytes).await;
    }
    retire_unneeded(journal) > 0
}

async fn clean_part(
    journal: &Rc<Journal>,
    directory: &Rc<Directory>,
    logs: &[Rc<LogInner>],
    last_sequence: u64,
) -> u64 {
    let (idle, busy): (Vec<_>, Vec<_>) = logs.iter().cloned().partition(|log| log.is_idle());
    let mut bytes = 0;
    for (logs, aim) in [(idle, Aim::Seal), (busy, Aim::Blocks)] {
        if !logs.is_empty() {
            bytes += write_together(directory, logs, aim).await.unwrap_or(0);
        }
    }
    let runtime = journal.shard.runtime.clone();
    let mut tasks = Vec::new();
    for log in logs.iter().filter(|log| log.needs_journal(last_sequence)) {
        let (log, journal) = (log.clone(), journal.clone());
        tasks.push(runtime.spawn(async move {
            let result = log.release_journal(last_sequence, &journal).await;
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
    bytes
}

impl LogInner {
    /// Whether the tail idles, so that it is sealed rather than carried forward.
    pub(crate) fn is_idle(&self) -> bool {
        let idle_ms = self.shard.runtime.wall_clock_ms() - self.last_append_ms.get();
        idle_ms >= self.shard.settings.tail_idle_seal_ms as i64
            && self.reservations.get() == 0
            && !self.busy.get()
    }

    /// Sees to it that the journal's groups up to `sequence` are not needed any more: whole blocks were written
    /// before, here the unfull last block is carried forward, and statements are made again.
    async fn release_journal(self: &Rc<Self>, sequence: u64, journal: &Journal) -> Result<(), LogError> {
        let open: Vec<_> = self.unsealed.borrow().iter().cloned().collect();
        for segment in open {
            // Again when a bypass came between: below the level `flush` it leaves blocks that are not flushed.
            while segment.needs(sequence) {
                self.release_segment(&segment, sequence, journal).await?;
            }
        }
        self.carry_log_start(sequence).await
    }

    async fn release_segment(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        sequence: u64,
        journal: &Journal,
    ) -> Result<(), LogError> {
        let is_active = || Rc::ptr_eq(&self.active(), segment);
        if !is_active() && segment.stated.get() == segment.end.get() {
            // A rolled segment is being sealed by its own task. As long as bytes of it wait for room in the journal
            // that task waits too: then its older groups are let go as an active segment's are.
            return self.wait_changed(|| !segment.needs(sequence)).await;
        }
        // What a bypass under way holds back is stated by the group that follows it.
        self.wait_changed(|| !segment.bypass_running.get() || segment.dropped.get()).await?;
        let lock = self.io.acquire().await;
        if segment.dropped.get() || segment.sealed.get() {
            return Ok(());
        }
        let upto = block_floor(segment.stated.get().position).max(segment.written.get());
        if upto > segment.written.get() || segment.flushed.get() < segment.written.get() {
            self.write_blocks(segment, upto, true, After::Flush, &lock).await?;
        }
        if !segment.needs(sequence) {
            return Ok(());
        }
        // Carrying must gain on what is written: when the circle is nearly full, blocks are sealed instead.
        let crowded = {
            let space = journal.space.borrow();
            space.live() > space.capacity() / 8 * 7
        };
        if crowded
            && is_active()
            && self.reservations.get() == 0
            && !self.busy.get()
            && self.seal_segment(segment, &lock).await?
        {
            return Ok(());
        }
        segment.carry.set(true);
        drop(lock);
        self.enqueue_urgent();
        let carried_too_little = || {
            !segment.carry.get()
                && !segment.bypass_running.get()
                && segment.flushed.get() < segment.written.get()
        };
        self.wait_changed(|| !segment.needs(sequence) || carried_too_little()).await
    }

    fn enqueue_urgent(self: &Rc<Self>) {
        if let Ok(journal) = self.directory.journal() {
            journal.enqueue_urgent(self);
        }
    }
}
