//! The segment that a pass writes: `<base>.log.cleaned`, by direct I/O in whole blocks, and its indexes.
//!
//! Nothing refers to it until `replace` has put it in its place; a start removes it.

use std::path::PathBuf;
use std::rc::Rc;

use super::filter::Left;
use crate::log::error::LogError;
use crate::log::index_builder::IndexBuilder;
use crate::log::index_files::write_whole;
use crate::log::log::LogInner;
use crate::log::segment_name::{FileKind, FileState, SegmentFile};
use crate::log::settings::Sabotage;
use crate::log::transaction_index::TransactionIndex;
use crate::runtime::{AlignedBuf, BLOCK, File, OpenMode};

/// Written at a time (rule 7).
const WRITE_BYTES: usize = 256 << 10;

/// What compaction has to put into the place of a group of segments.
pub(super) struct Cleaned {
    pub(super) base_offset: i64,
    /// Where the segment behind the group begins.
    pub(super) end_offset: i64,
    pub(super) len: u64,
    pub(super) builder: IndexBuilder,
    pub(super) transactions: TransactionIndex,
}

/// A cleaned segment that is being written.
pub(super) struct CleanedFile {
    log: Rc<LogInner>,
    file: File,
    cleaned: Cleaned,
    /// What does not fill a block yet, or not enough of them.
    pending: Vec<u8>,
    written: u64,
}

impl LogInner {
    /// The path of a file of a segment in a state of its life.
    pub(super) fn state_path(&self, kind: FileKind, base_offset: i64, state: FileState) -> PathBuf {
        self.path.borrow().join(SegmentFile::live(kind, base_offset).with_state(state).name())
    }

    /// Removes what a pass that is given up has written for the segment at `base_offset`.
    pub(super) async fn remove_cleaned(&self, base_offset: i64) {
        for kind in FileKind::ALL {
            for state in [FileState::Cleaned, FileState::Swap] {
                // What stays behind is removed at the next start.
                let path = self.state_path(kind, base_offset, state);
                let _ = self.shard.runtime.remove_file(&path).await;
            }
        }
    }
}

impl CleanedFile {
    pub(super) async fn create(
        log: &Rc<LogInner>,
        base_offset: i64,
        end_offset: i64,
    ) -> Result<Self, LogError> {
        let runtime = &log.shard.runtime;
        let path = log.state_path(FileKind::Log, base_offset, FileState::Cleaned);
        let what = "making a cleaned segment";
        // Of a pass that was given up when its removal failed.
        match runtime.remove_file(&path).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                log.guard_io(what, Err(error))?;
            }
            _ => {}
        }
        let opened = File::open(runtime, &path, OpenMode::DirectNew).await;
        let file = log.guard_io(what, opened)?;
        let cleaned = Cleaned {
            base_offset,
            end_offset,
            len: 0,
            builder: IndexBuilder::new(base_offset, log.config.get().index_interval_bytes),
            transactions: TransactionIndex::new(base_offset),
        };
        Ok(Self { log: log.clone(), file, cleaned, pending: Vec::new(), written: 0 })
    }

    /// Adds what is left of a window.
    pub(super) async fn append(&mut self, left: &Left) -> Result<(), LogError> {
        for mark in &left.marks {
            let position = u32::try_from(self.cleaned.len).unwrap_or(u32::MAX);
            if let Err(error) = self.cleaned.builder.append(position, *mark) {
                // An index can be made again from the log; a missing entry only costs a longer scan.
                tracing::warn!(%error, topic = %self.log.topic, "index entry left out");
            }
            self.cleaned.len += u64::from(mark.size_bytes);
        }
        for transaction in &left.aborted {
            if let Err(error) = self.cleaned.transactions.append(*transaction) {
                tracing::warn!(%error, topic = %self.log.topic, "aborted transaction not noted");
            }
        }
        let mut rest = left.bytes.as_slice();
        while !rest.is_empty() {
            let room = WRITE_BYTES - self.pending.len();
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.pending.extend_from_slice(now);
            rest = later;
            if self.pending.len() == WRITE_BYTES {
                self.write_pending().await?;
            }
        }
        Ok(())
    }

    /// Writes the rest and the indexes, all of it flushed, under the names of cleaned files.
    pub(super) async fn finish(mut self) -> Result<Cleaned, LogError> {
        let what = "writing a cleaned segment";
        self.write_pending().await?;
        self.log.guard_io(what, self.file.set_len(self.cleaned.len).await)?;
        if !self.log.shard.sabotaged(Sabotage::CleanedNotFlushed) {
            self.log.guard_io(what, self.file.sync_all().await)?;
        }
        // The last time entry is the largest timestamp, as in every closed segment.
        let _ = self.cleaned.builder.close();
        let base = self.cleaned.base_offset;
        let contents = [
            (FileKind::OffsetIndex, self.cleaned.builder.offset_index().as_bytes()),
            (FileKind::TimeIndex, self.cleaned.builder.time_index().as_bytes()),
            // Also without any: it takes the place of the old one.
            (FileKind::TransactionIndex, self.cleaned.transactions.as_bytes()),
        ];
        for (kind, content) in contents {
            let path = self.log.state_path(kind, base, FileState::Cleaned);
            let written = write_whole(&self.log.shard.runtime, &path, content.to_vec(), true).await;
            self.log.guard_io(what, written)?;
        }
        Ok(self.cleaned)
    }

    async fn write_pending(&mut self) -> Result<(), LogError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let len = self.pending.len();
        let mut buffer = AlignedBuf::zeroed(len.next_multiple_of(BLOCK));
        if let Some(front) = buffer.get_mut(..len) {
            front.copy_from_slice(&self.pending);
        }
        let padded = buffer.len();
        let permit = self.log.directory.background.acquire(padded as u64).await;
        self.log.directory.take(padded as u64);
        let written = self.file.write_all_at(self.written, vec![buffer.freeze(padded)], false).await;
        drop(permit);
        if let Err(error) = &written
            && error.kind() == std::io::ErrorKind::StorageFull
        {
            // Nothing refers to the file: the pass is given up, the log goes on as it is.
            return Err(LogError::DiskFull);
        }
        self.log.guard_io("writing a cleaned segment", written)?;
        self.written += len as u64;
        self.pending.clear();
        self.log.shard.counters.with(|counters| counters.cleaner_written_bytes += len as u64);
        Ok(())
    }
}
