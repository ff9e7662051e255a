//! Starting and joining shards: one thread for each CPU of the plan, each with its glommio executor and its ring.
//!
//! A shard ends when its main future ends: what other tasks it has are dropped, sockets close, file operations are
//! awaited, then the ring goes. Nothing here runs on the data path.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use glommio::{LocalExecutor, LocalExecutorBuilder, Placement};

use super::Runtime;
use super::message::ShardId;
use super::panics;
pub use super::panics::{OnPanic, Panicked, catch_panic};
pub use super::ring::Sleep;
use super::ring::{self, Driver};
use super::topology::{CpuSet, Plan};

/// Memory that glommio registers for its rings, which we do not use: its least.
const GLOMMIO_MEMORY: usize = 64 << 10;
/// Places in glommio's rings.
const GLOMMIO_DEPTH: usize = 128;

/// How shards run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What a panic does.
    pub on_panic: OnPanic,
    /// Where an idle shard sleeps.
    pub sleep: Sleep,
    /// The longest time for which a lost wake-up can go unnoticed; None only in tests.
    pub heartbeat: Option<Duration>,
    /// glommio's preemption timer. Long, because its loop can park with a task in its queue when the timer fires in
    /// the wrong moment, and because the only task there would not give way to another.
    pub preempt_timer: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            on_panic: OnPanic::Abort,
            sleep: Sleep::Ring,
            heartbeat: Some(Duration::from_millis(100)),
            preempt_timer: Duration::from_secs(3600),
        }
    }
}

/// What a shard's main future is given.
pub struct ShardContext {
    /// The shard's handle.
    pub runtime: Runtime,
    /// The shard's number.
    pub id: ShardId,
    /// How many shards there are.
    pub shards: u16,
    /// The CPU on which it runs; None when it is not pinned.
    pub cpu: Option<usize>,
}

/// Why shards did not start, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// A thread, an executor or a ring could not be made.
    #[error("shard {shard} did not start: {cause}")]
    Start {
        /// Which shard.
        shard: ShardId,
        /// Why.
        cause: String,
    },
    /// The shard's ring failed while it ran.
    #[error("the ring of shard {shard} failed: {cause}")]
    Ring {
        /// Which shard.
        shard: ShardId,
        /// Why.
        cause: io::Error,
    },
    /// The shard panicked (only with [`OnPanic::Propagate`]).
    #[error("shard {shard} panicked: {message}")]
    Panicked {
        /// Which shard.
        shard: ShardId,
        /// What it said.
        message: String,
    },
}

/// Shards that run.
pub struct Shards<T> {
    threads: Vec<JoinHandle<Result<T, ShardError>>>,
}

impl<T> Shards<T> {
    /// Waits until all have ended: their results in order, or the first error.
    pub fn join(self) -> Result<Vec<T>, ShardError> {
        let ends: Vec<_> = self.threads.into_iter().map(JoinHandle::join).collect();
        ends.into_iter()
            .enumerate()
            .map(|(shard, end)| {
                end.unwrap_or_else(|panic| {
                    let message = panic
                        .downcast_ref::<String>()
                        .cloned()
                        .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
                        .unwrap_or_default();
                    Err(ShardError::Panicked { shard: shard as ShardId, message })
                })
            })
            .collect()
    }
}

/// Starts the shards of `plan`; each runs the future that `main` makes for it. Returns when all have started; when
/// one did not, the others end again and its error is given.
pub fn start_shards<F, M, T>(plan: &Plan, options: Options, main: M) -> Result<Shards<T>, ShardError>
where
    M: Fn(ShardContext) -> F + Clone + Send + 'static,
    F: Future<Output = T> + 'static,
    T: Send + 'static,
{
    panics::install();
    plan.bind_memory();
    let affinity = CpuSet::of_process().ok();
    let (started, starts) = channel();
    let mut threads = Vec::new();
    let mut go = Vec::new();
    let shards = plan.shards();
    for (shard, cpu) in plan.cpus.iter().enumerate() {
        let shard = shard as ShardId;
        let (begin, begins) = channel::<()>();
        let cpu = plan.pinned.then_some(*cpu);
        let settings = Thread { shard, shards, cpu, options, affinity: affinity.clone() };
        let (started, main) = (started.clone(), main.clone());
        let ready = move |start: Result<(), ShardError>| {
            let failed = start.is_err();
            let _ = started.send(start);
            !failed && begins.recv().is_ok()
        };
        let thread = std::thread::Builder::new()
            .name(format!("shard-{shard}"))
            .spawn(move || settings.run(ready, main))
            .map_err(|error| ShardError::Start { shard, cause: error.to_string() })?;
        threads.push(thread);
        go.push(begin);
    }
    drop(started);
    // Dropping `go` unsent ends those that wait.
    for _ in 0..shards {
        if let Ok(Err(error)) | Err(error) = starts
            .recv()
            .map_err(|_| ShardError::Start { shard: 0, cause: "a shard's thread ended at once".to_owned() })
        {
            drop(go);
            for thread in threads {
                let _ = thread.join();
            }
            return Err(error);
        }
    }
    for begin in go {
        let _ = begin.send(());
    }
    Ok(Shards { threads })
}

/// Runs `main` on one shard that is not pinned, in a thread of its own; panics propagate. For tests and tools.
pub fn run_one<F, M, T>(main: M) -> T
where
    M: FnOnce(Runtime) -> F + Send + 'static,
    F: Future<Output = T> + 'static,
    T: Send + 'static,
{
    run_one_with(Options { on_panic: OnPanic::Propagate, ..Options::default() }, main)
}

/// As [`run_one`], with options.
pub fn run_one_with<F, M, T>(options: Options, main: M) -> T
where
    M: FnOnce(Runtime) -> F + Send + 'static,
    F: Future<Output = T> + 'static,
    T: Send + 'static,
{
    let thread = Thread { shard: 0, shards: 1, cpu: None, options, affinity: None };
    let run = move || thread.run(|_| true, |context| main(context.runtime));
    let joined = std::thread::Builder::new().name("shard-0".to_owned()).spawn(run).map(JoinHandle::join);
    match joined {
        Ok(Ok(Ok(value))) => value,
        Ok(Ok(Err(error))) => panic!("{error}"),
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => panic!("no thread for a shard: {error}"),
    }
}

/// The thread of one shard.
struct Thread {
    shard: ShardId,
    shards: u16,
    cpu: Option<usize>,
    options: Options,
    affinity: Option<CpuSet>,
}

impl Thread {
    /// Runs the shard. `ready` is told how the start went and says whether to go on.
    fn run<F: Future<Output = T> + 'static, T: 'static>(
        self,
        ready: impl FnOnce(Result<(), ShardError>) -> bool,
        main: impl FnOnce(ShardContext) -> F,
    ) -> Result<T, ShardError> {
        let shard = self.shard;
        let failed = |cause: String| ShardError::Start { shard, cause };
        if self.options.on_panic == OnPanic::Abort {
            panics::abort_on_panic(&format!("shard {shard}"));
        }
        let executor = match self.executor() {
            Ok(executor) => executor,
            Err(cause) => {
                ready(Err(failed(cause.clone())));
                return Err(failed(cause));
            }
        };
        executor.run(async {
            let name = format!("shard-{shard}");
            let mut driver =
                match Driver::new(name, self.affinity.clone(), self.options.sleep, self.options.heartbeat) {
                    Ok(driver) => driver,
                    Err(error) => {
                        ready(Err(failed(format!("its io_uring: {error}"))));
                        return Err(failed(error.to_string()));
                    }
                };
            let go = ready(Ok(()));
            let ring = |cause| ShardError::Ring { shard, cause };
            if !go {
                driver.stop().await.map_err(ring)?;
                return Err(failed("another shard did not start".to_owned()));
            }
            let finished = Rc::new(Cell::new(false));
            let value = Rc::new(Cell::new(None));
            let runtime = driver.runtime();
            let context =
                ShardContext { runtime: runtime.clone(), id: shard, shards: self.shards, cpu: self.cpu };
            let main = main(context);
            let (end, place) = (finished.clone(), value.clone());
            let task = runtime.spawn(async move {
                place.set(Some(main.await));
                end.set(true);
            });
            if let Err(cause) = driver.run(&finished).await {
                assert!(self.options.on_panic != OnPanic::Abort, "the shard's ring failed: {cause}");
                return Err(ring(cause));
            }
            drop((task, runtime));
            driver.stop().await.map_err(ring)?;
            value.take().ok_or_else(|| failed("its main future ended without a value".to_owned()))
        })
    }

    fn executor(&self) -> Result<LocalExecutor, String> {
        if let Some(cpu) = self.cpu {
            // Before the executor is made, so that its memory and its rings are made on that CPU.
            CpuSet::from_iter([cpu])
                .pin_thread()
                .map_err(|error| format!("pinning to CPU {cpu}: {error}"))?;
        }
        // Pinned already; glommio's own pinning needs /sys.
        LocalExecutorBuilder::new(Placement::Unbound)
            .name(&format!("shard-{}", self.shard))
            .preempt_timer(self.options.preempt_timer)
            .io_memory(GLOMMIO_MEMORY)
            .ring_depth(GLOMMIO_DEPTH)
            .make()
            .map_err(|error| format!("its glommio executor: {error}"))
    }
}

/// An address that this process holds, so that every shard can listen on it.
#[derive(Debug)]
pub struct ReservedAddress {
    address: SocketAddr,
    _descriptor: OwnedFd,
}

impl ReservedAddress {
    /// The address, with its real port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Takes `address` for this process: finds a port when it is 0, and fails when anybody else listens there, another
/// Millrace included (which SO_REUSEPORT alone would let in). Keep it until every shard listens.
pub fn reserve_address(address: SocketAddr) -> io::Result<ReservedAddress> {
    if address.port() != 0 {
        // Without SO_REUSEPORT a socket that listens there is an error. Closed again at once.
        let alone = ring::bind_listener(address, false)?;
        ring::listen(&alone)?;
    }
    let descriptor = ring::bind_listener(address, true)?;
    let address = ring::local_address(&descriptor)?;
    Ok(ReservedAddress { address, _descriptor: descriptor })
}
