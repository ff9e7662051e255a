//! Random instances of what is in `messages::delete_records`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::delete_records::*;

use crate::random::{Random, Rng};

impl Random for DeleteRecordsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topics: Random::random(rng, version), timeout_ms: Random::random(rng, version) }
    }
}
impl Random for DeleteRecordsTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for DeleteRecordsPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), offset: Random::random(rng, version) }
    }
}
impl Random for DeleteRecordsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for DeleteRecordsTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for DeleteRecordsPartitionResult {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            low_watermark: Random::random(rng, version),
            error_code: Random::random(rng, version),
        }
    }
}
