//! Random instances of what is in `messages::describe_cluster`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_cluster::*;

use crate::random::{Random, Rng};

impl Random for DescribeClusterRequest {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            include_cluster_authorized_operations: Random::random(rng, version),
            endpoint_type: if version >= 1 { Random::random(rng, version) } else { 1 },
            include_fenced_brokers: if version >= 2 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for DescribeClusterResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            endpoint_type: if version >= 1 { Random::random(rng, version) } else { 1 },
            cluster_id: Random::random(rng, version),
            controller_id: Random::random(rng, version),
            brokers: Random::random(rng, version),
            cluster_authorized_operations: Random::random(rng, version),
        }
    }
}
impl Random for DescribeClusterBroker<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            broker_id: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
            rack: rng.nullable(version),
            is_fenced: if version >= 2 { Random::random(rng, version) } else { false },
        }
    }
}
