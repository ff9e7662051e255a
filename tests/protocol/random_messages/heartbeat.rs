//! Random instances of what is in `messages::heartbeat`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::heartbeat::*;

use crate::random::{Random, Rng};

impl Random for HeartbeatRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            generation_id: Random::random(rng, version),
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
        }
    }
}
impl Random for HeartbeatResponse {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            error_code: Random::random(rng, version),
        }
    }
}
