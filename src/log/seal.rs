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
use super::segment::Segment;
use super::segment_name::FileKind;
use crate::runtime::{BLOCK, File, OpenMode};

impl LogInner {
    /// Seals `segment`, of which everything is stated. False when an append came between.
    pub(super) async fn seal_segment(
        self: &Rc<Self>,
        segment: &Rc<Segment>,
        lock: &Held,
    ) -> Result<bool, LogError> {
        if segment.sealed.get() {
            return Ok(true);
        }
        let end = segment.end.get();
        if segment.stated.get() != end || segment.bypass_running.get() {
            return Ok(false);
        }
        if segment.zeroing.get().is_some() {
            segment.zeroing.set(Some(0));
            self.wait_changed(|| segment.zeroing.get().is_none()).await?;
        }
        if segment.named.get() && segment.statement_sequence.get() == 0 && segment.pieces.borrow().is_empty()
        {
            // Opened again and never appended to: the file is as it was sealed.
            return Ok(self.mark_sealed(segment, end.position));
        }
        let file = self.ensure_file(segment, lock).await?;
        let floor = block_floor(end.position);
        self.write_blocks(segment, floor, true, false, lock).await?;
        let last = segment.chain.borrow().padded_copy(floor);
        let what = "sealing a segment";
        if end.position > floor {
            // The chain may hold more by now: only the block as it was at `end` is written.
            if let Some(block) = last {
                let block = block.slice(..BLOCK.min(block.len()));
                self.directory.guard_io(what, file.write_all_at(floor, vec![block], false).await)?;
            }
        }
        self.directory.guard_io(what, file.set_len(end.position).await)?;
        self.directory.guard_io(what, file.sync_all().await)?;
        segment.zeroed.set(floor.min(segment.zeroed.get()).max(segment.written.get()));
        segment.allocated.set(floor);
        segment.flushed.set(segment.written.get());
        segment.forget_flushed_pieces();
        let is_active = Rc::ptr_eq(&self.active(), segment);
        if !is_active {
            // A closed segment's indexes are never looked at by recovery again: they are durable first.
            self.write_index_files(segment, true).await?;
        }
        let untouched = segment.end.get() == end
            && segment.gathered.get() == end
            && segment.stated.get() == end
            && !segment.bypass_running.get()
            && (!is_active || self.reservations.get() == 0);
        if !untouched || segment.dropped.get() {
            return Ok(false);
        }
        self.shard.counters.with(|counters| counters.seals += 1);
        Ok(self.mark_sealed(segment, end.position))
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
            let file = self.directory.guard_io(what, file)?;
            let read = file.read_at(floor, BLOCK).await;
            let (filled, block) = self.directory.guard_io(what, read)?;
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
