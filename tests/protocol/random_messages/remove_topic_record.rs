//! Random instances of what is in `messages::remove_topic_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::remove_topic_record::*;

use crate::random::{Random, Rng};

impl Random for RemoveTopicRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_id: Random::random(rng, version) }
    }
}
