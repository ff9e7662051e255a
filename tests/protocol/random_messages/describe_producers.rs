//! Random instances of what is in `messages::describe_producers`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_producers::*;

use crate::random::{Random, Rng};

impl Random for DescribeProducersRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topics: Random::random(rng, version) }
    }
}
impl Random for TopicRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partition_indexes: Random::random(rng, version) }
    }
}
impl Random for DescribeProducersResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for TopicResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for PartitionResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            active_producers: Random::random(rng, version),
        }
    }
}
impl Random for ProducerState {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            producer_id: Random::random(rng, version),
            producer_epoch: Random::random(rng, version),
            last_sequence: Random::random(rng, version),
            last_timestamp: Random::random(rng, version),
            coordinator_epoch: Random::random(rng, version),
            current_txn_start_offset: Random::random(rng, version),
        }
    }
}
