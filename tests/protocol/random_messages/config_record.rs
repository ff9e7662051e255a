//! Random instances of what is in `messages::config_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::config_record::*;

use crate::random::{Random, Rng};

impl Random for ConfigRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            resource_type: Random::random(rng, version),
            resource_name: Random::random(rng, version),
            name: Random::random(rng, version),
            value: rng.nullable(version),
        }
    }
}
