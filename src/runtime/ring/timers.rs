//! The shard's timers, in the order of their time. Cancelled ones leave at once, so that the many timeouts that
//! never fire cost no memory.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::task::Waker;

#[derive(Default)]
pub(super) struct Timers {
    entries: RefCell<BTreeMap<(u64, u64), Waker>>,
    next: Cell<u64>,
}

impl Timers {
    /// Wakes `waker` at `at_ns`; gives a number to cancel it by.
    pub(super) fn add(&self, at_ns: u64, waker: Waker) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        self.entries.borrow_mut().insert((at_ns, number), waker);
        number
    }

    pub(super) fn cancel(&self, at_ns: u64, number: u64) {
        // The waker is dropped after the borrow: it may be the last hold on a task that has timers.
        let removed = self.entries.borrow_mut().remove(&(at_ns, number));
        drop(removed);
    }

    /// When the next one is due.
    pub(super) fn next_ns(&self) -> Option<u64> {
        self.entries.borrow().first_key_value().map(|((at_ns, _), _)| *at_ns)
    }

    /// Wakes all that are due; gives how many.
    pub(super) fn fire(&self, now_ns: u64) -> usize {
        let mut count = 0;
        loop {
            let due = {
                let mut entries = self.entries.borrow_mut();
                match entries.first_entry() {
                    Some(entry) if entry.key().0 <= now_ns => entry.remove(),
                    _ => return count,
                }
            };
            due.wake();
            count += 1;
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        let entries = self.entries.take();
        drop(entries);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    use super::*;

    struct Count(AtomicU32);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn fires_in_time_and_not_when_cancelled() {
        let timers = Timers::default();
        let count = Arc::new(Count(AtomicU32::new(0)));
        timers.add(10, Waker::from(count.clone()));
        let second = timers.add(10, Waker::from(count.clone()));
        timers.add(20, Waker::from(count.clone()));
        assert_eq!(timers.next_ns(), Some(10));
        timers.cancel(10, second);
        assert_eq!(timers.fire(9), 0);
        assert_eq!(timers.fire(10), 1);
        assert_eq!(timers.next_ns(), Some(20));
        assert_eq!(timers.fire(100), 1);
        assert_eq!(count.0.load(Ordering::Relaxed), 2);
        assert_eq!(timers.next_ns(), None);
    }
}
