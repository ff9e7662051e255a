//! What operators look at: metrics and health, over HTTP on a listener of its own.
//!
//! Runs on shard 0, in tasks of its own, off the data path: each shard's counters are plain numbers that the shard alone
//! changes; a scrape asks every shard for a copy of them by message. Bounds: see [`http`].

pub mod http;
mod metrics;
mod process;
mod sample;
mod text;

pub use metrics::{Kind, METRICS, Metric};
pub use process::ProcessSample;
pub use sample::{DirectorySample, ShardSample};
pub use text::render;
