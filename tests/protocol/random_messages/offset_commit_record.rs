//! Random instances of what is in `messages::offset_commit_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::offset_commit_record::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for OffsetCommitKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group: Random::random(rng, version),
            topic: Random::random(rng, version),
            partition: Random::random(rng, version),
        }
    }
}
impl Random for OffsetCommitValue<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            offset: Random::random(rng, version),
            leader_epoch: if version >= 3 { Random::random(rng, version) } else { -1 },
            metadata: Random::random(rng, version),
            commit_timestamp: Random::random(rng, version),
            expire_timestamp: if version == 1 { Random::random(rng, version) } else { -1 },
            topic_id: if version >= 4 { Random::random(rng, version) } else { Uuid::ZERO },
        }
    }
}
