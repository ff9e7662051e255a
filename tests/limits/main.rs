//! Limits, through the socket: descriptors, connections, memory, many partitions; what is refused, with which error and
//! which metric, and that a good client is served all the while.
//!
//! The numbers are small by default; `tests/overload` runs the long forms, by the environment variables named there.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod configs;
mod disk;
mod f23_connections;
mod f37_descriptors;
mod memory;
mod metrics;
mod node;
mod partitions;
#[allow(dead_code)]
#[path = "../single/raw.rs"]
mod raw;

/// A number from the environment, or the short form's.
fn number(name: &str, short: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}
