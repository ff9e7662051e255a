//! Random instances of what is in `messages::alter_configs`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::alter_configs::*;

use crate::random::{Random, Rng};

impl Random for AlterConfigsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { resources: Random::random(rng, version), validate_only: Random::random(rng, version) }
    }
}
impl Random for AlterConfigsResource<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            resource_type: Random::random(rng, version),
            resource_name: Random::random(rng, version),
            configs: Random::random(rng, version),
        }
    }
}
impl Random for AlterableConfig<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), value: rng.nullable(version) }
    }
}
impl Random for AlterConfigsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), responses: Random::random(rng, version) }
    }
}
impl Random for AlterConfigsResourceResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            resource_type: Random::random(rng, version),
            resource_name: Random::random(rng, version),
        }
    }
}
