//! The broker put together: shards, what they say to each other, start and stop.
//!
//! Start: configuration, probe, recovery of the log directories (shard 0), the shards' log engines, controller (shard 0),
//! partitions, listeners, and then the line `ready …` on standard output. Stop: listeners, connections, controller, logs,
//! clean mark. Owns nothing that a shard does not own.

mod admin;
mod command;
mod error;
mod everywhere;
mod failures;
mod inbox;
mod listeners;
mod log_dir_moves;
mod log_levels;
mod made;
mod messages;
mod metadata;
mod plan;
mod produce_lanes;
mod producer_ids;
mod run;
mod shard;
mod start;

pub use command::{Arguments, run_command};
pub use error::ServerError;
pub use everywhere::{groups_everywhere, log_sizes_everywhere};
pub use log_dir_moves::begin as begin_log_dir_moves;
pub use log_levels::{LevelChange, LogLevels, ROOT};
pub use messages::LogSize;
pub use messages::{
    FetchBatch, GroupCall, PartitionAnswer, PartitionQuery, ProduceBatch, ProduceItem, ProduceResults,
    ShardReply, ShardRequest,
};
pub use produce_lanes::{AppendProgress, Settling, shard_gone};
pub use shard::{Services, Shard};
