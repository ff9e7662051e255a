//! The loop of a shard: one glommio task that runs the shard's ring and all of the shard's tasks.
//!
//! Take completions, run what they woke (a bounded batch), submit everything in one call and block in the ring
//! until the next completion, the next timer or the heartbeat. It never spins, and never blocks while a task can
//! run. A task that yields in the middle of long work goes on after the next look at the ring, behind what came
//! (docs/decisions/0007-turns-and-pages.md). While there is much traffic the block in the ring gathers completions for up
//! to 100 us, so that one wake-up serves several (docs/decisions/0004-gathering.md). Nothing but this task lives in the
//! executor (helpers have threads of their own and answer by the bell), so there is nothing to hand the processor over
//! to; docs/decisions/0001-run-queue.md has the measurements.
//!
//! With [`Sleep::Glommio`] it blocks for at most [`BLOCK_NS`], and after [`QUIET_NS`] without work sleeps inside
//! glommio until the ring's eventfd is signalled. The step to sleep, in this order: let completions signal the
//! eventfd; enter the ring once for what arrived before that; look at ring, bell and timers again; sleep. With
//! DEFER_TASKRUN a completion that arrives while the eventfd is off is neither in the queue nor signalled, so
//! without that entry a wake-up is lost.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use glommio::io::BufferedFile;
use glommio::timer::Timer;
use io_uring::opcode;
use io_uring::types::{Fd, TimeoutFlags, Timespec};

use super::super::Runtime;
use super::super::executor::Executor;
use super::super::topology::CpuSet;
use super::bell::{RingBell, State};
use super::helper::Helpers;
use super::operations;
use super::platform::{RingPlatform, now_ns};
use super::uring::{BELL, Done, Flight, Gather, IGNORED, Ring, finish};

/// The longest time blocked in the own ring, where glommio has a part.
const BLOCK_NS: u64 = 1_000_000;
/// Silence after which the shard sleeps inside glommio.
const QUIET_NS: u64 = 2_000_000;
/// As long as the kernel's clock can tell without overflow, more or less.
const FOREVER_NS: u64 = 3_600_000_000_000;
/// Polls of tasks between two looks at the ring.
const BATCH: u32 = 256;
/// Time between two looks at the ring.
const BATCH_NS: u64 = 500_000;
/// While a look at the ring finds so many completions there is traffic enough to gather some before the next.
const GATHER_FROM: usize = 2;
/// What is gathered: each wake-up costs a switch of tasks, which few completions do not pay for.
const GATHER: Gather = Gather { completions: 16, most_us: 100 };
/// How long a stopping shard waits for its file operations.
const STOP: Duration = Duration::from_secs(30);

/// Where an idle shard sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sleep {
    /// In its ring.
    #[default]
    Ring,
    /// Inside glommio, whose loop can lose a wake-up and costs more for each.
    Glommio,
}

/// Runs one shard.
pub struct Driver {
    platform: Rc<RingPlatform>,
    ring: Rc<Ring>,
    bell: Arc<RingBell>,
    executor: Executor,
    heartbeat: Option<Duration>,
    done: Vec<Done>,
    alarm: Option<(u64, u64)>,
    nap: Option<Nap>,
    /// What the next wait gathers: while there is much traffic.
    gather: Cell<Gather>,
}

/// glommio's end of the eventfd.
struct Nap {
    file: Rc<BufferedFile>,
    read: Pin<Box<dyn Future<Output = io::Result<()>>>>,
}

impl Nap {
    fn new(bell: &RingBell) -> io::Result<Self> {
        let copy = rustix::io::fcntl_dupfd_cloexec(bell.deep(), 0)?;
        // SAFETY: the descriptor was just made and is given away; glommio closes it.
        let file = Rc::new(unsafe { BufferedFile::from_raw_fd(copy.into_raw_fd()) });
        Ok(Self { read: Self::read(file.clone()), file })
    }

    fn read(file: Rc<BufferedFile>) -> Pin<Box<dyn Future<Output = io::Result<()>>>> {
        Box::pin(async move {
            file.read_at(0, 8).await?;
            Ok(())
        })
    }

    /// Whether the eventfd was signalled since it was last polled ready.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ready = self.read.as_mut().poll(context);
        if ready.is_ready() {
            self.read = Self::read(self.file.clone());
        }
        ready
    }
}

impl Driver {
    /// Sets up the ring and what belongs to it; on the shard's thread, inside its glommio executor.
    ///
    /// `heartbeat` is the longest time for which a lost wake-up can go unnoticed (None only in tests).
    pub fn new(
        name: String,
        affinity: Option<CpuSet>,
        sleep: Sleep,
        heartbeat: Option<Duration>,
    ) -> io::Result<Self> {
        let ring = Ring::new()?;
        let bell = Arc::new(RingBell::new()?);
        let nap = match sleep {
            Sleep::Glommio => {
                ring.register_eventfd(&bell.deep())?;
                Some(Nap::new(&bell)?)
            }
            Sleep::Ring => None,
        };
        let helpers = Helpers::new(name, affinity, bell.clone());
        let platform = Rc::new(RingPlatform::new(ring.clone(), helpers, bell.clone())?);
        let executor = Executor::new(None);
        let driver = Self {
            platform,
            ring,
            bell,
            executor,
            heartbeat,
            done: Vec::new(),
            alarm: None,
            nap,
            gather: Cell::new(Gather::NOTHING),
        };
        driver.arm_bell();
        Ok(driver)
    }

    /// The handle that the shard's code gets.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        Runtime::new(self.executor.clone(), self.platform.clone())
    }

    /// Runs tasks until `finished`. An error is the ring's: the shard cannot go on.
    pub async fn run(&mut self, finished: &Cell<bool>) -> io::Result<()> {
        let mut quiet_since = now_ns();
        loop {
            let worked = self.collect() | self.run_tasks();
            if finished.get() {
                return Ok(());
            }
            if self.can_run() {
                self.ring.enter(None)?;
                continue;
            }
            let now = now_ns();
            if worked {
                quiet_since = now;
            }
            if self.nap.is_none() {
                self.rest(now)?;
            } else if now.saturating_sub(quiet_since) >= QUIET_NS {
                self.sleep().await?;
            } else {
                self.block(BLOCK_NS, now)?;
            }
        }
    }

    /// Takes completions, rings of the bell and timers; whether there was anything.
    fn collect(&mut self) -> bool {
        let mut worked = false;
        let mut done = std::mem::take(&mut self.done);
        self.ring.take_completions(&mut done);
        self.gather.set(if done.len() >= GATHER_FROM { GATHER } else { Gather::NOTHING });
        for end in done.drain(..) {
            worked |= self.end(end);
        }
        self.done = done;
        if self.bell.take() {
            worked = true;
            self.platform.helpers.take_answers();
            let wakers = self.platform.rung.take();
            for waker in wakers {
                waker.wake();
            }
        }
        worked |= self.platform.timers.next_ns().is_some() && self.platform.timers.fire(now_ns()) > 0;
        // Behind what just came.
        self.platform.turns.set(self.platform.turns.get() + 1);
        let yielded = self.platform.yielded.take();
        worked |= !yielded.is_empty();
        yielded.into_iter().for_each(Waker::wake);
        worked
    }

    fn end(&mut self, end: Done) -> bool {
        match end.id {
            IGNORED => return false,
            BELL => {
                if !end.more() && !self.ring.is_closing() {
                    self.arm_bell();
                }
                return false;
            }
            _ => {}
        }
        match self.ring.flight(end) {
            Some(Flight::Waited { slot, keep }) => finish(&slot, end, keep),
            Some(Flight::Accept { listener }) => listener.accepted(&self.ring, end),
            Some(Flight::Alarm { .. }) => {
                if self.alarm.is_some_and(|(id, _)| id == end.id) {
                    self.alarm = None;
                }
                return false;
            }
            Some(flight) => operations::complete(flight, end),
            None => return false,
        }
        true
    }

    fn run_tasks(&self) -> bool {
        if self.executor.runnable() == 0 {
            return false;
        }
        let start = now_ns();
        let mut count = 0;
        while count < BATCH && self.executor.run_one() {
            count += 1;
            if count % 16 == 0 && now_ns().saturating_sub(start) > BATCH_NS {
                break;
            }
        }
        let took = now_ns().saturating_sub(start);
        let platform = &self.platform;
        platform.polls.set(platform.polls.get() + u64::from(count));
        platform.longest_batch_ns.set(platform.longest_batch_ns.get().max(took));
        true
    }

    /// Submits, and waits in the ring for at most `most_ns` or the next timer.
    fn block(&self, most_ns: u64, now: u64) -> io::Result<()> {
        let until_timer = self.platform.timers.next_ns().map_or(u64::MAX, |at_ns| at_ns.saturating_sub(now));
        let wait = Duration::from_nanos(most_ns.min(until_timer));
        self.bell.set_state(State::InRing);
        let entered = if wait.is_zero() || self.bell.is_rung() {
            self.ring.enter(None)
        } else {
            self.ring.enter(Some((wait, self.gather.get())))
        };
        self.bell.set_state(State::Awake);
        entered
    }

    /// Blocks in the ring for as long as nothing comes.
    fn rest(&self, now: u64) -> io::Result<()> {
        let most = self.heartbeat.map_or(FOREVER_NS, |heartbeat| heartbeat.as_nanos() as u64);
        self.block(most, now)?;
        if now_ns().saturating_sub(now) >= most && self.bell.is_rung() && !self.ring.has_work() {
            // It rang, and the ring did not hear it.
            self.platform.saved.set(self.platform.saved.get() + 1);
        }
        Ok(())
    }

    async fn sleep(&mut self) -> io::Result<()> {
        let heartbeat = self.heartbeat;
        self.bell.set_state(State::InGlommio);
        self.ring.signal(true);
        self.arm_alarm();
        self.ring.enter(None)?;
        if !self.must_work() {
            self.platform.sleeps.set(self.platform.sleeps.get() + 1);
            let asleep_since = now_ns();
            let woken = self.nap(heartbeat).await?;
            let slept = Duration::from_nanos(now_ns().saturating_sub(asleep_since));
            if heartbeat.is_some_and(|heartbeat| slept >= heartbeat) {
                self.ring.enter(None)?;
                // Either the ring's signal was lost, or glommio parked with this task in its queue. A signal may
                // also have come in the same moment, so a count now and then says nothing.
                if woken == Woken::BySignal || self.must_work() && !self.signalled().await? {
                    self.platform.saved.set(self.platform.saved.get() + 1);
                }
            }
        }
        self.ring.signal(false);
        self.bell.set_state(State::Awake);
        self.ring.enter(None)
    }

    fn can_run(&self) -> bool {
        self.executor.runnable() > 0 || !self.platform.yielded.borrow().is_empty()
    }

    fn must_work(&self) -> bool {
        self.ring.has_work()
            || self.bell.is_rung()
            || self.can_run()
            || self.platform.timers.next_ns().is_some_and(|at_ns| at_ns <= now_ns())
    }

    async fn nap(&mut self, heartbeat: Option<Duration>) -> io::Result<Woken> {
        let Some(nap) = &mut self.nap else { return Ok(Woken::BySignal) };
        let mut timer = heartbeat.map(Timer::new);
        poll_fn(|context| {
            if let Poll::Ready(read) = nap.poll(context) {
                return Poll::Ready(read.map(|()| Woken::BySignal));
            }
            match &mut timer {
                Some(timer) => Pin::new(timer).poll(context).map(|_| Ok(Woken::ByHeartbeat)),
                None => Poll::Pending,
            }
        })
        .await
    }

    /// Lets glommio look at its ring; whether it then knows of a signal.
    async fn signalled(&mut self) -> io::Result<bool> {
        glommio::executor().yield_now().await;
        let Some(nap) = &mut self.nap else { return Ok(true) };
        match poll_fn(|context| Poll::Ready(nap.poll(context))).await {
            Poll::Ready(read) => read.map(|()| true),
            Poll::Pending => Ok(false),
        }
    }

    fn arm_bell(&self) {
        let fd = Fd(self.bell.shallow().as_raw_fd());
        self.ring.push(opcode::PollAdd::new(fd, libc::POLLIN as u32).multi(true).build().user_data(BELL));
    }

    /// Has the ring signal the eventfd at the next timer.
    fn arm_alarm(&mut self) {
        let Some(at_ns) = self.platform.timers.next_ns() else { return };
        if self.alarm.is_some_and(|(_, armed)| armed <= at_ns) {
            return;
        }
        if let Some((id, _)) = self.alarm {
            self.ring.cancel(id);
        }
        let time = Timespec::new().sec(at_ns / 1_000_000_000).nsec((at_ns % 1_000_000_000) as u32);
        let id = self.ring.start(Flight::Alarm { at: Box::new(time) }, |flight| match flight {
            Flight::Alarm { at } => opcode::Timeout::new(&raw const **at).flags(TimeoutFlags::ABS).build(),
            _ => unreachable!("an alarm was inserted"),
        });
        self.alarm = Some((id, at_ns));
    }

    /// Ends the shard: drops its tasks, cancels what waits, awaits what writes. Errors are the ring's.
    pub async fn stop(mut self) -> io::Result<()> {
        self.ring.close();
        self.drop_tasks();
        self.ring.cancel_all();
        let deadline = now_ns() + STOP.as_nanos() as u64;
        while (self.ring.in_flight() > 0 || self.platform.helpers.outstanding() > 0) && now_ns() < deadline {
            self.block(BLOCK_NS, now_ns())?;
            self.collect();
            self.drop_tasks();
        }
        if self.ring.in_flight() > 0 {
            tracing::error!(
                operations = self.ring.in_flight(),
                "the disk did not answer, the shard stops anyway"
            );
        }
        self.platform.helpers.stop();
        if self.nap.is_some() {
            // Ends glommio's read, so that nothing of this shard is left in its rings.
            RingBell::signal(self.bell.deep());
            self.nap(Some(Duration::from_secs(1))).await?;
        }
        Ok(())
    }

    fn drop_tasks(&self) {
        loop {
            self.platform.timers.clear();
            let wakers = (self.platform.rung.take(), self.platform.yielded.take());
            drop(wakers);
            if self.executor.drop_runnable() == 0 {
                return;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    BySignal,
    ByHeartbeat,
}
