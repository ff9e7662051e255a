//! The pool of a shard's chunks: slabs of 2 MiB, each carved into chunks of one class, given back to the
//! system when they are free beyond a small reserve.
//!
//! Lives on its shard; chunks come back from any thread through a queue that the pool drains when it is asked. The
//! pool itself never refuses: the budget is kept by reservations before an append and by evicting the cache.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use ahash::AHashMap;

use super::chunk::{CLASS_BYTES, Chunk, Returned, SLAB_BYTES, Slab};

/// Free slabs kept for the next need.
const SPARE_SLABS: usize = 4;

struct Carved {
    slab: Arc<Slab>,
    class: usize,
    free: Vec<u16>,
}

#[derive(Default)]
struct State {
    carved: AHashMap<u64, Carved>,
    /// Slabs with a free chunk, by class. May name slabs that are full or gone: checked when taken.
    open: [Vec<u64>; CLASS_BYTES.len()],
    spare: Vec<Arc<Slab>>,
    next_id: u64,
}

/// A shard's chunks.
#[derive(Default)]
pub struct ChunkPool {
    huge_pages: bool,
    state: RefCell<State>,
    returned: Arc<Returned>,
    used_bytes: Cell<u64>,
}

fn chunks_of(class: usize) -> usize {
    SLAB_BYTES / class_bytes(class)
}

/// Bytes of a chunk of `class`; the largest for classes beyond.
#[must_use]
pub fn class_bytes(class: usize) -> usize {
    CLASS_BYTES.get(class).copied().unwrap_or(256 << 10)
}

impl ChunkPool {
    /// An empty pool of slabs in huge pages or small ones.
    #[must_use]
    pub fn new(huge_pages: bool) -> Self {
        Self { huge_pages, ..Self::default() }
    }

    /// Takes an empty chunk of `class` (0 to 3).
    #[must_use]
    pub fn take(&self, class: usize) -> Chunk {
        let class = class.min(CLASS_BYTES.len() - 1);
        self.drain();
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let bytes = class_bytes(class);
        self.used_bytes.set(self.used_bytes.get() + bytes as u64);
        while let Some(id) = state.open.get(class).and_then(|open| open.last().copied()) {
            if let Some(carved) = state.carved.get_mut(&id)
                && carved.class == class
                && let Some(index) = carved.free.pop()
            {
                return Chunk::carve(&carved.slab, index, bytes, &self.returned);
            }
            if let Some(open) = state.open.get_mut(class) {
                open.pop();
            }
        }
        let slab = state.spare.pop().unwrap_or_else(|| {
            state.next_id += 1;
            Arc::new(Slab::touched(state.next_id, self.huge_pages))
        });
        let id = slab.id;
        let count = u16::try_from(chunks_of(class)).unwrap_or(u16::MAX);
        let free = (1..count).rev().collect();
        let chunk = Chunk::carve(&slab, 0, bytes, &self.returned);
        state.carved.insert(id, Carved { slab, class, free });
        if let Some(open) = state.open.get_mut(class) {
            open.push(id);
        }
        chunk
    }

    /// Bytes in chunks that somebody holds.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.drain();
        self.used_bytes.get()
    }

    /// Bytes of memory in slabs.
    #[must_use]
    pub fn resident_bytes(&self) -> u64 {
        let state = self.state.borrow();
        ((state.carved.len() + state.spare.len()) * SLAB_BYTES) as u64
    }

    fn drain(&self) {
        if self.returned.is_empty() {
            return;
        }
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        while let Some((id, index)) = self.returned.pop() {
            let Some(carved) = state.carved.get_mut(&id) else { continue };
            let bytes = class_bytes(carved.class) as u64;
            self.used_bytes.set(self.used_bytes.get().saturating_sub(bytes));
            if carved.free.is_empty()
                && let Some(open) = state.open.get_mut(carved.class)
            {
                open.push(id);
            }
            carved.free.push(index);
            if carved.free.len() == chunks_of(carved.class)
                && let Some(carved) = state.carved.remove(&id)
                && state.spare.len() < SPARE_SLABS
            {
                state.spare.push(carved.slab);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_reused_and_free_slabs_leave() {
        let pool = ChunkPool::default();
        let held: Vec<_> = (0..48).map(|_| pool.take(3)).collect();
        assert_eq!(pool.used_bytes(), 48 * (256 << 10));
        assert_eq!(pool.resident_bytes(), 6 * SLAB_BYTES as u64);
        drop(held);
        assert_eq!(pool.used_bytes(), 0);
        assert_eq!(pool.resident_bytes(), (SPARE_SLABS * SLAB_BYTES) as u64);
        let small: Vec<_> = (0..600).map(|_| pool.take(0)).collect();
        assert_eq!(pool.resident_bytes(), (SPARE_SLABS * SLAB_BYTES) as u64);
        drop(small);
        assert_eq!(pool.used_bytes(), 0);
    }

    #[test]
    fn no_two_chunks_share_a_byte() {
        let pool = ChunkPool::default();
        let mut held: Vec<_> = (0..40).map(|n| pool.take(n % 3)).collect();
        for (n, chunk) in held.iter_mut().enumerate() {
            let bytes = vec![n as u8; chunk.capacity()];
            chunk.fill(&bytes);
        }
        held.remove(7);
        let mut again = pool.take(1);
        again.fill(&[255; 16384]);
        held.remove(3);
        for chunk in &held {
            let all = chunk.get(0..chunk.len());
            assert!(all.iter().all(|byte| *byte == all[0]));
        }
    }
}
