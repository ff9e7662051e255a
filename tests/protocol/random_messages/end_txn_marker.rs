//! Random instances of what is in `messages::end_txn_marker`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::end_txn_marker::*;

use crate::random::{Random, Rng};

impl Random for EndTxnMarker {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { coordinator_epoch: Random::random(rng, version) }
    }
}
