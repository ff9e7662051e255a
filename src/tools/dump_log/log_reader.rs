//! Reads the batches of a segment file one by one, and single ones at a position.
//!
//! At most one batch is in memory. A length is compared with the file before a byte is allocated for it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::protocol::record_batch::{BatchHeader, HEADER_LEN};

/// A batch's position and bytes.
#[derive(Debug)]
pub(super) struct PlacedBatch {
    pub(super) position: u64,
    pub(super) bytes: Vec<u8>,
}

/// A segment file, read forward.
#[derive(Debug)]
pub(super) struct LogReader {
    file: BufReader<File>,
    position: u64,
    end: u64,
}

impl LogReader {
    /// Opens a file, of which at most `max_bytes` are looked at.
    pub(super) fn open(path: &Path, max_bytes: u64) -> io::Result<Self> {
        let file = File::open(path)?;
        let end = file.metadata()?.len().min(max_bytes);
        Ok(Self { file: BufReader::with_capacity(256 * 1024, file), position: 0, end })
    }

    /// Bytes that are looked at in all.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Where the next batch begins.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Goes to a batch's position.
    pub(super) fn seek(&mut self, position: u64) -> io::Result<()> {
        self.position = position.min(self.end);
        self.file.seek(SeekFrom::Start(self.position)).map(|_| ())
    }

    /// The next whole batch; `None` where the file ends or goes on with something else.
    pub(super) fn next_batch(&mut self) -> io::Result<Option<PlacedBatch>> {
        let Some((head, size)) = self.read_head()? else {
            return Ok(None);
        };
        let position = self.position;
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(&head);
        bytes.resize(size, 0);
        self.file.read_exact(bytes.get_mut(HEADER_LEN..).unwrap_or_default())?;
        self.position += size as u64;
        Ok(Some(PlacedBatch { position, bytes }))
    }

    /// The header of the batch at a position; `None` if there is no whole one.
    pub(super) fn header_at(&mut self, position: u64) -> io::Result<Option<BatchHeader>> {
        self.seek(position)?;
        Ok(self.read_head()?.and_then(|(head, _)| BatchHeader::parse(&head).ok()))
    }

    /// The header's bytes and the batch's size, if the whole batch is there.
    fn read_head(&mut self) -> io::Result<Option<([u8; HEADER_LEN], usize)>> {
        let left = self.end.saturating_sub(self.position);
        if left < HEADER_LEN as u64 {
            return Ok(None);
        }
        let mut head = [0; HEADER_LEN];
        self.file.read_exact(&mut head)?;
        let size = BatchHeader::parse(&head).ok().map(|header| header.size_bytes());
        Ok(size.filter(|size| *size as u64 <= left).map(|size| (head, size)))
    }
}
