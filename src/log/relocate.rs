//! A log's way from one log directory to another (KIP-113), while it is read and appended to.
//!
//! Runs on the log's shard in steps that the caller takes in order:
//!
//! 1. [`LogManager::relocate`] makes a `-future` directory in the target.
//! 2. [`Relocation::copy`] copies closed segments there, rolling the active one until little is left. Nobody waits.
//! 3. [`Relocation::settle`] lets appends wait, seals and copies the rest, flushes all of it and gives the copy its live
//!    name, durably. From here on both directories hold the partition; which one counts is metadata, which the caller
//!    commits now.
//! 4. [`Relocation::finish`] when that is committed: the copy takes the log's place, durably in its own journal, before
//!    anything is served from it (law 7), and the old directory is deleted. [`Relocation::abandon`] when it was refused.
//!
//! The copy is another incarnation (law 4), so that a log that comes back is not taken for the one that left. Bounds:
//! `background_inflight_bytes` of the target, a rate, and the target's reserve; appends wait for the copy of
//! `REST_BYTES` and one flush of the file system, unless they come faster than the disk takes the copy.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::time::Duration;

use super::compaction::complete::CLEANED_FILE;
use super::directory::Directory;
use super::error::LogError;
use super::incarnation::{self, Incarnation};
use super::index_files::{LEADER_EPOCH_FILE, write_whole};
use super::life::random_suffix;
use super::log::{Log, LogInner};
use super::manager::{Change, LogManager};
use super::partition_metadata::{self, PartitionMetadata};
use super::recovery::discover::{LOG_START_FILE, OWNER_FILE, encode_owner};
use super::segment::{Mark, Segment};
use super::segment_name::{DirectoryState, FileKind, PartitionDirectory, SegmentFile};
use super::settings::Sabotage;
use super::truncate::Busy;
use crate::protocol::Uuid;
use crate::runtime::{BLOCK, File, OpenMode};

/// Copied at a time.
const WINDOW_BYTES: u64 = 256 << 10;
/// With so much left to copy, appends wait for the rest.
const REST_BYTES: u64 = 16 << 20;
/// The active segment is rolled so often at most; appends faster than the copy would never let it end.
const ROUNDS: u32 = 16;
/// The owner epoch of the copy: the first of its incarnation.
const OWNER_EPOCH: u32 = 1;

/// A log on its way; see the module. Must be ended by [`Relocation::finish`] or [`Relocation::abandon`].
pub struct Relocation {
    manager: LogManager,
    log: Rc<LogInner>,
    target: Rc<Directory>,
    /// Where the copy is.
    path: RefCell<PathBuf>,
    incarnation: u64,
    /// By base offset.
    copied: RefCell<BTreeMap<i64, Copied>>,
    /// Base offsets of which there may be files in the copy.
    begun: RefCell<BTreeSet<i64>>,
    cancelled: Cell<bool>,
    /// Since the copy is whole: appends wait, and a stop of the engine does.
    held: RefCell<Option<(Busy, Change)>>,
}

struct Copied {
    segment: Weak<Segment>,
    end: Mark,
}

impl Copied {
    fn is_of(&self, segment: &Rc<Segment>) -> bool {
        self.end == segment.end.get() && self.segment.upgrade().is_some_and(|of| Rc::ptr_eq(&of, segment))
    }
}

impl LogManager {
    /// Begins to bring a log into another log directory.
    ///
    /// # Errors
    /// [`LogError::Exists`] when it lies there, [`LogError::Closed`] when it is not here, or a directory's error.
    pub async fn relocate(
        &self,
        topic_id: Uuid,
        partition: i32,
        directory: Uuid,
    ) -> Result<Relocation, LogError> {
        let log = self.get(topic_id, partition).ok_or(LogError::Closed)?.0;
        log.check()?;
        let target = self.0.directory(directory)?;
        target.check()?;
        if Rc::ptr_eq(&target, &log.directory) {
            return Err(LogError::Exists);
        }
        let runtime = &self.0.shard.runtime;
        let state = DirectoryState::Future { unique: random_suffix(runtime) };
        let path = target.path.join(PartitionDirectory::live(&log.topic, partition).with_state(state).name());
        let what = "making a partition's directory in another log directory";
        target.guard_io(what, runtime.make_directory(&path).await)?;
        // A start that finds the copy unfinished knows by this whose it is.
        let metadata = PartitionMetadata { topic_id }.encode();
        let written = write_whole(runtime, &path.join(partition_metadata::FILE_NAME), metadata, false).await;
        target.guard_io(what, written)?;
        Ok(Relocation {
            manager: self.clone(),
            incarnation: runtime.random_u64(),
            copied: RefCell::default(),
            begun: RefCell::default(),
            cancelled: Cell::new(false),
            held: RefCell::new(None),
            path: RefCell::new(path),
            log,
            target,
        })
    }

    /// Changes how fast logs are copied to other log directories, in bytes a second.
    pub fn set_relocation_rate(&self, bytes_per_second: u64) {
        self.0.shard.relocation_bytes_per_second.set(bytes_per_second.max(1));
    }
}

impl Relocation {
    /// Bytes that are copied, and how many offsets the copy is behind.
    #[must_use]
    pub fn progress(&self) -> (u64, i64) {
        let copied = self.copied.borrow();
        let bytes = copied.values().map(|copied| copied.end.position).sum();
        let end = copied.last_key_value().map_or(self.log.log_start.get(), |(_, copied)| copied.end.offset);
        (bytes, self.log.log_end_offset().saturating_sub(end).max(0))
    }

    /// Makes a copy that is under way end with [`LogError::Closed`]; too late once it is whole.
    pub fn cancel(&self) {
        self.cancelled.set(true);
    }

    /// Copies what the log has closed, until what is left is little.
    pub async fn copy(&self) -> Result<(), LogError> {
        let log = &self.log;
        for _ in 0..ROUNDS {
            for segment in self.closed() {
                log.wait_changed(|| is_settled(&segment)).await?;
                if segment.checkpointed.get() < segment.end.get().position {
                    log.write_index_files(&segment, true).await?;
                }
                self.copy_segment(&segment).await?;
            }
            if self.left_bytes() <= REST_BYTES {
                break;
            }
            log.wait_changed(|| !log.busy.get()).await?;
            Log(log.clone()).roll()?;
        }
        // So that the flush that appends wait for finds little.
        self.flush().await
    }

    /// Makes the copy whole and gives it its live name, durably; appends wait from here to the end.
    pub async fn settle(&self) -> Result<(), LogError> {
        let log = &self.log;
        self.check()?;
        let change = self.manager.0.begin_change()?;
        let busy = log.begin_change().await?;
        *self.held.borrow_mut() = Some((busy, change));
        log.seal_all().await?;
        let _io = log.io.acquire().await;
        let _files = log.files.acquire().await;
        log.check()?;
        let segments: Vec<_> = log.segments.borrow().iter().filter(|s| s.named.get()).cloned().collect();
        for segment in &segments {
            self.copy_segment(segment).await?;
        }
        let runtime = &log.shard.runtime;
        let what = "copying a partition";
        let here: BTreeSet<i64> = segments.iter().map(|segment| segment.base_offset).collect();
        let gone: Vec<i64> = self.begun.borrow().difference(&here).copied().collect();
        for base in gone {
            self.copied.borrow_mut().remove(&base);
            for kind in FileKind::ALL {
                let removed = runtime.remove_file(&self.file_path(kind, base)).await;
                self.target.guard_io(what, removed.or_else(missing))?;
            }
        }
        self.copy_small_files().await?;
        self.flush().await?;
        let live = self.target.path.join(self.name().name());
        let renamed = runtime.rename(&self.path(), &live).await;
        self.target.guard_io(what, renamed)?;
        *self.path.borrow_mut() = live;
        self.target.guard_io(what, runtime.sync_directory(&self.target.path).await)
    }

    /// The metadata says that the partition is where it was copied to: the copy takes its place. `serve` is given the log
    /// before the old one ends.
    ///
    /// # Errors
    /// [`LogError::Closed`] when the partition was deleted meanwhile: the copy goes too. Or the target's.
    pub async fn finish(&self, serve: impl FnOnce(&Log)) -> Result<(), LogError> {
        let held = self.held.take();
        assert!(held.is_some(), "a relocation is finished after it was settled");
        let log = &self.log;
        // Deleted meanwhile. One whose directory has failed goes on from the copy, which has all of it.
        if matches!(*log.error.borrow(), Some(LogError::Closed)) {
            return self.discard().await.and(Err(LogError::Closed));
        }
        let mut state = log.sealed_state();
        state.directory = self.target.id;
        state.path = self.path();
        state.incarnation = self.incarnation;
        state.owner_epoch = OWNER_EPOCH;
        let key = (log.identity.topic_id.0, log.identity.partition);
        self.manager.0.logs.borrow_mut().remove(&key);
        let new = self.manager.add(self.target.clone(), state, log.config.get())?;
        new.0.goes_on_with(log.high_watermark.get(), log.producers.borrow().clone());
        if let Err(error) = new.0.begin_history().await {
            // The target failed: the partition is offline with it, since the metadata says that it is there.
            tracing::error!(%error, topic = %log.topic, partition = key.1, "a partition that has moved is offline");
        }
        log.shard.counters.with(|counters| counters.relocations += 1);
        // Changed meanwhile, perhaps.
        new.set_config(log.config.get());
        new.0.goes_on_with(log.high_watermark.get(), log.producers.borrow().clone());
        serve(&new);
        if let Err(error) = self.manager.remove(log).await {
            // Its log directory has failed. The next start finds the copy in the other one and removes this.
            tracing::warn!(%error, topic = %log.topic, partition = key.1, "where a partition was, it is still");
        }
        Ok(())
    }

    /// Removes the copy; the log goes on where it was. For who knows that the metadata does not say otherwise.
    ///
    /// # Errors
    /// The target's. What is left there goes at the next start.
    pub async fn abandon(&self) -> Result<(), LogError> {
        let removed = self.discard().await;
        drop(self.held.take());
        removed
    }

    /// Nobody can tell which of both directories the metadata means: the log has ended until the next start, which can.
    pub fn leave_open(&self) {
        let reason = "it is not known in which log directory the partition is: start again".into();
        self.log.set_error(LogError::Storage(reason));
    }

    async fn discard(&self) -> Result<(), LogError> {
        let runtime = &self.log.shard.runtime;
        let what = "removing a partition's copy";
        self.target.check()?;
        let state = DirectoryState::Deleted { unique: random_suffix(runtime) };
        let path = self.target.path.join(self.name().with_state(state).name());
        self.target.guard_io(what, runtime.rename(&self.path(), &path).await)?;
        self.target.guard_io(what, runtime.sync_directory(&self.target.path).await)?;
        self.target.guard_io(what, runtime.remove_directory(&path).await)
    }

    async fn flush(&self) -> Result<(), LogError> {
        if self.log.shard.sabotaged(Sabotage::CopyNotFlushed) {
            return Ok(());
        }
        let flushed = self.log.shard.runtime.sync_filesystem(&self.target.path).await;
        self.target.guard_io("copying a partition", flushed)
    }

    fn name(&self) -> PartitionDirectory {
        PartitionDirectory::live(&self.log.topic, self.log.identity.partition)
    }

    fn path(&self) -> PathBuf {
        self.path.borrow().clone()
    }

    fn file_path(&self, kind: FileKind, base_offset: i64) -> PathBuf {
        self.path.borrow().join(SegmentFile::live(kind, base_offset).name())
    }

    /// Whether the copy may go on.
    fn check(&self) -> Result<(), LogError> {
        if self.cancelled.get() || self.log.shard.stopping.get() {
            return Err(LogError::Closed);
        }
        self.log.check()?;
        self.target.check()
    }

    /// The log's segments that are not appended to any more.
    fn closed(&self) -> Vec<Rc<Segment>> {
        let segments = self.log.segments.borrow();
        segments.iter().take(segments.len() - 1).cloned().collect()
    }

    fn left_bytes(&self) -> u64 {
        let copied = self.copied.borrow();
        let segments = self.log.segments.borrow();
        let left = segments
            .iter()
            .filter(|segment| !copied.get(&segment.base_offset).is_some_and(|copied| copied.is_of(segment)));
        left.map(|segment| segment.end.get().position).sum()
    }

    /// Copies a sealed segment with its indexes, unless that was done. Nothing is flushed. One that is deleted or compacted
    /// meanwhile is left: the log has another in its place, or none.
    async fn copy_segment(&self, segment: &Rc<Segment>) -> Result<(), LogError> {
        let base = segment.base_offset;
        if segment.dropped.get()
            || self.copied.borrow().get(&base).is_some_and(|copied| copied.is_of(segment))
        {
            return Ok(());
        }
        self.copied.borrow_mut().remove(&base);
        self.begun.borrow_mut().insert(base);
        let end = segment.end.get();
        if !self.copy_bytes(segment, end.position).await? {
            return Ok(());
        }
        for kind in [FileKind::OffsetIndex, FileKind::TimeIndex, FileKind::TransactionIndex] {
            self.copy_whole(&self.log.file_path(kind, base), &self.file_path(kind, base)).await?;
        }
        if !segment.dropped.get() {
            let copied = Copied { segment: Rc::downgrade(segment), end };
            self.copied.borrow_mut().insert(base, copied);
        }
        Ok(())
    }

    /// Copies the records of a segment; false when it was dropped meanwhile.
    async fn copy_bytes(&self, segment: &Rc<Segment>, len: u64) -> Result<bool, LogError> {
        let (log, runtime) = (&self.log, &self.log.shard.runtime);
        let what = "copying a segment";
        let from = self.log.file_path(FileKind::Log, segment.base_offset);
        let source = match File::open(runtime, &from, OpenMode::Direct).await {
            Err(_) if segment.dropped.get() => return Ok(false),
            opened => log.guard_io(what, opened)?,
        };
        let to = self.file_path(FileKind::Log, segment.base_offset);
        let there = self.target.guard_io(what, runtime.path_info(&to).await)?.is_some();
        let mode = if there { OpenMode::Direct } else { OpenMode::DirectNew };
        let target = self.target.guard_io(what, File::open(runtime, &to, mode).await)?;
        let mut at = 0;
        while at < len {
            self.check()?;
            if self.target.is_full_for(&log.topic) {
                return Err(LogError::DiskFull);
            }
            let wanted = WINDOW_BYTES.min(len - at);
            let padded = wanted.next_multiple_of(BLOCK as u64);
            let began_ns = runtime.now_ns();
            let permit = self.target.background.acquire(padded).await;
            self.target.take(padded);
            let (filled, buffer) = log.guard_io(what, source.read_at(at, padded as usize).await)?;
            if (filled as u64) < wanted {
                if segment.dropped.get() {
                    return Ok(false);
                }
                let error = LogError::corrupt(format!("{} is shorter than it was sealed", from.display()));
                log.set_error(error.clone());
                return Err(error);
            }
            let written = target.write_all_at(at, vec![buffer.freeze(padded as usize)], false).await;
            self.target.guard_io(what, written)?;
            drop(permit);
            log.shard.counters.with(|counters| counters.relocated_bytes += wanted);
            at += wanted;
            let rate = u128::from(log.shard.relocation_bytes_per_second.get());
            let due_ns = u64::try_from(u128::from(wanted) * 1_000_000_000 / rate).unwrap_or(u64::MAX);
            let until_ns = began_ns.saturating_add(due_ns);
            while self.held.borrow().is_none() && runtime.now_ns() < until_ns {
                // In steps, so that an end is noticed.
                let left = Duration::from_nanos(until_ns - runtime.now_ns());
                runtime.sleep(left.min(Duration::from_millis(50))).await;
                self.check()?;
            }
        }
        self.target.guard_io(what, target.set_len(len).await)?;
        Ok(true)
    }

    /// Copies a small file, if it is there; one that is not, is not in the copy either.
    async fn copy_whole(&self, from: &Path, to: &Path) -> Result<(), LogError> {
        let runtime = &self.log.shard.runtime;
        let what = "copying a partition's files";
        let content = self.log.guard_io(what, runtime.read_file(from).await)?;
        let written = match content {
            Some(content) => write_whole(runtime, to, content, false).await,
            None => runtime.remove_file(to).await.or_else(missing),
        };
        self.target.guard_io(what, written)
    }

    async fn copy_small_files(&self) -> Result<(), LogError> {
        let log = &self.log;
        let (from, to) = (log.path.borrow().clone(), self.path());
        for name in [LEADER_EPOCH_FILE, LOG_START_FILE, CLEANED_FILE] {
            self.copy_whole(&from.join(name), &to.join(name)).await?;
        }
        let snapshots: Vec<i64> = log.snapshots.borrow().iter().copied().collect();
        for offset in snapshots {
            let name = SegmentFile::live(FileKind::ProducerSnapshot, offset).name();
            self.copy_whole(&from.join(&name), &to.join(&name)).await?;
        }
        let own = [
            (incarnation::FILE_NAME, Incarnation(self.incarnation).encode()),
            (OWNER_FILE, encode_owner(OWNER_EPOCH)),
        ];
        for (name, content) in own {
            let written = write_whole(&log.shard.runtime, &to.join(name), content, false).await;
            self.target.guard_io("copying a partition's files", written)?;
        }
        Ok(())
    }
}

/// Whether a closed segment's files are whole and have their names, or it is gone.
fn is_settled(segment: &Segment) -> bool {
    segment.dropped.get() || (segment.sealed.get() && !segment.swapping.get())
}

fn missing(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
