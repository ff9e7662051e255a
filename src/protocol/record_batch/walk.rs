//! Walks the records of a batch without keeping them, over bytes in memory or over a decompressing stream.

use std::io::Read;

use super::header::BatchError;
use crate::protocol::codec::CodecError;
use crate::protocol::wire::Reader;

/// Bytes of decompressed records that are in memory at a time.
pub(super) const WINDOW_BYTES: usize = 32 * 1024;

/// What the check needs of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) offset_delta: i32,
    pub(super) timestamp_delta: i64,
    pub(super) has_key: bool,
}

/// Why a walk stopped.
#[derive(Debug)]
pub(super) enum Stop {
    Malformed(&'static str),
    TooLarge { limit_bytes: usize },
    Codec(CodecError),
}

impl Stop {
    pub(super) fn at(self, index: i32) -> BatchError {
        match self {
            Self::Malformed(reason) => BatchError::InvalidRecord { index, reason },
            Self::TooLarge { limit_bytes } => BatchError::TooLarge { limit_bytes },
            Self::Codec(error) => BatchError::Codec(error),
        }
    }
}

const ENDS: Stop = Stop::Malformed("ends inside a field");

/// Where records come from.
pub(super) trait Source {
    /// Bytes passed so far.
    fn position(&self) -> u64;
    fn byte(&mut self) -> Result<u8, Stop>;
    fn skip(&mut self, count: usize) -> Result<(), Stop>;
    fn at_end(&mut self) -> Result<bool, Stop>;

    /// Whether a record of `size` bytes may come now.
    fn admit(&self, size: usize) -> Result<(), Stop>;

    #[inline]
    fn varint(&mut self) -> Result<i32, Stop> {
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i32 ^ -((value & 1) as i32));
            }
        }
        Err(Stop::Malformed("a varint is too long"))
    }

    #[inline]
    fn varlong(&mut self) -> Result<i64, Stop> {
        let mut value = 0u64;
        for step in 0..10 {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << (step * 7);
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(Stop::Malformed("a varint is too long"))
    }

    /// Passes bytes behind a varint length; any negative one means null. Returns whether there were bytes.
    #[inline]
    fn skip_nullable(&mut self) -> Result<bool, Stop> {
        match usize::try_from(self.varint()?) {
            Ok(count) => self.skip(count).map(|()| true),
            Err(_) => Ok(false),
        }
    }
}

/// Walks the next record.
#[inline]
pub(super) fn walk_record(source: &mut impl Source) -> Result<Facts, Stop> {
    let Ok(size) = usize::try_from(source.varint()?) else {
        return Err(Stop::Malformed("negative size"));
    };
    source.admit(size)?;
    let end = source.position() + size as u64;
    source.byte()?; // attributes, unused
    let timestamp_delta = source.varlong()?;
    let offset_delta = source.varint()?;
    let has_key = source.skip_nullable()?;
    source.skip_nullable()?;
    let headers = source.varint()?;
    if headers < 0 {
        return Err(Stop::Malformed("negative number of headers"));
    }
    for _ in 0..headers {
        if !source.skip_nullable()? {
            return Err(Stop::Malformed("negative size of a header's key"));
        }
        source.skip_nullable()?;
    }
    if source.position() != end {
        return Err(Stop::Malformed("has another size than it states"));
    }
    Ok(Facts { offset_delta, timestamp_delta, has_key })
}

/// Uncompressed records in memory.
pub(super) struct Slice<'a> {
    reader: Reader<'a>,
    total: usize,
}

impl<'a> Slice<'a> {
    pub(super) fn new(records: &'a [u8]) -> Self {
        Self { reader: Reader::new(records), total: records.len() }
    }
}

impl Source for Slice<'_> {
    #[inline]
    fn position(&self) -> u64 {
        (self.total - self.reader.remaining()) as u64
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Stop> {
        self.reader.i8().map(|byte| byte as u8).map_err(|_| ENDS)
    }

    #[inline]
    fn skip(&mut self, count: usize) -> Result<(), Stop> {
        self.reader.take(count).map(drop).map_err(|_| ENDS)
    }

    #[inline]
    fn at_end(&mut self) -> Result<bool, Stop> {
        Ok(self.reader.remaining() == 0)
    }

    #[inline]
    fn admit(&self, size: usize) -> Result<(), Stop> {
        if size > self.reader.remaining() { Err(Stop::Malformed("ends behind the batch")) } else { Ok(()) }
    }
}

/// Records that a decoder gives piece by piece, so that a batch of any decompressed size is walked in little memory.
pub(super) struct Stream<'a> {
    decoder: Box<dyn Read + 'a>,
    window: &'a mut Vec<u8>,
    at: usize,
    end: usize,
    /// Bytes in front of the window.
    passed: u64,
    record_limit: usize,
    total_limit: usize,
    corrupt: fn(std::io::Error) -> CodecError,
}

impl<'a> Stream<'a> {
    pub(super) fn new(
        decoder: Box<dyn Read + 'a>,
        window: &'a mut Vec<u8>,
        (record_limit, total_limit): (usize, usize),
        corrupt: fn(std::io::Error) -> CodecError,
    ) -> Self {
        window.resize(WINDOW_BYTES, 0);
        Self { decoder, window, at: 0, end: 0, passed: 0, record_limit, total_limit, corrupt }
    }

    /// Bytes decompressed so far.
    pub(super) fn total(&self) -> u64 {
        self.passed + self.end as u64
    }

    /// Replaces the window, which must be used up; false at the end.
    fn fill(&mut self) -> Result<bool, Stop> {
        self.passed += self.end as u64;
        (self.at, self.end) = (0, 0);
        self.end = self.decoder.read(self.window).map_err(|error| Stop::Codec((self.corrupt)(error)))?;
        if self.total() > self.total_limit as u64 {
            return Err(Stop::TooLarge { limit_bytes: self.total_limit });
        }
        Ok(self.end > 0)
    }
}

impl Source for Stream<'_> {
    #[inline]
    fn position(&self) -> u64 {
        self.passed + self.at as u64
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Stop> {
        if self.at == self.end && !self.fill()? {
            return Err(ENDS);
        }
        let byte = self.window.get(self.at).copied().ok_or(ENDS)?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    fn skip(&mut self, mut count: usize) -> Result<(), Stop> {
        loop {
            let step = count.min(self.end - self.at);
            self.at += step;
            count -= step;
            if count == 0 {
                return Ok(());
            }
            if !self.fill()? {
                return Err(ENDS);
            }
        }
    }

    fn at_end(&mut self) -> Result<bool, Stop> {
        Ok(self.at == self.end && !self.fill()?)
    }

    #[inline]
    fn admit(&self, size: usize) -> Result<(), Stop> {
        if size > self.record_limit { Err(Stop::TooLarge { limit_bytes: self.record_limit }) } else { Ok(()) }
    }
}
