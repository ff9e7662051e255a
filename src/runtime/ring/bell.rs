//! The bell: how another thread wakes this shard. One system call for a batch of rings, none when the shard is
//! awake.
//!
//! The order that makes it safe: a ringer sets `rung`, then looks at `state`; the shard sets `state`, then looks
//! at `rung`, then sleeps (all sequentially consistent). So at least one of the two sees the other.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use rustix::event::{EventfdFlags, eventfd};

use super::super::platform::Bell;

/// Where the shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Running: it looks at `rung` by itself.
    Awake = 0,
    /// Blocked in its own ring, which polls `shallow`.
    InRing = 1,
    /// Asleep inside glommio, which reads `deep`.
    InGlommio = 2,
}

/// A shard's bell.
pub struct RingBell {
    rung: AtomicBool,
    state: AtomicU8,
    shallow: OwnedFd,
    deep: OwnedFd,
    /// System calls made by ringers.
    calls: AtomicU64,
}

impl RingBell {
    pub(super) fn new() -> io::Result<Self> {
        let shallow = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        // glommio reads this one through its ring, which waits only on a descriptor that may block.
        let deep = eventfd(0, EventfdFlags::CLOEXEC)?;
        Ok(Self {
            rung: AtomicBool::new(false),
            state: AtomicU8::new(State::Awake as u8),
            shallow,
            deep,
            calls: AtomicU64::new(0),
        })
    }

    pub(super) fn set_state(&self, state: State) {
        self.state.store(state as u8, Ordering::SeqCst);
    }

    /// Whether it has rung since the last [`RingBell::take`].
    pub(super) fn is_rung(&self) -> bool {
        self.rung.load(Ordering::SeqCst)
    }

    /// Whether it has rung; from now on the next ring counts anew.
    pub(super) fn take(&self) -> bool {
        self.rung.load(Ordering::Relaxed) && self.rung.swap(false, Ordering::SeqCst)
    }

    pub(super) fn shallow(&self) -> BorrowedFd<'_> {
        self.shallow.as_fd()
    }

    pub(super) fn deep(&self) -> BorrowedFd<'_> {
        self.deep.as_fd()
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Signals one of the two descriptors.
    pub(super) fn signal(descriptor: BorrowedFd<'_>) {
        let one = 1u64.to_ne_bytes();
        // SAFETY: `one` is 8 readable bytes; the descriptor is open. A full counter (which needs 2^64 rings) is
        // readable anyway, so the result does not matter.
        unsafe { libc::write(descriptor.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    }
}

impl Bell for RingBell {
    fn ring(&self) {
        if self.rung.swap(true, Ordering::SeqCst) {
            return;
        }
        let descriptor = match self.state.load(Ordering::SeqCst) {
            0 => return,
            1 => self.shallow(),
            _ => self.deep(),
        };
        self.calls.fetch_add(1, Ordering::Relaxed);
        Self::signal(descriptor);
    }
}
