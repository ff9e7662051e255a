//! Random instances of what is in `messages::offset_commit`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::offset_commit::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for OffsetCommitRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            generation_id_or_member_epoch: Random::random(rng, version),
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 7 { rng.nullable(version) } else { None },
            retention_time_ms: if version <= 4 { Random::random(rng, version) } else { -1 },
            topics: Random::random(rng, version),
        }
    }
}
impl Random for OffsetCommitRequestTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 9 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for OffsetCommitRequestPartition<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            committed_offset: Random::random(rng, version),
            committed_leader_epoch: if version >= 6 { Random::random(rng, version) } else { -1 },
            committed_metadata: rng.nullable(version),
        }
    }
}
impl Random for OffsetCommitResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
            topics: Random::random(rng, version),
        }
    }
}
impl Random for OffsetCommitResponseTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 9 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for OffsetCommitResponsePartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), error_code: Random::random(rng, version) }
    }
}
