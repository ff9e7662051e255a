//! Compaction: of each key the last record is kept (`cleanup.policy=compact`).
//!
//! A task of the log manager, on its shard, takes one log of the shard at a time, the one with the largest dirty part, and
//! works through it in windows: reading and writing are the shard's, hashing, decompressing and compressing happen on the
//! helper thread ([`crate::runtime::Runtime::offload`]). Bounds: the map of keys by `log.cleaner.dedupe.buffer.size`,
//! bytes a second by `log.cleaner.io.max.bytes.per.second`, both shared out over the shards; one window and what is left
//! of it in memory; writes within the directory's background budget.
//!
//! - pure: `offset_map`, `transactions`, `filter` (what survives), `choice` (which part of which log, in which groups)
//! - files: `cleaned_file` (written), `replace` (put in the place of what it replaces), `complete` (the same at a start)
//! - `pass` (one log), `task` (all logs of the shard)
//!
//! Order kept (law 11): the active segment is never touched, sealed ones are exact and need no journal. The cleaned file
//! and its indexes are flushed before the one rename that decides; what it replaces goes afterwards, and a start
//! completes what was decided. Whoever changes a log waits until no pass works on it.

mod choice;
mod cleaned_file;
pub(super) mod complete;
mod filter;
mod offset_map;
mod pass;
mod replace;
pub(super) mod task;
mod transactions;
