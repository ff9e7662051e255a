//! The lives of one simulated broker process: recover, check, work, end, again.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use millrace::log::{
    LogDirectory, LogError, LogManager, Recovery, Sabotage, finish_clean_stop, recover, remove_leftovers,
};
use millrace::protocol::Uuid;
use millrace::runtime::Runtime;
use millrace::runtime::sim::{Effect, OperationKind, Random, Rule, Stopped, World};

use crate::actor::{Life, Shard, random_id};
use crate::compare::{assemble, check_producers, check_transactions};
use crate::files;
use crate::model::{Partition, Standing};
use crate::plan::{Ending, Plan, config};
use crate::seeds::Sum;

/// What a seed did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub lives: u64,
    pub broken_recoveries: u64,
    pub appends: u64,
    pub operations: u64,
    pub turns: u64,
    pub trace: u64,
}

impl Sum for Statistics {
    fn add(&mut self, other: Self) {
        self.lives += other.lives;
        self.broken_recoveries += other.broken_recoveries;
        self.appends += other.appends;
        self.operations += other.operations;
        self.turns += other.turns;
    }
}

struct Process {
    world: World,
    plan: Plan,
    random: Random,
    partitions: Vec<Rc<Partition>>,
    directory_ids: Vec<Uuid>,
    statistics: Statistics,
    /// How the last life ended.
    last: Ending,
    stopped_cleanly: bool,
}

/// Why a step of a life did not end.
enum Broken {
    /// An interruption was planned, or time ran out.
    Interrupted,
    Violation(String),
}

impl From<String> for Broken {
    fn from(what: String) -> Self {
        Self::Violation(what)
    }
}

/// Turns of a seed at most: far more than any needs.
const MOST_TURNS: u64 = 2_000_000;
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs all lives of a seed. An error is a broken law.
pub fn run(seed: u64, sabotage: Option<Sabotage>) -> Result<Statistics, String> {
    let plan = Plan::new(seed, sabotage);
    let world = World::new(seed, plan.faults.clone());
    for directory in &plan.directories {
        world.disk().mount(directory, plan.capacity);
    }
    world.limit_turns(MOST_TURNS);
    let random = world.random();
    let mut process = Process {
        directory_ids: vec![Uuid::ZERO; plan.directories.len()],
        world,
        plan,
        random,
        partitions: Vec::new(),
        statistics: Statistics::default(),
        last: Ending::PowerCut,
        stopped_cleanly: false,
    };
    let lives = process.plan.lives;
    for number in 0..lives {
        process.live(number)?;
        process.check_turns()?;
    }
    // The last life's end is judged too.
    let life = process.start_until_it_works()?;
    process.end_quickly(&life);
    process.statistics.operations = process.world.disk().operations();
    process.statistics.turns = process.world.turns();
    process.statistics.trace = process.world.trace_hash();
    Ok(process.statistics)
}

impl Process {
    fn block_on<T: 'static>(
        &self,
        runtime: &Runtime,
        what: &str,
        future: impl Future<Output = T> + 'static,
    ) -> Result<T, Broken> {
        match self.world.try_block_on(runtime, PATIENCE, future) {
            Ok(value) => Ok(value),
            Err(Stopped::Interrupted) => Err(Broken::Interrupted),
            Err(stopped) => Err(Broken::Violation(format!("{what} never ends ({stopped:?})"))),
        }
    }

    fn check_turns(&self) -> Result<(), String> {
        if self.world.turns() < MOST_TURNS { Ok(()) } else { Err("tasks run in circles".into()) }
    }

    fn open_partitions(&self) -> impl Iterator<Item = &Rc<Partition>> {
        self.partitions.iter().filter(|partition| partition.log.borrow().is_some())
    }

    /// Starts the process; interrupted starts are crashes in the middle of recovery.
    fn start_until_it_works(&mut self) -> Result<Rc<Life>, String> {
        let mut attempts = 0;
        loop {
            self.world.do_not_interrupt();
            if attempts < 3 && self.random.chance(0.3) {
                let most = *self.random.pick(&[20, 100, 400]).unwrap();
                let after = 1 + self.random.below(most);
                self.world.interrupt_after_operations(after);
            }
            attempts += 1;
            match self.start() {
                Ok(life) => {
                    self.world.do_not_interrupt();
                    return Ok(life);
                }
                Err(Broken::Violation(what)) => return Err(what),
                Err(Broken::Interrupted) => {
                    tracing::debug!("the start is broken off");
                    self.statistics.broken_recoveries += 1;
                    self.stopped_cleanly &= self.last == Ending::CleanStop;
                    if self.random.chance(0.6) && self.plan.power_cuts() {
                        self.world.crash();
                    } else {
                        self.world.kill();
                    }
                    self.forget_logs();
                }
            }
        }
    }

    fn forget_logs(&self) {
        for partition in &self.partitions {
            let log = partition.log.borrow_mut().take();
            drop(log);
        }
    }

    fn start(&mut self) -> Result<Rc<Life>, Broken> {
        let shards = self.plan.shards();
        tracing::debug!("a start with {shards} shards");
        let runtimes: Vec<_> = (0..shards).map(|_| self.world.add_shard()).collect();
        let settings = self.plan.settings.clone();
        let first = runtimes[0].clone();
        let recovery = {
            let (runtime, paths, settings) = (first.clone(), self.plan.directories.clone(), settings.clone());
            self.block_on(&first, "recovery", async move { recover(&runtime, &paths, &settings).await })?
        };
        let (directories, recovery) = self.directories(&first, recovery)?;
        let mut opened = Vec::new();
        for (number, runtime) in runtimes.iter().enumerate() {
            let (own, settings, directories) = (runtime.clone(), settings.clone(), directories.clone());
            let manager = async move { LogManager::open(&own, number as u16, settings, directories).await };
            match self.block_on(runtime, "opening a shard's logs", manager)? {
                Ok(manager) => opened.push(Shard { runtime: runtime.clone(), manager }),
                Err(error) => {
                    return Err(Broken::Violation(format!("opening the logs of shard {number}: {error}")));
                }
            }
        }
        let life = Rc::new(Life {
            shards: RefCell::new(opened),
            directory_ids: self.directory_ids.clone(),
            partitions: RefCell::new(self.partitions.clone()),
            violation: RefCell::new(None),
            stopping: Cell::new(false),
            closing: Cell::new(false),
            actors: Cell::new(0),
            largest: 150_000,
            errors_injected: Cell::new(false),
            appends: Cell::new(0),
            operations: self.plan.operations,
        });
        first.spawn(remove_leftovers(first.clone(), recovery.leftovers.clone())).detach();
        self.open_recovered(&life, recovery)?;
        self.check_contents(&life)?;
        Ok(life)
    }

    /// Checks and formats the log directories.
    fn directories(
        &mut self,
        runtime: &Runtime,
        mut recovery: Recovery,
    ) -> Result<(Vec<LogDirectory>, Recovery), Broken> {
        let mut directories = std::mem::take(&mut recovery.directories);
        if directories.len() != self.plan.directories.len() {
            return Err(Broken::Violation(format!("recovery gave {} log directories", directories.len())));
        }
        for (number, directory) in directories.iter_mut().enumerate() {
            if let Some(reason) = &directory.offline {
                return Err(Broken::Violation(format!("{} is offline: {reason}", directory.path.display())));
            }
            if directory.id == Uuid::ZERO {
                let (mut fresh, own) = (directory.clone(), runtime.clone());
                let formatted = async move { fresh.format(&own, "cluster", 1).await.map(|()| fresh) };
                match self.block_on(runtime, "formatting", formatted)? {
                    Ok(formatted) => *directory = formatted,
                    Err(error) => return Err(Broken::Violation(format!("formatting: {error}"))),
                }
            }
            if self.directory_ids[number] != Uuid::ZERO && self.directory_ids[number] != directory.id {
                return Err(Broken::Violation("a log directory changed its id".into()));
            }
            self.directory_ids[number] = directory.id;
        }
        Ok((directories, recovery))
    }

    fn open_recovered(&mut self, life: &Rc<Life>, recovery: Recovery) -> Result<(), Broken> {
        let clean = self.stopped_cleanly;
        if clean
            && !recovery.was_clean
            && self.last == Ending::CleanStop
            && self.statistics.broken_recoveries == 0
        {
            return Err(Broken::Violation("a clean stop was not recognised".into()));
        }
        let mut found = vec![false; self.partitions.len()];
        let mut recovered = recovery.partitions;
        recovered
            .sort_by_key(|partition| (partition.topic.clone(), partition.partition, partition.topic_id.0));
        for partition in recovered {
            let (id, number) = (partition.topic_id, partition.partition);
            // The newest: an id may have been given again after a deletion.
            let known = self.partitions.iter().rposition(|known| known.id == id && known.number == number);
            let Some(index) = known else {
                return Err(Broken::Violation(format!("{}-{number} ({id}) was never made", partition.topic)));
            };
            let model = self.partitions[index].clone();
            let directory = self.directory_ids.iter().position(|id| *id == partition.directory);
            if directory != Some(model.directory.get()) {
                // A move to another log directory was broken off on one side or the other of its commit.
                let runtime = life.shards.borrow()[0].runtime.clone();
                let own = runtime.clone();
                let gone = async move { partition.remove(&own).await };
                self.block_on(&runtime, "removing a copy", gone)?
                    .map_err(|error| format!("removing a copy of {}: {error}", model.name()))?;
                continue;
            }
            if std::mem::replace(&mut found[index], true) {
                return Err(Broken::Violation(format!("{} was recovered twice", model.name())));
            }
            if model.standing.get() == Standing::Deleting {
                // Its deletion was decided: whatever is left of it goes.
                let runtime = life.shards.borrow()[0].runtime.clone();
                let (own, partition) = (runtime.clone(), partition);
                let aside = async move { partition.set_aside_as_stray(&own).await.map(|_| ()) };
                match self.block_on(&runtime, "setting aside", aside)? {
                    Ok(()) => model.standing.set(Standing::Deleted),
                    Err(error) => {
                        return Err(Broken::Violation(format!("setting {} aside: {error}", model.name())));
                    }
                }
                continue;
            }
            if let Some(reason) = &partition.offline {
                return Err(Broken::Violation(format!(
                    "{} is offline after a restart: {reason}",
                    model.name()
                )));
            }
            match model.standing.get() {
                Standing::Deleted => {
                    return Err(Broken::Violation(format!("{} was deleted and came back", model.name())));
                }
                // Whether it was made, or is still there, is decided now.
                _ => {}
            }
            let directory = self.directory_ids.iter().position(|id| *id == partition.directory);
            if directory != Some(model.directory.get()) {
                return Err(Broken::Violation(format!(
                    "{} came back in directory {directory:?}",
                    model.name()
                )));
            }
            let shard = self.random.index(life.shards.borrow().len());
            let manager = life.shards.borrow()[shard].manager.clone();
            let config = config(&mut self.random);
            let (start, end) = (partition.log_start_offset, partition.log_end_offset);
            let log = match manager.open_existing(partition, config) {
                Ok(log) => log,
                Err(error) => return Err(Broken::Violation(format!("opening {}: {error}", model.name()))),
            };
            if (log.log_start_offset(), log.log_end_offset(), log.durable_end_offset()) != (start, end, end) {
                return Err(Broken::Violation(format!(
                    "{} opens at other offsets than it was recovered",
                    model.name()
                )));
            }
            let holds = self.plan.holds(self.last);
            tracing::debug!("{} is {start}..{end}, shard {shard}", model.name());
            model.accept(start, end, clean && !model.excused.get(), !holds)?;
            model.state.borrow_mut().retention |= config.retention_bytes.is_some();
            model.standing.set(Standing::Live);
            model.excused.set(false);
            model.shard.set(shard);
            model.changed();
            *model.log.borrow_mut() = Some(log);
        }
        for (partition, found) in self.partitions.iter().zip(found) {
            match partition.standing.get() {
                Standing::Live if !found => {
                    return Err(Broken::Violation(format!("{} is gone after a restart", partition.name())));
                }
                Standing::Creating | Standing::Deleting if !found => {
                    partition.standing.set(Standing::Deleted)
                }
                _ => {}
            }
        }
        // What a start found is durable: from now on nothing of it may be lost.
        self.stopped_cleanly = false;
        Ok(())
    }

    /// Reads every log from start to end.
    fn check_contents(&self, life: &Rc<Life>) -> Result<(), Broken> {
        for partition in self.open_partitions() {
            let Some(log) = partition.log.borrow().clone() else { continue };
            let runtime = life.shards.borrow()[partition.shard.get()].runtime.clone();
            let (own, reading) = (runtime.clone(), log.clone());
            let all = async move {
                let (mut at, end) = (reading.log_start_offset(), reading.log_end_offset());
                let (first, mut bytes) = (at, Vec::new());
                while at < end {
                    let found = match reading.read(at, 100_000, end, true).await {
                        Ok(found) => found,
                        // Retention goes on meanwhile.
                        Err(LogError::OffsetOutOfRange { log_start, .. }) if log_start > at => break,
                        Err(error) => return Err(error.to_string()),
                    };
                    let part = assemble(&own, &found.parts).await.map_err(|error| error.to_string())?;
                    let last = millrace::protocol::record_batch::batches(&part).flatten().last();
                    let Some(next) = last.map(|batch| batch.header.next_offset()) else { break };
                    if next <= at {
                        return Err(format!("a read at {at} gave batches up to {next}"));
                    }
                    at = next;
                    bytes.extend_from_slice(&part);
                }
                Ok::<_, String>((first, bytes))
            };
            let (first, bytes) = match self.block_on(&runtime, "reading a log", all)? {
                Ok(found) => found,
                Err(error) => {
                    return Err(Broken::Violation(format!("reading all of {}: {error}", partition.name())));
                }
            };
            let moved = log.log_start_offset() != first;
            let (expected, _) = partition.state.borrow().stream(first, i64::MAX, usize::MAX);
            if bytes != expected && !moved {
                let differs = bytes.iter().zip(&expected).position(|(got, wanted)| got != wanted);
                return Err(Broken::Violation(format!(
                    "after a restart {} holds {} bytes instead of {}, they differ at {differs:?}",
                    partition.name(),
                    bytes.len(),
                    expected.len()
                )));
            }
            if moved {
                continue;
            }
            check_producers(partition, &log)?;
            check_epochs(partition, &log)?;
            let (checking, mut random) = (partition.clone(), Random::new(7));
            let check = async move { check_transactions(&checking, &log, &mut random).await };
            match self.block_on(&runtime, "looking for transactions", check)? {
                Ok(()) => {}
                Err(Ok(what)) => return Err(Broken::Violation(format!("after a restart: {what}"))),
                Err(Err(error)) => return Err(Broken::Violation(format!("transactions: {error}"))),
            }
        }
        Ok(())
    }

    fn live(&mut self, number: usize) -> Result<(), String> {
        let life = self.start_until_it_works()?;
        self.statistics.lives += 1;
        self.make_partitions(&life, number)?;
        self.plan_errors(&life);
        for partition in self.open_partitions() {
            let random = Random::new(
                self.plan.seed
                    ^ (number as u64) << 32
                    ^ u64::from_le_bytes(partition.id.0[..8].try_into().unwrap()),
            );
            life.start(partition.clone(), random);
        }
        let ending = self.plan.ending();
        let most_ms = *self.random.pick(&[5, 40, 400, 3_000]).unwrap();
        let limit = Duration::from_micros(500 + self.random.below(most_ms * 1_000));
        if self.random.chance(0.5) {
            let after = 1 + self.random.below(600);
            self.world.interrupt_after_operations(after);
        }
        let watching = life.clone();
        self.world.run_until(limit, || watching.actors.get() == 0 || watching.violation.borrow().is_some());
        self.world.do_not_interrupt();
        if life.actors.get() == 0 && self.random.chance(0.5) {
            // Time for seals, retention and checkpoints.
            let idle_ms = self.random.below(3_000);
            self.world.run_for(Duration::from_millis(idle_ms));
        }
        self.partitions = life.partitions.borrow().clone();
        let result = self.end(&life, ending);
        self.statistics.appends += life.appends.get();
        self.observe(&life)?;
        result
    }

    fn observe(&self, life: &Life) -> Result<(), String> {
        match life.violation.take() {
            Some(what) => Err(what),
            None => Ok(()),
        }
    }

    fn make_partitions(&mut self, life: &Rc<Life>, number: usize) -> Result<(), String> {
        let wanted = if number == 0 { self.plan.partitions } else { self.random.index(2) };
        let shards = life.shards.borrow().len();
        let shard = self.random.index(shards);
        let mut made = Vec::new();
        for _ in 0..wanted {
            let name = format!("topic{}", self.partitions.len() + made.len());
            let directory = self.random.index(self.directory_ids.len());
            let id = random_id(&mut self.random);
            let number = self.random.below(3) as i32;
            made.push(Partition::new(name.into(), id, number, directory, shard));
        }
        self.partitions.extend(made.iter().cloned());
        *life.partitions.borrow_mut() = self.partitions.clone();
        let runtime = life.shards.borrow()[shard].runtime.clone();
        let (working, mut random) = (life.clone(), self.random.fork());
        match self.block_on(&runtime, "creating", async move { working.create(&made, &mut random).await }) {
            Ok(result) => result,
            Err(Broken::Violation(what)) => Err(what),
            Err(Broken::Interrupted) => Err("an interruption that nobody planned".into()),
        }
    }

    fn plan_errors(&mut self, life: &Life) {
        if !self.plan.disk_errors || self.random.chance(0.3) {
            return;
        }
        life.errors_injected.set(true);
        let kinds = [
            OperationKind::DurableWrite,
            OperationKind::DurableWrite,
            OperationKind::Write,
            OperationKind::Sync,
            OperationKind::SyncDirectory,
            OperationKind::Read,
            OperationKind::SetLength,
            OperationKind::Rename,
        ];
        let rule = Rule {
            operation: *self.random.pick(&kinds).unwrap(),
            path_contains: self.random.pick(&["/data0", "journal", ".log", "/data"]).unwrap().to_string(),
            nth: 1 + self.random.below(60),
            effect: Effect::Error(libc_eio()),
        };
        self.world.disk().script(rule);
    }

    fn end(&mut self, life: &Rc<Life>, ending: Ending) -> Result<(), String> {
        self.observe(life)?;
        self.stopped_cleanly = false;
        self.last = ending;
        match ending {
            Ending::PowerCut | Ending::Kill => self.note_durable()?,
            Ending::CleanStop | Ending::BrokenStop => match self.stop(life, ending) {
                Ok(()) => self.stopped_cleanly = true,
                Err(Broken::Interrupted) => {
                    self.last = Ending::PowerCut;
                    self.note_durable()?;
                }
                Err(Broken::Violation(what)) => return Err(what),
            },
        }
        self.observe(life)?;
        tracing::debug!("the end of a life: {ending:?}, clean {}", self.stopped_cleanly);
        if self.plan.power_cuts() && ending != Ending::Kill {
            self.world.crash();
        } else {
            self.world.kill();
        }
        self.forget_logs();
        Ok(())
    }

    /// What every log shows as durable at the moment of a crash must survive it.
    fn note_durable(&self) -> Result<(), String> {
        self.open_partitions().try_for_each(|partition| partition.observe())
    }

    fn end_quickly(&mut self, life: &Rc<Life>) {
        life.stopping.set(true);
        self.world.kill();
        self.forget_logs();
    }

    fn stop(&mut self, life: &Rc<Life>, ending: Ending) -> Result<(), Broken> {
        life.stopping.set(true);
        if self.random.chance(0.7) {
            let watching = life.clone();
            self.world.run_until(PATIENCE, || watching.actors.get() == 0);
        }
        if let Some(what) = life.violation.take() {
            return Err(Broken::Violation(what));
        }
        life.closing.set(true);
        if ending == Ending::BrokenStop {
            let after = 1 + self.random.below(60);
            self.world.interrupt_after_operations(after);
        }
        let shards = life.shards.borrow().clone();
        let reports = Rc::new(RefCell::new(Vec::new()));
        for shard in &shards {
            let (manager, reports) = (shard.manager.clone(), reports.clone());
            shard
                .runtime
                .spawn(async move {
                    let report = manager.shutdown().await;
                    reports.borrow_mut().push(report);
                })
                .detach();
        }
        let watching = reports.clone();
        match self.world.run_until(PATIENCE, || watching.borrow().len() == shards.len()) {
            Stopped::Done => {}
            Stopped::Interrupted => return Err(Broken::Interrupted),
            stopped => {
                for shard in &shards {
                    for log in shard.manager.logs().iter().filter(|log| log.error().is_none()) {
                        let (start, durable) = (log.log_start_offset(), log.durable_end_offset());
                        let segments = log.segments();
                        tracing::error!(
                            "{}-{}: {start}, durable {durable}, {segments:?}",
                            log.topic(),
                            log.partition()
                        );
                    }
                }
                return Err(Broken::Violation(format!("a clean stop never ends ({stopped:?})")));
            }
        }
        let directories: Vec<_> = self.stop_directories();
        let reports = reports.take();
        let runtime = shards[0].runtime.clone();
        let own = runtime.clone();
        let finish = async move { finish_clean_stop(&own, &directories, reports, 7).await };
        match self.block_on(&runtime, "finishing a clean stop", finish)? {
            Ok(()) => {}
            Err(LogError::Storage(_)) if life.errors_injected.get() => return Err(Broken::Interrupted),
            Err(error) => return Err(Broken::Violation(format!("finishing a clean stop: {error}"))),
        }
        self.world.do_not_interrupt();
        if life.errors_injected.get() {
            return Err(Broken::Interrupted);
        }
        for partition in self.partitions.iter().filter(|partition| partition.standing.get() == Standing::Live)
        {
            files::check(&self.world.disk(), &self.plan.directories[partition.directory.get()], partition)?;
        }
        Ok(())
    }

    fn stop_directories(&self) -> Vec<LogDirectory> {
        let with_ids = self.plan.directories.iter().zip(&self.directory_ids);
        with_ids
            .map(|(path, id)| LogDirectory {
                path: path.clone(),
                id: *id,
                cluster_id: Some("cluster".into()),
                node_id: Some(1),
                offline: None,
            })
            .collect()
    }
}

fn libc_eio() -> i32 {
    5
}

fn check_epochs(partition: &Partition, log: &millrace::log::Log) -> Result<(), String> {
    let state = partition.state.borrow();
    // Retention goes on meanwhile.
    let start = log.log_start_offset().max(state.start);
    for batch in state.batches.iter().filter(|batch| batch.base >= start) {
        if log.epoch_for_offset(batch.base) != Some(batch.epoch) {
            return Err(format!(
                "after a restart offset {} of {} is of epoch {:?} instead of {}",
                batch.base,
                partition.name(),
                log.epoch_for_offset(batch.base),
                batch.epoch
            ));
        }
    }
    Ok(())
}
