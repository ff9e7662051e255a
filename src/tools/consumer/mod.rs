//! A consumer: of a group with the classic protocol, or of partitions that the tool names.
//!
//! - [`settings`]: Kafka's consumer configs; [`embedded`]: what members tell each other through the coordinator
//! - [`range`]: who gets which partition; [`group`]: joining, committing, leaving; [`heartbeat`]: its thread
//! - [`offsets`]: where to start; [`fetcher`]: fetches in flight; [`chunk`]: from batches to records
//! - [`handle`]: what a tool holds
//!
//! Two threads: the tool's, which does everything, and the heartbeats', so that a tool whose output is blocked stays a
//! member. Memory is bounded by one answer per broker (`fetch.max.bytes`) and one decompressed batch.

mod chunk;
mod embedded;
mod fetcher;
mod group;
mod handle;
mod heartbeat;
mod offsets;
mod range;
pub mod settings;

pub use chunk::ConsumerRecord;
pub use handle::{Consumer, GroupEvent, Source};
pub use settings::{ConsumerSettings, OffsetReset};

/// A partition of a topic.
pub type TopicPartition = (std::sync::Arc<str>, i32);
