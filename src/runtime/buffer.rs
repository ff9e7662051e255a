//! Memory for direct I/O: owned, 4 KiB aligned, zeroed when made.
//!
//! Lives on whatever shard made it; `freeze` turns it into shared read-only [`Bytes`] that may cross shards.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytes::Bytes;

/// Alignment, in bytes, of memory, file positions and lengths in direct I/O.
pub const BLOCK: usize = 4096;

/// An owned buffer whose address is a multiple of [`BLOCK`].
pub struct AlignedBuf {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the buffer owns its memory alone; nothing about it is bound to a thread.
unsafe impl Send for AlignedBuf {}
// SAFETY: a shared reference only gives shared slices.
unsafe impl Sync for AlignedBuf {}

impl AlignedBuf {
    /// Makes a zeroed buffer of `len` bytes (at least 1).
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        assert!(len > 0, "an aligned buffer has at least one byte");
        let layout = Self::layout(len);
        // SAFETY: the layout has a size of at least one byte.
        let raw = unsafe { alloc_zeroed(layout) };
        match NonNull::new(raw) {
            Some(start) => Self { start, len },
            None => handle_alloc_error(layout),
        }
    }

    fn layout(len: usize) -> Layout {
        match Layout::from_size_align(len, BLOCK) {
            Ok(layout) => layout,
            Err(_) => panic!("a buffer of {len} bytes is larger than memory can be"),
        }
    }

    /// Shares the first `len` bytes read-only. Panics if the buffer is shorter.
    #[must_use]
    pub fn freeze(self, len: usize) -> Bytes {
        assert!(len <= self.len, "{len} bytes asked of a buffer of {}", self.len);
        Bytes::from_owner(Frozen(self)).slice(..len)
    }
}

struct Frozen(AlignedBuf);

impl AsRef<[u8]> for Frozen {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for AlignedBuf {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: `start` points to `len` initialised bytes that this value owns.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for AlignedBuf {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, and `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for AlignedBuf {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed` with this very layout, and freed once.
        unsafe { dealloc(self.start.as_ptr(), Self::layout(self.len)) }
    }
}

impl std::fmt::Debug for AlignedBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AlignedBuf({} bytes)", self.len)
    }
}
