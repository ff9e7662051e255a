//! The users of the compacted logs: one task for each partition.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use millrace::log::{Log, LogConfig, LogError};
use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{
    BatchBuilder, BatchHeader, batches, end_txn_batch, set_base_offset_and_epoch,
};
use millrace::runtime::Runtime;
use millrace::runtime::sim::Random;

use super::model::{Appended, Model, Written};
use crate::actor::Shard;
use crate::compare::assemble;

const KEYS: u64 = 10;
/// Producers with an id from here on write transactions.
pub const FIRST_TRANSACTIONAL: i64 = 2000;

/// What the tasks of one life share.
pub struct Life {
    pub shards: Vec<Shard>,
    pub models: Vec<Rc<RefCell<Model>>>,
    pub keeps_tombstones: bool,
    pub violation: RefCell<Option<String>>,
    pub stopping: Cell<bool>,
    pub actors: Cell<usize>,
}

/// A topic's configuration, small enough that segments roll and are cleaned.
pub fn config(random: &mut Random, keeps_tombstones: bool) -> LogConfig {
    LogConfig {
        segment_bytes: *random.pick(&[6 << 10, 16 << 10, 64 << 10]).unwrap(),
        segment_index_bytes: *random.pick(&[64, 10 << 20]).unwrap(),
        index_interval_bytes: *random.pick(&[0, 512, 4096]).unwrap(),
        file_delete_delay_ms: *random.pick(&[0, 5, 100]).unwrap(),
        retention_ms: None,
        delete: false,
        compact: true,
        min_dirty_ratio: *random.pick(&[0.0, 0.0, 0.3]).unwrap(),
        delete_retention_ms: if keeps_tombstones { i64::MAX / 4 } else { *random.pick(&[0, 20]).unwrap() },
        ..LogConfig::default()
    }
}

impl Life {
    fn fail(&self, what: String) {
        self.violation.borrow_mut().get_or_insert(what);
    }

    pub fn log(&self, model: &RefCell<Model>) -> Option<Log> {
        let model = model.borrow();
        self.shards[model.shard].manager.get(model.id, 0)
    }

    pub async fn act(self: Rc<Self>, model: Rc<RefCell<Model>>, mut random: Random, operations: u64) {
        for _ in 0..operations {
            if self.stopping.get() || self.violation.borrow().is_some() {
                break;
            }
            if let Err(what) = self.step(&model, &mut random).await {
                self.fail(what);
            }
        }
        self.actors.set(self.actors.get() - 1);
    }

    async fn step(&self, model: &Rc<RefCell<Model>>, random: &mut Random) -> Result<(), String> {
        let runtime = self.shards[model.borrow().shard].runtime.clone();
        let Some(log) = self.log(model) else { return Ok(()) };
        let told = |what: &str, error: LogError| match error {
            LogError::Busy | LogError::DiskFull => Ok(()),
            LogError::Closed if self.stopping.get() => Ok(()),
            error => Err(format!("{what}: {error}")),
        };
        match random.below(100) {
            0..55 => self.append(model, &log, &runtime, random).await,
            55..62 => self.end_transaction(model, &log, &runtime, random).await,
            62..68 => log.roll().or_else(|error| told("rolling", error)),
            68..78 => {
                let most_us = *random.pick(&[100, 5_000, 60_000]).unwrap();
                runtime.sleep(Duration::from_micros(random.below(most_us))).await;
                Ok(())
            }
            78..82 => {
                let durable = log.durable_end_offset();
                let mut model = model.borrow_mut();
                model.high_watermark = model.high_watermark.max(durable);
                model.acked = model.acked.max(durable);
                log.set_high_watermark(model.high_watermark);
                tracing::debug!("{}: high watermark {}", log.topic(), model.high_watermark);
                Ok(())
            }
            82..92 => self.check(model, &log, &runtime).await,
            92..94 => {
                let config = config(random, self.keeps_tombstones);
                log.set_config(config);
                Ok(())
            }
            94..96 => {
                let (start, most) = (log.log_start_offset(), model.borrow().high_watermark);
                let target = start + random.below((most - start).max(0) as u64 / 4 + 1) as i64;
                model.borrow_mut().start_pending = Some(target);
                tracing::debug!("{} deletes records below {target}, start {start}", log.topic());
                match log.delete_records_before(target).await {
                    Ok(_) => {
                        let mut model = model.borrow_mut();
                        model.start_pending = None;
                        model.start = model.start.max(target);
                        Ok(())
                    }
                    Err(error) => told("deleting records", error),
                }
            }
            96..98 => {
                // Never below the high watermark, as for Kafka's followers.
                let target = {
                    let mut model = model.borrow_mut();
                    let least = model.high_watermark;
                    let bases: Vec<i64> =
                        model.batches.iter().map(|batch| batch.base).filter(|base| *base >= least).collect();
                    let Some(target) = random.pick(&bases).copied() else { return Ok(()) };
                    model.cut_pending = Some(target);
                    model.generation += 1;
                    target
                };
                tracing::debug!("{} is cut to {target}, end {}", log.topic(), log.log_end_offset());
                let result = log.truncate_to(target).await;
                let mut model = model.borrow_mut();
                model.generation += 1;
                model.cut_pending = None;
                match result {
                    Ok(()) => {
                        model.batches.retain(|batch| batch.last < target);
                        model.acked = model.acked.min(target);
                        Ok(())
                    }
                    Err(error) => told("truncating", error),
                }
            }
            _ => {
                let (from, to) = (model.borrow().shard, random.index(self.shards.len()));
                if from == to {
                    return Ok(());
                }
                model.borrow_mut().generation += 1;
                let id = model.borrow().id;
                tracing::debug!("{} moves from shard {from} to {to}", log.topic());
                let moved = match self.shards[from].manager.export(id, 0).await {
                    Ok(moved) => moved,
                    Err(error) => return told("exporting", error),
                };
                let manager = self.shards[to].manager.clone();
                let imported =
                    self.shards[to].runtime.spawn(async move { manager.import(moved).await }).await;
                model.borrow_mut().shard = to;
                model.borrow_mut().generation += 1;
                imported.map(|_| ()).or_else(|error| told("importing", error))
            }
        }
    }

    async fn append(
        &self,
        model: &Rc<RefCell<Model>>,
        log: &Log,
        runtime: &Runtime,
        random: &mut Random,
    ) -> Result<(), String> {
        let codec =
            *random.pick(&[Codec::None, Codec::None, Codec::Lz4, Codec::Snappy, Codec::Zstd]).unwrap();
        let mut builder = BatchBuilder::new(codec);
        let count = 1 + random.index(5);
        let size = *random.pick(&[20, 200, 1_500]).unwrap();
        let mut records = Vec::new();
        let first_value = model.borrow().next_value;
        model.borrow_mut().next_value += count as u32;
        for number in 0..count {
            let key = random.below(KEYS) as u8;
            let value = random.chance(0.8).then_some(first_value + number as u32);
            let mut filler = vec![0; random.below(size) as usize];
            filler.iter_mut().for_each(|byte| *byte = random.below(200) as u8);
            let bytes = value.map(|value| [&value.to_be_bytes()[..], &filler].concat());
            builder.append(runtime.wall_clock_ms(), Some(&[key; 5]), bytes.as_deref(), &[]);
            records.push(Written { offset: number as i64, key, value });
        }
        let producer = random
            .chance(0.5)
            .then(|| *random.pick(&[1000, 1001, FIRST_TRANSACTIONAL, FIRST_TRANSACTIONAL + 1]).unwrap());
        if let Some(id) = producer {
            let sequence = model.borrow().next_sequence(id);
            builder = builder.producer(id, 0, sequence).transactional(id >= FIRST_TRANSACTIONAL);
        }
        let bytes = builder.build().unwrap();
        self.put(model, log, runtime, random, bytes, records, None).await
    }

    async fn end_transaction(
        &self,
        model: &Rc<RefCell<Model>>,
        log: &Log,
        runtime: &Runtime,
        random: &mut Random,
    ) -> Result<(), String> {
        let open = model.borrow().open();
        let Some(producer) = random.pick(&open).copied() else { return Ok(()) };
        let commit = random.chance(0.5);
        let bytes = end_txn_batch(0, 0, runtime.wall_clock_ms(), producer, 0, 1, commit).unwrap();
        self.put(model, log, runtime, random, bytes, Vec::new(), Some((producer, commit))).await
    }

    #[allow(clippy::too_many_arguments)]
    async fn put(
        &self,
        model: &Rc<RefCell<Model>>,
        log: &Log,
        runtime: &Runtime,
        random: &mut Random,
        mut bytes: Vec<u8>,
        mut records: Vec<Written>,
        marker: Option<(i64, bool)>,
    ) -> Result<(), String> {
        let room = match log.reserve(bytes.len()).await {
            Ok(room) => room,
            Err(LogError::Busy | LogError::DiskFull | LogError::Closed) => return Ok(()),
            Err(error) => return Err(format!("reserving: {error}")),
        };
        let base = model.borrow().end();
        match log.append_as_leader(&bytes, 1, runtime.wall_clock_ms()) {
            Ok(appended) if appended.first_offset == base => {}
            Ok(appended) => return Err(format!("offset {} was given, not {base}", appended.first_offset)),
            Err(LogError::Busy | LogError::Closed) => return Ok(()),
            Err(error) => return Err(format!("appending: {error}")),
        }
        drop(room);
        set_base_offset_and_epoch(&mut bytes, base, 1).unwrap();
        let header = BatchHeader::parse(&bytes).unwrap();
        records.iter_mut().for_each(|record| record.offset += base);
        let (producer, topic) = (header.producer_id, log.topic());
        tracing::debug!("{topic}: appended {base} of producer {producer}, marker {marker:?}");
        let last = header.last_offset();
        let generation = {
            let mut model = model.borrow_mut();
            model.batches.push(Appended { base, last, records, header, marker });
            model.generation
        };
        if random.chance(0.4) {
            match log.durable(last + 1).await {
                Ok(()) => {
                    let mut model = model.borrow_mut();
                    if model.generation == generation {
                        model.acked = model.acked.max(last + 1);
                    }
                }
                Err(LogError::Closed) => {}
                Err(error) => return Err(format!("waiting: {error}")),
            }
        }
        Ok(())
    }

    /// Reads everything and judges it.
    pub async fn check(
        &self,
        model: &Rc<RefCell<Model>>,
        log: &Log,
        runtime: &Runtime,
    ) -> Result<(), String> {
        let generation = model.borrow().generation;
        let (start, end) = (log.log_start_offset(), log.log_end_offset());
        let mut found: Vec<(i64, u8, Option<u32>)> = Vec::new();
        let mut spans: Vec<(i64, i64, i64)> = Vec::new();
        let mut at = start;
        let compactions_before = log.compactions();
        while at < end {
            let (compactions, known) = (log.compactions(), found.len());
            let read = match log.read(at, 20_000, end, true).await {
                Ok(read) => read,
                Err(_) if model.borrow().generation != generation => return Ok(()),
                Err(LogError::Closed) if self.stopping.get() => return Ok(()),
                Err(error) => return Err(format!("reading at {at}: {error}")),
            };
            let bytes = match assemble(runtime, &read.parts).await {
                Ok(bytes) => bytes,
                Err(_) if self.stopping.get() || model.borrow().generation != generation => return Ok(()),
                Err(error) => return Err(format!("reading a part: {error}")),
            };
            if bytes.is_empty() {
                break;
            }
            let mut next = at;
            let mut met = Vec::new();
            for batch in batches(&bytes) {
                let batch = batch.map_err(|error| format!("reading at {at}: {error}"))?;
                batch.verify_crc().map_err(|error| format!("reading at {at}: {error}"))?;
                let header = batch.header;
                if header.last_offset() < next {
                    return Err(format!("offset {} after {next}", header.last_offset()));
                }
                next = header.next_offset();
                if header.attributes.is_control() {
                    continue;
                }
                let mut scratch = Vec::new();
                for record in batch.records(1 << 20, &mut scratch).map_err(|error| error.to_string())? {
                    let record = record.map_err(|error| error.to_string())?;
                    let offset = header.base_offset + i64::from(record.offset_delta);
                    let key = record.key.and_then(|key| key.first().copied()).unwrap_or(255);
                    let value = record
                        .value
                        .and_then(|value| value.first_chunk())
                        .map(|value| u32::from_be_bytes(*value));
                    found.push((offset, key, value));
                    if header.attributes.is_transactional() {
                        met.push((header.producer_id, offset));
                    }
                }
            }
            // As a read_committed fetch does it: what is aborted, for the same bytes.
            if !met.is_empty() {
                let aborted = match log.aborted_transactions(at, next).await {
                    Ok(aborted) => aborted,
                    Err(_) if self.stopping.get() || model.borrow().generation != generation => return Ok(()),
                    Err(error) => return Err(format!("aborted transactions: {error}")),
                };
                if log.compactions() != compactions {
                    // Such a fetch begins again.
                    found.truncate(known);
                    continue;
                }
                for (producer, offset) in met {
                    let is_aborted = aborted.iter().any(|one| {
                        one.producer_id == producer && (one.first_offset..=one.last_offset).contains(&offset)
                    });
                    spans.push((producer, offset, i64::from(is_aborted)));
                }
            }
            at = next;
        }
        let model = model.borrow();
        if model.generation != generation || model.start > start || log.log_start_offset() != start {
            return Ok(());
        }
        // A reader slower than the retention of tombstones may have read what they delete before, and miss them.
        let quiet = log.compactions() == compactions_before;
        model.judge(self.keeps_tombstones, quiet, start, end, &found, &spans)
    }
}
