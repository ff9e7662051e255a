//! Rolling: the active segment ends, a new one begins at the log end. The append pays nothing but memory: the old
//! segment is sealed and the new one's file made in the background.

use std::rc::Rc;

use super::error::LogError;
use super::index::relative_offset;
use super::log::{Log, LogInner};
use super::segment::Segment;
use crate::protocol::record_batch::BatchHeader;

/// A segment written in steps of this many bytes gets its successor's file made at the roll.
const FILE_AHEAD_FROM_BYTES: u64 = 16 << 10;

impl Log {
    /// Ends the active segment, unless it is empty.
    pub fn roll(&self) -> Result<(), LogError> {
        self.0.check()?;
        if self.0.busy.get() {
            return Err(LogError::Busy);
        }
        self.0.roll(self.0.shard.runtime.wall_clock_ms());
        Ok(())
    }
}

impl LogInner {
    /// The segment that takes a batch with `header`, after a roll where one is due.
    pub(super) fn segment_for(self: &Rc<Self>, header: &BatchHeader, now_ms: i64) -> Rc<Segment> {
        let active = self.active();
        if self.must_roll(&active, header, now_ms) { self.roll(now_ms) } else { active }
    }

    /// Kafka's rules (LogSegment.shouldRoll).
    fn must_roll(&self, active: &Segment, header: &BatchHeader, now_ms: i64) -> bool {
        let end = active.end.get();
        if end.position == 0 {
            return relative_offset(active.base_offset, header.last_offset()).is_none();
        }
        let config = self.config.get();
        if end.position + header.size_bytes() as u64 > u64::from(config.segment_bytes) {
            return true;
        }
        if relative_offset(active.base_offset, header.last_offset()).is_none() {
            return true;
        }
        if let Some(first) = active.first_timestamp.get() {
            // Without timestamps in the batches the segment's own age counts.
            let age = if first >= 0 && header.max_timestamp >= 0 {
                header.max_timestamp - first
            } else {
                now_ms - active.modified_ms.get()
            };
            if age > config.segment_ms - self.roll_jitter_ms.get() {
                return true;
            }
        }
        let builder = active.builder.borrow();
        builder.as_ref().is_some_and(|builder| {
            let most = u64::from(config.segment_index_bytes);
            builder.offset_index().as_bytes().len() as u64 + 8 > most
                || builder.time_index().as_bytes().len() as u64 + 12 > most
        })
    }

    /// Begins a new active segment at the log end. An empty active segment stays.
    pub(super) fn roll(self: &Rc<Self>, now_ms: i64) -> Rc<Segment> {
        let old = self.active();
        if old.end.get().position == 0 && old.base_offset == old.end.get().offset {
            return old;
        }
        let segment = self.begin_segment(old.end.get().offset, now_ms);
        if let Some(builder) = old.builder.borrow_mut().as_mut() {
            let _ = builder.close();
            old.largest_timestamp.set(Some(builder.largest_timestamp()));
        }
        if old.mean_write.get() >= FILE_AHEAD_FROM_BYTES {
            // Busy: its file is made at once, so that large appends need not wait for it.
            let (log, next) = (self.clone(), segment.clone());
            let ahead = async move {
                // Not under the lock: the statement may have to wait for a bypass of the old segment, which takes it.
                let spoken = || next.statement_sequence.get() != 0 || next.dropped.get();
                if log.wait_changed(spoken).await.is_err() {
                    return;
                }
                let lock = log.io.acquire().await;
                if !next.dropped.get() && !next.sealed.get() {
                    let _ = log.ensure_file(&next, &lock).await;
                }
            };
            self.shard.runtime.spawn(ahead).detach();
        }
        let snapshot = self.producers.borrow().snapshot();
        self.shard.counters.with(|counters| counters.rolls += 1);
        let log = self.clone();
        self.shard
            .runtime
            .spawn(async move {
                let result = log.finish_roll(&old, snapshot).await;
                if let Err(error) = result
                    && !matches!(error, LogError::Closed)
                {
                    tracing::warn!(%error, topic = %log.topic, "a rolled segment was not sealed");
                }
            })
            .detach();
        segment
    }

    /// Puts a new, empty active segment behind the others.
    pub(super) fn begin_segment(self: &Rc<Self>, base_offset: i64, now_ms: i64) -> Rc<Segment> {
        let config = self.config.get();
        let segment = Segment::new(base_offset, config.index_interval_bytes, now_ms);
        // Law 5: its file gets a name only after the journal has spoken of it.
        segment.statement_due.set(true);
        self.segments.borrow_mut().push_back(segment.clone());
        self.unsealed.borrow_mut().push_back(segment.clone());
        self.roll_jitter_ms.set(self.random_jitter_ms());
        self.enqueue();
        segment
    }

    pub(super) fn random_jitter_ms(&self) -> i64 {
        let config = self.config.get();
        let most = config.segment_jitter_ms.min(config.segment_ms).max(0);
        if most == 0 { 0 } else { (self.shard.runtime.random_u64() % (most as u64)) as i64 }
    }

    async fn finish_roll(self: &Rc<Self>, old: &Rc<Segment>, snapshot: Vec<u8>) -> Result<(), LogError> {
        let end = old.end.get();
        let mut snapshot = Some(snapshot);
        loop {
            self.wait_changed(|| old.stated.get().position >= end.position || old.dropped.get()).await?;
            let _permit = self.directory.workers.acquire(1).await;
            let lock = self.io.acquire().await;
            self.check()?;
            if old.dropped.get() || old.end.get() != end {
                // Deleted, or cut: the snapshot is of what is gone.
                return Ok(());
            }
            // Also when it was sealed before as an idle tail.
            if let Some(snapshot) = snapshot.take() {
                // What brings the log's own files up to the roll is on disk before the journal lets go of the bytes.
                // Indexes and epochs come first: a start that trusts the snapshot does not scan what precedes it.
                self.write_indexes_behind().await?;
                self.write_epochs().await?;
                self.write_snapshot(end.offset, snapshot).await?;
            }
            if old.sealed.get() {
                return Ok(());
            }
            let changed = self.changed.wait();
            if self.seal_segment(old, &lock).await? {
                return Ok(());
            }
            // Something was under way in it: the next change may be its end.
            drop(lock);
            changed.await;
        }
    }
}
