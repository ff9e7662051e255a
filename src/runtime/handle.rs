//! The handle of a shard: its tasks and its platform. Cheap to clone, stays on its thread.

use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::descriptors::Descriptors;
use super::executor::{Executor, Task};
use super::platform::{
    Bell, Counters, FileHandle, Operation, Outcome, Pending, Platform, RawListener, RawStream,
};

/// The handle of the shard that the calling code runs on.
#[derive(Clone)]
pub struct Runtime {
    executor: Executor,
    platform: Rc<dyn Platform>,
    descriptors: Rc<Descriptors>,
}

impl Runtime {
    /// Joins a run queue and a platform; called by the platforms.
    #[must_use]
    pub fn new(executor: Executor, platform: Rc<dyn Platform>) -> Self {
        Self { executor, platform, descriptors: Rc::default() }
    }

    /// Adds a task. Dropping the result cancels it.
    pub fn spawn<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> Task<T> {
        self.executor.spawn(future)
    }

    /// Nanoseconds of a clock that only goes forward.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.platform.now_ns()
    }

    /// Milliseconds since 1970; may jump.
    #[must_use]
    pub fn wall_clock_ms(&self) -> i64 {
        self.platform.wall_clock_ms()
    }

    /// A random number.
    #[must_use]
    pub fn random_u64(&self) -> u64 {
        self.platform.random_u64()
    }

    /// Starts an operation now; the result is its end.
    pub fn submit(&self, operation: Operation) -> impl Future<Output = io::Result<Outcome>> + 'static {
        let (pending, completion) = Pending::new();
        self.platform.submit(operation, completion);
        pending
    }

    /// What happens when the process is out of descriptors.
    #[must_use]
    pub fn descriptors(&self) -> &Rc<Descriptors> {
        &self.descriptors
    }

    /// Ends after `duration`.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.sleep_until(self.now_ns().saturating_add(nanos))
    }

    /// Ends at `at_ns` of [`Runtime::now_ns`].
    pub fn sleep_until(&self, at_ns: u64) -> Sleep {
        Sleep { runtime: self.clone(), at_ns, armed: None }
    }

    /// Gives `future` at most until `duration` has passed: None when it has not ended by then.
    pub async fn timeout<T>(&self, duration: Duration, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let mut sleep = self.sleep(duration);
        poll_fn(move |context| {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                return Poll::Ready(Some(value));
            }
            Pin::new(&mut sleep).poll(context).map(|()| None)
        })
        .await
    }

    /// Lets every other task that can run go first, and what has come from sockets, disks and other shards meanwhile:
    /// long work is done in turns with this between them.
    pub async fn yield_now(&self) {
        let mut since = None;
        poll_fn(|context| {
            let turn = self.platform.turn();
            match since {
                None => self.platform.next_turn(context.waker()),
                // Something else of the same task may have been woken before.
                Some(since) if turn.is_some() && turn == since => {}
                Some(_) => return Poll::Ready(()),
            }
            since.get_or_insert(turn);
            Poll::Pending
        })
        .await;
    }

    /// Listens on `address`, together with every other shard that does.
    pub fn listen(&self, address: SocketAddr) -> io::Result<Rc<dyn RawListener>> {
        self.platform.listen(address)
    }

    /// Connects to `address`.
    pub async fn connect(&self, address: SocketAddr) -> io::Result<Rc<dyn RawStream>> {
        self.platform.connect(address).await
    }

    /// How many bytes of the range are in the page cache.
    #[must_use]
    pub fn cached_bytes(&self, file: &FileHandle, position: u64, len: u64) -> u64 {
        self.platform.cached_bytes(file, position, len)
    }

    /// Hints that the range will be read soon. From then on nothing but such hints is read ahead in this file.
    pub fn read_ahead(&self, file: &FileHandle, position: u64, len: u64) {
        self.platform.read_ahead(file, position, len);
    }

    /// This shard's bell, for other threads.
    #[must_use]
    pub fn bell(&self) -> Arc<dyn Bell> {
        self.platform.bell()
    }

    /// Registers the waker of `context` for the next ring of the bell.
    pub fn on_ring(&self, context: &mut Context<'_>) {
        self.platform.rung(context.waker());
    }

    /// What the shard has done since its start.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.platform.counters()
    }

    /// Runs long computations off the shard: None when `work` panicked there.
    pub async fn offload<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let result = Arc::new(crossbeam_queue::ArrayQueue::new(1));
        let place = result.clone();
        self.platform
            .offload(Box::new(move || {
                let _ = place.push(work());
            }))
            .await;
        result.pop()
    }
}

/// A timer; see [`Runtime::sleep`].
pub struct Sleep {
    runtime: Runtime,
    at_ns: u64,
    armed: Option<u64>,
}

impl Future for Sleep {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.runtime.now_ns() >= self.at_ns {
            return Poll::Ready(());
        }
        // A new waker at each poll would fill the timers of a busy task; a timer wakes the task that first
        // polled, and a `Sleep` does not move between tasks.
        if self.armed.is_none() {
            self.armed = Some(self.runtime.platform.add_timer(self.at_ns, context.waker().clone()));
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(number) = self.armed {
            self.runtime.platform.cancel_timer(self.at_ns, number);
        }
    }
}
