//! Random instances of what is in `messages::find_coordinator`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::find_coordinator::*;

use crate::random::{Random, Rng};

impl Random for FindCoordinatorRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            key: if version <= 3 { Random::random(rng, version) } else { "" },
            key_type: if version >= 1 { Random::random(rng, version) } else { 0 },
            coordinator_keys: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for FindCoordinatorResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            error_code: if version <= 3 { Random::random(rng, version) } else { 0 },
            error_message: if (1..=3).contains(&version) { rng.nullable(version) } else { Some("") },
            node_id: if version <= 3 { Random::random(rng, version) } else { 0 },
            host: if version <= 3 { Random::random(rng, version) } else { "" },
            port: if version <= 3 { Random::random(rng, version) } else { 0 },
            coordinators: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for Coordinator<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            key: Random::random(rng, version),
            node_id: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
        }
    }
}
