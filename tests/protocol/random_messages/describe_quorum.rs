//! Random instances of what is in `messages::describe_quorum`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_quorum::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for DescribeQuorumRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topics: Random::random(rng, version) }
    }
}
impl Random for TopicData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for PartitionData {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version) }
    }
}
impl Random for DescribeQuorumResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            error_message: if version >= 2 { rng.nullable(version) } else { Some("") },
            topics: Random::random(rng, version),
            nodes: if version >= 2 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for ReplicaState {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            replica_id: Random::random(rng, version),
            replica_directory_id: if version >= 2 { Random::random(rng, version) } else { Uuid::ZERO },
            log_end_offset: Random::random(rng, version),
            last_fetch_timestamp: if version >= 1 { Random::random(rng, version) } else { -1 },
            last_caught_up_timestamp: if version >= 1 { Random::random(rng, version) } else { -1 },
        }
    }
}
impl Random for ResponseTopicData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ResponsePartitionData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: if version >= 2 { rng.nullable(version) } else { Some("") },
            leader_id: Random::random(rng, version),
            leader_epoch: Random::random(rng, version),
            high_watermark: Random::random(rng, version),
            current_voters: Random::random(rng, version),
            observers: Random::random(rng, version),
        }
    }
}
impl Random for Node<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { node_id: Random::random(rng, version), listeners: Random::random(rng, version) }
    }
}
impl Random for Listener<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
        }
    }
}
