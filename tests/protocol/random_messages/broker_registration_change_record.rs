//! Random instances of what is in `messages::broker_registration_change_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::broker_registration_change_record::*;

use crate::random::{Random, Rng};

impl Random for BrokerRegistrationChangeRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            broker_id: Random::random(rng, version),
            broker_epoch: Random::random(rng, version),
            fenced: Random::random(rng, version),
            in_controlled_shutdown: if version >= 1 { Random::random(rng, version) } else { 0 },
            log_dirs: if version >= 2 { Random::random(rng, version) } else { Vec::new() },
            cordoned_log_dirs: if version >= 3 { rng.nullable(version) } else { None },
        }
    }
}
