//! The producers of a partition as a file (`<end offset>.snapshot`), version 1, as Kafka writes it.
//!
//! Values only, no I/O. A version (16 bits), a CRC-32C over what follows it, a number of entries, the entries, all
//! big-endian. It keeps only the last batch of each producer.

use thiserror::Error;

use crate::protocol::{DecodeError, Reader};

/// The only version.
const VERSION: i16 = 1;

/// Where the checked bytes begin: behind the version and the CRC.
const CHECKED_AT: usize = 6;

/// Bytes of one entry.
const ENTRY_BYTES: usize = 46;

/// Why a snapshot is refused. The one before it can be used instead, and the log replayed from there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SnapshotError {
    /// A version that is not known.
    #[error("Snapshot contained an unknown file version {0}")]
    Version(i16),
    /// The file ends too early, or goes on behind its entries.
    #[error("Snapshot failed schema validation: {0}")]
    Malformed(#[from] DecodeError),
    /// The stated number of entries is not there.
    #[error("Snapshot failed schema validation: {stated} entries stated, {bytes} bytes there")]
    Count {
        /// What the file states.
        stated: i32,
        /// Bytes that are left for them.
        bytes: usize,
    },
    /// The bytes were damaged.
    #[error("Snapshot is corrupt (CRC is no longer valid). Stored crc: {stored}. Computed crc: {computed}")]
    Crc {
        /// The CRC in the file.
        stored: u32,
        /// That of its bytes.
        computed: u32,
    },
}

/// One producer in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotEntry {
    /// The producer's id.
    pub producer_id: i64,
    /// Its epoch.
    pub producer_epoch: i16,
    /// The sequence of its last record, or -1.
    pub last_sequence: i32,
    /// The offset of its last record, or -1.
    pub last_offset: i64,
    /// The last offset of its last batch minus the first.
    pub offset_delta: i32,
    /// The largest timestamp of its last batch or marker, milliseconds.
    pub timestamp_ms: i64,
    /// The epoch of the coordinator that wrote its last marker, or -1.
    pub coordinator_epoch: i32,
    /// The first offset of its ongoing transaction, or -1.
    pub transaction_first_offset: i64,
}

/// The file.
pub fn encode(entries: impl ExactSizeIterator<Item = SnapshotEntry>) -> Vec<u8> {
    let mut checked = Vec::with_capacity(4 + entries.len() * ENTRY_BYTES);
    // More than 2^31 producers would need more memory than any shard has.
    let count = i32::try_from(entries.len()).unwrap_or(i32::MAX);
    checked.extend_from_slice(&count.to_be_bytes());
    for entry in entries {
        checked.extend_from_slice(&entry.producer_id.to_be_bytes());
        checked.extend_from_slice(&entry.producer_epoch.to_be_bytes());
        checked.extend_from_slice(&entry.last_sequence.to_be_bytes());
        checked.extend_from_slice(&entry.last_offset.to_be_bytes());
        checked.extend_from_slice(&entry.offset_delta.to_be_bytes());
        checked.extend_from_slice(&entry.timestamp_ms.to_be_bytes());
        checked.extend_from_slice(&entry.coordinator_epoch.to_be_bytes());
        checked.extend_from_slice(&entry.transaction_first_offset.to_be_bytes());
    }
    let crc = crc32c::crc32c(&checked);
    [&VERSION.to_be_bytes()[..], &crc.to_be_bytes(), &checked].concat()
}

/// The entries of a file, in its order.
pub fn decode(bytes: &[u8]) -> Result<Vec<SnapshotEntry>, SnapshotError> {
    let mut reader = Reader::new(bytes);
    let version = reader.i16()?;
    if version != VERSION {
        return Err(SnapshotError::Version(version));
    }
    let stored = reader.u32()?;
    let computed = crc32c::crc32c(bytes.get(CHECKED_AT..).unwrap_or_default());
    if stored != computed {
        return Err(SnapshotError::Crc { stored, computed });
    }
    let stated = reader.i32()?;
    let count = usize::try_from(stated).ok().filter(|count| *count <= reader.remaining() / ENTRY_BYTES);
    let count = count.ok_or(SnapshotError::Count { stated, bytes: reader.remaining() })?;
    let entries = (0..count).map(|_| read_entry(&mut reader)).collect::<Result<Vec<_>, _>>()?;
    reader.finish()?;
    Ok(entries)
}

fn read_entry(reader: &mut Reader<'_>) -> Result<SnapshotEntry, DecodeError> {
    Ok(SnapshotEntry {
        producer_id: reader.i64()?,
        producer_epoch: reader.i16()?,
        last_sequence: reader.i32()?,
        last_offset: reader.i64()?,
        offset_delta: reader.i32()?,
        timestamp_ms: reader.i64()?,
        coordinator_epoch: reader.i32()?,
        transaction_first_offset: reader.i64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(producer_id: i64) -> SnapshotEntry {
        SnapshotEntry {
            producer_id,
            producer_epoch: 2,
            last_sequence: 3,
            last_offset: 4,
            offset_delta: 1,
            timestamp_ms: 5,
            coordinator_epoch: -1,
            transaction_first_offset: -1,
        }
    }

    #[test]
    fn written_and_read_back() {
        for count in 0..3 {
            let entries: Vec<_> = (0..count).map(entry).collect();
            let bytes = encode(entries.clone().into_iter());
            assert_eq!(bytes.len(), 10 + entries.len() * ENTRY_BYTES);
            assert_eq!(decode(&bytes), Ok(entries));
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let good = encode([entry(1), entry(2)].into_iter());
        for at in 0..good.len() {
            assert!(decode(&good[..at]).is_err(), "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(decode(&bad).is_err(), "byte {at}");
        }
        assert!(matches!(decode(&[0, 2, 0, 0]), Err(SnapshotError::Version(2))));
    }

    #[test]
    fn a_stated_number_is_never_trusted_with_memory() {
        let mut bytes = encode([].into_iter());
        bytes[CHECKED_AT..].copy_from_slice(&i32::MAX.to_be_bytes());
        let crc = crc32c::crc32c(&bytes[CHECKED_AT..]);
        bytes[2..6].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(decode(&bytes), Err(SnapshotError::Count { stated: i32::MAX, bytes: 0 }));
    }
}
