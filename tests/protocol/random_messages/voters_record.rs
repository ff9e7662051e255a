//! Random instances of what is in `messages::voters_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::voters_record::*;

use crate::random::{Random, Rng};

impl Random for VotersRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { version: Random::random(rng, version), voters: Random::random(rng, version) }
    }
}
impl Random for Voter<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            voter_id: Random::random(rng, version),
            voter_directory_id: Random::random(rng, version),
            endpoints: Random::random(rng, version),
            kraft_version_feature: Random::random(rng, version),
        }
    }
}
impl Random for Endpoint<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
        }
    }
}
impl Random for KRaftVersionFeature {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            min_supported_version: Random::random(rng, version),
            max_supported_version: Random::random(rng, version),
        }
    }
}
