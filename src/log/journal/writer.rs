//! Group commit: gathers what logs have to say into groups, writes each with its flush, acknowledges in order.
//!
//! One task per journal forms groups; while one is under way the next gathers (two may be under way as a setting).
//! A failed write takes the log directory offline. Laws: an acknowledgement follows the flush that covers it (1); the
//! durable end is stated (5); appends are refused room before the cleaner is (rule 5).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use bytes::Bytes;

use super::format::{GROUP_HEADER_BYTES, GroupHeader, padded};
use super::group::Group;
use super::space::{Place, Room, Space};
use crate::log::directory::Directory;
use crate::log::error::LogError;
use crate::log::gather::{Gathered, May};
use crate::log::log::LogInner;
use crate::log::settings::{Durability, Sabotage};
use crate::log::shard::Shard;
use crate::runtime::sync::Notify;
use crate::runtime::{BLOCK, File};

/// A group larger than this is never made (rule 2).
const HARD_LIMIT_BYTES: u64 = 1 << 20;

/// A group under way.
struct Flight {
    sequence: u64,
    group: Option<Group>,
    oldest_total: u64,
    started_ns: u64,
    ended: bool,
}

/// A shard's journal in one log directory.
pub struct Journal {
    pub(crate) shard: Rc<Shard>,
    pub(crate) directory: Weak<Directory>,
    pub(crate) file: File,
    id: u128,
    pub(crate) space: RefCell<Space<Weak<LogInner>>>,
    /// Logs with something to say, in order; what `urgent` ones state or carry may use the reserve (see [`Room`]).
    queue: RefCell<VecDeque<Rc<LogInner>>>,
    urgent: RefCell<VecDeque<Rc<LogInner>>>,
    flights: RefCell<VecDeque<Flight>>,
    /// There is something for the writer to look at.
    wake: Notify,
    /// A group ended, or the journal stopped.
    pub(crate) progressed: Notify,
    pub(crate) cleaner_wake: Notify,
    stopped: Cell<bool>,
    /// Something waits for room that only the cleaner makes.
    wants_room: Cell<bool>,
    last_start_ns: Cell<u64>,
    /// Whether the circle is being made larger.
    pub(crate) growing: Cell<bool>,
    /// Bypass writes under way, and logs in the latest group: tells whether one log is alone.
    latest_logs: Cell<usize>,
}

impl Journal {
    /// A journal over a fresh `file` of `file_bytes`, zeroed and durable.
    pub(crate) fn new(directory: &Rc<Directory>, file: File, id: u128, file_bytes: u64) -> Rc<Self> {
        Rc::new(Self {
            shard: directory.shard.clone(),
            directory: Rc::downgrade(directory),
            file,
            id,
            space: RefCell::new(Space::new(file_bytes)),
            queue: RefCell::default(),
            urgent: RefCell::default(),
            flights: RefCell::default(),
            wake: Notify::default(),
            progressed: Notify::default(),
            cleaner_wake: Notify::default(),
            stopped: Cell::new(false),
            wants_room: Cell::new(false),
            last_start_ns: Cell::new(0),
            growing: Cell::new(false),
            latest_logs: Cell::new(0),
        })
    }

    /// Starts the writer and the cleaner.
    pub(crate) fn start(self: &Rc<Self>) {
        let writer = self.clone();
        self.shard.runtime.spawn(async move { writer.run().await }).detach();
        let cleaner = self.clone();
        self.shard.runtime.spawn(async move { super::cleaner::run(&cleaner).await }).detach();
    }

    /// Ends both tasks; what waits is told by the directory.
    pub(crate) fn stop(&self) {
        self.stopped.set(true);
        self.queue.borrow_mut().clear();
        self.urgent.borrow_mut().clear();
        // Who waits for a group under way learns that it does not count.
        let flights = self.flights.take();
        drop(flights);
        self.wake.notify();
        self.progressed.notify();
        self.cleaner_wake.notify();
    }

    /// The oldest group that is written and not passed on yet; the largest number when there is none.
    pub(crate) fn first_in_flight(&self) -> u64 {
        self.flights.borrow().front().map_or(u64::MAX, |flight| flight.sequence)
    }

    /// Whether it was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// The log has something to say.
    #[inline]
    pub(crate) fn enqueue(&self, log: &Rc<LogInner>) {
        if !log.queued.replace(true) && !self.stopped.get() {
            self.queue.borrow_mut().push_back(log.clone());
            self.wake.notify();
        }
    }

    /// The log has something to say that the cleaner, or a change of the log's shape, waits for.
    pub(crate) fn enqueue_urgent(&self, log: &Rc<LogInner>) {
        if !self.stopped.get() {
            self.urgent.borrow_mut().push_back(log.clone());
            self.wake.notify();
        }
    }

    fn spacing_left_ns(&self) -> u64 {
        let spacing = self.shard.settings.journal_group_spacing_us * 1000;
        (self.last_start_ns.get() + spacing).saturating_sub(self.shard.runtime.now_ns())
    }

    async fn run(self: Rc<Self>) {
        let most = self.shard.settings.journal_groups_in_flight.max(1);
        loop {
            if self.stopped.get() {
                return;
            }
            let wake = self.wake.wait();
            let wanted = !self.queue.borrow().is_empty() || !self.urgent.borrow().is_empty();
            if !wanted || self.flights.borrow().len() >= most {
                wake.await;
                continue;
            }
            let spacing = self.spacing_left_ns();
            if spacing > 0 && self.shard.settings.journal_group_spacing_us > 0 {
                self.shard.runtime.sleep(std::time::Duration::from_nanos(spacing)).await;
            }
            if !self.form() {
                // No room, or all that was queued waits for something else: whoever ends that wakes us.
                wake.await;
            }
        }
    }

    /// Forms and submits one group; false when nothing came of it.
    fn form(self: &Rc<Self>) -> bool {
        let settings = &self.shard.settings;
        let largest = self.space.borrow().capacity() / 4;
        let want = (settings.journal_group_limit_bytes
            + settings.bypass_alone_bytes.max(settings.bypass_bytes)
            + BLOCK as u64 * 2)
            .min(HARD_LIMIT_BYTES.max(settings.journal_group_limit_bytes))
            .min(largest)
            / BLOCK as u64
            * BLOCK as u64;
        let least = BLOCK as u64;
        let sequence = self.space.borrow().next_sequence();
        if !self.urgent.borrow().is_empty() && self.form_urgent(sequence, want) {
            return true;
        }
        if self.queue.borrow().is_empty() {
            // What is urgent and found no room waits for the cleaner too.
            return !self.urgent.borrow().is_empty() && self.ask_for_room();
        }
        let Some(place) = self.space.borrow().place(want, least, Room::Appends) else {
            self.shard.counters.with(|counters| counters.stalled_appends += 1);
            return self.ask_for_room();
        };
        let mut group = Group::new(place.limit);
        self.collect(&mut group, sequence);
        if group.entries() == 0 {
            let blocked = !self.queue.borrow().is_empty();
            if blocked {
                return self.ask_for_room();
            }
            return false;
        }
        self.submit(group, place);
        true
    }

    /// Forms a group of what may use the reserve: new bytes ride along only when there is room anyway.
    fn form_urgent(self: &Rc<Self>, sequence: u64, want: u64) -> bool {
        let mut least = BLOCK as u64;
        loop {
            let (ample, place, statements) = {
                let space = self.space.borrow();
                let ample = space.place(want, want, Room::Appends);
                let statements = space.place(want, least, Room::Statements).map_or(0, |place| place.limit);
                (ample.is_some(), ample.or_else(|| space.place(want, least, Room::Cleaner)), statements)
            };
            let Some(place) = place else { return false };
            let mut group = Group::new(place.limit);
            if ample {
                self.collect_urgent(&mut group, sequence, May::ALL);
                self.collect(&mut group, sequence);
            } else {
                let may = May { statements_bytes: statements, new_bytes: false };
                self.collect_urgent(&mut group, sequence, may);
            }
            if group.entries() > 0 {
                self.submit(group, place);
                return true;
            }
            if ample || self.urgent.borrow().is_empty() {
                return false;
            }
            // The first is too large for the rest of the circle: what is behind it, or nothing.
            least = place.limit + BLOCK as u64;
        }
    }

    fn ask_for_room(self: &Rc<Self>) -> bool {
        self.wants_room.set(true);
        self.cleaner_wake.notify();
        self.free_by_statement()
    }

    /// Whether something waits for room.
    pub(crate) fn wants_room(&self) -> bool {
        self.wants_room.get()
    }

    /// Writes an empty group when it alone frees room: what the cleaner let go is reusable once a group says so.
    fn free_by_statement(self: &Rc<Self>) -> bool {
        if !self.space.borrow().statement_frees() || !self.flights.borrow().is_empty() {
            return false;
        }
        let place = self.space.borrow().place(BLOCK as u64, BLOCK as u64, Room::Freeing);
        let Some(place) = place else { return false };
        self.submit(Group::new(place.limit), place);
        true
    }

    /// Gathers from the queue until the group is full.
    fn collect(&self, group: &mut Group, sequence: u64) {
        let limit = self.shard.settings.journal_group_limit_bytes as usize;
        let mut left = self.queue.borrow().len();
        let alone = left <= 1 && self.latest_logs.get() <= 1;
        self.latest_logs.set(left);
        while left > 0 && group.body_bytes() < limit {
            left -= 1;
            let Some(log) = self.queue.borrow_mut().pop_front() else { return };
            // `queued` says exactly whether it is in this queue.
            log.queued.set(false);
            match log.gather(group, sequence, alone, May::ALL) {
                Gathered::All => {}
                Gathered::Full => {
                    log.queued.set(true);
                    self.queue.borrow_mut().push_front(log);
                    return;
                }
                Gathered::Later => self.enqueue(&log),
            }
        }
    }

    /// Gathers carried blocks, and what else those logs `may` put into the group.
    fn collect_urgent(&self, group: &mut Group, sequence: u64, may: May) {
        let limit = self.shard.settings.journal_group_limit_bytes as usize;
        let mut left = self.urgent.borrow().len();
        while left > 0 && group.body_bytes() < limit {
            left -= 1;
            let Some(log) = self.urgent.borrow_mut().pop_front() else { return };
            match log.gather(group, sequence, false, may) {
                Gathered::All => {}
                Gathered::Full => {
                    self.urgent.borrow_mut().push_front(log);
                    return;
                }
                Gathered::Later => self.enqueue(&log),
            }
        }
    }

    fn submit(self: &Rc<Self>, mut group: Group, place: Place) {
        if group.entries() > 0 {
            self.wants_room.set(false);
        }
        let bytes = padded(group.body_bytes());
        let (sequence, oldest_total, oldest_sequence) = {
            let mut space = self.space.borrow_mut();
            let sequence = space.take(place, bytes);
            let region = space.newest_mut();
            if let Some(region) = region {
                let first = region.first_sequence;
                let stated = group.stated.iter().map(|stated| &stated.log);
                for log in stated.chain(&group.log_starts).chain(&group.cuts) {
                    if log.listed_region.replace(first) != first {
                        region.logs.push(Rc::downgrade(log));
                    }
                }
            }
            (sequence, space.oldest_total(), space.oldest_sequence())
        };
        let flush = self.shard.settings.durability == Durability::Flush;
        let header = GroupHeader {
            journal_id: self.id,
            lap: place.lap,
            sequence,
            offset: place.offset,
            oldest_sequence,
            body_bytes: 0,
            entries: 0,
            body_crc: 0,
            unflushed: !flush,
            in_flight: u8::try_from(self.shard.settings.journal_groups_in_flight.max(1)).unwrap_or(1),
        };
        self.shard.counters.with(|counters| {
            counters.groups += 1;
            counters.group_entries += u64::from(group.entries());
            counters.group_bytes += (GROUP_HEADER_BYTES + group.body_bytes()) as u64;
            counters.journal_bytes += bytes;
        });
        let parts = group.finish(&self.shard.pool, header);
        let started_ns = self.shard.runtime.now_ns();
        self.last_start_ns.set(started_ns);
        let flight = Flight { sequence, group: Some(group), oldest_total, started_ns, ended: false };
        self.flights.borrow_mut().push_back(flight);
        if self.shard.sabotaged(Sabotage::AckBeforeFlush) {
            self.acknowledge_first();
        }
        let journal = self.clone();
        self.shard
            .runtime
            .spawn(async move { journal.write(sequence, place.offset, parts, flush).await })
            .detach();
        self.tend();
    }

    async fn write(self: Rc<Self>, sequence: u64, offset: u64, parts: Vec<Bytes>, flush: bool) {
        let result = self.file.write_all_at(offset, parts, flush).await;
        if let Err(error) = result {
            if let Some(directory) = self.directory.upgrade() {
                directory.fail(&LogError::io("journal write", &error));
            }
            self.stop();
            return;
        }
        if self.stopped.get() {
            return;
        }
        for flight in self.flights.borrow_mut().iter_mut() {
            flight.ended |= flight.sequence == sequence;
        }
        self.acknowledge();
    }

    /// Acknowledges ended groups, in order: a group counts when all before it do.
    fn acknowledge(self: &Rc<Self>) {
        loop {
            let flight = {
                let mut flights = self.flights.borrow_mut();
                if flights.front().is_none_or(|flight| !flight.ended) {
                    break;
                }
                flights.pop_front()
            };
            let Some(mut flight) = flight else { break };
            let micros = (self.shard.runtime.now_ns() - flight.started_ns) / 1000;
            let bucket = (u64::BITS - micros.leading_zeros()).min(31) as usize;
            self.shard.counters.with(|counters| {
                counters.group_us += micros;
                if let Some(count) = counters.group_latency.get_mut(bucket) {
                    *count += 1;
                }
            });
            self.space.borrow_mut().stated(flight.oldest_total);
            if let Some(group) = flight.group.take() {
                self.pass_on(group, flight.sequence);
            }
        }
        self.wake.notify();
        self.progressed.notify();
        self.tend();
    }

    fn pass_on(&self, group: Group, sequence: u64) {
        for stated in group.stated {
            stated.log.on_stated(&stated.segment, stated.start, stated.end, sequence);
        }
        for log in group.log_starts {
            log.log_start_sequence.set(sequence);
        }
        for ticket in group.tickets {
            ticket.send(());
        }
    }

    fn acknowledge_first(&self) {
        let taken = self
            .flights
            .borrow_mut()
            .back_mut()
            .and_then(|flight| flight.group.take().map(|group| (group, flight.sequence)));
        if let Some((group, sequence)) = taken {
            self.pass_on(group, sequence);
        }
    }

    /// Looks whether the cleaner or growth is due.
    fn tend(self: &Rc<Self>) {
        let (live, wants_growth) = {
            let space = self.space.borrow();
            (space.live(), space.wants_growth(self.shard.settings.journal_bytes))
        };
        if live > self.live_limit() / 2 {
            self.cleaner_wake.notify();
        }
        if wants_growth && !self.growing.replace(true) {
            let journal = self.clone();
            self.shard.runtime.spawn(async move { super::file::grow(&journal).await }).detach();
        }
    }

    /// Live bytes beyond which the oldest region is cleaned.
    pub(crate) fn live_limit(&self) -> u64 {
        self.live_limit_of(&self.space.borrow())
    }

    pub(crate) fn live_limit_of(&self, space: &Space<Weak<LogInner>>) -> u64 {
        self.shard.settings.journal_live_bytes.min(space.capacity() * 5 / 8)
    }

    /// Wakes the writer after something it waited for.
    pub(crate) fn nudge(&self) {
        self.wake.notify();
    }
}
