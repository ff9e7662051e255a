//! Why a key of Kafka's has no effect here. Every key that does nothing has its reason; a key that gets its effect needs
//! none any more.

use super::key::{Effect, Key};

/// How each reason begins: it stands in a key's documentation.
macro_rules! idle {
    ($reason:literal) => {
        concat!("Without effect here: ", $reason)
    };
}

const TLS: &str = idle!("TLS is not served yet.");
const AUTHENTICATION: &str = idle!("Authentication and authorization are not served yet.");
const TIERED: &str = idle!("Tiered storage is not served: every segment is local.");
const NEW_GROUPS: &str = idle!("The consumer protocol of KIP-848 is not served yet.");
const SHARE: &str = idle!("Share groups are not served yet.");
const STREAMS: &str = idle!("Streams groups are not served yet.");
const TRANSACTIONS: &str = idle!("Transactions are not served yet.");
const QUORUM: &str = idle!("The controller is one voter inside this process: there is no quorum to talk to.");
const METADATA_LOG: &str = idle!("The metadata log is one of this node's logs, under the limits of [log].");
const ONE_BROKER: &str = idle!("There is one broker: nothing is replicated, no leader moves.");
const QUOTAS: &str = idle!("Quotas are kept and told; they are not enforced yet.");
const METRICS: &str = idle!("Metrics are served over HTTP ([admin] listen); nothing is sampled for them.");
const JAVA: &str = idle!("Classes of Java cannot be loaded here.");
const THREADS: &str = idle!("Shards take the place of threads: one on each processor ([shards] cpus).");
const PURGATORY: &str = idle!("A waiting request is woken by what it waits for; there is nothing to purge.");
const FLUSH: &str = idle!("Every acknowledgement is flushed, together with others ([log] durability).");
const CODEC: &str = idle!("Batches are stored as they come; nothing is compressed anew.");
const CLEANER: &str = idle!("Each shard has one cleaner.");
const RECOVERY: &str = idle!("Recovery reads journals, not segments; its work is not shared out to threads.");
const COORDINATOR: &str = idle!(
    "A coordinator writes with the flushes that all partitions share; it needs no batching of its own."
);
const KERNEL_SOCKETS: &str = idle!("The kernel sizes the buffers of sockets by what passes through them.");
const CLIENT_SOCKETS: &str = idle!("This broker opens no connections to others.");
const REQUESTS: &str = idle!(
    "Requests are bounded by their bytes ([shards] request_bytes) and for each connection ([network] requests_in_flight)."
);
const UNSTABLE: &str = idle!("No unstable version of an API or a feature is served.");
const TELEMETRY: &str = idle!("Clients push no metrics here yet.");
const STARTUP: &str = idle!("Start has no tasks that are put off.");

/// Beginnings of names, the longest that fits counts.
const REASONS: &[(&str, &str)] = &[
    ("add.partitions.to.txn.", TRANSACTIONS),
    ("alter.config.policy.class.name", JAVA),
    (
        "alter.log.dirs.",
        idle!("What is copied between log directories is bounded as it goes, not by windows."),
    ),
    ("authorizer.class.name", AUTHENTICATION),
    ("auto.leader.rebalance.enable", ONE_BROKER),
    ("background.threads", THREADS),
    ("broker.heartbeat.", QUORUM),
    ("broker.session.", QUORUM),
    ("client.quota.callback.class", JAVA),
    ("compression.", CODEC),
    ("config.providers", JAVA),
    ("connection.failed.authentication.delay.ms", AUTHENTICATION),
    ("connection_creation_rate", QUOTAS),
    ("connections.max.reauth.ms", AUTHENTICATION),
    ("consumer.", NEW_GROUPS),
    ("consumer_byte_rate", QUOTAS),
    ("controlled.shutdown.enable", ONE_BROKER),
    ("controller.", QUORUM),
    ("controller.quota.", QUOTAS),
    ("controller_mutation_rate", QUOTAS),
    ("cordoned.log.dirs", idle!("New partitions go to any log directory that is online.")),
    ("create.topic.policy.class.name", JAVA),
    ("delegation.token.", AUTHENTICATION),
    ("delete.records.purgatory.", PURGATORY),
    ("early.start.listeners", AUTHENTICATION),
    ("errors.deadletterqueue.", SHARE),
    ("fetch.purgatory.", PURGATORY),
    ("flush.", FLUSH),
    ("follower.fetch.last.tiered.offset.enable", TIERED),
    ("follower.replication.", ONE_BROKER),
    ("group.consumer.", NEW_GROUPS),
    ("group.coordinator.", COORDINATOR),
    ("group.coordinator.rebalance.protocols", NEW_GROUPS),
    ("group.coordinator.threads", THREADS),
    ("group.coordinator.background.threads", THREADS),
    ("group.share.", SHARE),
    ("group.streams.", STREAMS),
    ("initial.broker.registration.timeout.ms", QUORUM),
    ("inter.broker.listener.name", ONE_BROKER),
    ("internal.metadata.", METADATA_LOG),
    ("interval.ms", TELEMETRY),
    (
        "internal.segment.bytes",
        idle!("It is for Kafka's own tests; segment.bytes says how large segments are."),
    ),
    ("kafka.metrics.", METRICS),
    ("leader.imbalance.", ONE_BROKER),
    ("leader.replication.", ONE_BROKER),
    ("local.retention.", TIERED),
    ("log.cleaner.threads", CLEANER),
    ("log.dir.failure.timeout.ms", QUORUM),
    ("log.flush.", FLUSH),
    (
        "log.flush.start.offset.checkpoint.interval.ms",
        idle!("A log's start is durable in the journal before it is told."),
    ),
    ("log.initial.task.delay.ms", STARTUP),
    ("log.local.retention.", TIERED),
    ("log.remote.", TIERED),
    ("match", TELEMETRY),
    ("metadata.", METADATA_LOG),
    ("metric.reporters", METRICS),
    ("metrics", TELEMETRY),
    ("metrics.", METRICS),
    ("num.io.threads", THREADS),
    ("num.network.threads", THREADS),
    ("num.recovery.threads.per.data.dir", RECOVERY),
    ("num.replica.", ONE_BROKER),
    (
        "num.replica.alter.log.dirs.threads",
        idle!("Each shard brings one replica at a time into another log directory."),
    ),
    ("offsets.commit.timeout.ms", ONE_BROKER),
    ("offsets.load.buffer.size", COORDINATOR),
    ("offsets.topic.compression.codec", CODEC),
    ("principal.builder.class", JAVA),
    (
        "producer.id.expiration.check.interval.ms",
        idle!("Producers are looked through when retention is applied (log.retention.check.interval.ms)."),
    ),
    ("producer.purgatory.", PURGATORY),
    ("producer_byte_rate", QUOTAS),
    ("queued.max.requests", REQUESTS),
    ("quota.", QUOTAS),
    ("remote.", TIERED),
    ("replica.", ONE_BROKER),
    ("replication.quota.", ONE_BROKER),
    ("request.timeout.ms", CLIENT_SOCKETS),
    ("request_percentage", QUOTAS),
    ("SCRAM-", AUTHENTICATION),
    ("sasl.", AUTHENTICATION),
    ("security.inter.broker.protocol", ONE_BROKER),
    ("security.providers", JAVA),
    ("server.max.startup.time.ms", STARTUP),
    ("share.", SHARE),
    ("socket.connection.setup.", CLIENT_SOCKETS),
    (
        "socket.listen.backlog.size",
        idle!("The kernel's own limit (net.core.somaxconn) says how many connections may wait."),
    ),
    ("socket.receive.buffer.bytes", KERNEL_SOCKETS),
    ("socket.send.buffer.bytes", KERNEL_SOCKETS),
    ("ssl.", TLS),
    ("streams.", STREAMS),
    ("telemetry.", TELEMETRY),
    ("transaction.", TRANSACTIONS),
    ("transactional.id.expiration.ms", TRANSACTIONS),
    ("unclean.leader.election.", ONE_BROKER),
    ("unstable.", UNSTABLE),
];

/// Why a key has no effect; None when it has one.
#[must_use]
pub fn why_without_effect(key: &Key) -> Option<&'static str> {
    if key.effect == Effect::Honoured {
        return None;
    }
    let fitting = REASONS.iter().filter(|(beginning, _)| key.name.starts_with(beginning));
    fitting.max_by_key(|(beginning, _)| beginning.len()).map(|(_, reason)| *reason)
}
