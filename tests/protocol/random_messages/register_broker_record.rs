//! Random instances of what is in `messages::register_broker_record`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::register_broker_record::*;

use crate::random::{Random, Rng};

impl Random for RegisterBrokerRecord<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            broker_id: Random::random(rng, version),
            is_migrating_zk_broker: if version >= 2 { Random::random(rng, version) } else { false },
            incarnation_id: Random::random(rng, version),
            broker_epoch: Random::random(rng, version),
            end_points: Random::random(rng, version),
            features: Random::random(rng, version),
            rack: rng.nullable(version),
            fenced: Random::random(rng, version),
            in_controlled_shutdown: if version >= 1 { Random::random(rng, version) } else { false },
            log_dirs: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
            cordoned_log_dirs: if version >= 4 { rng.nullable(version) } else { None },
        }
    }
}
impl Random for BrokerEndpoint<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
            security_protocol: Random::random(rng, version),
        }
    }
}
impl Random for BrokerFeature<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            min_supported_version: Random::random(rng, version),
            max_supported_version: Random::random(rng, version),
        }
    }
}
