//! Topic configs: overrides over the broker's over the defaults.

use super::support::{map, set};
use crate::config::{Compression, ConfigError, Source, TimestampType, TopicConfig};

#[test]
fn a_topic_without_overrides_has_kafkas_defaults() {
    let topic = TopicConfig::default();
    assert_eq!((topic.retention_ms, topic.retention_bytes), (Some(604_800_000), None));
    assert_eq!((topic.segment_bytes, topic.segment_ms, topic.segment_jitter_ms), (1 << 30, 604_800_000, 0));
    assert_eq!((topic.max_message_bytes, topic.index_interval_bytes), (1_048_588, 4096));
    assert_eq!((topic.timestamp_type, topic.timestamp_after_max_ms), (TimestampType::CreateTime, 3_600_000));
    assert_eq!(
        (topic.timestamp_before_max_ms, topic.flush_messages, topic.flush_ms),
        (i64::MAX, i64::MAX, i64::MAX)
    );
    assert_eq!((topic.compression, topic.min_insync_replicas), (Compression::Producer, 1));
    assert!(topic.cleanup.delete && !topic.cleanup.compact);
    assert_eq!((topic.file_delete_delay_ms, topic.segment_index_bytes), (60_000, 10 << 20));
}

#[test]
fn the_first_broker_synonym_that_is_set_gives_the_default_in_the_topics_unit() {
    let retention = |sets: &[&str]| set(sets).unwrap().topic_defaults.retention_ms;
    assert_eq!(retention(&["log.retention.hours=2"]), Some(7_200_000));
    assert_eq!(retention(&["log.retention.hours=2", "log.retention.minutes=3"]), Some(180_000));
    assert_eq!(
        retention(&["log.retention.hours=2", "log.retention.minutes=3", "log.retention.ms=4"]),
        Some(4)
    );
    assert_eq!(retention(&["log.retention.hours=-1"]), None);
    let config =
        set(&["log.roll.hours=1", "log.roll.jitter.hours=1", "log.flush.scheduler.interval.ms=9"]).unwrap();
    let topic = &config.topic_defaults;
    assert_eq!((topic.segment_ms, topic.segment_jitter_ms, topic.flush_ms), (3_600_000, 3_600_000, 9));
}

#[test]
fn an_override_wins() {
    let config = set(&["log.retention.hours=2", "message.max.bytes=5"]).unwrap();
    let overrides = map(&[
        ("retention.ms", "-1"),
        ("cleanup.policy", "compact,delete"),
        ("compression.type", "zstd"),
        ("message.timestamp.type", "LogAppendTime"),
        ("min.cleanable.dirty.ratio", "0.25"),
    ]);
    let topic = TopicConfig::from_overrides(&config, &overrides).unwrap();
    assert_eq!((topic.retention_ms, topic.max_message_bytes), (None, 5));
    assert!(topic.cleanup.compact && topic.cleanup.delete);
    assert_eq!((topic.compression, topic.timestamp_type), (Compression::Zstd, TimestampType::LogAppendTime));
    assert!((topic.min_cleanable_dirty_ratio - 0.25).abs() < f64::EPSILON);
    let keep_all = TopicConfig::from_overrides(&config, &map(&[("cleanup.policy", "")])).unwrap();
    assert!(!keep_all.cleanup.compact && !keep_all.cleanup.delete);
}

#[test]
fn a_refused_override_is_answered_with_a_line_that_names_it() {
    let config = set(&[]).unwrap();
    let cases = [
        (
            "retention.ms",
            "-2",
            "Invalid value -2 for configuration retention.ms: too small; allowed: a whole number, -1 or more",
        ),
        (
            "segment.bytes",
            "x",
            "Invalid value x for configuration segment.bytes: not a whole number; allowed: a whole number from 1048576 to 2147483647",
        ),
        (
            "cleanup.policy",
            "keep",
            "Invalid value keep for configuration cleanup.policy: has an element that is not one of the values there are; allowed: any of compact, delete",
        ),
        (
            "preallocate",
            "1",
            "Invalid value 1 for configuration preallocate: not true or false; allowed: true or false",
        ),
        (
            "leader.replication.throttled.replicas",
            "1-2",
            "Invalid value 1-2 for configuration leader.replication.throttled.replicas: not understood; allowed: *, or partition:broker pairs separated by commas",
        ),
        ("retention", "1", "Unknown topic config name: retention; did you mean retention.ms?"),
        ("retention.msec", "1", "Unknown topic config name: retention.msec; did you mean retention.ms?"),
        (
            "log.retention.ms",
            "1",
            "Unknown topic config name: log.retention.ms; log.retention.ms is the broker's; the topic's is retention.ms",
        ),
        (
            "remote.storage.enable",
            "true",
            "remote.storage.enable is true, and this broker has no tiered storage; leave it false",
        ),
        ("min.compaction.lag.ms", "9223372036854775807", ""),
    ];
    for (name, value, expected) in cases {
        let error = TopicConfig::from_overrides(&config, &map(&[(name, value)]));
        assert_eq!(error.err().map(|error| error.to_string()).unwrap_or_default(), expected);
    }
    let lags = map(&[("min.compaction.lag.ms", "3"), ("max.compaction.lag.ms", "2")]);
    let error: ConfigError = TopicConfig::from_overrides(&config, &lags).unwrap_err();
    assert_eq!(
        error.to_string(),
        "min.compaction.lag.ms is 3 and max.compaction.lag.ms is 2; the first must not exceed the second"
    );
    assert!(
        TopicConfig::from_overrides(&config, &map(&[("follower.replication.throttled.replicas", "0:1,1:2")]))
            .is_ok()
    );
}

#[test]
fn describing_a_topic_tells_who_set_what() {
    let config = set(&["log.retention.hours=2"]).unwrap();
    let described = config.describe_topic(&map(&[("segment.ms", "500")]));
    let of = |name: &str| described.iter().find(|one| one.key.name == name).unwrap();
    let retention = of("retention.ms");
    assert_eq!((retention.value.as_deref(), retention.source), (Some("7200000"), Source::StaticBroker));
    let synonyms: Vec<_> =
        retention.synonyms.iter().map(|one| (one.name, one.value.as_deref(), one.source)).collect();
    assert_eq!(
        synonyms,
        [
            ("log.retention.hours", Some("2"), Source::StaticBroker),
            ("log.retention.hours", Some("168"), Source::Default),
        ]
    );
    assert_eq!((of("segment.ms").value.as_deref(), of("segment.ms").source), (Some("500"), Source::Topic));
    assert_eq!(of("segment.ms").synonyms[0].name, "segment.ms");
    assert_eq!(
        (of("segment.bytes").value.as_deref(), of("segment.bytes").source),
        (Some("1073741824"), Source::Default)
    );
    assert_eq!(of("remote.log.copy.disable").source, Source::Default);
}
