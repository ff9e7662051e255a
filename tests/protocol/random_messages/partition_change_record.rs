//! Random instances of what is in `messages::partition_change_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::partition_change_record::*;

use crate::random::{Random, Rng};

impl Random for PartitionChangeRecord {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_id: Random::random(rng, version),
            topic_id: Random::random(rng, version),
            isr: rng.nullable(version),
            leader: Random::random(rng, version),
            replicas: rng.nullable(version),
            removing_replicas: rng.nullable(version),
            adding_replicas: rng.nullable(version),
            leader_recovery_state: Random::random(rng, version),
            directories: if version >= 1 { rng.nullable(version) } else { None },
            eligible_leader_replicas: if version >= 2 { rng.nullable(version) } else { None },
            last_known_elr: if version >= 2 { rng.nullable(version) } else { None },
        }
    }
}
