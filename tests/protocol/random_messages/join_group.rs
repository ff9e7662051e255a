//! Random instances of what is in `messages::join_group`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::join_group::*;

use crate::random::{Random, Rng};

impl Random for JoinGroupRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            session_timeout_ms: Random::random(rng, version),
            rebalance_timeout_ms: if version >= 1 { Random::random(rng, version) } else { -1 },
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 5 { rng.nullable(version) } else { None },
            protocol_type: Random::random(rng, version),
            protocols: Random::random(rng, version),
            reason: if version >= 8 { rng.nullable(version) } else { None },
        }
    }
}
impl Random for JoinGroupRequestProtocol<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), metadata: Random::random(rng, version) }
    }
}
impl Random for JoinGroupResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 2 { Random::random(rng, version) } else { 0 },
            error_code: Random::random(rng, version),
            generation_id: Random::random(rng, version),
            protocol_type: if version >= 7 { rng.nullable(version) } else { None },
            protocol_name: if version >= 7 {
                rng.nullable(version)
            } else {
                Some(Random::random(rng, version))
            },
            leader: Random::random(rng, version),
            skip_assignment: if version >= 9 { Random::random(rng, version) } else { false },
            member_id: Random::random(rng, version),
            members: Random::random(rng, version),
        }
    }
}
impl Random for JoinGroupResponseMember<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 5 { rng.nullable(version) } else { None },
            metadata: Random::random(rng, version),
        }
    }
}
