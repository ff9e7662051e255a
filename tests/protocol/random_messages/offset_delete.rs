//! Random instances of what is in `messages::offset_delete`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::offset_delete::*;

use crate::random::{Random, Rng};

impl Random for OffsetDeleteRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { group_id: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for OffsetDeleteRequestTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for OffsetDeleteRequestPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version) }
    }
}
impl Random for OffsetDeleteResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            throttle_time_ms: Random::random(rng, version),
            topics: Random::random(rng, version),
        }
    }
}
impl Random for OffsetDeleteResponseTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for OffsetDeleteResponsePartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), error_code: Random::random(rng, version) }
    }
}
