//! The producers of one partition: idempotent writes and transactions (KIP-98, KIP-360, KIP-890).
//!
//! Owned by the partition, on its shard; synchronous, no I/O, the clock comes from outside. Order: a leader calls
//! [`ProducerStates::check`] with a batch, gives it offsets, and calls [`ProducerStates::append`] before it looks at the
//! next batch, so that several requests in flight see each other; followers and recovery call
//! [`ProducerStates::replay`] with what the log holds. Bounds: [`ProducerLimits::max_producers`] producers of at most
//! 144 bytes each, and one entry for each transaction that is ongoing or whose end is above the high watermark.

use std::collections::BTreeMap;

use thiserror::Error;

use super::producer_entry::{KnownBatch, ProducerEntry};
use super::producer_snapshot::{self, SnapshotEntry};
use crate::log::transaction_index::AbortedTransaction;
use crate::protocol::record_batch::{Batch, BatchError, BatchHeader, ControlType, NO_PRODUCER_EPOCH};
use crate::protocol::{ErrorCode, decode_versioned, messages::EndTxnMarker};

/// How much longer than its timeout a transaction may take before it counts as late (Kafka's LATE_TRANSACTION_BUFFER).
const LATE_TRANSACTION_BUFFER_MS: i64 = 5 * 60 * 1000;

/// From this version of transactions on each one has its own producer epoch (KIP-890).
const EPOCH_BUMP_VERSION: i16 = 2;

/// More than any marker needs; markers are never compressed.
const MARKER_LIMIT_BYTES: usize = 1024;

/// What bounds the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerLimits {
    /// `producer.id.expiration.ms`: a producer is forgotten that long after its last batch, unless a transaction of
    /// it is ongoing.
    pub producer_id_expiration_ms: i64,
    /// How many producers a partition remembers.
    pub max_producers: usize,
    /// `transaction.max.timeout.ms`.
    pub max_transaction_timeout_ms: i64,
    /// `transaction.partition.verification.enable`: the first batch of a transaction needs a guard from
    /// [`ProducerStates::begin_verification`].
    pub verify_transactions: bool,
}

/// Who appends; followers and recovery do not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOrigin {
    /// A produce request: everything is checked.
    Client,
    /// A coordinator's own record or a transaction's marker: without sequences.
    Coordinator,
}

/// What a control batch says about the end of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndMarker {
    /// The epoch of the coordinator that wrote it.
    pub coordinator_epoch: i32,
    /// Whether the transaction was committed.
    pub commit: bool,
    /// The marker's timestamp, milliseconds.
    pub timestamp_ms: i64,
}

impl EndMarker {
    /// The marker in a batch; `None` if it is no control batch, one of another type, or one that compaction emptied.
    ///
    /// # Errors
    /// The batch's records cannot be read.
    pub fn of(batch: &Batch<'_>) -> Result<Option<Self>, BatchError> {
        if !batch.header.attributes.is_control() {
            return Ok(None);
        }
        let malformed = |reason| BatchError::InvalidRecord { index: 0, reason };
        let mut scratch = Vec::new();
        let Some(record) = batch.records(MARKER_LIMIT_BYTES, &mut scratch)?.next() else {
            return Ok(None);
        };
        let record = record?;
        let control_type = ControlType::from_key(record.key.unwrap_or_default());
        let commit = match control_type.map_err(|_| malformed("control record's key"))? {
            ControlType::Commit => true,
            ControlType::Abort => false,
            _ => return Ok(None),
        };
        let marker = decode_versioned::<EndTxnMarker>(record.value.unwrap_or_default());
        let (_, marker) = marker.map_err(|_| malformed("transaction marker"))?;
        let timestamp_ms = batch.header.base_timestamp.saturating_add(record.timestamp_delta);
        Ok(Some(Self { coordinator_epoch: marker.coordinator_epoch, commit, timestamp_ms }))
    }
}

/// A batch that a leader is about to append.
#[derive(Clone, Copy, Debug)]
pub struct AppendCheck<'a> {
    /// Its header, as it came.
    pub header: &'a BatchHeader,
    /// Who appends.
    pub origin: AppendOrigin,
    /// The marker, if it ends a transaction.
    pub marker: Option<EndMarker>,
    /// The version of transactions that a marker was written with.
    pub transaction_version: i16,
    /// What the verification of the transaction gave.
    pub guard: Option<VerificationGuard>,
    /// The offset it would get, for messages.
    pub next_offset: i64,
}

/// What to do with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Append it.
    Append,
    /// It was appended before: answer with the offset and timestamp that it got then, append nothing.
    Duplicate(KnownBatch),
}

/// Why a batch is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProducerError {
    /// A batch before this one is missing.
    #[error(
        "Out of order sequence number for producer {producer_id} at offset {offset}: {sequence} (incoming seq. \
         number), {last_sequence} (current end sequence number)"
    )]
    OutOfOrderSequence {
        /// The producer.
        producer_id: i64,
        /// The offset the batch would get.
        offset: i64,
        /// The batch's first sequence.
        sequence: i32,
        /// The last sequence that is known, or that a verification has seen.
        last_sequence: i32,
    },
    /// A new epoch does not begin with sequence 0.
    #[error(
        "Invalid sequence number for new epoch of producer {producer_id} at offset {offset}: {producer_epoch} \
         (request epoch), {sequence} (seq. number), {current_epoch} (current producer epoch)"
    )]
    NewEpochSequence {
        /// The producer.
        producer_id: i64,
        /// The offset the batch would get.
        offset: i64,
        /// The batch's first sequence.
        sequence: i32,
        /// The batch's epoch.
        producer_epoch: i16,
        /// The epoch that is known.
        current_epoch: i16,
    },
    /// Another instance of the producer has taken over.
    #[error(
        "Epoch of producer {producer_id} at offset {offset} is {producer_epoch}, which is older than the last seen \
         epoch {current_epoch}"
    )]
    InvalidProducerEpoch {
        /// The producer.
        producer_id: i64,
        /// The offset the batch would get.
        offset: i64,
        /// The batch's epoch.
        producer_epoch: i16,
        /// The epoch that is known.
        current_epoch: i16,
    },
    /// A batch outside of a transaction while one is ongoing.
    #[error("Expected transactional write from producer {producer_id} at offset {offset}")]
    ExpectedTransactional {
        /// The producer.
        producer_id: i64,
        /// The offset the batch would get.
        offset: i64,
    },
    /// The coordinator did not confirm that the partition belongs to the transaction.
    #[error("Record of producer {producer_id} was not part of an ongoing transaction")]
    NotVerified {
        /// The producer.
        producer_id: i64,
    },
    /// A coordinator that was replaced wrote a marker.
    #[error(
        "Invalid coordinator epoch for producer {producer_id} at offset {offset}: {coordinator_epoch} (zombie), \
         {current_epoch} (current)"
    )]
    CoordinatorFenced {
        /// The producer.
        producer_id: i64,
        /// The offset the marker would get.
        offset: i64,
        /// The marker's epoch.
        coordinator_epoch: i32,
        /// The epoch that is known.
        current_epoch: i32,
    },
    /// The partition remembers as many producers as it may. [`ProducerStates::remove_expired`] may make room.
    #[error(
        "Partition already remembers {limit} producers, producer {producer_id} has to wait until one expires"
    )]
    TooManyProducers {
        /// The producer that is one too many.
        producer_id: i64,
        /// [`ProducerLimits::max_producers`].
        limit: usize,
    },
}

impl ProducerError {
    /// The code that a produce response carries.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::OutOfOrderSequence { .. } | Self::NewEpochSequence { .. } => {
                ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER
            }
            Self::InvalidProducerEpoch { .. } => ErrorCode::INVALID_PRODUCER_EPOCH,
            Self::ExpectedTransactional { .. } | Self::NotVerified { .. } => ErrorCode::INVALID_TXN_STATE,
            Self::CoordinatorFenced { .. } => ErrorCode::TRANSACTION_COORDINATOR_FENCED,
            // The one code that says "try again later" and names a limit.
            Self::TooManyProducers { .. } => ErrorCode::THROTTLING_QUOTA_EXCEEDED,
        }
    }
}

/// A transaction that a marker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedTransaction {
    /// Whose it was.
    pub producer_id: i64,
    /// The offset of its first record here.
    pub first_offset: i64,
    /// The offset of its marker.
    pub last_offset: i64,
    /// Whether it was aborted.
    pub aborted: bool,
    /// The last stable offset right after the marker.
    pub last_stable_offset: i64,
}

impl CompletedTransaction {
    /// The entry for the segment's transaction index; only aborted ones have one.
    pub fn aborted_transaction(&self) -> Option<AbortedTransaction> {
        let Self { producer_id, first_offset, last_offset, aborted, last_stable_offset } = *self;
        aborted.then_some(AbortedTransaction { producer_id, first_offset, last_offset, last_stable_offset })
    }
}

/// Proof that a transaction's coordinator was asked; compares equal only with the verification that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerificationGuard(u64);

/// A transaction whose first batch is on its way while the coordinator is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verification {
    guard: VerificationGuard,
    begun_ms: i64,
    epoch: i16,
    lowest_sequence: i32,
    supports_epoch_bump: bool,
}

/// The producers of one partition.
#[derive(Clone, Debug)]
pub struct ProducerStates {
    limits: ProducerLimits,
    /// Sorted, so that nothing depends on a hash seed and a client's choice of ids costs no more than any other.
    producers: BTreeMap<i64, ProducerEntry>,
    verifications: BTreeMap<i64, Verification>,
    /// First offset -> producer id.
    ongoing: BTreeMap<i64, i64>,
    /// First offset -> offset of the marker, for transactions that ended at or above the high watermark.
    unreplicated: BTreeMap<i64, i64>,
    end_offset: i64,
    next_guard: u64,
}

impl ProducerStates {
    /// No producer, and a log that ends at 0.
    pub fn new(limits: ProducerLimits) -> Self {
        Self {
            limits,
            producers: BTreeMap::new(),
            verifications: BTreeMap::new(),
            ongoing: BTreeMap::new(),
            unreplicated: BTreeMap::new(),
            end_offset: 0,
            next_guard: 1,
        }
    }

    /// Changes the limits; what is remembered already stays.
    pub fn set_limits(&mut self, limits: ProducerLimits) {
        self.limits = limits;
    }

    /// Whether a leader may append the batch. Changes nothing: call [`Self::append`] when it has its offsets.
    pub fn check(&self, check: &AppendCheck<'_>) -> Result<Verdict, ProducerError> {
        let header = check.header;
        if !header.has_producer_id() {
            return Ok(Verdict::Append);
        }
        let known = self.producers.get(&header.producer_id);
        if check.origin == AppendOrigin::Client {
            if let Some(batch) = known.and_then(|entry| entry.duplicate_of(header)) {
                return Ok(Verdict::Duplicate(batch));
            }
            let limit = self.limits.max_producers;
            if known.is_none() && self.producers.len() >= limit {
                return Err(ProducerError::TooManyProducers { producer_id: header.producer_id, limit });
            }
        }
        let unknown = ProducerEntry::default();
        let entry = known.unwrap_or(&unknown);
        if header.attributes.is_transactional() {
            self.check_transaction_begin(check, entry)?;
        }
        if header.attributes.is_control() {
            if let Some(marker) = check.marker {
                check_marker(check, entry, marker)?;
            }
            return Ok(Verdict::Append);
        }
        check_epoch(check, entry)?;
        if check.origin == AppendOrigin::Client {
            self.check_sequence(check, entry)?;
        }
        if entry.transaction_first_offset().is_some() && !header.attributes.is_transactional() {
            let (producer_id, offset) = (header.producer_id, check.next_offset);
            return Err(ProducerError::ExpectedTransactional { producer_id, offset });
        }
        Ok(Verdict::Append)
    }

    fn check_transaction_begin(
        &self,
        check: &AppendCheck<'_>,
        entry: &ProducerEntry,
    ) -> Result<(), ProducerError> {
        let (producer_id, epoch) = (check.header.producer_id, check.header.producer_epoch);
        if self.has_ongoing_transaction(producer_id, epoch) {
            return Ok(());
        }
        check_epoch(check, entry)?;
        let unguarded = || {
            let expected = self.verifications.get(&producer_id).map(|verification| verification.guard);
            expected.is_none() || expected != check.guard
        };
        if self.limits.verify_transactions && !check.header.attributes.is_control() && unguarded() {
            return Err(ProducerError::NotVerified { producer_id });
        }
        Ok(())
    }

    fn check_sequence(&self, check: &AppendCheck<'_>, entry: &ProducerEntry) -> Result<(), ProducerError> {
        let BatchHeader { producer_id, producer_epoch, base_sequence: sequence, .. } = *check.header;
        let offset = check.next_offset;
        let out_of_order = |last_sequence| {
            Err(ProducerError::OutOfOrderSequence { producer_id, offset, sequence, last_sequence })
        };
        if let Some(verification) = self.verifications.get(&producer_id) {
            // Of several batches in flight for a transaction that is not yet verified, the first goes first. One that
            // has an epoch of its own begins at 0 if nothing is known of the producer.
            if verification.supports_epoch_bump && sequence != 0 && entry.batches().is_empty() {
                return out_of_order(entry.last_sequence());
            }
            if sequence > verification.lowest_sequence {
                return out_of_order(verification.lowest_sequence);
            }
        }
        let current_epoch = entry.producer_epoch();
        if current_epoch == NO_PRODUCER_EPOCH {
            // Nothing is left of the producer (expired, or its records are gone): any sequence is the first.
            return Ok(());
        }
        if producer_epoch != current_epoch {
            if sequence == 0 {
                return Ok(());
            }
            return Err(ProducerError::NewEpochSequence {
                producer_id,
                offset,
                sequence,
                producer_epoch,
                current_epoch,
            });
        }
        let last_sequence = entry.last_sequence();
        let expected = if last_sequence == i32::MAX { 0 } else { last_sequence + 1 };
        if sequence == expected { Ok(()) } else { out_of_order(last_sequence) }
    }

    /// Notes a batch that the leader has appended; its header carries its offsets. Batches without a producer only move
    /// the end. A transaction that this ends is answered; an aborted one belongs into the segment's transaction index.
    pub fn append(
        &mut self,
        header: &BatchHeader,
        marker: Option<EndMarker>,
    ) -> Option<CompletedTransaction> {
        self.replay(header, marker)
    }

    /// Notes a batch that the log holds, as a follower and recovery do. Nothing is refused: the leader has checked it.
    pub fn replay(
        &mut self,
        header: &BatchHeader,
        marker: Option<EndMarker>,
    ) -> Option<CompletedTransaction> {
        self.end_offset = header.next_offset();
        if !header.has_producer_id() {
            return None;
        }
        if header.attributes.is_transactional() {
            self.end_verification(header);
        }
        match (header.attributes.is_control(), marker) {
            (false, _) => {
                self.note_batch(header);
                None
            }
            (true, Some(marker)) => self.note_marker(header, marker),
            (true, None) => None,
        }
    }

    fn note_batch(&mut self, header: &BatchHeader) {
        let entry = self.producers.entry(header.producer_id).or_default();
        let batch = KnownBatch {
            last_sequence: header.last_sequence(),
            last_offset: header.last_offset(),
            offset_delta: header.last_offset_delta,
            timestamp_ms: header.max_timestamp,
        };
        entry.add_batch(header.producer_epoch, batch);
        if header.attributes.is_transactional() && entry.transaction_first_offset().is_none() {
            entry.begin_transaction(header.base_offset);
            self.ongoing.insert(header.base_offset, header.producer_id);
        }
    }

    fn note_marker(&mut self, header: &BatchHeader, marker: EndMarker) -> Option<CompletedTransaction> {
        let producer_id = header.producer_id;
        let entry = self.producers.entry(producer_id).or_default();
        let first_offset =
            entry.end_transaction(header.producer_epoch, marker.coordinator_epoch, marker.timestamp_ms)?;
        let last_offset = header.base_offset;
        self.ongoing.remove(&first_offset);
        self.unreplicated.insert(first_offset, last_offset);
        // Of the transactions before the marker only those of other producers can be ongoing.
        let last_stable_offset = self.first_undecided_offset().unwrap_or(last_offset + 1);
        let aborted = !marker.commit;
        Some(CompletedTransaction { producer_id, first_offset, last_offset, aborted, last_stable_offset })
    }

    /// The first offset of a transaction whose end is unknown, or known and not below the high watermark. Readers at
    /// `read_committed` stop before it.
    pub fn first_unstable_offset(&self) -> Option<i64> {
        let unreplicated = self.unreplicated.first_key_value().map(|(first_offset, _)| *first_offset);
        match (unreplicated, self.first_undecided_offset()) {
            (Some(unreplicated), Some(undecided)) => Some(unreplicated.min(undecided)),
            (unreplicated, undecided) => unreplicated.or(undecided),
        }
    }

    /// The first offset of a transaction whose end is unknown.
    pub fn first_undecided_offset(&self) -> Option<i64> {
        self.ongoing.first_key_value().map(|(first_offset, _)| *first_offset)
    }

    /// The last stable offset for this high watermark: everything below it is decided and replicated.
    pub fn last_stable_offset(&self, high_watermark: i64) -> i64 {
        self.first_unstable_offset().map_or(high_watermark, |unstable| unstable.min(high_watermark))
    }

    /// First offsets and markers of the transactions that have ended below `offset` and not below the high watermark.
    pub fn ended_below(&self, offset: i64) -> BTreeMap<i64, i64> {
        let below = self.unreplicated.iter().filter(|(_, last_offset)| **last_offset < offset);
        below.map(|(first_offset, last_offset)| (*first_offset, *last_offset)).collect()
    }

    /// Adds what [`Self::ended_below`] gave: a snapshot does not tell it.
    pub fn add_ended(&mut self, ended: BTreeMap<i64, i64>) {
        self.unreplicated.extend(ended);
    }

    /// The high watermark moved: transactions whose marker is below it are stable.
    pub fn on_high_watermark(&mut self, high_watermark: i64) {
        if !self.unreplicated.is_empty() {
            self.unreplicated.retain(|_, last_offset| *last_offset >= high_watermark);
        }
    }

    /// The log starts later now. Producers whose records are gone stay known until they expire, as in Kafka.
    pub fn on_log_start_offset(&mut self, log_start_offset: i64) {
        self.on_high_watermark(log_start_offset);
        self.end_offset = self.end_offset.max(log_start_offset);
    }

    /// Whether a transaction of this producer and epoch is ongoing.
    pub fn has_ongoing_transaction(&self, producer_id: i64, producer_epoch: i16) -> bool {
        self.producers.get(&producer_id).is_some_and(|entry| {
            entry.transaction_first_offset().is_some() && entry.producer_epoch() == producer_epoch
        })
    }

    /// Whether the oldest transaction has taken longer than any may, so that its end may never come (KIP-664).
    pub fn has_late_transaction(&self, now_ms: i64) -> bool {
        let oldest = self.ongoing.first_key_value().and_then(|(_, id)| self.producers.get(id));
        let limit = self.limits.max_transaction_timeout_ms.saturating_add(LATE_TRANSACTION_BUFFER_MS);
        oldest.is_some_and(|entry| {
            entry.last_timestamp_ms() > 0 && now_ms.saturating_sub(entry.last_timestamp_ms()) > limit
        })
    }

    /// Begins the verification of a transaction's first batch. `None`: the transaction is ongoing, none is needed. The
    /// guard goes with the batch through [`AppendCheck::guard`]; the first append of the transaction ends it.
    pub fn begin_verification(
        &mut self,
        producer_id: i64,
        sequence: i32,
        epoch: i16,
        supports_epoch_bump: bool,
        now_ms: i64,
    ) -> Result<Option<VerificationGuard>, ProducerError> {
        if let Some(current_epoch) = self.producers.get(&producer_id).map(ProducerEntry::producer_epoch)
            && epoch < current_epoch
        {
            let (producer_epoch, offset) = (epoch, self.end_offset);
            return Err(ProducerError::InvalidProducerEpoch {
                producer_id,
                offset,
                producer_epoch,
                current_epoch,
            });
        }
        if self.has_ongoing_transaction(producer_id, epoch) {
            return Ok(None);
        }
        let limit = self.limits.max_producers;
        if !self.verifications.contains_key(&producer_id) && self.verifications.len() >= limit {
            return Err(ProducerError::TooManyProducers { producer_id, limit });
        }
        let next_guard = &mut self.next_guard;
        let verification = self.verifications.entry(producer_id).or_insert_with(|| {
            let guard = VerificationGuard(*next_guard);
            *next_guard += 1;
            Verification { guard, begun_ms: now_ms, epoch, lowest_sequence: sequence, supports_epoch_bump }
        });
        if epoch > verification.epoch
            || (epoch == verification.epoch && sequence < verification.lowest_sequence)
        {
            verification.epoch = epoch;
            verification.lowest_sequence = sequence;
        }
        Ok(Some(verification.guard))
    }

    /// The guard of a verification that runs for the producer.
    pub fn verification(&self, producer_id: i64) -> Option<VerificationGuard> {
        self.verifications.get(&producer_id).map(|verification| verification.guard)
    }

    /// A marker does not end the verification of the next transaction, which may have begun before it came.
    fn end_verification(&mut self, header: &BatchHeader) {
        let next_has_begun = |verification: &Verification| {
            verification.supports_epoch_bump
                && header.attributes.is_control()
                && header.producer_epoch == verification.epoch
        };
        if !self.verifications.get(&header.producer_id).is_some_and(next_has_begun) {
            self.verifications.remove(&header.producer_id);
        }
    }

    /// Forgets producers that wrote nothing for `producer.id.expiration.ms`, and verifications that never ended.
    /// Answers how many producers it forgot. Looks at each: call it every few minutes, or when there are too many.
    pub fn remove_expired(&mut self, now_ms: i64) -> usize {
        let before = self.producers.len();
        let limits = self.limits;
        self.producers.retain(|_, entry| !is_expired(&limits, entry, now_ms));
        let over = |begun_ms: i64| now_ms.saturating_sub(begun_ms) >= limits.producer_id_expiration_ms;
        self.verifications.retain(|_, verification| !over(verification.begun_ms));
        before - self.producers.len()
    }

    /// What is known of a producer.
    pub fn get(&self, producer_id: i64) -> Option<&ProducerEntry> {
        self.producers.get(&producer_id)
    }

    /// All producers, by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (i64, &ProducerEntry)> {
        self.producers.iter().map(|(producer_id, entry)| (*producer_id, entry))
    }

    /// The number of producers.
    pub fn len(&self) -> usize {
        self.producers.len()
    }

    /// Whether there is no producer.
    pub fn is_empty(&self) -> bool {
        self.producers.is_empty()
    }

    /// The offset behind the last batch that was noted: the name of a snapshot taken now.
    pub fn end_offset(&self) -> i64 {
        self.end_offset
    }

    /// Sets the end when the log moves on without batches.
    pub fn set_end_offset(&mut self, end_offset: i64) {
        self.end_offset = end_offset;
    }

    /// Forgets everything, as for a log that is replaced and goes on at `end_offset`.
    pub fn clear(&mut self, end_offset: i64) {
        self.producers.clear();
        self.verifications.clear();
        self.ongoing.clear();
        self.unreplicated.clear();
        self.end_offset = end_offset;
    }

    /// The snapshot file of this moment; its name is that of [`Self::end_offset`].
    pub fn snapshot(&self) -> Vec<u8> {
        producer_snapshot::encode(self.iter().map(|(producer_id, entry)| entry.to_snapshot(producer_id)))
    }

    /// Starts from a snapshot that was taken at `end_offset`; what has expired since is left out. After a truncation
    /// too: load the newest snapshot at or below the new end, then replay from there.
    pub fn load(&mut self, entries: &[SnapshotEntry], end_offset: i64, now_ms: i64) {
        self.clear(end_offset);
        for snapshot in entries {
            let entry = ProducerEntry::from_snapshot(snapshot);
            if is_expired(&self.limits, &entry, now_ms) {
                continue;
            }
            if let Some(first_offset) = entry.transaction_first_offset() {
                self.ongoing.insert(first_offset, snapshot.producer_id);
            }
            self.producers.insert(snapshot.producer_id, entry);
        }
    }
}

fn is_expired(limits: &ProducerLimits, entry: &ProducerEntry, now_ms: i64) -> bool {
    let idle_ms = now_ms.saturating_sub(entry.last_timestamp_ms());
    entry.transaction_first_offset().is_none() && idle_ms >= limits.producer_id_expiration_ms
}

fn check_epoch(check: &AppendCheck<'_>, entry: &ProducerEntry) -> Result<(), ProducerError> {
    let BatchHeader { producer_id, producer_epoch, .. } = *check.header;
    let (current_epoch, offset) = (entry.producer_epoch(), check.next_offset);
    if producer_epoch < current_epoch {
        return Err(ProducerError::InvalidProducerEpoch {
            producer_id,
            offset,
            producer_epoch,
            current_epoch,
        });
    }
    Ok(())
}

/// Since version 2 a marker brings a new epoch. One with the same epoch is let through only where it can do no harm:
/// it was written already and is sent again, or the epoch cannot rise any more.
fn check_marker(
    check: &AppendCheck<'_>,
    entry: &ProducerEntry,
    marker: EndMarker,
) -> Result<(), ProducerError> {
    check_epoch(check, entry)?;
    let BatchHeader { producer_id, producer_epoch, .. } = *check.header;
    let (current_epoch, offset) = (entry.producer_epoch(), check.next_offset);
    let harmless = entry.transaction_first_offset().is_none() || producer_epoch == i16::MAX;
    if check.transaction_version >= EPOCH_BUMP_VERSION && producer_epoch == current_epoch && !harmless {
        return Err(ProducerError::InvalidProducerEpoch {
            producer_id,
            offset,
            producer_epoch,
            current_epoch,
        });
    }
    let (coordinator_epoch, current_epoch) = (marker.coordinator_epoch, entry.coordinator_epoch());
    if current_epoch > coordinator_epoch {
        return Err(ProducerError::CoordinatorFenced {
            producer_id,
            offset,
            coordinator_epoch,
            current_epoch,
        });
    }
    Ok(())
}

#[cfg(test)]
#[path = "producer_state_tests.rs"]
mod tests;
