//! Start: from what stands on the disks to sealed partitions, whatever ended the process before.
//!
//! One call for all log directories, on shard 0, before anything serves. In order: `discover` lists what is there;
//! journals are read; `replay` works out, per partition, what they say (pure); `apply` writes it to the segments and
//! cuts them; `load` scans what no checkpoint covers; one flush of the file system, and one more where `replacements` of small
//! files then got their names; only then the journals go. Killed
//! at any step it starts over with the same result. `clean_stop` is its counterpart at the end of a process.

pub mod apply;
pub mod clean_stop;
pub mod discover;
pub mod leftovers;
pub mod load;
pub(crate) mod replacements;
pub mod replay;
pub mod run;
pub mod types;

pub use clean_stop::{StopReport, finish_clean_stop};
pub use leftovers::remove_leftovers;
pub use run::recover;
pub use types::{InterruptedMove, LogDirectory, RecoveredPartition, Recovery, RecoveryStatistics};
