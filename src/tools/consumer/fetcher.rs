//! Fetches in flight, one per broker, and what they brought. A partition with records that were not taken yet is not
//! fetched again, which bounds the memory.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::TopicPartition;
use super::chunk::{Chunk, ConsumerRecord};
use super::settings::ConsumerSettings;
use crate::protocol::ErrorCode;
use crate::protocol::messages::fetch::{FetchPartition, FetchTopic, PartitionData};
use crate::protocol::messages::{FetchRequest, FetchResponse};
use crate::protocol::wire::Records;
use crate::tools::client::{Answer, ClientError, Cluster, Event, Network, NetworkSettings, Node};
use crate::tools::log;

/// From this version on topics are named by their ids.
const BY_TOPIC_ID: i16 = 13;

/// What a fetch said about a partition besides records.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Ask for metadata; the partition may have another leader.
    Metadata,
    /// The position is not in the log.
    OutOfRange(TopicPartition),
    /// No way on.
    Fatal(ClientError),
}

/// See the module.
pub(super) struct Fetcher {
    network: Network,
    settings: Arc<ConsumerSettings>,
    /// The next offset to fetch, of partitions that have one.
    positions: BTreeMap<TopicPartition, i64>,
    in_flight: HashMap<u64, (Node, Vec<TopicPartition>)>,
    chunks: VecDeque<Chunk>,
    /// Partitions are not fetched before this time, after an error.
    paused: HashMap<TopicPartition, Instant>,
    trouble: Vec<Trouble>,
    /// Grows when partitions are taken away: answers to older requests are dropped.
    turn: usize,
}

impl Fetcher {
    pub(super) fn new(network: NetworkSettings, settings: Arc<ConsumerSettings>) -> Self {
        Self {
            network: Network::new(network),
            settings,
            positions: BTreeMap::new(),
            in_flight: HashMap::new(),
            chunks: VecDeque::new(),
            paused: HashMap::new(),
            trouble: Vec::new(),
            turn: 0,
        }
    }

    /// Forgets all partitions, what they brought, and what is under way.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.chunks.clear();
        self.paused.clear();
        // Connections with a fetch under way would answer about what is not wanted any more.
        for (node, _) in std::mem::take(&mut self.in_flight).into_values() {
            self.network.close(node);
        }
    }

    pub(super) fn seek(&mut self, partition: TopicPartition, offset: i64) {
        self.positions.insert(partition, offset);
    }

    /// Partitions of `all` without a position.
    pub(super) fn without_position<'a>(&self, all: &'a [TopicPartition]) -> Vec<&'a TopicPartition> {
        all.iter().filter(|partition| !self.positions.contains_key(*partition)).collect()
    }

    /// What happened since the last time.
    pub(super) fn take_trouble(&mut self) -> Vec<Trouble> {
        std::mem::take(&mut self.trouble)
    }

    /// Records of the next batch.
    ///
    /// # Errors
    /// A batch that cannot be read.
    pub(super) fn next_batch(&mut self, out: &mut VecDeque<ConsumerRecord>) -> Result<bool, ClientError> {
        while let Some(chunk) = self.chunks.front_mut() {
            let result = chunk.next_batch(out);
            let partition = (Arc::clone(&chunk.topic), chunk.partition);
            self.positions.insert(partition, chunk.next_offset());
            match result {
                Ok(true) => return Ok(true),
                Ok(false) => {
                    self.chunks.pop_front();
                }
                Err(error) => {
                    let text =
                        format!("Record batch for {}-{} is invalid: {error}", chunk.topic, chunk.partition);
                    self.chunks.pop_front();
                    return Err(ClientError::Broker {
                        code: ErrorCode::CORRUPT_MESSAGE,
                        message: Some(text),
                    });
                }
            }
        }
        Ok(false)
    }

    /// Sends fetches to brokers without one, waits for something to happen, and takes it in.
    ///
    /// # Errors
    /// What `poll` gives, or a request that cannot be written.
    pub(super) fn poll(&mut self, cluster: &Cluster, wait: Duration) -> Result<(), ClientError> {
        let mut wait = wait;
        for (leader, partitions) in self.wanted(cluster) {
            let node = Node::Broker(leader);
            let Some(broker) = cluster.brokers.get(&leader) else { continue };
            if self.network.prepare(node, &broker.address) {
                self.send(cluster, node, partitions)?;
            } else if let Some(backoff) = self.network.backoff(node) {
                wait = wait.min(backoff);
            }
        }
        let events = self.network.poll(wait, None).map_err(|error| ClientError::Disconnected {
            peer: "brokers".to_owned(),
            reason: error.to_string(),
        })?;
        for event in events {
            match event {
                Event::Ready(_) => {}
                Event::Answer { token, answer, .. } => {
                    if let Some((_, partitions)) = self.in_flight.remove(&token) {
                        self.take_in(cluster, &partitions, &answer)?;
                    }
                }
                Event::Lost { tokens, error, .. } => {
                    log::warn_rarely(&error.to_string());
                    tokens.iter().for_each(|token| drop(self.in_flight.remove(token)));
                    self.trouble.push(Trouble::Metadata);
                }
            }
        }
        Ok(())
    }

    /// Partitions to fetch, by leader, of leaders without a fetch in flight.
    fn wanted(&mut self, cluster: &Cluster) -> BTreeMap<i32, Vec<TopicPartition>> {
        let now = Instant::now();
        self.paused.retain(|_, until| *until > now);
        let busy: HashSet<Node> = self.in_flight.values().map(|(node, _)| *node).collect();
        let full: HashSet<(&str, i32)> =
            self.chunks.iter().map(|chunk| (&*chunk.topic, chunk.partition)).collect();
        let mut wanted: BTreeMap<i32, Vec<TopicPartition>> = BTreeMap::new();
        for partition in self.positions.keys() {
            if full.contains(&(&*partition.0, partition.1)) || self.paused.contains_key(partition) {
                continue;
            }
            match cluster.leader(&partition.0, partition.1) {
                Some(leader) if busy.contains(&Node::Broker(leader)) => {}
                Some(leader) => wanted.entry(leader).or_default().push(partition.clone()),
                None => self.trouble.push(Trouble::Metadata),
            }
        }
        // Another partition comes first each time, so that a full answer starves none.
        self.turn = self.turn.wrapping_add(1);
        for list in wanted.values_mut() {
            let turn = self.turn % list.len();
            list.rotate_left(turn);
        }
        wanted
    }

    fn send(
        &mut self,
        cluster: &Cluster,
        node: Node,
        partitions: Vec<TopicPartition>,
    ) -> Result<(), ClientError> {
        let mut topics: Vec<FetchTopic<'_>> = Vec::new();
        let mut has_ids = true;
        for (topic, partition) in &partitions {
            // The turns may have cut a topic in two.
            let at = topics.iter().position(|known| known.topic == &**topic).unwrap_or(topics.len());
            if at == topics.len() {
                let topic_id = cluster.topics.get(topic).map(|topic| topic.id).unwrap_or_default();
                has_ids &= !topic_id.is_zero();
                topics.push(FetchTopic { topic, topic_id, partitions: Vec::new() });
            }
            let fetch = FetchPartition {
                partition: *partition,
                fetch_offset: self
                    .positions
                    .get(&(Arc::clone(topic), *partition))
                    .copied()
                    .unwrap_or_default(),
                partition_max_bytes: self.settings.partition_bytes,
                ..Default::default()
            };
            topics.get_mut(at).map(|known| known.partitions.push(fetch)).unwrap_or_default();
        }
        let request = FetchRequest {
            max_wait_ms: self.settings.max_wait.as_millis() as i32,
            min_bytes: self.settings.min_bytes,
            max_bytes: self.settings.fetch_bytes,
            isolation_level: i8::from(self.settings.committed_only),
            rack_id: &self.settings.rack,
            topics,
            ..Default::default()
        };
        let cap = if has_ids { i16::MAX } else { BY_TOPIC_ID - 1 };
        let Some(connection) = self.network.ready(node) else { return Ok(()) };
        let version = connection.version::<FetchRequest<'_>>(cap)?;
        let timeout = self.network.settings().request_timeout.max(self.settings.max_wait * 2);
        let token = self.network.send(node, version, &request, Some(timeout))?;
        self.in_flight.insert(token, (node, partitions));
        Ok(())
    }

    fn take_in(
        &mut self,
        cluster: &Cluster,
        asked: &[TopicPartition],
        answer: &Answer,
    ) -> Result<(), ClientError> {
        let response = answer.decode::<FetchResponse<'_>>()?;
        let code = ErrorCode(response.error_code);
        if !code.is_none() {
            log::warn_rarely(&format!("Fetch failed: {code}"));
            self.trouble.push(Trouble::Metadata);
            asked.iter().for_each(|partition| self.pause(partition));
            return Ok(());
        }
        for topic in &response.responses {
            let name = match answer.version {
                BY_TOPIC_ID.. => cluster.names.get(&topic.topic_id).cloned(),
                _ => Some(Arc::from(topic.topic)),
            };
            let Some(name) = name else {
                self.trouble.push(Trouble::Metadata);
                continue;
            };
            for found in &topic.partitions {
                self.take_partition((Arc::clone(&name), found.partition_index), found, answer);
            }
        }
        Ok(())
    }

    fn take_partition(&mut self, partition: TopicPartition, found: &PartitionData<'_>, answer: &Answer) {
        let Some(position) = self.positions.get(&partition).copied() else { return };
        match ErrorCode(found.error_code) {
            ErrorCode::NONE => {
                if let Records::Slice(records) = found.records
                    && !records.is_empty()
                {
                    let aborted = self.settings.committed_only.then(|| {
                        let list = found.aborted_transactions.iter().flatten();
                        list.map(|aborted| (aborted.producer_id, aborted.first_offset)).collect()
                    });
                    let bytes = answer.frame.slice_ref(records);
                    let (topic, index) = partition;
                    let crcs = self.settings.check_crcs;
                    self.chunks.push_back(Chunk::new(topic, index, bytes, position, aborted, crcs));
                }
            }
            ErrorCode::OFFSET_OUT_OF_RANGE => {
                self.positions.remove(&partition);
                self.trouble.push(Trouble::OutOfRange(partition));
            }
            code if code.is_retriable() || code == ErrorCode::UNKNOWN_SERVER_ERROR => {
                self.pause(&partition);
                self.trouble.push(Trouble::Metadata);
            }
            code => {
                let text = format!("{code} for {}-{}", partition.0, partition.1);
                self.trouble.push(Trouble::Fatal(ClientError::Broker { code, message: Some(text) }));
                self.pause(&partition);
            }
        }
    }

    fn pause(&mut self, partition: &TopicPartition) {
        self.paused.insert(partition.clone(), Instant::now() + self.settings.retry_backoff);
    }
}
