//! Random instances of what is in `messages::list_groups`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::list_groups::*;

use crate::random::{Random, Rng};

impl Random for ListGroupsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            states_filter: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
            types_filter: if version >= 5 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for ListGroupsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
            error_code: Random::random(rng, version),
            groups: Random::random(rng, version),
        }
    }
}
impl Random for ListedGroup<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            protocol_type: Random::random(rng, version),
            group_state: if version >= 4 { Random::random(rng, version) } else { "" },
            group_type: if version >= 5 { Random::random(rng, version) } else { "" },
        }
    }
}
