//! Kafka's broker keys: topics and their logs. Values, defaults and bounds as in Apache Kafka 4.4.0.

use crate::config::key::{Key, boolean, class, double, int, list, long, string};

/// Topics and their logs.
pub(in crate::config) const LOG: &[Key] = &[
    boolean("auto.create.topics.enable")
        .or("true")
        .toml("topics.auto_create")
        .honoured("Make a topic when a client asks for one that does not exist and allows it."),
    int("compression.gzip.level").or("-1").between_or(1, 9, -1).cluster_wide(),
    int("compression.lz4.level").or("9").between(1, 17).cluster_wide(),
    string("compression.type")
        .or("producer")
        .one_of(&["uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"])
        .cluster_wide(),
    int("compression.zstd.level").or("3").between(-131072, 22).cluster_wide(),
    list("cordoned.log.dirs").or("").per_broker(),
    class("create.topic.policy.class.name"),
    int("default.replication.factor")
        .or("1")
        .toml("topics.replication_factor")
        .honoured("Replicas of a topic that is made without a number."),
    int("delete.records.purgatory.purge.interval.requests").or("1"),
    boolean("delete.topic.enable").or("true").honoured("Whether clients may delete topics."),
    long("log.cleaner.backoff.ms")
        .or("15000")
        .min(0)
        .cluster_wide()
        .honoured("How long the cleaner pauses when no compacted topic has anything to clean."),
    long("log.cleaner.dedupe.buffer.size")
        .or("134217728")
        .cluster_wide()
        .honoured("Memory for the keys of the cleaning passes under way, of all shards."),
    long("log.cleaner.delete.retention.ms")
        .or("86400000")
        .min(0)
        .cluster_wide()
        .honoured("How long a tombstone stays after the first pass over it."),
    boolean("log.cleaner.enable").or("true").honoured("Whether compacted topics are cleaned."),
    double("log.cleaner.io.buffer.load.factor")
        .or("0.9")
        .cluster_wide()
        .honoured("How full the tables of keys may be."),
    int("log.cleaner.io.buffer.size")
        .or("524288")
        .min(0)
        .cluster_wide()
        .honoured("A cleaner reads half of it at a time."),
    double("log.cleaner.io.max.bytes.per.second")
        .or("1.7976931348623157E308")
        .cluster_wide()
        .honoured("What all cleaners together read and write in a second."),
    long("log.cleaner.max.compaction.lag.ms")
        .or("9223372036854775807")
        .min(1)
        .cluster_wide()
        .honoured("Older records are compacted whatever the dirty part."),
    double("log.cleaner.min.cleanable.ratio")
        .or("0.5")
        .ratio(0.0, 1.0)
        .cluster_wide()
        .honoured("The dirty part of a log above which it is compacted."),
    long("log.cleaner.min.compaction.lag.ms")
        .or("0")
        .min(0)
        .cluster_wide()
        .honoured("Younger records are not compacted."),
    int("log.cleaner.threads").or("1").min(0).cluster_wide(),
    list("log.cleanup.policy")
        .or("delete")
        .one_of(&["compact", "delete"])
        .cluster_wide()
        .honoured("What happens to old segments: delete, compact, or both."),
    list("log.dir").or("/tmp/kafka-logs").honoured("One directory for data; log.dirs has precedence."),
    long("log.dir.failure.timeout.ms").or("30000").min(1),
    list("log.dirs").toml("log.dirs").honoured("Directories for data, best one per device."),
    long("log.flush.interval.messages").or("9223372036854775807").min(1).cluster_wide(),
    long("log.flush.interval.ms").cluster_wide(),
    int("log.flush.offset.checkpoint.interval.ms")
        .or("60000")
        .min(0)
        .honoured("How often recovery checkpoints are written."),
    long("log.flush.scheduler.interval.ms").or("9223372036854775807"),
    int("log.flush.start.offset.checkpoint.interval.ms").or("60000").min(0),
    int("log.index.interval.bytes")
        .or("4096")
        .min(0)
        .cluster_wide()
        .honoured("About every so many bytes of log get an index entry."),
    int("log.index.size.max.bytes")
        .or("10485760")
        .min(4)
        .cluster_wide()
        .honoured("The largest index file of a segment."),
    long("log.initial.task.delay.ms").or("30000").min(0).internal(),
    long("log.local.retention.bytes").or("-2").min(-2).cluster_wide(),
    long("log.local.retention.ms").or("-2").min(-2).cluster_wide(),
    long("log.message.timestamp.after.max.ms")
        .or("3600000")
        .min(0)
        .cluster_wide()
        .honoured("A record stamped later than now plus this is refused."),
    long("log.message.timestamp.before.max.ms")
        .or("9223372036854775807")
        .min(0)
        .cluster_wide()
        .honoured("A record stamped earlier than now less this is refused."),
    string("log.message.timestamp.type")
        .or("CreateTime")
        .one_of(&["CreateTime", "LogAppendTime"])
        .cluster_wide()
        .honoured("Whose time a record carries: the client's or the append's."),
    boolean("log.preallocate")
        .or("false")
        .cluster_wide()
        .honoured("A segment's file is made at its full size at once."),
    long("log.remote.copy.lag.bytes").or("-1").min(-1).cluster_wide(),
    long("log.remote.copy.lag.ms").or("0").min(-1).cluster_wide(),
    long("log.retention.bytes")
        .or("-1")
        .cluster_wide()
        .honoured("A partition above this size loses its oldest segments; -1: no limit."),
    long("log.retention.check.interval.ms").or("300000").min(1).honoured("How often retention is applied."),
    int("log.retention.hours")
        .or("168")
        .honoured("How long records are kept, in hours; log.retention.minutes has precedence."),
    int("log.retention.minutes")
        .honoured("How long records are kept, in minutes; log.retention.ms has precedence."),
    long("log.retention.ms").cluster_wide().honoured("How long records are kept; -1: no limit."),
    int("log.roll.hours")
        .or("168")
        .min(1)
        .honoured("The longest time before a segment is closed, in hours; log.roll.ms has precedence."),
    int("log.roll.jitter.hours")
        .or("0")
        .min(0)
        .honoured("Spread of that time, in hours; log.roll.jitter.ms has precedence."),
    long("log.roll.jitter.ms")
        .cluster_wide()
        .honoured("The most that is taken, at random, from log.roll.ms."),
    long("log.roll.ms").cluster_wide().honoured("The longest time before a segment is closed."),
    int("log.segment.bytes")
        .or("1073741824")
        .min(1048576)
        .cluster_wide()
        .honoured("The size at which a segment is closed."),
    long("log.segment.delete.delay.ms")
        .or("60000")
        .min(0)
        .cluster_wide()
        .honoured("How long a deleted segment's file stays before it is unlinked."),
    int("max.decompressed.message.bytes")
        .or("2147483639")
        .between(1, 2147483639)
        .cluster_wide()
        .honoured("A compressed batch that grows beyond this is refused."),
    int("message.max.bytes")
        .or("1048588")
        .min(0)
        .cluster_wide()
        .honoured("The largest batch that is accepted."),
    int("min.insync.replicas")
        .or("1")
        .min(1)
        .cluster_wide()
        .honoured("With acks=all, a write needs so many replicas in sync."),
    int("num.partitions")
        .or("1")
        .min(1)
        .toml("topics.partitions")
        .honoured("Partitions of a topic that is made without a number."),
    int("num.recovery.threads.per.data.dir").or("2").min(1).cluster_wide(),
];
