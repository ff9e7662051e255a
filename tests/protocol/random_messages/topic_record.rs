//! Random instances of what is in `messages::topic_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::topic_record::*;

use crate::random::{Random, Rng};

impl Random for TopicRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), topic_id: Random::random(rng, version) }
    }
}
