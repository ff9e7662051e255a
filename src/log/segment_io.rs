//! Writes of a log's segments: the file made and named, whole blocks in order, the bypass, zeroing ahead.
//!
//! Whoever writes holds the log's `io` lock. Laws kept here: blocks are written whole, once, in order; bytes are durable
//! after their own flush, and beyond initialised blocks only after the file's (1); a file gets its name after a
//! durable statement about its segment (5); zeroing never overlaps data (8).

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;

use super::chain::block_floor;
use super::error::LogError;
use super::lock::Held;
use super::log::LogInner;
use super::segment::{Mark, Segment};
use super::segment_name::{FileKind, SegmentFile};
use super::settings::{Durability, Sabotage};
use super::shard::zeros;
use crate::runtime::{BLOCK, File, OpenMode};

/// Background writes are cut into pieces of this size (rule 7).
const BACKGROUND_WRITE_BYTES: u64 = 256 << 10;
/// Writes that an append waits for may be larger.
const FOREGROUND_WRITE_BYTES: u64 = 1 << 20;
/// Zeroing pays for segments written in smaller pieces than this; larger ones cost less with a flush of the file.
const ZERO_AHEAD_BELOW_BYTES: u64 = 192 << 10;
/// What a segment must have before anything is zeroed for it.
const ZERO_AHEAD_FROM_BYTES: u64 = 1 << 20;
const ZERO_STEP_BYTES: u64 = 4 << 20;
const FIRST_ALLOCATION_BYTES: u64 = 1 << 20;

/// What follows a write of blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// They are flushed, and the file has its name for good.
    Flush,
    /// Only the name.
    Name,
    /// Nothing: the caller flushes, together with others.
    Nothing,
}

impl LogInner {
    /// The path of a file of the segment at `base_offset`.
    pub(super) fn file_path(&self, kind: FileKind, base_offset: i64) -> PathBuf {
        self.path.borrow().join(SegmentFile::live(kind, base_offset).name())
    }

    /// Opens the segment's file for writing; makes it, with its name durable, if there is none.
    pub(super) async fn ensure_file(&self, segment: &Rc<Segment>, lock: &Held) -> Result<File, LogError> {
        let file = self.open_or_make_file(segment, lock).await?;
        self.make_name_durable(segment).await?;
        Ok(file)
    }

    /// Makes the name of the segment's file durable.
    pub(super) async fn make_name_durable(&self, segment: &Rc<Segment>) -> Result<(), LogError> {
        if segment.named.get() {
            return Ok(());
        }
        if !self.shard.sabotaged(Sabotage::DirectoryNotFlushed) {
            let directory = self.path.borrow().clone();
            let synced = self.shard.runtime.sync_directory(&directory).await;
            self.guard_io("making a segment", synced)?;
        }
        segment.named.set(true);
        Ok(())
    }

    /// The same, but for a name that is not durable yet: whoever flushes it sets `named`.
    async fn open_or_make_file(&self, segment: &Rc<Segment>, _lock: &Held) -> Result<File, LogError> {
        segment.written_at.set(self.shard.tick());
        if let Some(file) = segment.open_writer() {
            return Ok(file);
        }
        // Law 5: with no statement in the journal a file's length is taken for the durable end.
        self.wait_changed(|| segment.statement_sequence.get() != 0 || segment.dropped.get()).await?;
        if segment.dropped.get() {
            return Err(LogError::Busy);
        }
        let runtime = &self.shard.runtime;
        let path = self.file_path(FileKind::Log, segment.base_offset);
        let what = "making a segment";
        let file = if segment.named.get() {
            File::open(runtime, &path, OpenMode::Direct).await
        } else {
            match File::open(runtime, &path, OpenMode::DirectNew).await {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    File::open(runtime, &path, OpenMode::Direct).await
                }
                other => other,
            }
        };
        let file = self.guard_io(what, file)?;
        *segment.writer.borrow_mut() = Some(file.clone());
        self.shard.opened_writer(segment, &self.io);
        Ok(file)
    }

    /// Makes the file of the empty segment behind a cut, of which the cut itself has spoken in the journal. From then on
    /// its name says where the log goes on, and the cut need not be kept in the journal until the next statement.
    pub(super) async fn make_file_behind_cut(
        &self,
        segment: &Rc<Segment>,
        _lock: &Held,
    ) -> Result<(), LogError> {
        if segment.base_offset == 0 {
            // A log without a file starts and ends there.
            return Ok(());
        }
        let path = self.file_path(FileKind::Log, segment.base_offset);
        let made = File::open(&self.shard.runtime, &path, OpenMode::DirectNew).await;
        self.guard_io("making a segment", made)?;
        self.make_name_durable(segment).await
    }

    /// Writes the whole blocks between `written` and `upto`, a block boundary. Background writes keep to the
    /// directory's budget.
    pub(super) async fn write_blocks(
        &self,
        segment: &Rc<Segment>,
        upto: u64,
        background: bool,
        after: After,
        lock: &Held,
    ) -> Result<(), LogError> {
        let flush = after == After::Flush;
        assert!(upto.is_multiple_of(BLOCK as u64), "a segment only receives whole blocks");
        assert!(upto <= block_floor(segment.end.get().position), "only full blocks are written");
        let from = segment.written.get();
        assert!(from.is_multiple_of(BLOCK as u64), "a sealed segment is opened again before it is written");
        let file = match after {
            After::Nothing => self.open_or_make_file(segment, lock).await?,
            After::Flush | After::Name => self.ensure_file(segment, lock).await?,
        };
        if upto > from {
            self.stop_zeroing_below(segment, upto).await?;
            self.allocate(segment, &file, upto).await?;
            // Law 1: beyond initialised blocks a flush of the write alone does not make the extents durable.
            let initialised = upto <= segment.zeroed.get();
            let durable = initialised && flush;
            let step = if background { BACKGROUND_WRITE_BYTES } else { FOREGROUND_WRITE_BYTES };
            let mut at = from;
            while at < upto {
                let to = (at + step).min(upto);
                let permit =
                    if background { Some(self.directory.background.acquire(to - at).await) } else { None };
                let mut parts: Vec<Bytes> = Vec::new();
                segment.chain.borrow().share(at, to, &mut parts);
                let written = file.write_all_at(at, parts, durable).await;
                drop(permit);
                self.guard_io("writing a segment", written)?;
                // Law 9: readers find these bytes in the file from here on.
                segment.written.set(to);
                at = to;
            }
            self.shard.counters.with(|counters| counters.segment_bytes += upto - from);
            segment.mean_write.set((segment.mean_write.get() * 3 + (upto - from)) / 4);
            segment.zeroed.set(segment.zeroed.get().max(upto));
            self.note_cached(segment, from, upto);
            if durable && segment.flushed.get() >= from {
                segment.flushed.set(upto);
            }
        }
        if flush && segment.flushed.get() < segment.written.get() {
            let upto = segment.written.get();
            // Law 1: the flush of another file (the journal's) says nothing about this one.
            if !self.shard.sabotaged(Sabotage::FlushOfAnotherFile) {
                self.guard_io("flushing a segment", file.sync_data().await)?;
            }
            segment.flushed.set(upto);
        }
        segment.forget_flushed_pieces();
        self.changed.notify();
        Ok(())
    }

    fn note_cached(&self, segment: &Rc<Segment>, from: u64, upto: u64) {
        let shard = self.shard.clone();
        segment.chain.borrow().filled_ends(from, upto, |end| shard.cached(segment, end));
    }

    async fn allocate(&self, segment: &Segment, file: &File, upto: u64) -> Result<(), LogError> {
        if upto <= segment.allocated.get() {
            return Ok(());
        }
        let config = self.config.get();
        let most = u64::from(config.segment_bytes).next_multiple_of(BLOCK as u64).max(upto);
        let step =
            if config.preallocate { most } else { segment.allocated.get().max(FIRST_ALLOCATION_BYTES) };
        if !self.directory.has_plenty(step) {
            segment.allocated.set(upto);
            return Ok(());
        }
        let to = (upto + step).min(most).max(upto);
        let from = segment.allocated.get();
        // Only a help for contiguous extents: where it is not to be had, the write allocates.
        let _ = file.allocate(from, to - from).await;
        segment.allocated.set(to);
        self.directory.take(to - upto);
        Ok(())
    }

    /// Starts a write of everything up to `end` straight to the segment; the log is queued again when it has ended.
    pub(super) fn start_bypass(self: &Rc<Self>, segment: &Rc<Segment>, end: Mark) {
        segment.gathered.set(end);
        segment.bypass.set(Some(end));
        segment.bypass_running.set(true);
        let (log, segment) = (self.clone(), segment.clone());
        self.shard
            .runtime
            .spawn(async move {
                let lock = log.io.acquire().await;
                let result = log.bypass(&segment, end, &lock).await;
                drop(lock);
                segment.bypass_running.set(false);
                log.changed.notify();
                if result.is_ok() {
                    log.enqueue();
                    let carries = log.unsealed.borrow().iter().any(|segment| segment.carry.get());
                    if carries && let Ok(journal) = log.directory.journal() {
                        // The cleaner's request met the write under way; without room for appends only this serves it.
                        journal.enqueue_urgent(&log);
                    }
                }
            })
            .detach();
    }

    async fn bypass(self: &Rc<Self>, segment: &Rc<Segment>, end: Mark, lock: &Held) -> Result<(), LogError> {
        if segment.dropped.get() {
            return Err(LogError::Busy);
        }
        let upto = block_floor(end.position);
        if upto > segment.written.get() {
            let from = segment.written.get();
            let flushes = self.shard.settings.durability == Durability::Flush;
            let after = if flushes { After::Flush } else { After::Name };
            self.write_blocks(segment, upto, false, after, lock).await?;
            self.shard.counters.with(|counters| {
                counters.bypass_writes += 1;
                counters.bypass_bytes += upto - from;
            });
        }
        self.zero_ahead(segment);
        Ok(())
    }

    /// Zeroes the next stretch of the file in the background, if that pays for this segment.
    pub(super) fn zero_ahead(self: &Rc<Self>, segment: &Rc<Segment>) {
        let settings = &self.shard.settings;
        let window = settings.zero_ahead_bytes;
        let written = segment.written.get();
        let ahead = segment.zeroed.get().saturating_sub(written);
        if window == 0
            || written < ZERO_AHEAD_FROM_BYTES
            || ahead > window / 2
            || segment.mean_write.get() > ZERO_AHEAD_BELOW_BYTES
            || segment.zeroing.get().is_some()
            || !self.directory.has_plenty(window)
        {
            return;
        }
        let most = u64::from(self.config.get().segment_bytes).next_multiple_of(BLOCK as u64);
        let target = (written + window).min(most);
        if target <= segment.zeroed.get() {
            return;
        }
        segment.zeroing.set(Some(target));
        let (log, segment) = (self.clone(), segment.clone());
        self.shard
            .runtime
            .spawn(async move {
                let result = log.zero_until(&segment).await;
                segment.zeroing.set(None);
                log.changed.notify();
                let _ = log.directory.guard(result);
            })
            .detach();
    }

    async fn zero_until(&self, segment: &Rc<Segment>) -> Result<(), LogError> {
        let Some(file) = segment.open_writer() else { return Ok(()) };
        let block = zeros(BACKGROUND_WRITE_BYTES as usize);
        let at_error = |error: std::io::Error| LogError::io("zeroing a segment", &error);
        loop {
            let from = segment.zeroed.get();
            // `zeroing` is what is still wanted: a writer that catches up lowers it and waits.
            let Some(target) = segment.zeroing.get() else { return Ok(()) };
            let to = target.min(from + ZERO_STEP_BYTES);
            if to <= from || segment.dropped.get() || segment.sealed.get() {
                return Ok(());
            }
            let mut at = from;
            while at < to {
                let len = BACKGROUND_WRITE_BYTES.min(to - at);
                let pause = self.zeroing_pause_ns(len);
                if pause > 0 {
                    self.shard.runtime.sleep(Duration::from_nanos(pause)).await;
                }
                let permit = self.directory.background.acquire(len).await;
                if segment.zeroing.get().is_none_or(|target| target <= at) {
                    break;
                }
                file.write_all_at(at, vec![block.slice(..len as usize)], false).await.map_err(at_error)?;
                drop(permit);
                at += len;
            }
            if at == from {
                return Ok(());
            }
            file.sync_data().await.map_err(at_error)?;
            self.shard.counters.with(|counters| counters.zeroed_bytes += at - from);
            segment.zeroed.set(segment.zeroed.get().max(at));
            segment.allocated.set(segment.allocated.get().max(at));
        }
    }

    fn zeroing_pause_ns(&self, bytes: u64) -> u64 {
        let rate = self.shard.settings.zero_ahead_bytes_per_second.max(1);
        let now = self.shard.runtime.now_ns();
        let free_at = self.directory.zeroing_free_at_ns.get().max(now);
        self.directory.zeroing_free_at_ns.set(free_at + bytes * 1_000_000_000 / rate);
        free_at - now
    }

    /// Law 8: data goes only below completed zeroing, or zeroing is cancelled and awaited.
    pub(super) async fn stop_zeroing_below(&self, segment: &Segment, upto: u64) -> Result<(), LogError> {
        if segment.zeroing.get().is_some() && upto > segment.zeroed.get() {
            segment.zeroing.set(Some(0));
            self.wait_changed(|| segment.zeroing.get().is_none()).await?;
        }
        Ok(())
    }
}
