//! What a leader checks before it appends, and the append.

use super::core_section::core_section;
use super::errors::code_of;
use super::leader::Partition;
use super::producer_state::{AppendCheck, AppendOrigin, Verdict};
use crate::config::{TimestampType, TopicConfig};
use crate::log::LogError;
use crate::protocol::ErrorCode;
use crate::protocol::record_batch::{CheckRules, TimestampType as BatchTimestampType, check_produce};

/// What the records of one compressed batch may come to together: bounds the time that one check holds the shard.
const MAX_BATCH_DECOMPRESSED_BYTES: usize = 256 << 20;

/// How a client asks for an append.
#[derive(Clone, Copy, Debug)]
pub struct AppendRules {
    /// Version of the Produce request: older ones may not carry newer codecs.
    pub produce_version: i16,
    /// Whether all replicas in sync must have it (acks=all).
    pub acks_all: bool,
    /// The wall clock, in milliseconds.
    pub now_ms: i64,
}

/// An append that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Offset of the first record.
    pub base_offset: i64,
    /// The append is acknowledged when the durable end has come here.
    pub end_offset: i64,
    /// The time that the log gave, or -1.
    pub log_append_time_ms: i64,
    /// Where the log starts.
    pub log_start_offset: i64,
}

/// An append that was refused; nothing of it is in the log.
#[derive(Clone, Debug)]
pub struct AppendFailure {
    /// The code.
    pub code: ErrorCode,
    /// What else is known. Apart, because results of appends are carried about by the thousand, and few fail.
    pub details: Option<Box<FailureDetails>>,
}

/// Why an append was refused.
#[derive(Clone, Debug)]
pub struct FailureDetails {
    /// Words for people.
    pub message: String,
    /// The records at fault: index in the batch and words (KIP-467).
    pub records: Vec<(i32, String)>,
}

impl AppendFailure {
    fn with(code: ErrorCode, message: String, records: Vec<(i32, String)>) -> Self {
        Self { code, details: Some(Box::new(FailureDetails { message, records })) }
    }
}

impl From<ErrorCode> for AppendFailure {
    fn from(code: ErrorCode) -> Self {
        Self { code, details: None }
    }
}

impl From<&LogError> for AppendFailure {
    fn from(error: &LogError) -> Self {
        Self::with(code_of(error), error.to_string(), Vec::new())
    }
}

fn check_rules(config: &TopicConfig, rules: AppendRules) -> CheckRules {
    CheckRules {
        produce_version: rules.produce_version,
        max_batch_bytes: usize::try_from(config.max_message_bytes).unwrap_or_default(),
        max_decompressed_bytes: usize::try_from(config.max_decompressed_message_bytes).unwrap_or_default(),
        timestamp_type: match config.timestamp_type {
            TimestampType::CreateTime => BatchTimestampType::CreateTime,
            TimestampType::LogAppendTime => BatchTimestampType::LogAppendTime,
        },
        max_batch_decompressed_bytes: MAX_BATCH_DECOMPRESSED_BYTES,
        now_ms: rules.now_ms,
        before_max_ms: config.timestamp_before_max_ms,
        after_max_ms: config.timestamp_after_max_ms,
        compacted: config.cleanup.compact,
    }
}

impl Partition {
    /// Appends one batch of a client. Room for it has been reserved in the log. Synchronous: the offsets follow the
    /// order of the calls.
    ///
    /// # Errors
    /// [`AppendFailure`] if the leader may not take it; nothing is appended then.
    pub fn append(
        &self,
        records: &[u8],
        rules: AppendRules,
        scratch: &mut Vec<u8>,
    ) -> Result<Accepted, AppendFailure> {
        self.check_leader(-1)?;
        let config = self.config();
        if rules.acks_all && (self.in_sync_replicas() as i64) < i64::from(config.min_insync_replicas) {
            return Err(ErrorCode::NOT_ENOUGH_REPLICAS.into());
        }
        let checked = check_produce(records, &check_rules(&config, rules), scratch).map_err(|error| {
            let at_fault = error.records.into_iter().map(|record| (record.batch_index, record.message));
            AppendFailure::with(error.code, error.message, at_fault.collect())
        })?;
        let _core = core_section();
        if checked.header.has_producer_id() {
            let verdict = self.log().with_producers(|producers| {
                producers.check(&AppendCheck {
                    header: &checked.header,
                    origin: AppendOrigin::Client,
                    marker: None,
                    transaction_version: 0,
                    guard: None,
                    next_offset: self.log().log_end_offset(),
                })
            });
            match verdict {
                Ok(Verdict::Append) => {}
                Ok(Verdict::Duplicate(known)) => {
                    return Ok(Accepted {
                        base_offset: known.first_offset(),
                        end_offset: known.last_offset + 1,
                        log_append_time_ms: -1,
                        log_start_offset: self.log().log_start_offset(),
                    });
                }
                Err(error) => {
                    return Err(AppendFailure::with(error.code(), error.to_string(), Vec::new()));
                }
            }
        }
        self.append_checked(records, rules.now_ms)
    }

    /// Appends whole batches that the broker itself has made.
    ///
    /// # Errors
    /// [`AppendFailure`] if this broker does not lead, or the log refuses.
    pub fn append_own(&self, records: &[u8], now_ms: i64) -> Result<Accepted, AppendFailure> {
        self.check_leader(-1)?;
        let _core = core_section();
        self.append_checked(records, now_ms)
    }

    fn append_checked(&self, records: &[u8], now_ms: i64) -> Result<Accepted, AppendFailure> {
        let appended = self
            .log()
            .append_as_leader(records, self.leader_epoch(), now_ms)
            .map_err(|error| AppendFailure::from(&error))?;
        Ok(Accepted {
            base_offset: appended.first_offset,
            end_offset: appended.last_offset + 1,
            log_append_time_ms: appended.log_append_time_ms,
            log_start_offset: appended.log_start_offset,
        })
    }
}
