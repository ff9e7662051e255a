//! Fills both indexes of the active segment, with Kafka's rules for when an entry is added.
//!
//! Owns the two indexes and the counters between entries, for one segment of one partition, on the partition's shard.
//! Batches come in the order of the log. The rules (Kafka's LogSegment.append): an offset entry for a batch once more
//! than `index.interval.bytes` came since the last entry, and with it a time entry if the largest timestamp grew; at
//! roll and at a clean stop one more time entry, so that a closed segment's last entry is its largest timestamp.

use super::index::{IndexError, OffsetIndex, relative_offset};
use super::time_index::{NO_TIMESTAMP, TimeIndex, TimestampOffset};
use crate::protocol::record_batch::BatchHeader;

/// What the indexes need to know of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchMark {
    /// The offset of the batch's last record.
    pub last_offset: i64,
    /// The largest timestamp in the batch, milliseconds.
    pub max_timestamp_ms: i64,
    /// The whole batch's length.
    pub size_bytes: u32,
}

impl From<&BatchHeader> for BatchMark {
    fn from(header: &BatchHeader) -> Self {
        Self {
            last_offset: header.last_offset(),
            max_timestamp_ms: header.max_timestamp,
            size_bytes: u32::try_from(header.size_bytes()).unwrap_or(u32::MAX),
        }
    }
}

/// Both indexes of a segment that grows.
#[derive(Clone, Debug)]
pub struct IndexBuilder {
    offset_index: OffsetIndex,
    time_index: TimeIndex,
    interval_bytes: u32,
    bytes_since_entry: u64,
    largest_timestamp: TimestampOffset,
}

impl IndexBuilder {
    /// The indexes of a new segment. `interval_bytes` is `index.interval.bytes`.
    pub fn new(base_offset: i64, interval_bytes: u32) -> Self {
        Self::resume(OffsetIndex::new(base_offset), TimeIndex::new(base_offset), interval_bytes)
    }

    /// Goes on with the indexes of a segment that is opened again. As in Kafka the next entry comes one interval later.
    pub fn resume(offset_index: OffsetIndex, time_index: TimeIndex, interval_bytes: u32) -> Self {
        let largest_timestamp = last_or_none(&time_index);
        Self { offset_index, time_index, interval_bytes, bytes_since_entry: 0, largest_timestamp }
    }

    /// Notes a batch that lies at `position` of the segment. An error changes nothing; [`IndexError::OffsetOverflow`]
    /// means that the segment has to roll before this batch.
    pub fn append(&mut self, position: u32, batch: BatchMark) -> Result<(), IndexError> {
        let base_offset = self.offset_index.base_offset();
        if relative_offset(base_offset, batch.last_offset).is_none() {
            return Err(IndexError::OffsetOverflow { offset: batch.last_offset, base_offset });
        }
        let mut largest = self.largest_timestamp;
        if batch.max_timestamp_ms > largest.timestamp_ms {
            largest = TimestampOffset { timestamp_ms: batch.max_timestamp_ms, offset: batch.last_offset };
        }
        if self.bytes_since_entry > u64::from(self.interval_bytes) {
            self.offset_index.append(batch.last_offset, position)?;
            self.time_index.maybe_append(largest.timestamp_ms, largest.offset)?;
            self.bytes_since_entry = 0;
        }
        self.largest_timestamp = largest;
        self.bytes_since_entry += u64::from(batch.size_bytes);
        Ok(())
    }

    /// Adds the last time entry, at roll or at a clean stop. A second call changes nothing.
    pub fn close(&mut self) -> Result<(), IndexError> {
        let TimestampOffset { timestamp_ms, offset } = self.largest_timestamp;
        self.time_index.maybe_append(timestamp_ms, offset).map(|_| ())
    }

    /// Whether the last time entry is the largest timestamp, as [`Self::close`] leaves it.
    pub fn is_closed(&self) -> bool {
        last_or_none(&self.time_index).timestamp_ms >= self.largest_timestamp.timestamp_ms
    }

    /// Removes the entries at and above `offset`. The largest timestamp falls back to the last time entry: whoever
    /// needs it exact scans the log from there and calls [`Self::set_largest_timestamp`].
    pub fn truncate_to(&mut self, offset: i64) {
        self.offset_index.truncate_to(offset);
        self.time_index.truncate_to(offset);
        self.bytes_since_entry = 0;
        self.largest_timestamp = last_or_none(&self.time_index);
    }

    /// The largest timestamp so far and the last offset of the first batch that had it; without any,
    /// ([`NO_TIMESTAMP`], base offset).
    pub fn largest_timestamp(&self) -> TimestampOffset {
        self.largest_timestamp
    }

    /// Corrects the largest timestamp after a truncation, if this one is larger than the last time entry.
    pub fn set_largest_timestamp(&mut self, found: TimestampOffset) {
        let last = last_or_none(&self.time_index);
        self.largest_timestamp = if found.timestamp_ms > last.timestamp_ms { found } else { last };
    }

    /// Sets `index.interval.bytes`.
    pub fn set_interval_bytes(&mut self, interval_bytes: u32) {
        self.interval_bytes = interval_bytes;
    }

    /// The offset index.
    pub fn offset_index(&self) -> &OffsetIndex {
        &self.offset_index
    }

    /// The time index.
    pub fn time_index(&self) -> &TimeIndex {
        &self.time_index
    }

    /// The two indexes.
    pub fn into_indexes(self) -> (OffsetIndex, TimeIndex) {
        (self.offset_index, self.time_index)
    }
}

fn last_or_none(time_index: &TimeIndex) -> TimestampOffset {
    let none = TimestampOffset { timestamp_ms: NO_TIMESTAMP, offset: time_index.base_offset() };
    time_index.last().unwrap_or(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::index::OffsetPosition;

    fn batch(last_offset: i64, max_timestamp_ms: i64) -> BatchMark {
        BatchMark { last_offset, max_timestamp_ms, size_bytes: 100 }
    }

    #[test]
    fn an_entry_comes_once_more_than_the_interval_has_passed() {
        let mut builder = IndexBuilder::new(10, 200);
        for i in 0..8 {
            builder.append(u32::try_from(i * 100).unwrap(), batch(10 + i, 1000 + i)).unwrap();
        }
        let entries: Vec<_> = builder.offset_index().view().iter().collect();
        // 300 bytes lie before the batch that gets an entry: 200 are not more than the interval.
        let expected = [(13, 300), (16, 600)].map(|(offset, position)| OffsetPosition { offset, position });
        assert_eq!(entries, expected);
        assert_eq!(builder.time_index().len(), 2);
        builder.close().unwrap();
        builder.close().unwrap();
        assert_eq!(builder.time_index().len(), 3);
        assert_eq!(builder.time_index().last(), Some(TimestampOffset { timestamp_ms: 1007, offset: 17 }));
    }

    #[test]
    fn late_records_add_no_time_entry() {
        let mut builder = IndexBuilder::new(0, 0);
        for (i, timestamp) in [500, 400, 300, 600, 600].into_iter().enumerate() {
            builder
                .append(u32::try_from(i).unwrap() * 100, batch(i64::try_from(i).unwrap(), timestamp))
                .unwrap();
        }
        assert_eq!(builder.offset_index().len(), 4);
        let times: Vec<_> = builder.time_index().view().iter().map(|e| (e.timestamp_ms, e.offset)).collect();
        assert_eq!(times, [(500, 0), (600, 3)]);
    }

    #[test]
    fn an_offset_that_does_not_fit_asks_for_a_roll_and_changes_nothing() {
        let mut builder = IndexBuilder::new(0, 0);
        builder.append(0, batch(5, 1)).unwrap();
        let error = builder.append(100, batch(1 << 31, 9)).unwrap_err();
        assert!(matches!(error, IndexError::OffsetOverflow { .. }));
        assert_eq!(builder.largest_timestamp(), TimestampOffset { timestamp_ms: 1, offset: 5 });
    }

    #[test]
    fn after_a_truncation_the_largest_timestamp_is_found_again() {
        let mut builder = IndexBuilder::new(0, 100);
        for i in 0..6_i64 {
            builder.append(u32::try_from(i * 100).unwrap(), batch(i, 1000 * i)).unwrap();
        }
        builder.truncate_to(4);
        assert_eq!(builder.offset_index().last().map(|e| e.offset), Some(2));
        assert_eq!(builder.largest_timestamp().timestamp_ms, 2000);
        builder.set_largest_timestamp(TimestampOffset { timestamp_ms: 3000, offset: 3 });
        assert_eq!(builder.largest_timestamp().offset, 3);
        builder.truncate_to(0);
        assert_eq!(builder.largest_timestamp(), TimestampOffset { timestamp_ms: NO_TIMESTAMP, offset: 0 });
    }
}
