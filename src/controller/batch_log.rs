//! What the controller needs of the log that holds `__cluster_metadata-0`: whole batches in, whole batches out, and
//! the word that they are durable.

use std::any::Any;

use bytes::Bytes;
use thiserror::Error;

use crate::runtime::platform::LocalFuture;

/// Why the log does not do what it was asked.
#[derive(Clone, Debug, Error)]
pub enum BatchLogError {
    /// The disk is nearly full. Nothing was written; it may be asked again later.
    #[error("the disk of the metadata log is nearly full")]
    Full,
    /// It cannot be read or written, and is not tried again.
    #[error("the metadata log failed: {0}")]
    Failed(String),
}

/// Room for an append, held until it is done.
pub type Room = Box<dyn Any>;

/// A log of record batches on this shard.
pub trait BatchLog {
    /// First offset that is there.
    fn start_offset(&self) -> i64;

    /// The offset that the next batch gets.
    fn end_offset(&self) -> i64;

    /// Room for appends of `bytes` in all.
    fn room(&self, bytes: usize) -> LocalFuture<Result<Room, BatchLogError>>;

    /// Appends a batch, for which the caller holds room, and gives it the next offsets and the epoch; the result is the
    /// first of them. The batch can be read back now, and is durable when [`BatchLog::durable`] says so.
    ///
    /// # Errors
    /// [`BatchLogError::Failed`].
    fn append(&self, batch: &[u8], leader_epoch: i32, now_ms: i64) -> Result<i64, BatchLogError>;

    /// Ends when everything below `end_offset` is durable.
    fn durable(&self, end_offset: i64) -> LocalFuture<Result<(), BatchLogError>>;

    /// Whole batches from the one that holds `offset`: about `max_bytes`, at least one; empty at the end.
    fn read(&self, offset: i64, max_bytes: u32) -> LocalFuture<Result<Vec<Bytes>, BatchLogError>>;

    /// Cuts the log at `end_offset`, durably.
    fn truncate_to(&self, end_offset: i64) -> LocalFuture<Result<(), BatchLogError>>;
}
