//! Random instances of what is in `messages::alter_client_quotas`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::alter_client_quotas::*;

use crate::random::{Random, Rng};

impl Random for AlterClientQuotasRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entries: Random::random(rng, version), validate_only: Random::random(rng, version) }
    }
}
impl Random for EntryData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity: Random::random(rng, version), ops: Random::random(rng, version) }
    }
}
impl Random for EntityData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity_type: Random::random(rng, version), entity_name: rng.nullable(version) }
    }
}
impl Random for OpData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            key: Random::random(rng, version),
            value: Random::random(rng, version),
            remove: Random::random(rng, version),
        }
    }
}
impl Random for AlterClientQuotasResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), entries: Random::random(rng, version) }
    }
}
impl Random for ResponseEntryData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            entity: Random::random(rng, version),
        }
    }
}
impl Random for ResponseEntityData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity_type: Random::random(rng, version), entity_name: rng.nullable(version) }
    }
}
