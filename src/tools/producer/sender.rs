//! The thread that owns the connections to the partitions' leaders: takes batches out of the state, sends them, and
//! settles them when their answers come.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::{Batch, Completion};
use super::state::{Plan, Shared};
use crate::protocol::messages::produce::{PartitionProduceData, TopicProduceData};
use crate::protocol::messages::{ProduceRequest, ProduceResponse};
use crate::protocol::wire::{Records, Uuid};
use crate::tools::client::{Answer, ClientError, Cluster, Event, Network, Node};
use crate::tools::log;

/// What is called with each batch that is done, on the sender's thread.
pub(super) type OnDone = Box<dyn FnMut(Completion) + Send>;

/// Longest wait without looking.
const IDLE: Duration = Duration::from_secs(10);

pub(super) struct Sender {
    shared: Arc<Shared>,
    network: Network,
    sent: HashMap<u64, Vec<(usize, Batch)>>,
    on_done: OnDone,
    /// Where the next request starts among the partitions, so that none is starved.
    turn: usize,
}

impl Sender {
    pub(super) fn new(shared: Arc<Shared>, on_done: OnDone) -> Self {
        let network = Network::new(shared.settings.network.clone());
        Self { shared, network, sent: HashMap::new(), on_done, turn: 0 }
    }

    /// Runs until the producer is closed and everything is done.
    pub(super) fn run(mut self) {
        loop {
            let (plan, cluster, gave_up) = self.plan();
            if plan.done {
                return;
            }
            let (busy, retry) = self.send_ready(&plan, cluster.as_deref());
            let now = Instant::now();
            let until_next = plan.next.map_or(IDLE, |next| next.saturating_duration_since(now));
            let wait = if busy || gave_up { Duration::ZERO } else { until_next.min(retry.unwrap_or(IDLE)) };
            let shared = Arc::clone(&self.shared);
            let events = match self.network.poll(wait, Some(&shared.wake)) {
                Ok(events) => events,
                Err(error) => {
                    log::error(&format!("waiting for sockets failed: {error}"));
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
            };
            let mut drained = [0; 8];
            let _ = rustix::io::read(&shared.wake, &mut drained);
            for event in events {
                self.handle(event);
            }
        }
    }

    /// What to do, the brokers to do it with, and whether batches were given up because they waited too long.
    fn plan(&mut self) -> (Plan, Option<Arc<Cluster>>, bool) {
        let mut expired = Vec::new();
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        let plan = state.plan(&shared, Instant::now(), &mut expired);
        state.sender_sleeps = true;
        let cluster = state.cluster.clone();
        let fatal = state.fatal.clone();
        let done: Vec<_> = expired
            .into_iter()
            .map(|(partition, batch)| {
                let waited = batch.created.elapsed().as_millis();
                let what = format!(
                    "Expiring {} record(s) for {}-{partition}:{waited} ms has passed since batch creation",
                    batch.record_count(),
                    shared.topic
                );
                let error = fatal.clone().unwrap_or(ClientError::Timeout { what });
                state.complete(partition, batch, Err(error))
            })
            .collect();
        drop(state);
        let gave_up = !done.is_empty();
        self.finish(done);
        (plan, cluster, gave_up)
    }

    fn finish(&mut self, done: Vec<Completion>) {
        if !done.is_empty() {
            self.shared.changed.notify_all();
            done.into_iter().for_each(|completion| (self.on_done)(completion));
        }
    }

    /// Sends to each broker that can take a request; whether anything was sent, and how long until a broker that cannot
    /// be reached may be tried again.
    fn send_ready(&mut self, plan: &Plan, cluster: Option<&Cluster>) -> (bool, Option<Duration>) {
        let (mut busy, mut retry) = (false, None);
        let Some(cluster) = cluster else { return (false, None) };
        for leader in &plan.leaders {
            let Some(broker) = cluster.brokers.get(leader) else { continue };
            let node = Node::Broker(*leader);
            if !self.network.prepare(node, &broker.address) {
                let wait = self.network.backoff(node).unwrap_or(IDLE);
                retry = Some(retry.map_or(wait, |other: Duration| other.min(wait)));
                continue;
            }
            let limit = self.shared.settings.max_in_flight;
            let waits = self.network.ready(node).is_some_and(|connection| connection.wants_write());
            if self.network.in_flight(node) >= limit || waits {
                continue;
            }
            let shared = Arc::clone(&self.shared);
            let batches = shared.lock().drain(&shared, *leader, self.turn, Instant::now());
            self.turn = self.turn.wrapping_add(1);
            if !batches.is_empty() {
                busy = true;
                let id = cluster.topics.get(&shared.topic).map_or(Uuid::ZERO, |topic| topic.id);
                self.send(node, id, batches);
            }
        }
        (busy, retry)
    }

    fn send(&mut self, node: Node, topic_id: Uuid, mut batches: Vec<(usize, Batch)>) {
        let mut failed = Vec::new();
        for (partition, batch) in &mut batches {
            if let Err(error) = batch.finish() {
                failed.push((*partition, batch.serial, ClientError::Config(error.to_string())));
            }
        }
        for (partition, serial, error) in failed {
            let at = batches.iter().position(|(p, batch)| (*p, batch.serial) == (partition, serial));
            if let Some((_, batch)) = at.map(|at| batches.swap_remove(at)) {
                self.settle(vec![(partition, batch, Err(error))]);
            }
        }
        match self.transmit(node, topic_id, &batches) {
            Ok(Some(token)) => {
                self.sent.insert(token, batches);
            }
            Ok(None) => self
                .settle(batches.into_iter().map(|(partition, batch)| (partition, batch, Ok(()))).collect()),
            Err(error) => self.fail(batches, &error),
        }
    }

    fn transmit(
        &mut self,
        node: Node,
        topic_id: Uuid,
        batches: &[(usize, Batch)],
    ) -> Result<Option<u64>, ClientError> {
        let settings = &self.shared.settings;
        let request = ProduceRequest {
            transactional_id: None,
            acks: settings.acks,
            timeout_ms: settings.network.request_timeout.as_millis() as i32,
            topic_data: vec![TopicProduceData {
                name: &self.shared.topic,
                topic_id,
                partition_data: batches
                    .iter()
                    .map(|(partition, batch)| PartitionProduceData {
                        index: *partition as i32,
                        records: Records::Slice(batch.as_slice()),
                    })
                    .collect(),
            }],
        };
        // From version 13 on topics are named by their ids.
        let cap = if topic_id.is_zero() { 12 } else { i16::MAX };
        let connection = self.network.ready(node).ok_or_else(|| ClientError::Disconnected {
            peer: format!("{node:?}"),
            reason: "no connection".to_owned(),
        })?;
        let version = connection.version::<ProduceRequest<'_>>(cap)?;
        if settings.acks == 0 {
            connection.send_unanswered(version, &request)?;
            self.network.flush(node);
            return Ok(None);
        }
        self.network.send(node, version, &request, None).map(Some)
    }

    fn fail(&mut self, batches: Vec<(usize, Batch)>, error: &ClientError) {
        self.settle(
            batches.into_iter().map(|(partition, batch)| (partition, batch, Err(error.clone()))).collect(),
        );
    }

    fn settle(&mut self, results: Vec<(usize, Batch, Result<(), ClientError>)>) {
        let now = Instant::now();
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        let done = results
            .into_iter()
            .filter_map(|(partition, batch, result)| {
                if let Err(error) = &result {
                    log::warn_rarely(&format!(
                        "[Producer] {error} on topic-partition {}-{partition}",
                        shared.topic
                    ));
                }
                state.settle(&shared, partition, batch, result, now)
            })
            .collect();
        drop(state);
        self.finish(done);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Ready(_) => {}
            Event::Answer { token, answer, .. } => {
                if let Some(batches) = self.sent.remove(&token) {
                    self.answered(batches, &answer);
                }
            }
            Event::Lost { tokens, error, .. } => {
                log::warn_rarely(&format!("[Producer] {error}"));
                for token in tokens {
                    if let Some(batches) = self.sent.remove(&token) {
                        self.fail(batches, &error);
                    }
                }
                let mut state = self.shared.lock();
                state.wants_metadata = true;
                self.shared.changed.notify_all();
                drop(state);
            }
        }
    }

    fn answered(&mut self, batches: Vec<(usize, Batch)>, answer: &Answer) {
        let response = match answer.decode::<ProduceResponse<'_>>() {
            Ok(response) => response,
            Err(error) => return self.fail(batches, &error),
        };
        let partitions: HashMap<i32, _> = response
            .responses
            .iter()
            .flat_map(|topic| &topic.partition_responses)
            .map(|partition| (partition.index, partition))
            .collect();
        let results = batches
            .into_iter()
            .map(|(partition, mut batch)| {
                let result = match partitions.get(&(partition as i32)) {
                    Some(found) => {
                        batch.base_offset = found.base_offset;
                        let reason =
                            found.record_errors.first().and_then(|record| record.batch_index_error_message);
                        ClientError::check(found.error_code, found.error_message.or(reason))
                    }
                    None => Err(ClientError::Config("the broker's answer leaves a partition out".to_owned())),
                };
                (partition, batch, result)
            })
            .collect();
        self.settle(results);
    }
}
