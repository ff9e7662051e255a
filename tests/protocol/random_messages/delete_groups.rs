//! Random instances of what is in `messages::delete_groups`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::delete_groups::*;

use crate::random::{Random, Rng};

impl Random for DeleteGroupsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { groups_names: Random::random(rng, version) }
    }
}
impl Random for DeleteGroupsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
    }
}
impl Random for DeletableGroupResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            group_id: Random::random(rng, version),
            error_code: Random::random(rng, version),
            error_message: if version >= 3 { rng.nullable(version) } else { None },
        }
    }
}
