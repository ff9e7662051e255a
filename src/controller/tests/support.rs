//! A metadata log in memory that loses what was not flushed, and a controller over it on the simulator.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::config::{Config, TopicConfig};
use crate::controller::batch_log::Room;
use crate::controller::*;
use crate::protocol::Uuid;
use crate::protocol::record_batch::{Batch, set_base_offset_and_epoch};
use crate::runtime::Runtime;
use crate::runtime::platform::LocalFuture;
use crate::runtime::sim::{Faults, World};

/// What outlives a crash of the log.
#[derive(Default)]
pub struct LogState {
    pub batches: RefCell<Vec<Bytes>>,
    pub durable: Cell<usize>,
    pub flushes: Cell<u64>,
    pub full: Cell<bool>,
    pub fail_flushes: Cell<bool>,
}

impl LogState {
    /// What a power cut leaves.
    pub fn crash(&self) {
        self.batches.borrow_mut().truncate(self.durable.get());
    }
}

#[derive(Clone)]
pub struct MemoryLog {
    pub runtime: Runtime,
    pub state: Rc<LogState>,
}

impl MemoryLog {
    fn end(&self) -> i64 {
        let batches = self.state.batches.borrow();
        batches.last().map_or(0, |batch| Batch::parse(batch).unwrap().header.next_offset())
    }
}

impl BatchLog for MemoryLog {
    fn start_offset(&self) -> i64 {
        0
    }

    fn end_offset(&self) -> i64 {
        self.end()
    }

    fn room(&self, _bytes: usize) -> LocalFuture<Result<Room, BatchLogError>> {
        let log = self.clone();
        Box::pin(async move {
            log.runtime.yield_now().await;
            if log.state.full.get() { Err(BatchLogError::Full) } else { Ok(Box::new(()) as Room) }
        })
    }

    fn append(&self, batch: &[u8], leader_epoch: i32, _now_ms: i64) -> Result<i64, BatchLogError> {
        let base_offset = self.end();
        let mut batch = batch.to_vec();
        set_base_offset_and_epoch(&mut batch, base_offset, leader_epoch).unwrap();
        self.state.batches.borrow_mut().push(batch.into());
        Ok(base_offset)
    }

    fn durable(&self, end_offset: i64) -> LocalFuture<Result<(), BatchLogError>> {
        let log = self.clone();
        Box::pin(async move {
            log.runtime.sleep(Duration::from_micros(100)).await;
            if log.state.fail_flushes.get() {
                return Err(BatchLogError::Failed("the disk is gone".into()));
            }
            assert!(end_offset <= log.end());
            log.state.durable.set(log.state.batches.borrow().len());
            log.state.flushes.set(log.state.flushes.get() + 1);
            Ok(())
        })
    }

    fn read(&self, offset: i64, max_bytes: u32) -> LocalFuture<Result<Vec<Bytes>, BatchLogError>> {
        let log = self.clone();
        Box::pin(async move {
            let batches = log.state.batches.borrow();
            let mut left = (max_bytes as usize).min(1_000);
            let from =
                batches.iter().skip_while(|batch| Batch::parse(batch).unwrap().header.last_offset() < offset);
            let taken = from.take_while(|batch| {
                let fits = left > 0;
                left = left.saturating_sub(batch.len());
                fits
            });
            Ok(taken.cloned().collect())
        })
    }

    fn truncate_to(&self, _end_offset: i64) -> LocalFuture<Result<(), BatchLogError>> {
        unreachable!("one voter never truncates")
    }
}

pub const DIRECTORY: Uuid = Uuid::from_u128(0xd1);

pub fn settings() -> ControllerSettings {
    ControllerSettings {
        node_id: 1,
        cluster_id: None,
        state_dir: PathBuf::from("/data"),
        directory_id: DIRECTORY,
        endpoints: vec![Endpoint {
            name: "PLAINTEXT".into(),
            host: "localhost".into(),
            port: 9092,
            security_protocol: 0,
        }],
        rack: Some("r".into()),
        controller_endpoints: Vec::new(),
        log_dirs: vec![DIRECTORY],
        supported_features: BTreeMap::new(),
        num_partitions: 1,
        default_replication_factor: 1,
        topic_limit: 1_000,
        partition_limit: 20_000,
        queue_requests: 16,
    }
}

pub fn rules() -> Rc<dyn ConfigRules> {
    Rc::new(Config::for_tests(Path::new("/data")))
}

pub fn world(seed: u64) -> World {
    let world = World::new(seed, Faults::none());
    world.disk().mount(Path::new("/data"), 64 << 20);
    world
}

/// Starts a controller.
pub async fn start(runtime: &Runtime, state: &Rc<LogState>) -> Result<Controller, ControllerError> {
    start_with(runtime, state, settings()).await
}

pub async fn start_with(
    runtime: &Runtime,
    state: &Rc<LogState>,
    settings: ControllerSettings,
) -> Result<Controller, ControllerError> {
    let log = MemoryLog { runtime: runtime.clone(), state: state.clone() };
    Controller::start(runtime, Rc::new(log), settings, rules()).await
}

pub fn topic(name: &str, partitions: i32) -> NewTopic {
    NewTopic { name: name.into(), num_partitions: partitions, replication_factor: -1, ..NewTopic::default() }
}

pub fn create(topics: Vec<NewTopic>) -> ControllerRequest {
    ControllerRequest::CreateTopics { topics, validate_only: false }
}

/// What a follower of deltas knows: what a shard would hold.
#[derive(Default, PartialEq, Debug)]
pub struct Follower {
    pub partitions: BTreeMap<(Uuid, i32), Arc<PartitionImage>>,
}

impl Follower {
    pub fn follow(&mut self, delta: &MetadataDelta) {
        if delta.is_first {
            self.partitions.clear();
        }
        for topic in &delta.deleted_topics {
            self.partitions.retain(|(id, _), _| *id != topic.id);
        }
        for topic in &delta.created_topics {
            for (number, partition) in (0..).zip(&topic.partitions) {
                assert!(self.partitions.insert((topic.id, number), partition.clone()).is_none());
            }
        }
        for change in &delta.changed_partitions {
            let before = self.partitions.insert((change.topic.id, change.partition), change.after.clone());
            assert_eq!(before, change.before);
        }
    }

    pub fn of(image: &MetadataImage) -> Self {
        let mut follower = Self::default();
        follower.follow(&MetadataDelta::everything(image));
        follower
    }
}

/// The topic configs a shard would use; only here so that a bad config in the image is found.
pub fn check_topic_configs(image: &MetadataImage) {
    let config = Config::for_tests(Path::new("/data"));
    for topic in image.topics.iter() {
        TopicConfig::from_overrides(&config, &image.configs.topic(&topic.name)).unwrap();
    }
}

/// Runs `start` in the world.
pub fn boot(
    world: &World,
    runtime: &Runtime,
    state: &Rc<LogState>,
    settings: ControllerSettings,
) -> Result<Controller, ControllerError> {
    let (shard, state) = (runtime.clone(), state.clone());
    world.block_on(runtime, async move { start_with(&shard, &state, settings).await })
}

/// Asks in the world.
pub fn ask(
    world: &World,
    runtime: &Runtime,
    controller: &Controller,
    request: ControllerRequest,
) -> ControllerReply {
    let controller = controller.clone();
    world.block_on(runtime, async move { controller.handle(request).await })
}
