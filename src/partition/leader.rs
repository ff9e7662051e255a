//! The state of one partition on its shard: who leads, in which epoch, under which configuration.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::waiting::{FetchWait, Waiters};
use crate::config::TopicConfig;
use crate::controller::PartitionImage;
use crate::log::Log;
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::{Runtime, ShardId, Task};

/// Told which waits of other shards have fired.
pub(super) type RemoteWake = Rc<dyn Fn(ShardId, u64)>;

/// One partition.
pub struct Partition {
    runtime: Runtime,
    topic: Arc<str>,
    topic_id: Uuid,
    index: i32,
    log: Log,
    node_id: i32,
    image: RefCell<Arc<PartitionImage>>,
    config: RefCell<Arc<TopicConfig>>,
    waiters: Rc<Waiters>,
    watcher: RefCell<Option<Task<()>>>,
    wake_remote: RemoteWake,
    closed: Cell<bool>,
}

impl Partition {
    pub(super) fn new(
        runtime: &Runtime,
        node_id: i32,
        log: Log,
        image: Arc<PartitionImage>,
        config: Arc<TopicConfig>,
        wake_remote: RemoteWake,
    ) -> Rc<Self> {
        Rc::new(Self {
            runtime: runtime.clone(),
            topic: log.topic(),
            topic_id: log.topic_id(),
            index: log.partition(),
            log,
            node_id,
            image: RefCell::new(image),
            config: RefCell::new(config),
            waiters: Rc::default(),
            watcher: RefCell::new(None),
            wake_remote,
            closed: Cell::new(false),
        })
    }

    /// The topic's name.
    #[must_use]
    pub fn topic(&self) -> &Arc<str> {
        &self.topic
    }

    /// The topic's id.
    #[must_use]
    pub fn topic_id(&self) -> Uuid {
        self.topic_id
    }

    /// The number of the partition in its topic.
    #[must_use]
    pub fn index(&self) -> i32 {
        self.index
    }

    /// Its log.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> Arc<TopicConfig> {
        self.config.borrow().clone()
    }

    pub(super) fn set_config(&self, config: Arc<TopicConfig>) {
        *self.config.borrow_mut() = config;
    }

    pub(super) fn set_image(&self, image: Arc<PartitionImage>) {
        *self.image.borrow_mut() = image;
        self.fire_waits();
    }

    pub(super) fn image(&self) -> Arc<PartitionImage> {
        self.image.borrow().clone()
    }

    /// The leader and its epoch, as far as this shard knows.
    #[must_use]
    pub fn leader_and_epoch(&self) -> (i32, i32) {
        let image = self.image.borrow();
        (image.leader, image.leader_epoch)
    }

    /// The epoch of the leader.
    #[must_use]
    pub fn leader_epoch(&self) -> i32 {
        self.image.borrow().leader_epoch
    }

    pub(super) fn in_sync_replicas(&self) -> usize {
        self.image.borrow().isr.len()
    }

    /// Up to where consumers may read: what is durable on every replica in sync, the only one here.
    #[must_use]
    pub fn high_watermark(&self) -> i64 {
        self.log.durable_end_offset()
    }

    /// Up to where no transaction is open.
    #[must_use]
    pub fn last_stable_offset(&self) -> i64 {
        let high_watermark = self.high_watermark();
        self.log.first_unstable_offset().map_or(high_watermark, |offset| offset.min(high_watermark))
    }

    /// Whether this broker may serve the partition to who expects the leader to be in `epoch` (-1: any) (KIP-320).
    ///
    /// # Errors
    /// The code that the client gets.
    pub fn check_leader(&self, epoch: i32) -> Result<(), ErrorCode> {
        let (leader, leader_epoch) = self.leader_and_epoch();
        if self.closed.get() || leader != self.node_id {
            return Err(ErrorCode::NOT_LEADER_OR_FOLLOWER);
        }
        match epoch {
            ..0 => Ok(()),
            epoch if epoch < leader_epoch => Err(ErrorCode::FENCED_LEADER_EPOCH),
            epoch if epoch > leader_epoch => Err(ErrorCode::UNKNOWN_LEADER_EPOCH),
            _ => Ok(()),
        }
    }

    /// Registers a fetch that read up to `seen_high_watermark`; it fires at once if more is there by now.
    pub fn add_wait(&self, wait: &Rc<FetchWait>, seen_high_watermark: i64) {
        self.waiters.add(wait);
        if self.watcher.borrow().is_none() {
            *self.watcher.borrow_mut() = Some(self.runtime.spawn(watch(
                self.log.clone(),
                self.waiters.clone(),
                self.wake_remote.clone(),
            )));
        }
        if self.high_watermark() != seen_high_watermark || self.closed.get() || self.log.error().is_some() {
            self.fire_waits();
        }
    }

    /// The partition is gone from this shard: who waits is told.
    pub(super) fn close(&self) {
        self.closed.set(true);
        self.fire_waits();
        self.watcher.borrow_mut().take();
    }

    pub(super) fn fire_waits(&self) {
        self.waiters.fire(|shard, token| (self.wake_remote)(shard, token));
    }
}

/// Fires the waits of a partition whenever its durable end has moved.
async fn watch(log: Log, waiters: Rc<Waiters>, wake_remote: RemoteWake) {
    loop {
        log.appended().wait().await;
        if !waiters.is_empty() {
            waiters.fire(|shard, token| wake_remote(shard, token));
        }
    }
}
