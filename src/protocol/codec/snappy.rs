//! Snappy in the frames of snappy-java, which Kafka's clients write, and as one raw block, which they read as well.

use std::io::{self, Read};

use super::{Codec, CodecError};

/// The head of a stream: magic, then version 1 and compatible version 1.
const HEADER: [u8; 16] = *b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01";

/// The magic alone, by which a stream is told from a raw block.
const MAGIC_BYTES: usize = 8;

/// Uncompressed bytes of a block in a stream.
const BLOCK_BYTES: usize = 32 * 1024;

/// No snappy element makes more bytes than this from one byte of input (a copy of 64 bytes takes two or more).
const MAX_RATIO: usize = 64;

/// Appends `input` as a stream.
pub(super) fn compress(input: &[u8], out: &mut Vec<u8>) -> Result<(), CodecError> {
    let mut encoder = snap::raw::Encoder::new();
    let mut block = vec![0; snap::raw::max_compress_len(BLOCK_BYTES)];
    out.extend_from_slice(&HEADER);
    for chunk in input.chunks(BLOCK_BYTES) {
        let length = encoder.compress(chunk, &mut block).map_err(|e| Codec::Snappy.failed(e))?;
        out.extend_from_slice(&(length as u32).to_be_bytes());
        out.extend_from_slice(block.get(..length).unwrap_or_default());
    }
    Ok(())
}

/// Reads a stream block by block, or a raw block.
pub(super) struct Decoder<'a> {
    input: &'a [u8],
    framed: bool,
    block: Vec<u8>,
    at: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        let framed = input.len() >= HEADER.len() && input.get(..MAGIC_BYTES) == HEADER.get(..MAGIC_BYTES);
        let input = if framed { input.get(HEADER.len()..).unwrap_or_default() } else { input };
        Self { input, framed, block: Vec::new(), at: 0 }
    }

    /// Decompresses the next block into `self.block`.
    fn next_block(&mut self) -> io::Result<()> {
        let input = if self.framed {
            self.input
                .split_first_chunk::<4>()
                .and_then(|(length, rest)| rest.split_at_checked(u32::from_be_bytes(*length) as usize))
                .ok_or_else(|| invalid("a block ends early"))?
        } else {
            (self.input, &[][..])
        };
        let (compressed, rest) = input;
        let length = snap::raw::decompress_len(compressed).map_err(invalid)?;
        if length > compressed.len().saturating_mul(MAX_RATIO) {
            return Err(invalid("a block announces more than it can hold"));
        }
        self.block.clear();
        self.block.resize(length, 0);
        let got = snap::raw::Decoder::new().decompress(compressed, &mut self.block).map_err(invalid)?;
        self.block.truncate(got);
        self.at = 0;
        self.input = rest;
        Ok(())
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

impl Read for Decoder<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.at == self.block.len() {
            if self.input.is_empty() {
                return Ok(0);
            }
            self.next_block()?;
        }
        let read = self.block.get(self.at..).unwrap_or_default().read(target)?;
        self.at += read;
        Ok(read)
    }
}
