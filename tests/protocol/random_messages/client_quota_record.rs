//! Random instances of what is in `messages::client_quota_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::client_quota_record::*;

use crate::random::{Random, Rng};

impl Random for ClientQuotaRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            entity: Random::random(rng, version),
            key: Random::random(rng, version),
            value: Random::random(rng, version),
            remove: Random::random(rng, version),
        }
    }
}
impl Random for EntityData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { entity_type: Random::random(rng, version), entity_name: rng.nullable(version) }
    }
}
