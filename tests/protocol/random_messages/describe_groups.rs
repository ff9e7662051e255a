//! Random instances of what is in `messages::describe_groups`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_groups::*;

use crate::random::{Random, Rng};

impl Random for DescribeGroupsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            groups: Random::random(rng, version),
            include_authorized_operations: if version >= 3 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for DescribeGroupsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            groups: Random::random(rng, version),
        }
    }
}
impl Random for DescribedGroup<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            error_message: if version >= 6 { rng.nullable(version) } else { None },
            group_id: Random::random(rng, version),
            group_state: Random::random(rng, version),
            protocol_type: Random::random(rng, version),
            protocol_data: Random::random(rng, version),
            members: Random::random(rng, version),
            authorized_operations: if version >= 3 { Random::random(rng, version) } else { i32::MIN },
        }
    }
}
impl Random for DescribedGroupMember<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            member_id: Random::random(rng, version),
            group_instance_id: if version >= 4 { rng.nullable(version) } else { None },
            client_id: Random::random(rng, version),
            client_host: Random::random(rng, version),
            member_metadata: Random::random(rng, version),
            member_assignment: Random::random(rng, version),
        }
    }
}
