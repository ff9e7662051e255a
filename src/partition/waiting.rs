//! Fetches that wait for data: woken by the append, on the shard of their connection or on another.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use crate::runtime::ShardId;
use crate::runtime::sync::Notify;

/// Whom a wait belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitTarget {
    /// A fetch of a connection on this shard.
    Here,
    /// A fetch of a connection on another shard, by its number there.
    Elsewhere {
        /// That shard.
        shard: ShardId,
        /// The fetch.
        token: u64,
    },
}

/// One waiting fetch, registered with every partition that it reads. Fires once.
pub struct FetchWait {
    target: WaitTarget,
    fired: Cell<bool>,
    changed: Notify,
}

impl FetchWait {
    /// A wait that has not fired.
    #[must_use]
    pub fn new(target: WaitTarget) -> Rc<Self> {
        Rc::new(Self { target, fired: Cell::new(false), changed: Notify::default() })
    }

    /// Whom it belongs to.
    #[must_use]
    pub fn target(&self) -> WaitTarget {
        self.target
    }

    /// Whether something has come.
    #[must_use]
    pub fn has_fired(&self) -> bool {
        self.fired.get()
    }

    /// Ends the wait; true the first time.
    pub fn fire(&self) -> bool {
        let first = !self.fired.replace(true);
        if first {
            self.changed.notify();
        }
        first
    }

    /// Ends when it has fired.
    pub async fn fired(&self) {
        while !self.fired.get() {
            self.changed.wait().await;
        }
    }
}

/// Registered waits above which the dead ones are looked for.
const SWEEP_FROM: usize = 16;

/// The waits of one partition.
#[derive(Default)]
pub(super) struct Waiters {
    waiting: RefCell<Vec<Weak<FetchWait>>>,
    sweep_at: Cell<usize>,
}

impl Waiters {
    /// Adds a wait. It is forgotten when it fires or is dropped.
    pub(super) fn add(&self, wait: &Rc<FetchWait>) {
        let mut waiting = self.waiting.borrow_mut();
        if waiting.len() >= self.sweep_at.get().max(SWEEP_FROM) {
            waiting.retain(|wait| wait.strong_count() > 0);
            self.sweep_at.set(waiting.len() * 2);
        }
        waiting.push(Rc::downgrade(wait));
    }

    /// Whether anybody may be waiting.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.borrow().is_empty()
    }

    /// Fires all, and gives those that belong to other shards to `remote`.
    pub(super) fn fire(&self, mut remote: impl FnMut(ShardId, u64)) {
        for wait in self.waiting.take() {
            if let Some(wait) = wait.upgrade()
                && wait.fire()
                && let WaitTarget::Elsewhere { shard, token } = wait.target()
            {
                remote(shard, token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_fires_once_and_dropped_ones_do_not_gather() {
        let waiters = Waiters::default();
        let wait = FetchWait::new(WaitTarget::Elsewhere { shard: 1, token: 7 });
        waiters.add(&wait);
        for _ in 0..1000 {
            waiters.add(&FetchWait::new(WaitTarget::Here));
        }
        assert!(waiters.waiting.borrow().len() <= 2 * SWEEP_FROM);
        let mut remote = Vec::new();
        waiters.fire(|shard, token| remote.push((shard, token)));
        waiters.fire(|shard, token| remote.push((shard, token)));
        assert_eq!(remote, [(1, 7)]);
        assert!(wait.has_fired() && waiters.is_empty());
    }
}
