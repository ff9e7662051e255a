//! Cutting a log at its end (law 3), or emptying it.
//!
//! The cut is durable in the journal before a file changes; what is above is dropped with its snapshots and epochs,
//! the file is cut and flushed with its directory, and appends go on in a new segment. Appends meanwhile are refused.
//! Replay applies cuts in their order.

use std::rc::Rc;

use super::chain::{Chain, block_ceil, block_floor};
use super::error::LogError;
use super::journal::format::Kind;
use super::lock::Held;
use super::log::{Log, LogInner};
use super::segment::{Mark, Segment};
use super::segment_io::After;
use super::segment_name::FileKind;
use super::time_index::TimestampOffset;
use crate::partition::producer_snapshot;
use crate::partition::producer_state::EndMarker;
use crate::runtime::{File, OpenMode};

/// Clears `busy` when the work ends, however it ends.
pub(super) struct Busy(Rc<LogInner>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.set(false);
        if self.0.cutting.replace(false)
            && let Ok(journal) = self.0.directory.journal()
        {
            journal.enqueue(&self.0);
            journal.cleaner_wake.notify();
        }
        self.0.changed.notify();
    }
}

impl Log {
    /// Removes all records at and above `offset`. Durable when it ends.
    pub async fn truncate_to(&self, offset: i64) -> Result<(), LogError> {
        let log = &self.0;
        if offset >= log.log_end_offset() {
            return log.check();
        }
        if offset < log.log_start.get() {
            return self.truncate_fully_and_start_at(offset).await;
        }
        let _busy = log.begin_change().await?;
        if offset < log.log_start.get() {
            return log.restart_at(offset).await;
        }
        log.settle().await?;
        let segment = log.segment_at(log.segment_index(offset)).ok_or(LogError::Busy)?;
        let found = log.locate(&segment, offset).await?;
        let position = found.map_or(segment.end.get().position, |found| found.position);
        log.state(Kind::Truncate, segment.base_offset, Mark { position, offset }).await?;
        let lock = log.io.acquire().await;
        let result = log.cut(&segment, Mark { position, offset }, &lock).await;
        log.directory.guard(result)
    }

    /// Removes everything and goes on at `offset`. Durable when it ends.
    pub async fn truncate_fully_and_start_at(&self, offset: i64) -> Result<(), LogError> {
        let _busy = self.0.begin_change().await?;
        self.0.restart_at(offset).await
    }
}

impl LogInner {
    async fn restart_at(self: &Rc<Self>, offset: i64) -> Result<(), LogError> {
        let log = self;
        log.settle().await?;
        log.state(Kind::Restart, offset, Mark { position: 0, offset }).await?;
        let lock = log.io.acquire().await;
        log.log_start.set(offset);
        log.lower_cleaned_to(offset).await?;
        log.log_start_sequence.set(0);
        let gone = log.end_at(offset, |_| true);
        log.epochs.borrow_mut().clear();
        log.producers.borrow_mut().clear(offset);
        // In front of the flush of the directory in which the segments go.
        log.remove_snapshots(|_| true).await?;
        log.drop_segments(&gone).await?;
        log.make_file_behind_cut(&log.active(), &lock).await?;
        log.durable_first_base.set(offset);
        if log.log_start_on_disk.get().is_some() {
            log.write_log_start(offset).await?;
        }
        log.write_epochs().await?;
        log.ended();
        Ok(())
    }

    /// Refuses appends until the result is dropped.
    pub(super) async fn begin_change(self: &Rc<Self>) -> Result<Busy, LogError> {
        self.check()?;
        self.wait_changed(|| !self.busy.get() && self.raising.get() == 0).await?;
        self.busy.set(true);
        let busy = Busy(self.clone());
        self.cleaning_ended().await;
        Ok(busy)
    }

    /// In one turn, so that there is always a segment: takes the segments that are `gone` out of the log, which ends
    /// at `offset` and goes on in a new segment. Its file is made only after the cut (see `cutting`).
    fn end_at(self: &Rc<Self>, offset: i64, gone: impl Fn(&Segment) -> bool) -> Vec<Rc<Segment>> {
        assert!(self.unacknowledged.is_empty(), "all was made durable before the cut");
        let mut taken = Vec::new();
        self.segments.borrow_mut().retain(|segment| {
            let gone = gone(segment);
            if gone {
                segment.dropped.set(true);
                taken.push(segment.clone());
            }
            !gone
        });
        self.unsealed.borrow_mut().retain(|segment| !segment.dropped.get());
        self.generation.set(self.generation.get() + 1);
        self.begin_segment(offset, self.shard.runtime.wall_clock_ms());
        self.durable_end.set(offset);
        *self.hints.borrow_mut() = Default::default();
        self.changed.notify();
        taken
    }

    fn ended(&self) {
        self.shard.counters.with(|counters| counters.truncations += 1);
        self.appended.notify();
        self.changed.notify();
    }

    async fn cut(self: &Rc<Self>, segment: &Rc<Segment>, at: Mark, lock: &Held) -> Result<(), LogError> {
        let keeps = at.position > 0;
        if keeps {
            self.load_indexes(segment).await?;
            let largest = self.largest_timestamp_below(segment, at).await?;
            // Again: a sealed segment's indexes may have been let go while its bytes were read.
            self.load_indexes(segment).await?;
            // From here to the new segment in one turn: nobody reads what is cut off.
            segment.end.set(at);
            segment.gathered.set(at);
            segment.stated.set(at);
            segment.bypass.set(None);
            // The files are behind until they are written below: nobody lets go of the indexes before.
            segment.checkpointed.set(0);
            if let Some(builder) = segment.builder.borrow_mut().as_mut() {
                builder.truncate_to(at.offset);
                builder.set_largest_timestamp(largest);
                // Nothing is appended to it any more.
                let _ = builder.close();
                segment.largest_timestamp.set(Some(largest));
            }
            if let Some(transactions) = segment.transactions.borrow_mut().as_mut() {
                transactions.truncate_to(at.offset);
            }
        }
        let gone = self.end_at(at.offset, |other| {
            other.base_offset > segment.base_offset || (!keeps && other.base_offset == segment.base_offset)
        });
        self.drop_segments(&gone).await?;
        if keeps {
            self.cut_segment(segment, at, lock).await?;
        }
        self.remove_snapshots(|snapshot| snapshot > at.offset).await?;
        self.make_file_behind_cut(&self.active(), lock).await?;
        let directory = self.path.borrow().clone();
        let synced = self.shard.runtime.sync_directory(&directory).await;
        self.guard_io("flushing a directory", synced)?;
        let first = self.segments.borrow().front().map_or(at.offset, |segment| segment.base_offset);
        self.durable_first_base.set(first);
        self.epochs.borrow_mut().truncate_from_end(at.offset);
        self.write_epochs().await?;
        self.lower_cleaned_to(at.offset).await?;
        self.ended();
        self.rebuild_producers(at.offset).await
    }

    /// The largest timestamp of the batches below `at`: the time index says it only up to its last entry.
    async fn largest_timestamp_below(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        at: Mark,
    ) -> Result<TimestampOffset, LogError> {
        let none = TimestampOffset { timestamp_ms: -1, offset: segment.base_offset };
        let (mut largest, start) = match segment.builder.borrow().as_ref() {
            Some(builder) => {
                let times = builder.time_index().view();
                let below = times.iter().take_while(|entry| entry.offset < at.offset).last();
                let entry = below.unwrap_or(none);
                (entry, u64::from(builder.offset_index().view().lookup(entry.offset).position))
            }
            None => (none, 0),
        };
        self.scan(segment, start, at.position, |_, batch| {
            if batch.header.max_timestamp > largest.timestamp_ms {
                let (timestamp_ms, offset) = (batch.header.max_timestamp, batch.header.last_offset());
                largest = TimestampOffset { timestamp_ms, offset };
            }
            true
        })
        .await?;
        Ok(largest)
    }

    /// Unlinks the files of segments that were taken out of the log; readers under way hold the files themselves.
    async fn drop_segments(&self, gone: &[Rc<Segment>]) -> Result<(), LogError> {
        let runtime = &self.shard.runtime;
        for segment in gone {
            if segment.zeroing.get().is_some() {
                segment.zeroing.set(Some(0));
                self.wait_changed(|| segment.zeroing.get().is_none()).await?;
            }
            *segment.writer.borrow_mut() = None;
            *segment.reader.borrow_mut() = None;
            *segment.chain.borrow_mut() = Chain::new(block_ceil(segment.end.get().position));
            for kind in FileKind::ALL {
                if kind == FileKind::ProducerSnapshot {
                    continue;
                }
                let path = self.file_path(kind, segment.base_offset);
                match runtime.remove_file(&path).await {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return self.guard_io("removing a segment", Err(error));
                    }
                    _ => {}
                }
            }
        }
        // A new file of the same name comes only after the old name is gone for good.
        let directory = self.path.borrow().clone();
        self.guard_io("flushing a directory", runtime.sync_directory(&directory).await)
    }

    /// Cuts the segment's file at `at`, exact and durable.
    async fn cut_segment(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        at: Mark,
        lock: &Held,
    ) -> Result<(), LogError> {
        let what = "cutting a segment";
        if segment.zeroing.get().is_some() {
            segment.zeroing.set(Some(0));
            self.wait_changed(|| segment.zeroing.get().is_none()).await?;
        }
        let file = if segment.sealed.get() {
            let path = self.file_path(FileKind::Log, segment.base_offset);
            let opened = File::open(&self.shard.runtime, &path, OpenMode::Direct).await;
            self.guard_io(what, opened)?
        } else {
            let untouched = segment.named.get() && segment.statement_sequence.get() == 0;
            if untouched {
                // Opened again and never appended to.
                let path = self.file_path(FileKind::Log, segment.base_offset);
                let opened = File::open(&self.shard.runtime, &path, OpenMode::Direct).await;
                self.guard_io(what, opened)?
            } else {
                let floor = block_floor(at.position);
                let file = self.ensure_file(segment, lock).await?;
                if floor > segment.written.get() {
                    self.write_blocks(segment, floor, false, After::Name, lock).await?;
                }
                let block = segment.chain.borrow().padded_copy(segment.written.get().max(floor));
                if at.position > segment.written.get()
                    && let Some(block) = block
                {
                    let block = block.slice(..crate::runtime::BLOCK);
                    self.guard_io(what, file.write_all_at(floor, vec![block], false).await)?;
                }
                file
            }
        };
        self.guard_io(what, file.set_len(at.position).await)?;
        self.guard_io(what, file.sync_all().await)?;
        segment.written.set(at.position);
        segment.flushed.set(at.position);
        segment.zeroed.set(at.position);
        segment.sealed.set(true);
        segment.pieces.borrow_mut().clear();
        segment.statement_sequence.set(0);
        segment.carry.set(false);
        segment.statement_due.set(false);
        *segment.writer.borrow_mut() = None;
        *segment.chain.borrow_mut() = Chain::new(block_ceil(at.position));
        self.unsealed.borrow_mut().retain(|other| !Rc::ptr_eq(other, segment));
        self.write_index_files(segment, true).await
    }

    /// Makes the producer state that stood at `offset` again: from the newest snapshot at or below, and the batches
    /// between.
    pub(super) async fn rebuild_producers(self: &Rc<Self>, offset: i64) -> Result<(), LogError> {
        let now_ms = self.shard.runtime.wall_clock_ms();
        let mut from = self.log_start.get();
        let snapshots: Vec<i64> = self.snapshots.borrow().range(from..=offset.max(from)).copied().collect();
        let ended = self.producers.borrow().ended_below(offset);
        self.producers.borrow_mut().clear(from);
        // The newest that can be read.
        for snapshot in snapshots.into_iter().rev() {
            let path = self.file_path(FileKind::ProducerSnapshot, snapshot);
            let read = self.shard.runtime.read_file(&path).await;
            let bytes = self.guard_io("reading a producer snapshot", read)?;
            if let Some(entries) = bytes.and_then(|bytes| producer_snapshot::decode(&bytes).ok()) {
                self.producers.borrow_mut().load(&entries, snapshot, now_ms);
                from = snapshot;
                break;
            }
        }
        let mut next = self.segment_holding(from);
        while let Some(segment) = next {
            if segment.base_offset >= offset {
                break;
            }
            let start =
                self.locate(&segment, from).await?.map_or(segment.end.get().position, |at| at.position);
            let mut fault = None;
            self.scan(&segment, start, segment.end.get().position, |_, batch| {
                if batch.header.base_offset >= offset {
                    return false;
                }
                match EndMarker::of(&batch) {
                    Ok(marker) => {
                        self.producers.borrow_mut().replay(&batch.header, marker);
                        true
                    }
                    Err(error) => {
                        fault = Some(error);
                        false
                    }
                }
            })
            .await?;
            if let Some(error) = fault {
                return Err(error.into());
            }
            next = self.segment_behind(&segment);
        }
        let mut producers = self.producers.borrow_mut();
        producers.set_end_offset(offset);
        producers.add_ended(ended);
        if self.high_watermark.get() != i64::MAX {
            producers.on_high_watermark(self.high_watermark.get().min(offset));
        }
        Ok(())
    }
}
