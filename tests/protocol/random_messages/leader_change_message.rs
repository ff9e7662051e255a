//! Random instances of what is in `messages::leader_change_message`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::leader_change_message::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for LeaderChangeMessage {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            version: Random::random(rng, version),
            leader_id: Random::random(rng, version),
            voters: Random::random(rng, version),
            granting_voters: Random::random(rng, version),
        }
    }
}
impl Random for Voter {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            voter_id: Random::random(rng, version),
            voter_directory_id: if version >= 1 { Random::random(rng, version) } else { Uuid::ZERO },
        }
    }
}
