//! What a consumer or follower gets of one partition.

use super::errors::code_of;
use super::leader::Partition;
use crate::log;
use crate::net::Part;
use crate::protocol::{ErrorCode, Uuid};

/// Up to where a consumer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Up to the high watermark.
    ReadUncommitted,
    /// Up to the last stable offset.
    ReadCommitted,
}

/// What a fetch asks of one partition.
#[derive(Clone, Copy, Debug)]
pub struct FetchItem {
    /// The topic.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The offset of the first record asked for.
    pub fetch_offset: i64,
    /// At most so many bytes, but a first batch whole (KIP-74).
    pub max_bytes: u32,
    /// The epoch in which the client believes the leader to be, or -1.
    pub current_leader_epoch: i32,
    /// The epoch of the last record fetched, or -1 (KIP-595).
    pub last_fetched_epoch: i32,
}

/// What it gets. Crosses shards.
#[derive(Debug)]
pub struct FetchedPartition {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// -1 when not known.
    pub high_watermark: i64,
    /// -1 when not known.
    pub last_stable_offset: i64,
    /// -1 when not known.
    pub log_start_offset: i64,
    /// Where the client's log has left ours: epoch and end offset (KIP-595).
    pub diverging: Option<(i32, i64)>,
    /// The leader and its epoch, told when the client is wrong about them (KIP-951).
    pub current_leader: Option<(i32, i32)>,
    /// Aborted transactions among the records, as producer id and first offset; empty without transactions.
    pub aborted: Vec<(i64, i64)>,
    /// The records.
    pub parts: Vec<Part>,
    /// Their bytes.
    pub bytes: u64,
}

impl FetchedPartition {
    /// An error, and nothing else.
    #[must_use]
    pub fn failed(code: ErrorCode) -> Self {
        Self {
            code,
            high_watermark: -1,
            last_stable_offset: -1,
            log_start_offset: -1,
            diverging: None,
            current_leader: None,
            aborted: Vec::new(),
            parts: Vec::new(),
            bytes: 0,
        }
    }
}

fn part_of(part: log::Part) -> Part {
    match part {
        log::Part::Memory(bytes) => Part::Memory(bytes),
        log::Part::File { file, directory, position, len } => {
            Part::File { handle: file, directory, position, len }
        }
    }
}

impl Partition {
    /// Everything but the records: the checks of a fetch, and how far it may read. None when there is nothing to read.
    fn begin_fetch(&self, item: &FetchItem, isolation: Isolation) -> (FetchedPartition, Option<i64>) {
        let mut fetched = FetchedPartition::failed(ErrorCode::NONE);
        if let Err(code) = self.check_leader(item.current_leader_epoch) {
            fetched.code = code;
            fetched.current_leader = Some(self.leader_and_epoch());
            return (fetched, None);
        }
        if let Some(error) = self.log().error() {
            fetched.code = code_of(&error);
            return (fetched, None);
        }
        fetched.high_watermark = self.high_watermark();
        fetched.last_stable_offset = self.last_stable_offset();
        fetched.log_start_offset = self.log().log_start_offset();
        if item.last_fetched_epoch >= 0 {
            let end = self.log().end_offset_for_epoch(item.last_fetched_epoch);
            if end.epoch < 0 {
                fetched.code = ErrorCode::OFFSET_OUT_OF_RANGE;
                return (fetched, None);
            }
            if end.epoch < item.last_fetched_epoch || end.end_offset < item.fetch_offset {
                fetched.diverging = Some((end.epoch, end.end_offset));
                return (fetched, None);
            }
        }
        let in_range = (fetched.log_start_offset..=self.log().log_end_offset()).contains(&item.fetch_offset);
        if !in_range {
            fetched = FetchedPartition::failed(ErrorCode::OFFSET_OUT_OF_RANGE);
            return (fetched, None);
        }
        let upper_bound = match isolation {
            Isolation::ReadUncommitted => fetched.high_watermark,
            Isolation::ReadCommitted => fetched.last_stable_offset,
        };
        let readable = item.fetch_offset < upper_bound;
        (fetched, readable.then_some(upper_bound))
    }

    /// Reads for a fetch; `at_least_one` gives a first batch that is larger than allowed whole.
    pub async fn fetch(
        &self,
        item: &FetchItem,
        max_bytes: u32,
        at_least_one: bool,
        isolation: Isolation,
    ) -> FetchedPartition {
        loop {
            let compactions = self.log().compactions();
            let fetched = self.fetch_once(item, max_bytes, at_least_one, isolation).await;
            // The aborted transactions of compacted segments are not those of the bytes from before.
            if isolation == Isolation::ReadUncommitted || self.log().compactions() == compactions {
                return fetched;
            }
        }
    }

    async fn fetch_once(
        &self,
        item: &FetchItem,
        max_bytes: u32,
        at_least_one: bool,
        isolation: Isolation,
    ) -> FetchedPartition {
        let (mut fetched, upper_bound) = self.begin_fetch(item, isolation);
        let Some(upper_bound) = upper_bound else { return fetched };
        let read = match self.log().try_read(item.fetch_offset, max_bytes, upper_bound, at_least_one) {
            Some(read) => read,
            None => self.log().read(item.fetch_offset, max_bytes, upper_bound, at_least_one).await,
        };
        let read = match read {
            Ok(read) => read,
            Err(error) => return FetchedPartition::failed(code_of(&error)),
        };
        fetched.log_start_offset = read.log_start_offset;
        fetched.bytes = read.bytes;
        fetched.parts = read.parts.into_iter().map(part_of).collect();
        if isolation == Isolation::ReadCommitted && fetched.bytes > 0 {
            let end = read.next_offset.unwrap_or(upper_bound);
            match self.log().aborted_transactions(item.fetch_offset, end).await {
                Ok(aborted) => {
                    fetched.aborted = aborted.iter().map(|a| (a.producer_id, a.first_offset)).collect()
                }
                Err(error) => return FetchedPartition::failed(code_of(&error)),
            }
        }
        fetched
    }
}
