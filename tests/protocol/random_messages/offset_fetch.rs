//! Random instances of what is in `messages::offset_fetch`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::offset_fetch::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for OffsetFetchRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: if version <= 7 { Random::random(rng, version) } else { "" },
            topics: if version <= 7 {
                if version >= 2 { rng.nullable(version) } else { Some(Random::random(rng, version)) }
            } else {
                Some(Vec::new())
            },
            groups: if version >= 8 { Random::random(rng, version) } else { Vec::new() },
            require_stable: if version >= 7 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for OffsetFetchRequestTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partition_indexes: Random::random(rng, version) }
    }
}
impl Random for OffsetFetchRequestGroup<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            member_id: if version >= 9 { rng.nullable(version) } else { None },
            member_epoch: if version >= 9 { Random::random(rng, version) } else { -1 },
            topics: rng.nullable(version),
        }
    }
}
impl Random for OffsetFetchRequestTopics<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 9 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            partition_indexes: Random::random(rng, version),
        }
    }
}
impl Random for OffsetFetchResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
            topics: if version <= 7 { Random::random(rng, version) } else { Vec::new() },
            error_code: if (2..=7).contains(&version) { Random::random(rng, version) } else { 0 },
            groups: if version >= 8 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for OffsetFetchResponseTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for OffsetFetchResponsePartition<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            committed_offset: Random::random(rng, version),
            committed_leader_epoch: if version >= 5 { Random::random(rng, version) } else { -1 },
            metadata: rng.nullable(version),
            error_code: Random::random(rng, version),
        }
    }
}
impl Random for OffsetFetchResponseGroup<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            topics: Random::random(rng, version),
            error_code: Random::random(rng, version),
        }
    }
}
impl Random for OffsetFetchResponseTopics<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 9 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for OffsetFetchResponsePartitions<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            committed_offset: Random::random(rng, version),
            committed_leader_epoch: Random::random(rng, version),
            metadata: rng.nullable(version),
            error_code: Random::random(rng, version),
        }
    }
}
