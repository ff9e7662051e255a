//! Random instances of what is in `messages::list_partition_reassignments`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::list_partition_reassignments::*;

use crate::random::{Random, Rng};

impl Random for ListPartitionReassignmentsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { timeout_ms: Random::random(rng, version), topics: rng.nullable(version) }
    }
}
impl Random for ListPartitionReassignmentsTopics<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partition_indexes: Random::random(rng, version) }
    }
}
impl Random for ListPartitionReassignmentsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            topics: Random::random(rng, version),
        }
    }
}
impl Random for OngoingTopicReassignment<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for OngoingPartitionReassignment {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            replicas: Random::random(rng, version),
            adding_replicas: Random::random(rng, version),
            removing_replicas: Random::random(rng, version),
        }
    }
}
