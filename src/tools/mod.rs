//! The command-line tools: Kafka's own under their names, with their options and output, so that an operator need learn
//! nothing anew. They run on ordinary threads beside no broker, and speak to any broker of the Kafka protocol.
//!
//! - [`run`]: from a name to a tool; [`options`], [`properties`], [`client_settings`]: what a tool is told
//! - [`client`]: connections, metadata, calls; [`producer`], [`consumer`]: records in and out
//! - [`topics`], [`console_producer`], [`console_consumer`], [`producer_perf_test`], [`dump_log`]: one tool each

pub mod client;
pub mod client_settings;
pub mod clock;
pub mod console_consumer;
pub mod console_producer;
pub mod consumer;
mod dispatch;
pub mod dump_log;
pub mod interrupt;
pub mod log;
pub mod options;
pub mod producer;
pub mod producer_perf_test;
pub mod properties;
pub mod random;
pub mod topic_filter;
pub mod topics;

pub use dispatch::run;
