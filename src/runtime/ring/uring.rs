//! The shard's ring: what is submitted, what is in flight, what has completed.
//!
//! Owns the memory of every operation until the kernel has given its last completion, also when nobody waits any
//! more. Bounds: the submission queue has [`ENTRIES`] places, what does not fit waits in `backlog` for the next
//! entry into the kernel; completions beyond the queue are kept by the kernel (NODROP); the kernel works with at
//! most [`WORKERS`] threads of each kind for us.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::os::fd::AsRawFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use io_uring::types::Timespec;
use io_uring::{EnterFlags, IoUring, cqueue, opcode, squeue};

use super::super::buffer::AlignedBuf;
use super::super::platform::{Completion, FileHandle};
use super::listener::ListenerState;
use super::socket::Descriptor;
use super::splice::Pipe;

/// Places in the submission queue.
const ENTRIES: u32 = 256;
/// Places in the completion queue.
const COMPLETIONS: u32 = 4096;

/// Kernel threads at most, for operations that wait in the kernel: on files, and on others.
const WORKERS: u32 = 16;

/// The operations without which a shard cannot work, with their names.
pub const NEEDED_OPCODES: [(u8, &str); 12] = [
    (opcode::OpenAt::CODE, "openat"),
    (opcode::Read::CODE, "read"),
    (opcode::Write::CODE, "write"),
    (opcode::Writev::CODE, "writev"),
    (opcode::Fsync::CODE, "fsync"),
    (opcode::Fallocate::CODE, "fallocate"),
    (opcode::Recv::CODE, "recv"),
    (opcode::Accept::CODE, "accept"),
    (opcode::Connect::CODE, "connect"),
    (opcode::PollAdd::CODE, "poll"),
    (opcode::Splice::CODE, "splice"),
    (opcode::AsyncCancel::CODE, "cancel"),
];

/// Completions that belong to no flight.
pub(super) const IGNORED: u64 = u64::MAX;
/// The wake-up by another shard.
pub(super) const BELL: u64 = u64::MAX - 1;

/// What the ring was set up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingFlags {
    /// SINGLE_ISSUER and DEFER_TASKRUN (Linux 6.1): completions are worked on only when the shard asks.
    pub deferred: bool,
    /// COOP_TASKRUN (Linux 5.19), where `deferred` is not to be had.
    pub cooperative: bool,
    /// The wait does not count as waiting for the disk (Linux 6.15).
    pub no_iowait: bool,
    /// A wait may gather several completions for a while (Linux 6.12).
    pub gathers: bool,
}

/// Makes a ring with the best flags that this kernel takes.
pub fn build_ring() -> io::Result<(IoUring, RingFlags)> {
    let mut builder = IoUring::builder();
    builder.dontfork().setup_cqsize(COMPLETIONS).setup_submit_all();
    let mut deferred = builder.clone();
    deferred.setup_single_issuer().setup_defer_taskrun();
    let mut cooperative = builder.clone();
    cooperative.setup_coop_taskrun();
    let mut plain = IoUring::builder();
    plain.dontfork().setup_cqsize(COMPLETIONS);
    let invalid = |error: &io::Error| error.raw_os_error() == Some(libc::EINVAL);
    let (ring, deferred, cooperative) = match deferred.build(ENTRIES) {
        Ok(ring) => (ring, true, false),
        Err(error) if invalid(&error) => match cooperative.build(ENTRIES) {
            Ok(ring) => (ring, false, true),
            Err(error) if invalid(&error) => (plain.build(ENTRIES)?, false, false),
            Err(error) => return Err(error),
        },
        Err(error) => return Err(error),
    };
    let no_iowait = ring.params().is_feature_no_iowait();
    let gathers = ring.params().is_feature_min_timeout();
    Ok((ring, RingFlags { deferred, cooperative, no_iowait, gathers }))
}

/// The kernel's `io_uring_getevents_arg`, whose `min_wait_usec` the crate does not set.
#[repr(C)]
struct WaitArguments {
    signal_mask: u64,
    signal_mask_bytes: u32,
    min_wait_us: u32,
    time: u64,
}

/// How long a wait gathers completions, and how many end it sooner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gather {
    pub(super) completions: u32,
    pub(super) most_us: u32,
}

impl Gather {
    /// The first completion ends the wait.
    pub(super) const NOTHING: Self = Self { completions: 1, most_us: 0 };
}

/// What an operation owns while it is in flight; descriptors stay open, and their numbers taken, that long.
#[derive(Default)]
#[allow(dead_code)] // some are only held
pub(super) struct Keep {
    pub(super) socket: Option<Rc<Descriptor>>,
    pub(super) file: Option<FileHandle>,
    pub(super) pipe: Option<Rc<Pipe>>,
    pub(super) buffer: Option<BytesMut>,
    pub(super) address: Option<Box<libc::sockaddr_storage>>,
}

/// An operation in flight.
#[allow(dead_code)] // files are only held
pub(super) enum Flight {
    Open { path: std::ffi::CString, done: Completion },
    Read { file: FileHandle, buffer: AlignedBuf, done: Completion },
    Write { file: FileHandle, parts: Vec<Bytes>, vectors: Box<[libc::iovec]>, done: Completion },
    Plain { file: FileHandle, done: Completion },
    Waited { slot: Rc<Slot>, keep: Keep },
    Accept { listener: Rc<ListenerState> },
    Alarm { at: Box<Timespec> },
    Background { file: FileHandle },
}

struct Place {
    generation: u32,
    flight: Option<Flight>,
}

/// The table of flights. An id is (generation, index), so that a late cancellation never meets a successor.
#[derive(Default)]
struct Flights {
    places: Vec<Place>,
    free: Vec<u32>,
}

impl Flights {
    fn insert(&mut self, flight: Flight) -> u64 {
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                self.places.push(Place { generation: 0, flight: None });
                (self.places.len() - 1) as u32
            }
        };
        let Some(place) = self.places.get_mut(index as usize) else {
            unreachable!("free indexes are inside the table")
        };
        place.flight = Some(flight);
        u64::from(place.generation) << 32 | u64::from(index)
    }

    fn place(&mut self, id: u64) -> Option<&mut Place> {
        let place = self.places.get_mut(id as u32 as usize)?;
        (u64::from(place.generation) == id >> 32).then_some(place)
    }

    fn remove(&mut self, id: u64) -> Option<Flight> {
        let place = self.place(id)?;
        // The last generations are the special ids'.
        place.generation = (place.generation + 1) & 0x7fff_ffff;
        let flight = place.flight.take();
        self.free.push(id as u32);
        flight
    }

    fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

/// Where a waited operation leaves its end.
#[derive(Default)]
pub(super) struct Slot {
    end: RefCell<Option<(i32, u32, Keep)>>,
    waker: RefCell<Option<Waker>>,
}

/// One completion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) id: u64,
    pub(super) result: i32,
    pub(super) flags: u32,
}

impl Done {
    pub(super) fn more(self) -> bool {
        cqueue::more(self.flags)
    }
}

/// The shard's ring.
pub(super) struct Ring {
    io: RefCell<IoUring>,
    flags: RingFlags,
    backlog: RefCell<VecDeque<squeue::Entry>>,
    flights: RefCell<Flights>,
    closing: Cell<bool>,
    /// Entries into the kernel.
    pub(super) enters: Cell<u64>,
    /// Completions taken.
    pub(super) completions: Cell<u64>,
}

impl Ring {
    pub(super) fn new() -> io::Result<Rc<Self>> {
        let (ring, flags) = build_ring()?;
        // Otherwise there is no bound but the user's number of processes. Not settable before Linux 5.15.
        let _ = ring.submitter().register_iowq_max_workers(&mut [WORKERS; 2]);
        Ok(Rc::new(Self {
            io: RefCell::new(ring),
            flags,
            backlog: RefCell::new(VecDeque::new()),
            flights: RefCell::new(Flights::default()),
            closing: Cell::new(false),
            enters: Cell::new(0),
            completions: Cell::new(0),
        }))
    }

    /// Operations in flight.
    pub(super) fn in_flight(&self) -> usize {
        self.flights.borrow().len()
    }

    /// Whether the shard is stopping: then nothing new starts.
    pub(super) fn is_closing(&self) -> bool {
        self.closing.get()
    }

    pub(super) fn close(&self) {
        self.closing.set(true);
    }

    /// Starts an operation that `make` builds from what it owns (whose addresses no longer change). Gives its id.
    pub(super) fn start(&self, flight: Flight, make: impl FnOnce(&mut Flight) -> squeue::Entry) -> u64 {
        let mut flights = self.flights.borrow_mut();
        let id = flights.insert(flight);
        let Some(Place { flight: Some(flight), .. }) = flights.place(id) else {
            unreachable!("the flight was just inserted")
        };
        let entry = make(flight).user_data(id);
        drop(flights);
        self.push(entry);
        id
    }

    /// Starts an operation whose end is awaited; dropping the result cancels the operation.
    pub(super) fn wait(self: &Rc<Self>, keep: Keep, make: impl FnOnce(&mut Keep) -> squeue::Entry) -> Waited {
        let slot = Rc::new(Slot::default());
        let id = self.start(Flight::Waited { slot: slot.clone(), keep }, |flight| match flight {
            Flight::Waited { keep, .. } => make(keep),
            _ => unreachable!("a waited flight was inserted"),
        });
        Waited { ring: self.clone(), slot, id, ended: false }
    }

    /// Asks the kernel to end the operation early.
    pub(super) fn cancel(&self, id: u64) {
        self.push(opcode::AsyncCancel::new(id).build().user_data(IGNORED));
    }

    /// Queues an entry that owns no memory, or whose memory is in the table of flights.
    pub(super) fn push(&self, entry: squeue::Entry) {
        let mut backlog = self.backlog.borrow_mut();
        if !backlog.is_empty() {
            backlog.push_back(entry);
            return;
        }
        let mut io = self.io.borrow_mut();
        // SAFETY: what the entry points to is owned by its flight until the last completion; see `start`.
        if unsafe { io.submission().push(&entry) }.is_err() {
            backlog.push_back(entry);
        }
    }

    /// Moves what waits into the submission queue; true when nothing waits any more.
    fn refill(&self) -> bool {
        let mut backlog = self.backlog.borrow_mut();
        if backlog.is_empty() {
            return true;
        }
        let mut io = self.io.borrow_mut();
        let mut queue = io.submission();
        while let Some(entry) = backlog.front() {
            // SAFETY: as in `push`.
            if unsafe { queue.push(entry) }.is_err() {
                return false;
            }
            backlog.pop_front();
        }
        true
    }

    /// Submits everything and lets the kernel work on completions; with `wait` blocks until there is one or the
    /// time has passed. It blocks on to gather several; where the kernel cannot (before Linux 6.12) one is enough.
    pub(super) fn enter(&self, wait: Option<(Duration, Gather)>) -> io::Result<()> {
        while !self.refill() {
            let waiting = self.backlog.borrow().len();
            self.enter_once(None)?;
            if !self.refill() && self.backlog.borrow().len() == waiting {
                // The kernel takes nothing before its completions are taken.
                return Ok(());
            }
        }
        self.enter_once(wait)
    }

    fn enter_once(&self, wait: Option<(Duration, Gather)>) -> io::Result<()> {
        self.enters.set(self.enters.get() + 1);
        let mut io = self.io.borrow_mut();
        let flags = if self.flags.no_iowait { EnterFlags::NO_IOWAIT } else { EnterFlags::empty() };
        let count = io.submission().len() as u32;
        let entered = match wait {
            Some((duration, gather)) => {
                let gather = if self.flags.gathers { gather } else { Gather::NOTHING };
                let time = Timespec::from(duration);
                let arguments = WaitArguments {
                    signal_mask: 0,
                    signal_mask_bytes: 0,
                    min_wait_us: gather.most_us,
                    time: (&raw const time) as u64,
                };
                let flags = flags | EnterFlags::EXT_ARG | EnterFlags::GETEVENTS;
                // SAFETY: the arguments have the kernel's layout and, like the time they point to, outlive the call; the
                // entries' memory is owned by their flights.
                unsafe { io.submitter().enter(count, gather.completions, flags.bits(), Some(&arguments)) }
            }
            None => {
                // SAFETY: no argument is passed, and the entries' memory is owned by their flights.
                unsafe {
                    io.submitter().enter::<libc::sigset_t>(count, 0, EnterFlags::GETEVENTS.bits(), None)
                }
            }
        };
        match entered {
            Ok(_) => Ok(()),
            // Time passed, a signal came, or the kernel is short of something for now: the next entry goes on.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::ETIME | libc::EINTR | libc::EAGAIN | libc::EBUSY)
                ) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the completions that are there.
    pub(super) fn take_completions(&self, to: &mut Vec<Done>) {
        let mut io = self.io.borrow_mut();
        let before = to.len();
        to.extend(io.completion().map(|entry| Done {
            id: entry.user_data(),
            result: entry.result(),
            flags: entry.flags(),
        }));
        self.completions.set(self.completions.get() + (to.len() - before) as u64);
    }

    /// Whether completions are there or entries wait to be submitted.
    pub(super) fn has_work(&self) -> bool {
        let mut io = self.io.borrow_mut();
        !io.completion().is_empty() || !io.submission().is_empty() || !self.backlog.borrow().is_empty()
    }

    /// Makes completions signal `eventfd`, once enabled.
    pub(super) fn register_eventfd(&self, eventfd: &impl AsRawFd) -> io::Result<()> {
        let mut io = self.io.borrow_mut();
        io.submitter().register_eventfd(eventfd.as_raw_fd())?;
        io.completion().disable_eventfd();
        Ok(())
    }

    /// Whether completions signal the eventfd.
    pub(super) fn signal(&self, on: bool) {
        let mut io = self.io.borrow_mut();
        if on { io.completion().enable_eventfd() } else { io.completion().disable_eventfd() }
    }

    /// Takes the flight that `done` ends, or a copy of what a repeating one needs.
    pub(super) fn flight(&self, done: Done) -> Option<Flight> {
        let mut flights = self.flights.borrow_mut();
        if !done.more() {
            return flights.remove(done.id);
        }
        match &flights.place(done.id)?.flight {
            Some(Flight::Accept { listener }) => Some(Flight::Accept { listener: listener.clone() }),
            _ => None,
        }
    }

    /// Cancels everything in flight that can be cancelled.
    pub(super) fn cancel_all(&self) {
        let ids: Vec<u64> = {
            let flights = self.flights.borrow();
            let places = flights.places.iter().enumerate();
            places
                .filter(|(_, place)| {
                    matches!(
                        place.flight,
                        Some(Flight::Waited { .. } | Flight::Accept { .. } | Flight::Alarm { .. })
                    )
                })
                .map(|(index, place)| u64::from(place.generation) << 32 | index as u64)
                .collect()
        };
        for id in ids {
            self.cancel(id);
        }
        self.cancel(BELL);
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // Only after a panic, or a device that answers nothing for long: the kernel may still write into these
        // buffers, so they are never freed.
        let flights = std::mem::take(&mut *self.flights.borrow_mut());
        if flights.len() > 0 {
            std::mem::forget(flights);
        }
    }
}

/// Gives a waited operation its end.
pub(super) fn finish(slot: &Slot, done: Done, keep: Keep) {
    *slot.end.borrow_mut() = Some((done.result, done.flags, keep));
    let waker = slot.waker.borrow_mut().take();
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// An operation whose end is awaited: result, flags, and what it owned.
pub(super) struct Waited {
    ring: Rc<Ring>,
    slot: Rc<Slot>,
    id: u64,
    ended: bool,
}

impl Waited {
    /// Asks the kernel to end it early; the end must still be awaited.
    pub(super) fn cancel(&self) {
        if !self.ended && self.slot.end.borrow().is_none() {
            self.ring.cancel(self.id);
        }
    }
}

impl Future for Waited {
    type Output = (i32, u32, Keep);
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let end = self.slot.end.borrow_mut().take();
        match end {
            Some(end) => {
                self.ended = true;
                Poll::Ready(end)
            }
            None => {
                let mut waker = self.slot.waker.borrow_mut();
                match &mut *waker {
                    Some(known) => known.clone_from(context.waker()),
                    none => *none = Some(context.waker().clone()),
                }
                Poll::Pending
            }
        }
    }
}

impl Drop for Waited {
    fn drop(&mut self) {
        if !self.ring.is_closing() {
            self.cancel();
        }
    }
}

/// A result of the kernel as Rust says it.
pub(super) fn check(result: i32) -> io::Result<usize> {
    usize::try_from(result).map_err(|_| io::Error::from_raw_os_error(-result))
}
