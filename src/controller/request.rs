//! What the controller is asked and what it answers: owned values that any shard sends to shard 0.
//!
//! They follow Kafka's admin requests field by field; the API handlers translate from and to the wire, and take out
//! beforehand what the client is not allowed to ask.

use std::fmt;

use crate::protocol::{ErrorCode, Uuid};

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
