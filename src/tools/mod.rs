//! The command-line tools: Kafka's own under their names, with their options and output, so that an operator need learn
//! nothing anew. They run on ordinary threads beside no broker, and speak to any broker of the Kafka protocol.
//!
//! - [`run`]: from a name to a tool; [`options`], [`properties`], [`client_settings`]: what a tool is told
//! - [`client`]: connections, metadata, calls; [`producer`], [`consumer`]: records in and out
//! - [`topics`], [`console_producer`], [`console_consumer`], [`producer_perf_test`], [`dump_log`]: one tool each
//! - [`admin`]: what the following share; [`get_offsets`], [`configs`], [`delete_records`], [`log_dirs`], [`broker_api_versions`],
//!   [`features`]: one tool each
//! - [`consumer_perf_test`], [`e2e_latency`], [`verifiable`]: tests of how fast and how true a cluster is

pub mod admin;
pub mod broker_api_versions;
pub mod client;
pub mod client_settings;
pub mod clock;
pub mod configs;
pub mod console_consumer;
pub mod console_producer;
pub mod consumer;
pub mod consumer_perf_test;
pub mod delete_records;
mod dispatch;
pub mod dump_log;
pub mod e2e_latency;
pub mod features;
pub mod get_offsets;
pub mod interrupt;
pub mod java_double;
pub mod log;
pub mod log_dirs;
pub mod options;
pub mod output;
pub mod producer;
pub mod producer_perf_test;
pub mod properties;
pub mod random;
pub mod topic_filter;
pub mod topics;
pub mod verifiable;

pub use dispatch::run;
