//! The journal's bytes: the file header, group headers, entries. Pure code.
//!
//! A journal file is a block with the file header, then the circle. A group is one write: a header, entries one
//! behind the other, zeros up to a block's end. All numbers are little-endian. A group names its journal, lap,
//! sequence and place inside its CRC, so that an old lap, a copied block or another journal is never taken for it
//! (law 6).

use crate::protocol::Uuid;
use crate::runtime::BLOCK;

/// Version of the file and of the groups.
pub const VERSION: u16 = 1;
/// Bytes of a group's header.
pub const GROUP_HEADER_BYTES: usize = 96;
/// Bytes of an entry in front of its data.
pub const ENTRY_HEADER_BYTES: usize = 72;
/// Where the circle begins.
pub const CIRCLE_START: u64 = BLOCK as u64;

const FILE_MAGIC: u64 = u64::from_le_bytes(*b"MILLRACJ");
const GROUP_MAGIC: u32 = u32::from_le_bytes(*b"MRJG");

/// The first block of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHeader {
    /// Random name of this journal; groups of another are not its own.
    pub journal_id: u128,
    /// The shard that made it.
    pub shard: u16,
}

/// In front of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupHeader {
    /// The journal it belongs to.
    pub journal_id: u128,
    /// How often the circle had closed before.
    pub lap: u64,
    /// Number of the group, from 1, without gaps.
    pub sequence: u64,
    /// Where in the file it stands.
    pub offset: u64,
    /// The first group that is still needed.
    pub oldest_sequence: u64,
    /// Bytes of the entries.
    pub body_bytes: u32,
    /// Number of entries.
    pub entries: u32,
    /// CRC32C of the entries.
    pub body_crc: u32,
    /// The writer did not flush: a power cut may have torn anything, and bytes that are not there were not promised.
    pub unflushed: bool,
    /// How many groups may be under way at once.
    pub in_flight: u8,
}

/// Which log an entry is about (law 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The topic's id.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The log's incarnation, fresh at creation.
    pub incarnation: u64,
}

/// What an entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The data stands at `position` of the segment; the durable end is behind it.
    Append,
    /// The durable end is `position`, of bytes that went straight to the segment.
    Extent,
    /// The log was cut: it ends at `position` of segment `base_offset`, and goes on in a new segment `end_offset`.
    Truncate,
    /// The log was emptied and goes on at `end_offset`.
    Restart,
    /// The log starts at `end_offset`.
    LogStart,
    /// The log came from another shard, sealed: the durable end is `position`.
    Move,
    /// The segment was sealed with the length `position`.
    Seal,
    /// The log was deleted.
    Delete,
    /// The segments from `base_offset` up to `end_offset` are exact in their files, whatever was said before:
    /// compaction is about to put one in their place.
    Compact,
}

impl Kind {
    fn number(self) -> u8 {
        match self {
            Self::Append => 1,
            Self::Extent => 2,
            Self::Truncate => 3,
            Self::LogStart => 4,
            Self::Move => 5,
            Self::Seal => 6,
            Self::Delete => 7,
            Self::Restart => 8,
            Self::Compact => 9,
        }
    }

    fn of(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Append,
            2 => Self::Extent,
            3 => Self::Truncate,
            4 => Self::LogStart,
            5 => Self::Move,
            6 => Self::Seal,
            7 => Self::Delete,
            8 => Self::Restart,
            9 => Self::Compact,
            _ => return None,
        })
    }
}

/// An entry without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it says.
    pub kind: Kind,
    /// About which log.
    pub identity: Identity,
    /// How often the log had moved between shards.
    pub owner_epoch: u32,
    /// The segment.
    pub base_offset: i64,
    /// A position in the segment; see [`Kind`].
    pub position: u64,
    /// The log end offset at the durable end, or the offset that the kind names.
    pub end_offset: i64,
    /// Up to here the segment's file is durable without the journal.
    pub flushed: u64,
}

/// A fault in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Too short.
    #[error("cut short")]
    Short,
    /// Not what should stand here, or its CRC is wrong.
    #[error("not a header of this journal")]
    NotOurs,
    /// Written by a later version.
    #[error("version {0} is not known")]
    Version(u16),
    /// An entry's kind is unknown.
    #[error("entry kind {0} is not known")]
    Kind(u8),
}

struct Put<'a>(&'a mut [u8], usize);

impl Put<'_> {
    fn put(&mut self, bytes: &[u8]) {
        if let Some(target) = self.0.get_mut(self.1..self.1 + bytes.len()) {
            target.copy_from_slice(bytes);
        }
        self.1 += bytes.len();
    }
}

struct Get<'a>(&'a [u8]);

impl Get<'_> {
    fn get<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(FormatError::Short)?;
        self.0 = rest;
        Ok(*head)
    }
    fn u16(&mut self) -> Result<u16, FormatError> {
        self.get().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Result<u32, FormatError> {
        self.get().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Result<u64, FormatError> {
        self.get().map(u64::from_le_bytes)
    }
    fn i64(&mut self) -> Result<i64, FormatError> {
        self.get().map(i64::from_le_bytes)
    }
}

impl FileHeader {
    const BYTES: usize = 8 + 2 + 2 + 16 + 4;

    /// The whole first block.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut block = vec![0; BLOCK];
        let mut put = Put(&mut block, 0);
        put.put(&FILE_MAGIC.to_le_bytes());
        put.put(&VERSION.to_le_bytes());
        put.put(&self.shard.to_le_bytes());
        put.put(&self.journal_id.to_le_bytes());
        let crc = crc32c::crc32c(block.get(..Self::BYTES - 4).unwrap_or_default());
        Put(&mut block, Self::BYTES - 4).put(&crc.to_le_bytes());
        block
    }

    /// Reads it from the front of `bytes`.
    pub fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        let covered = bytes.get(..Self::BYTES - 4).ok_or(FormatError::Short)?;
        let mut get = Get(bytes);
        if get.u64()? != FILE_MAGIC {
            return Err(FormatError::NotOurs);
        }
        let version = get.u16()?;
        let shard = get.u16()?;
        let journal_id = u128::from_le_bytes(get.get()?);
        if get.u32()? != crc32c::crc32c(covered) {
            return Err(FormatError::NotOurs);
        }
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        Ok(Self { journal_id, shard })
    }
}

impl GroupHeader {
    /// Bytes of the whole group on disk, padding included.
    #[must_use]
    pub fn padded_bytes(&self) -> u64 {
        padded(self.body_bytes as usize)
    }

    /// The header's bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; GROUP_HEADER_BYTES] {
        let mut bytes = [0; GROUP_HEADER_BYTES];
        let mut put = Put(&mut bytes, 0);
        put.put(&GROUP_MAGIC.to_le_bytes());
        put.put(&VERSION.to_le_bytes());
        put.put(&[u8::from(self.unflushed), self.in_flight]);
        put.put(&self.journal_id.to_le_bytes());
        put.put(&self.lap.to_le_bytes());
        put.put(&self.sequence.to_le_bytes());
        put.put(&self.offset.to_le_bytes());
        put.put(&self.oldest_sequence.to_le_bytes());
        put.put(&self.body_bytes.to_le_bytes());
        put.put(&self.entries.to_le_bytes());
        put.put(&self.body_crc.to_le_bytes());
        let crc = crc32c::crc32c(bytes.get(..GROUP_HEADER_BYTES - 4).unwrap_or_default());
        Put(&mut bytes, GROUP_HEADER_BYTES - 4).put(&crc.to_le_bytes());
        bytes
    }

    /// Reads it from the front of `bytes`.
    pub fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        let covered = bytes.get(..GROUP_HEADER_BYTES - 4).ok_or(FormatError::Short)?;
        let mut get = Get(bytes);
        if get.u32()? != GROUP_MAGIC {
            return Err(FormatError::NotOurs);
        }
        let crc = bytes.get(GROUP_HEADER_BYTES - 4..GROUP_HEADER_BYTES).ok_or(FormatError::Short)?;
        if crc != crc32c::crc32c(covered).to_le_bytes() {
            return Err(FormatError::NotOurs);
        }
        let version = get.u16()?;
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        let [unflushed, in_flight] = get.get()?;
        Ok(Self {
            unflushed: unflushed != 0,
            in_flight,
            journal_id: u128::from_le_bytes(get.get()?),
            lap: get.u64()?,
            sequence: get.u64()?,
            offset: get.u64()?,
            oldest_sequence: get.u64()?,
            body_bytes: get.u32()?,
            entries: get.u32()?,
            body_crc: get.u32()?,
        })
    }
}

/// Bytes on disk of a group with a body of `body_bytes`.
#[must_use]
pub fn padded(body_bytes: usize) -> u64 {
    (GROUP_HEADER_BYTES + body_bytes).next_multiple_of(BLOCK) as u64
}

impl Entry {
    /// The bytes in front of `data_bytes` bytes of data.
    #[must_use]
    pub fn encode(&self, data_bytes: u32) -> [u8; ENTRY_HEADER_BYTES] {
        let mut bytes = [0; ENTRY_HEADER_BYTES];
        let mut put = Put(&mut bytes, 0);
        put.put(&[self.kind.number(), 1, 0, 0]);
        put.put(&data_bytes.to_le_bytes());
        put.put(&self.identity.topic_id.0);
        put.put(&self.identity.partition.to_le_bytes());
        put.put(&self.owner_epoch.to_le_bytes());
        put.put(&self.identity.incarnation.to_le_bytes());
        put.put(&self.base_offset.to_le_bytes());
        put.put(&self.position.to_le_bytes());
        put.put(&self.end_offset.to_le_bytes());
        put.put(&self.flushed.to_le_bytes());
        bytes
    }

    /// Reads the entry at the front of `bytes`: the entry, its data, and the rest.
    pub fn decode(bytes: &[u8]) -> Result<(Self, &[u8], &[u8]), FormatError> {
        let (head, rest) = bytes.split_at_checked(ENTRY_HEADER_BYTES).ok_or(FormatError::Short)?;
        let mut get = Get(head);
        let [kind, version, _, _] = get.get()?;
        if version != 1 {
            return Err(FormatError::Version(u16::from(version)));
        }
        let data_bytes = get.u32()? as usize;
        let topic_id = Uuid(get.get()?);
        let partition = i32::from_le_bytes(get.get()?);
        let owner_epoch = get.u32()?;
        let incarnation = get.u64()?;
        let entry = Self {
            kind: Kind::of(kind).ok_or(FormatError::Kind(kind))?,
            identity: Identity { topic_id, partition, incarnation },
            owner_epoch,
            base_offset: get.i64()?,
            position: get.u64()?,
            end_offset: get.i64()?,
            flushed: get.u64()?,
        };
        let (data, rest) = rest.split_at_checked(data_bytes).ok_or(FormatError::Short)?;
        Ok((entry, data, rest))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kinds() -> impl Strategy<Value = Kind> {
        (1u8..=9).prop_map(|number| Kind::of(number).unwrap())
    }

    prop_compose! {
        fn entries()(kind in kinds(), topic in any::<[u8; 16]>(), partition in any::<i32>(), incarnation in any::<u64>(),
            owner_epoch in any::<u32>(), base_offset in any::<i64>(), position in any::<u64>(),
            end_offset in any::<i64>(), flushed in any::<u64>()) -> Entry {
            let identity = Identity { topic_id: Uuid(topic), partition, incarnation };
            Entry { kind, identity, owner_epoch, base_offset, position, end_offset, flushed }
        }
    }

    prop_compose! {
        fn headers()(journal_id in any::<u128>(), lap in any::<u64>(), sequence in any::<u64>(), offset in any::<u64>(),
            oldest_sequence in any::<u64>(), body_bytes in any::<u32>(), entries in any::<u32>(),
            body_crc in any::<u32>(), unflushed in any::<bool>(), in_flight in any::<u8>()) -> GroupHeader {
            GroupHeader { journal_id, lap, sequence, offset, oldest_sequence, body_bytes, entries, body_crc, unflushed, in_flight }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(header in headers(), list in prop::collection::vec((entries(), prop::collection::vec(any::<u8>(), 0..200)), 0..8)) {
            prop_assert_eq!(GroupHeader::decode(&header.encode()), Ok(header));
            let mut body = Vec::new();
            for (entry, data) in &list {
                body.extend_from_slice(&entry.encode(data.len() as u32));
                body.extend_from_slice(data);
            }
            let mut rest = &body[..];
            for (entry, data) in &list {
                let (got, got_data, left) = Entry::decode(rest).unwrap();
                prop_assert_eq!(&got, entry);
                prop_assert_eq!(got_data, &data[..]);
                rest = left;
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn a_flipped_bit_is_seen(header in headers(), bit in 0usize..GROUP_HEADER_BYTES * 8) {
            let mut bytes = header.encode();
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(GroupHeader::decode(&bytes), Err(FormatError::NotOurs));
        }

        #[test]
        fn any_bytes_give_an_error_not_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = GroupHeader::decode(&bytes);
            let _ = FileHeader::decode(&bytes);
            let _ = Entry::decode(&bytes);
        }
    }

    #[test]
    fn the_file_header_is_one_block() {
        let header = FileHeader { journal_id: 77, shard: 3 };
        let block = header.encode();
        assert_eq!(block.len(), BLOCK);
        assert_eq!(FileHeader::decode(&block), Ok(header));
    }
}
