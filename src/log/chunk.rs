//! Memory for tails, caches and journal groups: a chunk is an aligned piece of a pooled slab with one writer and any
//! number of readers on any shard.
//!
//! The writer (the owner of the [`Chunk`], on its shard) only ever writes beyond what it has filled; readers hold
//! [`Bytes`] over filled parts. A chunk's memory goes back to its pool when the last of them is dropped, on
//! whatever thread. Bounded by the pool's budget.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use bytes::Bytes;
use crossbeam_queue::SegQueue;

/// Bytes of a slab, and its alignment: as much as a huge page.
pub(super) const SLAB_BYTES: usize = 2 << 20;

/// Sizes of chunks, by class.
pub const CLASS_BYTES: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// 2 MiB of memory, carved into chunks of one class.
pub(super) struct Slab {
    start: NonNull<u8>,
    pub(super) id: u64,
}

// SAFETY: the slab owns its memory; who may touch which part is decided by the chunks carved from it.
unsafe impl Send for Slab {}
// SAFETY: as above; a shared slab gives no access by itself.
unsafe impl Sync for Slab {}

impl Slab {
    /// A slab whose pages are in memory (a first touch on the append path would halve its rate).
    pub(super) fn touched(id: u64, huge_pages: bool) -> Self {
        Self { start: system::take(huge_pages), id }
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: taken in `touched`; every chunk holds an `Arc` of the slab, so nobody is left.
        unsafe { system::give_back(self.start) }
    }
}

/// Slabs from the system, not from the allocator: of memory that was used before, a slab seldom gets its huge page.
#[cfg(not(miri))]
mod system {
    use std::alloc::{Layout, handle_alloc_error};
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    use super::SLAB_BYTES;

    pub(super) fn take(huge_pages: bool) -> NonNull<u8> {
        let Some(start) = map() else {
            handle_alloc_error(Layout::new::<[u8; SLAB_BYTES]>());
        };
        let raw = start.as_ptr();
        // Hints: without huge pages it is slower and works.
        let advise = |advice| {
            // SAFETY: the range is this mapping, and the advice changes no contents.
            let _ = unsafe { madvise(raw.cast(), SLAB_BYTES, advice) };
        };
        advise(if huge_pages { Advice::LinuxHugepage } else { Advice::LinuxNoHugepage });
        for page in (0..SLAB_BYTES).step_by(4096) {
            // SAFETY: inside the mapping, which nobody else knows yet.
            unsafe { raw.add(page).write_volatile(0) };
        }
        // A huge page stays one. khugepaged would join small ones later, under the lock that every other fault of the
        // process waits for (docs/decisions/0007-turns-and-pages.md).
        advise(Advice::LinuxNoHugepage);
        start
    }

    /// Aligned memory, all zeros.
    fn map() -> Option<NonNull<u8>> {
        let map = |len| {
            // SAFETY: a new mapping, wherever the kernel likes.
            let made = unsafe {
                mmap_anonymous(null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
            };
            made.ok().map(<*mut _>::cast::<u8>)
        };
        // Since Linux 6.7 it comes aligned, one slab beside the other.
        let one = map(SLAB_BYTES)?;
        if one.align_offset(SLAB_BYTES) == 0 {
            return NonNull::new(one);
        }
        // SAFETY: the mapping just made, unused.
        let _ = unsafe { munmap(one.cast(), SLAB_BYTES) };
        // Twice as much: an aligned part is inside.
        let all = map(2 * SLAB_BYTES)?;
        let before = all.align_offset(SLAB_BYTES);
        // SAFETY: both parts are of the mapping just made, beside the aligned part. An empty one is refused.
        unsafe {
            let _ = munmap(all.cast(), before);
            let _ = munmap(all.add(before + SLAB_BYTES).cast(), SLAB_BYTES - before);
            NonNull::new(all.add(before))
        }
    }

    /// # Safety
    ///
    /// `start` comes from [`take`], and nobody uses the memory any more.
    pub(super) unsafe fn give_back(start: NonNull<u8>) {
        // SAFETY: the caller's promise. It fails only where the kernel has no memory for its own lists; then it stays.
        let _ = unsafe { munmap(start.as_ptr().cast(), SLAB_BYTES) };
    }
}

/// Miri knows no huge pages.
#[cfg(miri)]
mod system {
    use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
    use std::ptr::NonNull;

    use super::SLAB_BYTES;

    #[repr(align(0x20_0000))]
    struct Aligned {
        _bytes: [u8; SLAB_BYTES],
    }

    fn layout() -> Layout {
        Layout::new::<Aligned>()
    }

    pub(super) fn take(_huge_pages: bool) -> NonNull<u8> {
        // SAFETY: the layout has a size that is not zero.
        NonNull::new(unsafe { alloc_zeroed(layout()) }).unwrap_or_else(|| handle_alloc_error(layout()))
    }

    /// # Safety
    ///
    /// `start` comes from [`take`], and nobody uses the memory any more.
    pub(super) unsafe fn give_back(start: NonNull<u8>) {
        // SAFETY: the caller's promise.
        unsafe { dealloc(start.as_ptr(), layout()) }
    }
}

/// Where chunks go when their last holder drops them, from any thread.
pub(super) type Returned = SegQueue<(u64, u16)>;

struct Memory {
    slab: Arc<Slab>,
    offset: usize,
    len: usize,
    index: u16,
    returned: Arc<Returned>,
}

impl Memory {
    fn pointer(&self) -> *mut u8 {
        // SAFETY: `offset + len` lies inside the slab (asserted when the chunk was carved).
        unsafe { self.slab.start.as_ptr().add(self.offset) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.returned.push((self.slab.id, self.index));
    }
}

/// A chunk as its single writer holds it. Filled from the front; what is filled does not change any more.
pub struct Chunk {
    memory: Arc<Memory>,
    filled: usize,
}

impl Chunk {
    /// Carves the `index`th chunk of `len` bytes out of `slab`. The caller knows that nobody holds that part.
    pub(super) fn carve(slab: &Arc<Slab>, index: u16, len: usize, returned: &Arc<Returned>) -> Self {
        let offset = usize::from(index) * len;
        assert!(offset + len <= SLAB_BYTES, "a chunk lies inside its slab");
        let memory = Memory { slab: slab.clone(), offset, len, index, returned: returned.clone() };
        Self { memory: Arc::new(memory), filled: 0 }
    }

    /// Bytes it can hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.memory.len
    }

    /// Bytes filled.
    #[must_use]
    pub fn len(&self) -> usize {
        self.filled
    }

    /// Whether nothing is filled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.filled == 0
    }

    /// Bytes that still fit.
    #[must_use]
    pub fn room(&self) -> usize {
        self.memory.len - self.filled
    }

    /// Copies as much of `data` as fits behind what is filled; gives the bytes taken.
    #[inline]
    pub fn fill(&mut self, data: &[u8]) -> usize {
        let take = data.len().min(self.room());
        // SAFETY: the target is inside the chunk and beyond everything that was ever handed out to readers; this
        // is the only writer (`&mut self`, not Clone), and `data` cannot overlap memory that no reference covers.
        unsafe {
            std::ptr::copy_nonoverlapping(data.as_ptr(), self.memory.pointer().add(self.filled), take);
        }
        self.filled += take;
        take
    }

    /// Fills with zeros up to `end`.
    pub fn fill_zeros(&mut self, end: usize) {
        assert!(end >= self.filled && end <= self.memory.len, "zeros go behind what is filled");
        // SAFETY: as in `fill`.
        unsafe { self.memory.pointer().add(self.filled).write_bytes(0, end - self.filled) };
        self.filled = end;
    }

    /// Writes over filled bytes at `at`. Only before anything was handed out.
    pub fn overwrite(&mut self, at: usize, data: &[u8]) {
        assert!(at + data.len() <= self.filled, "only filled bytes are written over");
        assert!(Arc::strong_count(&self.memory) == 1, "what a reader may hold is never written over");
        // SAFETY: in the filled part, of which no slice exists: the count says that this is the only holder.
        unsafe {
            std::ptr::copy_nonoverlapping(data.as_ptr(), self.memory.pointer().add(at), data.len());
        }
    }

    /// The filled bytes in `range`. Panics beyond them.
    #[must_use]
    #[inline]
    pub fn get(&self, range: Range<usize>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= self.filled, "only filled bytes are read");
        // SAFETY: filled bytes are initialised and do not change while `&self` lives (writers need `&mut self`).
        unsafe { std::slice::from_raw_parts(self.memory.pointer().add(range.start), range.len()) }
    }

    /// Shares the filled bytes in `range`, for readers on any shard. Panics beyond them.
    #[must_use]
    pub fn share(&self, range: Range<usize>) -> Bytes {
        assert!(range.start <= range.end && range.end <= self.filled, "only filled bytes are shared");
        if range.is_empty() {
            return Bytes::new();
        }
        Bytes::from_owner(Shared { memory: self.memory.clone(), start: range.start, len: range.len() })
    }
}

/// A reader's part of a chunk.
struct Shared {
    memory: Arc<Memory>,
    start: usize,
    len: usize,
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the part was filled when it was shared, and filled bytes are only written over while nothing is
        // shared. The reference covers no byte that is written later.
        unsafe { std::slice::from_raw_parts(self.memory.pointer().add(self.start), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(returned: &Arc<Returned>) -> Chunk {
        Chunk::carve(&Arc::new(Slab::touched(7, false)), 3, 4096, returned)
    }

    #[test]
    fn readers_keep_what_was_filled_while_the_writer_goes_on() {
        let returned = Arc::new(Returned::new());
        let mut chunk = chunk(&returned);
        assert_eq!(chunk.fill(b"first"), 5);
        let first = chunk.share(0..5);
        assert_eq!(chunk.fill(&[9; 5000]), 4091);
        let reader = std::thread::spawn(move || first.to_vec());
        assert_eq!(chunk.fill(b"x"), 0);
        assert_eq!(reader.join().unwrap(), b"first");
        assert_eq!(chunk.get(5..7), [9, 9]);
    }

    #[test]
    fn memory_returns_when_the_last_reader_is_gone() {
        let returned = Arc::new(Returned::new());
        let mut chunk = chunk(&returned);
        chunk.fill(b"abc");
        let part = chunk.share(1..3);
        drop(chunk);
        assert!(returned.pop().is_none());
        assert_eq!(&part[..], b"bc");
        std::thread::spawn(move || drop(part)).join().unwrap();
        assert_eq!(returned.pop(), Some((7, 3)));
    }

    #[test]
    #[should_panic(expected = "never written over")]
    fn shared_bytes_are_not_written_over() {
        let mut chunk = chunk(&Arc::new(Returned::new()));
        chunk.fill_zeros(100);
        chunk.overwrite(0, b"header");
        let _held = chunk.share(0..10);
        chunk.overwrite(0, b"header");
    }
}
