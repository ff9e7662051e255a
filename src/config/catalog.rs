//! All declared keys together, found by name.

use super::key::{Effect, Key, Origin};
use super::{broker, ours, resources, topic};
use std::collections::BTreeMap;
use std::sync::LazyLock;

type ByName = BTreeMap<&'static str, &'static Key>;

static BROKER: LazyLock<ByName> = LazyLock::new(|| broker_keys().map(|key| (key.name, key)).collect());
static BY_TOML: LazyLock<ByName> =
    LazyLock::new(|| broker_keys().filter_map(|key| Some((key.toml?, key))).collect());
static TOPIC: LazyLock<ByName> = LazyLock::new(|| topic_keys().map(|key| (key.name, key)).collect());

/// Every broker key, Kafka's and ours.
pub fn broker_keys() -> impl Iterator<Item = &'static Key> {
    let tables = [
        broker::CLUSTER,
        broker::GROUPS,
        broker::LOG,
        broker::NETWORK,
        broker::REMOTE,
        broker::SECURITY,
        ours::OURS,
    ];
    tables.into_iter().flatten()
}

/// Every topic key.
pub fn topic_keys() -> impl Iterator<Item = &'static Key> {
    topic::TOPIC.iter()
}

/// The broker key of this name.
pub fn broker_key(name: &str) -> Option<&'static Key> {
    BROKER.get(name).copied()
}

/// The broker key of Kafka's own of this name.
pub(super) fn kafka_key(name: &str) -> Option<&'static Key> {
    broker_key(name).filter(|key| key.origin == Origin::Kafka)
}

/// Whether a name is a known key for one listener only: `listener.name.NAME.KEY`, or, of SASL's keys,
/// `listener.name.NAME.MECHANISM.KEY`.
pub(super) fn is_listener_key(name: &str) -> bool {
    let below_name = name.strip_prefix("listener.name.").and_then(|rest| rest.split_once('.'));
    below_name.is_some_and(|(_, below)| {
        let below_mechanism = below.split_once('.').map_or(below, |(_, key)| key);
        kafka_key(below).or_else(|| kafka_key(below_mechanism)).is_some()
    })
}

/// The broker key of this `section.key` in TOML.
pub(super) fn toml_key(section_and_key: &str) -> Option<&'static Key> {
    BY_TOML.get(section_and_key).copied()
}

/// The topic key of this name.
pub fn topic_key(name: &str) -> Option<&'static Key> {
    TOPIC.get(name).copied()
}

/// What each shard takes over when it changes.
const LIVE: [&str; 10] = [
    "log.cleaner.backoff.ms",
    "log.cleaner.dedupe.buffer.size",
    "log.cleaner.io.buffer.load.factor",
    "log.cleaner.io.buffer.size",
    "log.cleaner.io.max.bytes.per.second",
    "max.connection.creation.rate",
    "max.connections",
    "max.connections.per.ip",
    "max.connections.per.ip.overrides",
    "producer.id.expiration.ms",
];

/// Whether a change of this broker key takes effect while the broker runs: those that are defaults of topics do, limits
/// of connections, the cleaner's, and how long a producer is remembered.
pub fn changes_live(name: &str) -> bool {
    if LIVE.contains(&name) {
        return true;
    }
    let is_default = |key: &&Key| key.synonyms.iter().any(|(synonym, _)| *synonym == name);
    topic_keys().filter(is_default).any(|key| key.effect == Effect::Honoured)
}

/// Every key of a group.
pub fn group_keys() -> &'static [Key] {
    resources::GROUP
}

/// Every key of a client metrics subscription.
pub fn client_metrics_keys() -> &'static [Key] {
    resources::CLIENT_METRICS
}

/// Every quota of replication, which are dynamic configs of a broker.
pub fn replication_quota_keys() -> &'static [Key] {
    resources::REPLICATION_QUOTA
}

/// Every quota and credential of a user or client id.
pub fn client_quota_keys() -> &'static [Key] {
    resources::CLIENT_QUOTA
}

/// Every quota of an address.
pub fn ip_quota_keys() -> &'static [Key] {
    resources::IP_QUOTA
}
