//! The limits of groups, and where a group is kept.

use crate::config::{Config, Value};

/// Limits that hold for all groups.
#[derive(Clone, Copy, Debug)]
pub struct GroupRules {
    /// `group.min.session.timeout.ms`.
    pub min_session_timeout_ms: i32,
    /// `group.max.session.timeout.ms`.
    pub max_session_timeout_ms: i32,
    /// `group.initial.rebalance.delay.ms`: how long a new group waits for more members.
    pub initial_rebalance_delay_ms: i64,
    /// `group.max.size`.
    pub max_size: usize,
    /// `offset.metadata.max.bytes`.
    pub max_offset_metadata_bytes: usize,
    /// `offsets.retention.minutes`, in milliseconds.
    pub offsets_retention_ms: i64,
    /// `offsets.retention.check.interval.ms`.
    pub offsets_check_interval_ms: i64,
}

impl GroupRules {
    /// The limits that the configuration sets.
    #[must_use]
    pub fn from_config(config: &Config) -> Self {
        let int = |key: &str, default: i64| match config.value(key) {
            Value::Int(value) => value,
            _ => default,
        };
        let int32 = |key: &str, default: i32| i32::try_from(int(key, i64::from(default))).unwrap_or(default);
        Self {
            min_session_timeout_ms: int32("group.min.session.timeout.ms", 6_000),
            max_session_timeout_ms: int32("group.max.session.timeout.ms", 1_800_000),
            initial_rebalance_delay_ms: int("group.initial.rebalance.delay.ms", 3_000),
            max_size: usize::try_from(int32("group.max.size", i32::MAX)).unwrap_or(usize::MAX),
            max_offset_metadata_bytes: usize::try_from(int32("offset.metadata.max.bytes", 4096))
                .unwrap_or(4096),
            offsets_retention_ms: int("offsets.retention.minutes", 10_080).saturating_mul(60_000),
            offsets_check_interval_ms: int("offsets.retention.check.interval.ms", 600_000),
        }
    }
}

/// The partition of the offsets topic that keeps a group: Java's hash of the name, as in Kafka.
#[must_use]
pub fn partition_of_group(group: &str, partitions: usize) -> i32 {
    let hash =
        group.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    (hash & i32::MAX) % i32::try_from(partitions.max(1)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::partition_of_group;

    #[test]
    fn groups_are_kept_where_kafka_keeps_them() {
        // "hello".hashCode() is 99162322; "polygenelubricants".hashCode() is i32::MIN.
        assert_eq!(partition_of_group("hello", 50), 99_162_322 % 50);
        assert_eq!(partition_of_group("polygenelubricants", 50), 0);
        assert_eq!(partition_of_group("", 50), 0);
    }
}
