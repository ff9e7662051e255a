//! Random instances of what is in `messages::no_op_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::no_op_record::*;

use crate::random::{Random, Rng};

impl Random for NoOpRecord {
    fn random(_: &mut Rng, _: i16) -> Self {
        Self {}
    }
}
