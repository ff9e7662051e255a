//! Appending: memory is reserved (that may wait), then bytes are taken at once: offsets given, one copy into the tail,
//! indexes, epochs and producer state brought up to date, the journal told.
//!
//! Runs on the log's shard; an append is one turn without awaits, so the order of calls is the order of offsets.

use std::rc::Rc;
use std::time::Duration;

use super::error::LogError;
use super::index_builder::BatchMark;
use super::log::{Log, LogInner};
use super::segment::{Mark, Segment};
use crate::partition::producer_state::EndMarker;
use crate::protocol::record_batch::{
    ATTRIBUTES_AT, Attributes, Batch, BatchError, BatchHeader, HEADER_LEN, batches,
};

/// How long a starved reservation waits for memory that readers on other shards give back unheard.
const ROOM_POLL: Duration = Duration::from_millis(5);

/// What an append did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Offset of the first record.
    pub first_offset: i64,
    /// Offset of the last record.
    pub last_offset: i64,
    /// The time given to the records, milliseconds; -1 when they keep theirs.
    pub log_append_time_ms: i64,
    /// The log start offset.
    pub log_start_offset: i64,
    /// The largest timestamp of the batches.
    pub max_timestamp_ms: i64,
    /// The last offset of the batch with the largest timestamp.
    pub offset_of_max_timestamp: i64,
}

/// Memory taken for one append. Keep it until the append is done.
pub struct Reservation {
    log: Rc<LogInner>,
    bytes: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.log.reservations.set(self.log.reservations.get() - 1);
        if self.log.busy.get() {
            self.log.changed.notify();
        }
        self.log.shard.release(self.bytes);
    }
}

#[derive(Clone, Copy)]
enum Origin {
    Leader { epoch: i32 },
    Follower,
}

impl Log {
    /// Takes memory for an append of `bytes` without waiting; None when [`Log::reserve`] would wait or fail.
    #[must_use]
    pub fn try_reserve(&self, bytes: usize) -> Option<Reservation> {
        let log = &self.0;
        if log.is_gone()
            || log.shard.stopping.get()
            || log.busy.get()
            || log.directory.is_full_for(&log.topic)
            || log.active().sealed.get()
        {
            return None;
        }
        self.take(bytes as u64)
    }

    fn take(&self, bytes: u64) -> Option<Reservation> {
        if !self.0.shard.try_reserve(bytes) {
            return None;
        }
        self.0.directory.take(bytes);
        self.0.reservations.set(self.0.reservations.get() + 1);
        Some(Reservation { log: self.0.clone(), bytes })
    }

    /// Takes memory for an append of `bytes`, waiting for room; opens a sealed segment again.
    pub async fn reserve(&self, bytes: usize) -> Result<Reservation, LogError> {
        let log = &self.0;
        let shard = &log.shard;
        loop {
            log.check()?;
            if shard.stopping.get() {
                return Err(LogError::Closed);
            }
            if log.directory.is_full_for(&log.topic) {
                return Err(LogError::DiskFull);
            }
            if log.busy.get() {
                log.wait_changed(|| !log.busy.get()).await?;
                continue;
            }
            if log.active().sealed.get() {
                log.reopen().await?;
                continue;
            }
            if let Some(reservation) = self.take(bytes as u64) {
                return Ok(reservation);
            }
            shard.counters.with(|counters| counters.stalled_appends += 1);
            shard.starved.set(shard.starved.get() + 1);
            let room = shard.room.wait();
            shard.pressure.notify();
            shard.runtime.timeout(ROOM_POLL, room).await;
            shard.starved.set(shard.starved.get() - 1);
        }
    }

    /// Appends checked batches as the leader: gives them offsets and `leader_epoch`, and with LogAppendTime `now_ms`.
    /// Sequences are not checked here: see [`Log::with_producers`].
    pub fn append_as_leader(
        &self,
        records: &[u8],
        leader_epoch: i32,
        now_ms: i64,
    ) -> Result<Appended, LogError> {
        self.0.append(records, Origin::Leader { epoch: leader_epoch }, now_ms)
    }

    /// Appends batches fetched from the leader, as they are.
    pub fn append_as_follower(&self, records: &[u8], now_ms: i64) -> Result<Appended, LogError> {
        self.0.append(records, Origin::Follower, now_ms)
    }
}

impl LogInner {
    fn append(self: &Rc<Self>, records: &[u8], origin: Origin, now_ms: i64) -> Result<Appended, LogError> {
        self.check()?;
        if self.busy.get() || self.active().sealed.get() {
            return Err(LogError::Busy);
        }
        self.check_batches(records, origin)?;
        let mut appended = Appended {
            first_offset: self.log_end_offset(),
            last_offset: self.log_end_offset() - 1,
            log_append_time_ms: -1,
            log_start_offset: self.log_start.get(),
            max_timestamp_ms: -1,
            offset_of_max_timestamp: -1,
        };
        let mut first = true;
        for batch in batches(records) {
            let batch = batch?;
            let header = self.append_batch(&batch, origin, now_ms)?;
            if first {
                appended.first_offset = header.base_offset;
                first = false;
            }
            appended.last_offset = header.last_offset();
            if header.max_timestamp > appended.max_timestamp_ms {
                appended.max_timestamp_ms = header.max_timestamp;
                appended.offset_of_max_timestamp = header.last_offset();
            }
        }
        if matches!(origin, Origin::Leader { .. }) && self.config.get().log_append_time {
            appended.log_append_time_ms = now_ms;
        }
        self.last_append_ms.set(now_ms);
        self.shard.counters.with(|counters| {
            counters.appends += 1;
            counters.appended_bytes += records.len() as u64;
        });
        self.directory.add_unscanned(self, records.len() as u64);
        self.on_appended();
        self.enqueue();
        Ok(appended)
    }

    /// Nothing is appended unless all of it can be.
    fn check_batches(&self, records: &[u8], origin: Origin) -> Result<(), LogError> {
        let mut next_offset = self.log_end_offset();
        let mut found = batches(records);
        for batch in found.by_ref() {
            let header = batch?.header;
            if header.last_offset_delta < 0 {
                return Err(BatchError::InvalidRecord { index: 0, reason: "negative offset delta" }.into());
            }
            if matches!(origin, Origin::Follower) {
                if header.base_offset < next_offset {
                    return Err(LogError::UnexpectedOffset {
                        expected: next_offset,
                        got: header.base_offset,
                    });
                }
                next_offset = header.next_offset();
            }
        }
        if found.consumed() != records.len() || records.is_empty() {
            return Err(BatchError::Incomplete { needed: records.len(), have: found.consumed() }.into());
        }
        Ok(())
    }

    fn append_batch(
        self: &Rc<Self>,
        batch: &Batch<'_>,
        origin: Origin,
        now_ms: i64,
    ) -> Result<BatchHeader, LogError> {
        let mut header = batch.header;
        let rest = batch.bytes.get(HEADER_LEN..).unwrap_or_default();
        if let Origin::Leader { epoch } = origin {
            header.base_offset = self.log_end_offset();
            header.leader_epoch = epoch;
            if self.config.get().log_append_time {
                header.attributes = Attributes(header.attributes.0 | 1 << 3);
                header.max_timestamp = now_ms;
                let head = header.to_bytes();
                let crc = crc32c::crc32c(head.get(ATTRIBUTES_AT..).unwrap_or_default());
                header.crc = crc32c::crc32c_append(crc, rest);
            }
        }
        let marker = if header.attributes.is_control() { EndMarker::of(batch)? } else { None };
        let segment = self.segment_for(&header, now_ms);
        let position = segment.end.get().position;
        let mark = BatchMark::from(&header);
        if let Some(builder) = segment.builder.borrow_mut().as_mut()
            && let Err(error) = builder.append(u32::try_from(position).unwrap_or(u32::MAX), mark)
        {
            // An index can be made again from the log; a missing entry only costs a longer scan.
            tracing::warn!(%error, topic = %self.topic, "index entry left out");
        }
        let frugal = self.shard.frugal();
        {
            // The one copy: the header as it is stored, and the records as they came.
            let mut chain = segment.chain.borrow_mut();
            chain.append(&self.shard.pool, &header.to_bytes(), now_ms, frugal);
            chain.append(&self.shard.pool, rest, now_ms, frugal);
            assert!(
                chain.end() == position + header.size_bytes() as u64,
                "the tail ends where the segment does"
            );
        }
        if segment.first_timestamp.get().is_none() {
            segment.first_timestamp.set(Some(header.max_timestamp));
        }
        segment
            .end
            .set(Mark { position: position + header.size_bytes() as u64, offset: header.next_offset() });
        segment.modified_ms.set(now_ms);
        self.note_batch(&segment, &header, marker, matches!(origin, Origin::Leader { .. }));
        Ok(header)
    }

    /// Brings epochs, producers and aborted transactions up to date with a batch of the log.
    pub(super) fn note_batch(
        &self,
        segment: &Segment,
        header: &BatchHeader,
        marker: Option<EndMarker>,
        as_leader: bool,
    ) {
        if header.leader_epoch >= 0 {
            let mut epochs = self.epochs.borrow_mut();
            if epochs.latest().is_none_or(|latest| latest.epoch < header.leader_epoch)
                && let Err(error) = epochs.assign(header.leader_epoch, header.base_offset)
            {
                tracing::warn!(%error, topic = %self.topic, "leader epoch not noted");
            }
        }
        let mut producers = self.producers.borrow_mut();
        let completed =
            if as_leader { producers.append(header, marker) } else { producers.replay(header, marker) };
        if let Some(aborted) = completed.and_then(|completed| completed.aborted_transaction())
            && let Some(transactions) = segment.transactions.borrow_mut().as_mut()
            && let Err(error) = transactions.append(aborted)
        {
            tracing::warn!(%error, topic = %self.topic, "aborted transaction not noted");
        }
    }
}
