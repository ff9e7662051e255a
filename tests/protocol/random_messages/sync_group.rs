//! Random instances of what is in `messages::sync_group`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::sync_group::*;

use crate::random::{Random, Rng};

impl Random for SyncGroupRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            generation_id: Random::random(rng, version),
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
            protocol_type: if version >= 5 { rng.nullable(version) } else { None },
            protocol_name: if version >= 5 { rng.nullable(version) } else { None },
            assignments: Random::random(rng, version),
        }
    }
}
impl Random for SyncGroupRequestAssignment<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { member_id: Random::random(rng, version), assignment: Random::random(rng, version) }
    }
}
impl Random for SyncGroupResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            error_code: Random::random(rng, version),
            protocol_type: if version >= 5 { rng.nullable(version) } else { None },
            protocol_name: if version >= 5 { rng.nullable(version) } else { None },
            assignment: Random::random(rng, version),
        }
    }
}
