//! Who waits until what was appended is durable.
//!
//! On the log's shard. Whoever waits is told once, in the order of asking, in the turn in which the durable end moves:
//! without a task of its own, so that a request costs no more than its place in the queue. What is lost with its log is
//! told as an error. A cut waits until everything is durable, so nobody waits for what it takes away. Bounded by what is
//! appended and not durable yet (the tails' budget), and by duplicates of that, as many as requests come in the time of a
//! flush.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::error::LogError;
use super::log::Log;
use crate::runtime::sync::{Sender, oneshot};

/// Who is told of appends.
pub trait Acknowledged {
    /// The append is durable, or never will be. `item` is the number that was given with it. Must not wait, nor append.
    fn acknowledged(&self, item: u32, result: Result<(), LogError>);
}

struct Waiting {
    end_offset: i64,
    item: u32,
    who: Rc<dyn Acknowledged>,
}

/// Those who wait for one log.
#[derive(Default)]
pub(super) struct Unacknowledged(RefCell<VecDeque<Waiting>>);

impl Unacknowledged {
    fn push(&self, waiting: Waiting) {
        self.0.borrow_mut().push_back(waiting);
    }

    /// Tells, from the front, those whose appends end at or below `durable_end`. An older append that is asked about
    /// again, a duplicate, waits for those in front of it.
    pub(super) fn tell_durable(&self, durable_end: i64) {
        // Told outside of the borrow.
        let next = || self.0.borrow_mut().pop_front_if(|waiting| waiting.end_offset <= durable_end);
        while let Some(waiting) = next() {
            waiting.who.acknowledged(waiting.item, Ok(()));
        }
    }

    /// Tells all that it will not be.
    pub(super) fn fail(&self, error: &LogError) {
        for waiting in self.0.take() {
            waiting.who.acknowledged(waiting.item, Err(error.clone()));
        }
    }

    /// Whether nobody waits.
    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

/// A task that waits.
struct Task(RefCell<Option<Sender<Result<(), LogError>>>>);

impl Acknowledged for Task {
    fn acknowledged(&self, _: u32, result: Result<(), LogError>) {
        if let Some(sender) = self.0.take() {
            sender.send(result);
        }
    }
}

impl Log {
    /// Tells `who` when all records below `end_offset` are durable; at once, in this call, if they are, if the log has
    /// ended, or if it does not reach that far.
    pub fn when_durable(&self, end_offset: i64, item: u32, who: Rc<dyn Acknowledged>) {
        let log = &self.0;
        if log.durable_end.get() >= end_offset {
            return who.acknowledged(item, Ok(()));
        }
        let in_the_log = if end_offset > log.log_end_offset() { Err(log.out_of_range()) } else { Ok(()) };
        match log.check().and(in_the_log) {
            Ok(()) => log.unacknowledged.push(Waiting { end_offset, item, who }),
            Err(error) => who.acknowledged(item, Err(error)),
        }
    }

    /// Ends when all records below `offset` are durable.
    ///
    /// # Errors
    /// The log ended before, or does not reach that far.
    pub async fn durable(&self, offset: i64) -> Result<(), LogError> {
        let (sender, receiver) = oneshot();
        self.when_durable(offset, 0, Rc::new(Task(RefCell::new(Some(sender)))));
        receiver.await.unwrap_or(Err(LogError::Closed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(RefCell<Vec<(u32, bool)>>);

    impl Acknowledged for Told {
        fn acknowledged(&self, item: u32, result: Result<(), LogError>) {
            self.0.borrow_mut().push((item, result.is_ok()));
        }
    }

    #[test]
    fn each_is_told_once_in_order_and_a_duplicate_behind_what_came_before_it() {
        let (waiting, told) = (Unacknowledged::default(), Rc::new(Told::default()));
        // The third is a duplicate of the first.
        for (item, end_offset) in [(0, 10), (1, 20), (2, 10), (3, 30)] {
            waiting.push(Waiting { end_offset, item, who: told.clone() });
        }
        waiting.tell_durable(9);
        assert_eq!(*told.0.borrow(), []);
        waiting.tell_durable(10);
        assert_eq!(*told.0.borrow(), [(0, true)]);
        waiting.tell_durable(20);
        assert_eq!(*told.0.borrow(), [(0, true), (1, true), (2, true)]);
        assert!(!waiting.is_empty());
        waiting.fail(&LogError::Closed);
        assert_eq!(*told.0.borrow(), [(0, true), (1, true), (2, true), (3, false)]);
        assert!(waiting.is_empty());
    }
}
