//! The real platform: a shard's own io_uring, run by one driver task inside its glommio executor.
//!
//! `uring` owns the ring and its in-flight operations, `driver` is the loop, the others are what operations need:
//! `operations` (files), `socket`, `listener`, `splice`, `timers`, `bell`, `helper` (what the ring cannot do).
//! Everything but [`bell::RingBell`] lives and dies on its shard's thread.

mod bell;
mod driver;
mod helper;
mod helper_calls;
mod listener;
mod operations;
mod platform;
mod socket;
mod splice;
mod timers;
mod uring;

#[cfg(test)]
mod tests;

pub(super) use driver::Driver;
pub use driver::Sleep;
pub(super) use helper::close_later;
pub(super) use listener::{bind_listener, listen, local_address};
pub use uring::{NEEDED_OPCODES, RingFlags, build_ring};
