//! The world below everything: shards, tasks, time, files, sockets, messages. Alone names glommio and io_uring.
//!
//! Code above holds a [`Runtime`], the handle of its shard. Two platforms implement it: `ring` and `sim`.

pub mod buffer;
pub mod descriptors;
pub mod executor;
pub mod file;
pub mod handle;
pub mod message;
pub mod panics;
pub mod platform;
pub mod probe;
mod probe_directory;
pub mod ring;
pub mod shards;
pub mod signals;
pub mod sim;
pub mod sync;
pub mod topology;

#[cfg(test)]
#[path = "child_tests.rs"]
mod child;

pub use buffer::{AlignedBuf, BLOCK};
pub use executor::{Executor, Task};
pub use file::{File, beside};
pub use handle::Runtime;
pub use message::{Mesh, Port, ReplyTo, ShardId};
pub use panics::{Panicked, catch_panic};
pub use platform::{Counters, DirectoryEntry, FileHandle, OpenMode, PathInfo};
