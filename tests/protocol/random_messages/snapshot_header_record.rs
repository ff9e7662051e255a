//! Random instances of what is in `messages::snapshot_header_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::snapshot_header_record::*;

use crate::random::{Random, Rng};

impl Random for SnapshotHeaderRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            version: Random::random(rng, version),
            last_contained_log_timestamp: Random::random(rng, version),
        }
    }
}
