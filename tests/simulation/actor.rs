//! The users of the logs: one task for each partition, doing random things to it and comparing what comes back.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use millrace::log::{Log, LogError, LogManager, PartitionSpec};
use millrace::partition::producer_state::Verdict as ProducerVerdict;
use millrace::protocol::Uuid;
use millrace::protocol::record_batch::BatchHeader;
use millrace::runtime::Runtime;
use millrace::runtime::sim::Random;

use crate::compare::{assemble, check_transactions, judge_client_batch};
use crate::model::{Partition, Standing};
use crate::plan::config;
use crate::random_batches::{FIRST_TRANSACTIONAL, MadeBatch, size};

/// One shard of the process under test.
#[derive(Clone)]
pub struct Shard {
    pub runtime: Runtime,
    pub manager: LogManager,
}

/// What the tasks of one life share.
pub struct Life {
    pub shards: RefCell<Vec<Shard>>,
    pub directory_ids: Vec<Uuid>,
    pub partitions: RefCell<Vec<Rc<Partition>>>,
    pub violation: RefCell<Option<String>>,
    pub stopping: Cell<bool>,
    /// The engine stops: `Closed` is no surprise.
    pub closing: Cell<bool>,
    pub actors: Cell<usize>,
    pub largest: u64,
    /// Disk errors were injected in this life.
    pub errors_injected: Cell<bool>,
    pub appends: Cell<u64>,
    /// What each partition's task does before it ends.
    pub operations: u32,
}

type Step = Result<(), String>;

impl Life {
    pub fn fail(&self, what: String) {
        let mut violation = self.violation.borrow_mut();
        if violation.is_none() {
            *violation = Some(what);
        }
    }

    fn shard(&self, number: usize) -> Shard {
        self.shards.borrow()[number].clone()
    }

    /// Whether an error is none of the engine's faults.
    fn excuses(&self, partition: &Partition, error: &LogError) -> bool {
        match error {
            LogError::Storage(_) => {
                partition.excused.set(self.errors_injected.get());
                self.errors_injected.get()
            }
            LogError::Closed => self.closing.get() || partition.standing.get() != Standing::Live,
            LogError::DiskFull | LogError::Busy => true,
            _ => false,
        }
    }

    fn judge(&self, partition: &Partition, what: &str, error: LogError) -> Step {
        if self.excuses(partition, &error) {
            Ok(())
        } else {
            Err(format!("{what} {}: {error}", partition.name()))
        }
    }

    /// Starts the task of a partition whose log is open.
    pub fn start(self: &Rc<Self>, partition: Rc<Partition>, random: Random) {
        let life = self.clone();
        self.actors.set(self.actors.get() + 1);
        let runtime = self.shard(partition.shard.get()).runtime;
        runtime.spawn(async move { life.act(partition, random).await }).detach();
    }

    async fn act(self: Rc<Self>, mut partition: Rc<Partition>, mut random: Random) {
        let mut left = self.operations;
        while left > 0 && !self.stopping.get() && self.violation.borrow().is_none() {
            if partition.standing.get() == Standing::Deleted {
                match self.create_again(&partition, &mut random).await {
                    Ok(Some(next)) => partition = next,
                    Ok(None) => break,
                    Err(what) => {
                        self.fail(what);
                        break;
                    }
                }
            }
            let Some(log) = partition.log.borrow().clone() else { break };
            if log.error().is_some() && !self.stopping.get() {
                if let Some(error) = log.error()
                    && let Err(what) = self.judge(&partition, "a log ended:", error)
                {
                    self.fail(what);
                }
                break;
            }
            let step = self.step(&partition, &log, &mut random).await;
            if let Err(what) = step.and_then(|()| partition.observe()) {
                self.fail(what);
            }
            left -= 1;
            let runtime = self.shard(partition.shard.get()).runtime;
            match random.below(10) {
                0..4 => {}
                4..8 => runtime.yield_now().await,
                _ => runtime.sleep(Duration::from_micros(random.below(400))).await,
            }
        }
        self.actors.set(self.actors.get() - 1);
    }

    async fn step(self: &Rc<Self>, partition: &Rc<Partition>, log: &Log, random: &mut Random) -> Step {
        let runtime = self.shard(partition.shard.get()).runtime;
        match random.below(1000) {
            0..400 => self.append(partition, log, random).await,
            400..420 => self.end_transaction(partition, log, random).await,
            420..430 => check_transactions(partition, log, random).await.or_else(|error| match error {
                Ok(what) => Err(what),
                Err(error) => self.judge(partition, "transactions of", error),
            }),
            430..500 => self.append_as_follower(partition, log, random).await,
            500..640 => {
                let seed = random.next_u64();
                if random.chance(0.5) {
                    return self.read(partition, log, Random::new(seed)).await;
                }
                let (life, partition, log) = (self.clone(), partition.clone(), log.clone());
                runtime
                    .spawn(async move {
                        if let Err(what) = life.read(&partition, &log, Random::new(seed)).await {
                            life.fail(what);
                        }
                    })
                    .detach();
                Ok(())
            }
            640..690 => self.look_up_time(partition, log, random).await,
            690..720 => look_up_epoch(partition, log, random),
            720..750 => self.truncate(partition, log, random).await,
            750..785 => self.delete_records(partition, log, random).await,
            785..790 => self.restart(partition, log, random).await,
            790..820 => rolled(partition, log).or_else(|error| self.judge(partition, "rolling", error)),
            820..840 => log.flush().await.or_else(|error| self.judge(partition, "flushing", error)),
            840..855 => {
                let config = config(random);
                partition.state.borrow_mut().retention |= config.retention_bytes.is_some();
                log.set_config(config);
                Ok(())
            }
            855..865 => self.delete(partition, log).await,
            865..885 => self.move_partition(partition, log, random).await,
            885..900 => {
                partition.state.borrow_mut().epoch += 1;
                let (epoch, end) = (partition.state.borrow().epoch, log.log_end_offset());
                log.assign_epoch(epoch, end)
                    .await
                    .or_else(|error| self.judge(partition, "an epoch of", error))
            }
            _ => {
                let most_us = *random.pick(&[50, 500, 5_000, 100_000]).unwrap();
                runtime.sleep(Duration::from_micros(random.below(most_us))).await;
                Ok(())
            }
        }
    }

    async fn append(self: &Rc<Self>, partition: &Rc<Partition>, log: &Log, random: &mut Random) -> Step {
        let runtime = self.shard(partition.shard.get()).runtime;
        let now_ms = runtime.wall_clock_ms();
        let producer = random.chance(0.3).then(|| {
            let id = *random.pick(&[1000, 1001, 1002, FIRST_TRANSACTIONAL, FIRST_TRANSACTIONAL + 1]).unwrap();
            (id, 0, partition.state.borrow().next_sequence(id))
        });
        let target = size(random, self.largest);
        let made = MadeBatch::new(random, target, now_ms, producer);
        let more =
            (producer.is_none() && random.chance(0.1)).then(|| MadeBatch::new(random, 200, now_ms, None));
        let mut bytes = made.bytes.clone();
        bytes.extend(more.iter().flat_map(|made| made.bytes.iter().copied()));
        let room = match log.try_reserve(bytes.len()) {
            Some(room) => room,
            None => match log.reserve(bytes.len()).await {
                Ok(room) => room,
                Err(error) => return self.judge(partition, "reserving in", error),
            },
        };
        // No await from here to the model's push.
        let header = BatchHeader::parse(&made.bytes).unwrap();
        if producer.is_some() {
            // A spawned reader may have let time pass, but only this task appends.
            match judge_client_batch(log, &header) {
                Ok(ProducerVerdict::Append) => {}
                // What a producer wrote below the log start may have been forgotten.
                Err(_)
                    if partition.state.borrow().is_forgotten(header.producer_id, log.log_start_offset()) =>
                {
                    return Ok(());
                }
                Ok(ProducerVerdict::Duplicate(known))
                    if known.last_offset < partition.state.borrow().start =>
                {
                    return Ok(());
                }
                other => {
                    return Err(format!(
                        "the next batch of a producer was not taken in {}: {other:?}",
                        partition.name()
                    ));
                }
            }
        }
        let (first, epoch) = {
            let state = partition.state.borrow();
            (state.end, state.epoch)
        };
        let append_time = log.config().log_append_time.then_some(now_ms);
        let appended = match log.append_as_leader(&bytes, epoch, now_ms) {
            Ok(appended) => appended,
            Err(error) => return self.judge(partition, "appending to", error),
        };
        drop(room);
        if appended.first_offset != first {
            return Err(format!(
                "{} gave offset {}, the model says {first}",
                partition.name(),
                appended.first_offset
            ));
        }
        tracing::debug!(
            "{} appended {first}..={}, {} bytes",
            partition.name(),
            appended.last_offset,
            bytes.len()
        );
        let again = made.clone();
        {
            let mut state = partition.state.borrow_mut();
            let stored = made.stored(first, epoch, append_time);
            let next = stored.last + 1;
            state.push(stored);
            if let Some(more) = more {
                state.push(more.stored(next, epoch, append_time));
            }
        }
        self.appends.set(self.appends.get() + 1);
        let end = partition.state.borrow().end;
        if appended.last_offset + 1 != end || log.log_end_offset() != end {
            return Err(format!(
                "{} ends at {} after an append, the model at {end}",
                partition.name(),
                log.log_end_offset()
            ));
        }
        if producer.is_some() && random.chance(0.2) {
            duplicate(partition, log, &again, first)?;
        }
        self.wait_for(partition, log, end, random).await
    }

    async fn end_transaction(
        self: &Rc<Self>,
        partition: &Rc<Partition>,
        log: &Log,
        random: &mut Random,
    ) -> Step {
        let runtime = self.shard(partition.shard.get()).runtime;
        let open: Vec<i64> = partition.state.borrow().transactions().0.into_keys().collect();
        let Some(producer) = random.pick(&open).copied() else { return Ok(()) };
        let now_ms = runtime.wall_clock_ms();
        let made = MadeBatch::marker(producer, random.chance(0.5), now_ms);
        let room = match log.reserve(made.bytes.len()).await {
            Ok(room) => room,
            Err(error) => return self.judge(partition, "reserving in", error),
        };
        let (base, epoch) = {
            let state = partition.state.borrow();
            (state.end, state.epoch)
        };
        if let Err(error) = log.append_as_leader(&made.bytes, epoch, now_ms) {
            return self.judge(partition, "ending a transaction in", error);
        }
        drop(room);
        let append_time = log.config().log_append_time.then_some(now_ms);
        let stored = made.stored(base, epoch, append_time);
        let end = stored.last + 1;
        tracing::debug!("{} appended a marker of {producer} at {base}", partition.name());
        partition.state.borrow_mut().push(stored);
        self.wait_for(partition, log, end, random).await
    }

    /// Waits until `end` is durable, here or in a task of its own.
    async fn wait_for(
        self: &Rc<Self>,
        partition: &Rc<Partition>,
        log: &Log,
        end: i64,
        random: &mut Random,
    ) -> Step {
        let generation = partition.generation.get();
        if random.chance(0.3) {
            match log.durable(end).await {
                Ok(()) => partition.ack(end, generation),
                Err(error) => return self.judge(partition, "waiting for", error),
            }
            return Ok(());
        }
        let (life, partition, log) = (self.clone(), partition.clone(), log.clone());
        let runtime = self.shard(partition.shard.get()).runtime;
        runtime
            .spawn(async move {
                match log.durable(end).await {
                    Ok(()) => partition.ack(end, generation),
                    Err(error) if partition.generation.get() == generation => {
                        if let Err(what) = life.judge(&partition, "waiting for", error) {
                            life.fail(what);
                        }
                    }
                    Err(_) => {}
                }
            })
            .detach();
        Ok(())
    }

    async fn append_as_follower(
        self: &Rc<Self>,
        partition: &Rc<Partition>,
        log: &Log,
        random: &mut Random,
    ) -> Step {
        let runtime = self.shard(partition.shard.get()).runtime;
        let now_ms = runtime.wall_clock_ms();
        let target = size(random, self.largest);
        let made = MadeBatch::new(random, target, now_ms, None);
        let room = match log.reserve(made.bytes.len()).await {
            Ok(room) => room,
            Err(error) => return self.judge(partition, "reserving in", error),
        };
        let (base, epoch) = {
            let mut state = partition.state.borrow_mut();
            state.epoch += i32::from(random.chance(0.2));
            (state.end, state.epoch)
        };
        let stored = made.stored(base, epoch, None);
        match log.append_as_follower(&stored.bytes, now_ms) {
            Ok(_) => {}
            Err(error) => return self.judge(partition, "appending to", error),
        }
        drop(room);
        let end = stored.last + 1;
        tracing::debug!("{} appended {base}..{end} as follower", partition.name());
        partition.state.borrow_mut().push(stored);
        self.wait_for(partition, log, end, random).await
    }

    /// Reads at a random place and compares every byte.
    pub async fn read(&self, partition: &Partition, log: &Log, mut random: Random) -> Step {
        let runtime = self.shard(partition.shard.get()).runtime;
        let generation = partition.generation.get();
        if partition.state.borrow().is_being_cut() {
            return Ok(());
        }
        let (start, end) = (log.log_start_offset(), log.log_end_offset());
        let offset = start + random.below((end - start + 1) as u64) as i64;
        let upper = if random.chance(0.5) { log.durable_end_offset() } else { end };
        let max_bytes = *random.pick(&[0, 100, 4_096, 30_000, 1 << 20]).unwrap();
        let at_least_one = random.chance(0.7);
        let found = match log.read(offset, max_bytes, upper, at_least_one).await {
            Ok(found) => found,
            Err(LogError::OffsetOutOfRange { .. }) if offset < log.log_start_offset() => return Ok(()),
            Err(_) if partition.generation.get() != generation => return Ok(()),
            Err(error) => return self.judge(partition, "reading", error),
        };
        if random.chance(0.3) {
            runtime.sleep(Duration::from_micros(random.below(3_000))).await;
        }
        let bytes = match assemble(&runtime, &found.parts).await {
            Ok(bytes) => bytes,
            Err(_) if partition.generation.get() != generation => return Ok(()),
            Err(_) if self.errors_injected.get() || self.closing.get() => return Ok(()),
            Err(error) => return Err(format!("reading a part of {}: {error}", partition.name())),
        };
        if partition.generation.get() != generation
            || log.log_start_offset() > offset
            || partition.state.borrow().is_being_cut()
        {
            return Ok(());
        }
        if bytes.len() as u64 != found.bytes {
            return Err(format!("{} bytes came of {} that a read promised", bytes.len(), found.bytes));
        }
        let state = partition.state.borrow();
        let (expected, first) = state.stream(offset, upper, bytes.len());
        let case = || {
            format!(
                "reading {} at {offset} below {upper}, {max_bytes} bytes, {at_least_one}",
                partition.name()
            )
        };
        if expected.get(..bytes.len()) != Some(&bytes[..]) {
            let differs = bytes.iter().zip(&expected).position(|(got, wanted)| got != wanted);
            return Err(format!(
                "wrong bytes: {}: {} came, they differ at {differs:?} of {}",
                case(),
                bytes.len(),
                expected.len()
            ));
        }
        let least = if at_least_one || first <= max_bytes as usize { first } else { 0 };
        if bytes.len() < least {
            return Err(format!("too little: {}: {} came, the first batch has {first}", case(), bytes.len()));
        }
        if bytes.len() > (max_bytes as usize).max(least) {
            return Err(format!("too much: {}: {} came", case(), bytes.len()));
        }
        Ok(())
    }

    async fn look_up_time(&self, partition: &Partition, log: &Log, random: &mut Random) -> Step {
        let (start, end) = (log.log_start_offset(), log.log_end_offset());
        let Some(wanted) = ({
            let state = partition.state.borrow();
            let from = state.batches.partition_point(|batch| batch.last < start);
            let batch = random.pick(state.batches.get(from..).unwrap_or_default());
            batch.map(|batch| *random.pick(&batch.timestamps).unwrap() + random.below(3) as i64 - 1)
        }) else {
            return Ok(());
        };
        let found = match log.offset_for_timestamp(wanted).await {
            Ok(found) => found.map(|found| (found.offset, found.timestamp_ms)),
            Err(_) if log.log_start_offset() != start => return Ok(()),
            Err(error) => return self.judge(partition, "looking up a time in", error),
        };
        if log.log_start_offset() != start || log.log_end_offset() != end {
            return Ok(());
        }
        let expected = partition.state.borrow().record_at(start, wanted);
        if found != expected {
            return Err(format!(
                "time {wanted} in {} is at {found:?}, the model says {expected:?}, start {start}, {:?}",
                partition.name(),
                log.segments()
            ));
        }
        Ok(())
    }

    async fn truncate(&self, partition: &Partition, log: &Log, random: &mut Random) -> Step {
        let (start, end) = (log.log_start_offset(), log.log_end_offset());
        let back = *random.pick(&[1, 3, 20, 1000]).unwrap();
        let target = (end - random.below(back) as i64).max(start);
        partition.changed();
        partition.state.borrow_mut().cut_pending = Some(target);
        tracing::debug!("{} is cut to {target}, start {start}, end {end}", partition.name());
        let result = log.truncate_to(target).await;
        tracing::debug!("{} was cut to {target}: {result:?}", partition.name());
        partition.changed();
        match result {
            Ok(()) => {
                let mut state = partition.state.borrow_mut();
                state.cut_pending = None;
                // Retention may have gone on meanwhile, past the target.
                state.cut(target);
                Ok(())
            }
            Err(LogError::Busy) => {
                partition.state.borrow_mut().cut_pending = None;
                Ok(())
            }
            Err(error) => self.judge(partition, "truncating", error),
        }
    }

    async fn restart(&self, partition: &Partition, log: &Log, random: &mut Random) -> Step {
        let target = log.log_end_offset() + random.below(100) as i64;
        partition.changed();
        partition.state.borrow_mut().restart_pending = Some(target);
        tracing::debug!("{} restarts at {target}", partition.name());
        let result = log.truncate_fully_and_start_at(target).await;
        tracing::debug!("{} restarted at {target}: {result:?}", partition.name());
        partition.changed();
        let mut state = partition.state.borrow_mut();
        match result {
            Ok(()) => {
                state.restart_pending = None;
                state.start_at(target);
                Ok(())
            }
            Err(LogError::Busy) => {
                state.restart_pending = None;
                Ok(())
            }
            Err(error) => {
                drop(state);
                self.judge(partition, "restarting", error)
            }
        }
    }

    async fn delete_records(&self, partition: &Partition, log: &Log, random: &mut Random) -> Step {
        let (start, durable) = (log.log_start_offset(), log.durable_end_offset());
        let target = start + random.below((durable - start + 1) as u64) as i64;
        partition.state.borrow_mut().start_pending = Some(target);
        tracing::debug!("{} deletes records below {target}, start {start}", partition.name());
        let result = log.delete_records_before(target).await;
        tracing::debug!("{} deleted records: {result:?}", partition.name());
        match result {
            Ok(new_start) => {
                let mut state = partition.state.borrow_mut();
                state.start_pending = None;
                state.start = state.start.max(target);
                if new_start < target || log.log_start_offset() < target {
                    return Err(format!(
                        "{} starts at {new_start} after a deletion to {target}",
                        partition.name()
                    ));
                }
                Ok(())
            }
            Err(LogError::Busy) => {
                partition.state.borrow_mut().start_pending = None;
                Ok(())
            }
            Err(error) => self.judge(partition, "deleting records of", error),
        }
    }

    async fn delete(&self, partition: &Partition, log: &Log) -> Step {
        let manager = self.shard(partition.shard.get()).manager;
        partition.changed();
        partition.standing.set(Standing::Deleting);
        *partition.log.borrow_mut() = None;
        let _ = log;
        tracing::debug!("{} is deleted", partition.name());
        let result = manager.delete(partition.id, partition.number).await;
        tracing::debug!("{} was deleted: {result:?}", partition.name());
        match result {
            Ok(()) => {
                partition.standing.set(Standing::Deleted);
                Ok(())
            }
            Err(error) => self.judge(partition, "deleting", error),
        }
    }

    /// After a deletion: the same name, another id.
    async fn create_again(
        &self,
        old: &Rc<Partition>,
        random: &mut Random,
    ) -> Result<Option<Rc<Partition>>, String> {
        if random.chance(0.2) {
            return Ok(None);
        }
        // As when a partition is moved away and comes back: the topic keeps its id, the incarnation is another.
        let id = if random.chance(0.4) { old.id } else { random_id(random) };
        let directory = random.index(self.directory_ids.len());
        let next = Partition::new(old.topic.clone(), id, old.number, directory, old.shard.get());
        self.partitions.borrow_mut().push(next.clone());
        self.create(&[next.clone()], random).await?;
        Ok((next.standing.get() == Standing::Live).then_some(next))
    }

    /// Creates partitions, all of one shard, in one call.
    pub async fn create(&self, partitions: &[Rc<Partition>], random: &mut Random) -> Step {
        let Some(first) = partitions.first() else { return Ok(()) };
        let manager = self.shard(first.shard.get()).manager;
        let specs = partitions
            .iter()
            .map(|partition| {
                let config = config(random);
                partition.state.borrow_mut().retention = config.retention_bytes.is_some();
                PartitionSpec {
                    topic: partition.topic.clone(),
                    topic_id: partition.id,
                    partition: partition.number,
                    directory: self.directory_ids[partition.directory.get()],
                    config,
                }
            })
            .collect();
        for (partition, result) in partitions.iter().zip(manager.create(specs).await) {
            match result {
                Ok(log) => {
                    partition.standing.set(Standing::Live);
                    *partition.log.borrow_mut() = Some(log);
                }
                Err(error) => self.judge(partition, "creating", error)?,
            }
        }
        Ok(())
    }

    async fn move_partition(
        self: &Rc<Self>,
        partition: &Rc<Partition>,
        log: &Log,
        random: &mut Random,
    ) -> Step {
        let (from, to) = (partition.shard.get(), random.index(self.shards.borrow().len()));
        if from == to {
            return self.relocate(partition, log, random).await;
        }
        tracing::debug!("{} moves from shard {from} to {to}", partition.name());
        partition.changed();
        let moved = match self.shard(from).manager.export(partition.id, partition.number).await {
            Ok(moved) => moved,
            Err(LogError::Busy) => return Ok(()),
            Err(error) => return self.judge(partition, "exporting", error),
        };
        if let Some(log) = partition.log.take() {
            // What retention deleted until then is known from nowhere else when the import comes to nothing.
            let mut state = partition.state.borrow_mut();
            state.start = state.start.max(log.log_start_offset());
        }
        let target = self.shard(to);
        let manager = target.manager.clone();
        // On the other shard, as a message would have it.
        let imported = target.runtime.spawn(async move { manager.import(moved).await }).await;
        partition.changed();
        partition.shard.set(to);
        tracing::debug!("{} moved: {:?}", partition.name(), imported.as_ref().err());
        match imported {
            Ok(log) => {
                *partition.log.borrow_mut() = Some(log);
                Ok(())
            }
            Err(error) => self.judge(partition, "importing", error),
        }
    }
}

impl Life {
    /// To another log directory, while readers go on. What the model has in `directory` stands for the metadata.
    async fn relocate(self: &Rc<Self>, partition: &Rc<Partition>, log: &Log, random: &mut Random) -> Step {
        let target = random.index(self.directory_ids.len());
        if target == partition.directory.get() {
            return Ok(());
        }
        let shard = self.shard(partition.shard.get());
        let begun = shard.manager.relocate(partition.id, partition.number, self.directory_ids[target]).await;
        let relocation = match begun {
            Ok(relocation) => relocation,
            Err(error) => return self.judge(partition, "relocating", error),
        };
        tracing::debug!("{} goes to directory {target}", partition.name());
        let (mut copied, mut round) = (relocation.copy().await, 0);
        while copied.is_ok() && round < 3 && random.chance(0.5) {
            // Segments that come and go meanwhile.
            self.append(partition, log, random).await?;
            match random.below(4) {
                0 => rolled(partition, log).or_else(|error| self.judge(partition, "rolling", error))?,
                1 => self.truncate(partition, log, random).await?,
                2 => self.delete_records(partition, log, random).await?,
                _ => {}
            }
            copied = relocation.copy().await;
            round += 1;
        }
        let settled = match copied {
            Ok(()) => relocation.settle().await,
            failed => failed,
        };
        if settled.is_err() || random.chance(0.2) {
            tracing::debug!("{} stays: {settled:?}", partition.name());
            let abandoned = relocation.abandon().await;
            return settled.and(abandoned).or_else(|error| self.judge(partition, "copying", error));
        }
        if random.chance(0.3) {
            shard.runtime.sleep(Duration::from_micros(random.below(3_000))).await;
        }
        partition.changed();
        partition.directory.set(target);
        if random.chance(0.3) {
            shard.runtime.sleep(Duration::from_micros(random.below(3_000))).await;
        }
        let serve = |log: &Log| {
            *partition.log.borrow_mut() = Some(log.clone());
            partition.changed();
        };
        let finished = relocation.finish(serve).await;
        partition.changed();
        tracing::debug!("{} went: {finished:?}", partition.name());
        finished.or_else(|error| self.judge(partition, "moving", error))
    }
}

fn rolled(partition: &Partition, log: &Log) -> Result<(), LogError> {
    tracing::debug!("{} rolls at {}", partition.name(), log.log_end_offset());
    log.roll()
}

fn look_up_epoch(partition: &Partition, log: &Log, random: &mut Random) -> Step {
    let (start, end) = (log.log_start_offset(), log.log_end_offset());
    if start == end {
        return Ok(());
    }
    let offset = start + random.below((end - start) as u64) as i64;
    let state = partition.state.borrow();
    let (found, expected) = (log.epoch_for_offset(offset), state.epoch_at(offset));
    // A truncation may leave a hole of offsets that no batch has.
    if expected.is_some()
        && found != expected
        && state.batches.iter().any(|batch| (batch.base..=batch.last).contains(&offset))
    {
        return Err(format!(
            "offset {offset} of {} is of epoch {found:?}, the model says {expected:?}",
            partition.name()
        ));
    }
    Ok(())
}

fn duplicate(partition: &Partition, log: &Log, made: &MadeBatch, first: i64) -> Step {
    let header = BatchHeader::parse(&made.bytes).unwrap();
    match judge_client_batch(log, &header) {
        Ok(ProducerVerdict::Duplicate(known)) if known.first_offset() == first => Ok(()),
        other => Err(format!("a batch sent twice to {} at {first} was judged {other:?}", partition.name())),
    }
}

pub fn random_id(random: &mut Random) -> Uuid {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&random.next_u64().to_le_bytes());
    bytes[8..].copy_from_slice(&random.next_u64().to_le_bytes());
    bytes[0] |= 1;
    Uuid(bytes)
}
