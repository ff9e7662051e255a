//! The cleaner of a shard: looks for the log with the largest dirty part, cleans it, and pauses when there is none.

use std::collections::BTreeSet;
use std::rc::{Rc, Weak};
use std::time::Duration;

use super::choice::{Cleanable, Demands, SegmentFacts};
use super::pass::{Pace, Stop, clean};
use crate::log::error::LogError;
use crate::log::log::LogInner;
use crate::log::lookup::Window;
use crate::log::manager::{Key, ManagerInner};
use crate::log::segment::Segment;

/// Logs looked at between two turns of other tasks.
const LOOKED_AT_TOGETHER: usize = 64;

/// Starts the cleaner of a manager's shard, if topics are cleaned at all.
pub(in crate::log) fn start(manager: &Rc<ManagerInner>) {
    if !manager.shard.settings.cleaner_enabled {
        return;
    }
    let shard = manager.shard.clone();
    let runtime = shard.runtime.clone();
    let manager = Rc::downgrade(manager);
    runtime
        .spawn(async move {
            let mut pace = Pace::new();
            loop {
                let backoff = Duration::from_millis(shard.cleaner.get().backoff_ms.max(1));
                // A change does not wait for the end of a pause that it may have shortened.
                shard.runtime.timeout(backoff, shard.cleaner_changed.wait()).await;
                if !clean_all(&manager, &mut pace).await {
                    return;
                }
            }
        })
        .detach();
}

/// Cleans what is due; false when the manager is gone.
async fn clean_all(manager: &Weak<ManagerInner>, pace: &mut Pace) -> bool {
    let mut left_alone: BTreeSet<Key> = BTreeSet::new();
    loop {
        let Some((log, cleanable)) = ({
            let Some(manager) = manager.upgrade() else { return false };
            if manager.shard.stopping.get() {
                return false;
            }
            filthiest(&manager, &left_alone).await
        }) else {
            return true;
        };
        let key = (log.identity.topic_id.0, log.identity.partition);
        let began_ns = log.shard.runtime.now_ns();
        let before = log.segments.borrow().iter().map(|segment| segment.end.get().position).sum::<u64>();
        match clean(&log, cleanable, pace).await {
            Ok(()) => {
                let after =
                    log.segments.borrow().iter().map(|segment| segment.end.get().position).sum::<u64>();
                tracing::info!(
                    topic = %log.topic,
                    partition = log.identity.partition,
                    dirty_from = cleanable.first_dirty_offset,
                    cleaned_to = log.cleaned_to.get(),
                    before_bytes = before,
                    after_bytes = after,
                    took_ms = (log.shard.runtime.now_ns() - began_ns) / 1_000_000,
                    "compacted"
                );
            }
            Err(stop) => {
                left_alone.insert(key);
                tell(&log, stop);
            }
        }
    }
}

fn tell(log: &LogInner, stop: Stop) {
    let (topic, partition) = (&log.topic, log.identity.partition);
    match stop {
        Stop::GivenUp | Stop::Failed(LogError::Closed | LogError::Busy) => {
            tracing::debug!(%topic, partition, "a cleaning pass was given up");
        }
        Stop::Unreadable(error) => {
            log.uncleanable.set(true);
            tracing::error!(%topic, partition, %error, "stored batches cannot be read: not compacted until the next start");
        }
        Stop::Failed(error) => tracing::warn!(%topic, partition, %error, "a cleaning pass failed"),
    }
}

/// The log with the largest dirty part of those that are due.
async fn filthiest(manager: &ManagerInner, left_alone: &BTreeSet<Key>) -> Option<(Rc<LogInner>, Cleanable)> {
    let logs: Vec<Rc<LogInner>> = {
        let logs = manager.logs.borrow();
        let due = logs.iter().filter(|(key, log)| {
            log.may_clean() && !log.uncleanable.get() && !log.cleaning.get() && !left_alone.contains(*key)
        });
        due.map(|(_, log)| log.clone()).collect()
    };
    let mut best: Option<(Rc<LogInner>, Cleanable)> = None;
    for (number, log) in logs.into_iter().enumerate() {
        if number % LOOKED_AT_TOGETHER == LOOKED_AT_TOGETHER - 1 {
            manager.shard.runtime.yield_now().await;
        }
        let demands = log.demands();
        // An error shows in the log itself; what was replaced meanwhile is looked at next time.
        let Ok(cleanable) = log.cleanable(&demands).await else { continue };
        let dirtier = |(_, other): &(_, Cleanable)| cleanable.ratio() > other.ratio();
        if cleanable.is_due(&demands) && best.as_ref().is_none_or(dirtier) {
            best = Some((log, cleanable));
        }
    }
    best
}

impl LogInner {
    fn demands(&self) -> Demands {
        let config = self.config.get();
        Demands {
            min_dirty_ratio: config.min_dirty_ratio,
            min_lag_ms: config.min_compaction_lag_ms,
            max_lag_ms: config.max_compaction_lag_ms,
        }
    }

    async fn cleanable(&self, demands: &Demands) -> Result<Cleanable, LogError> {
        let segments: Vec<Rc<Segment>> = self.segments.borrow().iter().cloned().collect();
        let mut facts = Vec::with_capacity(segments.len());
        for segment in &segments {
            let end = segment.end.get();
            let mut fact = SegmentFacts {
                base_offset: segment.base_offset,
                end_offset: end.offset,
                bytes: end.position,
                sealed: segment.sealed.get() && !segment.swapping.get(),
                has_snapshot: self.snapshots.borrow().contains(&segment.base_offset),
                ..SegmentFacts::default()
            };
            let closed = end.position > 0 && !segments.last().is_some_and(|last| Rc::ptr_eq(last, segment));
            if closed && demands.min_lag_ms > 0 {
                fact.largest_timestamp_ms = self.largest_timestamp(segment).await?.timestamp_ms;
            }
            if closed && demands.max_lag_ms < i64::MAX {
                fact.first_timestamp_ms = self.first_timestamp(segment).await?;
            }
            facts.push(fact);
        }
        let decided = self.producers.borrow().first_unstable_offset().unwrap_or(i64::MAX);
        Ok(Cleanable::of(
            &facts,
            self.log_start.get(),
            self.cleaned_to.get(),
            self.deletable_end().min(decided),
            demands,
            self.shard.runtime.wall_clock_ms(),
        ))
    }

    async fn first_timestamp(&self, segment: &Rc<Segment>) -> Result<i64, LogError> {
        if let Some(known) = segment.first_timestamp.get() {
            return Ok(known);
        }
        let header = self.header_at(segment, 0, &mut Window::default()).await?;
        segment.first_timestamp.set(Some(header.max_timestamp));
        Ok(header.max_timestamp)
    }
}
