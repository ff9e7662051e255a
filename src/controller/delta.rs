//! What changed from one published image to the next, so that shards apply only that.
//!
//! Gathered on shard 0 while committed records are replayed, by ids alone (a held `Arc` of a topic would make each
//! further change of the topic copy it), and resolved against the final image when published.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::protocol::Uuid;

use super::image::{ConfigKind, ConfigResource, MetadataImage, PartitionImage, TopicImage};

/// The difference between two published images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetadataDelta {
    /// The first publication: everything that exists is in it as created.
    pub is_first: bool,
    /// Topics that are new.
    pub created_topics: Vec<Arc<TopicImage>>,
    /// Topics that are gone, as they were. A topic that was made and deleted in between is in neither list.
    pub deleted_topics: Vec<Arc<TopicImage>>,
    /// Changed or added partitions of topics in neither list.
    pub changed_partitions: Vec<PartitionChange>,
    /// Resources whose configs changed; the new values are in the image.
    pub configs: Vec<ConfigResource>,
    /// Brokers registered, changed or gone.
    pub brokers: Vec<i32>,
    /// Whether a finalized feature level changed.
    pub features_changed: bool,
    /// Whether the cluster got its id.
    pub cluster_id_changed: bool,
    /// Whether quotas of clients changed.
    pub client_quotas_changed: bool,
}

impl MetadataDelta {
    /// Whether configs of brokers changed, of one or of all.
    #[must_use]
    pub fn changes_broker_configs(&self) -> bool {
        self.configs.iter().any(|resource| resource.kind == ConfigKind::Broker)
    }
}

/// A partition that changed, or was added to its topic.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionChange {
    /// The topic as it is now.
    pub topic: Arc<TopicImage>,
    /// Number of the partition.
    pub partition: i32,
    /// As it was; None when it is new.
    pub before: Option<Arc<PartitionImage>>,
    /// As it is now.
    pub after: Arc<PartitionImage>,
}

impl MetadataDelta {
    /// The delta from nothing to `image`.
    #[must_use]
    pub fn everything(image: &MetadataImage) -> Self {
        Self {
            is_first: true,
            created_topics: image.topics.iter().cloned().collect(),
            configs: image.configs.iter().map(|(resource, _)| resource.clone()).collect(),
            brokers: image.brokers.keys().copied().collect(),
            features_changed: true,
            cluster_id_changed: true,
            client_quotas_changed: true,
            ..Self::default()
        }
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Gathers what replayed records change.
#[derive(Debug, Default)]
pub struct DeltaBuilder {
    created: BTreeSet<Uuid>,
    deleted: Vec<Arc<TopicImage>>,
    partitions: BTreeMap<(Uuid, i32), Option<Arc<PartitionImage>>>,
    configs: BTreeSet<ConfigResource>,
    brokers: BTreeSet<i32>,
    features_changed: bool,
    cluster_id_changed: bool,
    client_quotas_changed: bool,
}

impl DeltaBuilder {
    pub(super) fn topic_created(&mut self, id: Uuid) {
        self.created.insert(id);
    }

    pub(super) fn topic_deleted(&mut self, topic: Arc<TopicImage>) {
        let id = topic.id;
        let last = topic.partitions.len().try_into().unwrap_or(i32::MAX);
        for number in 0..last {
            // The shards know the topic as it was before any change in this delta.
            if self.partitions.is_empty() {
                break;
            }
            self.partitions.remove(&(id, number));
        }
        if !self.created.remove(&id) {
            self.deleted.push(topic);
        }
    }

    pub(super) fn partition_changed(&mut self, id: Uuid, number: i32, before: Option<Arc<PartitionImage>>) {
        if !self.created.contains(&id) {
            self.partitions.entry((id, number)).or_insert(before);
        }
    }

    pub(super) fn config_changed(&mut self, resource: ConfigResource) {
        self.configs.insert(resource);
    }

    pub(super) fn broker_changed(&mut self, id: i32) {
        self.brokers.insert(id);
    }

    pub(super) fn features_changed(&mut self) {
        self.features_changed = true;
    }

    pub(super) fn cluster_id_changed(&mut self) {
        self.cluster_id_changed = true;
    }

    pub(super) fn client_quotas_changed(&mut self) {
        self.client_quotas_changed = true;
    }

    /// The delta whose result is `image`; the builder is empty again.
    pub fn finish(&mut self, image: &MetadataImage) -> MetadataDelta {
        let gathered = std::mem::take(self);
        let changed_partitions = gathered
            .partitions
            .into_iter()
            .filter_map(|((id, partition), before)| {
                let topic = image.topics.by_id(id)?.clone();
                let after = topic.partition(partition)?.clone();
                Some(PartitionChange { topic, partition, before, after })
            })
            .collect();
        MetadataDelta {
            is_first: false,
            created_topics: gathered
                .created
                .iter()
                .filter_map(|id| image.topics.by_id(*id).cloned())
                .collect(),
            deleted_topics: gathered.deleted,
            changed_partitions,
            configs: gathered.configs.into_iter().collect(),
            brokers: gathered.brokers.into_iter().collect(),
            features_changed: gathered.features_changed,
            cluster_id_changed: gathered.cluster_id_changed,
            client_quotas_changed: gathered.client_quotas_changed,
        }
    }
}
