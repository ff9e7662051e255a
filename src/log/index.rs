//! The offset index of a segment (`<base offset>.index`): which file position to start at for an offset.
//!
//! Owns the bytes of the entries and nothing else; no I/O. Entries rise in offset and in position. A view looks up in
//! bytes that came from a file, the growable index keeps its entries as those same bytes, so that the file of a closed
//! segment is this memory as it is. At most 2^31 / interval entries, as a segment holds at most 2^31 - 1 bytes.

use thiserror::Error;

/// Bytes of one entry: relative offset and position, both 32 bits, big-endian.
pub const ENTRY_BYTES: usize = 8;

/// Where a batch lies in its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetPosition {
    /// The last offset of the batch.
    pub offset: i64,
    /// The position of the batch's first byte in the segment file.
    pub position: u32,
}

/// Why the bytes of an index, or an entry for it, are refused. Shared by the three indexes of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IndexError {
    /// The file is not a whole number of entries.
    #[error("length {length} is no multiple of {entry_bytes}")]
    Length {
        /// Bytes of the file.
        length: u64,
        /// Bytes of an entry.
        entry_bytes: u64,
    },
    /// The last entry lies before the segment.
    #[error("last offset {last_offset} is less than the base offset {base_offset}")]
    LastBelowBase {
        /// The last entry's offset.
        last_offset: i64,
        /// The segment's base offset.
        base_offset: i64,
    },
    /// The last timestamp is older than the first.
    #[error("last timestamp {last_ms} is less than the first timestamp {first_ms}")]
    TimestampsFall {
        /// The first entry's timestamp.
        first_ms: i64,
        /// The last entry's timestamp.
        last_ms: i64,
    },
    /// An entry does not rise above the one before it.
    #[error("entry {entry} ({value}) does not rise above the entry before it ({previous})")]
    NotRising {
        /// Number of the entry.
        entry: usize,
        /// Its offset, position or timestamp.
        value: i64,
        /// The same of the entry before it.
        previous: i64,
    },
    /// An entry points behind the end of the segment.
    #[error("entry {entry} points to byte {position}, the log has {log_bytes}")]
    PastLog {
        /// Number of the entry.
        entry: usize,
        /// The position it gives.
        position: u32,
        /// Bytes of the segment.
        log_bytes: u64,
    },
    /// The offset cannot be stored relative to the segment's base offset: the segment has to roll first.
    #[error("offset {offset} does not fit an index with base offset {base_offset}")]
    OffsetOverflow {
        /// The offset to store.
        offset: i64,
        /// The segment's base offset.
        base_offset: i64,
    },
    /// An entry of a version that is not known.
    #[error("entry {entry} has the unknown version {version}")]
    Version {
        /// Number of the entry.
        entry: usize,
        /// Its version.
        version: i16,
    },
}

/// The offset as an index stores it, or `None` if it does not fit: then the segment has to roll before it.
pub fn relative_offset(base_offset: i64, offset: i64) -> Option<u32> {
    let relative = offset.checked_sub(base_offset)?;
    i32::try_from(relative).ok().and_then(|relative| u32::try_from(relative).ok())
}

/// Look-ups over the bytes of an offset index.
#[derive(Clone, Copy, Debug)]
pub struct OffsetIndexView<'a> {
    base_offset: i64,
    entries: &'a [[u8; ENTRY_BYTES]],
    length: usize,
}

impl<'a> OffsetIndexView<'a> {
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
    pub fn entry(&self, number: usize) -> Option<OffsetPosition> {
        self.entries.get(number).map(|entry| self.parse(entry))
    }

    /// The last entry.
    pub fn last(&self) -> Option<OffsetPosition> {
        self.entries.last().map(|entry| self.parse(entry))
    }

    /// All entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = OffsetPosition> + use<'a> {
        let view = *self;
        view.entries.iter().map(move |entry| view.parse(entry))
    }

    /// Where to start to look for `offset`: the last entry at or below it, else the segment's beginning.
    pub fn lookup(&self, offset: i64) -> OffsetPosition {
        let above = self.entries.partition_point(|entry| self.parse(entry).offset <= offset);
        above
            .checked_sub(1)
            .and_then(|number| self.entry(number))
            .unwrap_or(OffsetPosition { offset: self.base_offset, position: 0 })
    }

    /// An entry that lies certainly outside a read of `max_bytes` from `start_position`, the first of them.
    pub fn fetch_upper_bound(&self, start_position: u32, max_bytes: u32) -> Option<OffsetPosition> {
        let end = u64::from(start_position) + u64::from(max_bytes);
        self.entry(self.entries.partition_point(|entry| u64::from(self.parse(entry).position) < end))
    }

    /// Kafka's check at start: whole entries, and the last one not before the segment.
    pub fn sanity_check(&self) -> Result<(), IndexError> {
        if !self.length.is_multiple_of(ENTRY_BYTES) {
            return Err(IndexError::Length { length: self.length as u64, entry_bytes: ENTRY_BYTES as u64 });
        }
        match self.last() {
            Some(OffsetPosition { offset, .. }) if offset < self.base_offset => {
                Err(IndexError::LastBelowBase { last_offset: offset, base_offset: self.base_offset })
            }
            _ => Ok(()),
        }
    }

    /// The whole check: every entry rises above the one before it and points into a log of `log_bytes`. It finds what
    /// [`Self::sanity_check`] cannot: entries of zeros at the end, as a crash leaves them.
    pub fn check_order(&self, log_bytes: u64) -> Result<(), IndexError> {
        self.sanity_check()?;
        let mut previous: Option<OffsetPosition> = None;
        for (number, entry) in self.iter().enumerate() {
            if u64::from(entry.position) >= log_bytes {
                return Err(IndexError::PastLog { entry: number, position: entry.position, log_bytes });
            }
            if let Some(previous) = previous {
                if entry.offset <= previous.offset {
                    return Err(not_rising(number, entry.offset, previous.offset));
                }
                if entry.position <= previous.position {
                    return Err(not_rising(number, entry.position.into(), previous.position.into()));
                }
            }
            previous = Some(entry);
        }
        Ok(())
    }

    fn parse(&self, entry: &[u8; ENTRY_BYTES]) -> OffsetPosition {
        let [o0, o1, o2, o3, p0, p1, p2, p3] = *entry;
        OffsetPosition {
            offset: self.base_offset.wrapping_add(i64::from(i32::from_be_bytes([o0, o1, o2, o3]))),
            position: u32::from_be_bytes([p0, p1, p2, p3]),
        }
    }
}

pub(crate) fn not_rising(entry: usize, value: i64, previous: i64) -> IndexError {
    IndexError::NotRising { entry, value, previous }
}

/// The offset index of a segment that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetIndex {
    base_offset: i64,
    bytes: Vec<u8>,
}

impl OffsetIndex {
    /// The empty index of a segment.
    pub fn new(base_offset: i64) -> Self {
        Self { base_offset, bytes: Vec::new() }
    }

    /// The index in a file's bytes, after Kafka's check.
    pub fn from_bytes(base_offset: i64, bytes: &[u8]) -> Result<Self, IndexError> {
        OffsetIndexView::new(base_offset, bytes).sanity_check()?;
        Ok(Self { base_offset, bytes: bytes.to_vec() })
    }

    /// Look-ups.
    pub fn view(&self) -> OffsetIndexView<'_> {
        OffsetIndexView::new(self.base_offset, &self.bytes)
    }

    /// The base offset of the segment.
    pub fn base_offset(&self) -> i64 {
        self.base_offset
    }

    /// Adds an entry: the last offset of a batch and the batch's position. Both must rise.
    pub fn append(&mut self, offset: i64, position: u32) -> Result<(), IndexError> {
        let overflow = IndexError::OffsetOverflow { offset, base_offset: self.base_offset };
        let relative = relative_offset(self.base_offset, offset).ok_or(overflow)?;
        if let Some(last) = self.last() {
            if offset <= last.offset {
                return Err(not_rising(self.len(), offset, last.offset));
            }
            if position <= last.position {
                return Err(not_rising(self.len(), position.into(), last.position.into()));
            }
        }
        self.bytes.extend_from_slice(&relative.to_be_bytes());
        self.bytes.extend_from_slice(&position.to_be_bytes());
        Ok(())
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
    pub fn last(&self) -> Option<OffsetPosition> {
        self.view().last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(i64, u32)]) -> OffsetIndex {
        let mut index = OffsetIndex::new(100);
        for (offset, position) in entries {
            index.append(*offset, *position).unwrap();
        }
        index
    }

    #[test]
    fn a_lookup_gives_the_entry_at_or_below_and_else_the_beginning() {
        let index = index(&[(110, 500), (120, 1000), (130, 1500)]);
        let view = index.view();
        assert_eq!(view.lookup(99), OffsetPosition { offset: 100, position: 0 });
        assert_eq!(view.lookup(109), OffsetPosition { offset: 100, position: 0 });
        assert_eq!(view.lookup(110), OffsetPosition { offset: 110, position: 500 });
        assert_eq!(view.lookup(129), OffsetPosition { offset: 120, position: 1000 });
        assert_eq!(view.lookup(i64::MAX), OffsetPosition { offset: 130, position: 1500 });
    }

    #[test]
    fn a_fetch_is_bounded_by_the_first_entry_behind_it() {
        let index = index(&[(110, 500), (120, 1000), (130, 1500)]);
        assert_eq!(index.view().fetch_upper_bound(0, 500).map(|e| e.offset), Some(110));
        assert_eq!(index.view().fetch_upper_bound(0, 501).map(|e| e.offset), Some(120));
        assert_eq!(index.view().fetch_upper_bound(1500, 1), None);
        assert_eq!(index.view().fetch_upper_bound(u32::MAX, u32::MAX), None);
    }

    #[test]
    fn truncation_removes_the_entry_of_that_offset_and_those_above() {
        for (offset, left) in [(100, 0), (110, 0), (111, 1), (120, 1), (125, 2), (131, 3)] {
            let mut index = index(&[(110, 500), (120, 1000), (130, 1500)]);
            index.truncate_to(offset);
            assert_eq!(index.len(), left, "truncated to {offset}");
            assert_eq!(index.as_bytes().len(), left * ENTRY_BYTES);
        }
    }

    #[test]
    fn entries_must_rise_and_fit() {
        let mut index = index(&[(110, 500)]);
        assert_eq!(index.append(110, 600), Err(not_rising(1, 110, 110)));
        assert_eq!(index.append(111, 500), Err(not_rising(1, 500, 500)));
        let far = 101 + i64::from(i32::MAX);
        assert_eq!(index.append(far, 600), Err(IndexError::OffsetOverflow { offset: far, base_offset: 100 }));
        assert!(index.append(99, 600).is_err());
        assert_eq!(index.append(far - 1, 600), Ok(()));
        assert_eq!(relative_offset(0, i64::MAX), None);
        assert_eq!(relative_offset(i64::MIN, i64::MAX), None);
    }

    #[test]
    fn a_torn_or_zeroed_file_is_found() {
        let good = index(&[(110, 500), (120, 1000)]);
        assert_eq!(OffsetIndex::from_bytes(100, good.as_bytes()), Ok(good.clone()));
        let mut torn = good.as_bytes().to_vec();
        torn.push(0);
        let error = OffsetIndex::from_bytes(100, &torn).unwrap_err();
        assert_eq!(error, IndexError::Length { length: 17, entry_bytes: 8 });
        assert_eq!(good.view().check_order(1001), Ok(()));
        assert!(matches!(good.view().check_order(1000), Err(IndexError::PastLog { entry: 1, .. })));
        let mut zeroed = good.as_bytes().to_vec();
        zeroed.extend([0; 16]);
        assert!(OffsetIndex::from_bytes(100, &zeroed).is_ok(), "Kafka's check does not see it");
        assert_eq!(OffsetIndexView::new(100, &zeroed).check_order(5000), Err(not_rising(2, 100, 120)));
        let below = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1];
        assert!(matches!(OffsetIndex::from_bytes(100, &below), Err(IndexError::LastBelowBase { .. })));
    }
}
