//! Limits and choices of the log engine, per process ([`LogSettings`]) and per topic ([`LogConfig`]).
//!
//! Plain values: the configuration module fills them in, tests set single fields over the defaults.

/// When an append counts as durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// After the flush that covers it.
    Flush,
    /// After the device took the write; a power cut may lose it.
    Write,
    /// At once; a crash of the process may lose it.
    Memory,
}

/// A fault planted on purpose, so that a test can show that it would be caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// The durable end moves when a group is submitted.
    AckBeforeFlush,
    /// A segment's blocks count as durable because the journal was flushed (law 1).
    FlushOfAnotherFile,
    /// The journal lets go of blocks that no segment holds.
    JournalDroppedBeforeSegment,
    /// Replay skips truncations (law 3).
    TruncationNotReplayed,
    /// Replay takes entries of any incarnation (law 4).
    StaleIncarnationAccepted,
    /// Replay ignores lap and sequence (law 6).
    JournalLapConfused,
    /// A new segment's name is not made durable.
    DirectoryNotFlushed,
    /// The offset index is asked for the next offset.
    IndexOffByOne,
    /// A cleaned segment takes the place of others before it is flushed (law 11).
    CleanedNotFlushed,
    /// A copy in another log directory counts before it is flushed.
    CopyNotFlushed,
}

/// Limits of one shard's log engine. Byte values are per shard and log directory unless said otherwise.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// When an append counts as durable.
    pub durability: Durability,
    /// The largest journal.
    pub journal_bytes: u64,
    /// Journal in use before it is cleaned.
    pub journal_live_bytes: u64,
    /// Size a journal is made with; it grows, doubling, up to `journal_bytes`.
    pub journal_start_bytes: u64,
    /// Group writes at the same time, 1 or 2.
    pub journal_groups_in_flight: usize,
    /// A group takes no further entry beyond this.
    pub journal_group_limit_bytes: u64,
    /// Least time between the starts of two groups, microseconds.
    pub journal_group_spacing_us: u64,
    /// What has gathered for a partition beyond this skips the journal.
    pub bypass_bytes: u64,
    /// The same while one partition alone is written.
    pub bypass_alone_bytes: u64,
    /// A tail idle for so long is sealed.
    pub tail_idle_seal_ms: u64,
    /// How far a segment is zeroed before the write position; 0 for not at all.
    pub zero_ahead_bytes: u64,
    /// How fast, in bytes a second.
    pub zero_ahead_bytes_per_second: u64,
    /// Background writes at the same time.
    pub background_inflight_bytes: u64,
    /// With less free, a log directory takes no more records.
    pub disk_reserve_bytes: u64,
    /// Shards that take space of the same disks.
    pub disk_shards: u64,
    /// Segments whose files are kept open for readers, per shard.
    pub open_segments: usize,
    /// Segments whose files are kept open for writing, per shard.
    pub open_writers: usize,
    /// Whether any file system is taken as log directory.
    pub allow_unsafe_filesystem: bool,
    /// Time between two looks for what retention deletes.
    pub retention_check_interval_ms: u64,
    /// Time between two writes of the checkpoints.
    pub checkpoint_interval_ms: u64,
    /// Bytes of a directory that a start after a crash may have to scan, per shard.
    pub unscanned_bytes: u64,
    /// Tails, caches and group buffers of a shard.
    pub tail_cache_bytes: u64,
    /// Tails, and what is kept for readers, in huge pages.
    pub huge_pages: bool,
    /// Producer ids idle for so long are forgotten.
    pub producer_id_expiration_ms: i64,
    /// Producer ids a partition remembers at most.
    pub max_producers: usize,
    /// The longest timeout of a transaction.
    pub max_transaction_timeout_ms: i64,
    /// Whether transactional writes must be verified first (KIP-890).
    pub verify_transactions: bool,
    /// Whether compacted topics are cleaned.
    pub cleaner_enabled: bool,
    /// How, at first.
    pub cleaner: CleanerSettings,
    /// A planted fault; without effect in release builds.
    pub sabotage: Option<Sabotage>,
}

/// How a shard cleans compacted topics. May change: a pass under way goes on with its map of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CleanerSettings {
    /// The keys of a pass, in bytes.
    pub map_bytes: u64,
    /// How full the table of keys may be, from 0 to 1.
    pub load_factor: f64,
    /// Read and written at a time.
    pub window_bytes: u64,
    /// Read and written in a second.
    pub bytes_per_second: u64,
    /// Pause when there is nothing to clean.
    pub backoff_ms: u64,
}

impl Default for CleanerSettings {
    fn default() -> Self {
        Self {
            map_bytes: 128 << 20,
            load_factor: 0.9,
            window_bytes: 256 << 10,
            bytes_per_second: u64::MAX,
            backoff_ms: 15_000,
        }
    }
}

impl Default for LogSettings {
    fn default() -> Self {
        Self {
            durability: Durability::Flush,
            journal_bytes: 512 << 20,
            journal_live_bytes: 256 << 20,
            journal_start_bytes: 16 << 20,
            journal_groups_in_flight: 1,
            journal_group_limit_bytes: 256 << 10,
            journal_group_spacing_us: 0,
            bypass_bytes: 256 << 10,
            bypass_alone_bytes: 256 << 10,
            tail_idle_seal_ms: 10_000,
            zero_ahead_bytes: 32 << 20,
            zero_ahead_bytes_per_second: 300_000_000,
            background_inflight_bytes: 512 << 10,
            disk_reserve_bytes: 256 << 20,
            disk_shards: 1,
            open_segments: 1024,
            open_writers: 4096,
            allow_unsafe_filesystem: false,
            retention_check_interval_ms: 300_000,
            checkpoint_interval_ms: 60_000,
            unscanned_bytes: 256 << 20,
            tail_cache_bytes: 256 << 20,
            huge_pages: false,
            producer_id_expiration_ms: 86_400_000,
            max_producers: 100_000,
            max_transaction_timeout_ms: 900_000,
            verify_transactions: true,
            cleaner_enabled: true,
            cleaner: CleanerSettings::default(),
            sabotage: None,
        }
    }
}

impl LogSettings {
    /// Whether `fault` is planted. Constant false in release builds.
    #[inline]
    #[must_use]
    pub fn sabotaged(&self, fault: Sabotage) -> bool {
        if cfg!(debug_assertions) { self.sabotage == Some(fault) } else { false }
    }
}

/// What a topic's configuration says about its logs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogConfig {
    /// Size at which a segment is rolled.
    pub segment_bytes: u32,
    /// Age at which a segment is rolled.
    pub segment_ms: i64,
    /// Most that is taken off `segment_ms`, at random, so that not all roll at once.
    pub segment_jitter_ms: i64,
    /// Size of an index at which its segment is rolled.
    pub segment_index_bytes: u32,
    /// Bytes between two index entries.
    pub index_interval_bytes: u32,
    /// Age at which a segment is deleted.
    pub retention_ms: Option<i64>,
    /// Size of the log beyond which its oldest segments are deleted.
    pub retention_bytes: Option<i64>,
    /// Time between the renaming of a deleted file and its end.
    pub file_delete_delay_ms: u64,
    /// Whether `cleanup.policy` has `delete`.
    pub delete: bool,
    /// Whether `cleanup.policy` has `compact`.
    pub compact: bool,
    /// The dirty part at which a log is cleaned.
    pub min_dirty_ratio: f64,
    /// Younger records are not cleaned.
    pub min_compaction_lag_ms: i64,
    /// What is older is cleaned whatever the ratio; `i64::MAX`: no limit.
    pub max_compaction_lag_ms: i64,
    /// How long a tombstone stays after the first pass over it.
    pub delete_retention_ms: i64,
    /// Whether records carry the time of their append.
    pub log_append_time: bool,
    /// Whether a new segment is allocated whole.
    pub preallocate: bool,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self {
            segment_bytes: 1 << 30,
            segment_ms: 7 * 86_400_000,
            segment_jitter_ms: 0,
            segment_index_bytes: 10 << 20,
            index_interval_bytes: 4096,
            retention_ms: Some(7 * 86_400_000),
            retention_bytes: None,
            file_delete_delay_ms: 60_000,
            delete: true,
            compact: false,
            min_dirty_ratio: 0.5,
            min_compaction_lag_ms: 0,
            max_compaction_lag_ms: i64::MAX,
            delete_retention_ms: 86_400_000,
            log_append_time: false,
            preallocate: false,
        }
    }
}
