//! `dump-log`: prints the files of a log directory, with the options and the output of Kafka's `kafka-dump-log.sh`.
//!
//! - [`run`]: the command line; `report`: outputs and findings
//! - `segment`, `log_reader`, `control`: batches and records; `indexes`: indexes and snapshots; `journal`: our journal
//! - `decoder`, `schema`, `schemas`, `json`: records of the broker's own topics
//!
//! An ordinary program: blocking, no shard. Reads only, keeps one batch or one index file in memory at a time.

mod control;
mod decoder;
mod indexes;
mod journal;
mod json;
mod log_reader;
mod options;
mod report;
mod run;
mod schema;
mod schemas;
mod segment;

pub use options::{Options, PlainDecoder};
pub use run::{dump, run};
