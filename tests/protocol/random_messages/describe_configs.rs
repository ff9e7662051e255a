//! Random instances of what is in `messages::describe_configs`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_configs::*;

use crate::random::{Random, Rng};

impl Random for DescribeConfigsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            resources: Random::random(rng, version),
            include_synonyms: Random::random(rng, version),
            include_documentation: if version >= 3 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for DescribeConfigsResource<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            resource_type: Random::random(rng, version),
            resource_name: Random::random(rng, version),
            configuration_keys: rng.nullable(version),
        }
    }
}
impl Random for DescribeConfigsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
    }
}
impl Random for DescribeConfigsResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            resource_type: Random::random(rng, version),
            resource_name: Random::random(rng, version),
            configs: Random::random(rng, version),
        }
    }
}
impl Random for DescribeConfigsResourceResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            value: rng.nullable(version),
            read_only: Random::random(rng, version),
            config_source: Random::random(rng, version),
            is_sensitive: Random::random(rng, version),
            synonyms: Random::random(rng, version),
            config_type: if version >= 3 { Random::random(rng, version) } else { 0 },
            documentation: if version >= 3 { rng.nullable(version) } else { Some("") },
        }
    }
}
impl Random for DescribeConfigsSynonym<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            value: rng.nullable(version),
            source: Random::random(rng, version),
        }
    }
}
