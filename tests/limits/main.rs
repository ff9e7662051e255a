//! Limits, through the socket: memory, disk, many partitions, configs; what is refused, with which error and which metric, and
//! that a good client is served all the while. Connections and descriptors are tests/field's F23 and F37.
//!
//! The numbers are small by default; `tests/overload` runs the long forms, by the environment variables named there.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod configs;
mod disk;
mod memory;
mod metrics;
#[allow(dead_code)] // tests/field uses the rest of it
mod node;
mod partitions;
#[allow(dead_code)]
#[path = "../single/raw.rs"]
mod raw;
