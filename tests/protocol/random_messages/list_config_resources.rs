//! Random instances of what is in `messages::list_config_resources`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::list_config_resources::*;

use crate::random::{Random, Rng};

impl Random for ListConfigResourcesRequest {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { resource_types: if version >= 1 { Random::random(rng, version) } else { Vec::new() } }
    }
}
impl Random for ListConfigResourcesResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            config_resources: Random::random(rng, version),
        }
    }
}
impl Random for ConfigResource<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            resource_name: Random::random(rng, version),
            resource_type: if version >= 1 { Random::random(rng, version) } else { 16 },
        }
    }
}
