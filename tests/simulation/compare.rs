//! What a log says, compared with the model: producers, transactions, bytes.

use millrace::log::{Log, LogError, Part};
use millrace::partition::producer_state::{
    AppendCheck, AppendOrigin, ProducerError, Verdict as ProducerVerdict,
};
use millrace::protocol::record_batch::BatchHeader;
use millrace::runtime::platform::{Operation, Outcome};
use millrace::runtime::sim::Random;
use millrace::runtime::{AlignedBuf, Runtime};

use crate::model::Partition;

/// What the log's producer state says of a client's batch that would be appended now.
pub fn judge_client_batch(log: &Log, header: &BatchHeader) -> Result<ProducerVerdict, ProducerError> {
    log.with_producers(|producers| {
        producers.check(&AppendCheck {
            header,
            origin: AppendOrigin::Client,
            marker: None,
            transaction_version: 0,
            guard: None,
            next_offset: log.log_end_offset(),
        })
    })
}

/// Whether the last batch of each producer is still known as such, after a restart.
pub fn check_producers(partition: &Partition, log: &Log) -> Result<(), String> {
    let state = partition.state.borrow();
    let mut seen = Vec::new();
    for batch in state.batches.iter().rev().take_while(|batch| batch.base >= state.start) {
        let Some(producer) = batch.producer.filter(|producer| !seen.contains(&producer.id)) else { continue };
        seen.push(producer.id);
        let header = BatchHeader::parse(&batch.bytes).unwrap();
        match judge_client_batch(log, &header) {
            Ok(ProducerVerdict::Duplicate(known)) if known.first_offset() == batch.base => {}
            other => {
                return Err(format!(
                    "producer {} of {} is not remembered: its batch at {} was judged {other:?}",
                    producer.id,
                    partition.name(),
                    batch.base
                ));
            }
        }
    }
    Ok(())
}

/// Compares open and aborted transactions. The error is a broken law, or one of the log's.
pub async fn check_transactions(
    partition: &Partition,
    log: &Log,
    random: &mut Random,
) -> Result<(), Result<String, LogError>> {
    let generation = partition.generation.get();
    let (start, end) = (log.log_start_offset(), log.log_end_offset());
    let from = start + random.below((end - start + 1) as u64) as i64;
    let mut found: Vec<_> = log
        .aborted_transactions(from, end)
        .await
        .map_err(Err)?
        .iter()
        .map(|aborted| (aborted.producer_id, aborted.first_offset, aborted.last_offset))
        .filter(|(_, _, last)| *last >= from)
        .collect();
    found.sort_unstable();
    let quiet = log.log_start_offset() == start && log.log_end_offset() == end;
    if !quiet || partition.generation.get() != generation {
        return Ok(());
    }
    let (open, aborted) = partition.state.borrow().transactions();
    // What began below the log start may have been forgotten, in part.
    let forgotten: Vec<_> =
        aborted.iter().filter(|(_, first, _)| *first < start).map(|(.., last)| *last).collect();
    found.retain(|(_, first, last)| *first >= start && !forgotten.contains(last));
    let mut expected: Vec<_> = aborted
        .into_iter()
        .filter(|(_, first, last)| *first >= start && *last >= from && *first < end)
        .collect();
    expected.sort_unstable();
    if found != expected {
        return Err(Ok(format!(
            "aborted transactions of {} from {from} are {found:?}, the model says {expected:?}",
            partition.name()
        )));
    }
    if log.durable_end_offset() == end {
        log.set_high_watermark(end);
        let first = open.values().min().copied();
        let found = log.first_unstable_offset();
        // Of what lies below the log start one may know more than the other.
        let judged = first.is_none_or(|first| first >= start) && found.is_none_or(|found| found >= start);
        if judged && found != first {
            return Err(Ok(format!(
                "the first open transaction of {} is at {:?}, the model says {first:?}: {open:?}, {start}..{end}",
                partition.name(),
                log.first_unstable_offset()
            )));
        }
    }
    Ok(())
}

/// The bytes of all parts, read from files as a connection would send them.
pub async fn assemble(runtime: &Runtime, parts: &[Part]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in parts {
        match part {
            Part::Memory(memory) => bytes.extend_from_slice(memory),
            Part::File { file, position, len, .. } => {
                let mut done = 0;
                while done < *len {
                    let buffer = AlignedBuf::zeroed((*len - done) as usize);
                    let operation = Operation::Read { file: file.clone(), position: position + done, buffer };
                    match runtime.submit(operation).await? {
                        Outcome::Read(0, _) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                        Outcome::Read(count, buffer) => {
                            bytes.extend_from_slice(&buffer[..count]);
                            done += count as u64;
                        }
                        other => return Err(std::io::Error::other(format!("{other:?}"))),
                    }
                }
            }
        }
    }
    Ok(bytes)
}
