//! What several APIs say about topics in the same way.

use crate::controller::{BrokerImage, Endpoint, MetadataImage, PartitionImage};
use crate::protocol::ErrorCode;

/// The topic in which groups keep offsets.
pub(super) const OFFSETS_TOPIC: &str = "__consumer_offsets";

/// The topic of transactions.
const TRANSACTIONS_TOPIC: &str = "__transaction_state";

/// The topic of share groups.
const SHARE_TOPIC: &str = "__share_group_state";

/// "No answer asked" in the fields of authorized operations.
pub(super) const NO_OPERATIONS: i32 = i32::MIN;

/// Operations on a topic that may be asked for, as a set of bits by Kafka's codes: READ, WRITE, CREATE, DELETE, ALTER,
/// DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS. All are allowed until an authoriser is there.
pub(super) const TOPIC_OPERATIONS: i32 =
    (1 << 3) | (1 << 4) | (1 << 5) | (1 << 6) | (1 << 7) | (1 << 8) | (1 << 10) | (1 << 11);

/// The same for the cluster: CREATE, ALTER, DESCRIBE, CLUSTER_ACTION, DESCRIBE_CONFIGS, ALTER_CONFIGS, IDEMPOTENT_WRITE.
pub(super) const CLUSTER_OPERATIONS: i32 =
    (1 << 5) | (1 << 7) | (1 << 8) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 12);

/// The same for a group: READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS.
pub(super) const GROUP_OPERATIONS: i32 = (1 << 3) | (1 << 6) | (1 << 8) | (1 << 10) | (1 << 11);

/// Whether a topic belongs to the broker itself.
pub(super) fn is_internal(name: &str) -> bool {
    matches!(name, OFFSETS_TOPIC | TRANSACTIONS_TOPIC | SHARE_TOPIC)
}

/// Whether a name can be a topic's: 1 to 249 of `[a-zA-Z0-9._-]`, neither "." nor "..".
pub(super) fn is_valid_name(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !name.is_empty() && name.len() <= 249 && name != "." && name != ".." && name.bytes().all(legal)
}

/// The brokers that the client can reach, with the endpoint of the listener that it came by (F24).
pub(super) fn reachable<'i>(
    image: &'i MetadataImage,
    listener: &'i str,
) -> impl Iterator<Item = (&'i BrokerImage, &'i Endpoint)> {
    image
        .brokers
        .values()
        .filter(|broker| !broker.fenced)
        .filter_map(move |broker| broker.endpoint(listener).map(|endpoint| (broker.as_ref(), endpoint)))
}

/// The leader as the listener sees it, and the partition's error.
pub(super) fn leader_of(
    image: &MetadataImage,
    listener: &str,
    partition: &PartitionImage,
) -> (i32, ErrorCode) {
    match image.broker(partition.leader) {
        Some(broker) if broker.endpoint(listener).is_some() => (partition.leader, ErrorCode::NONE),
        Some(_) => (-1, ErrorCode::LISTENER_NOT_FOUND),
        None => (-1, ErrorCode::LEADER_NOT_AVAILABLE),
    }
}

/// The replicas that are not there: their broker is fenced or unknown.
pub(super) fn offline_replicas(image: &MetadataImage, partition: &PartitionImage) -> Vec<i32> {
    let alive = |id: i32| image.broker(id).is_some_and(|broker| !broker.fenced);
    partition.replicas.iter().copied().filter(|&id| !alive(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::is_valid_name;

    #[test]
    fn names_are_what_kafka_takes() {
        for good in ["a", "a.b_c-D9", &"x".repeat(249)] {
            assert!(is_valid_name(good), "{good}");
        }
        for bad in ["", ".", "..", "a b", "a/b", "ü", &"x".repeat(250)] {
            assert!(!is_valid_name(bad), "{bad}");
        }
    }
}
