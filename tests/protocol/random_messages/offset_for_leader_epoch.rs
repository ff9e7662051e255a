//! Random instances of what is in `messages::offset_for_leader_epoch`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::offset_for_leader_epoch::*;

use crate::random::{Random, Rng};

impl Random for OffsetForLeaderEpochRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            replica_id: if version >= 3 { Random::random(rng, version) } else { -2 },
            topics: Random::random(rng, version),
        }
    }
}
impl Random for OffsetForLeaderTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for OffsetForLeaderPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition: Random::random(rng, version),
            current_leader_epoch: Random::random(rng, version),
            leader_epoch: Random::random(rng, version),
        }
    }
}
impl Random for OffsetForLeaderEpochResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for OffsetForLeaderTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for EpochEndOffset {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            partition: Random::random(rng, version),
            leader_epoch: Random::random(rng, version),
            end_offset: Random::random(rng, version),
        }
    }
}
