//! What the controller is asked and what it answers: owned values that any shard sends to shard 0.
//!
//! They follow Kafka's admin requests field by field; the API handlers translate from and to the wire, and take out
//! beforehand what the client is not allowed to ask.

use std::fmt;

use crate::protocol::{ErrorCode, Uuid};

use super::quotas::QuotaEntity;

/// A request to the controller.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerRequest {
    /// CreateTopics.
    CreateTopics {
        /// The topics.
        topics: Vec<NewTopic>,
        /// Only check.
        validate_only: bool,
    },
    /// DeleteTopics.
    DeleteTopics {
        /// The topics.
        topics: Vec<TopicSelector>,
    },
    /// CreatePartitions.
    CreatePartitions {
        /// The topics with their new numbers of partitions.
        topics: Vec<MorePartitions>,
        /// Only check.
        validate_only: bool,
    },
    /// IncrementalAlterConfigs (KIP-339).
    IncrementalAlterConfigs {
        /// The resources.
        resources: Vec<AlterConfigs>,
        /// Only check.
        validate_only: bool,
    },
    /// AlterConfigs, the old request: what is not named is unset.
    AlterConfigs {
        /// The resources.
        resources: Vec<ReplaceConfigs>,
        /// Only check.
        validate_only: bool,
    },
    /// AllocateProducerIds (KIP-730).
    AllocateProducerIds {
        /// The broker that asks.
        broker_id: i32,
        /// Its broker epoch.
        broker_epoch: i64,
    },
    /// ElectLeaders (KIP-460).
    ElectLeaders {
        /// Of which kind.
        election: Election,
        /// Topics and partitions; None: all.
        topics: Option<Vec<(String, Vec<i32>)>>,
    },
    /// AlterPartitionReassignments (KIP-455).
    AlterReassignments {
        /// The topics and what is wanted of their partitions.
        topics: Vec<(String, Vec<Reassignment>)>,
        /// Whether the number of replicas may change.
        allow_factor_change: bool,
    },
    /// UpdateFeatures (KIP-584, KIP-778).
    UpdateFeatures {
        /// The new levels: all are set or none.
        updates: Vec<FeatureUpdate>,
        /// Only check.
        validate_only: bool,
    },
    /// AlterClientQuotas (KIP-546).
    AlterClientQuotas {
        /// The changes by entity.
        alterations: Vec<QuotaAlteration>,
        /// Only check.
        validate_only: bool,
    },
    /// Says in which log directory a broker keeps a replica (AssignReplicasToDirs, KIP-858).
    AssignDirectory {
        /// The broker.
        broker_id: i32,
        /// The topic.
        topic_id: Uuid,
        /// The partition.
        partition: i32,
        /// The log directory.
        directory: Uuid,
    },
}

/// A kind of election.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Election {
    /// The first replica is to lead.
    Preferred,
    /// Any replica is to lead where none does.
    Unclean,
}

/// The replicas that are wanted of one partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Reassignment {
    /// The partition.
    pub partition: i32,
    /// Its replicas; None ends a reassignment that is under way.
    pub replicas: Option<Vec<i32>>,
}

/// The level that is wanted of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureUpdate {
    /// The feature.
    pub feature: String,
    /// The level.
    pub level: i16,
    /// What the client allows; None: a number that is not known.
    pub upgrade_type: Option<UpgradeType>,
}

/// Which way a feature may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeType {
    /// Up.
    Upgrade,
    /// Down, if no metadata is lost.
    SafeDowngrade,
    /// Down.
    UnsafeDowngrade,
}

/// Changes of the quotas of one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotaAlteration {
    /// Whose.
    pub entity: QuotaEntity,
    /// Keys and values; None unsets.
    pub ops: Vec<(String, Option<f64>)>,
}

/// A topic to make.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewTopic {
    /// Name.
    pub name: String,
    /// Number of partitions; -1 is the default.
    pub num_partitions: i32,
    /// Replicas of each; -1 is the default.
    pub replication_factor: i16,
    /// Partition and its brokers, when the client places them itself.
    pub assignments: Vec<(i32, Vec<i32>)>,
    /// Configs.
    pub configs: Vec<(String, Option<String>)>,
}

/// A topic by name or by id.
#[derive(Clone, Debug, PartialEq)]
pub enum TopicSelector {
    /// By name.
    Name(String),
    /// By id.
    Id(Uuid),
}

/// A topic that gets more partitions.
#[derive(Clone, Debug, PartialEq)]
pub struct MorePartitions {
    /// Name.
    pub name: String,
    /// The new number of partitions.
    pub count: i32,
    /// The brokers of each added one, when the client places them itself.
    pub assignments: Option<Vec<Vec<i32>>>,
}

/// Config changes of one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterConfigs {
    /// Kafka's number for the kind.
    pub resource_type: i8,
    /// Name.
    pub resource_name: String,
    /// Changes, at most one for each config.
    pub ops: Vec<ConfigOp>,
}

/// A change of one config.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigOp {
    /// Config.
    pub name: String,
    /// Kafka's number: 0 set, 1 delete, 2 append, 3 subtract.
    pub op: i8,
    /// Value.
    pub value: Option<String>,
}

/// All configs of one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplaceConfigs {
    /// Kafka's number for the kind.
    pub resource_type: i8,
    /// Name.
    pub resource_name: String,
    /// Its configs; others are unset.
    pub configs: Vec<(String, Option<String>)>,
}

/// An answer, given when everything it says is durable and published.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerReply {
    /// The published image reaches up to this offset.
    pub offset: i64,
    /// The answer.
    pub response: ControllerResponse,
}

/// An answer; lists are in the order of the request.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerResponse {
    /// To CreateTopics.
    CreateTopics(Vec<TopicCreated>),
    /// To DeleteTopics.
    DeleteTopics(Vec<TopicDeleted>),
    /// To CreatePartitions.
    CreatePartitions(Vec<NamedResult>),
    /// To both requests that alter configs.
    AlterConfigs(Vec<ConfigsAltered>),
    /// To AllocateProducerIds.
    AllocateProducerIds(Result<ProducerIdBlock, ApiError>),
    /// To ElectLeaders and AlterReassignments.
    Partitions(Vec<TopicOutcome>),
    /// To UpdateFeatures: the first update that is refused.
    UpdateFeatures(Result<(), ApiError>),
    /// To AlterClientQuotas, each entity once.
    AlterClientQuotas(Vec<QuotasAltered>),
    /// To AssignDirectory.
    AssignDirectory(Result<(), ApiError>),
    /// The request as a whole was not served.
    Failed(ApiError),
}

/// What became of a topic to make.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicCreated {
    /// Name.
    pub name: String,
    /// Result.
    pub result: Result<TopicCreation, ApiError>,
}

/// A topic that was made (or, with "only check", could be).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicCreation {
    /// Id.
    pub id: Uuid,
    /// Number of partitions.
    pub num_partitions: i32,
    /// Replicas of each.
    pub replication_factor: i16,
}

/// What became of a topic to delete.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicDeleted {
    /// Name; None when it was asked by an id that is not known.
    pub name: Option<String>,
    /// Id; zero when it was asked by a name that is not known.
    pub id: Uuid,
    /// Result.
    pub result: Result<(), ApiError>,
}

/// What became of something with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedResult {
    /// Name.
    pub name: String,
    /// Result.
    pub result: Result<(), ApiError>,
}

/// What became of config changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigsAltered {
    /// Kafka's number for the kind.
    pub resource_type: i8,
    /// Name.
    pub resource_name: String,
    /// Result.
    pub result: Result<(), ApiError>,
}

/// What became of partitions of a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicOutcome {
    /// The topic.
    pub name: String,
    /// Partitions and results.
    pub partitions: Vec<(i32, Result<(), ApiError>)>,
}

/// What became of changes of an entity's quotas.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotasAltered {
    /// Whose.
    pub entity: QuotaEntity,
    /// Result.
    pub result: Result<(), ApiError>,
}

/// Producer ids for one broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerIdBlock {
    /// First id.
    pub first: i64,
    /// How many.
    pub len: i32,
}

/// An error as clients get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// Code.
    pub code: ErrorCode,
    /// Text; Kafka gives none for some codes.
    pub message: Option<String>,
}

impl ApiError {
    /// An error with a text.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: Some(message.into()) }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.code.name()),
            None => f.write_str(self.code.name()),
        }
    }
}
