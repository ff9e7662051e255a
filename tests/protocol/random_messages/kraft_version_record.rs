//! Random instances of what is in `messages::kraft_version_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::kraft_version_record::*;

use crate::random::{Random, Rng};

impl Random for KRaftVersionRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { version: Random::random(rng, version), kraft_version: Random::random(rng, version) }
    }
}
