//! Random instances of what is in `messages::group_metadata_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::group_metadata_record::*;

use crate::random::{Random, Rng};

impl Random for GroupMetadataKey<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { group: Random::random(rng, version) }
    }
}
impl Random for GroupMetadataValue<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            protocol_type: Random::random(rng, version),
            generation: Random::random(rng, version),
            protocol: rng.nullable(version),
            leader: rng.nullable(version),
            current_state_timestamp: if version >= 2 { Random::random(rng, version) } else { -1 },
            members: Random::random(rng, version),
        }
    }
}
impl Random for MemberMetadata<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
            client_id: Random::random(rng, version),
            client_host: Random::random(rng, version),
            rebalance_timeout: if version >= 1 { Random::random(rng, version) } else { -1 },
            session_timeout: Random::random(rng, version),
            subscription: Random::random(rng, version),
            assignment: Random::random(rng, version),
        }
    }
}
