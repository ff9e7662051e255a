//! What the three threads of a producer share, under one lock that is held only to move things.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, eventfd};

use super::batch::{Batch, Completion};
use super::partitioner::Sticky;
use super::queue::Queue;
use super::settings::ProducerSettings;
use crate::protocol::ErrorCode;
use crate::tools::client::{ClientError, Cluster};

/// Longest pause after failures of a partition.
const BACKOFF_MAX: Duration = Duration::from_secs(1);

/// The shared part.
pub(super) struct Shared {
    pub(super) settings: ProducerSettings,
    pub(super) topic: Arc<str>,
    state: Mutex<State>,
    /// Anything changed that the tool or the lookup may wait for.
    pub(super) changed: Condvar,
    /// Readable when the sender is to look again.
    pub(super) wake: OwnedFd,
}

/// See the module.
pub(super) struct State {
    pub(super) queues: Vec<Queue>,
    pub(super) cluster: Option<Arc<Cluster>>,
    /// The leader of each partition of the topic.
    leaders: Vec<Option<i32>>,
    sticky: Sticky,
    pub(super) used_bytes: usize,
    /// Batches that are neither acknowledged nor failed.
    pub(super) outstanding: usize,
    /// Threads that wait for room.
    pub(super) starved: usize,
    /// Threads that wait until everything is sent.
    pub(super) flushing: usize,
    pub(super) closing: bool,
    pub(super) sender_sleeps: bool,
    pub(super) wants_metadata: bool,
    pub(super) wants_identity: bool,
    /// Producer id and epoch for partitions that start a sequence.
    pub(super) identity: Option<(i64, i16)>,
    /// Why nothing can be sent at all.
    pub(super) fatal: Option<ClientError>,
    next_serial: u64,
}

/// What the sender is to do next.
#[derive(Default)]
pub(super) struct Plan {
    /// Brokers for which something is ready.
    pub(super) leaders: BTreeSet<i32>,
    /// When something gets ready by itself.
    pub(super) next: Option<Instant>,
    pub(super) done: bool,
}

impl Shared {
    pub(super) fn new(settings: ProducerSettings, topic: &str) -> Result<Self, ClientError> {
        let wake = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)
            .map_err(|errno| ClientError::Config(format!("no event descriptor: {errno}")))?;
        let state = State {
            queues: Vec::new(),
            cluster: None,
            leaders: Vec::new(),
            sticky: Sticky::new(settings.batch_bytes),
            used_bytes: 0,
            outstanding: 0,
            starved: 0,
            flushing: 0,
            closing: false,
            sender_sleeps: false,
            wants_metadata: true,
            wants_identity: settings.idempotent,
            identity: None,
            fatal: None,
            next_serial: 0,
        };
        Ok(Self { settings, topic: topic.into(), state: Mutex::new(state), changed: Condvar::new(), wake })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked takes the tool down with it; its half-done change is never used.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, at most until `deadline`; false when that is over.
    pub(super) fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        deadline: Option<Instant>,
    ) -> (MutexGuard<'a, State>, bool) {
        let left =
            deadline.map_or(Duration::from_secs(3600), |end| end.saturating_duration_since(Instant::now()));
        let (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        (state, deadline.is_none_or(|end| Instant::now() < end))
    }

    /// Makes the sender look again.
    pub(super) fn wake(&self, state: &mut State) {
        if std::mem::take(&mut state.sender_sleeps) {
            // It can only fail when the counter is full, and then the sender is awake.
            let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
        }
    }
}

impl State {
    pub(super) fn new_batch(&mut self, settings: &ProducerSettings, now: Instant) -> Batch {
        self.next_serial += 1;
        self.outstanding += 1;
        Batch::new(settings, self.next_serial, now)
    }

    /// Takes over new metadata; partitions of the topic have the numbers from 0 on.
    pub(super) fn learn(&mut self, cluster: Arc<Cluster>, topic: &str) {
        let partitions =
            cluster.topics.get(topic).map(|topic| topic.partitions.as_slice()).unwrap_or_default();
        self.leaders = partitions.iter().map(|partition| partition.leader).collect();
        if self.queues.len() < self.leaders.len() {
            self.queues.resize_with(self.leaders.len(), Queue::default);
        }
        self.cluster = Some(cluster);
    }

    fn leader(&self, partition: usize) -> Option<i32> {
        self.leaders.get(partition).copied().flatten()
    }

    /// Partitions of which the leader is known, or all if that is none, each with the batches that wait for it.
    fn waiting(queues: &[Queue], leaders: &[Option<i32>]) -> Vec<(usize, usize)> {
        let all = || queues.iter().enumerate().map(|(partition, queue)| (partition, queue.length()));
        let led = |partition: usize| leaders.get(partition).is_some_and(Option::is_some);
        let with_leader: Vec<_> = all().filter(|(partition, _)| led(*partition)).collect();
        if with_leader.is_empty() { all().collect() } else { with_leader }
    }

    /// The partition for a record of `bytes` without a key.
    pub(super) fn next_sticky(&mut self, bytes: usize) -> Option<usize> {
        let Self { sticky, queues, leaders, .. } = self;
        sticky.next(bytes, || Self::waiting(queues, leaders))
    }

    /// Whether the oldest batch of a queue should leave, or when it should.
    fn due(&self, queue: &Queue, settings: &ProducerSettings, now: Instant) -> Result<(), Option<Instant>> {
        let Some(front) = queue.front() else { return Err(None) };
        if !queue.may_send(now) {
            return Err(queue.not_before.filter(|time| *time > now));
        }
        let full = !queue.waiting.is_empty() || front.bytes() >= settings.batch_bytes;
        if full || self.starved > 0 || self.flushing > 0 || self.closing {
            return Ok(());
        }
        let end = front.created + settings.linger;
        if end <= now { Ok(()) } else { Err(Some(end)) }
    }

    /// What to do now. Batches that waited too long are taken out and given in `expired`.
    pub(super) fn plan(&mut self, shared: &Shared, now: Instant, expired: &mut Vec<(usize, Batch)>) -> Plan {
        let settings = &shared.settings;
        let mut plan = Plan { done: self.closing && self.outstanding == 0, ..Plan::default() };
        let mut leaderless = false;
        for partition in 0..self.queues.len() {
            self.expire(settings, partition, now, expired);
            let Some(queue) = self.queues.get(partition) else { continue };
            if queue.is_idle() {
                continue;
            }
            match self.due(queue, settings, now) {
                Ok(()) => match self.leader(partition) {
                    Some(leader) => {
                        plan.leaders.insert(leader);
                    }
                    None => leaderless = true,
                },
                Err(Some(time)) => plan.next = Some(plan.next.map_or(time, |next: Instant| next.min(time))),
                Err(None) => {}
            }
        }
        if leaderless {
            self.wants_metadata = true;
            shared.changed.notify_all();
        }
        if settings.idempotent && self.identity.is_none() {
            plan.leaders.clear();
        }
        plan
    }

    fn expire(
        &mut self,
        settings: &ProducerSettings,
        partition: usize,
        now: Instant,
        out: &mut Vec<(usize, Batch)>,
    ) {
        let fatal = self.fatal.is_some();
        let Some(queue) = self.queues.get_mut(partition) else { return };
        while queue.front().is_some_and(|front| fatal || front.created + settings.delivery_timeout <= now) {
            if queue.waiting.is_empty() {
                queue.seal();
            }
            let Some(batch) = queue.waiting.pop_front() else { return };
            let broken = batch.stamp.is_some();
            out.push((partition, batch));
            if broken && queue.restart_sequence() {
                bump(&mut self.identity, &mut self.wants_identity);
            }
        }
    }

    /// Takes what can go to a broker in one request, one batch of each partition at most, starting at `from`.
    pub(super) fn drain(
        &mut self,
        shared: &Shared,
        node: i32,
        from: usize,
        now: Instant,
    ) -> Vec<(usize, Batch)> {
        let mut taken = Vec::new();
        let mut bytes = 0;
        let identity = self.identity;
        let count = self.queues.len();
        for partition in (0..count).map(|at| (at + from) % count.max(1)) {
            if self.leader(partition) != Some(node) {
                continue;
            }
            let Some(queue) = self.queues.get_mut(partition) else { continue };
            let Some(front) = queue.front() else { continue };
            if !queue.may_send(now) {
                continue;
            }
            if !taken.is_empty() && bytes + front.bytes() > shared.settings.request_bytes {
                break;
            }
            bytes += front.bytes();
            taken.extend(queue.take(identity).map(|batch| (partition, batch)));
        }
        taken
    }

    /// Decides what follows from an answer about a batch; gives what the tool is to be told.
    pub(super) fn settle(
        &mut self,
        shared: &Shared,
        partition: usize,
        mut batch: Batch,
        result: Result<(), ClientError>,
        now: Instant,
    ) -> Option<Completion> {
        let settings = &shared.settings;
        let queue = self.queues.get_mut(partition)?;
        let oldest = queue.landed(batch.serial);
        let error = match result {
            Ok(()) => {
                queue.not_before = None;
                return Some(self.complete(partition, batch, Ok(())));
            }
            Err(error) => error,
        };
        let code = error.code().unwrap_or_default();
        if code == ErrorCode::DUPLICATE_SEQUENCE_NUMBER {
            return Some(self.complete(partition, batch, Ok(())));
        }
        let gap = matches!(code, ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER | ErrorCode::UNKNOWN_PRODUCER_ID);
        if code == ErrorCode::MESSAGE_TOO_LARGE
            && let Some(halves) = batch.split(settings)
        {
            self.outstanding += 1;
            let [mut first, mut second] = halves;
            (first.attempts, second.attempts) = (1, 1);
            if let Some(stamp) = batch.stamp {
                let sequence =
                    crate::protocol::record_batch::increment_sequence(stamp.sequence, first.record_count());
                (first.stamp, second.stamp) = (Some(stamp), Some(super::batch::Stamp { sequence, ..stamp }));
            }
            queue.put_back(first);
            queue.put_back(second);
            return None;
        }
        let may_repeat = (error.is_retriable() || gap && batch.stamp.is_some())
            && batch.attempts < settings.retries
            && batch.created + settings.delivery_timeout > now
            && self.fatal.is_none();
        if gap && oldest && queue.restart_sequence() {
            bump(&mut self.identity, &mut self.wants_identity);
        }
        if may_repeat {
            let pause =
                (settings.retry_backoff * 2u32.saturating_pow(batch.attempts.min(10))).min(BACKOFF_MAX);
            queue.not_before = Some(now + pause);
            batch.attempts += 1;
            queue.put_back(batch);
            self.wants_metadata = true;
            shared.changed.notify_all();
            return None;
        }
        if batch.stamp.is_some() && queue.restart_sequence() {
            bump(&mut self.identity, &mut self.wants_identity);
        }
        Some(self.complete(partition, batch, Err(error)))
    }

    /// Counts a batch as done.
    pub(super) fn complete(
        &mut self,
        partition: usize,
        batch: Batch,
        result: Result<(), ClientError>,
    ) -> Completion {
        self.outstanding -= 1;
        self.used_bytes -= batch.charged_bytes;
        let base_offset = batch.base_offset;
        Completion { tags: batch.tags, partition: partition as i32, base_offset, result }
    }
}

/// The next epoch, in which partitions whose sequence broke start anew; or the wish for a new producer id.
fn bump(identity: &mut Option<(i64, i16)>, wants_identity: &mut bool) {
    match identity {
        Some((_, epoch)) if *epoch < i16::MAX => *epoch += 1,
        _ => {
            *identity = None;
            *wants_identity = true;
        }
    }
}
