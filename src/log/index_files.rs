//! The files beside a segment: indexes, producer snapshots, leader epochs; and the checkpoint that writes them so that
//! a start after a crash scans a bounded amount.
//!
//! Written under the log's `files` lock. All of them can be made again from the log, so a torn one costs a scan.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use bytes::Bytes;

use super::error::LogError;
use super::index::OffsetIndex;
use super::index_builder::{BatchMark, IndexBuilder};
use super::leader_epochs::EpochEntry;
use super::lock::Held;
use super::log::{Log, LogInner};
use super::recovery::discover::{LOG_START_FILE, encode_log_start};
use super::retention::Raising;
use super::segment::Segment;
use super::segment_name::FileKind;
use super::time_index::TimeIndex;
use super::transaction_index::TransactionIndex;
use crate::runtime::{File, OpenMode, Runtime, beside};

/// Name of the leader epoch file.
pub(super) const LEADER_EPOCH_FILE: &str = "leader-epoch-checkpoint";

/// Files of a log that are written beside their places, and what they say.
pub(super) struct StagedFiles {
    renames: Vec<(PathBuf, PathBuf)>,
    epochs: Option<Vec<EpochEntry>>,
    log_start: Option<i64>,
    /// Nobody else writes files of the same names until they are in their places.
    _lock: Held,
}

/// Writes `content` as the whole of the file at `path`.
pub(super) async fn write_whole(
    runtime: &Runtime,
    path: &Path,
    content: Vec<u8>,
    sync: bool,
) -> std::io::Result<()> {
    let file = File::open(runtime, path, OpenMode::Buffered).await?;
    let len = content.len() as u64;
    if len > 0 {
        file.write_all_at(0, vec![Bytes::from(content)], false).await?;
    }
    file.set_len(len).await?;
    if sync { file.sync_all().await } else { Ok(()) }
}

impl LogInner {
    /// Writes the segment's indexes, as long as they are.
    pub(super) async fn write_index_files(&self, segment: &Rc<Segment>, sync: bool) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        if segment.dropped.get() {
            // Another segment may have its name by now.
            return Ok(());
        }
        let end = segment.end.get().position;
        let contents = segment.builder.borrow_mut().as_mut().map(|builder| {
            // The file says the largest timestamp so far: the index may be let go, and a start that trusts a snapshot
            // taken here does not scan the segment, be it closed by then or not.
            let _ = builder.close();
            let (offsets, times) = (builder.offset_index(), builder.time_index());
            (offsets.as_bytes().to_vec(), times.as_bytes().to_vec())
        });
        let Some((offsets, times)) = contents else { return Ok(()) };
        let runtime = &self.shard.runtime;
        let what = "writing an index";
        let base = segment.base_offset;
        for (kind, content) in [(FileKind::OffsetIndex, offsets), (FileKind::TimeIndex, times)] {
            let path = self.file_path(kind, base);
            self.guard_io(what, write_whole(runtime, &path, content, sync).await)?;
        }
        let aborted = segment.transactions.borrow().as_ref().map(|index| index.as_bytes().to_vec());
        let path = self.file_path(FileKind::TransactionIndex, base);
        match aborted {
            Some(content) if !content.is_empty() => {
                // In one step: a torn one would lose what the next start does not scan.
                let written = runtime.replace_file(&path, Bytes::from(content)).await;
                self.guard_io(what, written)?;
            }
            Some(_) => {
                let there = self.guard_io(what, runtime.path_info(&path).await)?;
                if there.is_some() {
                    self.guard_io(what, runtime.remove_file(&path).await)?;
                }
            }
            None => {}
        }
        segment.checkpointed.set(end);
        Ok(())
    }

    /// Writes the index files that are behind, and makes them durable with their names: in front of each producer
    /// snapshot, because a start that trusts the snapshot scans nothing below it.
    pub(super) async fn write_indexes_behind(&self) -> Result<(), LogError> {
        let segments: Vec<_> = self.segments.borrow().iter().cloned().collect();
        let mut any = false;
        for segment in segments {
            if segment.checkpointed.get() < segment.end.get().position && !segment.dropped.get() {
                self.write_index_files(&segment, true).await?;
                any = true;
            }
        }
        if any {
            // Under the lock that who renames the directory takes.
            let _files = self.files.acquire().await;
            self.check()?;
            let directory = self.path.borrow().clone();
            let synced = self.shard.runtime.sync_directory(&directory).await;
            self.guard_io("flushing a directory", synced)?;
        }
        Ok(())
    }

    /// Loads the indexes of a closed segment, or makes them again when they are missing or wrong.
    pub(super) async fn load_indexes(&self, segment: &Rc<Segment>) -> Result<(), LogError> {
        if segment.builder.borrow().is_some() {
            return Ok(());
        }
        let what = "reading an index";
        let base = segment.base_offset;
        let runtime = &self.shard.runtime;
        let mut files = Vec::new();
        for kind in [FileKind::OffsetIndex, FileKind::TimeIndex, FileKind::TransactionIndex] {
            let path = self.file_path(kind, base);
            files.push(self.guard_io(what, runtime.read_file(&path).await)?);
        }
        if segment.builder.borrow().is_some() {
            // Another task was faster, and batches may have been noted there since.
            return Ok(());
        }
        // Before they are set: making room may let go of this very segment's, and the caller counts on them.
        segment.used_at.set(self.shard.tick());
        self.shard.opened(segment);
        let mut files = files.into_iter();
        let (offsets, times, aborted) =
            (files.next().flatten(), files.next().flatten(), files.next().flatten());
        let interval = self.config.get().index_interval_bytes;
        match parse_indexes(base, segment.end.get().position, offsets.as_deref(), times.as_deref()) {
            Some((offsets, times)) => segment.set_indexes(offsets, times, interval),
            None => self.rebuild_indexes(segment).await?,
        }
        if segment.transactions.borrow().is_none() {
            let index = aborted.and_then(|bytes| TransactionIndex::from_bytes(base, &bytes).ok());
            let mut index = index.unwrap_or_else(|| TransactionIndex::new(base));
            // The file may tell of what a cut took away, if the process ended before it was written again.
            index.truncate_to(segment.end.get().offset);
            *segment.transactions.borrow_mut() = Some(index);
        }
        Ok(())
    }

    async fn rebuild_indexes(&self, segment: &Rc<Segment>) -> Result<(), LogError> {
        let interval = self.config.get().index_interval_bytes;
        let mut builder = IndexBuilder::new(segment.base_offset, interval);
        self.scan(segment, 0, segment.end.get().position, |position, batch| {
            let _ =
                builder.append(u32::try_from(position).unwrap_or(u32::MAX), BatchMark::from(&batch.header));
            true
        })
        .await?;
        if segment.builder.borrow().is_none() {
            let _ = builder.close();
            segment.largest_timestamp.set(Some(builder.largest_timestamp()));
            *segment.builder.borrow_mut() = Some(builder);
        }
        Ok(())
    }

    /// Writes a producer snapshot taken at `offset`.
    pub(super) async fn write_snapshot(&self, offset: i64, content: Vec<u8>) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        let path = self.file_path(FileKind::ProducerSnapshot, offset);
        let written = self.shard.runtime.replace_file(&path, Bytes::from(content)).await;
        self.guard_io("writing a producer snapshot", written)?;
        self.snapshots.borrow_mut().insert(offset);
        Ok(())
    }

    /// Removes producer snapshots that match `gone`.
    pub(super) async fn remove_snapshots(&self, gone: impl Fn(i64) -> bool) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        let offsets: Vec<i64> =
            self.snapshots.borrow().iter().copied().filter(|offset| gone(*offset)).collect();
        for offset in offsets {
            let path = self.file_path(FileKind::ProducerSnapshot, offset);
            match self.shard.runtime.remove_file(&path).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return self.guard_io("removing a producer snapshot", Err(error));
                }
                _ => {}
            }
            self.snapshots.borrow_mut().remove(&offset);
        }
        Ok(())
    }

    /// Makes `offset` the content of the log start file.
    pub(super) async fn write_log_start(&self, offset: i64) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        let path = self.path.borrow().join(LOG_START_FILE);
        let content = Bytes::from(encode_log_start(offset));
        let written = self.shard.runtime.replace_file(&path, content).await;
        self.guard_io("writing the log start", written)?;
        self.log_start_on_disk.set(Some(offset));
        Ok(())
    }

    /// Makes the leader epochs durable.
    pub(super) async fn write_epochs(&self) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        let (content, entries) = {
            let epochs = self.epochs.borrow();
            if *self.epochs_on_disk.borrow() == epochs.entries() {
                return Ok(());
            }
            (epochs.encode(), epochs.entries().to_vec())
        };
        let path = self.path.borrow().join(LEADER_EPOCH_FILE);
        let written = self.shard.runtime.replace_file(&path, Bytes::from(content)).await;
        self.guard_io("writing leader epochs", written)?;
        *self.epochs_on_disk.borrow_mut() = entries;
        Ok(())
    }

    /// First step of a clean stop: indexes that are behind, epochs and log start beside their files; nothing flushed.
    pub(super) async fn stage_files(self: &Rc<Self>) -> Result<StagedFiles, LogError> {
        let active = self.active();
        if active.is_untouched() {
            // Kafka finds a segment in each partition that was stopped cleanly.
            let path = self.file_path(FileKind::Log, active.base_offset);
            let made = write_whole(&self.shard.runtime, &path, Vec::new(), false).await;
            self.guard_io("making an empty segment", made)?;
        }
        let segments: Vec<_> = self.segments.borrow().iter().cloned().collect();
        for segment in segments {
            let behind = segment.checkpointed.get() < segment.end.get().position;
            if (behind || Rc::ptr_eq(&segment, &active)) && segment.named.get() {
                self.write_index_files(&segment, false).await?;
            }
        }
        let lock = self.files.acquire().await;
        let mut staged = StagedFiles { renames: Vec::new(), epochs: None, log_start: None, _lock: lock };
        let entries = self.epochs.borrow().entries().to_vec();
        if *self.epochs_on_disk.borrow() != entries {
            let content = self.epochs.borrow().encode();
            self.stage_file(&mut staged, LEADER_EPOCH_FILE, content).await?;
            staged.epochs = Some(entries);
        }
        let start = self.log_start.get();
        if start != self.durable_first_base.get() && self.log_start_on_disk.get() != Some(start) {
            // The journals end with the process, and nothing else of the partition's own says it.
            self.stage_file(&mut staged, LOG_START_FILE, encode_log_start(start)).await?;
            staged.log_start = Some(start);
        }
        Ok(staged)
    }

    async fn stage_file(
        &self,
        staged: &mut StagedFiles,
        name: &str,
        content: Vec<u8>,
    ) -> Result<(), LogError> {
        let place = self.path.borrow().join(name);
        let beside = beside(&place);
        let written = write_whole(&self.shard.runtime, &beside, content, false).await;
        self.guard_io("writing a log's files", written)?;
        staged.renames.push((beside, place));
        Ok(())
    }

    /// Second step, after a flush: the staged files come to their places.
    pub(super) async fn place_files(&self, staged: StagedFiles) -> Result<(), LogError> {
        for (beside, place) in &staged.renames {
            let renamed = self.shard.runtime.rename(beside, place).await;
            self.guard_io("writing a log's files", renamed)?;
        }
        if let Some(entries) = staged.epochs {
            *self.epochs_on_disk.borrow_mut() = entries;
        }
        if staged.log_start.is_some() {
            self.log_start_on_disk.set(staged.log_start);
        }
        Ok(())
    }

    /// Third step, after another flush: the producer snapshot. It comes last because a start that trusts it scans
    /// nothing below. Torn it is known by its CRC; it counts after one more flush.
    pub(super) async fn place_snapshot(&self) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        let offset = self.log_end_offset();
        if self.snapshots.borrow().contains(&offset) {
            return Ok(());
        }
        let content = self.producers.borrow().snapshot();
        let path = self.file_path(FileKind::ProducerSnapshot, offset);
        let written = write_whole(&self.shard.runtime, &path, content, false).await;
        self.guard_io("writing a producer snapshot", written)?;
        self.snapshots.borrow_mut().insert(offset);
        Ok(())
    }

    /// Removes the producer snapshots that the one at `newest` and the segments' own make superfluous.
    pub(super) async fn remove_snapshots_before(&self, newest: i64) -> Result<(), LogError> {
        let bases: Vec<i64> = self.segments.borrow().iter().map(|segment| segment.base_offset).collect();
        self.remove_snapshots(|old| old < newest && bases.binary_search(&old).is_err()).await
    }

    /// Writes indexes, a producer snapshot and the epochs, so that a start after a crash scans only what follows.
    /// False when the log is being changed.
    pub(super) async fn checkpoint(self: &Rc<Self>) -> Result<bool, LogError> {
        self.check()?;
        if self.busy.get() {
            return Ok(false);
        }
        let offset = self.log_end_offset();
        let snapshot = self.producers.borrow().snapshot();
        // A snapshot of what a crash may take back would be of no use.
        self.settle().await?;
        if self.busy.get() || self.durable_end.get() < offset {
            return Ok(false);
        }
        // Cuts, moves and stops wait for the end of this: what it writes is of the log as it is now.
        let _raising = Raising::new(self);
        self.write_indexes_behind().await?;
        self.write_epochs().await?;
        self.write_snapshot(offset, snapshot).await?;
        self.remove_snapshots_before(offset).await?;
        self.shard.counters.with(|counters| counters.checkpoints += 1);
        Ok(true)
    }
}

/// Parses both indexes of a segment with `log_bytes`, if they can be trusted.
pub(super) fn parse_indexes(
    base_offset: i64,
    log_bytes: u64,
    offsets: Option<&[u8]>,
    times: Option<&[u8]>,
) -> Option<(OffsetIndex, TimeIndex)> {
    let offsets = OffsetIndex::from_bytes(base_offset, offsets?).ok()?;
    offsets.view().check_order(log_bytes).ok()?;
    let times = TimeIndex::from_bytes(base_offset, times?).ok()?;
    Some((offsets, times))
}

impl Log {
    /// Begins `epoch` at `start_offset`, durably: before the first append under it (law 12).
    pub async fn assign_epoch(&self, epoch: i32, start_offset: i64) -> Result<(), LogError> {
        self.0.check()?;
        let assigned = self.0.epochs.borrow_mut().assign(epoch, start_offset);
        if let Err(error) = assigned {
            tracing::warn!(%error, topic = %self.0.topic, "leader epoch not assigned");
        }
        self.0.write_epochs().await
    }

    /// Aborted transactions that overlap the range.
    pub async fn aborted_transactions(
        &self,
        from: i64,
        upper_bound: i64,
    ) -> Result<Vec<super::transaction_index::AbortedTransaction>, LogError> {
        loop {
            let compactions = self.0.compactions.get();
            let found = self.0.collect_aborted(from, upper_bound).await;
            if self.0.compactions.get() == compactions {
                return found;
            }
        }
    }
}

impl LogInner {
    async fn collect_aborted(
        &self,
        from: i64,
        upper_bound: i64,
    ) -> Result<Vec<super::transaction_index::AbortedTransaction>, LogError> {
        let log = self;
        log.check()?;
        let mut found = Vec::new();
        let mut next = log.segment_holding(from);
        while let Some(segment) = next {
            if segment.transactions.borrow().is_none() {
                log.load_indexes(&segment).await?;
            }
            let complete = segment
                .transactions
                .borrow()
                .as_ref()
                .is_none_or(|transactions| transactions.collect(from, upper_bound, &mut found));
            if complete && segment.transactions.borrow().as_ref().is_some_and(|index| !index.is_empty()) {
                break;
            }
            next = log.segment_behind(&segment);
        }
        Ok(found)
    }
}
