//! Producers: batches in and out of order, again, in new and old epochs, transactions, markers of all versions.

use millrace::partition::producer_entry::ProducerEntry;
use millrace::partition::producer_state::{
    AppendCheck, AppendOrigin, EndMarker, ProducerError, ProducerLimits, ProducerStates, Verdict,
};
use millrace::protocol::record_batch::{Attributes, BatchHeader, NO_SEQUENCE};

use super::{Random, same_as_kafka};

const TRANSACTIONAL: i16 = 1 << 4;
const CONTROL: i16 = 1 << 5;

fn new_states() -> ProducerStates {
    ProducerStates::new(ProducerLimits {
        producer_id_expiration_ms: 1_000_000,
        max_producers: 1000,
        max_transaction_timeout_ms: 900_000,
        verify_transactions: true,
    })
}

struct History {
    states: ProducerStates,
    random: Random,
    now_ms: i64,
}

impl History {
    fn header(&self, id: i64, epoch: i16, sequence: i32, records: i32, attributes: i16) -> BatchHeader {
        BatchHeader {
            base_offset: self.states.end_offset(),
            batch_length: 49,
            leader_epoch: 0,
            magic: 2,
            crc: 0,
            attributes: Attributes(attributes),
            last_offset_delta: records - 1,
            base_timestamp: self.now_ms,
            max_timestamp: self.now_ms,
            producer_id: id,
            producer_epoch: epoch,
            base_sequence: sequence,
            record_count: records,
        }
    }

    fn step(&mut self) -> (String, String) {
        self.now_ms += self.random.small::<i64>(2000);
        if self.random.once_in(300) {
            self.now_ms += 1_000_000;
        }
        let id = 1 + self.random.small::<i64>(4);
        let entry = self.states.get(id).cloned().unwrap_or_default();
        let current = entry.producer_epoch().max(0);
        let epoch = match self.random.below(12) {
            0 => (current - 1).max(0),
            1 => current.saturating_add(1),
            2 if self.random.once_in(50) => i16::MAX,
            _ => current,
        };
        let now_ms = self.now_ms;
        match self.random.below(40) {
            0..=19 => self.batch(id, epoch, &entry),
            20..=26 => self.marker(id, epoch, current),
            27..=33 => self.verify(id, epoch, &entry),
            34 | 35 => {
                let watermark = self.states.end_offset() - self.random.small::<i64>(10);
                self.states.on_high_watermark(watermark);
                (format!("watermark {watermark}"), "ok".to_owned())
            }
            36 => {
                self.states.remove_expired(now_ms);
                (format!("expire {now_ms}"), self.states.len().to_string())
            }
            37 => {
                let at_ms = now_ms + self.random.small::<i64>(3_000_000);
                (format!("late {at_ms}"), self.states.has_late_transaction(at_ms).to_string())
            }
            38 if self.random.once_in(50) => {
                self.states = new_states();
                ("reset".to_owned(), "ok".to_owned())
            }
            _ => ("show".to_owned(), self.states.iter().map(show).collect()),
        }
    }

    fn batch(&mut self, id: i64, epoch: i16, entry: &ProducerEntry) -> (String, String) {
        let random = &mut self.random;
        let known = entry.batches();
        let next = if entry.last_sequence() == i32::MAX { 0 } else { entry.last_sequence() + 1 };
        let mut records = 1 + random.small::<i32>(5);
        let sequence = match random.below(10) {
            0 => 0,
            1 => random.small::<i32>(20),
            2 => i32::MAX - random.small::<i32>(4),
            3 | 4 if !known.is_empty() => {
                let again = known[random.small::<usize>(known.len() as u64)];
                records = again.offset_delta + 1;
                again.first_sequence()
            }
            _ if epoch == entry.producer_epoch() => next,
            _ => 0,
        };
        let ongoing = entry.transaction_first_offset().is_some();
        let transactional = if ongoing { !random.once_in(20) } else { random.once_in(3) };
        let guarded = !random.once_in(5);
        let kind = match random.below(20) {
            0 => "COORDINATOR",
            // No log holds a plain batch inside a transaction.
            1 if transactional || !ongoing => "REPLICATION",
            _ => "CLIENT",
        };
        let sequence = if kind == "COORDINATOR" { NO_SEQUENCE } else { sequence };
        let operation =
            format!("{kind} {id} {epoch} {sequence} {records} {transactional} {} {guarded}", self.now_ms);
        let attributes = if transactional { TRANSACTIONAL } else { 0 };
        let header = self.header(id, epoch, sequence, records, attributes);
        if kind == "REPLICATION" {
            self.states.replay(&header, None);
            return (operation, format!("append {}", header.base_offset));
        }
        let origin = if kind == "CLIENT" { AppendOrigin::Client } else { AppendOrigin::Coordinator };
        (operation, self.append(&header, origin, None, 1, guarded))
    }

    fn marker(&mut self, id: i64, epoch: i16, current: i16) -> (String, String) {
        let version = self.random.small::<i16>(3);
        let epoch = if version == 2 && !self.random.once_in(3) { current.saturating_add(1) } else { epoch };
        let (coordinator_epoch, commit) = (self.random.small::<i32>(3), self.random.once_in(2));
        let operation = format!("marker {id} {epoch} {coordinator_epoch} {commit} {version} {}", self.now_ms);
        let header = self.header(id, epoch, NO_SEQUENCE, 1, TRANSACTIONAL | CONTROL);
        let marker = EndMarker { coordinator_epoch, commit, timestamp_ms: self.now_ms };
        (operation, self.append(&header, AppendOrigin::Coordinator, Some(marker), version, false))
    }

    fn verify(&mut self, id: i64, epoch: i16, entry: &ProducerEntry) -> (String, String) {
        let next = entry.last_sequence().saturating_add(1);
        let sequence = next.saturating_add(self.random.small::<i32>(2));
        let bump = self.random.once_in(2);
        // Kafka's clock is the real one: nothing expires there.
        let begun = self.states.begin_verification(id, sequence, epoch, bump, i64::MAX / 2);
        let answer =
            begun.map_or_else(error, |guard| if guard.is_some() { "guard" } else { "none" }.to_owned());
        (format!("verify {id} {sequence} {epoch} {bump}"), answer)
    }

    fn append(
        &mut self,
        header: &BatchHeader,
        origin: AppendOrigin,
        marker: Option<EndMarker>,
        transaction_version: i16,
        guarded: bool,
    ) -> String {
        let guard = if guarded { self.states.verification(header.producer_id) } else { None };
        let next_offset = self.states.end_offset();
        let check = AppendCheck { header, origin, marker, transaction_version, guard, next_offset };
        match self.states.check(&check) {
            Ok(Verdict::Append) => {
                let done = self.states.append(header, marker).map_or(String::new(), |done| {
                    let (first, last) = (done.first_offset, done.last_offset);
                    format!(" done {first} {last} {} {}", done.aborted, done.last_stable_offset)
                });
                format!("append {next_offset}{done}")
            }
            Ok(Verdict::Duplicate(known)) => {
                format!("duplicate {} {} {}", known.first_offset(), known.last_offset, known.timestamp_ms)
            }
            Err(refused) => error(refused),
        }
    }
}

fn error(error: ProducerError) -> String {
    format!("error {}", error.code().0)
}

fn show((id, entry): (i64, &ProducerEntry)) -> String {
    let known = entry.batches().iter().map(|batch| {
        let (first, last) = (batch.first_offset(), batch.last_offset);
        format!(" {}-{}@{first}-{last}/{}", batch.first_sequence(), batch.last_sequence, batch.timestamp_ms)
    });
    format!(
        "[{id} {} {} {} {}{}]",
        entry.producer_epoch(),
        entry.coordinator_epoch(),
        entry.last_timestamp_ms(),
        entry.transaction_first_offset().unwrap_or(-1),
        known.collect::<String>(),
    )
}

#[test]
#[ignore = "needs Java and Kafka's jars, in KAFKA_LIB"]
fn producers_behave_as_kafkas() {
    for seed in 1..=3 {
        let mut history = History { states: new_states(), random: Random(seed), now_ms: 1_000_000 };
        let steps: Vec<_> = (0..100_000)
            .map(|_| {
                let (operation, answer) = history.step();
                let offset = |offset: Option<i64>| offset.map_or("-".to_owned(), |offset| offset.to_string());
                let unstable = offset(history.states.first_unstable_offset());
                let undecided = offset(history.states.first_undecided_offset());
                let end = history.states.end_offset();
                (operation, format!("{answer} | {unstable} {undecided} {end}"))
            })
            .collect();
        let class = "org.apache.kafka.storage.internals.log.ProducerReplay";
        same_as_kafka("ProducerReplay.java", class, &steps);
    }
}
