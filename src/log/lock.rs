//! A lock between tasks of one shard, held across awaits: who changes a log's files holds the log's lock.

use std::cell::Cell;
use std::rc::Rc;

use crate::runtime::sync::Notify;

#[derive(Default)]
struct State {
    held: Cell<bool>,
    freed: Notify,
}

/// See the module. Clones are the same lock.
#[derive(Clone, Default)]
pub(super) struct Lock(Rc<State>);

/// Frees the lock when dropped.
pub(super) struct Held(Rc<State>);

impl Lock {
    /// Waits until nobody holds it.
    pub(super) async fn acquire(&self) -> Held {
        loop {
            if let Some(held) = self.try_acquire() {
                return held;
            }
            self.0.freed.wait().await;
        }
    }

    /// Takes it if nobody holds it.
    pub(super) fn try_acquire(&self) -> Option<Held> {
        if self.0.held.replace(true) { None } else { Some(Held(self.0.clone())) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.held.set(false);
        self.0.freed.notify();
    }
}
