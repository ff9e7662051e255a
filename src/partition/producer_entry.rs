//! What a partition knows of one producer: its epoch, its last batches, its transaction.
//!
//! A value of fixed size, owned by [`super::producer_state`]. The last five batches are kept because a client may have
//! five requests in flight, each of which it may send again (KIP-98, KAFKA-5494).

use super::producer_snapshot::SnapshotEntry;
use crate::protocol::record_batch::{BatchHeader, NO_PRODUCER_EPOCH, NO_SEQUENCE, NO_TIMESTAMP};

/// Batches kept for each producer.
pub const KNOWN_BATCHES: usize = 5;

/// No offset, as snapshots write it.
pub(super) const NO_OFFSET: i64 = -1;

// Thousands of producers may write to a partition; what each costs is a promise.
const _: () = assert!(size_of::<ProducerEntry>() <= 144);

/// A batch that was appended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownBatch {
    /// The sequence of its last record.
    pub last_sequence: i32,
    /// The offset of its last record.
    pub last_offset: i64,
    /// Its last offset minus its first.
    pub offset_delta: i32,
    /// Its largest timestamp, milliseconds.
    pub timestamp_ms: i64,
}

impl KnownBatch {
    /// The offset of its first record.
    pub fn first_offset(&self) -> i64 {
        self.last_offset.saturating_sub(i64::from(self.offset_delta))
    }

    /// The sequence of its first record; before 0 comes `i32::MAX`.
    pub fn first_sequence(&self) -> i32 {
        let steps_before_zero = i64::from(self.offset_delta) - i64::from(self.last_sequence);
        let sequences = i64::from(i32::MAX) + 1;
        (-steps_before_zero).rem_euclid(sequences) as i32
    }
}

/// What the partition knows of one producer id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProducerEntry {
    /// Oldest first; the first `batch_count` are set.
    batches: [KnownBatch; KNOWN_BATCHES],
    batch_count: u8,
    producer_epoch: i16,
    coordinator_epoch: i32,
    last_timestamp_ms: i64,
    transaction_first_offset: i64,
}

impl Default for ProducerEntry {
    /// A producer of which nothing is known.
    fn default() -> Self {
        Self {
            batches: [KnownBatch::default(); KNOWN_BATCHES],
            batch_count: 0,
            producer_epoch: NO_PRODUCER_EPOCH,
            coordinator_epoch: -1,
            last_timestamp_ms: NO_TIMESTAMP,
            transaction_first_offset: NO_OFFSET,
        }
    }
}

impl ProducerEntry {
    /// The producer's epoch, or -1 if none was seen.
    pub fn producer_epoch(&self) -> i16 {
        self.producer_epoch
    }

    /// The epoch of the coordinator that wrote the last marker, or -1.
    pub fn coordinator_epoch(&self) -> i32 {
        self.coordinator_epoch
    }

    /// The largest timestamp of the last batch or marker, milliseconds, or -1. Expiry goes by it.
    pub fn last_timestamp_ms(&self) -> i64 {
        self.last_timestamp_ms
    }

    /// The first offset of the ongoing transaction.
    pub fn transaction_first_offset(&self) -> Option<i64> {
        (self.transaction_first_offset >= 0).then_some(self.transaction_first_offset)
    }

    /// The batches that are remembered, oldest first.
    pub fn batches(&self) -> &[KnownBatch] {
        self.batches.get(..usize::from(self.batch_count)).unwrap_or_default()
    }

    /// The sequence of the last record, or -1.
    pub fn last_sequence(&self) -> i32 {
        self.batches().last().map_or(NO_SEQUENCE, |batch| batch.last_sequence)
    }

    /// The batch that this one repeats: same epoch, same sequences.
    pub fn duplicate_of(&self, header: &BatchHeader) -> Option<KnownBatch> {
        if header.producer_epoch != self.producer_epoch {
            return None;
        }
        let (first, last) = (header.base_sequence, header.last_sequence());
        let same = |batch: &&KnownBatch| batch.last_sequence == last && batch.first_sequence() == first;
        self.batches().iter().find(same).copied()
    }

    pub(super) fn add_batch(&mut self, producer_epoch: i16, batch: KnownBatch) {
        self.set_epoch(producer_epoch);
        if usize::from(self.batch_count) == KNOWN_BATCHES {
            self.batches.rotate_left(1);
            self.batch_count -= 1;
        }
        if let Some(free) = self.batches.get_mut(usize::from(self.batch_count)) {
            *free = batch;
            self.batch_count += 1;
        }
        self.last_timestamp_ms = batch.timestamp_ms;
    }

    pub(super) fn begin_transaction(&mut self, first_offset: i64) {
        self.transaction_first_offset = first_offset;
    }

    /// Answers the first offset of the transaction that ended.
    pub(super) fn end_transaction(
        &mut self,
        producer_epoch: i16,
        coordinator_epoch: i32,
        timestamp_ms: i64,
    ) -> Option<i64> {
        let first_offset = self.transaction_first_offset();
        self.set_epoch(producer_epoch);
        self.coordinator_epoch = coordinator_epoch;
        self.last_timestamp_ms = timestamp_ms;
        self.transaction_first_offset = NO_OFFSET;
        first_offset
    }

    /// Sequences begin again in a new epoch, so what the old one wrote is forgotten.
    fn set_epoch(&mut self, producer_epoch: i16) {
        if self.producer_epoch != producer_epoch {
            self.producer_epoch = producer_epoch;
            self.batch_count = 0;
        }
    }

    pub(super) fn to_snapshot(&self, producer_id: i64) -> SnapshotEntry {
        let last = self.batches().last();
        SnapshotEntry {
            producer_id,
            producer_epoch: self.producer_epoch,
            last_sequence: self.last_sequence(),
            last_offset: last.map_or(NO_OFFSET, |batch| batch.last_offset),
            offset_delta: last.map_or(0, |batch| batch.offset_delta),
            timestamp_ms: self.last_timestamp_ms,
            coordinator_epoch: self.coordinator_epoch,
            transaction_first_offset: self.transaction_first_offset,
        }
    }

    /// A snapshot keeps only the last batch: after a restart an older one that comes again is out of order, as in
    /// Kafka.
    pub(super) fn from_snapshot(snapshot: &SnapshotEntry) -> Self {
        let mut entry = Self::default();
        if snapshot.last_offset >= 0 {
            let batch = KnownBatch {
                last_sequence: snapshot.last_sequence,
                last_offset: snapshot.last_offset,
                offset_delta: snapshot.offset_delta,
                timestamp_ms: snapshot.timestamp_ms,
            };
            entry.add_batch(snapshot.producer_epoch, batch);
        }
        entry.producer_epoch = snapshot.producer_epoch;
        entry.coordinator_epoch = snapshot.coordinator_epoch;
        entry.last_timestamp_ms = snapshot.timestamp_ms;
        entry.transaction_first_offset = snapshot.transaction_first_offset.max(NO_OFFSET);
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::record_batch::increment_sequence;

    fn batch(last_sequence: i32, offset_delta: i32) -> KnownBatch {
        KnownBatch { last_sequence, last_offset: 100, offset_delta, timestamp_ms: 5 }
    }

    #[test]
    fn the_first_sequence_is_found_across_the_wrap() {
        assert_eq!(batch(9, 4).first_sequence(), 5);
        assert_eq!(batch(4, 4).first_sequence(), 0);
        assert_eq!(batch(0, 1).first_sequence(), i32::MAX);
        assert_eq!(batch(1, 4).first_sequence(), i32::MAX - 2);
        for (first, delta) in
            [(i32::MAX, 0), (i32::MAX, 7), (i32::MAX - 3, 3), (i32::MAX - 3, 4), (0, i32::MAX)]
        {
            assert_eq!(batch(increment_sequence(first, delta), delta).first_sequence(), first);
        }
        assert_eq!(KnownBatch { last_offset: 3, ..batch(0, 2) }.first_offset(), 1);
    }

    #[test]
    fn only_the_last_five_batches_are_kept() {
        let mut entry = ProducerEntry::default();
        for sequence in 0..8 {
            entry.add_batch(1, batch(sequence, 0));
        }
        let kept: Vec<i32> = entry.batches().iter().map(|batch| batch.last_sequence).collect();
        assert_eq!(kept, [3, 4, 5, 6, 7]);
        entry.add_batch(2, batch(0, 0));
        assert_eq!(entry.batches().len(), 1, "a new epoch begins anew");
    }

    #[test]
    fn a_snapshot_keeps_the_last_batch_and_the_transaction() {
        let mut entry = ProducerEntry::default();
        entry.add_batch(1, batch(3, 1));
        entry.add_batch(1, batch(5, 1));
        entry.begin_transaction(40);
        let loaded = ProducerEntry::from_snapshot(&entry.to_snapshot(7));
        assert_eq!(loaded.batches(), [batch(5, 1)]);
        assert_eq!(loaded.to_snapshot(7), entry.to_snapshot(7));
        let unknown = ProducerEntry::default();
        assert_eq!(ProducerEntry::from_snapshot(&unknown.to_snapshot(1)), unknown);
    }
}
