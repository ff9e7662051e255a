//! Random instances of what is in `messages::metadata`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::metadata::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for MetadataRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topics: if version >= 1 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
            allow_auto_topic_creation: if version >= 4 { Random::random(rng, version) } else { true },
            include_cluster_authorized_operations: if (8..=10).contains(&version) {
                Random::random(rng, version)
            } else {
                false
            },
            include_topic_authorized_operations: if version >= 8 {
                Random::random(rng, version)
            } else {
                false
            },
        }
    }
}
impl Random for MetadataRequestTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            name: if version >= 10 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
        }
    }
}
impl Random for MetadataResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
            brokers: Random::random(rng, version),
            cluster_id: if version >= 2 { rng.nullable(version) } else { None },
            controller_id: if version >= 1 { Random::random(rng, version) } else { -1 },
            topics: Random::random(rng, version),
            cluster_authorized_operations: if (8..=10).contains(&version) {
                Random::random(rng, version)
            } else {
                i32::MIN
            },
            error_code: if version >= 13 { Random::random(rng, version) } else { 0 },
        }
    }
}
impl Random for MetadataResponseBroker<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            node_id: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
            rack: if version >= 1 { rng.nullable(version) } else { None },
        }
    }
}
impl Random for MetadataResponseTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            name: if version >= 12 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            is_internal: if version >= 1 { Random::random(rng, version) } else { false },
            partitions: Random::random(rng, version),
            topic_authorized_operations: if version >= 8 { Random::random(rng, version) } else { i32::MIN },
        }
    }
}
impl Random for MetadataResponsePartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            partition_index: Random::random(rng, version),
            leader_id: Random::random(rng, version),
            leader_epoch: if version >= 7 { Random::random(rng, version) } else { -1 },
            replica_nodes: Random::random(rng, version),
            isr_nodes: Random::random(rng, version),
            offline_replicas: if version >= 5 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
