//! From the configuration to what the log takes.

use crate::config::TimestampType;
use crate::config::{Config, Durability, TopicConfig};
use crate::log::{self, CleanerSettings, LogConfig, LogSettings};
use crate::runtime::ShardId;

fn at_least_0(value: i32) -> u32 {
    u32::try_from(value).unwrap_or_default()
}

/// A topic's configuration, as its logs take it.
#[must_use]
pub fn log_config(topic: &TopicConfig) -> LogConfig {
    LogConfig {
        segment_bytes: at_least_0(topic.segment_bytes),
        segment_ms: match topic.cleanup.compact {
            // Only closed segments are compacted: as in Kafka none stays open for longer.
            true => topic.segment_ms.min(topic.max_compaction_lag_ms),
            false => topic.segment_ms,
        },
        segment_jitter_ms: topic.segment_jitter_ms,
        segment_index_bytes: at_least_0(topic.segment_index_bytes),
        index_interval_bytes: at_least_0(topic.index_interval_bytes),
        retention_ms: topic.retention_ms,
        retention_bytes: topic.retention_bytes,
        file_delete_delay_ms: u64::try_from(topic.file_delete_delay_ms).unwrap_or_default(),
        delete: topic.cleanup.delete,
        compact: topic.cleanup.compact,
        min_dirty_ratio: topic.min_cleanable_dirty_ratio,
        min_compaction_lag_ms: topic.min_compaction_lag_ms,
        max_compaction_lag_ms: topic.max_compaction_lag_ms,
        delete_retention_ms: topic.delete_retention_ms,
        log_append_time: topic.timestamp_type == TimestampType::LogAppendTime,
        preallocate: topic.preallocate,
    }
}

/// What all journals of a device hold before they are cleaned: it bounds memory and what a start after a crash reads.
const JOURNAL_LIVE_BYTES: u64 = 256 << 20;

/// What a journal may hold however many shards there are.
const LEAST_JOURNAL_LIVE_BYTES: u64 = 16 << 20;

/// The log engine's settings on one of `shards` shards, from `[log]` and `[shards]`.
#[must_use]
pub fn log_settings(config: &Config, shards: ShardId) -> LogSettings {
    let log = &config.log;
    let live_bytes = (JOURNAL_LIVE_BYTES / u64::from(shards.max(1))).max(LEAST_JOURNAL_LIVE_BYTES);
    LogSettings {
        durability: match log.durability {
            Durability::Flush => log::Durability::Flush,
            Durability::Write => log::Durability::Write,
            Durability::Memory => log::Durability::Memory,
        },
        journal_bytes: log.journal_bytes,
        journal_live_bytes: log.journal_live_bytes.unwrap_or(live_bytes.min(log.journal_bytes / 2)),
        journal_groups_in_flight: log.journal_groups_in_flight,
        journal_group_limit_bytes: log.journal_group_limit_bytes,
        journal_group_spacing_us: log.journal_group_spacing_us,
        bypass_bytes: log.bypass_bytes,
        bypass_alone_bytes: log.bypass_alone_bytes,
        tail_idle_seal_ms: log.tail_idle_seal_ms,
        zero_ahead_bytes: log.zero_ahead_bytes,
        zero_ahead_bytes_per_second: log.zero_ahead_bytes_per_second,
        background_inflight_bytes: log.background_inflight_bytes,
        disk_reserve_bytes: log.disk_reserve_bytes,
        disk_shards: u64::from(shards.max(1)),
        open_segments: log.open_segments,
        open_writers: log.open_writers,
        allow_unsafe_filesystem: log.allow_unsafe_filesystem,
        retention_check_interval_ms: log.retention_check_interval_ms,
        checkpoint_interval_ms: log.checkpoint_interval_ms,
        tail_cache_bytes: config.shards.tail_cache_bytes,
        huge_pages: config.shards.huge_pages,
        producer_id_expiration_ms: log.producer_id_expiration_ms,
        cleaner_enabled: log.cleaner.enabled,
        cleaner: cleaner_settings(config, shards),
        ..LogSettings::default()
    }
}

/// How one of `shards` shards cleans compacted topics.
#[must_use]
pub fn cleaner_settings(config: &Config, shards: ShardId) -> CleanerSettings {
    let cleaner = &config.log.cleaner;
    CleanerSettings {
        map_bytes: cleaner.dedupe_buffer_bytes / u64::from(shards.max(1)),
        load_factor: cleaner.load_factor,
        window_bytes: cleaner.io_buffer_bytes / 2,
        bytes_per_second: cleaner.bytes_per_second / u64::from(shards.max(1)),
        backoff_ms: cleaner.backoff_ms,
    }
}
