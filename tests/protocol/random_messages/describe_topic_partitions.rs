//! Random instances of what is in `messages::describe_topic_partitions`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_topic_partitions::*;

use crate::random::{Random, Rng};

impl Random for DescribeTopicPartitionsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topics: Random::random(rng, version),
            response_partition_limit: Random::random(rng, version),
            cursor: rng.nullable(version),
        }
    }
}
impl Random for TopicRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version) }
    }
}
impl Random for Cursor<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_name: Random::random(rng, version), partition_index: Random::random(rng, version) }
    }
}
impl Random for DescribeTopicPartitionsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            topics: Random::random(rng, version),
            next_cursor: rng.nullable(version),
        }
    }
}
impl Random for DescribeTopicPartitionsResponseTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            name: rng.nullable(version),
            topic_id: Random::random(rng, version),
            is_internal: Random::random(rng, version),
            partitions: Random::random(rng, version),
            topic_authorized_operations: Random::random(rng, version),
        }
    }
}
impl Random for DescribeTopicPartitionsResponsePartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            partition_index: Random::random(rng, version),
            leader_id: Random::random(rng, version),
            leader_epoch: Random::random(rng, version),
            replica_nodes: Random::random(rng, version),
            isr_nodes: Random::random(rng, version),
            eligible_leader_replicas: rng.nullable(version),
            last_known_elr: rng.nullable(version),
            offline_replicas: Random::random(rng, version),
        }
    }
}
impl Random for ResponseCursor<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_name: Random::random(rng, version), partition_index: Random::random(rng, version) }
    }
}
