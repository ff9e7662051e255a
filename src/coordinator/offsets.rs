//! OffsetCommit and OffsetFetch, as far as they are decisions of the group.

use std::sync::Arc;

use super::command::{CommitOffset, FetchedOffset};
use super::group::{Committed, Group, State};
use crate::protocol::ErrorCode;

/// The first version of OffsetCommit that knows GROUP_ID_NOT_FOUND.
const KNOWS_GROUP_ID_NOT_FOUND: i16 = 9;

/// What somebody who names a generation of a group that does not exist is told.
pub(super) fn unknown_group(version: i16) -> ErrorCode {
    if version >= KNOWS_GROUP_ID_NOT_FOUND {
        ErrorCode::GROUP_ID_NOT_FOUND
    } else {
        ErrorCode::ILLEGAL_GENERATION
    }
}

impl Group {
    /// Whether offsets of this member and generation are taken. -1 and "" stand for who only keeps offsets here: that is
    /// allowed while the group has no members.
    pub fn check_commit(
        &mut self,
        member_id: &str,
        instance_id: Option<&str>,
        generation: i32,
        now_ms: i64,
    ) -> Result<(), ErrorCode> {
        if generation < 0 && self.state == State::Empty {
            return Ok(());
        }
        if generation < 0 && member_id.is_empty() && instance_id.is_none() {
            return Err(ErrorCode::UNKNOWN_MEMBER_ID);
        }
        let member_id = self.find(member_id, instance_id)?;
        if generation != self.generation {
            return Err(ErrorCode::ILLEGAL_GENERATION);
        }
        if self.state == State::CompletingRebalance {
            return Err(ErrorCode::REBALANCE_IN_PROGRESS);
        }
        if let Some(member) = self.members.get_mut(&member_id) {
            member.heard(now_ms);
        }
        Ok(())
    }

    /// Notes that offsets of these places are being stored.
    pub fn begin_commit(&mut self, places: &[(Arc<str>, i32)]) {
        for place in places {
            *self.committing.entry(place.clone()).or_default() += 1;
        }
    }

    /// Notes that they have been, or have not.
    pub fn end_commit(&mut self, places: &[(Arc<str>, i32)]) {
        for place in places {
            let Some(count) = self.committing.get_mut(place) else { continue };
            *count -= 1;
            if *count == 0 {
                self.committing.remove(place);
            }
        }
    }

    /// Takes over offsets that have been stored.
    pub fn commit(&mut self, offsets: Vec<CommitOffset>, now_ms: i64) {
        for offset in offsets {
            let committed = Committed {
                offset: offset.offset,
                leader_epoch: offset.leader_epoch,
                metadata: offset.metadata,
                commit_timestamp_ms: now_ms,
                expire_timestamp_ms: offset.retention_ms.map(|kept_ms| now_ms.saturating_add(kept_ms)),
            };
            self.offsets.insert((offset.topic, offset.partition), committed);
        }
    }

    /// OffsetFetch; None asks for all that are kept.
    pub fn fetch_offsets(&self, asked: Option<Vec<(Arc<str>, i32)>>) -> Vec<FetchedOffset> {
        match asked {
            None => self
                .offsets
                .iter()
                .map(|(place, committed)| fetched(place.clone(), Some(committed)))
                .collect(),
            Some(asked) => asked
                .into_iter()
                .map(|place| {
                    let committed = self.offsets.get(&place);
                    fetched(place, committed)
                })
                .collect(),
        }
    }
}

/// What OffsetFetch says of one partition.
pub(super) fn fetched((topic, partition): (Arc<str>, i32), committed: Option<&Committed>) -> FetchedOffset {
    FetchedOffset {
        topic,
        partition,
        offset: committed.map_or(-1, |committed| committed.offset),
        leader_epoch: committed.map_or(-1, |committed| committed.leader_epoch),
        metadata: committed.map(|committed| committed.metadata.clone()).unwrap_or_default(),
    }
}
