//! A world: machines with shards and a disk, one network, one clock, one queue of things to happen.
//!
//! A turn is one of: a task of some shard runs until it waits, or the next thing happens (a timer, a completion, a
//! bell, bytes that arrive). Which, and in what order, is drawn from the seed. The clock moves a little with each
//! task that runs, and to the next thing to happen when no task can run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;
use std::time::Duration;

use super::super::executor::Executor;
use super::super::handle::Runtime;
use super::super::platform::Bell;
use super::disk::{Disk, DiskState};
use super::faults::Faults;
use super::network::Network;
use super::platform::SimPlatform;
use super::random::{Random, mix};

/// Wall clock at the start: a day in 2026, milliseconds since 1970.
const START_MS: i64 = 1_780_000_000_000;
/// Virtual time after which [`World::block_on`] gives up.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Why running ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The condition holds.
    Done,
    /// The time is up.
    Limit,
    /// No task can run and nothing will ever happen.
    Idle,
    /// [`World::interrupt_after_operations`] or a scripted interrupt.
    Interrupted,
    /// More turns than [`World::limit_turns`] allows: tasks run in circles.
    Exhausted,
}

/// What a power cut did beyond losing unflushed bytes.
#[derive(Clone, Debug, Default)]
pub struct CrashReport {
    /// A bit that flipped at rest: file and position.
    pub flipped: Option<(PathBuf, u64)>,
}

pub(super) struct SimBell {
    rung: AtomicBool,
}

impl Bell for SimBell {
    fn ring(&self) {
        self.rung.store(true, Ordering::Relaxed);
    }
}

pub(super) struct ShardState {
    pub(super) number: u64,
    pub(super) alive: Cell<bool>,
    pub(super) bell: Arc<SimBell>,
    /// Woken when the bell's ring arrives.
    pub(super) listening: RefCell<Vec<Waker>>,
    executor: Executor,
}

pub(super) struct MachineState {
    pub(super) number: u64,
    pub(super) disk: Rc<RefCell<DiskState>>,
    shards: RefCell<Vec<Rc<ShardState>>>,
}

pub(super) enum Happening {
    Wake { shard: Rc<ShardState>, waker: Waker },
    Ring(Rc<ShardState>),
    Disk { machine: Rc<MachineState>, number: u64 },
    Call(Box<dyn FnOnce()>),
}

impl Happening {
    /// Whether anybody lives whom it concerns.
    fn matters(&self) -> bool {
        match self {
            Self::Wake { shard, .. } | Self::Ring(shard) => shard.alive.get(),
            Self::Disk { .. } | Self::Call(_) => true,
        }
    }
}

/// What all parts of a world share.
pub(super) struct Core {
    pub(super) faults: RefCell<Faults>,
    pub(super) random: RefCell<Random>,
    pub(super) network: RefCell<Network>,
    now_ns: Cell<u64>,
    wall_offset_ms: Cell<i64>,
    /// (time, order) → what happens.
    events: RefCell<BTreeMap<(u64, u64), Happening>>,
    order: Cell<u64>,
    trace: Cell<u64>,
    machines: RefCell<Vec<Rc<MachineState>>>,
    interrupt_at: Cell<Option<u64>>,
    completed: Cell<u64>,
    interrupted: Cell<bool>,
    shards_made: Cell<u64>,
    turns: Cell<u64>,
    most_turns: Cell<u64>,
}

impl Core {
    pub(super) fn now_ns(&self) -> u64 {
        self.now_ns.get()
    }

    pub(super) fn wall_clock_ms(&self) -> i64 {
        START_MS + self.wall_offset_ms.get() + (self.now_ns.get() / 1_000_000) as i64
    }

    pub(super) fn note(&self, value: u64) {
        self.trace.set(mix(self.trace.get(), value));
    }

    /// Lets something happen; gives a number by which it can be cancelled.
    pub(super) fn at(&self, at_ns: u64, what: Happening) -> u64 {
        let order = self.order.get();
        self.order.set(order + 1);
        self.events.borrow_mut().insert((at_ns.max(self.now_ns.get()), order), what);
        order
    }

    /// Takes back what was to happen at `at_ns`.
    pub(super) fn cancel(&self, at_ns: u64, number: u64) {
        let cancelled = self.events.borrow_mut().remove(&(at_ns, number));
        drop(cancelled);
    }

    /// Lets `call` happen after `after_ns`.
    pub(super) fn call_after(&self, after_ns: u64, call: impl FnOnce() + 'static) {
        self.at(self.now_ns.get() + after_ns, Happening::Call(Box::new(call)));
    }

    pub(super) fn machine(&self, number: u64) -> Option<Rc<MachineState>> {
        self.machines.borrow().get(number as usize).cloned()
    }

    /// Up to `most_us` microseconds, in nanoseconds.
    pub(super) fn delay(&self, most_us: u64) -> u64 {
        self.random.borrow_mut().range(200..most_us.max(1) * 1000)
    }
}

/// One machine of a world: its shards are one process, and its disk survives them.
#[derive(Clone)]
pub struct Machine {
    core: Rc<Core>,
    state: Rc<MachineState>,
}

impl Machine {
    /// Starts another shard of the process.
    #[must_use]
    pub fn add_shard(&self) -> Runtime {
        let mut random = self.core.random.borrow_mut().fork();
        let mut picking = random.fork();
        let orderly = picking.chance(0.3);
        let picker =
            Box::new(move |count| if orderly && picking.chance(0.9) { 0 } else { picking.index(count) });
        let executor = Executor::new(Some(picker));
        let number = self.core.shards_made.get();
        self.core.shards_made.set(number + 1);
        let shard = Rc::new(ShardState {
            number,
            alive: Cell::new(true),
            bell: Arc::new(SimBell { rung: AtomicBool::new(false) }),
            listening: RefCell::new(Vec::new()),
            executor: executor.clone(),
        });
        self.state.shards.borrow_mut().push(shard.clone());
        let platform = SimPlatform::new(self.core.clone(), self.state.clone(), shard, random);
        Runtime::new(executor, Rc::new(platform))
    }

    /// Shards that live.
    #[must_use]
    pub fn shards(&self) -> usize {
        self.state.shards.borrow().len()
    }

    /// The disk, to look at and to tamper with.
    #[must_use]
    pub fn disk(&self) -> Disk {
        Disk(self.state.disk.clone())
    }

    fn end_process(&self) {
        let shards = self.state.shards.take();
        for shard in &shards {
            shard.alive.set(false);
        }
        Network::lose_machine(&self.core, self.state.number);
        for shard in &shards {
            shard.executor.abandon();
            drop(shard.listening.take());
        }
        // Dropped outside of the borrow: wakers own tasks, and tasks own anything.
        let pointless: Vec<_> = {
            let mut events = self.core.events.borrow_mut();
            events.extract_if(.., |_, what| !what.matters()).collect()
        };
        drop(pointless);
    }

    /// A power cut: every task is dropped, every shard's platform is dead, and the disk falls back to what was
    /// flushed and whatever else happened to survive. Add shards for the next start.
    pub fn crash(&self) -> CrashReport {
        self.end_process();
        let now_ms = self.core.wall_clock_ms();
        let faults = self.core.faults.borrow().clone();
        let (completions, flipped) = self.state.disk.borrow_mut().crash(&faults, now_ms);
        drop(completions);
        self.core.note(0xdead);
        CrashReport { flipped }
    }

    /// SIGKILL: as a power cut, but what the kernel took stays.
    pub fn kill(&self) {
        self.end_process();
        let completions = self.state.disk.borrow_mut().kill(self.core.wall_clock_ms());
        drop(completions);
        self.core.note(0x0dad);
    }
}

/// A simulated world. Shards added through it are those of its first machine.
pub struct World {
    seed: u64,
    core: Rc<Core>,
    first: Machine,
    for_tests: RefCell<Random>,
}

impl World {
    /// A world in which everything follows from `seed`.
    #[must_use]
    pub fn new(seed: u64, faults: Faults) -> Self {
        let mut random = Random::new(seed);
        let for_tests = random.fork();
        let core = Rc::new(Core {
            faults: RefCell::new(faults),
            network: RefCell::new(Network::default()),
            random: RefCell::new(random.fork()),
            now_ns: Cell::new(1_000_000_000),
            wall_offset_ms: Cell::new(random.below(1_000_000_000) as i64),
            events: RefCell::new(BTreeMap::new()),
            order: Cell::new(0),
            trace: Cell::new(mix(0, seed)),
            machines: RefCell::new(Vec::new()),
            interrupt_at: Cell::new(None),
            completed: Cell::new(0),
            interrupted: Cell::new(false),
            shards_made: Cell::new(0),
            turns: Cell::new(0),
            most_turns: Cell::new(u64::MAX),
        });
        let first = Self::machine_of(&core);
        Self { seed, core, first, for_tests: RefCell::new(for_tests) }
    }

    fn machine_of(core: &Rc<Core>) -> Machine {
        let random = core.random.borrow_mut().fork();
        let mut machines = core.machines.borrow_mut();
        let state = Rc::new(MachineState {
            number: machines.len() as u64,
            disk: Rc::new(RefCell::new(DiskState::new(random))),
            shards: RefCell::new(Vec::new()),
        });
        machines.push(state.clone());
        Machine { core: core.clone(), state }
    }

    /// Adds another machine, with an empty disk, on the same network.
    #[must_use]
    pub fn add_machine(&self) -> Machine {
        Self::machine_of(&self.core)
    }

    /// The first machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.first
    }

    /// Starts another shard on the first machine.
    #[must_use]
    pub fn add_shard(&self) -> Runtime {
        self.first.add_shard()
    }

    /// The first machine's disk.
    #[must_use]
    pub fn disk(&self) -> Disk {
        self.first.disk()
    }

    /// A power cut of the first machine; see [`Machine::crash`].
    pub fn crash(&self) -> CrashReport {
        self.first.crash()
    }

    /// SIGKILL of the first machine's process; see [`Machine::kill`].
    pub fn kill(&self) {
        self.first.kill();
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Changes what may fail from now on.
    pub fn set_faults(&self, faults: Faults) {
        *self.core.faults.borrow_mut() = faults;
    }

    /// A source of the test's own choices, another at each call.
    #[must_use]
    pub fn random(&self) -> Random {
        self.for_tests.borrow_mut().fork()
    }

    /// Nanoseconds of the clock that only goes forward.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.core.now_ns()
    }

    /// The wall clock, milliseconds since 1970.
    #[must_use]
    pub fn wall_clock_ms(&self) -> i64 {
        self.core.wall_clock_ms()
    }

    /// Steps the wall clock.
    pub fn step_wall_clock(&self, by_ms: i64) {
        self.core.wall_offset_ms.set(self.core.wall_offset_ms.get() + by_ms);
    }

    /// A hash of everything that happened: equal for equal runs.
    #[must_use]
    pub fn trace_hash(&self) -> u64 {
        self.core.trace.get()
    }

    /// `run*` returns [`Stopped::Interrupted`] when the `n`-th disk operation from now is about to complete.
    pub fn interrupt_after_operations(&self, n: u64) {
        self.core.interrupt_at.set(Some(self.core.completed.get() + n));
    }

    /// Takes the interruption back.
    pub fn do_not_interrupt(&self) {
        self.core.interrupt_at.set(None);
    }

    /// Turns since the start.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.core.turns.get()
    }

    /// From this many turns on, since the start, `run*` returns [`Stopped::Exhausted`].
    pub fn limit_turns(&self, most: u64) {
        self.core.most_turns.set(most);
    }

    fn runnable(&self) -> Vec<Rc<ShardState>> {
        let mut found = Vec::new();
        for machine in self.core.machines.borrow().iter() {
            for shard in machine.shards.borrow().iter() {
                if shard.bell.rung.swap(false, Ordering::Relaxed) {
                    let most_us = self.core.faults.borrow().bell_us;
                    let delay = self.core.delay(most_us);
                    self.core.at(self.core.now_ns() + delay, Happening::Ring(shard.clone()));
                }
                if shard.executor.runnable() > 0 {
                    found.push(shard.clone());
                }
            }
        }
        found
    }

    /// One task runs until it waits, or one thing happens. False when nothing is left.
    pub fn step(&self) -> bool {
        self.step_until(u64::MAX)
    }

    fn step_until(&self, limit_ns: u64) -> bool {
        let runnable = self.runnable();
        let core = &self.core;
        let next = core.events.borrow().first_key_value().map(|((at, _), _)| *at);
        let due = next.is_some_and(|at| at <= core.now_ns());
        let event_first = due && core.random.borrow_mut().chance(0.5);
        if !runnable.is_empty() && !event_first {
            let chosen = core.random.borrow_mut().index(runnable.len());
            if let Some(shard) = runnable.get(chosen) {
                core.note(shard.number << 32 | shard.executor.polled() & 0xffff_ffff);
                shard.executor.run_one();
            }
            let spent = core.random.borrow_mut().range(50..1_500);
            core.now_ns.set(core.now_ns() + spent);
            return true;
        }
        if next.is_none_or(|at| at > limit_ns) {
            return false;
        }
        let Some(((at_ns, order), what)) = core.events.borrow_mut().pop_first() else { return false };
        self.happen(at_ns, order, what);
        true
    }

    fn happen(&self, at_ns: u64, order: u64, what: Happening) {
        let core = &self.core;
        if !what.matters() {
            return;
        }
        core.now_ns.set(at_ns.max(core.now_ns()));
        if core.random.borrow_mut().chance(core.faults.borrow().clock_step) {
            self.step_wall_clock(core.random.borrow_mut().below(20_000) as i64 - 10_000);
        }
        core.note(order);
        match what {
            Happening::Wake { waker, .. } => waker.wake(),
            Happening::Ring(shard) => {
                let listening = shard.listening.take();
                for waker in listening {
                    waker.wake();
                }
            }
            Happening::Call(call) => call(),
            Happening::Disk { machine, number } => {
                if core.interrupt_at.get() == Some(core.completed.get() + 1)
                    || machine.disk.borrow_mut().interrupts(number)
                {
                    core.interrupt_at.set(None);
                    core.interrupted.set(true);
                    core.events.borrow_mut().insert((at_ns, order), Happening::Disk { machine, number });
                    return;
                }
                let finished = machine.disk.borrow_mut().complete(number, core.wall_clock_ms());
                if let Some(finished) = finished {
                    core.completed.set(core.completed.get() + 1);
                    core.note(finished.trace);
                    finished.completion.complete(finished.outcome);
                }
            }
        }
    }

    /// Runs until `done` holds (asked after each turn), at most for `limit` of virtual time.
    pub fn run_until(&self, limit: Duration, mut done: impl FnMut() -> bool) -> Stopped {
        let nanos = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        let end_ns = self.core.now_ns().saturating_add(nanos);
        loop {
            if done() {
                return Stopped::Done;
            }
            if self.core.interrupted.take() {
                return Stopped::Interrupted;
            }
            if self.core.now_ns() >= end_ns {
                return Stopped::Limit;
            }
            if self.core.turns.get() >= self.core.most_turns.get() {
                return Stopped::Exhausted;
            }
            self.core.turns.set(self.core.turns.get() + 1);
            if !self.step_until(end_ns) {
                if self.core.events.borrow().is_empty() {
                    return Stopped::Idle;
                }
                self.core.now_ns.set(end_ns);
            }
        }
    }

    /// Runs for `duration` of virtual time; the clock moves by all of it, unless interrupted.
    pub fn run_for(&self, duration: Duration) -> Stopped {
        let end_ns = self.core.now_ns() + duration.as_nanos() as u64;
        let stopped = self.run_until(duration, || false);
        if stopped != Stopped::Interrupted {
            self.core.now_ns.set(end_ns.max(self.core.now_ns()));
        }
        stopped
    }

    /// Runs `future` as a task of `runtime`'s shard until it ends, all shards along with it.
    pub fn try_block_on<T: 'static>(
        &self,
        runtime: &Runtime,
        limit: Duration,
        future: impl Future<Output = T> + 'static,
    ) -> Result<T, Stopped> {
        let place = Rc::new(RefCell::new(None));
        let result = place.clone();
        let task = runtime.spawn(async move {
            let value = future.await;
            *result.borrow_mut() = Some(value);
        });
        let stopped = self.run_until(limit, || place.borrow().is_some());
        drop(task);
        place.take().ok_or(stopped)
    }

    /// As [`World::try_block_on`], with an hour of virtual time. Panics when the future does not end.
    pub fn block_on<T: 'static>(&self, runtime: &Runtime, future: impl Future<Output = T> + 'static) -> T {
        match self.try_block_on(runtime, PATIENCE, future) {
            Ok(value) => value,
            Err(stopped) => panic!("the future did not end ({stopped:?}), seed {}", self.seed),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let machines = self.core.machines.take();
        for state in machines {
            Machine { core: self.core.clone(), state: state.clone() }.end_process();
            let completions = state.disk.borrow_mut().kill(0);
            drop(completions);
        }
        let events = self.core.events.take();
        drop(events);
        let network = self.core.network.take();
        drop(network);
    }
}
