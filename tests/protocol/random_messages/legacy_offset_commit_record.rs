//! Random instances of what is in `messages::legacy_offset_commit_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::legacy_offset_commit_record::*;

use crate::random::{Random, Rng};

impl Random for LegacyOffsetCommitKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group: Random::random(rng, version),
            topic: Random::random(rng, version),
            partition: Random::random(rng, version),
        }
    }
}
impl Random for LegacyOffsetCommitValue<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            offset: Random::random(rng, version),
            metadata: Random::random(rng, version),
            commit_timestamp: Random::random(rng, version),
        }
    }
}
