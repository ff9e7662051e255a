//! What the engine of one shard has done since its start, for metrics.

use std::cell::RefCell;

/// Counts since the start; bytes unless the name says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct LogCounters {
    pub appends: u64,
    pub appended_bytes: u64,
    pub groups: u64,
    pub group_entries: u64,
    pub group_bytes: u64,
    /// With headers and padding.
    pub journal_bytes: u64,
    pub carried_bytes: u64,
    pub bypass_writes: u64,
    pub bypass_bytes: u64,
    pub segment_bytes: u64,
    pub zeroed_bytes: u64,
    pub cleaned_regions: u64,
    pub seals: u64,
    pub rolls: u64,
    pub checkpoints: u64,
    pub truncations: u64,
    /// Passes of the cleaner that came to their end.
    pub cleaning_passes: u64,
    /// Read by the cleaner, in both halves of a pass.
    pub cleaner_read_bytes: u64,
    pub cleaner_written_bytes: u64,
    /// Segments that compaction has replaced.
    pub compacted_segments: u64,
    pub deleted_segments: u64,
    /// Logs that came into other log directories.
    pub relocations: u64,
    /// Copied for them, also for those that came to nothing.
    pub relocated_bytes: u64,
    pub evicted_chunks: u64,
    /// Reservations that had to wait.
    pub stalled_appends: u64,
    /// Microseconds from groups' starts to their ends, all together.
    pub group_us: u64,
    /// Groups by the base-2 logarithm of their microseconds.
    pub group_latency: [u64; 32],
}

/// The counters of a shard, counted in place.
#[derive(Default)]
pub struct Counters(RefCell<LogCounters>);

impl Counters {
    /// Changes them.
    #[inline]
    pub fn with(&self, change: impl FnOnce(&mut LogCounters)) {
        change(&mut self.0.borrow_mut());
    }

    /// The counts now.
    #[must_use]
    pub fn get(&self) -> LogCounters {
        *self.0.borrow()
    }
}
