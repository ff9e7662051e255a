//! Random instances of what is in `messages::response_header`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::response_header::*;

use crate::random::{Random, Rng};

impl Random for ResponseHeader {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { correlation_id: Random::random(rng, version) }
    }
}
