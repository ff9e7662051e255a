//! Compaction under crashes: keyed records, idempotent and transactional producers, tombstones, a cleaner that never
//! rests, and ends of the process at any operation of the disk, also in the middle of a replacement and of a recovery.
//!
//! What must hold at any time, for a reader from the log start: every record was appended with that offset, key and
//! value, offsets rise, the last record of each key is there (a tombstone until its time), no value comes back whose
//! tombstone is gone, what an aborted transaction has left is told as aborted, and the last batch of each producer is
//! known after a restart.

mod actor;
mod model;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use millrace::log::{
    CleanerSettings, LogDirectory, LogManager, LogSettings, PartitionSpec, Sabotage, finish_clean_stop,
    recover,
};
use millrace::partition::producer_state::Verdict;
use millrace::protocol::Uuid;
use millrace::runtime::Runtime;
use millrace::runtime::sim::{Faults, Random, Stopped, World};

use self::actor::{FIRST_TRANSACTIONAL, Life, config};
use self::model::Model;
use crate::actor::{Shard, random_id};
use crate::compare::judge_client_batch;
use crate::plan::Plan;
use crate::seeds::Sum;

const DISK: &str = "/data0";
const PATIENCE: Duration = Duration::from_secs(60);
const MOST_TURNS: u64 = 2_000_000;

/// What the seeds did, so that a run that compacted nothing does not pass for one that did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub lives: u64,
    pub broken_recoveries: u64,
    pub passes: u64,
    pub replaced: u64,
    pub records: u64,
}

impl Sum for Statistics {
    fn add(&mut self, other: Self) {
        self.lives += other.lives;
        self.broken_recoveries += other.broken_recoveries;
        self.passes += other.passes;
        self.replaced += other.replaced;
        self.records += other.records;
    }
}

fn settings(random: &mut Random, sabotage: Option<Sabotage>) -> LogSettings {
    // The engine's own limits are drawn as for the other seeds.
    let plan = Plan::new(random.next_u64(), sabotage);
    LogSettings {
        durability: millrace::log::Durability::Flush,
        cleaner_enabled: true,
        cleaner: CleanerSettings {
            map_bytes: *random.pick(&[0, 0, 1 << 20]).unwrap(),
            load_factor: 0.9,
            window_bytes: *random.pick(&[4 << 10, 16 << 10, 64 << 10]).unwrap(),
            bytes_per_second: *random.pick(&[1 << 20, u64::MAX, u64::MAX]).unwrap(),
            backoff_ms: *random.pick(&[1, 2, 10]).unwrap(),
        },
        ..plan.settings
    }
}

/// Runs all lives of a seed.
pub fn run(seed: u64, sabotage: Option<Sabotage>) -> Result<Statistics, String> {
    let world =
        World::new(seed ^ 0xc0_4ac7, if seed.is_multiple_of(2) { Faults::none() } else { Faults::mild() });
    let disk = PathBuf::from(DISK);
    world.disk().mount(&disk, 64 << 20);
    world.limit_turns(MOST_TURNS);
    let mut random = world.random();
    let settings = settings(&mut random, sabotage);
    let keeps_tombstones = random.chance(0.5);
    let models: Vec<Rc<RefCell<Model>>> = (0..1 + random.index(3))
        .map(|_| Rc::new(RefCell::new(Model { id: random_id(&mut random), ..Model::default() })))
        .collect();
    let mut statistics = Statistics::default();
    let mut attempts = 0;
    let lives = 3 + random.index(3);
    let mut life_number = 0;
    while life_number <= lives {
        if attempts < 3 && random.chance(0.3) {
            world.interrupt_after_operations(1 + random.below(150));
        }
        let life = match start(&world, &mut random, &settings, &disk, &models, keeps_tombstones) {
            Ok(life) => life,
            Err(Broken::Interrupted) => {
                world.do_not_interrupt();
                attempts += 1;
                statistics.broken_recoveries += 1;
                if random.chance(0.6) {
                    drop(world.crash())
                } else {
                    world.kill()
                }
                continue;
            }
            Err(Broken::Violation(what)) => return Err(what),
        };
        world.do_not_interrupt();
        attempts = 0;
        life_number += 1;
        statistics.lives += 1;
        for model in &models {
            life.actors.set(life.actors.get() + 1);
            let runtime = life.shards[model.borrow().shard].runtime.clone();
            let (acting, model, fork) = (life.clone(), model.clone(), random.fork());
            let operations = 100 + random.below(400);
            runtime.spawn(async move { acting.act(model, fork, operations).await }).detach();
        }
        if random.chance(0.6) {
            world.interrupt_after_operations(1 + random.below(3_000));
        }
        let watching = life.clone();
        let over = move || watching.actors.get() == 0 || watching.violation.borrow().is_some();
        world.run_until(Duration::from_secs(20), over);
        if random.chance(0.3) {
            world.run_for(Duration::from_millis(random.below(200)));
        }
        world.do_not_interrupt();
        for shard in &life.shards {
            let counters = shard.manager.counters();
            statistics.passes += counters.cleaning_passes;
            statistics.replaced += counters.compacted_segments;
        }
        if let Some(what) = life.violation.take() {
            return Err(what);
        }
        end(&world, &mut random, &life, &disk)?;
        if world.turns() >= MOST_TURNS {
            return Err("tasks run in circles".into());
        }
    }
    statistics.records = models.iter().map(|model| u64::from(model.borrow().next_value)).sum();
    Ok(statistics)
}

enum Broken {
    Interrupted,
    Violation(String),
}

fn block_on<T: 'static>(
    world: &World,
    runtime: &Runtime,
    what: &str,
    future: impl Future<Output = T> + 'static,
) -> Result<T, Broken> {
    world.try_block_on(runtime, PATIENCE, future).map_err(|stopped| match stopped {
        Stopped::Interrupted => Broken::Interrupted,
        stopped => Broken::Violation(format!("{what} never ends ({stopped:?})")),
    })
}

fn start(
    world: &World,
    random: &mut Random,
    settings: &LogSettings,
    disk: &Path,
    models: &[Rc<RefCell<Model>>],
    keeps_tombstones: bool,
) -> Result<Rc<Life>, Broken> {
    let runtimes: Vec<_> = (0..1 + random.index(2)).map(|_| world.add_shard()).collect();
    let first = runtimes[0].clone();
    let (own, paths, copy) = (first.clone(), vec![disk.to_owned()], settings.clone());
    let mut recovery =
        block_on(world, &first, "recovery", async move { recover(&own, &paths, &copy).await })?;
    if let Some(reason) = &recovery.directories[0].offline {
        return Err(Broken::Violation(format!("the log directory is offline: {reason}")));
    }
    if recovery.directories[0].id == Uuid::ZERO {
        let (mut fresh, own) = (recovery.directories[0].clone(), first.clone());
        let formatted = async move { fresh.format(&own, "cluster", 1).await.map(|()| fresh) };
        let formatted = block_on(world, &first, "formatting", formatted)?;
        recovery.directories[0] = formatted.map_err(|error| Broken::Violation(error.to_string()))?;
    }
    let mut shards = Vec::new();
    for (number, runtime) in runtimes.iter().enumerate() {
        let (own, settings, directories) = (runtime.clone(), settings.clone(), recovery.directories.clone());
        let open = async move { LogManager::open(&own, number as u16, settings, directories).await };
        match block_on(world, runtime, "opening", open)? {
            Ok(manager) => shards.push(Shard { runtime: runtime.clone(), manager }),
            Err(error) => return Err(Broken::Violation(error.to_string())),
        }
    }
    let life = Rc::new(Life {
        shards,
        models: models.to_vec(),
        keeps_tombstones,
        violation: RefCell::default(),
        stopping: Cell::new(false),
        actors: Cell::new(0),
    });
    let directory = recovery.directories[0].id;
    let mut there = BTreeSet::new();
    for partition in recovery.partitions {
        if let Some(reason) = &partition.offline {
            return Err(Broken::Violation(format!("{} is offline: {reason}", partition.topic)));
        }
        let model = models.iter().find(|model| model.borrow().id == partition.topic_id);
        let Some(model) = model else { return Err(Broken::Violation("an unknown partition".into())) };
        let (start, end) = (partition.log_start_offset, partition.log_end_offset);
        tracing::debug!("{} is {start}..{end} after a start", partition.topic);
        let shard = random.index(life.shards.len());
        let config = config(random, keeps_tombstones);
        let log = life.shards[shard].manager.open_existing(partition, config);
        let log = log.map_err(|error| Broken::Violation(error.to_string()))?;
        log.set_high_watermark(end);
        let mut model = model.borrow_mut();
        model.accept(start, end).map_err(Broken::Violation)?;
        model.shard = shard;
        there.insert(model.id.0);
        for producer in [1000, 1001, FIRST_TRANSACTIONAL, FIRST_TRANSACTIONAL + 1] {
            let Some(last) = model.last_of(producer).filter(|last| last.base >= start && model.start == 0)
            else {
                continue;
            };
            match judge_client_batch(&log, &last.header) {
                Ok(Verdict::Duplicate(known)) if known.last_offset == last.last => {}
                other => {
                    let what = format!("producer {producer}'s batch at {} is judged {other:?}", last.base);
                    return Err(Broken::Violation(what));
                }
            }
        }
    }
    for (number, model) in models.iter().enumerate() {
        let id = model.borrow().id;
        if !there.contains(&id.0) {
            if model.borrow().acked > 0 {
                return Err(Broken::Violation("a partition is gone".into()));
            }
            let spec = PartitionSpec {
                topic: format!("topic{number}").into(),
                topic_id: id,
                partition: 0,
                directory,
                config: config(random, keeps_tombstones),
            };
            let manager = life.shards[0].manager.clone();
            let made = async move { manager.create(vec![spec]).await.pop() };
            let made = block_on(world, &first, "making", made)?;
            match made {
                Some(Ok(log)) => log.set_high_watermark(0),
                other => {
                    return Err(Broken::Violation(format!("making: {:?}", other.map(|made| made.err()))));
                }
            }
            let next_value = model.borrow().next_value;
            *model.borrow_mut() = Model { id, next_value, ..Model::default() };
        }
    }
    for model in models {
        let Some(log) = life.log(model) else { continue };
        let runtime = life.shards[model.borrow().shard].runtime.clone();
        let (life, model, own) = (life.clone(), model.clone(), runtime.clone());
        let check = async move { life.check(&model, &log, &own).await };
        block_on(world, &runtime, "reading", check)?
            .map_err(|what| Broken::Violation(format!("after a restart: {what}")))?;
    }
    Ok(life)
}

fn end(world: &World, random: &mut Random, life: &Rc<Life>, disk: &Path) -> Result<(), String> {
    // What the logs show as durable at the end must survive it.
    for model in &life.models {
        if let Some(log) = life.log(model)
            && model.borrow().cut_pending.is_none()
        {
            let durable = log.durable_end_offset();
            let mut model = model.borrow_mut();
            model.acked = model.acked.max(durable.min(model.end()));
        }
    }
    life.stopping.set(true);
    match random.below(10) {
        0..6 => drop(world.crash()),
        6..8 => world.kill(),
        _ => {
            let watching = life.clone();
            world.run_until(PATIENCE, || watching.actors.get() == 0);
            let reports = Rc::new(RefCell::new(Vec::new()));
            for shard in &life.shards {
                let (manager, reports) = (shard.manager.clone(), reports.clone());
                let stop = async move {
                    let report = manager.shutdown().await;
                    reports.borrow_mut().push(report);
                };
                shard.runtime.spawn(stop).detach();
            }
            let (watching, all) = (reports.clone(), life.shards.len());
            match world.run_until(PATIENCE, || watching.borrow().len() == all) {
                Stopped::Done => {}
                stopped => return Err(format!("a clean stop never ends ({stopped:?})")),
            }
            let states = life.shards[0].manager.directories();
            let directory = LogDirectory {
                path: disk.to_owned(),
                id: states[0].id,
                cluster_id: Some("cluster".into()),
                node_id: Some(1),
                offline: None,
            };
            let runtime = life.shards[0].runtime.clone();
            let (own, reports) = (runtime.clone(), reports.take());
            let finish = async move { finish_clean_stop(&own, &[directory], reports, 7).await };
            match world.try_block_on(&runtime, PATIENCE, finish) {
                Ok(Ok(())) => {}
                other => return Err(format!("finishing a clean stop: {other:?}")),
            }
            if let Some(what) = life.violation.take() {
                return Err(what);
            }
            if random.chance(0.5) { drop(world.crash()) } else { world.kill() }
        }
    }
    Ok(())
}
