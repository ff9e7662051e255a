//! Random instances of what is in `messages::partition_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::partition_record::*;

use crate::random::{Random, Rng};

impl Random for PartitionRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_id: Random::random(rng, version),
            topic_id: Random::random(rng, version),
            replicas: Random::random(rng, version),
            isr: Random::random(rng, version),
            removing_replicas: Random::random(rng, version),
            adding_replicas: Random::random(rng, version),
            leader: Random::random(rng, version),
            leader_recovery_state: Random::random(rng, version),
            leader_epoch: Random::random(rng, version),
            partition_epoch: Random::random(rng, version),
            directories: if version >= 1 { Random::random(rng, version) } else { Vec::new() },
            eligible_leader_replicas: if version >= 2 { rng.nullable(version) } else { None },
            last_known_elr: if version >= 2 { rng.nullable(version) } else { None },
        }
    }
}
