//! One replica of a partition on the shard that owns it: what may be appended, what may be read, who waits.
//!
//! Owns the shard's table of partitions. Order of offsets in a partition:
//! log start <= last stable offset <= high watermark = durable end (one replica) <= log end.
//! Appends of one partition are made in the order of the calls; nothing here waits between a check and its append.
//! Bounds: the log's budgets; waiting fetches are bounded by the connections' requests in flight.

mod append;
mod core_section;
mod errors;
mod leader;
mod offsets;
mod producers;
mod read;
mod settings;
mod shard_table;
mod table;
mod waiting;

pub mod producer_entry;
pub mod producer_snapshot;
pub mod producer_state;

pub use append::{Accepted, AppendFailure, AppendRules, FailureDetails};
pub use core_section::core_section;
pub use errors::code_of;
pub use leader::Partition;
pub use offsets::{EpochEnd, ListedOffset, OffsetQuery};
pub use producers::ActiveProducer;
pub use read::{FetchItem, FetchedPartition, Isolation};
pub use settings::{cleaner_settings, log_config, log_settings};
pub use shard_table::ShardTable;
pub use table::{LocalNode, PartitionKey, Partitions};
pub use waiting::{FetchWait, WaitTarget};
