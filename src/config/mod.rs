//! The configuration: every key declared once, read from TOML, Kafka's properties or the command line, checked, and
//! handed on as typed structs. Runs before the shards start and, for dynamic configs, wherever a new [`Config`] is
//! built; a `Config` is never changed, only replaced.
//!
//! The way of a setting: a reader (`toml_file`, `properties`, `--set`) gives key, text and place; `layers` finds the
//! declared [`Key`] (tables in `broker/`, `topic`, `ours`, `resources`), checks the text and keeps it; `build` reads
//! the layers, the topmost first, into [`Config`], and checks what concerns several keys at once.

mod broker;
mod build;
mod catalog;
mod checks;
mod describe;
mod dynamic;
mod error;
mod key;
mod layers;
mod listener;
mod load;
mod nearest;
mod ours;
mod properties;
mod reasons;
mod resource_config;
mod resources;
mod settings;
mod toml_file;
mod topic;
mod topic_config;
mod value;

#[cfg(test)]
mod tests;

pub use catalog::{
    broker_key, broker_keys, changes_live, client_metrics_keys, client_quota_keys, group_keys, ip_quota_keys,
    replication_quota_keys, topic_key, topic_keys,
};
pub use describe::{Described, Source, Synonym};
pub use error::{BadValue, ConfigError, Place, Warning};
pub use key::{Allowed, Check, Effect, Key, Kind, Origin, Update};
pub use listener::{Advertised, Listener};
pub use reasons::why_without_effect;
pub use resource_config::{ClientMetricsError, check_client_metrics};
pub use settings::{Cleaner, Config, Durability, Log, Network, Shards, Topics};
pub use topic_config::{CleanupPolicy, Compression, TimestampType, TopicConfig};
pub use value::Value;
