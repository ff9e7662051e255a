//! The simulated disk of one machine: files, names, devices, and operations under way.
//!
//! It is the worst that law 1 of the log allows: what no flush covered is lost, kept or torn as the seed wills.

mod content;
mod flight;
mod inspect;
mod names;
mod state;

pub use inspect::Disk;
pub(super) use state::DiskState;
