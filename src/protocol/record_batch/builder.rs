//! Builds batches: for our own records, for tools and for tests.

use super::header::{
    ATTRIBUTES_AT, Attributes, BatchError, BatchHeader, HEADER_LEN, LOG_OVERHEAD, MAGIC, NO_EPOCH,
    NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, NO_TIMESTAMP, TimestampType,
};
use super::patch;
use crate::protocol::codec::{Codec, compress_with_level};
use crate::protocol::wire::{varint_len, varlong_len};

/// A batch under construction. Records get the offsets from the base offset on, one after the other.
#[derive(Clone, Debug)]
pub struct BatchBuilder {
    codec: Codec,
    level: Option<i32>,
    header: BatchHeader,
    records: Vec<u8>,
}

impl BatchBuilder {
    /// An empty batch without a producer, at offset 0.
    pub fn new(codec: Codec) -> Self {
        let header = BatchHeader {
            base_offset: 0,
            batch_length: 0,
            leader_epoch: NO_EPOCH,
            magic: MAGIC,
            crc: 0,
            attributes: Attributes(i16::from(codec.id())),
            last_offset_delta: -1,
            base_timestamp: NO_TIMESTAMP,
            max_timestamp: NO_TIMESTAMP,
            producer_id: NO_PRODUCER_ID,
            producer_epoch: NO_PRODUCER_EPOCH,
            base_sequence: NO_SEQUENCE,
            record_count: 0,
        };
        Self { codec, level: None, header, records: Vec::new() }
    }

    /// The offset of the first record.
    pub fn base_offset(mut self, base_offset: i64) -> Self {
        self.header.base_offset = base_offset;
        self
    }

    /// The epoch of the leader that appends it.
    pub fn leader_epoch(mut self, leader_epoch: i32) -> Self {
        self.header.leader_epoch = leader_epoch;
        self
    }

    /// The level of compression, see [`compress_with_level`].
    pub fn level(mut self, level: Option<i32>) -> Self {
        self.level = level;
        self
    }

    /// The producer and the sequence of the first record (-1 in markers).
    pub fn producer(mut self, producer_id: i64, producer_epoch: i16, base_sequence: i32) -> Self {
        self.header.producer_id = producer_id;
        self.header.producer_epoch = producer_epoch;
        self.header.base_sequence = base_sequence;
        self
    }

    /// Whether it is part of a transaction.
    pub fn transactional(self, on: bool) -> Self {
        self.flag(Attributes::TRANSACTIONAL, on)
    }

    /// Whether its records are control records.
    pub fn control(self, on: bool) -> Self {
        self.flag(Attributes::CONTROL, on)
    }

    /// Where its timestamps come from.
    pub fn timestamp_type(self, timestamp_type: TimestampType) -> Self {
        self.flag(Attributes::LOG_APPEND_TIME, timestamp_type == TimestampType::LogAppendTime)
    }

    fn flag(mut self, bit: i16, on: bool) -> Self {
        let Attributes(bits) = &mut self.header.attributes;
        *bits = if on { *bits | bit } else { *bits & !bit };
        self
    }

    /// Adds a record; `timestamp_ms` is its creation time.
    pub fn append(
        &mut self,
        timestamp_ms: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[(&str, Option<&[u8]>)],
    ) {
        if self.header.record_count == 0 {
            self.header.base_timestamp = timestamp_ms;
            self.header.max_timestamp = timestamp_ms;
        }
        self.header.max_timestamp = self.header.max_timestamp.max(timestamp_ms);
        let offset_delta = self.header.record_count;
        let timestamp_delta = timestamp_ms.wrapping_sub(self.header.base_timestamp);
        self.header.last_offset_delta = offset_delta;
        self.header.record_count = offset_delta.saturating_add(1);

        let bytes_len =
            |bytes: Option<&[u8]>| bytes.map_or(1, |bytes| varint_len(bytes.len() as i32) + bytes.len());
        let body = 1
            + varlong_len(timestamp_delta)
            + varint_len(offset_delta)
            + bytes_len(key)
            + bytes_len(value)
            + varint_len(headers.len() as i32)
            + headers.iter().map(|(k, v)| bytes_len(Some(k.as_bytes())) + bytes_len(*v)).sum::<usize>();
        let out = &mut self.records;
        out.reserve(5 + body);
        put_varint(out, body as i32);
        out.push(0);
        put_varlong(out, timestamp_delta);
        put_varint(out, offset_delta);
        put_bytes(out, key);
        put_bytes(out, value);
        put_varint(out, headers.len() as i32);
        for (key, value) in headers {
            put_bytes(out, Some(key.as_bytes()));
            put_bytes(out, *value);
        }
    }

    /// Records added so far.
    pub fn record_count(&self) -> i32 {
        self.header.record_count
    }

    /// Bytes of the batch if it were not compressed.
    pub fn uncompressed_bytes(&self) -> usize {
        HEADER_LEN + self.records.len()
    }

    /// The finished batch.
    ///
    /// # Errors
    /// [`BatchError::TooLong`] above 2 GiB, or [`BatchError::Codec`].
    pub fn build(mut self) -> Result<Vec<u8>, BatchError> {
        if self.records.len() > i32::MAX as usize {
            return Err(BatchError::TooLong); // a length inside may have been cut
        }
        let mut bytes = Vec::with_capacity(HEADER_LEN + self.records.len());
        bytes.resize(HEADER_LEN, 0);
        compress_with_level(self.codec, self.level, &self.records, &mut bytes)?;
        self.header.batch_length =
            i32::try_from(bytes.len() - LOG_OVERHEAD).map_err(|_| BatchError::TooLong)?;
        let patched = bytes.get_mut(..HEADER_LEN).map(|head| head.copy_from_slice(&self.header.to_bytes()));
        debug_assert!(patched.is_some() && bytes.len() >= ATTRIBUTES_AT);
        patch::rewrite_crc(&mut bytes);
        Ok(bytes)
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => {
            put_varint(out, bytes.len() as i32);
            out.extend_from_slice(bytes);
        }
        None => put_varint(out, -1),
    }
}

pub(super) fn put_varint(out: &mut Vec<u8>, value: i32) {
    put_varlong(out, i64::from(value));
}

pub(super) fn put_varlong(out: &mut Vec<u8>, value: i64) {
    let mut value = ((value << 1) ^ (value >> 63)) as u64;
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, set_base_offset_and_epoch, set_log_append_time, set_max_timestamp};
    use super::*;

    fn build(codec: Codec) -> Vec<u8> {
        let mut builder = BatchBuilder::new(codec).producer(5, 1, 40).transactional(true);
        builder.append(1000, Some(b"k"), Some(b"value"), &[("h", Some(b"x")), ("n", None)]);
        builder.append(900, None, None, &[]);
        builder.append(1200, Some(b""), Some(&[7; 300]), &[]);
        assert_eq!(builder.record_count(), 3);
        let uncompressed = builder.uncompressed_bytes();
        let bytes = builder.build().unwrap();
        assert!(codec != Codec::None || bytes.len() == uncompressed);
        bytes
    }

    #[test]
    fn what_is_built_is_read_back_with_every_codec() {
        for codec in Codec::ALL {
            let bytes = build(codec);
            let batch = Batch::parse(&bytes).unwrap();
            batch.verify_crc().unwrap();
            let header = batch.header;
            assert_eq!((header.codec(), header.record_count, header.last_offset_delta), (Ok(codec), 3, 2));
            assert_eq!((header.base_timestamp, header.max_timestamp), (1000, 1200));
            assert_eq!((header.producer_id, header.producer_epoch, header.base_sequence), (5, 1, 40));
            let mut scratch = Vec::new();
            let records: Vec<_> = batch.records(1 << 20, &mut scratch).unwrap().map(Result::unwrap).collect();
            let [first, second, third] = records[..] else { panic!("{records:?}") };
            assert_eq!((first.key, first.value), (Some(&b"k"[..]), Some(&b"value"[..])));
            let headers: Vec<_> = first.headers().collect();
            assert_eq!(headers, [(&b"h"[..], Some(&b"x"[..])), (&b"n"[..], None)]);
            assert_eq!((second.key, second.value, second.timestamp_delta), (None, None, -100));
            assert_eq!((third.key, third.offset_delta, third.timestamp_delta), (Some(&b""[..]), 2, 200));
        }
    }

    #[test]
    fn offset_and_epoch_are_set_without_touching_the_crc() {
        let mut bytes = build(Codec::None);
        let before = bytes.clone();
        set_base_offset_and_epoch(&mut bytes, 1 << 40, 17).unwrap();
        let batch = Batch::parse(&bytes).unwrap();
        batch.verify_crc().unwrap();
        assert_eq!((batch.header.base_offset, batch.header.leader_epoch), (1 << 40, 17));
        assert_eq!(bytes[16..], before[16..]);
    }

    #[test]
    fn append_time_counts_for_all_records_and_is_under_the_crc() {
        let mut bytes = build(Codec::Lz4);
        set_log_append_time(&mut bytes, 5555).unwrap();
        let batch = Batch::parse(&bytes).unwrap();
        batch.verify_crc().unwrap();
        assert_eq!(batch.header.max_timestamp, 5555);
        assert_eq!(batch.header.attributes.timestamp_type(), TimestampType::LogAppendTime);
        assert!(batch.header.attributes.is_transactional());
        set_max_timestamp(&mut bytes, 4444).unwrap();
        let batch = Batch::parse(&bytes).unwrap();
        batch.verify_crc().unwrap();
        assert_eq!(batch.header.max_timestamp, 4444);
    }

    #[test]
    fn patches_of_what_is_no_batch_are_errors() {
        assert!(set_base_offset_and_epoch(&mut [0; 61], 0, 0).is_err());
        assert!(set_log_append_time(&mut [2; 30], 0).is_err());
        let mut cut = build(Codec::None);
        cut.pop();
        assert!(set_max_timestamp(&mut cut, 0).is_err());
    }
}
