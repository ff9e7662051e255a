//! The seeded platform: shards, time, disk and network of a simulated world, all in one thread.
//!
//! Everything that happens, and when, follows from one seed; the same seed gives the same trace. The code under
//! test is the real one: it sees a [`super::Runtime`] as on the real platform. Nothing here runs in a broker.

mod disk;
mod faults;
mod network;
mod platform;
mod random;
mod world;

#[cfg(test)]
mod tests;

pub use disk::Disk;
pub use faults::{Effect, Faults, OperationKind, Rule};
pub use random::{Random, mix};
pub use world::{CrashReport, Machine, Stopped, World};
