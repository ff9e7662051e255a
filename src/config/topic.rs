//! Kafka's topic keys, as in Apache Kafka 4.4.0. A topic without a value of its own takes the broker's, by the
//! synonyms given here: the first that is set, times its factor.

use super::checks;
use super::key::{Key, boolean, double, int, list, long, string};

/// Every key of a topic.
pub(in crate::config) const TOPIC: &[Key] = &[
    list("cleanup.policy")
        .or("delete")
        .one_of(&["compact", "delete"])
        .synonyms(&[("log.cleanup.policy", 1)])
        .honoured("What happens to old segments: delete, compact, or both; empty: nothing."),
    int("compression.gzip.level").or("-1").between_or(1, 9, -1).synonyms(&[("compression.gzip.level", 1)]),
    int("compression.lz4.level").or("9").between(1, 17).synonyms(&[("compression.lz4.level", 1)]),
    string("compression.type")
        .or("producer")
        .one_of(&["uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"])
        .synonyms(&[("compression.type", 1)]),
    int("compression.zstd.level").or("3").between(-131072, 22).synonyms(&[("compression.zstd.level", 1)]),
    long("delete.retention.ms")
        .or("86400000")
        .min(0)
        .synonyms(&[("log.cleaner.delete.retention.ms", 1)])
        .honoured("How long a tombstone stays after the first compaction over it."),
    boolean("errors.deadletterqueue.group.enable").or("false"),
    long("file.delete.delay.ms")
        .or("60000")
        .min(0)
        .synonyms(&[("log.segment.delete.delay.ms", 1)])
        .honoured("How long a deleted segment's file stays before it is unlinked."),
    long("flush.messages").or("9223372036854775807").min(1).synonyms(&[("log.flush.interval.messages", 1)]),
    long("flush.ms")
        .or("9223372036854775807")
        .min(0)
        .synonyms(&[("log.flush.interval.ms", 1), ("log.flush.scheduler.interval.ms", 1)]),
    list("follower.replication.throttled.replicas").or("").checked(checks::THROTTLED),
    int("index.interval.bytes")
        .or("4096")
        .min(0)
        .synonyms(&[("log.index.interval.bytes", 1)])
        .honoured("About every so many bytes of log get an index entry."),
    int("internal.segment.bytes").internal(),
    list("leader.replication.throttled.replicas").or("").checked(checks::THROTTLED),
    long("local.retention.bytes").or("-2").min(-2).synonyms(&[("log.local.retention.bytes", 1)]),
    long("local.retention.ms").or("-2").min(-2).synonyms(&[("log.local.retention.ms", 1)]),
    long("max.compaction.lag.ms")
        .or("9223372036854775807")
        .min(1)
        .synonyms(&[("log.cleaner.max.compaction.lag.ms", 1)])
        .honoured("Older records are compacted whatever the dirty part."),
    int("max.decompressed.message.bytes")
        .or("2147483639")
        .between(1, 2147483639)
        .synonyms(&[("max.decompressed.message.bytes", 1)])
        .honoured("A compressed batch that grows beyond this is refused."),
    int("max.message.bytes")
        .or("1048588")
        .min(0)
        .synonyms(&[("message.max.bytes", 1)])
        .honoured("The largest batch that is accepted."),
    long("message.timestamp.after.max.ms")
        .or("3600000")
        .min(0)
        .synonyms(&[("log.message.timestamp.after.max.ms", 1)])
        .honoured("A record stamped later than now plus this is refused."),
    long("message.timestamp.before.max.ms")
        .or("9223372036854775807")
        .min(0)
        .synonyms(&[("log.message.timestamp.before.max.ms", 1)])
        .honoured("A record stamped earlier than now less this is refused."),
    string("message.timestamp.type")
        .or("CreateTime")
        .one_of(&["CreateTime", "LogAppendTime"])
        .synonyms(&[("log.message.timestamp.type", 1)])
        .honoured("Whose time a record carries: the client's or the append's."),
    double("min.cleanable.dirty.ratio")
        .or("0.5")
        .ratio(0.0, 1.0)
        .synonyms(&[("log.cleaner.min.cleanable.ratio", 1)])
        .honoured("The dirty part of a log above which it is compacted."),
    long("min.compaction.lag.ms")
        .or("0")
        .min(0)
        .synonyms(&[("log.cleaner.min.compaction.lag.ms", 1)])
        .honoured("Younger records are not compacted."),
    int("min.insync.replicas")
        .or("1")
        .min(1)
        .synonyms(&[("min.insync.replicas", 1)])
        .honoured("With acks=all, a write needs so many replicas in sync."),
    boolean("preallocate")
        .or("false")
        .synonyms(&[("log.preallocate", 1)])
        .honoured("A segment's file is made at its full size at once."),
    long("remote.copy.lag.bytes").or("-1").min(-1).synonyms(&[("log.remote.copy.lag.bytes", 1)]),
    long("remote.copy.lag.ms").or("0").min(-1).synonyms(&[("log.remote.copy.lag.ms", 1)]),
    boolean("remote.log.copy.disable").or("false"),
    boolean("remote.log.delete.on.disable").or("false"),
    boolean("remote.storage.enable").or("false"),
    long("retention.bytes")
        .or("-1")
        .synonyms(&[("log.retention.bytes", 1)])
        .honoured("A partition above this size loses its oldest segments; -1: no limit."),
    long("retention.ms")
        .or("604800000")
        .min(-1)
        .synonyms(&[
            ("log.retention.ms", 1),
            ("log.retention.minutes", 60000),
            ("log.retention.hours", 3600000),
        ])
        .honoured("How long records are kept; -1: no limit."),
    int("segment.bytes")
        .or("1073741824")
        .min(1048576)
        .synonyms(&[("log.segment.bytes", 1)])
        .honoured("The size at which a segment is closed."),
    int("segment.index.bytes")
        .or("10485760")
        .min(4)
        .synonyms(&[("log.index.size.max.bytes", 1)])
        .honoured("The largest index file of a segment."),
    long("segment.jitter.ms")
        .or("0")
        .min(0)
        .synonyms(&[("log.roll.jitter.ms", 1), ("log.roll.jitter.hours", 3600000)])
        .honoured("The most that is taken, at random, from segment.ms."),
    long("segment.ms")
        .or("604800000")
        .min(1)
        .synonyms(&[("log.roll.ms", 1), ("log.roll.hours", 3600000)])
        .honoured("The longest time before a segment is closed."),
    boolean("unclean.leader.election.enable").or("false").synonyms(&[("unclean.leader.election.enable", 1)]),
];
