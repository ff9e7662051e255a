//! What a broker changes in a batch that it stores, in place.

use super::batch::Batch;
use super::header::{
    ATTRIBUTES_AT, Attributes, BASE_OFFSET_AT, BatchError, BatchHeader, CRC_AT, LEADER_EPOCH_AT,
    MAX_TIMESTAMP_AT,
};

fn put<const N: usize>(batch: &mut [u8], at: usize, value: [u8; N]) {
    let target = batch.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<N>);
    debug_assert!(target.is_some(), "the header was parsed before");
    if let Some(target) = target {
        *target = value;
    }
}

/// Sets where the batch lies and who appended it. The CRC covers neither.
///
/// # Errors
/// See [`BatchHeader::parse`]; only the header need be there.
pub fn set_base_offset_and_epoch(
    batch: &mut [u8],
    base_offset: i64,
    leader_epoch: i32,
) -> Result<(), BatchError> {
    BatchHeader::parse(batch)?;
    put(batch, BASE_OFFSET_AT, base_offset.to_be_bytes());
    put(batch, LEADER_EPOCH_AT, leader_epoch.to_be_bytes());
    Ok(())
}

/// Makes `now_ms` the timestamp of every record (`message.timestamp.type=LogAppendTime`) and rewrites the CRC.
///
/// # Errors
/// See [`BatchHeader::parse`]; [`BatchError::Incomplete`] unless exactly one whole batch is given.
pub fn set_log_append_time(batch: &mut [u8], now_ms: i64) -> Result<(), BatchError> {
    let header = whole(batch)?;
    let attributes = header.attributes.0 | Attributes::LOG_APPEND_TIME;
    put(batch, ATTRIBUTES_AT, attributes.to_be_bytes());
    put(batch, MAX_TIMESTAMP_AT, now_ms.to_be_bytes());
    rewrite_crc(batch);
    Ok(())
}

/// Sets the largest timestamp, milliseconds, and rewrites the CRC: for a producer that stated another one than its
/// records have.
///
/// # Errors
/// As [`set_log_append_time`].
pub fn set_max_timestamp(batch: &mut [u8], max_timestamp: i64) -> Result<(), BatchError> {
    whole(batch)?;
    put(batch, MAX_TIMESTAMP_AT, max_timestamp.to_be_bytes());
    rewrite_crc(batch);
    Ok(())
}

fn whole(batch: &[u8]) -> Result<BatchHeader, BatchError> {
    let header = Batch::parse(batch)?.header;
    if header.size_bytes() != batch.len() {
        return Err(BatchError::Incomplete { needed: header.size_bytes(), have: batch.len() });
    }
    Ok(header)
}

/// Computes the CRC of a whole batch and writes it.
pub(super) fn rewrite_crc(batch: &mut [u8]) {
    let crc = crc32c::crc32c(batch.get(ATTRIBUTES_AT..).unwrap_or_default());
    put(batch, CRC_AT, crc.to_be_bytes());
}
