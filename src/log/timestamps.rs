//! Offsets by time (ListOffsets): the first record at or after a timestamp, the record with the largest one.

use std::rc::Rc;

use super::error::LogError;
use super::log::{Log, LogInner};
use super::segment::Segment;
use crate::protocol::record_batch::{Batch, TimestampType};

/// Largest decompressed size of a batch that is looked into.
const DECOMPRESSED_LIMIT_BYTES: usize = 256 << 20;

/// A record found by its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetOfTimestamp {
    /// The record's offset.
    pub offset: i64,
    /// Its timestamp, milliseconds.
    pub timestamp_ms: i64,
    /// The leader epoch it was written under; -1 when unknown.
    pub leader_epoch: i32,
}

impl Log {
    /// The first record at or above the log start whose timestamp is at least `timestamp_ms`.
    pub async fn offset_for_timestamp(
        &self,
        timestamp_ms: i64,
    ) -> Result<Option<OffsetOfTimestamp>, LogError> {
        loop {
            let generation = self.0.generation.get();
            let found = self.0.first_with_timestamp(timestamp_ms).await;
            if self.0.generation.get() == generation {
                return found;
            }
        }
    }

    /// The record with the largest timestamp, the first one if several have it.
    pub async fn offset_of_max_timestamp(&self) -> Result<Option<OffsetOfTimestamp>, LogError> {
        loop {
            let generation = self.0.generation.get();
            let found = self.0.with_max_timestamp().await;
            if self.0.generation.get() == generation {
                return found;
            }
        }
    }
}

impl LogInner {
    async fn first_with_timestamp(&self, timestamp_ms: i64) -> Result<Option<OffsetOfTimestamp>, LogError> {
        let log = self;
        log.check()?;
        let mut next = log.segment_at(0);
        while let Some(segment) = next {
            next = log.segment_behind(&segment);
            if segment.end.get().offset <= log.log_start.get()
                || log.largest_timestamp(&segment).await?.timestamp_ms < timestamp_ms
            {
                continue;
            }
            if let Some(found) = log.first_at_or_after(&segment, timestamp_ms).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn with_max_timestamp(&self) -> Result<Option<OffsetOfTimestamp>, LogError> {
        let log = self;
        log.check()?;
        let mut best: Option<(i64, Rc<Segment>)> = None;
        let mut next = log.segment_at(0);
        while let Some(segment) = next {
            next = log.segment_behind(&segment);
            let largest = log.largest_timestamp(&segment).await?.timestamp_ms;
            if largest >= 0 && best.as_ref().is_none_or(|(most, _)| largest > *most) {
                best = Some((largest, segment));
            }
        }
        match best {
            Some((timestamp_ms, segment)) => log.first_at_or_after(&segment, timestamp_ms).await,
            None => Ok(None),
        }
    }

    async fn first_at_or_after(
        &self,
        segment: &Rc<Segment>,
        timestamp_ms: i64,
    ) -> Result<Option<OffsetOfTimestamp>, LogError> {
        self.load_indexes(segment).await?;
        let entry = segment.builder.borrow().as_ref().map(|builder| {
            // The entry says: up to its offset nothing is newer than its timestamp. One before the wanted time.
            builder.time_index().view().lookup(timestamp_ms.saturating_sub(1)).offset
        });
        let from = entry.unwrap_or(segment.base_offset).max(self.log_start.get());
        let Some(start) = self.locate(segment, from).await? else { return Ok(None) };
        let mut found = None;
        let mut fault = None;
        let log_start = self.log_start.get();
        let end = segment.end.get().position;
        self.scan(segment, start.position, end, |_, batch| {
            if batch.header.max_timestamp < timestamp_ms {
                return true;
            }
            match first_in_batch(&batch, timestamp_ms, log_start) {
                Ok(record) => found = record,
                Err(error) => fault = Some(error),
            }
            found.is_none() && fault.is_none()
        })
        .await?;
        match fault {
            Some(error) => Err(error.into()),
            None => Ok(found),
        }
    }
}

fn first_in_batch(
    batch: &Batch<'_>,
    timestamp_ms: i64,
    log_start: i64,
) -> Result<Option<OffsetOfTimestamp>, crate::protocol::record_batch::BatchError> {
    let header = &batch.header;
    let found =
        |offset, timestamp_ms| OffsetOfTimestamp { offset, timestamp_ms, leader_epoch: header.leader_epoch };
    if header.attributes.timestamp_type() == TimestampType::LogAppendTime {
        // All records of the batch have its time.
        let first = header.base_offset.max(log_start);
        return Ok((header.last_offset() >= log_start).then(|| found(first, header.max_timestamp)));
    }
    let mut scratch = Vec::new();
    for record in batch.records(DECOMPRESSED_LIMIT_BYTES, &mut scratch)? {
        let record = record?;
        let offset = header.base_offset + i64::from(record.offset_delta);
        let timestamp = header.base_timestamp + record.timestamp_delta;
        if timestamp >= timestamp_ms && offset >= log_start {
            return Ok(Some(found(offset, timestamp)));
        }
    }
    Ok(None)
}
