//! Random instances of what is in `messages::list_offsets`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::list_offsets::*;

use crate::random::{Random, Rng};

impl Random for ListOffsetsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            replica_id: Random::random(rng, version),
            isolation_level: if version >= 2 { Random::random(rng, version) } else { 0 },
            topics: Random::random(rng, version),
            timeout_ms: if version >= 10 { Random::random(rng, version) } else { 0 },
        }
    }
}
impl Random for ListOffsetsTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ListOffsetsPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            current_leader_epoch: if version >= 4 { Random::random(rng, version) } else { -1 },
            timestamp: Random::random(rng, version),
            max_num_offsets: if version <= 0 { Random::random(rng, version) } else { 1 },
        }
    }
}
impl Random for ListOffsetsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 2 { Random::random(rng, version) } else { 0 },
            topics: Random::random(rng, version),
        }
    }
}
impl Random for ListOffsetsTopicResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for ListOffsetsPartitionResponse {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            old_style_offsets: if version <= 0 { Random::random(rng, version) } else { Vec::new() },
            timestamp: if version >= 1 { Random::random(rng, version) } else { -1 },
            offset: if version >= 1 { Random::random(rng, version) } else { -1 },
            leader_epoch: if version >= 4 { Random::random(rng, version) } else { -1 },
        }
    }
}
