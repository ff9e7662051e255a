//! The log engine: partitions' records, durable, readable, bounded. Kafka's files, our journal.
//!
//! Lives on shards: a log belongs to one, and everything here is called on it; what crosses shards says so. All access
//! to the world is through [`crate::runtime`].
//!
//! - a partition: [`log`], `append`, `acknowledge`, `read`, `roll`, `seal`, `truncate`, `retention`, `relocate`, `timestamps`, `index_files`
//! - its bytes: [`chunk`], [`chunk_pool`], `chain` (memory), `segment`, `segment_io` (files), [`journal`] (both)
//! - what compaction leaves of a partition: `compaction`
//! - a shard's logs: [`manager`], `life`, `directory`, `shard`, `background`; start and stop: [`recovery`]
//! - Kafka's formats, pure: `index`, `time_index`, `transaction_index`, `index_builder`, `leader_epochs` and others

#![allow(clippy::module_inception)] // Kafka's word for it: a log

mod acknowledge;
mod append;
mod background;
mod bulk;
mod chain;
pub mod checkpoint_file;
pub mod chunk;
pub mod chunk_pool;
pub mod clean_shutdown;
mod compaction;
pub mod counters;
mod directory;
pub mod error;
mod gather;
pub mod incarnation;
pub mod index;
pub mod index_builder;
mod index_files;
pub mod journal;
pub mod leader_epochs;
mod life;
mod lock;
pub mod log;
mod lookup;
pub mod manager;
pub mod meta_properties;
pub mod partition_metadata;
mod read;
pub mod recovery;
mod relocate;
mod retention;
mod roll;
mod seal;
mod segment;
mod segment_io;
pub mod segment_name;
pub mod settings;
mod shard;
mod stop;
#[cfg(test)]
mod tests;
pub mod time_index;
mod timestamps;
pub mod transaction_index;
mod truncate;

pub use acknowledge::Acknowledged;
pub use append::{Appended, Reservation};
pub use counters::LogCounters;
pub use error::LogError;
pub use life::{MovedLog, PartitionSpec};
pub use log::{Log, SegmentInfo};
pub use manager::{DirectoryState, LogManager};
pub use read::{Part, ReadParts};
pub use recovery::{
    InterruptedMove, LogDirectory, RecoveredPartition, Recovery, RecoveryStatistics, StopReport,
    finish_clean_stop, recover, remove_leftovers,
};
pub use relocate::Relocation;
pub use settings::{CleanerSettings, Durability, LogConfig, LogSettings, Sabotage};
pub use timestamps::OffsetOfTimestamp;
