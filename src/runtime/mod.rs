//! The world below everything: shards, tasks, time, files, sockets, messages. Alone names glommio and io_uring.
//!
//! Code above holds a [`Runtime`], the handle of its shard. Two platforms implement it: `ring` and `sim`.

pub mod buffer;
pub mod executor;
pub mod file;
pub mod handle;
pub mod message;
pub mod platform;
pub mod sim;
pub mod sync;

pub use buffer::{AlignedBuf, BLOCK};
pub use executor::{Executor, Task};
pub use file::File;
pub use handle::Runtime;
pub use message::{Mesh, Port, ReplyTo, ShardId};
pub use platform::{DirectoryEntry, FileHandle, OpenMode, PathInfo};
