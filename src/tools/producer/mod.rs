//! A producer for one topic: batches by size and time, keeps several requests in flight, tries again without doubling or
//! reordering, as Kafka's Java producer does (KIP-98, KIP-480, KIP-794).
//!
//! - [`settings`]: Kafka's producer configs; [`partitioner`]: which partition a record goes to
//! - [`batch`], [`queue`]: records on their way, per partition; [`state`]: all of it, shared under one lock
//! - [`sender`]: the thread that owns the connections; [`lookup`]: the thread that asks for metadata and producer ids
//! - [`handle`]: what a tool holds
//!
//! Three threads: the tool's, the sender, the lookup. Memory is bounded by `buffer.memory`: a tool that is faster than
//! the brokers waits in [`Producer::send`]. Records of a partition are acknowledged in the order of their sending.

pub mod batch;
mod handle;
mod lookup;
pub mod partitioner;
mod queue;
mod sender;
pub mod settings;
mod state;

pub use batch::{Completion, RecordData};
pub use handle::Producer;
pub use settings::ProducerSettings;
