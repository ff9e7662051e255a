//! What the ring cannot do without stopping the shard: calls on paths, flushes of whole file systems, long
//! computations. One thread for each of these lanes, started at its first job.
//!
//! Bounds: [`QUEUE`] jobs wait in a lane; more wait on the shard, and are handed over when an answer comes. So every job has
//! an answer, though nobody may wait for it. Jobs are as many as the tasks that wait for them, and the descriptors that
//! are to be closed. Answers come back over a queue without a limit of its own, and the shard's bell.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::panic::AssertUnwindSafe;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use ahash::AHashMap;
use crossbeam_queue::SegQueue;

use super::super::panics;
use super::super::platform::{Bell, Completion, Outcome};
use super::super::sync;
use super::super::topology::CpuSet;
use super::bell::RingBell;

/// Jobs that wait in one lane.
const QUEUE: usize = 256;

/// Which thread does a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// Short calls on paths.
    Paths = 0,
    /// What may wait for the disk: flushes of directories and file systems, closing and removing.
    Flushes = 1,
    /// Computations.
    Computations = 2,
}
const LANES: usize = 3;
const NAMES: [&str; LANES] = ["paths", "flushes", "compute"];

type Job = Box<dyn FnOnce() + Send>;

enum Answer {
    File(io::Result<Outcome>),
    Done,
}

enum Waiting {
    File(Completion),
    Computed(sync::Sender<()>),
    Nobody,
}

#[derive(Default)]
struct LaneState {
    sender: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
    overflow: VecDeque<Job>,
}

/// The helper threads of one shard, as that shard sees them.
pub(super) struct Helpers {
    name: String,
    affinity: Option<CpuSet>,
    lanes: RefCell<[LaneState; LANES]>,
    waiting: RefCell<AHashMap<u64, Waiting>>,
    answers: Arc<SegQueue<(u64, Answer)>>,
    bell: Arc<RingBell>,
    next: Cell<u64>,
}

thread_local! {
    static CLOSER: RefCell<Weak<Helpers>> = const { RefCell::new(Weak::new()) };
}

/// Closes a descriptor where waiting does no harm: the last close of a removed file frees its blocks.
pub(in super::super) fn close_later(descriptor: OwnedFd) {
    let helpers = CLOSER.try_with(|closer| closer.borrow().upgrade()).ok().flatten();
    if let Some(helpers) = helpers {
        helpers.answered(Lane::Flushes, Waiting::Nobody, move || {
            drop(descriptor);
            Answer::Done
        });
    }
}

impl Helpers {
    pub(super) fn new(name: String, affinity: Option<CpuSet>, bell: Arc<RingBell>) -> Rc<Self> {
        let helpers = Rc::new(Self {
            name,
            affinity,
            lanes: RefCell::default(),
            waiting: RefCell::default(),
            answers: Arc::default(),
            bell,
            next: Cell::new(0),
        });
        CLOSER.with(|closer| *closer.borrow_mut() = Rc::downgrade(&helpers));
        helpers
    }

    /// Runs a call on files in `lane`.
    pub(super) fn file(
        &self,
        lane: Lane,
        done: Completion,
        work: impl FnOnce() -> io::Result<Outcome> + Send + 'static,
    ) {
        self.answered(lane, Waiting::File(done), move || {
            let outcome = panics::contained(AssertUnwindSafe(work));
            Answer::File(outcome.unwrap_or_else(|panicked| Err(io::Error::other(panicked))))
        });
    }

    /// Runs a computation. The receiver gives None when it panicked.
    pub(super) fn compute(&self, work: Job) -> sync::Receiver<()> {
        let (sender, receiver) = sync::oneshot();
        self.answered(Lane::Computations, Waiting::Computed(sender), move || {
            // A panic was reported by the hook; who waits finds no result.
            let _ = panics::contained(AssertUnwindSafe(work));
            Answer::Done
        });
        receiver
    }

    fn answered(&self, lane: Lane, waiting: Waiting, work: impl FnOnce() -> Answer + Send + 'static) {
        let number = self.next.get();
        self.next.set(number + 1);
        self.waiting.borrow_mut().insert(number, waiting);
        let (answers, bell) = (self.answers.clone(), self.bell.clone());
        let job = Box::new(move || {
            answers.push((number, work()));
            bell.ring();
        });
        self.send(lane, job);
    }

    fn send(&self, lane: Lane, job: Job) {
        let mut lanes = self.lanes.borrow_mut();
        let Some(state) = lanes.get_mut(lane as usize) else { return };
        if !state.overflow.is_empty() {
            state.overflow.push_back(job);
            return;
        }
        if state.sender.is_none() {
            let (sender, receiver) = sync_channel::<Job>(QUEUE);
            let label = NAMES.get(lane as usize).copied().unwrap_or_default();
            let affinity = self.affinity.clone();
            let thread =
                std::thread::Builder::new().name(format!("{}-{label}", self.name)).spawn(move || {
                    if let Some(cpus) = affinity {
                        // Anywhere the process may run, not on the shard's CPU alone. If not, it is only slower.
                        let _ = cpus.pin_thread();
                    }
                    for job in receiver {
                        job();
                    }
                });
            match thread {
                Ok(thread) => {
                    state.thread = Some(thread);
                    state.sender = Some(sender);
                }
                Err(error) => {
                    // No thread to be had: better slow than never.
                    tracing::warn!(%error, lane = label, "a helper thread did not start, the shard works itself");
                    drop(lanes);
                    job();
                    return;
                }
            }
        }
        if let Some(sender) = &state.sender
            && let Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) = sender.try_send(job)
        {
            state.overflow.push_back(job);
        }
    }

    /// Takes the answers that are there; gives how many.
    pub(super) fn take_answers(&self) -> usize {
        let mut count = 0;
        while let Some((number, answer)) = self.answers.pop() {
            count += 1;
            let waiting = self.waiting.borrow_mut().remove(&number);
            match (waiting, answer) {
                (Some(Waiting::File(done)), Answer::File(outcome)) => done.complete(outcome),
                (Some(Waiting::Computed(sender)), Answer::Done) => sender.send(()),
                _ => {}
            }
        }
        if count > 0 {
            for state in self.lanes.borrow_mut().iter_mut() {
                let Some(sender) = &state.sender else { continue };
                while let Some(job) = state.overflow.pop_front() {
                    if let Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) =
                        sender.try_send(job)
                    {
                        state.overflow.push_front(job);
                        break;
                    }
                }
            }
        }
        count
    }

    /// Jobs whose answer is still to come.
    pub(super) fn outstanding(&self) -> usize {
        self.waiting.borrow().len()
    }

    /// Ends the threads when they have done what was given to them.
    pub(super) fn stop(&self) {
        CLOSER.with(|closer| *closer.borrow_mut() = Weak::new());
        let lanes = self.lanes.take();
        for state in lanes {
            drop(state.sender);
            for job in state.overflow {
                job();
            }
            if let Some(thread) = state.thread {
                let _ = thread.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn what_waits_behind_more_closes_than_a_lane_holds_is_done() {
        let helpers = Helpers::new("test".into(), None, Arc::new(RingBell::new().unwrap()));
        let (release, held) = std::sync::mpsc::channel::<()>();
        helpers.answered(Lane::Flushes, Waiting::Nobody, move || {
            held.recv().unwrap();
            Answer::Done
        });
        for _ in 0..QUEUE * 2 {
            close_later(std::fs::File::open("/dev/null").unwrap().into());
        }
        let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let flag = done.clone();
        helpers.answered(Lane::Flushes, Waiting::Nobody, move || {
            flag.store(true, std::sync::atomic::Ordering::Release);
            Answer::Done
        });
        release.send(()).unwrap();
        // The shard looks at each ring of its bell, and only then.
        let patience = Instant::now() + Duration::from_secs(60);
        while helpers.outstanding() > 0 && Instant::now() < patience {
            if helpers.bell.take() {
                helpers.take_answers();
            }
            std::thread::yield_now();
        }
        assert!(done.load(std::sync::atomic::Ordering::Acquire), "{} wait", helpers.outstanding());
        helpers.stop();
    }
}
