//! Random instances of what is in `messages::delete_topics`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::delete_topics::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for DeleteTopicsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topics: if version >= 6 { Random::random(rng, version) } else { Vec::new() },
            topic_names: if version <= 5 { Random::random(rng, version) } else { Vec::new() },
            timeout_ms: Random::random(rng, version),
        }
    }
}
impl Random for DeleteTopicState<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: rng.nullable(version), topic_id: Random::random(rng, version) }
    }
}
impl Random for DeleteTopicsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), responses: Random::random(rng, version) }
    }
}
impl Random for DeletableTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version >= 6 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
            topic_id: if version >= 6 { Random::random(rng, version) } else { Uuid::ZERO },
            error_code: Random::random(rng, version),
            error_message: if version >= 5 { rng.nullable(version) } else { None },
        }
    }
}
