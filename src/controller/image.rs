//! The metadata of the cluster as one immutable value: what replaying the committed records gives.
//!
//! Made on shard 0 by `replay`, shared by `Arc` with every shard. A changed image shares with its predecessor all that
//! did not change, so a change costs in proportion to itself. Bounded by the controller's limits on topics and
//! partitions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::Uuid;

use super::persistent_map::PersistentMap;
use super::quotas::ClientQuotasImage;

/// No leader (KIP-500).
pub const NO_LEADER: i32 = -1;

/// Everything that the metadata log states. Clones are cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataImage {
    /// Id of the cluster; empty only before the first start has committed it.
    pub cluster_id: Arc<str>,
    /// Last offset of `__cluster_metadata` that is in the image; -1 for the empty image.
    pub offset: i64,
    /// Leader epoch of the batch that holds `offset`.
    pub epoch: i32,
    /// Node id of the active controller; -1 when none is known.
    pub controller_id: i32,
    /// Epoch (Raft term) in which it leads.
    pub controller_epoch: i32,
    /// Registered brokers by node id.
    pub brokers: Arc<BTreeMap<i32, Arc<BrokerImage>>>,
    /// Topics and their partitions.
    pub topics: TopicsImage,
    /// Configs that were set, by resource.
    pub configs: ConfigsImage,
    /// Finalized feature levels.
    pub features: Arc<BTreeMap<String, i16>>,
    /// Offset of the last change of `features`; -1 when there was none.
    pub features_epoch: i64,
    /// First producer id that was not given out yet.
    pub next_producer_id: i64,
    /// Quotas of clients.
    pub client_quotas: ClientQuotasImage,
    /// Who votes in the quorum of controllers.
    pub voters: Arc<[VoterImage]>,
}

impl Default for MetadataImage {
    fn default() -> Self {
        Self {
            cluster_id: Arc::from(""),
            offset: -1,
            epoch: 0,
            controller_id: -1,
            controller_epoch: 0,
            brokers: Arc::default(),
            topics: TopicsImage::default(),
            configs: ConfigsImage::default(),
            features: Arc::default(),
            features_epoch: -1,
            next_producer_id: 0,
            client_quotas: ClientQuotasImage::default(),
            voters: Arc::default(),
        }
    }
}

impl MetadataImage {
    /// The registration of a broker.
    #[must_use]
    pub fn broker(&self, id: i32) -> Option<&Arc<BrokerImage>> {
        self.brokers.get(&id)
    }

    /// Whether new leaders and in-sync replicas may be placed on the broker.
    #[must_use]
    pub fn is_active(&self, broker_id: i32) -> bool {
        self.broker(broker_id).is_some_and(|broker| !broker.fenced && !broker.in_controlled_shutdown)
    }
}

/// A voter of the quorum of controllers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterImage {
    /// Node id.
    pub id: i32,
    /// Id of the log directory that holds its metadata log.
    pub directory: Uuid,
    /// Where other controllers reach it.
    pub endpoints: Vec<Endpoint>,
}

/// A broker's registration.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokerImage {
    /// Node id.
    pub id: i32,
    /// Broker epoch: the offset that its registration was given.
    pub epoch: i64,
    /// New at each start of the process.
    pub incarnation: Uuid,
    /// Rack.
    pub rack: Option<Arc<str>>,
    /// Whether it may not lead.
    pub fenced: bool,
    /// Whether it is on its way out.
    pub in_controlled_shutdown: bool,
    /// Client listeners as told to clients.
    pub endpoints: Vec<Endpoint>,
    /// Ids of its online log directories.
    pub log_dirs: Vec<Uuid>,
    /// Feature levels it supports, least and greatest.
    pub supported_features: BTreeMap<String, (i16, i16)>,
}

impl BrokerImage {
    /// The endpoint of a listener.
    #[must_use]
    pub fn endpoint(&self, listener_name: &str) -> Option<&Endpoint> {
        self.endpoints.iter().find(|endpoint| endpoint.name == listener_name)
    }
}

/// Where a listener is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Listener name.
    pub name: String,
    /// Host as told to clients.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Kafka's number: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
    pub security_protocol: i16,
}

/// A topic with its partitions; the index of a partition is its number.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicImage {
    /// Name.
    pub name: Arc<str>,
    /// Id.
    pub id: Uuid,
    /// Partitions from 0 on, without a gap.
    pub partitions: Vec<Arc<PartitionImage>>,
}

impl TopicImage {
    /// A partition by its number.
    #[must_use]
    pub fn partition(&self, number: i32) -> Option<&Arc<PartitionImage>> {
        usize::try_from(number).ok().and_then(|at| self.partitions.get(at))
    }
}

/// One partition's replicas and leader.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionImage {
    /// Brokers that hold it, preferred leader first.
    pub replicas: Arc<[i32]>,
    /// In-sync replicas.
    pub isr: Arc<[i32]>,
    /// Leader, or [`NO_LEADER`].
    pub leader: i32,
    /// Rises with every election, and at every start of the leader (law 12).
    pub leader_epoch: i32,
    /// Rises with every change of the partition.
    pub partition_epoch: i32,
    /// Log directory of each of `replicas`, in their order.
    pub directories: Arc<[Uuid]>,
    /// Replicas that a reassignment adds.
    pub adding_replicas: Arc<[i32]>,
    /// Replicas that a reassignment removes.
    pub removing_replicas: Arc<[i32]>,
    /// Eligible leader replicas (KIP-966).
    pub eligible_leader_replicas: Arc<[i32]>,
    /// Last known eligible leader replicas (KIP-966).
    pub last_known_elr: Arc<[i32]>,
    /// Whether the leader still recovers from an unclean election.
    pub recovering: bool,
    /// Offset in `__cluster_metadata` of the record that made it.
    pub created_offset: i64,
}

impl PartitionImage {
    /// The log directory in which `broker_id` keeps its replica; None when it has none, or none was assigned.
    #[must_use]
    pub fn directory_of(&self, broker_id: i32) -> Option<Uuid> {
        let at = self.replicas.iter().position(|replica| *replica == broker_id)?;
        self.directories.get(at).copied().filter(|directory| !directory.is_reserved())
    }
}

/// All topics, sorted by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicsImage {
    by_name: PersistentMap<Arc<str>, Arc<TopicImage>>,
    /// Only the name, so that a topic has one owner and changes in place while a batch is replayed.
    names: PersistentMap<Uuid, Arc<str>>,
    /// Names with '.' read as '_', for names that have one of them: what metrics cannot tell apart.
    lookalikes: PersistentMap<Arc<str>, Arc<Vec<Arc<str>>>>,
    partitions: usize,
    directories: Arc<BTreeMap<Uuid, usize>>,
}

impl TopicsImage {
    /// A topic by name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Arc<TopicImage>> {
        self.by_name.get(name)
    }

    /// A topic by id.
    #[must_use]
    pub fn by_id(&self, id: Uuid) -> Option<&Arc<TopicImage>> {
        self.by_name.get(self.names.get(&id)?)
    }

    /// All topics in order of name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<TopicImage>> {
        self.by_name.values()
    }

    /// Number of topics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there is no topic.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Number of partitions of all topics.
    #[must_use]
    pub fn partition_count(&self) -> usize {
        self.partitions
    }

    /// Replicas in a log directory.
    #[must_use]
    pub fn replicas_in(&self, directory: Uuid) -> usize {
        self.directories.get(&directory).copied().unwrap_or(0)
    }

    /// A topic whose name metrics could not tell from `name` ('.' and '_' look the same there).
    #[must_use]
    pub fn lookalike_of(&self, name: &str) -> Option<&Arc<str>> {
        if !has_lookalikes(name) {
            return None;
        }
        self.lookalikes.get(normalized(name).as_str())?.first()
    }

    pub(super) fn insert_topic(&mut self, topic: TopicImage) {
        if has_lookalikes(&topic.name) {
            let key: Arc<str> = normalized(&topic.name).into();
            let mut names = self.lookalikes.get(&key).cloned().unwrap_or_default();
            Arc::make_mut(&mut names).push(topic.name.clone());
            self.lookalikes.insert(key, names);
        }
        self.names.insert(topic.id, topic.name.clone());
        self.by_name.insert(topic.name.clone(), Arc::new(topic));
    }

    pub(super) fn remove_topic(&mut self, id: Uuid) -> Option<Arc<TopicImage>> {
        let name = self.names.remove(&id)?;
        let topic = self.by_name.remove(&name)?;
        self.partitions -= topic.partitions.len();
        for partition in &topic.partitions {
            self.count_directories(&partition.directories, false);
        }
        if has_lookalikes(&name) {
            let key = normalized(&name);
            if let Some(names) = self.lookalikes.get_mut(key.as_str()) {
                Arc::make_mut(names).retain(|present| *present != name);
                if names.is_empty() {
                    self.lookalikes.remove(key.as_str());
                }
            }
        }
        Some(topic)
    }

    /// Sets a partition of a topic that exists, and gives the former one.
    pub(super) fn set_partition(
        &mut self,
        id: Uuid,
        number: i32,
        partition: PartitionImage,
    ) -> Result<Option<Arc<PartitionImage>>, GapOrUnknown> {
        let name = self.names.get(&id).ok_or(GapOrUnknown)?;
        let topic = Arc::make_mut(self.by_name.get_mut(name).ok_or(GapOrUnknown)?);
        let at = usize::try_from(number).map_err(|_| GapOrUnknown)?;
        let directories = partition.directories.clone();
        let before = if at == topic.partitions.len() {
            topic.partitions.push(Arc::new(partition));
            self.partitions += 1;
            None
        } else {
            let present = topic.partitions.get_mut(at).ok_or(GapOrUnknown)?;
            Some(std::mem::replace(present, Arc::new(partition)))
        };
        if before.as_ref().is_none_or(|before| before.directories != directories) {
            self.count_directories(&directories, true);
            if let Some(before) = &before {
                self.count_directories(&before.directories, false);
            }
        }
        Ok(before)
    }

    fn count_directories(&mut self, directories: &[Uuid], added: bool) {
        let counts = Arc::make_mut(&mut self.directories);
        for directory in directories.iter().filter(|directory| !directory.is_reserved()) {
            let count = counts.entry(*directory).or_default();
            *count = if added { *count + 1 } else { count.saturating_sub(1) };
            if *count == 0 {
                counts.remove(directory);
            }
        }
    }
}

/// A partition names a topic that is not there, or its number leaves a gap.
#[derive(Debug)]
pub(super) struct GapOrUnknown;

fn has_lookalikes(name: &str) -> bool {
    name.contains(['.', '_'])
}

fn normalized(name: &str) -> String {
    name.replace('.', "_")
}

/// What kind of thing has configs; the numbers are Kafka's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfigKind {
    /// A topic.
    Topic = 2,
    /// A broker, or with an empty name the default of all.
    Broker = 4,
    /// A subscription to clients' metrics.
    ClientMetrics = 16,
    /// A group.
    Group = 32,
}

impl ConfigKind {
    /// From Kafka's number.
    #[must_use]
    pub fn from_code(code: i8) -> Option<Self> {
        match code {
            2 => Some(Self::Topic),
            4 => Some(Self::Broker),
            16 => Some(Self::ClientMetrics),
            32 => Some(Self::Group),
            _ => None,
        }
    }

    /// Kafka's number.
    #[must_use]
    pub fn code(self) -> i8 {
        self as i8
    }
}

/// A thing that has configs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigResource {
    /// What it is.
    pub kind: ConfigKind,
    /// Its name: a topic's, a broker's node id in digits, empty for the default of all brokers.
    pub name: Arc<str>,
}

impl ConfigResource {
    /// A resource.
    #[must_use]
    pub fn new(kind: ConfigKind, name: &str) -> Self {
        Self { kind, name: name.into() }
    }
}

/// Configs that were set on one resource.
pub type Overrides = Arc<BTreeMap<String, String>>;

/// Configs that were set, by resource. Defaults are not in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigsImage {
    by_resource: PersistentMap<ConfigResource, Overrides>,
}

impl ConfigsImage {
    /// What is set on a resource; empty when nothing is.
    #[must_use]
    pub fn get(&self, resource: &ConfigResource) -> Overrides {
        self.by_resource.get(resource).cloned().unwrap_or_default()
    }

    /// What is set on a topic.
    #[must_use]
    pub fn topic(&self, name: &str) -> Overrides {
        self.get(&ConfigResource::new(ConfigKind::Topic, name))
    }

    /// What is set on one broker.
    #[must_use]
    pub fn broker(&self, id: i32) -> Overrides {
        self.get(&ConfigResource::new(ConfigKind::Broker, &id.to_string()))
    }

    /// What is set on all brokers.
    #[must_use]
    pub fn cluster_default(&self) -> Overrides {
        self.get(&ConfigResource::new(ConfigKind::Broker, ""))
    }

    /// All resources on which something is set.
    pub fn iter(&self) -> impl Iterator<Item = (&ConfigResource, &Overrides)> {
        self.by_resource.iter()
    }

    pub(super) fn set(&mut self, resource: &ConfigResource, name: &str, value: Option<&str>) {
        let mut overrides = self.get(resource);
        let map = Arc::make_mut(&mut overrides);
        match value {
            Some(value) => drop(map.insert(name.to_owned(), value.to_owned())),
            None => drop(map.remove(name)),
        }
        if overrides.is_empty() {
            self.by_resource.remove(resource);
        } else {
            self.by_resource.insert(resource.clone(), overrides);
        }
    }

    /// Forgets a resource that is gone; whether anything was set on it.
    pub(super) fn forget(&mut self, resource: &ConfigResource) -> bool {
        self.by_resource.remove(resource).is_some()
    }
}
