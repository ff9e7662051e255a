//! The partitions of one shard, kept as the metadata says.
//!
//! A new image comes in two steps, so that no client hears of a partition before its log is there: *prepare* makes the
//! logs of new partitions (on all shards), *publish* makes the image visible and lets deleted partitions go.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ahash::AHashMap;

use super::leader::{Partition, RemoteWake};
use super::settings::log_config;
use super::shard_table::ShardTable;
use crate::config::{Config, TopicConfig};
use crate::controller::{ConfigKind, MetadataDelta, MetadataImage, PartitionImage, TopicImage};
use crate::log::{LogError, LogManager, PartitionSpec, RecoveredPartition};
use crate::protocol::Uuid;
use crate::runtime::{Runtime, ShardId};

/// A partition, by topic id and number.
pub type PartitionKey = (Uuid, i32);

/// Who this shard is.
#[derive(Clone, Debug)]
pub struct LocalNode {
    /// The broker.
    pub node_id: i32,
    /// The shard.
    pub shard: ShardId,
    /// Which shard owns which partition.
    pub owners: Arc<ShardTable>,
}

/// The partitions of a shard.
pub struct Partitions {
    runtime: Runtime,
    node: LocalNode,
    logs: LogManager,
    open: RefCell<AHashMap<PartitionKey, Rc<Partition>>>,
    /// What recovery has found, until the first image says which of it is wanted.
    recovered: RefCell<Vec<RecoveredPartition>>,
    /// Partitions of the metadata up to this offset had their directories when the broker stopped.
    made_offset: i64,
    wake_remote: RemoteWake,
}

impl Partitions {
    /// No partitions yet; those that were `recovered` are opened with the first image, in which those of the metadata
    /// above `made_offset` may be without a directory. `wake_remote` is told of waits of other shards that have fired;
    /// it must not block.
    #[must_use]
    pub fn new(
        runtime: &Runtime,
        node: LocalNode,
        logs: LogManager,
        recovered: Vec<RecoveredPartition>,
        made_offset: i64,
        wake_remote: Rc<dyn Fn(ShardId, u64)>,
    ) -> Self {
        Self {
            runtime: runtime.clone(),
            node,
            logs,
            open: RefCell::new(AHashMap::new()),
            recovered: RefCell::new(recovered),
            made_offset,
            wake_remote,
        }
    }

    /// A partition of this shard.
    #[must_use]
    pub fn get(&self, topic_id: Uuid, partition: i32) -> Option<Rc<Partition>> {
        self.open.borrow().get(&(topic_id, partition)).cloned()
    }

    /// All partitions of this shard, in no order.
    #[must_use]
    pub fn all(&self) -> Vec<Rc<Partition>> {
        self.open.borrow().values().cloned().collect()
    }

    /// Lets every waiting fetch be answered with what is there.
    pub fn end_waits(&self) {
        self.all().iter().for_each(|partition| partition.fire_waits());
    }

    /// Tells a fetch of another shard that it has something to read.
    pub fn wake_remote(&self, shard: ShardId, token: u64) {
        (self.wake_remote)(shard, token);
    }

    /// The log engine of this shard.
    #[must_use]
    pub fn logs(&self) -> &LogManager {
        &self.logs
    }

    fn is_mine(&self, topic: &TopicImage, index: i32, image: &PartitionImage) -> bool {
        image.replicas.contains(&self.node.node_id)
            && self.node.owners.owner(topic.id, index) == self.node.shard
    }

    /// The leader's epoch is not noted in the log here: the first append under it does so, and until then the epoch
    /// before reaches to the log's end, which is the truth as long as this replica is the only one.
    fn insert(&self, log: crate::log::Log, image: Arc<PartitionImage>, config: Arc<TopicConfig>) {
        let key = (log.topic_id(), log.partition());
        let partition =
            Partition::new(&self.runtime, self.node.node_id, log, image, config, self.wake_remote.clone());
        self.open.borrow_mut().insert(key, partition);
    }

    /// A log has come to another log directory: it takes the place of the one that it was.
    pub fn relocated(&self, log: &crate::log::Log) {
        let Some(before) = self.get(log.topic_id(), log.partition()) else { return };
        self.insert(log.clone(), before.image(), before.config());
        before.close();
    }

    /// Whether a partition that was looked up here has come to another log directory since.
    #[must_use]
    pub fn has_moved(&self, partition: &Rc<Partition>) -> bool {
        let now = self.get(partition.topic_id(), partition.index());
        now.is_some_and(|now| !Rc::ptr_eq(&now, partition))
    }

    /// What recovery has found, without the copies that a move to another log directory has left behind: where a partition
    /// is, the metadata says (law 10).
    async fn without_copies(&self, image: &MetadataImage) -> Vec<RecoveredPartition> {
        let (mut kept, mut elsewhere) = (Vec::new(), Vec::new());
        for found in self.recovered.take() {
            let partition =
                image.topics.by_id(found.topic_id).and_then(|topic| topic.partition(found.partition));
            let assigned = partition.and_then(|partition| partition.directory_of(self.node.node_id));
            match assigned {
                Some(assigned) if assigned != found.directory => elsewhere.push((assigned, found)),
                _ => kept.push(found),
            }
        }
        let directories = self.logs.directories();
        for (assigned, found) in elsewhere {
            let (topic, index) = (found.topic.clone(), found.partition);
            let is_same = |kept: &&RecoveredPartition| {
                (kept.topic_id, kept.partition) == (found.topic_id, found.partition)
            };
            if let Some(there) = kept.iter().find(is_same) {
                if let Some(reason) = there.offline.clone() {
                    tracing::error!(topic, partition = index, %reason, "a copy in another log directory is left alone");
                    continue;
                }
                match found.remove(&self.runtime).await {
                    Ok(()) => {
                        tracing::warn!(
                            topic,
                            partition = index,
                            "a move that was broken off left a copy: removed"
                        );
                    }
                    Err(error) => tracing::error!(topic, partition = index, %error, "a move's copy stays"),
                }
            } else if directories.iter().any(|state| state.id == assigned && state.offline.is_some()) {
                tracing::error!(
                    topic,
                    partition = index,
                    "its log directory is offline: a copy elsewhere is not used"
                );
            } else {
                // Brought here by an operator.
                kept.push(found);
            }
        }
        kept
    }

    /// Opens what recovery has found and the image knows; sets the rest aside.
    async fn open_recovered(&self, image: &MetadataImage, config: &Config) {
        for found in self.without_copies(image).await {
            let (topic_id, index) = (found.topic_id, found.partition);
            let known = image.topics.by_id(topic_id).and_then(|topic| {
                let partition = topic.partition(index)?;
                self.is_mine(topic, index, partition).then(|| (topic.clone(), partition.clone()))
            });
            let Some((topic, partition)) = known else {
                let name = found.topic.clone();
                match found.set_aside_as_stray(&self.runtime).await {
                    Ok(path) => {
                        tracing::warn!(topic = name, partition = index, path = %path.display(), "stray")
                    }
                    Err(error) => tracing::error!(topic = name, partition = index, %error, "stray stays"),
                }
                continue;
            };
            let topic_config = topic_config(image, config, &topic.name);
            match self.logs.open_existing(found, log_config(&topic_config)) {
                Ok(log) => self.insert(log, partition, topic_config),
                Err(error) => {
                    tracing::error!(topic = %topic.name, partition = index, %error, "partition cannot be opened");
                }
            }
        }
    }

    /// Makes the logs of the partitions that are new in this delta. Those that cannot be made are logged, and answer
    /// as offline; false if there was one.
    pub async fn prepare(&self, image: &MetadataImage, delta: &MetadataDelta, config: &Config) -> bool {
        if delta.is_first {
            self.open_recovered(image, config).await;
        }
        let mut wanted: Vec<(Arc<TopicImage>, i32, Arc<PartitionImage>)> = Vec::new();
        for topic in &delta.created_topics {
            for (index, partition) in topic.partitions.iter().enumerate() {
                wanted.push((topic.clone(), index as i32, partition.clone()));
            }
        }
        for change in &delta.changed_partitions {
            if change.before.is_none() {
                wanted.push((change.topic.clone(), change.partition, change.after.clone()));
            }
        }
        wanted.retain(|(topic, index, partition)| {
            self.is_mine(topic, *index, partition) && !self.open.borrow().contains_key(&(topic.id, *index))
        });
        if delta.is_first {
            self.keep_what_was_never_made(&mut wanted);
        }
        if wanted.is_empty() {
            return true;
        }
        let mut configs: AHashMap<Uuid, Arc<TopicConfig>> = AHashMap::new();
        let specs: Vec<_> = wanted
            .iter()
            .map(|(topic, index, partition)| {
                let config = configs
                    .entry(topic.id)
                    .or_insert_with(|| topic_config(image, config, &topic.name))
                    .clone();
                PartitionSpec {
                    topic: topic.name.clone(),
                    topic_id: topic.id,
                    partition: *index,
                    directory: partition.directory_of(self.node.node_id).unwrap_or(Uuid::ZERO),
                    config: log_config(&config),
                }
            })
            .collect();
        let made = self.logs.create(specs).await;
        let mut all = true;
        for ((topic, index, partition), made) in wanted.into_iter().zip(made) {
            match made {
                Ok(log) => {
                    let config = configs.get(&topic.id).cloned().unwrap_or_default();
                    self.insert(log, partition, config);
                }
                Err(error) => {
                    tracing::error!(topic = %topic.name, partition = index, %error, "its log cannot be made: offline");
                    all = false;
                }
            }
        }
        all
    }

    /// Law 10: which directory holds a partition is metadata. One whose log directory is not here may have its data
    /// there, and one that was made and has no directory any more has lost it: both are offline, never made anew.
    fn keep_what_was_never_made(&self, wanted: &mut Vec<(Arc<TopicImage>, i32, Arc<PartitionImage>)>) {
        let here = self.logs.directories();
        wanted.retain(|(topic, index, partition)| {
            let directory = partition.directory_of(self.node.node_id);
            let holder = here.iter().find(|state| Some(state.id) == directory && state.offline.is_none());
            match holder {
                None => {
                    tracing::error!(topic = %topic.name, partition = index, "its log directory is not here: offline");
                    false
                }
                Some(holder) if partition.created_offset <= self.made_offset => {
                    tracing::error!(
                        topic = %topic.name, partition = index, log_directory = %holder.path.display(),
                        "its directory is missing: offline; bring it back and start again, or delete the topic"
                    );
                    false
                }
                Some(_) => {
                    tracing::warn!(topic = %topic.name, partition = index, "its log was never made: it is made now");
                    true
                }
            }
        });
    }

    /// Takes over what has changed of partitions that are there: leaders, epochs, configurations.
    pub fn publish(&self, image: &MetadataImage, delta: &MetadataDelta, config: &Config) {
        self.logs.set_producer_id_expiration_ms(config.log.producer_id_expiration_ms);
        for change in &delta.changed_partitions {
            if let Some(partition) = self.get(change.topic.id, change.partition) {
                partition.set_image(change.after.clone());
            }
        }
        if delta.changes_broker_configs() {
            // They are the defaults of every topic.
            let mut configs: AHashMap<Arc<str>, Arc<TopicConfig>> = AHashMap::new();
            for partition in self.all() {
                let topic = partition.log().topic();
                let of_topic =
                    configs.entry(topic).or_insert_with_key(|topic| topic_config(image, config, topic));
                use_config(&partition, of_topic);
            }
            return;
        }
        for resource in &delta.configs {
            if resource.kind != ConfigKind::Topic {
                continue;
            }
            if let Some(topic) = image.topics.by_name(&resource.name) {
                let topic_config = topic_config(image, config, &topic.name);
                for index in 0..topic.partitions.len() as i32 {
                    if let Some(partition) = self.get(topic.id, index) {
                        use_config(&partition, &topic_config);
                    }
                }
            }
        }
    }

    /// Lets the partitions of deleted topics go; their directories are renamed when it ends.
    pub async fn retire(&self, delta: &MetadataDelta) {
        for topic in &delta.deleted_topics {
            for index in 0..topic.partitions.len() as i32 {
                let Some(partition) = self.open.borrow_mut().remove(&(topic.id, index)) else { continue };
                partition.close();
                match self.logs.delete(topic.id, index).await {
                    Ok(()) | Err(LogError::Closed) => {}
                    Err(error) => {
                        tracing::error!(topic = %topic.name, partition = index, %error, "its log cannot be deleted");
                    }
                }
            }
        }
    }
}

fn use_config(partition: &Partition, config: &Arc<TopicConfig>) {
    partition.log().set_config(log_config(config));
    partition.set_config(config.clone());
}

/// A topic's configuration: the broker's defaults under the topic's own values. Values that this version cannot read
/// were refused when they were set; should one be there all the same, the defaults go on and it is said.
fn topic_config(image: &MetadataImage, config: &Config, topic: &str) -> Arc<TopicConfig> {
    let overrides = image.configs.topic(topic);
    match TopicConfig::from_overrides(config, &overrides) {
        Ok(topic_config) => Arc::new(topic_config),
        Err(error) => {
            tracing::error!(topic, %error, "the topic's configuration cannot be used; the defaults are");
            Arc::new(config.topic_defaults.clone())
        }
    }
}
