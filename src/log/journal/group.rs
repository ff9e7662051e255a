//! One group being put together: entries copied behind each other into pooled chunks, with their CRC.
//!
//! Made and used by the writer on its shard; bounded by the place the circle has for it.

use std::rc::Rc;

use bytes::Bytes;

use super::format::{ENTRY_HEADER_BYTES, Entry, GROUP_HEADER_BYTES, GroupHeader, padded};
use crate::log::chain::Chain;
use crate::log::chunk::Chunk;
use crate::log::chunk_pool::ChunkPool;
use crate::log::log::LogInner;
use crate::log::segment::{Mark, Segment};
use crate::runtime::BLOCK;
use crate::runtime::sync::Sender;

const CHUNK_CLASS: usize = 3;

/// A durable end that a group states.
pub struct Stated {
    pub(crate) log: Rc<LogInner>,
    pub(crate) segment: Rc<Segment>,
    /// Where the entry's bytes begin.
    pub(crate) start: u64,
    pub(crate) end: Mark,
}

/// See the module.
#[derive(Default)]
pub struct Group {
    chunks: Vec<Chunk>,
    body_bytes: usize,
    crc: u32,
    entries: u32,
    limit: u64,
    /// What it states.
    pub(crate) stated: Vec<Stated>,
    /// Logs whose log start it states.
    pub(crate) log_starts: Vec<Rc<LogInner>>,
    /// Logs that it cuts.
    pub(crate) cuts: Vec<Rc<LogInner>>,
    /// Who waits for it.
    pub(crate) tickets: Vec<Sender<()>>,
}

impl Group {
    /// An empty group of at most `limit` bytes on disk.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether an entry with `data_bytes` fits.
    #[must_use]
    pub fn fits(&self, data_bytes: u64) -> bool {
        self.fits_within(data_bytes, self.limit)
    }

    /// Whether the group has at most `limit_bytes` on disk with an entry of `data_bytes`.
    #[must_use]
    pub fn fits_within(&self, data_bytes: u64, limit_bytes: u64) -> bool {
        let body = self.body_bytes + ENTRY_HEADER_BYTES + data_bytes as usize;
        padded(body) <= limit_bytes
    }

    /// Bytes of the entries so far.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Entries so far.
    #[must_use]
    pub fn entries(&self) -> u32 {
        self.entries
    }

    fn put(&mut self, pool: &ChunkPool, bytes: &[u8]) {
        self.crc = crc32c::crc32c_append(self.crc, bytes);
        self.body_bytes += bytes.len();
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.chunks.last().is_none_or(|chunk| chunk.room() == 0) {
                let mut chunk = pool.take(CHUNK_CLASS);
                if self.chunks.is_empty() {
                    chunk.fill_zeros(GROUP_HEADER_BYTES);
                }
                self.chunks.push(chunk);
            }
            let taken = self.chunks.last_mut().map_or(0, |chunk| chunk.fill(rest));
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Adds an entry with the bytes `from..to` of `chain`.
    pub fn append(&mut self, pool: &ChunkPool, entry: &Entry, chain: &Chain, from: u64, to: u64) {
        self.put(pool, &entry.encode(u32::try_from(to - from).unwrap_or(u32::MAX)));
        chain.visit(from, to, |piece| self.put(pool, piece));
        self.entries += 1;
    }

    /// Adds an entry without data.
    pub fn state(&mut self, pool: &ChunkPool, entry: &Entry) {
        self.put(pool, &entry.encode(0));
        self.entries += 1;
    }

    /// Writes the header over its place and gives the parts of the write. `header` comes without lengths and CRC.
    #[must_use]
    pub fn finish(&mut self, pool: &ChunkPool, mut header: GroupHeader) -> Vec<Bytes> {
        if self.chunks.is_empty() {
            let mut chunk = pool.take(0);
            chunk.fill_zeros(GROUP_HEADER_BYTES);
            self.chunks.push(chunk);
        }
        header.body_bytes = u32::try_from(self.body_bytes).unwrap_or(u32::MAX);
        header.entries = self.entries;
        header.body_crc = self.crc;
        if let Some(first) = self.chunks.first_mut() {
            first.overwrite(0, &header.encode());
        }
        if let Some(last) = self.chunks.last_mut() {
            last.fill_zeros(last.len().next_multiple_of(BLOCK));
        }
        self.chunks.drain(..).map(|chunk| chunk.share(0..chunk.len())).collect()
    }
}
