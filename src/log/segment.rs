//! One segment of a log: where its bytes are, which of them are durable, its indexes.
//!
//! Owned by its log, on the log's shard. The order of its positions, which is asserted where they move:
//! `flushed <= written <= end`, `stated <= gathered <= end`. `written` and `flushed` are block boundaries until the
//! segment is sealed. Bytes below `written` are in the file, bytes from the chain's start on are in memory, and the
//! chain starts at or below `written` (law 9).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::chain::Chain;
use super::index::OffsetIndex;
use super::index_builder::IndexBuilder;
use super::lock::Lock;
use super::shard::MaybeFile;
use super::time_index::{TimeIndex, TimestampOffset};
use super::transaction_index::TransactionIndex;
use crate::runtime::File;

/// A place in a segment between two batches, and the offset of the batch that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(super) position: u64,
    pub(super) offset: i64,
}

/// Where in the journal bytes of the tail lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Behind the last byte.
    pub(super) end: u64,
    /// The group.
    pub(super) sequence: u64,
}

/// See the module.
pub(crate) struct Segment {
    pub(super) base_offset: i64,
    /// Behind the last byte appended.
    pub(super) end: Cell<Mark>,
    /// Bytes below are in a group, or went straight to the file and wait for their statement.
    pub(super) gathered: Cell<Mark>,
    /// Bytes below are durable, and the journal says so.
    pub(super) stated: Cell<Mark>,
    /// Up to here whole blocks were written to the file by a write that has ended.
    pub(super) written: Cell<u64>,
    /// Up to here the file is durable.
    pub(super) flushed: Cell<u64>,
    /// A write that bypasses the journal is under way up to here, or has ended and is not stated yet.
    pub(super) bypass: Cell<Option<Mark>>,
    pub(super) bypass_running: Cell<bool>,
    pub(super) chain: RefCell<Chain>,
    pub(super) pieces: RefCell<VecDeque<Piece>>,
    /// The group with the newest durable statement about this segment; 0 for none.
    pub(super) statement_sequence: Cell<u64>,
    /// The file is exact and nothing in the journal is needed.
    pub(super) sealed: Cell<bool>,
    /// The next gathering begins at `written` again: the journal's oldest region is being cleaned.
    pub(super) carry: Cell<bool>,
    /// A statement is wanted although no bytes are.
    pub(super) statement_due: Cell<bool>,
    /// The segment was cut off or deleted: tasks that still hold it stop.
    pub(super) dropped: Cell<bool>,
    /// It takes the place of others and has not its name yet: its file and indexes stay open.
    pub(super) swapping: Cell<bool>,
    /// For writing, by direct I/O.
    pub(super) writer: MaybeFile,
    /// Whether the file has its name, durably.
    pub(super) named: Cell<bool>,
    /// For reading and `send_file`.
    pub(super) reader: MaybeFile,
    pub(super) used_at: Cell<u64>,
    pub(super) written_at: Cell<u64>,
    /// Among the shard's open writers.
    pub(super) writer_listed: Cell<bool>,
    /// Up to here the file has initialised blocks: zeroed, or written.
    pub(super) zeroed: Cell<u64>,
    /// Zeroing is under way up to here.
    pub(super) zeroing: Cell<Option<u64>>,
    pub(super) allocated: Cell<u64>,
    /// Mean size of the latest writes.
    pub(super) mean_write: Cell<u64>,
    /// Both indexes, while the segment is appended to or they were loaded.
    pub(super) builder: RefCell<Option<IndexBuilder>>,
    pub(super) transactions: RefCell<Option<TransactionIndex>>,
    /// The largest timestamp, when known.
    pub(super) largest_timestamp: Cell<Option<TimestampOffset>>,
    /// Timestamp of the first batch, for rolling by time.
    pub(super) first_timestamp: Cell<Option<i64>>,
    /// Position up to which index files and snapshots are on disk.
    pub(super) checkpointed: Cell<u64>,
    pub(super) modified_ms: Cell<i64>,
}

impl Segment {
    /// A new segment: nothing in it, no file.
    pub(super) fn new(base_offset: i64, interval_bytes: u32, now_ms: i64) -> Rc<Self> {
        let mark = Mark { position: 0, offset: base_offset };
        let segment = Self::at(base_offset, mark, now_ms);
        *segment.builder.borrow_mut() = Some(IndexBuilder::new(base_offset, interval_bytes));
        *segment.transactions.borrow_mut() = Some(TransactionIndex::new(base_offset));
        Rc::new(segment)
    }

    /// A sealed segment that ends at `end`.
    pub(super) fn sealed(base_offset: i64, end: Mark, modified_ms: i64) -> Rc<Self> {
        let segment = Self::at(base_offset, end, modified_ms);
        segment.sealed.set(true);
        segment.named.set(true);
        Rc::new(segment)
    }

    fn at(base_offset: i64, end: Mark, modified_ms: i64) -> Self {
        Self {
            base_offset,
            end: Cell::new(end),
            gathered: Cell::new(end),
            stated: Cell::new(end),
            written: Cell::new(end.position),
            flushed: Cell::new(end.position),
            bypass: Cell::new(None),
            bypass_running: Cell::new(false),
            chain: RefCell::new(Chain::new(super::chain::block_ceil(end.position))),
            pieces: RefCell::default(),
            statement_sequence: Cell::new(0),
            sealed: Cell::new(false),
            carry: Cell::new(false),
            statement_due: Cell::new(false),
            dropped: Cell::new(false),
            swapping: Cell::new(false),
            writer: RefCell::new(None),
            named: Cell::new(false),
            reader: RefCell::new(None),
            used_at: Cell::new(0),
            written_at: Cell::new(0),
            writer_listed: Cell::new(false),
            zeroed: Cell::new(end.position),
            zeroing: Cell::new(None),
            allocated: Cell::new(end.position),
            mean_write: Cell::new(0),
            builder: RefCell::new(None),
            transactions: RefCell::new(None),
            largest_timestamp: Cell::new(None),
            first_timestamp: Cell::new(None),
            checkpointed: Cell::new(end.position),
            modified_ms: Cell::new(modified_ms),
        }
    }

    /// Whether the journal's groups up to `sequence` hold something this segment still needs.
    pub(super) fn needs(&self, sequence: u64) -> bool {
        if self.sealed.get() || self.dropped.get() {
            return false;
        }
        let statement = self.statement_sequence.get();
        (statement != 0 && statement <= sequence)
            || self.pieces.borrow().front().is_some_and(|piece| piece.sequence <= sequence)
    }

    /// Never appended to nor spoken of, at offset 0: there is no file, and none is needed to say where it ends.
    pub(super) fn is_untouched(&self) -> bool {
        self.end.get().position == 0
            && self.base_offset == 0
            && self.statement_sequence.get() == 0
            && !self.statement_due.get()
            && !self.named.get()
    }

    /// Whether the journal has spoken of it, or need not before it can be sealed.
    pub(super) fn is_spoken_of(&self) -> bool {
        self.sealed.get()
            || self.statement_sequence.get() != 0
            || self.is_untouched()
            || (self.named.get() && self.pieces.borrow().is_empty() && self.gathered.get() == self.end.get())
    }

    /// Forgets pieces that the file holds durably.
    pub(super) fn forget_flushed_pieces(&self) {
        let flushed = self.flushed.get();
        let mut pieces = self.pieces.borrow_mut();
        while pieces.front().is_some_and(|piece| piece.end <= flushed) {
            pieces.pop_front();
        }
    }

    /// Lets go of chunks up to `end` if the file holds them; gives how many.
    pub(super) fn evict(&self, end: u64) -> usize {
        let mut chain = self.chain.borrow_mut();
        if self.sealed.get() && chain.end() <= self.end.get().position && end >= chain.end() {
            let held = chain.memory_bytes() > 0;
            let at = super::chain::block_ceil(self.end.get().position);
            *chain = Chain::new(at);
            return usize::from(held);
        }
        chain.drop_below(end.min(self.written.get()))
    }

    /// Position of the first byte that memory holds; the end when it holds none.
    pub(super) fn memory_start(&self) -> u64 {
        let chain = self.chain.borrow();
        if chain.memory_bytes() == 0 { self.end.get().position } else { chain.start() }
    }

    /// Closes what a reader opened; readers under way hold it themselves.
    pub(super) fn close_reader(&self) {
        if self.swapping.get() {
            return;
        }
        *self.reader.borrow_mut() = None;
        if self.sealed.get() && self.gathered.get() == self.end.get() && self.writer.borrow().is_none() {
            let mut builder = self.builder.borrow_mut();
            if let Some(known) = builder.as_ref() {
                self.largest_timestamp.set(Some(known.largest_timestamp()));
            }
            // Only what the disk has too, the largest timestamp included: an active log's segment keeps its builder
            // until the log goes on.
            let whole = builder.as_ref().is_none_or(IndexBuilder::is_closed);
            if whole && self.checkpointed.get() >= self.end.get().position {
                *builder = None;
            }
        }
    }

    /// Closes the file for writing, unless who holds its log's lock `io`, or zeroing, uses it; it is opened again when it
    /// is needed. True when it is closed.
    pub(super) fn close_writer(&self, io: &Lock) -> bool {
        if self.writer.borrow().is_some() {
            let Some(_held) = io.try_acquire() else { return false };
            if self.zeroing.get().is_some() {
                return false;
            }
            *self.writer.borrow_mut() = None;
        }
        self.writer_listed.set(false);
        true
    }

    /// The file for writing, when open.
    pub(super) fn open_writer(&self) -> Option<File> {
        self.writer.borrow().clone()
    }

    /// Takes loaded indexes.
    pub(super) fn set_indexes(&self, offsets: OffsetIndex, times: TimeIndex, interval_bytes: u32) {
        let largest = self.largest_timestamp.get();
        let mut builder = IndexBuilder::resume(offsets, times, interval_bytes);
        if let Some(largest) = largest {
            builder.set_largest_timestamp(largest);
        }
        *self.builder.borrow_mut() = Some(builder);
    }
}
