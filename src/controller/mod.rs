//! The controller: topics, partitions, configs and brokers of the cluster, agreed on by consensus. Runs on shard 0.
//!
//! The way of a request: [`service`] queues it, [`decide`] turns it into [`records`] with no side effect, the
//! [`raft_driver`] makes them durable in the metadata log and says when they are committed, [`replay`] applies them to
//! the [`image`], and every shard is given the new image with its [`delta`].

pub mod batch_log;
mod config_rules;
pub mod control;
pub mod decide;
pub mod delta;
pub mod engine_log;
pub mod image;
pub mod machine;
pub mod persistent_map;
pub mod quorum_state;
pub mod quotas;
pub mod raft_driver;
pub mod raft_log;
pub mod raft_logger;
pub mod records;
pub mod replay;
pub mod request;
pub mod service;
pub mod settings;
#[cfg(test)]
mod tests;

pub use batch_log::{BatchLog, BatchLogError};
pub use decide::ConfigRules;
pub use delta::{MetadataDelta, PartitionChange};
pub use image::{
    BrokerImage, ConfigKind, ConfigResource, ConfigsImage, Endpoint, MetadataImage, NO_LEADER,
    PartitionImage, TopicImage, TopicsImage, VoterImage,
};
pub use quotas::{ClientQuotasImage, QuotaEntity};
pub use request::{
    AlterConfigs, ApiError, ConfigOp, ConfigsAltered, ControllerReply, ControllerRequest, ControllerResponse,
    Election, FeatureUpdate, MorePartitions, NamedResult, NewTopic, ProducerIdBlock, QuotaAlteration,
    QuotasAltered, Reassignment, ReplaceConfigs, TopicCreated, TopicCreation, TopicDeleted, TopicOutcome,
    TopicSelector, UpgradeType,
};
pub use service::{Controller, ControllerError, Subscriber};
pub use settings::ControllerSettings;
