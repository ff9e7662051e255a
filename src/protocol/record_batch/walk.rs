//! Walks the records of a batch without keeping them, over bytes in memory or over a decompressing stream.

use std::io::Read;

use super::header::BatchError;
use crate::protocol::codec::CodecError;

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

    /// A varint of at most `max_bytes` bytes; what goes beyond 64 bits is lost, as in Kafka.
    fn unsigned(&mut self, max_bytes: u32) -> Result<u64, Stop>;

    /// Moves to where it is already. A source in memory says it with the number that the record's size gave, so that the
    /// processor need not wait for the walk through the record before it starts with the next one.
    #[inline]
    fn jump(&mut self, _position: u64) {}

    #[inline]
    fn varint(&mut self) -> Result<i32, Stop> {
        let value = self.unsigned(5)? as u32;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    #[inline]
    fn varlong(&mut self) -> Result<i64, Stop> {
        let value = self.unsigned(10)?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
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

/// A varint of at most three bytes, and where it ends. The branches are the same from record to record, so the processor
/// knows where the next field starts before it has read this one.
#[inline]
fn short_varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let first = *bytes.get(at)?;
    if first < 0x80 {
        return Some((u64::from(first), at + 1));
    }
    let second = *bytes.get(at + 1)?;
    let low = u64::from(first & 0x7f) | u64::from(second & 0x7f) << 7;
    if second < 0x80 {
        return Some((low, at + 2));
    }
    let third = *bytes.get(at + 2)?;
    (third < 0x80).then_some((low | u64::from(third) << 14, at + 3))
}

/// A varint of any length, from bytes that `next` gives.
#[inline]
fn long_varint(max_bytes: u32, mut next: impl FnMut() -> Result<u8, Stop>) -> Result<u64, Stop> {
    let mut value = 0u64;
    for step in 0..max_bytes {
        let byte = next()?;
        value |= u64::from(byte & 0x7f) << (step * 7);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Stop::Malformed("a varint is too long"))
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
    source.jump(end);
    Ok(Facts { offset_delta, timestamp_delta, has_key })
}

/// Uncompressed records in memory.
pub(super) struct Slice<'a> {
    records: &'a [u8],
    at: usize,
}

impl<'a> Slice<'a> {
    pub(super) fn new(records: &'a [u8]) -> Self {
        Self { records, at: 0 }
    }

    /// Not inlined, and by value, so that the position stays in a register.
    #[cold]
    #[inline(never)]
    fn long(records: &[u8], mut at: usize, max_bytes: u32) -> Result<(u64, usize), Stop> {
        let value = long_varint(max_bytes, || {
            at += 1;
            records.get(at - 1).copied().ok_or(ENDS)
        })?;
        Ok((value, at))
    }
}

impl Source for Slice<'_> {
    #[inline]
    fn position(&self) -> u64 {
        self.at as u64
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Stop> {
        let byte = self.records.get(self.at).copied().ok_or(ENDS)?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    fn skip(&mut self, count: usize) -> Result<(), Stop> {
        if count > self.records.len() - self.at {
            return Err(ENDS);
        }
        self.at += count;
        Ok(())
    }

    #[inline]
    fn at_end(&mut self) -> Result<bool, Stop> {
        Ok(self.at == self.records.len())
    }

    #[inline]
    fn admit(&self, size: usize) -> Result<(), Stop> {
        if size > self.records.len() - self.at {
            Err(Stop::Malformed("ends behind the batch"))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn unsigned(&mut self, max_bytes: u32) -> Result<u64, Stop> {
        let (value, at) = match short_varint(self.records, self.at) {
            Some(short) => short,
            None => Self::long(self.records, self.at, max_bytes)?,
        };
        self.at = at;
        Ok(value)
    }

    #[inline]
    fn jump(&mut self, position: u64) {
        self.at = position as usize;
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

    #[inline]
    fn unsigned(&mut self, max_bytes: u32) -> Result<u64, Stop> {
        match self.window.get(..self.end).and_then(|window| short_varint(window, self.at)) {
            Some((value, at)) => {
                self.at = at;
                Ok(value)
            }
            None => long_varint(max_bytes, || self.byte()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zigzag(value: i64) -> Vec<u8> {
        let mut value = ((value << 1) ^ (value >> 63)) as u64;
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    #[test]
    fn varints_of_every_length_are_read_alike_with_and_without_bytes_behind() {
        for shift in 0..64 {
            for value in [
                1i64 << shift,
                (1i64 << shift).wrapping_sub(1),
                (1i64 << shift).wrapping_neg(),
                i64::MIN,
                i64::MAX,
            ] {
                for padding in [0, 20] {
                    let mut bytes = zigzag(value);
                    let length = bytes.len();
                    bytes.resize(length + padding, 0xff);
                    let mut source = Slice::new(&bytes);
                    assert!(matches!(source.varlong(), Ok(read) if read == value), "{value}");
                    assert_eq!(source.position(), length as u64);
                    let mut source = Slice::new(&bytes);
                    let small = i32::try_from(value).ok();
                    match source.varint() {
                        Ok(read) => {
                            assert!(small.is_none_or(|small| small == read) && length <= 5, "{value}")
                        }
                        Err(_) => assert!(length > 5, "{value}"),
                    }
                }
            }
        }
        for bytes in [&[0x80][..], &[0xff; 11], &[]] {
            assert!(Slice::new(bytes).varlong().is_err());
            assert!(Slice::new(bytes).varint().is_err());
        }
    }

    #[test]
    fn a_stream_gives_what_the_slice_gives() {
        let mut builder = super::super::BatchBuilder::new(crate::protocol::codec::Codec::None);
        for index in 0..500 {
            let value = vec![7; index * 3];
            builder.append(
                index as i64 * 1000,
                (index % 3 > 0).then_some(b"k"),
                Some(&value),
                &[("h", None)],
            );
        }
        let batch = builder.build().unwrap();
        let records = &batch[super::super::HEADER_LEN..];
        let mut window = Vec::new();
        let no_error = |_| unreachable!("memory can always be read");
        let mut stream = Stream::new(Box::new(records), &mut window, (usize::MAX, usize::MAX), no_error);
        let mut slice = Slice::new(records);
        for _ in 0..500 {
            let (a, b) = (walk_record(&mut stream).unwrap(), walk_record(&mut slice).unwrap());
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
        }
        assert!(stream.at_end().unwrap() && slice.at_end().unwrap());
        assert_eq!(stream.total(), records.len() as u64);
    }
}
