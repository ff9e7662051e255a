//! Random instances of what is in `messages::describe_client_quotas`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_client_quotas::*;

use crate::random::{Random, Rng};

impl Random for DescribeClientQuotasRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { components: Random::random(rng, version), strict: Random::random(rng, version) }
    }
}
impl Random for ComponentData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            entity_type: Random::random(rng, version),
            match_type: Random::random(rng, version),
            r#match: rng.nullable(version),
        }
    }
}
impl Random for DescribeClientQuotasResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            entries: rng.nullable(version),
        }
    }
}
impl Random for EntryData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity: Random::random(rng, version), values: Random::random(rng, version) }
    }
}
impl Random for EntityData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity_type: Random::random(rng, version), entity_name: rng.nullable(version) }
    }
}
impl Random for ValueData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { key: Random::random(rng, version), value: Random::random(rng, version) }
    }
}
