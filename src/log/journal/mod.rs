//! The journal: one circular file per shard and log directory that makes the small appends of all its logs durable
//! with one flushed write (group commit), and is cleaned continuously.
//!
//! - [`format`]: the bytes; [`space`]: the circle's accounting; [`group`]: one write being put together
//! - [`writer`]: forms groups and submits them, acknowledges in order; [`cleaner`]: frees the oldest region
//! - [`file`]: making, zeroing, growing; [`reader`]: what recovery finds in it

pub mod cleaner;
pub mod file;
pub mod format;
pub mod group;
pub mod reader;
pub mod space;
pub mod writer;

pub use writer::Journal;
