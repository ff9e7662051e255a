//! Kafka's broker keys: coordinators of groups, transactions and shares. Values, defaults and bounds as in Apache Kafka 4.4.0.

use crate::config::key::{Key, boolean, class, int, list, long, short, string};

/// Coordinators of groups, transactions and shares.
pub(in crate::config) const GROUPS: &[Key] = &[
    int("add.partitions.to.txn.retry.backoff.max.ms").or("100").min(0),
    int("add.partitions.to.txn.retry.backoff.ms").or("20").min(1),
    boolean("errors.deadletterqueue.auto.create.topics.enable").or("false").cluster_wide(),
    string("errors.deadletterqueue.topic.name.prefix").or("dlq.").cluster_wide(),
    int("group.consumer.assignment.interval.ms").or("1000").min(0).cluster_wide(),
    boolean("group.consumer.assignor.offload.enable").or("true").cluster_wide().internal(),
    list("group.consumer.assignors").or("uniform,range"),
    int("group.consumer.heartbeat.interval.ms").or("5000").min(1),
    int("group.consumer.max.assignment.interval.ms").or("15000").min(0),
    int("group.consumer.max.heartbeat.interval.ms").or("15000").min(1),
    int("group.consumer.max.session.timeout.ms").or("60000").min(1),
    int("group.consumer.max.size").or("2147483647").min(1),
    string("group.consumer.migration.policy").or("bidirectional").one_of_any_case(&[
        "DISABLED",
        "DOWNGRADE",
        "UPGRADE",
        "BIDIRECTIONAL",
    ]),
    int("group.consumer.min.assignment.interval.ms").or("0").min(0),
    int("group.consumer.min.heartbeat.interval.ms").or("5000").min(1),
    int("group.consumer.min.session.timeout.ms").or("45000").min(1),
    int("group.consumer.regex.refresh.interval.ms").or("600000").min(10000).internal(),
    int("group.consumer.session.timeout.ms").or("45000").min(1),
    int("group.coordinator.append.linger.ms").or("-1").min(-1),
    int("group.coordinator.background.threads").or("2").min(1),
    int("group.coordinator.cached.buffer.max.bytes").or("1048588").min(524288).cluster_wide(),
    list("group.coordinator.rebalance.protocols")
        .or("classic,consumer,streams")
        .one_of(&["consumer", "classic", "share", "streams"]),
    int("group.coordinator.threads").or("4").min(1),
    int("group.initial.rebalance.delay.ms")
        .or("3000")
        .honoured("How long a new group waits for further members before it gives out partitions."),
    int("group.max.session.timeout.ms")
        .or("1800000")
        .honoured("The longest session timeout a member may ask for."),
    int("group.max.size").or("2147483647").min(1).honoured("The most members of a group."),
    int("group.min.session.timeout.ms")
        .or("6000")
        .honoured("The shortest session timeout a member may ask for."),
    int("group.share.assignment.interval.ms").or("1000").min(0).cluster_wide(),
    boolean("group.share.assignor.offload.enable").or("true").cluster_wide().internal(),
    list("group.share.assignors").or("simple"),
    int("group.share.delivery.count.limit").or("5").between(2, 10),
    string("group.share.dlq.manager.class.name")
        .or("org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager")
        .internal(),
    int("group.share.heartbeat.interval.ms").or("5000").min(1),
    int("group.share.initialize.retry.interval.ms").or("30000").min(1).internal(),
    int("group.share.max.assignment.interval.ms").or("15000").min(0),
    int("group.share.max.delivery.count.limit").or("10").between(5, 25),
    int("group.share.max.heartbeat.interval.ms").or("15000").min(1),
    int("group.share.max.partition.max.record.locks").or("4000").between(2000, 10000),
    int("group.share.max.record.lock.duration.ms").or("60000").between(30000, 3600000),
    int("group.share.max.session.timeout.ms").or("60000").min(1),
    int("group.share.max.share.sessions").or("2000").min(1),
    int("group.share.max.size").or("200").between(1, 1000),
    int("group.share.min.assignment.interval.ms").or("0").min(0),
    int("group.share.min.delivery.count.limit").or("2").between(2, 5),
    int("group.share.min.heartbeat.interval.ms").or("5000").min(1),
    int("group.share.min.partition.max.record.locks").or("100").between(100, 2000),
    int("group.share.min.record.lock.duration.ms").or("15000").between(1000, 30000),
    int("group.share.min.session.timeout.ms").or("45000").min(1),
    int("group.share.partition.max.record.locks").or("2000").between(100, 10000),
    string("group.share.persister.class.name")
        .or("org.apache.kafka.server.share.persister.DefaultStatePersister")
        .internal(),
    int("group.share.record.lock.duration.ms").or("30000").between(1000, 3600000),
    int("group.share.session.timeout.ms").or("45000").min(1),
    long("group.streams.acceptable.recovery.lag").or("10000").min(0).internal(),
    int("group.streams.assignment.interval.ms").or("1000").min(0).cluster_wide(),
    boolean("group.streams.assignor.offload.enable").or("true").cluster_wide().internal(),
    list("group.streams.assignors").or("sticky"),
    int("group.streams.heartbeat.interval.ms").or("5000").min(1),
    int("group.streams.initial.rebalance.delay.ms").or("3000").min(0),
    int("group.streams.max.assignment.interval.ms").or("15000").min(0),
    int("group.streams.max.heartbeat.interval.ms").or("15000").min(1),
    int("group.streams.max.session.timeout.ms").or("60000").min(1),
    int("group.streams.max.size").or("2147483647").min(1),
    int("group.streams.max.standby.replicas").or("2").min(0),
    int("group.streams.max.warmup.replicas").or("20").min(0).internal(),
    int("group.streams.min.assignment.interval.ms").or("0").min(0),
    int("group.streams.min.heartbeat.interval.ms").or("5000").min(1),
    int("group.streams.min.session.timeout.ms").or("45000").min(1),
    int("group.streams.min.task.offset.interval.ms").or("15000").min(1).internal(),
    int("group.streams.num.standby.replicas").or("0").min(0),
    int("group.streams.num.warmup.replicas").or("2").min(0).internal(),
    list("group.streams.rack.aware.assignment.tags").or(""),
    int("group.streams.session.timeout.ms").or("45000").min(1),
    int("group.streams.task.offset.interval.ms").or("60000").min(1).internal(),
    class("group.streams.topology.description.plugin.class"),
    int("offset.metadata.max.bytes")
        .or("4096")
        .honoured("The longest text that is committed beside an offset."),
    int("offsets.commit.timeout.ms").or("5000").min(1),
    int("offsets.load.buffer.size").or("5242880").min(1),
    long("offsets.retention.check.interval.ms")
        .or("600000")
        .min(1)
        .honoured("How often groups are looked through for offsets that are over."),
    int("offsets.retention.minutes").or("10080").min(1).honoured(
        "How long offsets are kept that nobody needs: from when their group became empty, or from their commit.",
    ),
    int("offsets.topic.compression.codec").or("0"),
    int("offsets.topic.num.partitions")
        .or("50")
        .min(1)
        .honoured("Partitions of the topic of committed offsets, when it is made."),
    short("offsets.topic.replication.factor").or("3").min(1).honoured(
        "Replicas of the topic of committed offsets, when it is made; at most the brokers there are.",
    ),
    int("offsets.topic.segment.bytes")
        .or("104857600")
        .min(1)
        .honoured("The size at which a segment of that topic is closed, when it is made."),
    int("producer.id.expiration.check.interval.ms").or("600000").min(1).internal(),
    int("producer.id.expiration.ms")
        .or("86400000")
        .min(1)
        .cluster_wide()
        .honoured("A silent producer's state is forgotten after this."),
    int("producer.purgatory.purge.interval.requests").or("1000"),
    int("share.coordinator.append.linger.ms").or("-1").min(-1),
    int("share.coordinator.cached.buffer.max.bytes").or("1048588").min(524288).cluster_wide(),
    int("share.coordinator.cold.partition.snapshot.interval.ms").or("300000").min(1).internal(),
    int("share.coordinator.load.buffer.size").or("5242880").min(1),
    int("share.coordinator.snapshot.update.records.per.snapshot").or("500").between(0, 500),
    int("share.coordinator.state.topic.compression.codec").or("0"),
    short("share.coordinator.state.topic.min.isr").or("2").min(1),
    int("share.coordinator.state.topic.num.partitions").or("50").min(1),
    int("share.coordinator.state.topic.prune.interval.ms").or("300000").min(1).internal(),
    short("share.coordinator.state.topic.replication.factor").or("3").min(1),
    int("share.coordinator.state.topic.segment.bytes").or("104857600").min(1),
    int("share.coordinator.threads").or("1").min(1),
    int("share.coordinator.write.timeout.ms").or("5000").min(1),
    int("share.fetch.purgatory.purge.interval.requests").or("1000"),
    int("telemetry.max.bytes").or("1048576").min(1),
    int("transaction.abort.timed.out.transaction.cleanup.interval.ms").or("10000").min(1),
    int("transaction.max.timeout.ms").or("900000").min(1),
    boolean("transaction.partition.verification.enable").or("true").cluster_wide(),
    int("transaction.remove.expired.transaction.cleanup.interval.ms").or("3600000").min(1),
    int("transaction.state.log.load.buffer.size").or("5242880").min(1),
    int("transaction.state.log.min.isr").or("2").min(1),
    int("transaction.state.log.num.partitions").or("50").min(1),
    short("transaction.state.log.replication.factor").or("3").min(1),
    int("transaction.state.log.segment.bytes").or("104857600").min(1),
    boolean("transaction.two.phase.commit.enable").or("false"),
    int("transactional.id.expiration.ms").or("604800000").min(1),
];
