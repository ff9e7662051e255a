//! The five compressions of record batches, as Kafka's Java clients write and read them.
//!
//! Pure functions without state. Decompression never yields more than the limit that the caller gives, whatever the
//! input announces; compression of large batches takes milliseconds and belongs off the shards.

mod lz4;
mod snappy;

use std::io::{Read, Write};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lz4_flex::frame::{BlockMode, BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use thiserror::Error;

/// How the records of a batch are compressed: the low three bits of its attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Codec {
    /// As they are.
    #[default]
    None,
    /// RFC 1952.
    Gzip,
    /// Snappy, in the frames of the library snappy-java.
    Snappy,
    /// The LZ4 frame format, with independent blocks.
    Lz4,
    /// RFC 8878 (KIP-110).
    Zstd,
}

/// Why bytes were not compressed or decompressed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CodecError {
    /// The output would be longer than the caller allows.
    #[error("more than {limit_bytes} bytes when decompressed")]
    TooLarge {
        /// The limit that was given.
        limit_bytes: usize,
    },
    /// The input is not what the codec writes.
    #[error("corrupt {codec} data: {reason}")]
    Corrupt {
        /// Name of the codec.
        codec: &'static str,
        /// What the library or the frame check says.
        reason: String,
    },
    /// A library failed to compress.
    #[error("{codec} failed to compress: {reason}")]
    Compress {
        /// Name of the codec.
        codec: &'static str,
        /// What the library says.
        reason: String,
    },
}

impl Codec {
    /// Every codec, by its number.
    pub const ALL: [Self; 5] = [Self::None, Self::Gzip, Self::Snappy, Self::Lz4, Self::Zstd];

    /// The codec that a batch's attributes name, or `None` for the numbers 5 to 7.
    pub fn from_attributes(attributes: i16) -> Option<Self> {
        Self::ALL.get((attributes & 7) as usize).copied()
    }

    /// The number in the attributes.
    pub fn id(self) -> u8 {
        self as u8
    }

    /// Kafka's name of it, as in `compression.type`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Snappy => "snappy",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }

    /// The codec with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// The error for input that the codec did not write.
    pub(super) fn corrupt(self, reason: impl ToString) -> CodecError {
        CodecError::Corrupt { codec: self.name(), reason: reason.to_string() }
    }

    fn failed(self, reason: impl ToString) -> CodecError {
        CodecError::Compress { codec: self.name(), reason: reason.to_string() }
    }
}

/// Appends `input`, compressed at the codec's usual level, to `out`.
///
/// # Errors
/// [`CodecError::Compress`]; `out` may then hold a part.
pub fn compress(codec: Codec, input: &[u8], out: &mut Vec<u8>) -> Result<(), CodecError> {
    compress_with_level(codec, None, input, out)
}

/// Appends `input`, compressed, to `out`.
///
/// `level` counts for gzip (0 to 9) and zstd (-131072 to 22) and is clamped to what they have; `None` is the usual one
/// (6 and 3). lz4 and snappy have one speed here.
///
/// # Errors
/// [`CodecError::Compress`]; `out` may then hold a part.
pub fn compress_with_level(
    codec: Codec,
    level: Option<i32>,
    input: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), CodecError> {
    match codec {
        Codec::None => out.extend_from_slice(input),
        Codec::Gzip => {
            let level = level.map_or(flate2::Compression::default(), |level| {
                flate2::Compression::new(level.clamp(0, 9).unsigned_abs())
            });
            let mut encoder = GzEncoder::new(&mut *out, level);
            encoder
                .write_all(input)
                .and_then(|()| encoder.finish().map(drop))
                .map_err(|e| codec.failed(e))?;
        }
        Codec::Snappy => snappy::compress(input, out)?,
        Codec::Lz4 => {
            // What Kafka's own reader accepts: independent blocks, no checksum over the content.
            let info = FrameInfo::new().block_size(BlockSize::Max64KB).block_mode(BlockMode::Independent);
            let mut encoder = FrameEncoder::with_frame_info(info, &mut *out);
            encoder.write_all(input).map_err(|e| codec.failed(e))?;
            encoder.finish().map_err(|e| codec.failed(e))?;
        }
        Codec::Zstd => {
            let mut encoder = zstd::stream::write::Encoder::new(&mut *out, level.unwrap_or(3))
                .map_err(|e| codec.failed(e))?;
            encoder
                .write_all(input)
                .and_then(|()| encoder.finish().map(drop))
                .map_err(|e| codec.failed(e))?;
        }
    }
    Ok(())
}

/// Appends what `input` decompresses to, at most `limit_bytes` of it, to `out`.
///
/// # Errors
/// [`CodecError::TooLarge`] above the limit, [`CodecError::Corrupt`] for anything that the codec did not write; `out`
/// may then hold a part, and one byte more than the limit.
pub fn decompress(
    codec: Codec,
    input: &[u8],
    limit_bytes: usize,
    out: &mut Vec<u8>,
) -> Result<(), CodecError> {
    let limit = limit_bytes as u64;
    let mut decoder = decoder(codec, input)?.take(limit.saturating_add(1));
    let read = decoder.read_to_end(out).map_err(|error| codec.corrupt(error))?;
    if read as u64 > limit { Err(CodecError::TooLarge { limit_bytes }) } else { Ok(()) }
}

/// What `input` decompresses to, piece by piece. The memory for it does not grow with the output: at most the window
/// of the format (zstd: 128 MiB, of which only what comes out is touched), or 64 times the input for a raw snappy block.
///
/// # Errors
/// [`CodecError::Corrupt`] if that shows at once; later the reader's errors say it.
pub fn decoder<'a>(codec: Codec, input: &'a [u8]) -> Result<Box<dyn Read + 'a>, CodecError> {
    Ok(match codec {
        Codec::None => Box::new(input),
        Codec::Gzip => Box::new(MultiGzDecoder::new(input)),
        Codec::Snappy => Box::new(snappy::Decoder::new(input)),
        Codec::Lz4 => {
            lz4::check_frame(input)?;
            Box::new(FrameDecoder::new(input))
        }
        Codec::Zstd => {
            Box::new(zstd::stream::read::Decoder::with_buffer(input).map_err(|e| codec.corrupt(e))?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: usize) -> Vec<u8> {
        let mut state = 7u32;
        (0..bytes)
            .map(|index| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if index % 3 == 0 { (state >> 28) as u8 } else { b'a' }
            })
            .collect()
    }

    #[test]
    fn every_codec_gives_back_what_it_got() {
        for codec in Codec::ALL {
            for bytes in [0, 1, 100, 32 * 1024, 32 * 1024 + 1, 300_000] {
                let (input, mut packed, mut back) = (text(bytes), Vec::new(), vec![1]);
                compress(codec, &input, &mut packed).unwrap();
                decompress(codec, &packed, bytes, &mut back).unwrap();
                assert_eq!(back[1..], input[..], "{codec:?} {bytes}");
                assert_eq!(Codec::from_name(codec.name()), Some(codec));
                assert_eq!(Codec::from_attributes(i16::from(codec.id()) | 0x30), Some(codec));
            }
        }
        assert_eq!(Codec::from_attributes(5), None);
    }

    #[test]
    fn nothing_comes_out_beyond_the_limit() {
        let zeros = vec![0; 10 << 20];
        for codec in Codec::ALL {
            let (mut packed, mut back) = (Vec::new(), Vec::new());
            compress(codec, &zeros, &mut packed).unwrap();
            for limit_bytes in [0, 1000, zeros.len() - 1] {
                back.clear();
                let error = decompress(codec, &packed, limit_bytes, &mut back).unwrap_err();
                assert_eq!(error, CodecError::TooLarge { limit_bytes }, "{codec:?}");
                assert!(back.len() <= limit_bytes + 1);
            }
        }
    }

    #[test]
    fn damage_is_an_error_or_other_bytes_but_never_a_panic() {
        for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
            let mut packed = Vec::new();
            compress(codec, &text(2000), &mut packed).unwrap();
            for cut in 0..packed.len() {
                let mut back = Vec::new();
                let result = decompress(codec, &packed[..cut], 1 << 20, &mut back);
                assert!(
                    result.is_err() || codec != Codec::Lz4 && back.len() < 2000,
                    "{codec:?} cut at {cut}"
                );
                let mut flipped = packed.clone();
                flipped[cut] ^= 0xff;
                let _ = decompress(codec, &flipped, 1 << 20, &mut Vec::new());
            }
        }
    }

    #[test]
    fn raw_snappy_is_read_as_well() {
        let input = text(5000);
        let raw = snap::raw::Encoder::new().compress_vec(&input).unwrap();
        let mut back = Vec::new();
        decompress(Codec::Snappy, &raw, 5000, &mut back).unwrap();
        assert_eq!(back, input);
    }

    #[test]
    fn a_snappy_block_cannot_make_us_allocate() {
        // Announces 1 GiB in five bytes.
        let error = decompress(Codec::Snappy, &[0x80, 0x80, 0x80, 0x80, 0x04], 2 << 30, &mut Vec::new());
        assert!(matches!(error, Err(CodecError::Corrupt { .. })), "{error:?}");
    }

    #[test]
    fn dependent_lz4_blocks_are_refused_as_consumers_cannot_read_them() {
        let info = FrameInfo::new().block_mode(BlockMode::Linked);
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(&text(1000)).unwrap();
        let error = decompress(Codec::Lz4, &encoder.finish().unwrap(), 1 << 20, &mut Vec::new());
        assert!(matches!(error, Err(CodecError::Corrupt { codec: "lz4", .. })));
    }

    #[test]
    fn an_empty_lz4_block_is_no_end_mark() {
        let mut frame = Vec::new();
        compress(Codec::Lz4, b"x", &mut frame).unwrap();
        let end = frame.len() - 4;
        assert_eq!(frame[end..], [0; 4], "the end mark");
        frame[end + 3] = 0x80;
        let error = decompress(Codec::Lz4, &frame, 100, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("no end mark"), "{error}");
    }

    #[test]
    fn gzip_may_not_copy_from_in_front_of_its_beginning() {
        // Three bytes from one byte back, of a stream that has none yet; checksum and size are those of three zeros.
        let header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        let trailer = [0xff41_d912u32.to_le_bytes(), 3u32.to_le_bytes()].concat();
        let stream = [&header[..], &[0x03, 0x02, 0x00], &trailer].concat();
        let error = decompress(Codec::Gzip, &stream, 100, &mut Vec::new());
        assert!(matches!(error, Err(CodecError::Corrupt { codec: "gzip", .. })), "{error:?}");
    }
}
