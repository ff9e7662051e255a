//! Records inside the uncompressed part of a batch, borrowed.

use super::header::BatchError;
use crate::protocol::wire::{DecodeError, Reader};

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its offset minus the batch's base offset.
    pub offset_delta: i32,
    /// Its timestamp minus the batch's base timestamp, milliseconds.
    pub timestamp_delta: i64,
    /// Unused bits.
    pub attributes: i8,
    /// The key.
    pub key: Option<&'a [u8]>,
    /// The value; none is a tombstone in a compacted topic.
    pub value: Option<&'a [u8]>,
    header_count: i32,
    header_bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// Its headers, in order; keys are UTF-8 by agreement but not checked.
    pub fn headers(&self) -> Headers<'a> {
        Headers { left: self.header_count, reader: Reader::new(self.header_bytes) }
    }

    /// The headers as they are stored, behind their number.
    pub(super) fn raw_headers(&self) -> &'a [u8] {
        self.header_bytes
    }

    /// How many headers it has.
    pub fn header_count(&self) -> i32 {
        self.header_count
    }

    /// Reads a record and everything in it.
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, &'static str> {
        let size = reader.varint().map_err(|_| "no size")?;
        let size = usize::try_from(size).map_err(|_| "negative size")?;
        let mut body = Reader::new(reader.take(size).map_err(|_| "ends behind the batch")?);
        Self::read_body(&mut body).unwrap_or(Err("ends inside a field"))
    }

    fn read_body(body: &mut Reader<'a>) -> Result<Result<Self, &'static str>, DecodeError> {
        let attributes = body.i8()?;
        let timestamp_delta = body.varlong()?;
        let offset_delta = body.varint()?;
        let key = nullable(body)?;
        let value = nullable(body)?;
        let header_count = body.varint()?;
        if header_count < 0 {
            return Ok(Err("negative number of headers"));
        }
        let header_bytes = body.rest();
        for _ in 0..header_count {
            match usize::try_from(body.varint()?) {
                Ok(length) => body.take(length)?,
                Err(_) => return Ok(Err("negative size of a header's key")),
            };
            nullable(body)?;
        }
        if body.remaining() > 0 {
            return Ok(Err("is shorter than its size"));
        }
        Ok(Ok(Self { offset_delta, timestamp_delta, attributes, key, value, header_count, header_bytes }))
    }
}

/// Bytes behind a varint length, of which any negative one means null, as in Kafka.
fn nullable<'a>(reader: &mut Reader<'a>) -> Result<Option<&'a [u8]>, DecodeError> {
    match usize::try_from(reader.varint()?) {
        Ok(length) => reader.take(length).map(Some),
        Err(_) => Ok(None),
    }
}

/// See [`Record::headers`].
#[derive(Clone, Debug)]
pub struct Headers<'a> {
    left: i32,
    reader: Reader<'a>,
}

impl<'a> Iterator for Headers<'a> {
    type Item = (&'a [u8], Option<&'a [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.left <= 0 {
            return None;
        }
        self.left -= 1;
        // The record was read before, so neither is missing.
        let key = nullable(&mut self.reader).ok()??;
        Some((key, nullable(&mut self.reader).ok()?))
    }
}

/// The records of a batch, see [`super::Batch::records`]. Ends after the first error.
#[derive(Clone, Debug)]
pub struct RecordIter<'a> {
    reader: Reader<'a>,
    index: i32,
    count: i32,
}

impl<'a> RecordIter<'a> {
    /// `count` records in uncompressed bytes.
    pub fn new(records: &'a [u8], count: i32) -> Self {
        Self { reader: Reader::new(records), index: 0, count }
    }
}

impl<'a> Iterator for RecordIter<'a> {
    type Item = Result<Record<'a>, BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.index >= self.count {
            return None;
        }
        let index = self.index;
        self.index += 1;
        let mut record = Record::read(&mut self.reader);
        if self.index == self.count && self.reader.remaining() > 0 && record.is_ok() {
            record = Err("bytes behind the last record");
        }
        if record.is_err() {
            self.index = self.count;
        }
        Some(record.map_err(|reason| BatchError::InvalidRecord { index, reason }))
    }
}
