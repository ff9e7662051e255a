//! The batches of one partition: the one that fills, those that wait, and the count of those in flight. Keeps the order
//! and gives the sequence numbers.

use std::collections::VecDeque;
use std::time::Instant;

use super::batch::{Batch, Stamp};
use crate::protocol::record_batch::increment_sequence;

/// See the module.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) open: Option<Batch>,
    /// In the order of their serial numbers; those that were sent before come first.
    pub(super) waiting: VecDeque<Batch>,
    /// Serial numbers of the batches in flight, the oldest first.
    pub(super) in_flight: VecDeque<u64>,
    /// Not before this time, after a failure.
    pub(super) not_before: Option<Instant>,
    /// Producer id and epoch that the sequence belongs to.
    identity: Option<(i64, i16)>,
    next_sequence: i32,
    /// The sequence is broken: a new epoch starts when nothing is in flight any more.
    must_restart: bool,
}

impl Queue {
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_none() && self.waiting.is_empty() && self.in_flight.is_empty()
    }

    /// Batches that are not sent yet.
    pub(super) fn length(&self) -> usize {
        self.waiting.len() + usize::from(self.open.is_some())
    }

    /// Closes the batch that fills.
    pub(super) fn seal(&mut self) {
        if let Some(batch) = self.open.take() {
            self.waiting.push_back(batch);
        }
    }

    /// The oldest batch that is not in flight.
    pub(super) fn front(&self) -> Option<&Batch> {
        self.waiting.front().or(self.open.as_ref())
    }

    /// Whether the oldest batch may be sent now as far as order goes: after a failure, only alone.
    pub(super) fn may_send(&self, now: Instant) -> bool {
        let Some(front) = self.front() else { return false };
        let repeated = front.attempts > 0 || self.must_restart;
        (!repeated || self.in_flight.is_empty()) && self.not_before.is_none_or(|time| time <= now)
    }

    /// Takes the oldest batch to send it, with a sequence if `identity` is there.
    pub(super) fn take(&mut self, identity: Option<(i64, i16)>) -> Option<Batch> {
        if self.waiting.is_empty() {
            self.seal();
        }
        let mut batch = self.waiting.pop_front()?;
        if let Some(current) = identity {
            if self.identity.is_none() || (self.must_restart && self.in_flight.is_empty()) {
                self.identity = Some(current);
                self.next_sequence = 0;
                self.must_restart = false;
                self.waiting.iter_mut().for_each(|later| later.stamp = None);
                batch.stamp = None;
            }
            if let (None, Some((id, epoch))) = (batch.stamp, self.identity) {
                batch.stamp = Some(Stamp { id, epoch, sequence: self.next_sequence });
                self.next_sequence = increment_sequence(self.next_sequence, batch.record_count());
            }
        }
        self.in_flight.push_back(batch.serial);
        Some(batch)
    }

    /// A batch is no longer in flight; true if it was the oldest.
    pub(super) fn landed(&mut self, serial: u64) -> bool {
        let first = self.in_flight.front() == Some(&serial);
        if let Some(at) = self.in_flight.iter().position(|flying| *flying == serial) {
            self.in_flight.remove(at);
        }
        first
    }

    /// Puts a batch back in its place.
    pub(super) fn put_back(&mut self, batch: Batch) {
        let at =
            self.waiting.iter().position(|other| other.serial > batch.serial).unwrap_or(self.waiting.len());
        self.waiting.insert(at, batch);
    }

    /// After a failure that leaves a gap in the sequence; false if that is known already.
    pub(super) fn restart_sequence(&mut self) -> bool {
        !std::mem::replace(&mut self.must_restart, true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::RecordData;
    use super::super::settings::ProducerSettings;
    use super::*;
    use crate::tools::properties::Properties;

    fn batch(serial: u64, records: u64) -> Batch {
        let mut properties = Properties::default();
        properties.set("bootstrap.servers", "a:1");
        let mut batch = Batch::new(&ProducerSettings::new(&properties, "x").unwrap(), serial, Instant::now());
        (0..records).for_each(|tag| batch.append(tag, 0, &RecordData::default()));
        batch
    }

    fn sequence(batch: &Batch) -> (i16, i32) {
        let stamp = batch.stamp.unwrap();
        (stamp.epoch, stamp.sequence)
    }

    #[test]
    fn sequences_follow_each_other_and_survive_a_retry_in_order() {
        let mut queue = Queue::default();
        (1..=3).for_each(|serial| queue.put_back(batch(serial, 10)));
        let identity = Some((9, 0));
        let mut first = queue.take(identity).unwrap();
        let mut second = queue.take(identity).unwrap();
        assert_eq!((sequence(&first), sequence(&second)), ((0, 0), (0, 10)));
        // Both fail; the answers come in any order.
        assert!(!queue.landed(2));
        second.attempts = 1;
        queue.put_back(second);
        assert!(!queue.may_send(Instant::now()), "the first is still in flight");
        assert!(queue.landed(1));
        first.attempts = 1;
        queue.put_back(first);
        let sent: Vec<_> = (0..3)
            .map(|_| {
                let batch = queue.take(identity).unwrap();
                queue.landed(batch.serial);
                (batch.serial, sequence(&batch).1)
            })
            .collect();
        assert_eq!(sent, [(1, 0), (2, 10), (3, 20)]);
    }

    #[test]
    fn a_gap_starts_a_new_epoch_once_nothing_is_in_flight() {
        let mut queue = Queue::default();
        (1..=3).for_each(|serial| queue.put_back(batch(serial, 5)));
        queue.take(Some((9, 0))).unwrap();
        let mut second = queue.take(Some((9, 0))).unwrap();
        queue.landed(1); // failed for good
        queue.restart_sequence();
        assert!(!queue.may_send(Instant::now()));
        queue.landed(2);
        second.attempts = 1;
        queue.put_back(second);
        let second = queue.take(Some((9, 1))).unwrap();
        assert_eq!((second.serial, sequence(&second)), (2, (1, 0)));
        assert_eq!(sequence(&queue.take(Some((9, 1))).unwrap()), (1, 5));
    }
}
