//! What all logs of one shard share: its runtime, settings, memory, open files and counters.
//!
//! Memory is bounded by `tail_cache_bytes`: reservations are granted while it suffices; the cache (chunks whose bytes
//! a file holds) is let go oldest first; when tails fill it the cleaners are asked to write them to their segments.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use super::chunk_pool::ChunkPool;
use super::counters::Counters;
use super::lock::Lock;
use super::recovery::load::producer_limits;
use super::segment::Segment;
use super::settings::{CleanerSettings, LogSettings, Sabotage};
use crate::partition::producer_state::ProducerLimits;
use crate::runtime::sync::Notify;
use crate::runtime::{File, Runtime, ShardId};

/// Memory an append needs beyond its bytes: the rest of a chunk, its share of a group.
const APPEND_OVERHEAD_BYTES: u64 = 16 << 10;

/// A segment whose file was opened for writing, with its log's `io` lock.
struct Writer {
    segment: Weak<Segment>,
    io: Lock,
    stamp: u64,
}

/// See the module.
pub(crate) struct Shard {
    pub(super) runtime: Runtime,
    pub(super) id: ShardId,
    pub(super) settings: LogSettings,
    pub(super) pool: ChunkPool,
    pub(super) counters: Counters,
    /// `producer.id.expiration.ms`, which may change.
    pub(super) producer_id_expiration_ms: Cell<i64>,
    /// How compacted topics are cleaned, which may change.
    pub(super) cleaner: Cell<CleanerSettings>,
    /// It changed.
    pub(super) cleaner_changed: Notify,
    /// How fast logs are copied to other log directories, which may change.
    pub(super) relocation_bytes_per_second: Cell<u64>,
    pub(super) stopping: Cell<bool>,
    /// Memory was freed.
    pub(super) room: Notify,
    /// Tails fill the memory: cleaners write what they have.
    pub(super) pressure: Notify,
    pub(super) starved: Cell<u32>,
    reserved: Cell<u64>,
    cached: RefCell<VecDeque<(Weak<Segment>, u64)>>,
    open: RefCell<VecDeque<(Weak<Segment>, u64)>>,
    writers: RefCell<VecDeque<Writer>>,
    clock: Cell<u64>,
}

impl Shard {
    pub(super) fn new(runtime: Runtime, id: ShardId, settings: LogSettings) -> Rc<Self> {
        let shard = Rc::new(Self {
            runtime,
            id,
            producer_id_expiration_ms: Cell::new(settings.producer_id_expiration_ms),
            cleaner: Cell::new(settings.cleaner),
            cleaner_changed: Notify::default(),
            relocation_bytes_per_second: Cell::new(u64::MAX),
            pool: ChunkPool::new(settings.huge_pages),
            settings,
            counters: Counters::default(),
            stopping: Cell::new(false),
            room: Notify::default(),
            pressure: Notify::default(),
            starved: Cell::new(0),
            reserved: Cell::new(0),
            cached: RefCell::default(),
            open: RefCell::default(),
            writers: RefCell::default(),
            clock: Cell::new(0),
        });
        let closes = Rc::downgrade(&shard);
        shard.runtime.descriptors().on_shortage(Rc::new(move || {
            if let Some(shard) = closes.upgrade() {
                shard.close_files();
            }
        }));
        shard
    }

    /// Limits of the producers that a log remembers.
    pub(super) fn producer_limits(&self) -> ProducerLimits {
        let producer_id_expiration_ms = self.producer_id_expiration_ms.get();
        ProducerLimits { producer_id_expiration_ms, ..producer_limits(&self.settings) }
    }

    pub(super) fn sabotaged(&self, fault: Sabotage) -> bool {
        self.settings.sabotaged(fault)
    }

    /// Whether memory is short enough that chains should not grow their chunks.
    pub(super) fn frugal(&self) -> bool {
        self.reserved.get() + self.pool.used_bytes() > self.settings.tail_cache_bytes / 2
    }

    /// Takes memory for an append of `bytes`, evicting the cache; false when tails fill it.
    pub(super) fn try_reserve(&self, bytes: u64) -> bool {
        let need = bytes + APPEND_OVERHEAD_BYTES;
        let limit = self.settings.tail_cache_bytes;
        let fits = |used: u64| used + self.reserved.get() + need <= limit;
        // What is larger than the whole budget is taken when nothing else is.
        while !fits(self.pool.used_bytes()) && self.evict_one() {}
        if fits(self.pool.used_bytes()) || (self.reserved.get() == 0 && need > limit / 2) {
            self.reserved.set(self.reserved.get() + need);
            true
        } else {
            false
        }
    }

    pub(super) fn release(&self, bytes: u64) {
        let need = bytes + APPEND_OVERHEAD_BYTES;
        let reserved = self.reserved.get();
        assert!(reserved >= need, "a reservation is given back once");
        self.reserved.set(reserved - need);
        if self.starved.get() > 0 {
            self.room.notify();
        }
    }

    /// Chunks of `segment` up to `end` are in its file: they may be let go.
    pub(super) fn cached(&self, segment: &Rc<Segment>, end: u64) {
        self.cached.borrow_mut().push_back((Rc::downgrade(segment), end));
        if self.starved.get() > 0 {
            self.room.notify();
        }
    }

    /// Lets go of the oldest chunk of the cache; false when there is none.
    pub(super) fn evict_one(&self) -> bool {
        loop {
            let Some((segment, end)) = self.cached.borrow_mut().pop_front() else { return false };
            if let Some(segment) = segment.upgrade()
                && segment.evict(end) > 0
            {
                self.counters.with(|counters| counters.evicted_chunks += 1);
                return true;
            }
        }
    }

    /// Notes that `segment` holds an open file, and closes the file that was used least lately beyond the bound.
    pub(super) fn opened(&self, segment: &Rc<Segment>) {
        self.open.borrow_mut().push_back((Rc::downgrade(segment), segment.used_at.get()));
        loop {
            let (segment, stamp) = {
                let mut open = self.open.borrow_mut();
                if open.len() <= self.settings.open_segments.max(1) {
                    return;
                }
                let Some(oldest) = open.pop_front() else { return };
                oldest
            };
            let Some(segment) = segment.upgrade() else { continue };
            if segment.used_at.get() == stamp {
                segment.close_reader();
            } else {
                self.open.borrow_mut().push_back((Rc::downgrade(&segment), segment.used_at.get()));
            }
        }
    }

    /// Notes that `segment`, whose log has the lock `io`, has its file open for writing, and closes those written least
    /// lately beyond the bound. Those that are being written stay, so that for a while there may be more.
    pub(super) fn opened_writer(&self, segment: &Rc<Segment>, io: &Lock) {
        let mut writers = self.writers.borrow_mut();
        if !segment.writer_listed.replace(true) {
            let stamp = segment.written_at.get();
            writers.push_back(Writer { segment: Rc::downgrade(segment), io: io.clone(), stamp });
        }
        for _ in 0..writers.len() {
            if writers.len() <= self.settings.open_writers.max(1) {
                return;
            }
            let Some(mut oldest) = writers.pop_front() else { return };
            let Some(segment) = oldest.segment.upgrade() else { continue };
            let recent = segment.written_at.get() != oldest.stamp;
            oldest.stamp = segment.written_at.get();
            if recent || !segment.close_writer(&oldest.io) {
                writers.push_back(oldest);
            }
        }
    }

    /// Closes what can be closed: the process is out of descriptors.
    pub(super) fn close_files(&self) {
        for (segment, _) in self.open.take() {
            if let Some(segment) = segment.upgrade() {
                segment.close_reader();
            }
        }
        self.writers.borrow_mut().retain(|writer| {
            writer.segment.upgrade().is_some_and(|segment| !segment.close_writer(&writer.io))
        });
    }

    /// A number that rises with each use.
    pub(super) fn tick(&self) -> u64 {
        self.clock.set(self.clock.get() + 1);
        self.clock.get()
    }
}

/// Keeps a file's zeros for zeroing ahead; shared so that nothing is allocated for it.
pub(super) fn zeros(len: usize) -> bytes::Bytes {
    crate::runtime::AlignedBuf::zeroed(len).freeze(len)
}

/// An open file, or nothing yet.
pub(super) type MaybeFile = RefCell<Option<File>>;
