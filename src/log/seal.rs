//! Sealing a segment (law 2) and opening a sealed one again.
//!
//! At roll, clean stop, or when a tail idles: the padded last block is written, the file cut to its exact length,
//! flushed with its directory, and only then the journal's copy is let go. An append meanwhile undoes the seal: the
//! block stays in memory and in the journal until it is full.

use std::rc::Rc;

use super::chain::{Chain, block_ceil, block_floor};
use super::error::LogError;
use super::lock::Held;
use super::log::LogInner;
use super::segment::{Mark, Segment};
use super::segment_io::After;
use super::segment_name::FileKind;
use crate::runtime::{BLOCK, File, OpenMode};

/// How far a seal came.
pub(super) enum SealStep {
    /// It is sealed.
    Sealed,
    /// Something is under way: not now.
    NotNow,
    /// Everything is written, up to this end, and waits for the flush.
    Written(Mark),
}

impl LogInner {
    /// Seals `segment`, of which everything is stated. False when an append came between.
    pub(super) async fn seal_segment(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        lock: &Held,
    ) -> Result<bool, LogError> {
        let end = match self.write_seal(segment, lock).await? {
            SealStep::Sealed => return Ok(true),
            SealStep::NotNow => return Ok(false),
            SealStep::Written(end) => end,
        };
        if let Some(file) = segment.open_writer() {
            self.guard_io("sealing a segment", file.sync_all().await)?;
        }
        self.make_name_durable(segment).await?;
        if !Rc::ptr_eq(&self.active(), segment) {
            // A closed segment's indexes are never looked at by recovery again: they are durable first.
            self.write_index_files(segment, true).await?;
        }
        Ok(self.finish_seal(segment, end))
    }

    /// The first half: everything written and the file cut, nothing flushed.
    pub(super) async fn write_seal(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        lock: &Held,
    ) -> Result<SealStep, LogError> {
        if segment.sealed.get() {
            return Ok(SealStep::Sealed);
        }
        let end = segment.end.get();
        if segment.stated.get() != end || segment.bypass_running.get() || segment.dropped.get() {
            return Ok(SealStep::NotNow);
        }
        if segment.named.get() && segment.statement_sequence.get() == 0 && segment.pieces.borrow().is_empty()
        {
            // Opened again and never appended to: the file is as it was sealed.
            let sealed = self.mark_sealed(segment, end.position);
            return Ok(if sealed { SealStep::Sealed } else { SealStep::NotNow });
        }
        if segment.statement_sequence.get() == 0 {
            // Its statement comes first, and may need room that whoever seals must not wait for under the lock.
            return Ok(SealStep::NotNow);
        }
        if segment.zeroing.get().is_some() {
            segment.zeroing.set(Some(0));
            self.wait_changed(|| segment.zeroing.get().is_none()).await?;
        }
        let floor = block_floor(end.position);
        self.write_blocks(segment, floor, true, After::Nothing, lock).await?;
        let Some(file) = segment.open_writer() else { return Ok(SealStep::NotNow) };
        let last = segment.chain.borrow().padded_copy(floor);
        let what = "sealing a segment";
        if end.position > floor
            && let Some(block) = last
        {
            // The chain may hold more by now: only the block as it was at `end` is written.
            let block = block.slice(..BLOCK.min(block.len()));
            self.guard_io(what, file.write_all_at(floor, vec![block], false).await)?;
        }
        self.guard_io(what, file.set_len(end.position).await)?;
        // What was zeroed beyond is gone.
        segment.zeroed.set(segment.written.get());
        segment.allocated.set(floor);
        Ok(SealStep::Written(end))
    }

    /// The second half, after the flush: the journal's copy goes, unless an append came between.
    pub(super) fn finish_seal(&self, segment: &Rc<Segment>, end: Mark) -> bool {
        segment.flushed.set(segment.written.get());
        segment.forget_flushed_pieces();
        let untouched = segment.end.get() == end
            && segment.gathered.get() == end
            && segment.stated.get() == end
            && !segment.bypass_running.get()
            && !segment.dropped.get();
        if !untouched || !self.mark_sealed(segment, end.position) {
            self.changed.notify();
            return false;
        }
        self.shard.counters.with(|counters| counters.seals += 1);
        true
    }

    /// The file is exact and durable: the journal's copy goes.
    fn mark_sealed(&self, segment: &Rc<Segment>, end: u64) -> bool {
        let is_active = Rc::ptr_eq(&self.active(), segment);
        if is_active && self.reservations.get() > 0 {
            return false;
        }
        segment.written.set(end);
        segment.flushed.set(end);
        segment.zeroed.set(end);
        segment.sealed.set(true);
        segment.pieces.borrow_mut().clear();
        segment.statement_sequence.set(0);
        segment.carry.set(false);
        segment.statement_due.set(false);
        segment.bypass.set(None);
        *segment.writer.borrow_mut() = None;
        self.unsealed.borrow_mut().retain(|open| !Rc::ptr_eq(open, segment));
        if is_active {
            // An idle partition keeps no chunk (rule 9).
            *segment.chain.borrow_mut() = Chain::new(block_ceil(end));
            self.shard.room.notify();
        } else {
            self.shard.cached(segment, block_ceil(end));
        }
        self.changed.notify();
        true
    }

    /// Opens the sealed active segment for appends: its unfull last block comes into memory, to be journaled whole
    /// with the next append, and is served from there until it is full.
    pub(super) async fn reopen(self: &Rc<Self>) -> Result<(), LogError> {
        let _lock = self.io.acquire().await;
        self.check()?;
        let segment = self.active();
        if !segment.sealed.get() || self.busy.get() {
            return Ok(());
        }
        let end = segment.end.get();
        let floor = block_floor(end.position);
        let mut chain = Chain::new(floor);
        if end.position > floor {
            let what = "reading a segment's last block";
            let path = self.file_path(FileKind::Log, segment.base_offset);
            let file = File::open(&self.shard.runtime, &path, OpenMode::Direct).await;
            let file = self.guard_io(what, file)?;
            let read = file.read_at(floor, BLOCK).await;
            let (filled, block) = self.guard_io(what, read)?;
            let len = (end.position - floor) as usize;
            let Some(bytes) = block.get(..len).filter(|_| filled >= len) else {
                let error = LogError::corrupt(format!("{} is shorter than it was sealed", path.display()));
                self.set_error(error.clone());
                return Err(error);
            };
            chain.append(&self.shard.pool, bytes, 0, true);
        }
        // Last, with no await before the segment is open: a sealed segment's indexes may be let go at any time.
        self.load_indexes(&segment).await?;
        *segment.chain.borrow_mut() = chain;
        segment.written.set(floor);
        segment.flushed.set(floor);
        segment.zeroed.set(floor);
        segment.allocated.set(floor);
        segment.statement_sequence.set(0);
        segment.carry.set(true);
        segment.sealed.set(false);
        self.unsealed.borrow_mut().push_back(segment);
        // So that what seals idle tails lets a fresh one live.
        self.last_append_ms.set(self.shard.runtime.wall_clock_ms());
        Ok(())
    }
}
