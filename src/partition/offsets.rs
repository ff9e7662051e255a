//! Questions about the offsets of one partition: by time, by epoch, and the moving of its start.

use super::errors::code_of;
use super::leader::Partition;
use super::read::Isolation;
use crate::protocol::ErrorCode;

/// The end of the log.
const LATEST: i64 = -1;
/// The start of the log.
const EARLIEST: i64 = -2;
/// The record of the largest timestamp (KIP-734).
const MAX_TIMESTAMP: i64 = -3;
/// The first offset on local disks (KIP-405).
const EARLIEST_LOCAL: i64 = -4;
/// The last offset in tiered storage (KIP-1005).
const LATEST_TIERED: i64 = -5;
/// The first offset that tiered storage has not got yet (KIP-1023).
const EARLIEST_PENDING_UPLOAD: i64 = -6;

/// What ListOffsets asks of one partition.
#[derive(Clone, Copy, Debug)]
pub struct OffsetQuery {
    /// A time in milliseconds, or one of Kafka's negative questions.
    pub timestamp: i64,
    /// The epoch in which the client believes the leader to be, or -1.
    pub current_leader_epoch: i32,
    /// What "latest" means; None for followers and tools, which see all that is appended.
    pub isolation: Option<Isolation>,
    /// Version 0 only: so many offsets at most, newest first.
    pub max_num_offsets: Option<i32>,
    /// The version of the request: older ones do not know all questions.
    pub version: i16,
}

/// What it is told. -1 stands for "there is none".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOffset {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// The offset.
    pub offset: i64,
    /// Its record's time.
    pub timestamp: i64,
    /// Its record's epoch.
    pub leader_epoch: i32,
    /// Version 0 only.
    pub old_style: Vec<i64>,
}

impl ListedOffset {
    fn of(offset: i64, timestamp: i64, leader_epoch: i32) -> Self {
        Self { code: ErrorCode::NONE, offset, timestamp, leader_epoch, old_style: Vec::new() }
    }

    /// An error.
    #[must_use]
    pub fn failed(code: ErrorCode) -> Self {
        Self { code, ..Self::of(-1, -1, -1) }
    }
}

/// Where an epoch ends in this log (KIP-320); (-1, -1) when it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochEnd {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// The largest epoch up to the one asked for.
    pub leader_epoch: i32,
    /// The offset behind its last record.
    pub end_offset: i64,
}

fn oldest_version_that_asks(timestamp: i64) -> i16 {
    match timestamp {
        MAX_TIMESTAMP => 7,
        EARLIEST_LOCAL => 8,
        LATEST_TIERED => 9,
        EARLIEST_PENDING_UPLOAD => 11,
        _ => 0,
    }
}

impl Partition {
    /// Up to where a question sees: the last stable offset, the high watermark, or the log's end.
    fn visible_end(&self, isolation: Option<Isolation>) -> i64 {
        match isolation {
            Some(Isolation::ReadCommitted) => self.last_stable_offset(),
            Some(Isolation::ReadUncommitted) => self.high_watermark(),
            None => self.log().log_end_offset(),
        }
    }

    /// Answers ListOffsets.
    pub async fn list_offset(&self, query: &OffsetQuery) -> ListedOffset {
        if let Err(code) = self.check_leader(query.current_leader_epoch) {
            return ListedOffset::failed(code);
        }
        if let Some(error) = self.log().error() {
            return ListedOffset::failed(code_of(&error));
        }
        if let Some(max) = query.max_num_offsets {
            return self.old_style_offsets(query, max);
        }
        if query.version < oldest_version_that_asks(query.timestamp) {
            return ListedOffset::failed(ErrorCode::UNSUPPORTED_VERSION);
        }
        let end = self.visible_end(query.isolation);
        let found = match query.timestamp {
            LATEST => return ListedOffset::of(end, -1, self.leader_epoch()),
            EARLIEST | EARLIEST_LOCAL => {
                let start = self.log().log_start_offset();
                return ListedOffset::of(start, -1, self.log().epoch_for_offset(start).unwrap_or(-1));
            }
            // Nothing is ever tiered here.
            LATEST_TIERED | EARLIEST_PENDING_UPLOAD => return ListedOffset::of(-1, -1, -1),
            MAX_TIMESTAMP => self.log().offset_of_max_timestamp().await,
            timestamp if timestamp < 0 => return ListedOffset::failed(ErrorCode::UNSUPPORTED_VERSION),
            timestamp => self.log().offset_for_timestamp(timestamp).await,
        };
        match found {
            Ok(Some(found)) if found.offset < end => {
                ListedOffset::of(found.offset, found.timestamp_ms, found.leader_epoch)
            }
            Ok(_) => ListedOffset::of(-1, -1, -1),
            Err(error) => ListedOffset::failed(code_of(&error)),
        }
    }

    /// Version 0: segments' first offsets that are no younger than the time, newest first.
    fn old_style_offsets(&self, query: &OffsetQuery, max: i32) -> ListedOffset {
        let end = self.visible_end(query.isolation);
        let start = self.log().log_start_offset();
        let mut points: Vec<(i64, i64)> = self
            .log()
            .segments()
            .iter()
            .filter(|segment| segment.base_offset < end)
            .map(|segment| (segment.base_offset.max(start), segment.largest_timestamp_ms))
            .collect();
        points.push((end, i64::MAX));
        let newest = match query.timestamp {
            LATEST => Some(points.len() - 1),
            EARLIEST => Some(0),
            time => points.iter().rposition(|&(_, largest)| largest <= time),
        };
        let max = usize::try_from(max).unwrap_or_default();
        let upto = newest.map_or(0, |newest| newest + 1);
        let old_style = points.iter().take(upto).rev().take(max).map(|&(offset, _)| offset).collect();
        ListedOffset { old_style, ..ListedOffset::of(-1, -1, -1) }
    }

    /// Answers OffsetForLeaderEpoch.
    #[must_use]
    pub fn epoch_end(&self, current_leader_epoch: i32, leader_epoch: i32) -> EpochEnd {
        match self.check_leader(current_leader_epoch) {
            Err(code) => EpochEnd { code, leader_epoch: -1, end_offset: -1 },
            Ok(()) => {
                let end = self.log().end_offset_for_epoch(leader_epoch);
                EpochEnd { code: ErrorCode::NONE, leader_epoch: end.epoch, end_offset: end.end_offset }
            }
        }
    }

    /// Moves the log's start up to `offset` (-1: the high watermark); gives the new start, durable.
    ///
    /// # Errors
    /// The code that the client gets.
    pub async fn delete_records(&self, offset: i64) -> Result<i64, ErrorCode> {
        self.check_leader(-1)?;
        if !self.config().cleanup.delete {
            return Err(ErrorCode::POLICY_VIOLATION);
        }
        let high_watermark = self.high_watermark();
        let offset = if offset == -1 { high_watermark } else { offset };
        if offset < 0 || offset > high_watermark {
            return Err(ErrorCode::OFFSET_OUT_OF_RANGE);
        }
        self.log().delete_records_before(offset).await.map_err(|error| code_of(&error))
    }
}
