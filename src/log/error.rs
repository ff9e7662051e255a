//! What can go wrong in the log engine, in words that the API layer maps to Kafka's codes.

use std::io;
use std::sync::Arc;

use crate::partition::producer_state::ProducerError;
use crate::protocol::record_batch::BatchError;

/// An error of a log or a log directory.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LogError {
    /// The log directory is offline, or this partition is corrupt: KAFKA_STORAGE_ERROR.
    #[error("storage failed: {0}")]
    Storage(Arc<str>),
    /// The disk is nearly full; retriable.
    #[error("the disk is nearly full")]
    DiskFull,
    /// The log was deleted, moved to another shard, or the engine stops.
    #[error("the log is closed")]
    Closed,
    /// The offset is not in the log.
    #[error("offset out of range: the log is {log_start}..{log_end}")]
    OffsetOutOfRange {
        /// The log start offset.
        log_start: i64,
        /// The log end offset.
        log_end: i64,
    },
    /// A follower's append does not continue the log.
    #[error("the append begins at offset {got}, the log ends at {expected}")]
    UnexpectedOffset {
        /// The log end offset.
        expected: i64,
        /// The first offset given.
        got: i64,
    },
    /// The bytes are not whole record batches.
    #[error("not record batches: {0}")]
    Batch(#[from] BatchError),
    /// The partition exists.
    #[error("the partition exists")]
    Exists,
    /// No log directory has this id.
    #[error("no such log directory")]
    NoSuchDirectory,
    /// Refused by the producer state.
    #[error(transparent)]
    Producer(#[from] ProducerError),
    /// A truncation, move or deletion is under way, or nothing was reserved; try again.
    #[error("the log is busy")]
    Busy,
}

impl LogError {
    /// A storage error from an I/O error, with what was done.
    #[must_use]
    pub fn io(what: &str, error: &io::Error) -> Self {
        Self::Storage(format!("{what}: {error}").into())
    }

    /// A storage error from a text.
    #[must_use]
    pub fn corrupt(what: String) -> Self {
        Self::Storage(what.into())
    }
}
