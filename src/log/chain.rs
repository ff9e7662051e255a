//! The bytes of one segment that are in memory: a chain of chunks, from some block boundary to the segment's end.
//!
//! Owned by a segment, on its shard. Appending copies once; the chain grows by chunks of 4, 16, 64, 256 KiB without
//! moving what is there (rule 9). The front goes chunk by chunk when the file holds it. Positions are the file's.

use std::collections::VecDeque;

use bytes::Bytes;

use super::chunk::Chunk;
use super::chunk_pool::{ChunkPool, class_bytes};
use crate::runtime::{AlignedBuf, BLOCK};

const BLOCK_BYTES: u64 = BLOCK as u64;
/// A chunk filled faster than this is followed by a larger one.
const GROW_WITHIN_MS: i64 = 500;
/// A chunk filled slower than this is followed by a smaller one.
const SHRINK_AFTER_MS: i64 = 4_000;

/// The start of the block that holds `position`.
#[must_use]
pub fn block_floor(position: u64) -> u64 {
    position / BLOCK_BYTES * BLOCK_BYTES
}

/// The end of the block that holds the byte before `position`.
#[must_use]
pub fn block_ceil(position: u64) -> u64 {
    position.div_ceil(BLOCK_BYTES) * BLOCK_BYTES
}

struct Link {
    position: u64,
    chunk: Chunk,
}

/// A segment's bytes in memory.
#[derive(Default)]
pub struct Chain {
    links: VecDeque<Link>,
    start: u64,
    end: u64,
    class: usize,
    last_taken_ms: i64,
}

impl Chain {
    /// An empty chain at `position`, a block boundary.
    #[must_use]
    pub fn new(position: u64) -> Self {
        assert!(position.is_multiple_of(BLOCK_BYTES), "a chain begins at a block");
        Self { start: position, end: position, ..Self::default() }
    }

    /// Position of the first byte in memory.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Position behind the last byte.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Appends a copy of `data`. With `frugal` (memory is short) the chain does not grow its chunks.
    pub fn append(&mut self, pool: &ChunkPool, data: &[u8], now_ms: i64, frugal: bool) {
        let mut rest = data;
        while !rest.is_empty() {
            let full = self.links.back().is_none_or(|link| link.chunk.room() == 0);
            if full {
                self.grow(pool, rest.len(), now_ms, frugal);
            }
            let Some(link) = self.links.back_mut() else { return };
            let taken = link.chunk.fill(rest);
            rest = rest.get(taken..).unwrap_or_default();
            self.end += taken as u64;
        }
    }

    fn grow(&mut self, pool: &ChunkPool, need: usize, now_ms: i64, frugal: bool) {
        assert!(self.end.is_multiple_of(BLOCK_BYTES), "a chunk begins at a block");
        if self.last_taken_ms != 0 {
            let age = now_ms.saturating_sub(self.last_taken_ms);
            if age < GROW_WITHIN_MS {
                self.class = (self.class + 1).min(3);
            } else if age > SHRINK_AFTER_MS {
                self.class = self.class.saturating_sub(1);
            }
        }
        self.last_taken_ms = now_ms;
        let mut class = if frugal { 0 } else { self.class };
        while class < 3 && class_bytes(class) < need {
            class += 1;
        }
        self.links.push_back(Link { position: self.end, chunk: pool.take(class) });
    }

    /// Index of the link that holds `position`.
    fn find(&self, position: u64) -> usize {
        // Readers mostly ask near the end.
        if let Some(last) = self.links.back()
            && last.position <= position
        {
            return self.links.len() - 1;
        }
        self.links.partition_point(|link| link.position <= position).saturating_sub(1)
    }

    /// Calls `visit` with the pieces of `from..to`, in order. The range is in memory.
    fn pieces(&self, from: u64, to: u64, mut visit: impl FnMut(&Chunk, usize, usize)) {
        assert!(from >= self.start && to <= self.end, "bytes {from}..{to} are not in memory");
        let mut at = from;
        let mut index = if from < to { self.find(from) } else { return };
        while at < to {
            let Some(link) = self.links.get(index) else { return };
            let inside = (at - link.position) as usize;
            let until = link.chunk.len().min((to - link.position) as usize);
            visit(&link.chunk, inside, until);
            at = link.position + until as u64;
            index += 1;
        }
    }

    /// Shares the bytes `from..to`, one slice a chunk.
    pub fn share(&self, from: u64, to: u64, parts: &mut Vec<Bytes>) {
        self.pieces(from, to, |chunk, start, end| parts.push(chunk.share(start..end)));
    }

    /// Gives the bytes `from..to` to `visit`, piece by piece.
    pub fn visit(&self, from: u64, to: u64, mut visit: impl FnMut(&[u8])) {
        self.pieces(from, to, |chunk, start, end| visit(chunk.get(start..end)));
    }

    /// Copies `N` bytes at `position` when all are in memory.
    #[must_use]
    pub fn peek<const N: usize>(&self, position: u64) -> Option<[u8; N]> {
        if position < self.start || position + N as u64 > self.end {
            return None;
        }
        let mut copy = [0; N];
        let mut at = 0;
        self.pieces(position, position + N as u64, |chunk, start, end| {
            let piece = chunk.get(start..end);
            if let Some(target) = copy.get_mut(at..at + piece.len()) {
                target.copy_from_slice(piece);
            }
            at += piece.len();
        });
        Some(copy)
    }

    /// A copy of the bytes from `from`, a block boundary, to the end, with zeros up to a block's end. None if there
    /// are none.
    #[must_use]
    pub fn padded_copy(&self, from: u64) -> Option<Bytes> {
        if from >= self.end {
            return None;
        }
        let len = (block_ceil(self.end) - from) as usize;
        let mut buffer = AlignedBuf::zeroed(len);
        let mut at = 0;
        self.visit(from, self.end, |piece| {
            if let Some(target) = buffer.get_mut(at..at + piece.len()) {
                target.copy_from_slice(piece);
            }
            at += piece.len();
        });
        Some(buffer.freeze(len))
    }

    /// Lets go of the whole chunks below `position`; gives how many.
    pub fn drop_below(&mut self, position: u64) -> usize {
        let mut dropped = 0;
        while let Some(link) = self.links.front() {
            let end = link.position + link.chunk.len() as u64;
            // The chunk that is still being filled stays, unless all of it is let go.
            if end > position || (link.chunk.room() > 0 && position < self.end) {
                break;
            }
            if link.chunk.room() > 0 && !self.end.is_multiple_of(BLOCK_BYTES) {
                break;
            }
            self.start = end;
            self.links.pop_front();
            dropped += 1;
        }
        dropped
    }

    /// Ends of the whole, filled chunks within `from..=to`, ascending.
    pub fn filled_ends(&self, from: u64, to: u64, mut visit: impl FnMut(u64)) {
        for link in &self.links {
            let end = link.position + link.chunk.len() as u64;
            if link.chunk.room() == 0 && end > from && end <= to {
                visit(end);
            }
        }
    }

    /// Lets go of everything; the chain is empty at its end, rounded down to a block.
    pub fn clear(&mut self) {
        self.links.clear();
        self.start = block_floor(self.end);
        self.end = self.start;
        self.class = 0;
        self.last_taken_ms = 0;
    }

    /// Bytes of memory it holds.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.links.iter().map(|link| link.chunk.capacity() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(chain: &Chain, from: u64, to: u64) -> Vec<u8> {
        let mut parts = Vec::new();
        chain.share(from, to, &mut parts);
        parts.concat()
    }

    #[test]
    fn a_chain_grows_without_moving_and_gives_every_range() {
        let pool = ChunkPool::default();
        let mut chain = Chain::new(8192);
        let data: Vec<u8> = (0..200_000u32).map(|n| (n % 251) as u8).collect();
        for piece in data.chunks(777) {
            chain.append(&pool, piece, 1, false);
        }
        assert_eq!(chain.end(), 8192 + 200_000);
        for (from, to) in [(0, 1), (4000, 4200), (0, 200_000), (4096 + 16384 - 3, 4096 + 16384 + 3)] {
            let got = collect(&chain, 8192 + from, 8192 + to);
            assert_eq!(got, data[from as usize..to as usize]);
        }
        assert_eq!(chain.peek::<61>(8192 + 4090).unwrap(), data[4090..4151]);
        assert!(chain.peek::<61>(8191).is_none());
        let dropped = chain.drop_below(8192 + 4096 + 16384 + 5);
        assert_eq!(dropped, 2);
        assert_eq!(chain.start(), 8192 + 4096 + 16384);
        let padded = chain.padded_copy(block_floor(chain.end())).unwrap();
        assert_eq!(padded.len(), 4096);
    }

    #[test]
    fn the_chunk_being_filled_stays() {
        let pool = ChunkPool::default();
        let mut chain = Chain::new(0);
        chain.append(&pool, &[1; 100], 1, false);
        assert_eq!(chain.drop_below(100), 0);
        chain.append(&pool, &[2; 3996], 1, false);
        assert_eq!(chain.drop_below(4096), 1);
        assert_eq!((chain.start(), chain.end(), chain.memory_bytes()), (4096, 4096, 0));
    }
}
