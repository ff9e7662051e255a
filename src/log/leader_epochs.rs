//! The leader epochs of a partition's log (`leader-epoch-checkpoint`): each epoch and the first offset written in it.
//!
//! Values only, no I/O. Followers and consumers find with it where their log or position leaves the leader's (KIP-101,
//! KIP-279, KIP-320). Both epochs and start offsets rise; an entry that is in conflict with a newer one is removed. One
//! entry for each change of leader that retention has not passed.

use thiserror::Error;

use super::checkpoint_file::{CheckpointError, encode_lines, parse_lines};

/// The file's name in the partition's directory.
pub const FILE_NAME: &str = "leader-epoch-checkpoint";

/// No epoch, as Kafka writes it.
pub const UNDEFINED_EPOCH: i32 = -1;
/// No end offset, as Kafka writes it.
pub const UNDEFINED_OFFSET: i64 = -1;

/// An epoch and the first offset written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochEntry {
    /// The leader epoch.
    pub epoch: i32,
    /// The first offset that a leader of this epoch wrote.
    pub start_offset: i64,
}

/// The answer to "where does this epoch end".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndOffset {
    /// The largest epoch at or below the one asked for, or [`UNDEFINED_EPOCH`].
    pub epoch: i32,
    /// Its end (the start of the next), or [`UNDEFINED_OFFSET`].
    pub end_offset: i64,
}

impl EndOffset {
    /// Nothing is known.
    pub const UNDEFINED: Self = Self { epoch: UNDEFINED_EPOCH, end_offset: UNDEFINED_OFFSET };
}

/// An entry that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("leader epoch {epoch} with start offset {start_offset}: neither may be negative")]
pub struct LeaderEpochsError {
    /// The epoch.
    pub epoch: i32,
    /// The start offset.
    pub start_offset: i64,
}

/// The leader epochs of one log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaderEpochs {
    /// Rising by epoch and by start offset.
    entries: Vec<EpochEntry>,
}

impl LeaderEpochs {
    /// No epoch.
    pub fn new() -> Self {
        Self::default()
    }

    /// The epochs in a file. Entries in conflict are resolved as [`Self::assign`] does, as in Kafka.
    pub fn parse(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut epochs = Self::new();
        parse_lines(bytes, |line| {
            let mut words = line.split_whitespace();
            let (epoch, start_offset) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            if words.next().is_some() {
                return None;
            }
            epochs.assign(epoch, start_offset).ok()
        })?;
        Ok(epochs)
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        encode_lines(self.entries.iter().map(|entry| format!("{} {}", entry.epoch, entry.start_offset)))
    }

    /// Notes that `start_offset` is the first offset of `epoch`. `true` means that something changed: the file has to
    /// be durable before the first batch of that epoch counts. The newest epoch is not assigned again at a higher
    /// offset; what the new entry contradicts is removed.
    pub fn assign(&mut self, epoch: i32, start_offset: i64) -> Result<bool, LeaderEpochsError> {
        if epoch < 0 || start_offset < 0 {
            return Err(LeaderEpochsError { epoch, start_offset });
        }
        if self.latest().is_some_and(|last| last.epoch == epoch && last.start_offset <= start_offset) {
            return Ok(false);
        }
        let conflicts = |entry: &EpochEntry| entry.epoch >= epoch || entry.start_offset >= start_offset;
        while self.entries.last().is_some_and(conflicts) {
            self.entries.pop();
        }
        self.entries.push(EpochEntry { epoch, start_offset });
        Ok(true)
    }

    /// The newest epoch.
    pub fn latest(&self) -> Option<EpochEntry> {
        self.entries.last().copied()
    }

    /// The oldest epoch.
    pub fn earliest(&self) -> Option<EpochEntry> {
        self.entries.first().copied()
    }

    /// The newest epoch below `epoch`.
    pub fn previous(&self, epoch: i32) -> Option<EpochEntry> {
        let below = self.entries.partition_point(|entry| entry.epoch < epoch);
        below.checked_sub(1).and_then(|number| self.entries.get(number)).copied()
    }

    /// The epoch in which `offset` was or will be written; `None` before the first.
    pub fn epoch_for_offset(&self, offset: i64) -> Option<i32> {
        let above = self.entries.partition_point(|entry| entry.start_offset <= offset);
        above.checked_sub(1).and_then(|number| self.entries.get(number)).map(|entry| entry.epoch)
    }

    /// Where `epoch` ends (OffsetForLeaderEpoch, KIP-101 and KIP-320). The newest epoch ends at `log_end_offset`; an
    /// older one, present or not, ends where the next begins; one older than all is answered with itself and the start
    /// of the first; one newer than all, or none, is undefined.
    pub fn end_offset_for(&self, epoch: i32, log_end_offset: i64) -> EndOffset {
        if epoch == UNDEFINED_EPOCH {
            return EndOffset::UNDEFINED;
        }
        if self.latest().is_some_and(|last| last.epoch == epoch) {
            return EndOffset { epoch, end_offset: log_end_offset };
        }
        let above = self.entries.partition_point(|entry| entry.epoch <= epoch);
        let Some(higher) = self.entries.get(above) else {
            return EndOffset::UNDEFINED;
        };
        let floor = above.checked_sub(1).and_then(|number| self.entries.get(number));
        EndOffset { epoch: floor.map_or(epoch, |entry| entry.epoch), end_offset: higher.start_offset }
    }

    /// The log was truncated to `end_offset`: epochs that start at or above it go. `true` if any did.
    pub fn truncate_from_end(&mut self, end_offset: i64) -> bool {
        let kept = self.entries.partition_point(|entry| entry.start_offset < end_offset);
        let changed = end_offset >= 0 && kept < self.entries.len();
        if changed {
            self.entries.truncate(kept);
        }
        changed
    }

    /// The log starts at `start_offset` now: the epoch of that offset starts there, older ones go. `true` if the
    /// entries changed.
    pub fn truncate_from_start(&mut self, start_offset: i64) -> bool {
        let passed = self.entries.partition_point(|entry| entry.start_offset <= start_offset);
        let Some(oldest) = passed.checked_sub(1) else {
            return false;
        };
        self.entries.drain(..oldest);
        let Some(first) = self.entries.first_mut() else {
            return false;
        };
        let moved = first.start_offset != start_offset;
        first.start_offset = start_offset;
        oldest > 0 || moved
    }

    /// The epochs of a part of the log, from `start_offset` to `end_offset` (not included).
    pub fn in_range(&self, start_offset: i64, end_offset: i64) -> Vec<EpochEntry> {
        let mut part = self.clone();
        if start_offset >= 0 {
            part.truncate_from_start(start_offset);
        }
        part.truncate_from_end(end_offset);
        part.entries
    }

    /// All, oldest first.
    pub fn entries(&self) -> &[EpochEntry] {
        &self.entries
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(entries: &[(i32, i64)]) -> LeaderEpochs {
        let mut epochs = LeaderEpochs::new();
        for (epoch, start_offset) in entries {
            epochs.assign(*epoch, *start_offset).unwrap();
        }
        epochs
    }

    fn pairs(epochs: &LeaderEpochs) -> Vec<(i32, i64)> {
        epochs.entries().iter().map(|entry| (entry.epoch, entry.start_offset)).collect()
    }

    fn end(epochs: &LeaderEpochs, epoch: i32) -> (i32, i64) {
        let found = epochs.end_offset_for(epoch, 100);
        (found.epoch, found.end_offset)
    }

    #[test]
    fn an_epoch_ends_where_the_next_begins() {
        let epochs = epochs(&[(2, 10), (4, 20), (7, 30)]);
        assert_eq!(end(&epochs, 7), (7, 100));
        assert_eq!(end(&epochs, 4), (4, 30));
        assert_eq!(end(&epochs, 2), (2, 20));
        assert_eq!(end(&epochs, 3), (2, 20), "an epoch without records: the one before it");
        assert_eq!(end(&epochs, 6), (4, 30));
        assert_eq!(end(&epochs, 0), (0, 10), "older than all: the start of the first");
        assert_eq!(end(&epochs, 8), (-1, -1));
        assert_eq!(end(&epochs, -1), (-1, -1));
        assert_eq!(end(&LeaderEpochs::new(), 0), (-1, -1));
    }

    #[test]
    fn assigning_again_changes_nothing_and_a_contradiction_removes_the_old() {
        let mut epochs = epochs(&[(1, 0), (2, 10), (3, 20)]);
        assert_eq!(epochs.assign(3, 25), Ok(false));
        assert_eq!(epochs.assign(3, 20), Ok(false));
        assert_eq!(epochs.assign(3, 15), Ok(true));
        assert_eq!(pairs(&epochs), [(1, 0), (2, 10), (3, 15)]);
        assert_eq!(epochs.assign(4, 15), Ok(true), "nothing was written in epoch 3");
        assert_eq!(pairs(&epochs), [(1, 0), (2, 10), (4, 15)]);
        assert_eq!(epochs.assign(2, 12), Ok(true), "an older epoch wins over newer ones, as in Kafka");
        assert_eq!(pairs(&epochs), [(1, 0), (2, 12)]);
        assert_eq!(epochs.assign(5, 0), Ok(true));
        assert_eq!(pairs(&epochs), [(5, 0)]);
        assert!(epochs.assign(-1, 0).is_err());
        assert!(epochs.assign(6, -1).is_err());
    }

    #[test]
    fn truncation_from_the_end_removes_epochs_at_and_above() {
        for (offset, changed, left) in
            [(31, false, 3), (30, true, 2), (21, true, 2), (20, true, 1), (0, true, 0)]
        {
            let mut epochs = epochs(&[(2, 10), (4, 20), (7, 30)]);
            assert_eq!(epochs.truncate_from_end(offset), changed, "to {offset}");
            assert_eq!(epochs.entries().len(), left, "to {offset}");
        }
        let mut epochs = epochs(&[(2, 10)]);
        assert!(!epochs.truncate_from_end(-1));
    }

    #[test]
    fn truncation_from_the_start_moves_the_epoch_of_that_offset() {
        let truncated = |offset| {
            let mut epochs = epochs(&[(2, 10), (4, 20), (7, 30)]);
            let changed = epochs.truncate_from_start(offset);
            (changed, pairs(&epochs))
        };
        assert_eq!(truncated(9), (false, vec![(2, 10), (4, 20), (7, 30)]));
        assert_eq!(truncated(10), (false, vec![(2, 10), (4, 20), (7, 30)]));
        assert_eq!(truncated(15), (true, vec![(2, 15), (4, 20), (7, 30)]));
        assert_eq!(truncated(20), (true, vec![(4, 20), (7, 30)]));
        assert_eq!(truncated(99), (true, vec![(7, 99)]));
    }

    #[test]
    fn an_offset_finds_its_epoch() {
        let epochs = epochs(&[(2, 10), (4, 20)]);
        assert_eq!(epochs.epoch_for_offset(9), None);
        assert_eq!(epochs.epoch_for_offset(10), Some(2));
        assert_eq!(epochs.epoch_for_offset(19), Some(2));
        assert_eq!(epochs.epoch_for_offset(20), Some(4));
        assert_eq!(epochs.previous(4).map(|entry| entry.epoch), Some(2));
        assert_eq!(epochs.previous(2), None);
        let part: Vec<_> = epochs.in_range(12, 20).into_iter().map(|e| (e.epoch, e.start_offset)).collect();
        assert_eq!(part, [(2, 12)]);
    }

    #[test]
    fn the_file_is_kafkas() {
        let epochs = epochs(&[(0, 0), (3, 42)]);
        assert_eq!(epochs.encode(), b"0\n2\n0 0\n3 42\n");
        assert_eq!(LeaderEpochs::parse(&epochs.encode()), Ok(epochs));
        assert_eq!(LeaderEpochs::parse(b""), Ok(LeaderEpochs::new()));
        assert!(LeaderEpochs::parse(b"0\n1\n-1 0\n").is_err());
        assert!(LeaderEpochs::parse(b"0\n1\n1 0 0\n").is_err());
    }
}
