//! Random instances of what is in `messages::feature_level_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::feature_level_record::*;

use crate::random::{Random, Rng};

impl Random for FeatureLevelRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), feature_level: Random::random(rng, version) }
    }
}
