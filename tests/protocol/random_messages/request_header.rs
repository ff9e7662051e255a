//! Random instances of what is in `messages::request_header`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::request_header::*;

use crate::random::{Random, Rng};

impl Random for RequestHeader<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            request_api_key: Random::random(rng, version),
            request_api_version: Random::random(rng, version),
            correlation_id: Random::random(rng, version),
            client_id: rng.nullable(version),
        }
    }
}
