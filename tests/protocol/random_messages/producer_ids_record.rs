//! Random instances of what is in `messages::producer_ids_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::producer_ids_record::*;

use crate::random::{Random, Rng};

impl Random for ProducerIdsRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            broker_id: Random::random(rng, version),
            broker_epoch: Random::random(rng, version),
            next_producer_id: Random::random(rng, version),
        }
    }
}
