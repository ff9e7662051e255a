//! Raft's view of the metadata log: one entry is one record batch, and its term is the batch's leader epoch.
//!
//! An entry's data is the batch as bytes; the empty entry with which a leader begins its term is the control batch that
//! starts with a LeaderChangeMessage. So the map from index to base offset follows from the log alone and is rebuilt
//! from its batch headers at start. The map is kept whole in memory, 16 bytes an entry; it is bounded by snapshots, which
//! are not made yet: until then it grows with the number of batches ever written.
//!
//! Data is kept in memory only for entries that may still be asked for: those not applied yet.

use std::collections::VecDeque;

use bytes::Bytes;
use raft::eraftpb::{ConfState, Entry, HardState, Snapshot};
use raft::{GetEntriesContext, RaftState, Storage, StorageError};

use crate::protocol::record_batch::{Batch, BatchError, BatchHeader, ControlType};

/// Where an entry's batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Offset of the batch's first record.
    pub base_offset: i64,
    /// Term.
    pub epoch: i32,
}

/// The log as Raft sees it, and what was durable of term, vote and voters.
pub struct RaftLog {
    /// Index of the entry before the first that is there (0 as long as there are no snapshots), and its term.
    before_first: (u64, u64),
    positions: Vec<Position>,
    /// The last entries, without a gap up to the last index.
    held: VecDeque<Entry>,
    hard_state: HardState,
    voters: Vec<u64>,
}

impl RaftLog {
    /// An empty log of a group of `voters`.
    #[must_use]
    pub fn new(voters: Vec<u64>, hard_state: HardState) -> Self {
        Self { before_first: (0, 0), positions: Vec::new(), held: VecDeque::new(), hard_state, voters }
    }

    fn first(&self) -> u64 {
        self.before_first.0 + 1
    }

    /// Index of the last entry.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.before_first.0 + self.positions.len() as u64
    }

    /// Where an entry's batch is.
    #[must_use]
    pub fn position(&self, index: u64) -> Option<Position> {
        let at = usize::try_from(index.checked_sub(self.first())?).ok()?;
        self.positions.get(at).copied()
    }

    /// Term and vote as they are durable.
    #[must_use]
    pub fn hard_state(&self) -> &HardState {
        &self.hard_state
    }

    /// Changes what is known to be durable of term, vote and commit.
    pub fn set_hard_state(&mut self, hard_state: HardState) {
        self.hard_state = hard_state;
    }

    /// Adds an entry whose batch is already in the log, without holding its data (it is applied).
    pub fn restore(&mut self, position: Position) {
        debug_assert!(self.held.is_empty());
        self.positions.push(position);
    }

    /// Adds an entry that was just appended to the log.
    pub fn push(&mut self, entry: Entry, position: Position) {
        assert!(entry.index == self.last() + 1, "entry {} after {}", entry.index, self.last());
        self.positions.push(position);
        self.held.push_back(entry);
    }

    /// Forgets all entries from `index` on: another leader has written others there.
    pub fn truncate_from(&mut self, index: u64) {
        let keep = index.saturating_sub(self.first());
        self.positions.truncate(usize::try_from(keep).unwrap_or(usize::MAX));
        while self.held.back().is_some_and(|entry| entry.index >= index) {
            self.held.pop_back();
        }
    }

    /// Lets go of the data of entries up to `index`.
    pub fn applied_to(&mut self, index: u64) {
        while self.held.front().is_some_and(|entry| entry.index <= index) {
            self.held.pop_front();
        }
    }
}

/// The entry that a batch in the log stands for.
///
/// # Errors
/// When the batch is damaged.
pub fn entry_of(index: u64, bytes: Bytes) -> Result<(Entry, Position), BatchError> {
    let batch = Batch::parse(&bytes)?;
    let BatchHeader { base_offset, leader_epoch, .. } = batch.header;
    let is_leader_change = starts_with_leader_change(&batch)?;
    let entry = Entry {
        index,
        term: u64::try_from(leader_epoch).unwrap_or_default(),
        data: if is_leader_change { Bytes::new() } else { bytes },
        ..Entry::default()
    };
    Ok((entry, Position { base_offset, epoch: leader_epoch }))
}

fn starts_with_leader_change(batch: &Batch<'_>) -> Result<bool, BatchError> {
    if !batch.header.attributes.is_control() {
        return Ok(false);
    }
    let mut scratch = Vec::new();
    let first = batch.records(0, &mut scratch)?.next().transpose()?;
    let key = first.and_then(|record| record.key).unwrap_or_default();
    Ok(matches!(ControlType::from_key(key), Ok(ControlType::LeaderChange)))
}

impl Storage for RaftLog {
    fn initial_state(&self) -> raft::Result<RaftState> {
        let conf_state = ConfState { voters: self.voters.clone(), ..ConfState::default() };
        Ok(RaftState::new(self.hard_state.clone(), conf_state))
    }

    fn entries(
        &self,
        low: u64,
        high: u64,
        max_size: impl Into<Option<u64>>,
        _context: GetEntriesContext,
    ) -> raft::Result<Vec<Entry>> {
        if low < self.first() {
            return Err(StorageError::Compacted.into());
        }
        let held_from = self.held.front().map_or(self.last() + 1, |entry| entry.index);
        // Raft asks for what is not applied, which is held. Only a leader with followers behind it asks for more: then
        // the driver has to bring it from the log first.
        let Some(from) = low.checked_sub(held_from) else {
            return Err(StorageError::Unavailable.into());
        };
        let mut left = max_size.into().unwrap_or(u64::MAX);
        let mut entries = Vec::new();
        for entry in self.held.iter().skip(from as usize).take(high.saturating_sub(low) as usize) {
            let size = entry.data.len() as u64;
            if size > left && !entries.is_empty() {
                break;
            }
            left = left.saturating_sub(size);
            entries.push(entry.clone());
        }
        Ok(entries)
    }

    fn term(&self, index: u64) -> raft::Result<u64> {
        if index == self.before_first.0 {
            return Ok(self.before_first.1);
        }
        if index < self.before_first.0 {
            return Err(StorageError::Compacted.into());
        }
        let position = self.position(index).ok_or(StorageError::Unavailable)?;
        Ok(u64::try_from(position.epoch).unwrap_or_default())
    }

    fn first_index(&self) -> raft::Result<u64> {
        Ok(self.first())
    }

    fn last_index(&self) -> raft::Result<u64> {
        Ok(self.last())
    }

    fn snapshot(&self, _request_index: u64, _to: u64) -> raft::Result<Snapshot> {
        Err(StorageError::SnapshotTemporarilyUnavailable.into())
    }
}
