//! Kafka's broker keys: tiered storage. Values, defaults and bounds as in Apache Kafka 4.4.0.

use crate::config::key::{Key, boolean, double, int, long, string};

/// Tiered storage.
pub(in crate::config) const REMOTE: &[Key] = &[
    boolean("follower.fetch.last.tiered.offset.enable").or("false").cluster_wide(),
    int("remote.fetch.max.wait.ms").or("500").min(1).cluster_wide(),
    long("remote.list.offsets.request.timeout.ms").or("30000").min(1).cluster_wide(),
    long("remote.log.index.file.cache.total.size.bytes").or("1073741824").min(1).cluster_wide(),
    long("remote.log.index.file.cache.ttl.ms").or("900000").min(-1).internal(),
    int("remote.log.manager.copier.thread.pool.size").or("10").min(1).cluster_wide(),
    long("remote.log.manager.copy.max.bytes.per.second").or("9223372036854775807").min(1).cluster_wide(),
    int("remote.log.manager.copy.quota.window.num").or("11").min(1),
    int("remote.log.manager.copy.quota.window.size.seconds").or("1").min(1),
    int("remote.log.manager.expiration.thread.pool.size").or("10").min(1).cluster_wide(),
    long("remote.log.manager.fetch.max.bytes.per.second").or("9223372036854775807").min(1).cluster_wide(),
    int("remote.log.manager.fetch.quota.window.num").or("11").min(1),
    int("remote.log.manager.fetch.quota.window.size.seconds").or("1").min(1),
    int("remote.log.manager.follower.thread.pool.size").or("2").min(1).cluster_wide(),
    long("remote.log.manager.task.interval.ms").or("30000").min(1),
    long("remote.log.manager.task.retry.backoff.max.ms").or("30000").min(1).internal(),
    long("remote.log.manager.task.retry.backoff.ms").or("500").min(1).internal(),
    double("remote.log.manager.task.retry.jitter").or("0.2").ratio(0.0, 0.5).internal(),
    int("remote.log.manager.thread.pool.size").or("2").min(1),
    int("remote.log.metadata.custom.metadata.max.bytes").or("128").min(0),
    string("remote.log.metadata.manager.class.name")
        .or("org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager")
        .non_empty(),
    string("remote.log.metadata.manager.class.path"),
    string("remote.log.metadata.manager.impl.prefix").or("rlmm.config.").non_empty(),
    string("remote.log.metadata.manager.listener.name").non_empty(),
    int("remote.log.reader.max.pending.tasks").or("100").min(1),
    int("remote.log.reader.threads").or("10").min(1).cluster_wide(),
    string("remote.log.storage.manager.class.name").non_empty(),
    string("remote.log.storage.manager.class.path"),
    string("remote.log.storage.manager.impl.prefix").or("rsm.config.").non_empty(),
    boolean("remote.log.storage.system.enable").or("false"),
];
