//! [`Platform`] on the shard's ring.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;

use io_uring::opcode;
use io_uring::types::Fd;
use rustix::time::{ClockId, clock_gettime};

use super::super::platform::{
    Bell, Completion, Counters, FileHandle, LocalFuture, Operation, Platform, RawListener, RawStream,
};
use super::bell::RingBell;
use super::helper::Helpers;
use super::listener::{Listener, bind_listener, listen};
use super::operations;
use super::socket;
use super::splice::Pipes;
use super::timers::Timers;
use super::uring::{Flight, Ring};

/// Nanoseconds of the clock that also the ring's timers follow.
pub(super) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// xoshiro256++ (Blackman, Vigna 2019), seeded by the kernel. Not for secrets.
struct Random([u64; 4]);

impl Random {
    fn new() -> io::Result<Self> {
        let mut seed = [0u8; 32];
        let mut filled = 0;
        while let Some(rest) = seed.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            // SAFETY: the rest is writable for its length.
            let count = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
            filled += usize::try_from(count).map_err(|_| io::Error::last_os_error())?;
        }
        let mut state = [0u64; 4];
        for (word, bytes) in state.iter_mut().zip(seed.chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Ok(Self(state))
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
        result
    }
}

pub(super) struct RingPlatform {
    pub(super) ring: Rc<Ring>,
    pub(super) helpers: Rc<Helpers>,
    pub(super) timers: Timers,
    pub(super) bell: Arc<RingBell>,
    pub(super) rung: RefCell<Vec<Waker>>,
    /// Tasks that go on after the next look at the ring.
    pub(super) yielded: RefCell<Vec<Waker>>,
    /// Looks at the ring.
    pub(super) turns: Cell<u64>,
    pub(super) sleeps: Cell<u64>,
    pub(super) saved: Cell<u64>,
    pub(super) longest_batch_ns: Cell<u64>,
    pub(super) polls: Cell<u64>,
    pipes: Rc<Pipes>,
    random: RefCell<Random>,
    no_cachestat: Cell<bool>,
}

impl RingPlatform {
    pub(super) fn new(ring: Rc<Ring>, helpers: Rc<Helpers>, bell: Arc<RingBell>) -> io::Result<Self> {
        Ok(Self {
            ring,
            helpers,
            timers: Timers::default(),
            bell,
            rung: RefCell::default(),
            yielded: RefCell::default(),
            turns: Cell::new(0),
            sleeps: Cell::new(0),
            saved: Cell::new(0),
            longest_batch_ns: Cell::new(0),
            polls: Cell::new(0),
            pipes: Pipes::new(),
            random: RefCell::new(Random::new()?),
            no_cachestat: Cell::new(false),
        })
    }
}

/// The system call's number on every architecture since Linux 6.5.
const CACHESTAT: libc::c_long = 451;

/// Bytes of the range in the page cache; None where the kernel cannot say.
fn cachestat(file: &FileHandle, position: u64, len: u64) -> Option<u64> {
    let range = [position, len];
    let mut answer = [0u64; 5];
    // SAFETY: the range is two u64 (struct cachestat_range), the answer five (struct cachestat).
    let result = unsafe { libc::syscall(CACHESTAT, file.raw(), range.as_ptr(), answer.as_mut_ptr(), 0u32) };
    let [cached_pages, ..] = answer;
    (result == 0).then(|| (cached_pages * rustix::param::page_size() as u64).min(len))
}

impl Platform for RingPlatform {
    fn now_ns(&self) -> u64 {
        now_ns()
    }

    fn wall_clock_ms(&self) -> i64 {
        let now = clock_gettime(ClockId::Realtime);
        now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }

    fn random_u64(&self) -> u64 {
        self.random.borrow_mut().next()
    }

    fn submit(&self, operation: Operation, done: Completion) {
        operations::submit(&self.ring, &self.helpers, operation, done);
    }

    fn wake_at(&self, at_ns: u64, waker: Waker) {
        self.timers.add(at_ns, waker);
    }

    fn add_timer(&self, at_ns: u64, waker: Waker) -> u64 {
        self.timers.add(at_ns, waker)
    }

    fn cancel_timer(&self, at_ns: u64, number: u64) {
        self.timers.cancel(at_ns, number);
    }

    fn listen(&self, address: SocketAddr) -> io::Result<Rc<dyn RawListener>> {
        let descriptor = bind_listener(address, true)?;
        listen(&descriptor)?;
        Ok(Rc::new(Listener::new(self.ring.clone(), self.pipes.clone(), descriptor)))
    }

    fn connect(&self, address: SocketAddr) -> LocalFuture<io::Result<Rc<dyn RawStream>>> {
        Box::pin(socket::connect(self.ring.clone(), self.pipes.clone(), address))
    }

    fn cached_bytes(&self, file: &FileHandle, position: u64, len: u64) -> u64 {
        if len == 0 || self.no_cachestat.get() {
            return 0;
        }
        // Unknown counts as cold: splice is right for both, sendfile only for cached ranges.
        cachestat(file, position, len).unwrap_or_else(|| {
            let missing = io::Error::last_os_error().raw_os_error() == Some(libc::ENOSYS);
            self.no_cachestat.set(missing);
            0
        })
    }

    fn read_ahead(&self, file: &FileHandle, position: u64, len: u64) {
        if self.ring.is_closing() {
            return;
        }
        // The kernel's own read-ahead would come on top, as far as the device's setting goes (8 MiB is not rare).
        // This sets a flag and does not wait; where a file system refuses it, it reads ahead as before.
        if let Some(descriptor) = &file.0.descriptor {
            let _ = rustix::fs::fadvise(descriptor, 0, None, rustix::fs::Advice::Random);
        }
        let len = i64::from(u32::try_from(len).unwrap_or(u32::MAX));
        // The ring's workers run it: reading ahead waits for the disk's queue and the file's block map.
        self.ring.start(Flight::Background { file: file.clone() }, |_| {
            opcode::Fadvise::new(Fd(file.raw()), len, libc::POSIX_FADV_WILLNEED).offset(position).build()
        });
    }

    fn bell(&self) -> Arc<dyn Bell> {
        self.bell.clone()
    }

    fn rung(&self, waker: &Waker) {
        let mut rung = self.rung.borrow_mut();
        if !rung.iter().any(|known| known.will_wake(waker)) {
            rung.push(waker.clone());
        }
    }

    fn next_turn(&self, waker: &Waker) {
        self.yielded.borrow_mut().push(waker.clone());
    }

    fn turn(&self) -> Option<u64> {
        Some(self.turns.get())
    }

    fn offload(&self, work: Box<dyn FnOnce() + Send>) -> LocalFuture<()> {
        let receiver = self.helpers.compute(work);
        Box::pin(async move {
            receiver.await;
        })
    }

    fn counters(&self) -> Counters {
        Counters {
            enters: self.ring.enters.get(),
            completions: self.ring.completions.get(),
            in_flight: self.ring.in_flight() as u64,
            polls: self.polls.get(),
            sleeps: self.sleeps.get(),
            saved_by_heartbeat: self.saved.get(),
            bell_calls: self.bell.calls(),
            longest_batch_ns: self.longest_batch_ns.get(),
        }
    }
}
