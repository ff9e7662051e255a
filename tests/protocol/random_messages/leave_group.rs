//! Random instances of what is in `messages::leave_group`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::leave_group::*;

use crate::random::{Random, Rng};

impl Random for LeaveGroupRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            member_id: if version <= 2 { Random::random(rng, version) } else { "" },
            members: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for MemberIdentity<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            member_id: Random::random(rng, version),
            group_instance_id: rng.nullable(version),
            reason: if version >= 5 { rng.nullable(version) } else { None },
        }
    }
}
impl Random for LeaveGroupResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            error_code: Random::random(rng, version),
            members: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for MemberResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            member_id: Random::random(rng, version),
            group_instance_id: rng.nullable(version),
            error_code: Random::random(rng, version),
        }
    }
}
