//! Random instances of what is in `messages::elect_leaders`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::elect_leaders::*;

use crate::random::{Random, Rng};

impl Random for ElectLeadersRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            election_type: if version >= 1 { Random::random(rng, version) } else { 0 },
            topic_partitions: rng.nullable(version),
            timeout_ms: Random::random(rng, version),
        }
    }
}
impl Random for TopicPartitions<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ElectLeadersResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: if version >= 1 { Random::random(rng, version) } else { 0 },
            replica_election_results: Random::random(rng, version),
        }
    }
}
impl Random for ReplicaElectionResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic: Random::random(rng, version), partition_result: Random::random(rng, version) }
    }
}
impl Random for PartitionResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_id: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
