//! The time index of a segment (`<base offset>.timeindex`): an offset before which no record is as new as a timestamp.
//!
//! Owns the bytes of the entries and nothing else; no I/O. An entry (timestamp, offset) says that up to this offset no
//! timestamp is larger. Both rise. The bytes in memory are those of the file of a closed segment.

use super::index::{IndexError, not_rising, relative_offset};

/// Bytes of one entry: timestamp (64 bits) and relative offset (32 bits), big-endian.
pub const ENTRY_BYTES: usize = 12;

/// No timestamp, as Kafka writes it.
pub const NO_TIMESTAMP: i64 = -1;

/// A timestamp, and an offset up to which no timestamp is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampOffset {
    /// Milliseconds since 1970, or [`NO_TIMESTAMP`].
    pub timestamp_ms: i64,
    /// The last offset of the batch that brought the timestamp.
    pub offset: i64,
}

/// Look-ups over the bytes of a time index.
#[derive(Clone, Copy, Debug)]
pub struct TimeIndexView<'a> {
    base_offset: i64,
    entries: &'a [[u8; ENTRY_BYTES]],
    length: usize,
}

impl<'a> TimeIndexView<'a> {
    /// A view of a file's bytes; bytes after the last whole entry are not looked at.
    pub fn new(base_offset: i64, bytes: &'a [u8]) -> Self {
        let (entries, _) = bytes.as_chunks();
        Self { base_offset, entries, length: bytes.len() }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of this number, from 0.
    pub fn entry(&self, number: usize) -> Option<TimestampOffset> {
        self.entries.get(number).map(|entry| self.parse(entry))
    }

    /// The last entry.
    pub fn last(&self) -> Option<TimestampOffset> {
        self.entries.last().map(|entry| self.parse(entry))
    }

    /// All entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TimestampOffset> + use<'a> {
        let view = *self;
        view.entries.iter().map(move |entry| view.parse(entry))
    }

    /// The last entry whose timestamp is at or below the given one, else ([`NO_TIMESTAMP`], base offset). A record with
    /// a timestamp above it can only be at or after that entry's offset.
    pub fn lookup(&self, timestamp_ms: i64) -> TimestampOffset {
        let above = self.entries.partition_point(|entry| self.parse(entry).timestamp_ms <= timestamp_ms);
        above
            .checked_sub(1)
            .and_then(|number| self.entry(number))
            .unwrap_or(TimestampOffset { timestamp_ms: NO_TIMESTAMP, offset: self.base_offset })
    }

    /// Kafka's check: whole entries, the last one neither older than the first nor before the segment.
    pub fn sanity_check(&self) -> Result<(), IndexError> {
        if !self.length.is_multiple_of(ENTRY_BYTES) {
            return Err(IndexError::Length { length: self.length as u64, entry_bytes: ENTRY_BYTES as u64 });
        }
        let (Some(first), Some(last)) = (self.entry(0), self.last()) else {
            return Ok(());
        };
        if last.timestamp_ms < first.timestamp_ms {
            let (first_ms, last_ms) = (first.timestamp_ms, last.timestamp_ms);
            return Err(IndexError::TimestampsFall { first_ms, last_ms });
        }
        if last.offset < self.base_offset {
            let (last_offset, base_offset) = (last.offset, self.base_offset);
            return Err(IndexError::LastBelowBase { last_offset, base_offset });
        }
        Ok(())
    }

    /// The whole check: timestamps rise, offsets do not fall, and none is at or above `end_offset`.
    pub fn check_order(&self, end_offset: i64) -> Result<(), IndexError> {
        self.sanity_check()?;
        let mut previous: Option<TimestampOffset> = None;
        for (number, entry) in self.iter().enumerate() {
            if entry.offset >= end_offset {
                return Err(IndexError::OffsetOverflow {
                    offset: entry.offset,
                    base_offset: self.base_offset,
                });
            }
            if let Some(previous) = previous {
                if entry.timestamp_ms <= previous.timestamp_ms {
                    return Err(not_rising(number, entry.timestamp_ms, previous.timestamp_ms));
                }
                if entry.offset < previous.offset {
                    return Err(not_rising(number, entry.offset, previous.offset));
                }
            }
            previous = Some(entry);
        }
        Ok(())
    }

    fn parse(&self, entry: &[u8; ENTRY_BYTES]) -> TimestampOffset {
        let [t0, t1, t2, t3, t4, t5, t6, t7, o0, o1, o2, o3] = *entry;
        TimestampOffset {
            timestamp_ms: i64::from_be_bytes([t0, t1, t2, t3, t4, t5, t6, t7]),
            offset: self.base_offset.wrapping_add(i64::from(i32::from_be_bytes([o0, o1, o2, o3]))),
        }
    }
}

/// The time index of a segment that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeIndex {
    base_offset: i64,
    bytes: Vec<u8>,
}

impl TimeIndex {
    /// The empty index of a segment.
    pub fn new(base_offset: i64) -> Self {
        Self { base_offset, bytes: Vec::new() }
    }

    /// The index in a file's bytes, after Kafka's check.
    pub fn from_bytes(base_offset: i64, bytes: &[u8]) -> Result<Self, IndexError> {
        TimeIndexView::new(base_offset, bytes).sanity_check()?;
        Ok(Self { base_offset, bytes: bytes.to_vec() })
    }

    /// Look-ups.
    pub fn view(&self) -> TimeIndexView<'_> {
        TimeIndexView::new(self.base_offset, &self.bytes)
    }

    /// The base offset of the segment.
    pub fn base_offset(&self) -> i64 {
        self.base_offset
    }

    /// Adds an entry if the timestamp is above the last one's; answers whether it did. The offset must not fall, and
    /// neither may the timestamp.
    pub fn maybe_append(&mut self, timestamp_ms: i64, offset: i64) -> Result<bool, IndexError> {
        let overflow = IndexError::OffsetOverflow { offset, base_offset: self.base_offset };
        let relative = relative_offset(self.base_offset, offset).ok_or(overflow)?;
        let last = self.last();
        if let Some(last) = last {
            if offset < last.offset {
                return Err(not_rising(self.len(), offset, last.offset));
            }
            if timestamp_ms < last.timestamp_ms {
                return Err(not_rising(self.len(), timestamp_ms, last.timestamp_ms));
            }
        }
        if timestamp_ms <= last.map_or(NO_TIMESTAMP, |last| last.timestamp_ms) {
            return Ok(false);
        }
        self.bytes.extend_from_slice(&timestamp_ms.to_be_bytes());
        self.bytes.extend_from_slice(&relative.to_be_bytes());
        Ok(true)
    }

    /// Removes the entries at and above `offset`.
    pub fn truncate_to(&mut self, offset: i64) {
        let kept = self.view().entries.partition_point(|entry| self.view().parse(entry).offset < offset);
        self.bytes.truncate(kept * ENTRY_BYTES);
    }

    /// Removes every entry.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The bytes of the file when the segment is closed: Kafka's, trimmed to the entries.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes of the file.
    pub fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY_BYTES
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The last entry.
    pub fn last(&self) -> Option<TimestampOffset> {
        self.view().last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(i64, i64)]) -> TimeIndex {
        let mut index = TimeIndex::new(100);
        for (timestamp_ms, offset) in entries {
            assert_eq!(index.maybe_append(*timestamp_ms, *offset), Ok(true));
        }
        index
    }

    #[test]
    fn a_lookup_gives_the_entry_at_or_below_and_else_none_at_the_beginning() {
        let index = index(&[(1000, 110), (2000, 120)]);
        let at = |timestamp_ms| {
            let found = index.view().lookup(timestamp_ms);
            (found.timestamp_ms, found.offset)
        };
        assert_eq!(at(999), (NO_TIMESTAMP, 100));
        assert_eq!(at(1000), (1000, 110));
        assert_eq!(at(1999), (1000, 110));
        assert_eq!(at(i64::MAX), (2000, 120));
    }

    #[test]
    fn an_entry_is_added_only_when_the_timestamp_grew() {
        let mut index = index(&[(1000, 110)]);
        assert_eq!(index.maybe_append(1000, 110), Ok(false));
        assert_eq!(index.maybe_append(1000, 115), Ok(false));
        assert_eq!(index.maybe_append(999, 115), Err(not_rising(1, 999, 1000)));
        assert_eq!(index.maybe_append(1001, 109), Err(not_rising(1, 109, 110)));
        assert_eq!(index.maybe_append(1001, 110), Ok(true));
        assert_eq!(TimeIndex::new(0).maybe_append(NO_TIMESTAMP, 0), Ok(false), "records without a time");
    }

    #[test]
    fn truncation_goes_by_offset() {
        for (offset, left) in [(100, 0), (110, 0), (111, 1), (120, 1), (121, 2)] {
            let mut index = index(&[(1000, 110), (2000, 120)]);
            index.truncate_to(offset);
            assert_eq!(index.len(), left, "truncated to {offset}");
        }
    }

    #[test]
    fn a_torn_or_zeroed_file_is_found() {
        let good = index(&[(1000, 110), (2000, 120)]);
        assert_eq!(TimeIndex::from_bytes(100, good.as_bytes()), Ok(good.clone()));
        assert!(matches!(
            TimeIndex::from_bytes(100, &good.as_bytes()[..23]),
            Err(IndexError::Length { length: 23, entry_bytes: 12 })
        ));
        let mut zeroed = good.as_bytes().to_vec();
        zeroed.extend([0; 12]);
        assert!(matches!(
            TimeIndex::from_bytes(100, &zeroed),
            Err(IndexError::TimestampsFall { first_ms: 1000, last_ms: 0 })
        ));
        assert_eq!(good.view().check_order(121), Ok(()));
        assert!(good.view().check_order(120).is_err());
    }
}
