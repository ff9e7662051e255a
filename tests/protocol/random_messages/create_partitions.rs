//! Random instances of what is in `messages::create_partitions`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::create_partitions::*;

use crate::random::{Random, Rng};

impl Random for CreatePartitionsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topics: Random::random(rng, version),
            timeout_ms: Random::random(rng, version),
            validate_only: Random::random(rng, version),
        }
    }
}
impl Random for CreatePartitionsTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            count: Random::random(rng, version),
            assignments: rng.nullable(version),
        }
    }
}
impl Random for CreatePartitionsAssignment {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { broker_ids: Random::random(rng, version) }
    }
}
impl Random for CreatePartitionsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
    }
}
impl Random for CreatePartitionsTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
