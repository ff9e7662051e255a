//! Requests into records, with no side effect: what stands in the image, the limits and the request decide alone;
//! randomness comes in from outside. The rules and texts are those of Kafka 4.4.0, found by running it side by side.

mod alter_configs;
mod assign_directory;
mod client_quotas;
mod context;
mod create_partitions;
mod create_topics;
mod delete_topics;
mod elect_leaders;
mod features;
mod placement;
mod producer_ids;
mod reassignments;
mod startup;
mod topic_name;

pub use alter_configs::ConfigRules;
pub use context::{Context, Decision, Limits, decide};
pub use startup::{Registration, first_records, start_records};
pub use topic_name::check_topic_name;
