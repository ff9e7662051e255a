//! Random instances of what is in `messages::alter_partition_reassignments`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::alter_partition_reassignments::*;

use crate::random::{Random, Rng};

impl Random for AlterPartitionReassignmentsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            timeout_ms: Random::random(rng, version),
            allow_replication_factor_change: if version >= 1 { Random::random(rng, version) } else { true },
            topics: Random::random(rng, version),
        }
    }
}
impl Random for ReassignableTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ReassignablePartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), replicas: rng.nullable(version) }
    }
}
impl Random for AlterPartitionReassignmentsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            allow_replication_factor_change: if version >= 1 { Random::random(rng, version) } else { true },
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            responses: Random::random(rng, version),
        }
    }
}
impl Random for ReassignableTopicResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ReassignablePartitionResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
