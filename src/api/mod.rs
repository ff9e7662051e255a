//! Requests: one file per API key, and the table that says which versions are served and by whom.
//!
//! Runs on the shard of the connection. A handler reads the image of that shard, asks the owners of partitions and
//! groups by message, and never touches another shard's state. Bounds are the connection's (see `net`).

mod alter_replica_log_dirs;
mod api_versions;
mod client_quotas;
mod configs;
mod context;
mod create_partitions;
mod create_topics;
mod delete_records;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod describe_log_dirs;
mod describe_producers;
mod describe_quorum;
mod describe_topic_partitions;
mod elect_leaders;
mod fetch;
mod find_coordinator;
mod groups;
mod init_producer_id;
mod list_config_resources;
mod list_offsets;
mod loggers;
mod metadata;
mod mutation;
mod offset_for_leader_epoch;
mod produce;
mod reassignments;
mod service;
mod table;
mod topics;
mod update_features;

pub use context::RequestContext;
pub use fetch::FetchSessions;
pub use service::ApiService;
pub use table::{API_COUNT, Api, TABLE};
