//! Kafka's keys of the other resources that carry configs: groups, client metrics, quotas. None is read from a file.

use super::checks;
use super::key::{Key, boolean, double, int, list, long, string};

/// Keys of a group.
pub(in crate::config) const GROUP: &[Key] = &[
    int("consumer.assignment.interval.ms")
        .or("1000")
        .min(0)
        .synonyms(&[("group.consumer.assignment.interval.ms", 1)]),
    boolean("consumer.assignor.offload.enable")
        .or("true")
        .internal()
        .synonyms(&[("group.consumer.assignor.offload.enable", 1)]),
    int("consumer.heartbeat.interval.ms")
        .or("5000")
        .min(1)
        .synonyms(&[("group.consumer.heartbeat.interval.ms", 1)]),
    int("consumer.session.timeout.ms")
        .or("45000")
        .min(1)
        .synonyms(&[("group.consumer.session.timeout.ms", 1)]),
    boolean("errors.deadletterqueue.copy.record.enable").or("false"),
    string("errors.deadletterqueue.topic.name").or(""),
    int("share.assignment.interval.ms")
        .or("1000")
        .min(0)
        .synonyms(&[("group.share.assignment.interval.ms", 1)]),
    boolean("share.assignor.offload.enable")
        .or("true")
        .internal()
        .synonyms(&[("group.share.assignor.offload.enable", 1)]),
    string("share.auto.offset.reset").or("latest").checked(checks::SHARE_RESET),
    int("share.delivery.count.limit").or("5").min(2).synonyms(&[("group.share.delivery.count.limit", 1)]),
    int("share.heartbeat.interval.ms")
        .or("5000")
        .min(1)
        .synonyms(&[("group.share.heartbeat.interval.ms", 1)]),
    string("share.isolation.level").or("read_uncommitted").one_of(&["read_committed", "read_uncommitted"]),
    int("share.partition.max.record.locks")
        .or("2000")
        .min(100)
        .synonyms(&[("group.share.partition.max.record.locks", 1)]),
    int("share.record.lock.duration.ms")
        .or("30000")
        .min(1000)
        .synonyms(&[("group.share.record.lock.duration.ms", 1)]),
    boolean("share.renew.acknowledge.enable").or("true"),
    int("share.session.timeout.ms").or("45000").min(1).synonyms(&[("group.share.session.timeout.ms", 1)]),
    long("streams.acceptable.recovery.lag")
        .or("10000")
        .min(0)
        .internal()
        .synonyms(&[("group.streams.acceptable.recovery.lag", 1)]),
    int("streams.assignment.interval.ms")
        .or("1000")
        .min(0)
        .synonyms(&[("group.streams.assignment.interval.ms", 1)]),
    string("streams.assignor.name").synonyms(&[("group.streams.assignors", 1)]),
    boolean("streams.assignor.offload.enable")
        .or("true")
        .internal()
        .synonyms(&[("group.streams.assignor.offload.enable", 1)]),
    int("streams.heartbeat.interval.ms")
        .or("5000")
        .min(1)
        .synonyms(&[("group.streams.heartbeat.interval.ms", 1)]),
    int("streams.initial.rebalance.delay.ms")
        .or("3000")
        .min(0)
        .synonyms(&[("group.streams.initial.rebalance.delay.ms", 1)]),
    int("streams.num.standby.replicas").or("0").min(0).synonyms(&[("group.streams.num.standby.replicas", 1)]),
    int("streams.num.warmup.replicas")
        .or("2")
        .min(0)
        .internal()
        .synonyms(&[("group.streams.num.warmup.replicas", 1)]),
    list("streams.rack.aware.assignment.tags")
        .or("")
        .synonyms(&[("group.streams.rack.aware.assignment.tags", 1)]),
    int("streams.session.timeout.ms").or("45000").min(1).synonyms(&[("group.streams.session.timeout.ms", 1)]),
    int("streams.task.offset.interval.ms")
        .or("60000")
        .min(1)
        .internal()
        .synonyms(&[("group.streams.task.offset.interval.ms", 1)]),
];

/// Keys of a client metrics subscription.
pub(in crate::config) const CLIENT_METRICS: &[Key] =
    &[int("interval.ms").or("300000"), list("match").or(""), list("metrics").or("")];

/// Quotas of replication, per broker.
pub(in crate::config) const REPLICATION_QUOTA: &[Key] = &[
    long("follower.replication.throttled.rate").or("9223372036854775807").min(0),
    long("leader.replication.throttled.rate").or("9223372036854775807").min(0),
    long("replica.alter.log.dirs.io.max.bytes.per.second").or("9223372036854775807").min(0),
];

/// Quotas and credentials of users and client ids.
pub(in crate::config) const CLIENT_QUOTA: &[Key] = &[
    string("SCRAM-SHA-256"),
    string("SCRAM-SHA-512"),
    long("consumer_byte_rate").or("9223372036854775807"),
    double("controller_mutation_rate").or("2.147483647E9"),
    long("producer_byte_rate").or("9223372036854775807"),
    double("request_percentage").or("2.147483647E9"),
];

/// Quotas of an address.
pub(in crate::config) const IP_QUOTA: &[Key] = &[int("connection_creation_rate").or("2147483647").min(0)];
