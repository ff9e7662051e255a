//! The tasks of one shard: a run queue and nothing else. The driver (or the simulator) decides when they run.
//!
//! Wakers stay on their thread: nothing here crosses shards (messages do, see `message`). Order is first in,
//! first out, unless a picker is given: the simulator picks by its seed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;
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
        // SAFETY: the future and its schedule are not Send, so the runnable and every waker must stay on this
        // thread: they are only reachable from tasks and completions of this shard, and `schedule` asserts it.
        // Future and schedule are 'static.
        let (runnable, task) = unsafe { async_task::spawn_unchecked(future, schedule) };
        runnable.schedule();
        task
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
