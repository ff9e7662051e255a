//! Record batches of magic 2 (KIP-98): read in place, built, patched, and checked as a broker must before it stores one.
//!
//! A batch is a header of [`HEADER_LEN`] bytes and its records, compressed or not. Everything here works on bytes in
//! memory and keeps no state; what comes from a client is never trusted, and memory is bounded by limits that the
//! caller gives. The older formats (magic 0 and 1) are refused, as Kafka 4 does (KIP-724).

mod batch;
mod builder;
mod check;
mod control;
mod header;
mod patch;
mod record;
mod retain;
mod walk;

pub use batch::{Batch, Batches, batches};
pub use builder::BatchBuilder;
pub use check::{CheckError, CheckRules, CheckedBatch, RecordError, check_produce};
pub use control::{ControlType, control_batch, end_txn_batch, leader_change_batch};
pub use header::{
    ATTRIBUTES_AT, Attributes, BASE_OFFSET_AT, BASE_SEQUENCE_AT, BASE_TIMESTAMP_AT, BatchError, BatchHeader,
    CRC_AT, HEADER_LEN, LAST_OFFSET_DELTA_AT, LEADER_EPOCH_AT, LENGTH_AT, LOG_OVERHEAD, MAGIC, MAGIC_AT,
    MAX_TIMESTAMP_AT, NO_EPOCH, NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, NO_TIMESTAMP,
    PRODUCER_EPOCH_AT, PRODUCER_ID_AT, RECORD_COUNT_AT, TimestampType, increment_sequence,
};
pub use patch::{set_base_offset_and_epoch, set_log_append_time, set_max_timestamp};
pub use record::{Headers, Record, RecordIter};
pub use retain::{emptied, retained};
