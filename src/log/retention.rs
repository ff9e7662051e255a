//! Deletions from a log's start (law 11): DeleteRecords, retention by time and size.
//!
//! The log start offset is durable in the journal before anything is told or removed. Files are renamed, the directory
//! flushed, and unlinked after the topic's delay. A reader holds the open file, not its name.

use std::rc::Rc;
use std::time::Duration;

use super::error::LogError;
use super::journal::format::Kind;
use super::log::{Log, LogInner};
use super::segment::{Mark, Segment};
use super::segment_name::{FileKind, FileState, SegmentFile};
use super::time_index::TimestampOffset;

impl Log {
    /// Makes `offset` the log start, durably; gives the log start. Records below are not read any more; segments
    /// wholly below are deleted.
    pub async fn delete_records_before(&self, offset: i64) -> Result<i64, LogError> {
        let log = &self.0;
        log.check()?;
        if offset > log.log_end_offset() {
            return Err(log.out_of_range());
        }
        if offset > log.log_start.get() {
            log.raise_log_start(offset).await?;
            log.delete_below_start().await?;
        }
        Ok(log.log_start.get())
    }

    /// Deletes what the topic's retention says; gives the number of segments.
    pub async fn apply_retention(&self, now_ms: i64) -> Result<usize, LogError> {
        let log = &self.0;
        log.check()?;
        if log.busy.get() {
            return Ok(0);
        }
        let config = log.config.get();
        if config.delete {
            let compactions = log.compactions.get();
            let start = match log.retained_from(now_ms).await {
                // Looked into while it was replaced: the next time.
                Err(_) if log.compactions.get() != compactions => return Ok(0),
                other => other?,
            };
            if start > log.log_start.get() {
                log.raise_log_start(start).await?;
            }
        }
        log.delete_below_start().await
    }
}

/// A statement of the log start, a replacement of segments or a checkpoint is under way: who changes the log waits.
pub(super) struct Raising(Rc<LogInner>);

impl Raising {
    pub(super) fn new(log: &Rc<LogInner>) -> Self {
        log.raising.set(log.raising.get() + 1);
        Self(log.clone())
    }
}

impl Drop for Raising {
    fn drop(&mut self) {
        self.0.raising.set(self.0.raising.get() - 1);
        self.0.changed.notify();
    }
}

impl LogInner {
    async fn raise_log_start(self: &Rc<Self>, offset: i64) -> Result<(), LogError> {
        self.wait_changed(|| !self.busy.get()).await?;
        if offset > self.log_end_offset() {
            return Err(self.out_of_range());
        }
        let _raising = Raising::new(self);
        if offset == self.log_end_offset() {
            // No record is left that says the latest epoch.
            self.write_epochs().await?;
        }
        self.state(Kind::LogStart, 0, Mark { position: 0, offset }).await?;
        if offset > self.log_start.get() {
            self.log_start.set(offset);
            self.epochs.borrow_mut().truncate_from_start(offset);
            self.producers.borrow_mut().on_log_start_offset(offset);
            self.appended.notify();
        }
        Ok(())
    }

    /// Says the log start again when the journal is about to let go of it.
    pub(super) async fn carry_log_start(self: &Rc<Self>, sequence: u64) -> Result<(), LogError> {
        let stated = self.log_start_sequence.get();
        if stated == 0 || stated > sequence {
            return Ok(());
        }
        if self.durable_first_base.get() == self.log_start_stated.get() {
            // The first segment's name says it.
            self.log_start_sequence.set(0);
            return Ok(());
        }
        self.state_log_start_again().await
    }

    /// The offset from which the log is kept.
    async fn retained_from(self: &Rc<Self>, now_ms: i64) -> Result<i64, LogError> {
        let config = self.config.get();
        let mut start = self.log_start.get();
        let mut size: u64 = self.segments.borrow().iter().map(|segment| segment.end.get().position).sum();
        let segments: Vec<_> = self.segments.borrow().iter().cloned().collect();
        for segment in segments {
            let end = segment.end.get();
            let is_active = Rc::ptr_eq(&segment, &self.active());
            // One that compaction has emptied goes with its age like any other.
            let is_empty = end.position == 0 && is_active;
            if end.offset > self.deletable_end() || is_empty || segment.dropped.get() {
                break;
            }
            let too_old = match config.retention_ms {
                Some(retention_ms) => {
                    let newest = self.largest_timestamp(&segment).await?.timestamp_ms;
                    // A time of the future (microseconds for milliseconds) would keep the segment for ever: that of the
                    // append counts then, as where there is no time.
                    let is_known = (0..=now_ms).contains(&newest);
                    let newest = if is_known { newest } else { segment.modified_ms.get() };
                    now_ms.saturating_sub(newest) > retention_ms
                }
                None => false,
            };
            let too_large = match config.retention_bytes {
                Some(limit) => !is_active && size.saturating_sub(end.position) >= limit.max(0) as u64,
                None => false,
            };
            if !too_old && !too_large {
                break;
            }
            if is_active {
                // All of it has expired: it is rolled, and deleted once it is sealed.
                self.roll(now_ms);
            }
            size -= end.position;
            start = start.max(end.offset);
        }
        Ok(start)
    }

    /// The largest timestamp of a segment.
    pub(super) async fn largest_timestamp(&self, segment: &Rc<Segment>) -> Result<TimestampOffset, LogError> {
        if let Some(builder) = segment.builder.borrow().as_ref() {
            return Ok(builder.largest_timestamp());
        }
        if let Some(known) = segment.largest_timestamp.get() {
            return Ok(known);
        }
        self.load_indexes(segment).await?;
        let none = TimestampOffset { timestamp_ms: -1, offset: segment.base_offset };
        let largest = segment.builder.borrow().as_ref().map_or(none, |builder| builder.largest_timestamp());
        segment.largest_timestamp.set(Some(largest));
        Ok(largest)
    }

    /// The sealed segments wholly below the log start.
    fn below_start(&self) -> Vec<Rc<Segment>> {
        let segments = self.segments.borrow();
        let next = segments.iter().skip(1);
        segments
            .iter()
            .zip(next)
            .take_while(|(segment, next)| {
                next.base_offset <= self.log_start.get() && segment.sealed.get() && !segment.swapping.get()
            })
            .map(|(segment, _)| segment.clone())
            .collect()
    }

    /// Deletes the sealed segments wholly below the log start; gives how many.
    pub(super) async fn delete_below_start(self: &Rc<Self>) -> Result<usize, LogError> {
        if self.busy.get() {
            return Ok(0);
        }
        // A cut waits for it, as for every statement of a log start.
        let _raising = Raising::new(self);
        let wanted = self.below_start();
        if wanted.is_empty() {
            return Ok(0);
        }
        // Said again behind every entry about these segments: as long as the journal holds one of those, replay
        // knows that their files are gone for good. Not under the lock: the statement may wait for room in the journal,
        // which the cleaner makes, under that lock.
        self.state(Kind::LogStart, 0, Mark { position: 0, offset: self.log_start.get() }).await?;
        let _lock = self.io.acquire().await;
        self.check()?;
        let mut gone = self.below_start();
        let spoken_of = |segment: &Rc<Segment>| wanted.iter().any(|one| Rc::ptr_eq(one, segment));
        let behind = gone.iter().position(|segment| !spoken_of(segment)).unwrap_or(gone.len());
        gone.truncate(behind);
        if gone.is_empty() {
            return Ok(0);
        }
        self.generation.set(self.generation.get() + 1);
        for segment in &gone {
            segment.dropped.set(true);
            self.segments.borrow_mut().pop_front();
        }
        let first_base = self.segments.borrow().front().map_or(0, |segment| segment.base_offset);
        let removed = self.rename_deleted(&gone).await?;
        // Only now does the first segment's name say where the log starts.
        self.durable_first_base.set(first_base);
        self.shard.counters.with(|counters| counters.deleted_segments += gone.len() as u64);
        let count = gone.len();
        self.unlink_later(removed, gone);
        Ok(count)
    }

    /// Unlinks files of the partition after the topic's delay, and lets go of what is `held` for them.
    pub(super) fn unlink_later(self: &Rc<Self>, files: Vec<String>, held: impl Sized + 'static) {
        let delay = Duration::from_millis(self.config.get().file_delete_delay_ms);
        let log = self.clone();
        self.shard
            .runtime
            .spawn(async move {
                log.shard.runtime.sleep(delay).await;
                for file in files {
                    // The partition may be renamed or gone by now; recovery removes what stays behind.
                    let path = log.path.borrow().join(file);
                    let _ = log.shard.runtime.remove_file(&path).await;
                }
                drop(held);
            })
            .detach();
    }

    async fn rename_deleted(&self, gone: &[Rc<Segment>]) -> Result<Vec<String>, LogError> {
        let runtime = &self.shard.runtime;
        let _files = self.files.acquire().await;
        let directory = self.path.borrow().clone();
        let what = "deleting a segment";
        let mut renamed = Vec::new();
        for segment in gone {
            for kind in FileKind::ALL {
                let live = SegmentFile::live(kind, segment.base_offset);
                let deleted = live.with_state(FileState::Deleted).name();
                if kind == FileKind::ProducerSnapshot {
                    self.snapshots.borrow_mut().remove(&segment.base_offset);
                }
                match runtime.rename(&directory.join(live.name()), &directory.join(&deleted)).await {
                    Ok(()) => renamed.push(deleted),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => return self.guard_io(what, Err(error)),
                }
            }
        }
        self.guard_io(what, runtime.sync_directory(&directory).await)?;
        Ok(renamed)
    }
}
