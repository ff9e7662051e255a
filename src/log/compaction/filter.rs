//! What survives of a log's batches in a cleaning pass: the map of the dirty part's keys first, then each batch by it. Pure,
//! and `Send`: both run off the shard, a window of batches at a time.
//!
//! The rules are those of Kafka's cleaner: of each key the last record; a tombstone until the delete horizon that the first
//! pass over it has set (KIP-534); nothing of aborted transactions; a batch without records only for its producer's last
//! sequence, or for the last offset of the pass. Records without a key go.

use std::collections::BTreeMap;

use super::offset_map::OffsetMap;
use super::transactions::Transactions;
use crate::log::index_builder::BatchMark;
use crate::log::transaction_index::AbortedTransaction;
use crate::protocol::record_batch::{Batch, BatchError, BatchHeader, batches, emptied, retained};

/// The most that the records of one batch may come to; no batch with more is taken from a client.
const DECOMPRESSED_LIMIT_BYTES: usize = 256 << 20;

/// The first half of a pass: which offset is the last of each key.
pub(crate) struct MapBuilder {
    pub(crate) map: OffsetMap,
    pub(crate) transactions: Transactions,
    first_dirty_offset: i64,
    /// The map took no more: the pass goes only as far as `map.latest_offset`.
    pub(crate) full: bool,
}

impl MapBuilder {
    pub(crate) fn new(map: OffsetMap, first_dirty_offset: i64) -> Self {
        Self { map, transactions: Transactions::default(), first_dirty_offset, full: false }
    }

    /// Takes the whole batches at the front of `window`; gives their bytes.
    ///
    /// # Errors
    /// [`BatchError`]: the stored bytes are not what was appended.
    pub(crate) fn take(&mut self, window: &[u8]) -> Result<usize, BatchError> {
        let mut scratch = Vec::new();
        let mut found = batches(window);
        for batch in found.by_ref() {
            let batch = batch?;
            batch.verify_crc()?;
            self.take_batch(&batch, &mut scratch)?;
            if self.full {
                break;
            }
        }
        Ok(found.consumed())
    }

    /// The end of a segment is reached: offsets up to `offset` are spoken of, also those that no batch has.
    pub(crate) fn reach(&mut self, offset: i64) {
        if !self.full {
            self.map.latest_offset = self.map.latest_offset.max(offset - 1);
        }
    }

    fn take_batch(&mut self, batch: &Batch<'_>, scratch: &mut Vec<u8>) -> Result<(), BatchError> {
        let header = &batch.header;
        let gone = self.transactions.on_batch(batch)?;
        if !header.attributes.is_control() && !gone && header.last_offset() >= self.first_dirty_offset {
            for record in batch.records(DECOMPRESSED_LIMIT_BYTES, scratch)? {
                let record = record?;
                let offset = header.base_offset.saturating_add(i64::from(record.offset_delta));
                let Some(key) = record.key.filter(|_| offset >= self.first_dirty_offset) else { continue };
                let hash = self.map.hash(key);
                if !self.map.put(hash, offset) {
                    self.full = true;
                    return Ok(());
                }
            }
        }
        if header.last_offset() >= self.first_dirty_offset {
            self.map.latest_offset = header.last_offset();
        }
        Ok(())
    }
}

/// What is remembered of a producer that is still known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastRecord {
    /// The last offset of its last batch; None when only a marker is known.
    pub(crate) last_data_offset: Option<i64>,
    pub(crate) producer_epoch: i16,
}

/// What a pass goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) now_ms: i64,
    pub(crate) delete_retention_ms: i64,
    /// Where the cleanable part ends: the batch that ends there is kept, so that the offset stays known.
    pub(crate) round_end: i64,
}

/// The second half of a pass.
pub(crate) struct Filter {
    map: OffsetMap,
    pub(crate) transactions: Transactions,
    pub(crate) last_records: BTreeMap<i64, LastRecord>,
    rules: Rules,
}

/// What is left of a window.
#[derive(Default)]
pub(crate) struct Left {
    /// Batches, one behind the other.
    pub(crate) bytes: Vec<u8>,
    /// What the indexes need of each.
    pub(crate) marks: Vec<BatchMark>,
    /// For the transaction index.
    pub(crate) aborted: Vec<AbortedTransaction>,
    /// Bytes of the window that were taken.
    pub(crate) consumed: usize,
    /// Whether anything differs from what was taken.
    pub(crate) changed: bool,
    pub(crate) records_read: u64,
    pub(crate) records_kept: u64,
}

/// What to do with a batch none of whose records stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenEmpty {
    Drop,
    Keep,
}

impl Filter {
    pub(crate) fn new(map: OffsetMap, rules: Rules) -> Self {
        Self { map, transactions: Transactions::default(), last_records: BTreeMap::new(), rules }
    }

    /// Takes the whole batches at the front of `window`; gives what is left of them.
    ///
    /// # Errors
    /// [`BatchError`]: the stored bytes are not what was appended.
    pub(crate) fn take(&mut self, window: &[u8]) -> Result<Left, BatchError> {
        let mut left = Left::default();
        let mut found = batches(window);
        let mut scratch = Vec::new();
        for batch in found.by_ref() {
            let batch = batch?;
            batch.verify_crc()?;
            self.take_batch(&batch, &mut scratch, &mut left)?;
        }
        left.consumed = found.consumed();
        left.aborted = self.transactions.take_kept();
        Ok(left)
    }

    fn take_batch(
        &mut self,
        batch: &Batch<'_>,
        scratch: &mut Vec<u8>,
        left: &mut Left,
    ) -> Result<(), BatchError> {
        let header = &batch.header;
        let is_control = header.attributes.is_control();
        let discardable = self.transactions.on_batch(batch)?;
        let horizon_passed = header.delete_horizon_ms().is_some_and(|at| at <= self.rules.now_ms);
        let discard = discardable && (!is_control || horizon_passed);
        let when_empty = if self.must_stay(header) { WhenEmpty::Keep } else { WhenEmpty::Drop };
        left.records_read += u64::from(header.record_count.max(0).unsigned_abs());
        if discard && when_empty == WhenEmpty::Drop {
            left.changed = true;
            return Ok(());
        }
        let mut kept = Vec::new();
        let mut tombstones = false;
        let mut whole = true;
        if discard {
            whole = false;
        } else {
            for record in batch.records(DECOMPRESSED_LIMIT_BYTES, scratch)? {
                let record = record?;
                let offset = header.base_offset.saturating_add(i64::from(record.offset_delta));
                if is_control || self.stays(header, offset, record.key, record.value.is_some()) {
                    tombstones |= record.value.is_none();
                    kept.push(record);
                } else {
                    whole = false;
                }
            }
        }
        left.records_kept += kept.len() as u64;
        if kept.is_empty() {
            if when_empty == WhenEmpty::Keep {
                let bytes = emptied(header)?;
                left.changed |= bytes != batch.bytes;
                left.push(&bytes, header);
            } else {
                left.changed = true;
            }
            return Ok(());
        }
        let marker_of_nothing = discardable && is_control;
        let needs_horizon = (tombstones || marker_of_nothing) && header.delete_horizon_ms().is_none();
        if whole && !needs_horizon {
            left.push(batch.bytes, header);
            return Ok(());
        }
        let horizon = if needs_horizon {
            Some(self.rules.now_ms.saturating_add(self.rules.delete_retention_ms))
        } else {
            header.delete_horizon_ms()
        };
        let bytes = retained(header, &kept, horizon)?;
        left.changed = true;
        left.push(&bytes, &BatchHeader::parse(&bytes)?);
        Ok(())
    }

    /// Whether a batch stays even without records.
    fn must_stay(&self, header: &BatchHeader) -> bool {
        let of_producer = header.has_producer_id()
            && self.last_records.get(&header.producer_id).is_some_and(|last| match last.last_data_offset {
                Some(offset) => header.last_offset() == offset,
                None => header.attributes.is_control() && header.producer_epoch == last.producer_epoch,
            });
        of_producer || header.next_offset() == self.rules.round_end
    }

    fn stays(&self, header: &BatchHeader, offset: i64, key: Option<&[u8]>, has_value: bool) -> bool {
        if offset > self.map.latest_offset {
            return true;
        }
        let Some(key) = key else { return false };
        let is_last = self.map.get(self.map.hash(key)).is_none_or(|last| offset >= last);
        let in_time = header.delete_horizon_ms().is_none_or(|horizon| self.rules.now_ms < horizon);
        is_last && (has_value || in_time)
    }
}

impl Left {
    fn push(&mut self, bytes: &[u8], header: &BatchHeader) {
        self.bytes.extend_from_slice(bytes);
        self.marks.push(BatchMark {
            size_bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            ..BatchMark::from(header)
        });
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
