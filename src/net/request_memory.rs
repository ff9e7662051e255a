//! Memory of requests that are being read or served, by shard.
//!
//! A small frame is read into the connection's buffer first and takes its part when it is whole. A large one takes its
//! part before memory is made for it, and all large ones together never have more than seven eighths, so that those
//! who announce much and send nothing cannot keep small requests out.

use crate::runtime::sync::{Budget, Permit};

/// Frames up to this size are read before they take their part.
const SMALL_BYTES: usize = 16 << 10;

/// The budget of one shard. Clones are the same.
#[derive(Clone)]
pub struct RequestMemory {
    all: Budget,
    large: Budget,
}

/// A request's part, given back when dropped.
pub(super) struct Held {
    bytes: u64,
    _permits: (Option<Permit>, Permit),
}

impl Held {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl RequestMemory {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { all: Budget::new(bytes), large: Budget::new(bytes / 8 * 7) }
    }

    /// Bytes in use.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.all.used()
    }

    /// The limit.
    #[must_use]
    pub fn limit_bytes(&self) -> u64 {
        self.all.limit()
    }

    /// Whether a frame of `len` bytes takes its part before it is read.
    pub(super) fn is_large(len: usize) -> bool {
        len > SMALL_BYTES
    }

    /// Whether somebody waits.
    pub(super) fn is_wanted(&self) -> bool {
        self.all.waiters() > 0 || self.large.waiters() > 0
    }

    /// Takes the part of a frame of `len` bytes at once, if it is there.
    pub(super) fn try_take(&self, len: usize) -> Option<Held> {
        let bytes = len as u64;
        let large = if Self::is_large(len) { Some(self.large.try_acquire(bytes)?) } else { None };
        Some(Held { bytes, _permits: (large, self.all.try_acquire(bytes)?) })
    }

    /// The same, waiting.
    pub(super) async fn take(&self, len: usize) -> Held {
        let bytes = len as u64;
        let large = if Self::is_large(len) { Some(self.large.acquire(bytes).await) } else { None };
        Held { bytes, _permits: (large, self.all.acquire(bytes).await) }
    }
}
