//! Scenarios of idempotent and transactional producers against one partition.

use super::*;
use crate::protocol::record_batch::{Attributes, NO_PRODUCER_ID, NO_SEQUENCE};

const ID: i64 = 77;
const HOUR_MS: i64 = 3_600_000;
const TRANSACTIONAL: i16 = 1 << 4;
const CONTROL: i16 = 1 << 5;

fn limits() -> ProducerLimits {
    ProducerLimits {
        producer_id_expiration_ms: 24 * HOUR_MS,
        max_producers: 3,
        max_transaction_timeout_ms: 15 * 60 * 1000,
        verify_transactions: false,
    }
}

/// A batch as a client sends it; the partition gives it its offset.
fn batch(producer_id: i64, epoch: i16, sequence: i32, records: i32) -> BatchHeader {
    BatchHeader {
        base_offset: 0,
        batch_length: 49,
        leader_epoch: 0,
        magic: 2,
        crc: 0,
        attributes: Attributes(0),
        last_offset_delta: records - 1,
        base_timestamp: 1000,
        max_timestamp: 1000,
        producer_id,
        producer_epoch: epoch,
        base_sequence: sequence,
        record_count: records,
    }
}

fn transactional(producer_id: i64, epoch: i16, sequence: i32) -> BatchHeader {
    BatchHeader { attributes: Attributes(TRANSACTIONAL), ..batch(producer_id, epoch, sequence, 1) }
}

fn marker(coordinator_epoch: i32, commit: bool) -> EndMarker {
    EndMarker { coordinator_epoch, commit, timestamp_ms: 2000 }
}

/// A partition's leader: checks and appends at the end of its log.
struct Leader {
    states: ProducerStates,
    transaction_version: i16,
    guard: Option<VerificationGuard>,
}

impl Leader {
    fn new() -> Self {
        Self::with(limits())
    }

    fn with(limits: ProducerLimits) -> Self {
        Self { states: ProducerStates::new(limits), transaction_version: 1, guard: None }
    }

    fn end(&self) -> i64 {
        self.states.end_offset()
    }

    fn check(&self, header: &BatchHeader, marker: Option<EndMarker>) -> Result<Verdict, ProducerError> {
        let origin = if marker.is_some() { AppendOrigin::Coordinator } else { AppendOrigin::Client };
        self.states.check(&AppendCheck {
            header,
            origin,
            marker,
            transaction_version: self.transaction_version,
            guard: self.guard,
            next_offset: self.end(),
        })
    }

    /// Answers the offset of the first record, of the first time if it is a duplicate.
    fn produce(&mut self, header: BatchHeader) -> Result<i64, ErrorCode> {
        match self.check(&header, None).map_err(|error| error.code())? {
            Verdict::Duplicate(known) => Ok(known.first_offset()),
            Verdict::Append => {
                let header = BatchHeader { base_offset: self.end(), ..header };
                assert_eq!(self.states.append(&header, None), None);
                Ok(header.base_offset)
            }
        }
    }

    fn end_transaction(
        &mut self,
        producer_id: i64,
        epoch: i16,
        marker: EndMarker,
    ) -> Result<Option<CompletedTransaction>, ErrorCode> {
        let attributes = Attributes(TRANSACTIONAL | CONTROL);
        let header = BatchHeader { attributes, ..batch(producer_id, epoch, NO_SEQUENCE, 1) };
        self.check(&header, Some(marker)).map_err(|error| error.code())?;
        let header = BatchHeader { base_offset: self.end(), ..header };
        Ok(self.states.append(&header, Some(marker)))
    }
}

#[test]
fn a_batch_sent_again_is_answered_with_its_first_offset_for_the_last_five() {
    let mut leader = Leader::new();
    for i in 0..7 {
        assert_eq!(leader.produce(batch(ID, 0, i * 10, 10)), Ok(i64::from(i) * 10));
    }
    for i in 2..7 {
        assert_eq!(leader.produce(batch(ID, 0, i * 10, 10)), Ok(i64::from(i) * 10), "batch {i}");
    }
    assert_eq!(leader.end(), 70, "nothing was appended twice");
    let error = leader.check(&batch(ID, 0, 10, 10), None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER, "older than the five");
    let duplicate = leader.check(&batch(ID, 0, 60, 10), None);
    let known = KnownBatch { last_sequence: 69, last_offset: 69, offset_delta: 9, timestamp_ms: 1000 };
    assert_eq!(duplicate, Ok(Verdict::Duplicate(known)));
}

#[test]
fn a_batch_with_other_borders_is_no_duplicate() {
    let mut leader = Leader::new();
    leader.produce(batch(ID, 0, 0, 10)).unwrap();
    for (sequence, records) in [(0, 9), (0, 11), (1, 9), (5, 10)] {
        let code = leader.produce(batch(ID, 0, sequence, records)).unwrap_err();
        assert_eq!(code, ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER, "{sequence} + {records}");
    }
}

#[test]
fn a_gap_is_refused_and_the_missing_batch_mends_it() {
    let mut leader = Leader::new();
    leader.produce(batch(ID, 0, 0, 5)).unwrap();
    assert_eq!(leader.produce(batch(ID, 0, 10, 5)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(batch(ID, 0, 5, 5)), Ok(5));
    assert_eq!(leader.produce(batch(ID, 0, 10, 5)), Ok(10));
}

#[test]
fn sequences_go_on_at_zero_after_the_largest() {
    let mut leader = Leader::new();
    leader.produce(batch(ID, 0, i32::MAX - 4, 5)).unwrap();
    assert_eq!(leader.produce(batch(ID, 0, 1, 1)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(batch(ID, 0, 0, 3)), Ok(5));

    let mut across = Leader::new();
    across.produce(batch(ID, 0, i32::MAX - 1, 4)).unwrap();
    assert_eq!(across.produce(batch(ID, 0, i32::MAX - 1, 4)), Ok(0), "a duplicate across the wrap");
    assert_eq!(across.produce(batch(ID, 0, 2, 1)), Ok(4));
}

#[test]
fn a_new_epoch_begins_at_zero_and_fences_the_old() {
    let mut leader = Leader::new();
    leader.produce(batch(ID, 3, 0, 5)).unwrap();
    assert_eq!(leader.produce(batch(ID, 4, 5, 1)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(batch(ID, 4, 0, 1)), Ok(5));
    assert_eq!(leader.produce(batch(ID, 3, 5, 1)), Err(ErrorCode::INVALID_PRODUCER_EPOCH));
    assert_eq!(
        leader.produce(batch(ID, 3, 0, 5)),
        Err(ErrorCode::INVALID_PRODUCER_EPOCH),
        "no duplicate either"
    );
}

/// F01: a producer that was idle past its expiry goes on with the sequence it is at.
#[test]
fn f01_an_expired_producer_goes_on_with_any_sequence() {
    let mut leader = Leader::new();
    leader.produce(batch(ID, 0, 0, 8)).unwrap();
    assert_eq!(leader.states.remove_expired(1000 + 24 * HOUR_MS - 1), 0);
    assert_eq!(leader.states.remove_expired(1000 + 24 * HOUR_MS), 1);
    assert_eq!(leader.produce(batch(ID, 0, 8, 8)), Ok(8));
    assert_eq!(leader.produce(batch(ID, 0, 16, 8)), Ok(16));
    assert_eq!(leader.produce(batch(ID, 0, 8, 8)), Ok(8), "and is known again");
}

#[test]
fn a_producer_with_an_open_transaction_does_not_expire() {
    let mut leader = Leader::new();
    leader.produce(transactional(ID, 0, 0)).unwrap();
    assert_eq!(leader.states.remove_expired(i64::MAX), 0);
    leader.end_transaction(ID, 0, marker(0, true)).unwrap();
    assert_eq!(leader.states.remove_expired(i64::MAX), 1);
}

#[test]
fn the_number_of_producers_is_bounded_and_expiry_makes_room() {
    let mut leader = Leader::new();
    for id in 1..=3 {
        leader.produce(batch(id, 0, 0, 1)).unwrap();
    }
    let error = leader.check(&batch(4, 0, 0, 1), None).unwrap_err();
    assert_eq!(error, ProducerError::TooManyProducers { producer_id: 4, limit: 3 });
    assert!(error.code().is_retriable());
    assert_eq!(leader.produce(batch(2, 0, 1, 1)), Ok(3), "known ones go on");
    leader.end_transaction(5, 0, marker(0, true)).unwrap();
    assert_eq!(leader.states.len(), 4, "a marker is never refused for room");
    leader.states.remove_expired(1001 + 24 * HOUR_MS);
    assert_eq!(leader.produce(batch(4, 0, 0, 1)), Ok(5));
}

#[test]
fn a_batch_without_a_producer_only_moves_the_end() {
    let mut leader = Leader::new();
    let plain = BatchHeader { producer_id: NO_PRODUCER_ID, ..batch(0, -1, NO_SEQUENCE, 10) };
    assert_eq!(leader.produce(plain), Ok(0));
    assert_eq!(leader.produce(plain), Ok(10));
    assert!(leader.states.is_empty());
}

#[test]
fn a_coordinators_record_has_no_sequence_but_an_epoch() {
    let mut leader = Leader::new();
    leader.produce(transactional(ID, 5, 0)).unwrap();
    let commit = |epoch| transactional(ID, epoch, NO_SEQUENCE);
    let check = |leader: &Leader, header: &BatchHeader| {
        leader.states.check(&AppendCheck {
            header,
            origin: AppendOrigin::Coordinator,
            marker: None,
            transaction_version: 1,
            guard: None,
            next_offset: leader.end(),
        })
    };
    assert_eq!(check(&leader, &commit(5)), Ok(Verdict::Append));
    assert_eq!(check(&leader, &commit(4)).unwrap_err().code(), ErrorCode::INVALID_PRODUCER_EPOCH);
}

#[test]
fn a_transaction_holds_the_last_stable_offset_until_its_end_is_replicated() {
    let mut leader = Leader::new();
    leader.produce(batch(1, 0, 0, 10)).unwrap();
    assert_eq!(leader.produce(transactional(ID, 0, 0)), Ok(10));
    leader.produce(transactional(ID, 0, 1)).unwrap();
    leader.produce(batch(1, 0, 10, 5)).unwrap();
    assert_eq!(leader.states.first_undecided_offset(), Some(10));
    assert_eq!(leader.states.last_stable_offset(17), 10);
    assert_eq!(leader.states.last_stable_offset(4), 4);

    let completed = leader.end_transaction(ID, 0, marker(0, false)).unwrap().unwrap();
    let expected = CompletedTransaction {
        producer_id: ID,
        first_offset: 10,
        last_offset: 17,
        aborted: true,
        last_stable_offset: 18,
    };
    assert_eq!(completed, expected);
    let entry =
        AbortedTransaction { producer_id: ID, first_offset: 10, last_offset: 17, last_stable_offset: 18 };
    assert_eq!(completed.aborted_transaction(), Some(entry));
    assert_eq!(leader.states.first_undecided_offset(), None);
    assert_eq!(leader.states.last_stable_offset(17), 10, "the marker is not below the high watermark");
    leader.states.on_high_watermark(17);
    assert_eq!(leader.states.first_unstable_offset(), Some(10));
    leader.states.on_high_watermark(18);
    assert_eq!(leader.states.last_stable_offset(18), 18);
}

#[test]
fn interleaved_transactions_end_in_any_order() {
    let mut leader = Leader::new();
    leader.produce(transactional(1, 0, 0)).unwrap();
    leader.produce(transactional(2, 0, 0)).unwrap();
    let second = leader.end_transaction(2, 0, marker(0, false)).unwrap().unwrap();
    assert_eq!((second.first_offset, second.last_offset, second.last_stable_offset), (1, 2, 0));
    leader.produce(transactional(2, 0, 1)).unwrap();
    let first = leader.end_transaction(1, 0, marker(0, true)).unwrap().unwrap();
    assert_eq!((first.first_offset, first.last_offset, first.last_stable_offset), (0, 4, 3));
    assert_eq!(first.aborted_transaction(), None);
    leader.states.on_high_watermark(5);
    assert_eq!(leader.states.first_unstable_offset(), Some(3), "the second one's next");
}

#[test]
fn a_marker_without_a_transaction_only_moves_the_epochs() {
    let mut leader = Leader::new();
    assert_eq!(leader.end_transaction(ID, 3, marker(7, false)), Ok(None));
    let entry = leader.states.get(ID).unwrap();
    assert_eq!((entry.producer_epoch(), entry.coordinator_epoch()), (3, 7));
    assert_eq!(leader.produce(transactional(ID, 3, 1)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(transactional(ID, 3, 0)), Ok(1));
}

#[test]
fn a_marker_of_an_old_coordinator_or_epoch_is_fenced() {
    let mut leader = Leader::new();
    leader.produce(transactional(ID, 1, 0)).unwrap();
    leader.end_transaction(ID, 1, marker(5, true)).unwrap();
    leader.produce(transactional(ID, 1, 1)).unwrap();
    let fenced = leader.end_transaction(ID, 1, marker(4, true));
    assert_eq!(fenced, Err(ErrorCode::TRANSACTION_COORDINATOR_FENCED));
    assert_eq!(leader.end_transaction(ID, 0, marker(5, true)), Err(ErrorCode::INVALID_PRODUCER_EPOCH));
    assert!(leader.end_transaction(ID, 1, marker(5, true)).unwrap().is_some());
}

/// KIP-890: since version 2 of transactions a marker brings the next epoch.
#[test]
fn a_marker_of_version_2_must_raise_the_epoch_unless_it_comes_again() {
    let mut leader = Leader::new();
    leader.transaction_version = 2;
    leader.produce(transactional(ID, 1, 0)).unwrap();
    assert_eq!(leader.end_transaction(ID, 1, marker(0, true)), Err(ErrorCode::INVALID_PRODUCER_EPOCH));
    assert!(leader.end_transaction(ID, 2, marker(0, true)).unwrap().is_some());
    assert_eq!(leader.end_transaction(ID, 2, marker(0, true)), Ok(None), "sent again");
    assert_eq!(leader.produce(transactional(ID, 2, 0)), Ok(3));
    assert_eq!(leader.end_transaction(ID, 2, marker(0, true)), Err(ErrorCode::INVALID_PRODUCER_EPOCH));

    leader.produce(transactional(5, i16::MAX, 0)).unwrap();
    let last = leader.end_transaction(5, i16::MAX, marker(0, false)).unwrap();
    assert!(last.is_some(), "the largest epoch cannot rise");
}

#[test]
fn a_write_outside_of_the_open_transaction_is_refused() {
    let mut leader = Leader::new();
    leader.produce(transactional(ID, 0, 0)).unwrap();
    assert_eq!(leader.produce(batch(ID, 0, 1, 1)), Err(ErrorCode::INVALID_TXN_STATE));
}

#[test]
fn a_transaction_needs_its_guard_when_verification_is_on() {
    let mut leader = Leader::with(ProducerLimits { verify_transactions: true, ..limits() });
    assert_eq!(leader.produce(transactional(ID, 0, 0)), Err(ErrorCode::INVALID_TXN_STATE));
    let guard = leader.states.begin_verification(ID, 0, 0, false, 0).unwrap();
    assert_eq!(leader.states.begin_verification(ID, 1, 0, false, 0), Ok(guard), "the same while it runs");
    let other = leader.states.begin_verification(9, 0, 0, false, 0).unwrap();
    leader.guard = other;
    assert_eq!(leader.produce(transactional(ID, 0, 0)), Err(ErrorCode::INVALID_TXN_STATE));
    leader.guard = guard;
    assert_eq!(leader.produce(transactional(ID, 0, 1)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(transactional(ID, 0, 0)), Ok(0));
    assert_eq!(leader.states.verification(ID), None);
    assert_eq!(leader.states.begin_verification(ID, 1, 0, false, 0), Ok(None), "it is ongoing");
    leader.guard = None;
    assert_eq!(leader.produce(transactional(ID, 0, 1)), Ok(1));
}

#[test]
fn the_next_transactions_verification_outlives_the_marker_of_version_2() {
    let mut leader = Leader::with(ProducerLimits { verify_transactions: true, ..limits() });
    leader.transaction_version = 2;
    leader.guard = leader.states.begin_verification(ID, 0, 0, true, 0).unwrap();
    leader.produce(transactional(ID, 0, 0)).unwrap();
    leader.guard = leader.states.begin_verification(ID, 0, 1, true, 0).unwrap();
    leader.end_transaction(ID, 1, marker(0, true)).unwrap();
    assert_eq!(leader.produce(transactional(ID, 1, 3)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(leader.produce(transactional(ID, 1, 0)), Ok(2));
}

#[test]
fn a_late_transaction_is_seen() {
    let mut leader = Leader::new();
    assert!(!leader.states.has_late_transaction(i64::MAX));
    leader.produce(transactional(ID, 0, 0)).unwrap();
    assert!(!leader.states.has_late_transaction(1000 + 20 * 60 * 1000));
    assert!(leader.states.has_late_transaction(1001 + 20 * 60 * 1000));
}

#[test]
fn a_snapshot_brings_back_producers_and_open_transactions() {
    let mut leader = Leader::new();
    leader.produce(batch(1, 0, 0, 10)).unwrap();
    leader.produce(batch(1, 0, 10, 10)).unwrap();
    leader.produce(transactional(2, 4, 0)).unwrap();
    leader.end_transaction(3, 1, marker(6, true)).unwrap();
    let file = leader.states.snapshot();

    let mut restarted = Leader::new();
    restarted.states.load(&producer_snapshot::decode(&file).unwrap(), leader.end(), 5000);
    assert_eq!(restarted.states.snapshot(), file);
    assert_eq!(restarted.end(), 22);
    assert_eq!(restarted.states.first_undecided_offset(), Some(20));
    assert_eq!(restarted.produce(batch(1, 0, 10, 10)), Ok(10), "the last batch is known");
    assert_eq!(restarted.produce(batch(1, 0, 0, 10)), Err(ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER));
    assert_eq!(restarted.produce(batch(1, 0, 20, 1)), Ok(22));
    assert_eq!(
        restarted.end_transaction(3, 1, marker(5, true)),
        Err(ErrorCode::TRANSACTION_COORDINATOR_FENCED)
    );

    let late = 3000 + 24 * HOUR_MS;
    restarted.states.load(&producer_snapshot::decode(&file).unwrap(), 22, late);
    assert_eq!(
        restarted.states.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        [2],
        "only the open transaction"
    );
}

#[test]
fn a_follower_takes_what_the_log_holds() {
    let mut follower = ProducerStates::new(ProducerLimits { max_producers: 0, ..limits() });
    let at = |offset: i64, header: BatchHeader| BatchHeader { base_offset: offset, ..header };
    follower.replay(&at(100, batch(1, 5, 40, 10)), None);
    follower.replay(&at(110, batch(1, 5, 60, 10)), None);
    follower.replay(&at(120, batch(1, 4, 0, 1)), None);
    assert_eq!(follower.end_offset(), 121);
    assert_eq!(follower.get(1).map(|entry| entry.last_sequence()), Some(0));
    follower.on_log_start_offset(200);
    assert_eq!((follower.end_offset(), follower.len()), (200, 1));
    follower.clear(300);
    assert!(follower.is_empty());
}
