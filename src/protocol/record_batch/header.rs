//! The header of a record batch and its attributes.

use thiserror::Error;

use crate::protocol::codec::{Codec, CodecError};
use crate::protocol::wire::{DecodeError, EncodeError, Reader};

/// Bytes of the header, and the least that a batch has.
pub const HEADER_LEN: usize = 61;
/// Bytes in front of what the length field counts: base offset and the length itself.
pub const LOG_OVERHEAD: usize = 12;
/// The one format that is stored.
pub const MAGIC: i8 = 2;

/// Position of the base offset, eight bytes; not under the CRC.
pub const BASE_OFFSET_AT: usize = 0;
/// Position of the length, four bytes: those of the batch after this field.
pub const LENGTH_AT: usize = 8;
/// Position of the partition leader's epoch, four bytes; not under the CRC.
pub const LEADER_EPOCH_AT: usize = 12;
/// Position of the magic, one byte, in every format.
pub const MAGIC_AT: usize = 16;
/// Position of the CRC-32C, four bytes, over everything after it.
pub const CRC_AT: usize = 17;
/// Position of the attributes, two bytes; here the CRC's range starts.
pub const ATTRIBUTES_AT: usize = 21;
/// Position of the last record's offset minus the base offset, four bytes.
pub const LAST_OFFSET_DELTA_AT: usize = 23;
/// Position of the timestamp that records count from, eight bytes, milliseconds.
pub const BASE_TIMESTAMP_AT: usize = 27;
/// Position of the largest timestamp, eight bytes, milliseconds.
pub const MAX_TIMESTAMP_AT: usize = 35;
/// Position of the producer id, eight bytes.
pub const PRODUCER_ID_AT: usize = 43;
/// Position of the producer epoch, two bytes.
pub const PRODUCER_EPOCH_AT: usize = 51;
/// Position of the first record's sequence, four bytes.
pub const BASE_SEQUENCE_AT: usize = 53;
/// Position of the number of records, four bytes.
pub const RECORD_COUNT_AT: usize = 57;

/// No producer id: the batch is neither idempotent nor transactional.
pub const NO_PRODUCER_ID: i64 = -1;
/// No producer epoch.
pub const NO_PRODUCER_EPOCH: i16 = -1;
/// No sequence.
pub const NO_SEQUENCE: i32 = -1;
/// No leader epoch.
pub const NO_EPOCH: i32 = -1;
/// No timestamp.
pub const NO_TIMESTAMP: i64 = -1;

/// What is wrong with a batch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// Fewer bytes than the header, or than the length field says.
    #[error("a batch of {needed} bytes in {have} bytes")]
    Incomplete {
        /// Bytes that the batch has.
        needed: usize,
        /// Bytes that are there.
        have: usize,
    },
    /// A length field below the least that a batch has.
    #[error("invalid batch length {0}")]
    InvalidLength(i32),
    /// A format other than magic 2.
    #[error("magic {0} is not supported")]
    UnsupportedMagic(i8),
    /// The bytes are not those that the CRC was made over.
    #[error("CRC {stated:08x} is stated, {computed:08x} computed")]
    CrcMismatch {
        /// The header's.
        stated: u32,
        /// That of the bytes.
        computed: u32,
    },
    /// A codec number from 5 to 7.
    #[error("unknown codec {0}")]
    UnknownCodec(i16),
    /// A record that is no record.
    #[error("record {index}: {reason}")]
    InvalidRecord {
        /// Its place in the batch, from 0.
        index: i32,
        /// What is wrong.
        reason: &'static str,
    },
    /// A record or a batch longer than the limits that the caller gave.
    #[error("more than {limit_bytes} bytes when decompressed")]
    TooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// The records do not decompress.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// A batch under construction got longer than its format can say.
    #[error("a batch of more than 2 GiB")]
    TooLong,
    /// The content of a control record cannot be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The content of a control record cannot be read.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// Where a batch's timestamps come from (`message.timestamp.type`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimestampType {
    /// From the producer.
    #[default]
    CreateTime,
    /// From the broker; the header's maximum counts for every record.
    LogAppendTime,
}

/// The attributes of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes(pub i16);

impl Attributes {
    pub(super) const LOG_APPEND_TIME: i16 = 1 << 3;
    pub(super) const TRANSACTIONAL: i16 = 1 << 4;
    pub(super) const CONTROL: i16 = 1 << 5;
    const DELETE_HORIZON: i16 = 1 << 6;

    /// The codec, or `None` for a number without one.
    pub fn codec(self) -> Option<Codec> {
        Codec::from_attributes(self.0)
    }

    /// Where the timestamps come from.
    pub fn timestamp_type(self) -> TimestampType {
        if self.0 & Self::LOG_APPEND_TIME != 0 {
            TimestampType::LogAppendTime
        } else {
            TimestampType::CreateTime
        }
    }

    /// Whether the batch is part of a transaction.
    pub fn is_transactional(self) -> bool {
        self.0 & Self::TRANSACTIONAL != 0
    }

    /// Whether its records are control records, which consumers do not see.
    pub fn is_control(self) -> bool {
        self.0 & Self::CONTROL != 0
    }

    /// The same with or without that flag of a delete horizon (KIP-534).
    pub(super) fn with_delete_horizon(self, on: bool) -> Self {
        Self(if on { self.0 | Self::DELETE_HORIZON } else { self.0 & !Self::DELETE_HORIZON })
    }

    /// Whether the base timestamp is a delete horizon (KIP-534).
    pub fn has_delete_horizon(self) -> bool {
        self.0 & Self::DELETE_HORIZON != 0
    }
}

/// The header of a batch, by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Offset of the first record; 0 in a produce request.
    pub base_offset: i64,
    /// Bytes of the batch after this field, at least 49.
    pub batch_length: i32,
    /// Epoch of the leader that appended it.
    pub leader_epoch: i32,
    /// The format, always 2.
    pub magic: i8,
    /// CRC-32C over everything from the attributes on.
    pub crc: u32,
    /// Codec and flags.
    pub attributes: Attributes,
    /// The last record's offset minus the base offset.
    pub last_offset_delta: i32,
    /// The timestamp that records count from, milliseconds.
    pub base_timestamp: i64,
    /// The largest timestamp, milliseconds, as stated.
    pub max_timestamp: i64,
    /// The producer, or -1.
    pub producer_id: i64,
    /// The producer's epoch, or -1.
    pub producer_epoch: i16,
    /// The first record's sequence, or -1.
    pub base_sequence: i32,
    /// How many records, as stated.
    pub record_count: i32,
}

impl BatchHeader {
    /// Reads the header of a batch of magic 2. Only the format and the length are checked; the batch may be cut.
    ///
    /// # Errors
    /// [`BatchError::Incomplete`], [`BatchError::UnsupportedMagic`] or [`BatchError::InvalidLength`].
    pub fn parse(bytes: &[u8]) -> Result<Self, BatchError> {
        let magic = bytes.get(MAGIC_AT).map(|magic| *magic as i8);
        if let Some(magic) = magic
            && magic != MAGIC
        {
            return Err(BatchError::UnsupportedMagic(magic));
        }
        let short = |_| BatchError::Incomplete { needed: HEADER_LEN, have: bytes.len() };
        let header = Self::read(&mut Reader::new(bytes)).map_err(short)?;
        if (header.batch_length as i64) < (HEADER_LEN - LOG_OVERHEAD) as i64 {
            return Err(BatchError::InvalidLength(header.batch_length));
        }
        Ok(header)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            base_offset: reader.i64()?,
            batch_length: reader.i32()?,
            leader_epoch: reader.i32()?,
            magic: reader.i8()?,
            crc: reader.u32()?,
            attributes: Attributes(reader.i16()?),
            last_offset_delta: reader.i32()?,
            base_timestamp: reader.i64()?,
            max_timestamp: reader.i64()?,
            producer_id: reader.i64()?,
            producer_epoch: reader.i16()?,
            base_sequence: reader.i32()?,
            record_count: reader.i32()?,
        })
    }

    /// The header as bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let mut rest = &mut bytes[..];
        let mut put = |field: &[u8]| {
            if let Some((head, tail)) = std::mem::take(&mut rest).split_at_mut_checked(field.len()) {
                head.copy_from_slice(field);
                rest = tail;
            }
        };
        put(&self.base_offset.to_be_bytes());
        put(&self.batch_length.to_be_bytes());
        put(&self.leader_epoch.to_be_bytes());
        put(&self.magic.to_be_bytes());
        put(&self.crc.to_be_bytes());
        put(&self.attributes.0.to_be_bytes());
        put(&self.last_offset_delta.to_be_bytes());
        put(&self.base_timestamp.to_be_bytes());
        put(&self.max_timestamp.to_be_bytes());
        put(&self.producer_id.to_be_bytes());
        put(&self.producer_epoch.to_be_bytes());
        put(&self.base_sequence.to_be_bytes());
        put(&self.record_count.to_be_bytes());
        bytes
    }

    /// Bytes of the whole batch.
    pub fn size_bytes(&self) -> usize {
        LOG_OVERHEAD + self.batch_length.max(0) as usize
    }

    /// Offset of the last record. Saturates where a hostile header would overflow.
    pub fn last_offset(&self) -> i64 {
        self.base_offset.saturating_add(i64::from(self.last_offset_delta))
    }

    /// Offset behind the last record.
    pub fn next_offset(&self) -> i64 {
        self.last_offset().saturating_add(1)
    }

    /// Sequence of the last record, or -1 if there is none.
    pub fn last_sequence(&self) -> i32 {
        if self.base_sequence == NO_SEQUENCE {
            NO_SEQUENCE
        } else {
            increment_sequence(self.base_sequence, self.last_offset_delta)
        }
    }

    /// Whether a producer with an id wrote it.
    pub fn has_producer_id(&self) -> bool {
        self.producer_id > NO_PRODUCER_ID
    }

    /// When its tombstones may go, milliseconds (KIP-534).
    pub fn delete_horizon_ms(&self) -> Option<i64> {
        self.attributes.has_delete_horizon().then_some(self.base_timestamp)
    }

    /// The codec of its records.
    ///
    /// # Errors
    /// [`BatchError::UnknownCodec`].
    pub fn codec(&self) -> Result<Codec, BatchError> {
        self.attributes.codec().ok_or(BatchError::UnknownCodec(self.attributes.0 & 7))
    }
}

/// The sequence `increment` records (0 or more) after `sequence`; after `i32::MAX` comes 0.
pub fn increment_sequence(sequence: i32, increment: i32) -> i32 {
    let sum = i64::from(sequence) + i64::from(increment);
    if sum > i64::from(i32::MAX) { (sum - (i64::from(i32::MAX) + 1)) as i32 } else { sum as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> BatchHeader {
        BatchHeader {
            base_offset: 7,
            batch_length: 49,
            leader_epoch: 3,
            magic: 2,
            crc: 0xdead_beef,
            attributes: Attributes(0x7c),
            last_offset_delta: 4,
            base_timestamp: 1000,
            max_timestamp: 2000,
            producer_id: 9,
            producer_epoch: 2,
            base_sequence: i32::MAX - 1,
            record_count: 5,
        }
    }

    #[test]
    fn a_header_comes_back_from_its_bytes() {
        let header = header();
        assert_eq!(BatchHeader::parse(&header.to_bytes()), Ok(header));
        assert_eq!((header.size_bytes(), header.last_offset(), header.next_offset()), (61, 11, 12));
        assert_eq!(header.last_sequence(), 2);
        assert_eq!(header.delete_horizon_ms(), Some(1000));
        assert_eq!(header.codec(), Ok(Codec::Zstd));
        let flags = header.attributes;
        assert!(flags.is_transactional() && flags.is_control() && flags.has_delete_horizon());
        assert_eq!(flags.timestamp_type(), TimestampType::LogAppendTime);
    }

    #[test]
    fn other_formats_and_short_bytes_are_told_apart() {
        let bytes = header().to_bytes();
        assert_eq!(BatchHeader::parse(&bytes[..60]), Err(BatchError::Incomplete { needed: 61, have: 60 }));
        assert_eq!(BatchHeader::parse(&[]), Err(BatchError::Incomplete { needed: 61, have: 0 }));
        let old = BatchHeader { magic: 1, ..header() };
        assert_eq!(BatchHeader::parse(&old.to_bytes()[..20]), Err(BatchError::UnsupportedMagic(1)));
        for batch_length in [48, 0, -1, i32::MIN] {
            let short = BatchHeader { batch_length, ..header() };
            assert_eq!(BatchHeader::parse(&short.to_bytes()), Err(BatchError::InvalidLength(batch_length)));
        }
        let hostile = BatchHeader { base_offset: i64::MAX, last_offset_delta: i32::MAX, ..header() };
        assert_eq!(hostile.next_offset(), i64::MAX);
    }

    #[test]
    fn sequences_wrap_to_zero() {
        assert_eq!(increment_sequence(0, 5), 5);
        assert_eq!(increment_sequence(i32::MAX, 1), 0);
        assert_eq!(increment_sequence(i32::MAX, i32::MAX), i32::MAX - 1);
        assert_eq!(BatchHeader { base_sequence: -1, ..header() }.last_sequence(), -1);
    }
}
