//! Everything that one shard has: its image, its partitions, its groups, its way to the other shards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ahash::AHashMap;

use super::log_dir_moves::{self, LogDirMoves};
use super::log_levels::LogLevels;
use super::messages::{FetchBatch, GroupCall, PartitionAnswer, PartitionQuery, ShardReply, ShardRequest};
use super::metadata::MetadataSource;
use super::produce_lanes::ProduceLane;
use super::producer_ids::ProducerIds;
use crate::api::{API_COUNT, FetchSessions};
use crate::config::Config;
use crate::controller::{ControllerReply, ControllerRequest, MetadataDelta, MetadataImage};
use crate::coordinator::{Coordinator, GroupAnswer};
use crate::net::{LiveRules, NetCounters, RequestMemory};
use crate::partition::{FetchWait, FetchedPartition, Partitions, ShardTable, WaitTarget, cleaner_settings};
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::message::Port;
use crate::runtime::sync::{Sender, oneshot};
use crate::runtime::{Runtime, ShardId};

/// Partitions that a fetch reads before other tasks have their turn: about a quarter of a millisecond.
const FETCH_TURN: usize = 128;

/// What a shard is made of.
pub struct Services {
    /// The shard's runtime.
    pub runtime: Runtime,
    /// The shard.
    pub id: ShardId,
    /// The configuration.
    pub config: Arc<Config>,
    /// Which shard owns which partition.
    pub owners: Arc<ShardTable>,
    /// To the other shards.
    pub port: Port<ShardRequest, ShardReply>,
    /// The shard's partitions.
    pub partitions: Rc<Partitions>,
    /// The shard's groups.
    pub coordinator: Rc<Coordinator>,
    /// What the broker supports of each feature: lowest and highest level.
    pub supported_features: Arc<BTreeMap<String, (i16, i16)>>,
    /// The levels of what is logged.
    pub log_levels: Arc<LogLevels>,
    /// Counters of the connections.
    pub net: Rc<NetCounters>,
    /// Limits of connections.
    pub connection_rules: Rc<LiveRules>,
    /// Memory of requests.
    pub request_memory: RequestMemory,
}

/// One shard.
pub struct Shard {
    /// The shard's runtime.
    pub runtime: Runtime,
    /// The shard.
    pub id: ShardId,
    /// The configuration.
    pub config: Arc<Config>,
    /// Which shard owns which partition.
    pub owners: Arc<ShardTable>,
    /// To the other shards.
    pub port: Port<ShardRequest, ShardReply>,
    /// The shard's partitions.
    pub partitions: Rc<Partitions>,
    /// The shard's groups.
    pub coordinator: Rc<Coordinator>,
    /// Fetch sessions of the shard's connections.
    pub sessions: FetchSessions,
    /// Counters of the connections.
    pub net: Rc<NetCounters>,
    /// Limits of connections, which follow the dynamic configs.
    pub connection_rules: Rc<LiveRules>,
    /// Memory of requests.
    pub request_memory: RequestMemory,
    /// Requests by API, in the order of the table.
    pub request_counts: RefCell<[u64; API_COUNT]>,
    /// Memory for decompressing while a batch is checked; never held across an await.
    pub scratch: RefCell<Vec<u8>>,
    /// Appends for other shards that wait for room.
    pub produce_lane: ProduceLane,
    /// Ids for idempotent producers.
    pub producer_ids: ProducerIds,
    /// Partitions on their way to other log directories.
    pub log_dir_moves: LogDirMoves,
    /// The controller's side; shard 0 alone has one.
    pub metadata_source: RefCell<Option<Rc<MetadataSource>>>,
    /// The levels of what is logged.
    pub log_levels: Arc<LogLevels>,
    /// Set when the broker stops.
    pub stopping: Cell<bool>,
    supported_features: Arc<BTreeMap<String, (i16, i16)>>,
    image: RefCell<Rc<MetadataImage>>,
    live_config: RefCell<Arc<Config>>,
    next_token: Cell<u64>,
    /// Fetches of connections here, by token, that watch partitions elsewhere.
    waits: RefCell<AHashMap<u64, Rc<FetchWait>>>,
    /// Fetches of other shards that watch partitions here.
    watches: RefCell<AHashMap<(ShardId, u64), Rc<FetchWait>>>,
    group_calls: RefCell<AHashMap<u64, Sender<GroupAnswer>>>,
}

impl Shard {
    /// A shard that has heard of no metadata yet.
    #[must_use]
    pub fn new(services: Services, image: &MetadataImage) -> Rc<Self> {
        let session_slots =
            services.config.network.fetch_session_slots / usize::from(services.port.shards()).max(1);
        let live_config = RefCell::new(services.config.clone());
        Rc::new(Self {
            sessions: FetchSessions::new(session_slots.max(1), services.runtime.clone()),
            runtime: services.runtime,
            id: services.id,
            config: services.config,
            owners: services.owners,
            port: services.port,
            partitions: services.partitions,
            coordinator: services.coordinator,
            net: services.net,
            connection_rules: services.connection_rules,
            request_memory: services.request_memory,
            request_counts: RefCell::new([0; API_COUNT]),
            scratch: RefCell::default(),
            produce_lane: ProduceLane::default(),
            producer_ids: ProducerIds::default(),
            log_dir_moves: LogDirMoves::default(),
            metadata_source: RefCell::new(None),
            log_levels: services.log_levels,
            stopping: Cell::new(false),
            supported_features: services.supported_features,
            image: RefCell::new(Rc::new(image.clone())),
            live_config,
            next_token: Cell::new(0),
            waits: RefCell::default(),
            watches: RefCell::default(),
            group_calls: RefCell::default(),
        })
    }

    /// The metadata as this shard knows it. A copy of its own: a clone touches no other shard's memory.
    #[must_use]
    pub fn image(&self) -> Rc<MetadataImage> {
        self.image.borrow().clone()
    }

    /// The configuration: the file's, under what is set in the metadata for all brokers and for this one.
    #[must_use]
    pub fn live_config(&self) -> Arc<Config> {
        self.live_config.borrow().clone()
    }

    /// The configuration under this image.
    pub(super) fn follow_configs(&self, image: &MetadataImage, delta: &MetadataDelta) -> Arc<Config> {
        if delta.is_first || delta.changes_broker_configs() {
            let (all, this) = (image.configs.cluster_default(), image.configs.broker(self.config.node_id));
            match self.config.with_dynamic(&all, &this) {
                Ok(config) => {
                    self.connection_rules.set(&config.network);
                    let (logs, shards) = (self.partitions.logs(), self.port.shards());
                    logs.set_relocation_rate(log_dir_moves::rate(&all, &this) / u64::from(shards));
                    logs.set_cleaner(cleaner_settings(&config, shards));
                    *self.live_config.borrow_mut() = Arc::new(config);
                }
                // Refused when it was set; a newer broker may have known better.
                Err(error) => tracing::error!(%error, "dynamic configs of brokers cannot be used"),
            }
        }
        self.live_config()
    }

    /// Lets an image be seen, and lets what it has deleted go.
    pub(super) async fn publish(&self, image: &MetadataImage, delta: &MetadataDelta) {
        let config = self.follow_configs(image, delta);
        *self.image.borrow_mut() = Rc::new(image.clone());
        self.partitions.publish(image, delta, &config);
        self.coordinator.on_metadata(image, delta);
        self.partitions.retire(delta).await;
    }

    /// What the broker supports of each feature: lowest and highest level.
    #[must_use]
    pub fn supported_features(&self) -> &BTreeMap<String, (i16, i16)> {
        &self.supported_features
    }

    /// A number that no other call of this shard has.
    #[must_use]
    pub fn next_token(&self) -> u64 {
        self.next_token.replace(self.next_token.get() + 1)
    }

    /// Why a partition that should be here is not: it does not exist, it is led elsewhere, or its log is offline.
    #[must_use]
    pub fn why_not_here(&self, topic_id: Uuid, partition: i32) -> ErrorCode {
        let image = self.image.borrow();
        let found = image.topics.by_id(topic_id).and_then(|topic| topic.partition(partition));
        match found {
            None => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            Some(found) if found.leader != self.config.node_id => ErrorCode::NOT_LEADER_OR_FOLLOWER,
            Some(_) => ErrorCode::KAFKA_STORAGE_ERROR,
        }
    }

    /// Reads partitions of this shard, in order, without waiting for data.
    pub async fn fetch_here(&self, batch: &FetchBatch) -> Vec<FetchedPartition> {
        let mut left = batch.max_bytes;
        let mut nothing_yet = true;
        let mut fetched = Vec::with_capacity(batch.items.len());
        for (number, item) in batch.items.iter().enumerate() {
            if number % FETCH_TURN == FETCH_TURN - 1 {
                self.runtime.yield_now().await;
            }
            let max_bytes = item.max_bytes.min(left);
            let got = loop {
                let Some(partition) = self.partitions.get(item.topic_id, item.partition) else {
                    break FetchedPartition::failed(self.why_not_here(item.topic_id, item.partition));
                };
                let got = partition.fetch(item, max_bytes, nothing_yet, batch.isolation).await;
                if got.code == ErrorCode::NONE || !self.partitions.has_moved(&partition) {
                    break got;
                }
            };
            nothing_yet &= got.bytes == 0;
            left = left.saturating_sub(u32::try_from(got.bytes).unwrap_or(u32::MAX));
            fetched.push(got);
        }
        fetched
    }

    /// Registers a wait with partitions of this shard: topic id, partition, high watermark seen.
    pub fn watch_here(&self, wait: &Rc<FetchWait>, partitions: &[(Uuid, i32, i64)]) {
        for &(topic_id, index, seen) in partitions {
            match self.partitions.get(topic_id, index) {
                Some(partition) => partition.add_wait(wait, seen),
                // It went away since it was read: let the fetch find out.
                None if wait.fire() => self.tell(wait.target()),
                None => {}
            }
        }
    }

    pub(super) fn watch_for(&self, shard: ShardId, token: u64, partitions: &[(Uuid, i32, i64)]) {
        let wait = FetchWait::new(WaitTarget::Elsewhere { shard, token });
        self.watches.borrow_mut().insert((shard, token), wait.clone());
        self.watch_here(&wait, partitions);
    }

    pub(super) fn unwatch(&self, shard: ShardId, token: u64) {
        self.watches.borrow_mut().remove(&(shard, token));
    }

    fn tell(&self, target: WaitTarget) {
        if let WaitTarget::Elsewhere { shard, token } = target {
            self.partitions.wake_remote(shard, token);
        }
    }

    /// Makes a wait of this shard known to other shards by `token`; forgotten by [`Shard::forget_wait`].
    pub fn remember_wait(&self, token: u64, wait: &Rc<FetchWait>) {
        self.waits.borrow_mut().insert(token, wait.clone());
    }

    /// Forgets a wait.
    pub fn forget_wait(&self, token: u64) {
        self.waits.borrow_mut().remove(&token);
    }

    pub(super) fn wake(&self, tokens: &[u64]) {
        let waits = self.waits.borrow();
        for wait in tokens.iter().filter_map(|token| waits.get(token)) {
            wait.fire();
        }
    }

    /// Answers questions about partitions of this shard, in order; None: no such partition here.
    pub async fn answer_here(
        self: &Rc<Self>,
        queries: Vec<(Uuid, i32, PartitionQuery)>,
    ) -> Vec<Option<PartitionAnswer>> {
        let mut answers = Vec::with_capacity(queries.len());
        for (topic_id, index, query) in queries {
            let Some(partition) = self.partitions.get(topic_id, index) else {
                answers.push(None);
                continue;
            };
            answers.push(Some(match query {
                PartitionQuery::Offset(query) => PartitionAnswer::Offset(partition.list_offset(&query).await),
                PartitionQuery::EpochEnd { current_leader_epoch, leader_epoch } => {
                    PartitionAnswer::EpochEnd(partition.epoch_end(current_leader_epoch, leader_epoch))
                }
                PartitionQuery::DeleteRecords(offset) => {
                    PartitionAnswer::DeleteRecords(partition.delete_records(offset).await)
                }
                PartitionQuery::Producers => PartitionAnswer::Producers(partition.active_producers()),
                PartitionQuery::Relocate(directory) => {
                    PartitionAnswer::Relocate(log_dir_moves::begin_here(self, &partition, directory))
                }
            }));
        }
        answers
    }

    /// Asks the owners of partitions, all in parallel; the answers come in the order of the queries.
    pub async fn ask(
        self: &Rc<Self>,
        queries: Vec<(Uuid, i32, PartitionQuery)>,
    ) -> Vec<Option<PartitionAnswer>> {
        let mut by_owner: BTreeMap<ShardId, (Vec<usize>, Vec<_>)> = BTreeMap::new();
        let count = queries.len();
        for (place, query) in queries.into_iter().enumerate() {
            let (places, theirs) = by_owner.entry(self.owners.owner(query.0, query.1)).or_default();
            places.push(place);
            theirs.push(query);
        }
        let mine = by_owner.remove(&self.id);
        let mut sent = Vec::with_capacity(by_owner.len());
        for (owner, (places, theirs)) in by_owner {
            sent.push((places, self.port.send(owner, ShardRequest::Query(theirs)).await));
        }
        let mut answers: Vec<Option<PartitionAnswer>> = vec![None; count];
        let mut fill = |places: Vec<usize>, theirs: Vec<Option<PartitionAnswer>>| {
            for (place, answer) in places.into_iter().zip(theirs) {
                if let Some(slot) = answers.get_mut(place) {
                    *slot = answer;
                }
            }
        };
        if let Some((places, mine)) = mine {
            fill(places, self.answer_here(mine).await);
        }
        for (places, reply) in sent {
            if let Some(ShardReply::Answers(theirs)) = reply.await {
                fill(places, theirs);
            }
        }
        answers
    }

    /// Asks a group's coordinator, on this shard or another. Ends when the coordinator answers, which may take as long
    /// as a rebalance.
    pub async fn ask_group(self: &Rc<Self>, owner: ShardId, call: GroupCall) -> GroupAnswer {
        let gone = || GroupAnswer::failed(ErrorCode::COORDINATOR_NOT_AVAILABLE);
        let (sender, receiver) = oneshot();
        if owner == self.id {
            // In a task of its own, as for other shards: what has begun is finished, also when the connection ends.
            let coordinator = self.coordinator.clone();
            self.runtime.spawn(async move { sender.send(coordinator.call(call).await) }).detach();
            return receiver.await.unwrap_or_else(gone);
        }
        let token = self.next_token();
        self.group_calls.borrow_mut().insert(token, sender);
        // Forgets the call when the connection gives up.
        let _forget = ForgetCall { shard: self, token };
        let request = ShardRequest::Group { from: self.id, token, call: Box::new(call) };
        if self.port.call(owner, request).await.is_none() {
            return gone();
        }
        receiver.await.unwrap_or_else(gone)
    }

    pub(super) fn group_done(&self, token: u64, answer: GroupAnswer) {
        let sender = self.group_calls.borrow_mut().remove(&token);
        if let Some(sender) = sender {
            sender.send(answer);
        }
    }

    pub(super) fn serve_group(self: &Rc<Self>, from: ShardId, token: u64, call: GroupCall) {
        let shard = self.clone();
        self.runtime
            .spawn(async move {
                let answer = Box::new(shard.coordinator.call(call).await);
                let _ = shard.port.call(from, ShardRequest::GroupDone { token, answer }).await;
            })
            .detach();
    }

    /// Asks the controller; when it ends every shard has seen the effects.
    pub async fn ask_controller(&self, request: ControllerRequest) -> Option<ControllerReply> {
        let source = self.metadata_source.borrow().clone();
        if let Some(source) = source {
            return Some(source.handle(request).await);
        }
        match self.port.call(0, ShardRequest::Controller(request)).await {
            Some(ShardReply::Controlled(reply)) => Some(reply),
            _ => None,
        }
    }
}

/// Takes back the place of a group call when its caller is dropped.
struct ForgetCall<'s> {
    shard: &'s Shard,
    token: u64,
}

impl Drop for ForgetCall<'_> {
    fn drop(&mut self) {
        self.shard.group_calls.borrow_mut().remove(&self.token);
    }
}
