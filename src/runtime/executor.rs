//! The tasks of one shard: a run queue and nothing else. The driver (or the simulator) decides when they run.
//!
//! Wakers stay on their thread: nothing here crosses shards (messages do, see `message`). Order is first in,
//! first out, unless a picker is given: the simulator picks by its seed. With a picker the queue also knows all its
//! tasks, so that the simulator can drop them when it lets a process die ([`Executor::abandon`]).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};
use std::thread::ThreadId;

use async_task::Runnable;

/// A spawned task. Dropping it cancels the task; [`Task::detach`] lets it run on its own.
pub use async_task::Task;

/// Chooses which of `n` runnable tasks goes next.
pub type Picker = Box<dyn FnMut(usize) -> usize>;

struct Queue {
    home: ThreadId,
    runnable: RefCell<VecDeque<Runnable>>,
    picker: RefCell<Option<Picker>>,
    polled: Cell<u64>,
    /// Wakers of the tasks that have been polled and not ended; None when they are not tracked.
    living: Option<RefCell<BTreeMap<u64, Waker>>>,
    spawned: Cell<u64>,
    abandoned: Cell<bool>,
}

/// A task of a queue that knows its tasks.
struct Tracked<T> {
    future: Option<Pin<Box<dyn Future<Output = T>>>>,
    queue: Weak<Queue>,
    number: u64,
    registered: bool,
}

impl<T> Future for Tracked<T> {
    type Output = T;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let queue = self.queue.upgrade().filter(|queue| !queue.abandoned.get());
        let Some(queue) = queue else {
            drop(self.future.take());
            return Poll::Pending;
        };
        if !self.registered {
            self.registered = true;
            if let Some(living) = &queue.living {
                living.borrow_mut().insert(self.number, context.waker().clone());
            }
        }
        match &mut self.future {
            Some(future) => future.as_mut().poll(context),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Tracked<T> {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.upgrade()
            && let Some(living) = &queue.living
        {
            let waker = living.borrow_mut().remove(&self.number);
            drop(waker);
        }
    }
}

/// A shard's run queue. Clones are the same queue.
#[derive(Clone)]
pub struct Executor(Rc<Queue>);

impl Executor {
    /// An empty run queue of the calling thread.
    #[must_use]
    pub fn new(picker: Option<Picker>) -> Self {
        Self(Rc::new(Queue {
            home: std::thread::current().id(),
            runnable: RefCell::new(VecDeque::with_capacity(256)),
            living: picker.is_some().then(RefCell::default),
            spawned: Cell::new(0),
            abandoned: Cell::new(false),
            picker: RefCell::new(picker),
            polled: Cell::new(0),
        }))
    }

    /// Adds a task; it runs for the first time when the queue comes to it.
    pub fn spawn<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> Task<T> {
        let queue = Rc::downgrade(&self.0);
        let home = self.0.home;
        let schedule = move |runnable| {
            assert!(std::thread::current().id() == home, "a waker was used on another shard's thread");
            if let Some(queue) = queue.upgrade() {
                queue.runnable.borrow_mut().push_back(runnable);
            }
        };
        let (runnable, task) = if self.0.living.is_some() {
            let number = self.0.spawned.get();
            self.0.spawned.set(number + 1);
            let queue = Rc::downgrade(&self.0);
            let future = Tracked { future: Some(Box::pin(future)), queue, number, registered: false };
            // SAFETY: as below.
            unsafe { async_task::spawn_unchecked(future, schedule) }
        } else {
            // SAFETY: the future and its schedule are not Send, so the runnable and every waker must stay on this
            // thread: they are only reachable from tasks and completions of this shard, and `schedule` asserts it.
            // Future and schedule are 'static.
            unsafe { async_task::spawn_unchecked(future, schedule) }
        };
        runnable.schedule();
        task
    }

    /// Drops every task, as the death of the process would. Only for queues with a picker; nothing runs after it.
    pub fn abandon(&self) {
        self.0.abandoned.set(true);
        loop {
            let living = self.0.living.as_ref().map(RefCell::take).unwrap_or_default();
            for waker in living.into_values() {
                waker.wake();
            }
            if !self.run_one() {
                return;
            }
            while self.run_one() {}
        }
    }

    /// Runs one task that can run; false when there is none.
    pub fn run_one(&self) -> bool {
        let next = {
            let mut runnable = self.0.runnable.borrow_mut();
            let count = runnable.len();
            match self.0.picker.borrow_mut().as_mut() {
                Some(pick) if count > 1 => {
                    let chosen = pick(count) % count;
                    runnable.swap_remove_back(chosen)
                }
                _ => runnable.pop_front(),
            }
        };
        match next {
            Some(task) => {
                self.0.polled.set(self.0.polled.get() + 1);
                task.run();
                true
            }
            None => false,
        }
    }

    /// Drops the tasks that can run, unrun; gives how many. For a shard that stops.
    pub fn drop_runnable(&self) -> usize {
        let mut count = 0;
        loop {
            // Dropped outside of the borrow: what a task owns may wake others.
            let next = self.0.runnable.borrow_mut().pop_front();
            match next {
                Some(task) => drop(task),
                None => return count,
            }
            count += 1;
        }
    }

    /// Tasks that can run now.
    #[must_use]
    pub fn runnable(&self) -> usize {
        self.0.runnable.borrow().len()
    }

    /// Polls since the start.
    #[must_use]
    pub fn polled(&self) -> u64 {
        self.0.polled.get()
    }
}
