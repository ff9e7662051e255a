//! What the controller is told at start.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::protocol::Uuid;

use super::decide::Limits;
use super::image::Endpoint;
use super::raft_driver::Voter;

/// Settings of the controller and of the broker that registers with it.
#[derive(Clone, Debug)]
pub struct ControllerSettings {
    /// Node id.
    pub node_id: i32,
    /// The cluster id of meta.properties or of the config; None lets the first start draw one.
    pub cluster_id: Option<String>,
    /// The directory of `__cluster_metadata-0`; `quorum-state` is kept in it.
    pub state_dir: PathBuf,
    /// Id of the log directory that holds the metadata log.
    pub directory_id: Uuid,
    /// Client listeners as told to clients, with their real ports.
    pub endpoints: Vec<Endpoint>,
    /// Rack.
    pub rack: Option<String>,
    /// Where other controllers reach this one; may be empty as long as there is one.
    pub controller_endpoints: Vec<Endpoint>,
    /// Ids of the online log directories.
    pub log_dirs: Vec<Uuid>,
    /// Features that this broker supports beside the metadata version.
    pub supported_features: BTreeMap<String, (i16, i16)>,
    /// Partitions of a topic that does not say.
    pub num_partitions: i32,
    /// Replicas of a partition of a topic that does not say.
    pub default_replication_factor: i16,
    /// Topics of the cluster.
    pub topic_limit: usize,
    /// Partitions of the cluster.
    pub partition_limit: usize,
    /// Requests that wait; further ones are waited for before they are taken.
    pub queue_requests: usize,
}

impl ControllerSettings {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            num_partitions: self.num_partitions,
            default_replication_factor: self.default_replication_factor,
            topic_limit: self.topic_limit,
            partition_limit: self.partition_limit,
        }
    }

    pub(super) fn voter(&self) -> Voter {
        Voter {
            node_id: self.node_id,
            directory_id: self.directory_id,
            endpoints: self.controller_endpoints.clone(),
        }
    }
}
