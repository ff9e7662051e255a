//! What a frame of LZ4 must be so that Kafka's clients can read it; the decoder itself is laxer.

use super::{Codec, CodecError};

const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

// Bits of the first byte of the frame's descriptor.
const VERSION_MASK: u8 = 0b1100_0000;
const VERSION: u8 = 0b0100_0000;
const INDEPENDENT_BLOCKS: u8 = 0b0010_0000;
const BLOCK_CHECKSUM: u8 = 0b0001_0000;
const CONTENT_SIZE: u8 = 0b0000_1000;
const DICTIONARY: u8 = 0b0000_0001;

/// The bit of a block's size that says that the block is not compressed.
const UNCOMPRESSED: u32 = 1 << 31;

/// Checks that `input` is a frame with independent blocks, up to its end mark. What follows is not looked at.
pub(super) fn check_frame(input: &[u8]) -> Result<(), CodecError> {
    let Some((magic, rest)) = input.split_first_chunk::<4>() else { return refuse("no frame") };
    let Some((&[flags, _], mut rest)) = rest.split_first_chunk::<2>() else { return refuse("no frame") };
    if *magic != MAGIC || flags & VERSION_MASK != VERSION {
        return refuse("no frame of version 1");
    }
    if flags & INDEPENDENT_BLOCKS == 0 || flags & DICTIONARY != 0 {
        return refuse("blocks that depend on others are not supported");
    }
    let size_bytes = if flags & CONTENT_SIZE != 0 { 8 } else { 0 };
    let checksum_bytes = if flags & BLOCK_CHECKSUM != 0 { 4 } else { 0 };
    let mut skip = size_bytes + 1; // the descriptor's own checksum
    loop {
        let Some((_, blocks)) = rest.split_at_checked(skip) else { return refuse("a block ends early") };
        let Some((size, block)) = blocks.split_first_chunk::<4>() else { return refuse("no end mark") };
        let size = u32::from_le_bytes(*size);
        if size == 0 {
            return Ok(());
        }
        if size == UNCOMPRESSED {
            // Kafka's Java reader ends here, others read on: two readers of one batch would see different records.
            return refuse("an empty block that is no end mark");
        }
        rest = block;
        skip = (size & !UNCOMPRESSED) as usize + checksum_bytes;
    }
}

fn refuse<T>(reason: &str) -> Result<T, CodecError> {
    Err(Codec::Lz4.corrupt(reason))
}
