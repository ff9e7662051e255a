//! From the log's errors to Kafka's codes: the one place.

use crate::log::LogError;
use crate::protocol::ErrorCode;

/// The code that tells a client about an error of the log.
#[must_use]
pub fn code_of(error: &LogError) -> ErrorCode {
    match error {
        LogError::Storage(_) | LogError::NoSuchDirectory => ErrorCode::KAFKA_STORAGE_ERROR,
        // Retriable, and not one that makes a client look for another leader: it passes when space is freed.
        LogError::DiskFull | LogError::Busy => ErrorCode::KAFKA_STORAGE_ERROR,
        LogError::Closed => ErrorCode::NOT_LEADER_OR_FOLLOWER,
        LogError::OffsetOutOfRange { .. } => ErrorCode::OFFSET_OUT_OF_RANGE,
        LogError::UnexpectedOffset { .. } | LogError::Exists => ErrorCode::UNKNOWN_SERVER_ERROR,
        LogError::Batch(_) => ErrorCode::CORRUPT_MESSAGE,
        LogError::Producer(error) => error.code(),
    }
}
