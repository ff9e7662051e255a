//! Random instances of what is in `messages::init_producer_id`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::init_producer_id::*;

use crate::random::{Random, Rng};

impl Random for InitProducerIdRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            transactional_id: rng.nullable(version),
            transaction_timeout_ms: Random::random(rng, version),
            producer_id: if version >= 3 { Random::random(rng, version) } else { -1 },
            producer_epoch: if version >= 3 { Random::random(rng, version) } else { -1 },
            enable2_pc: if version >= 6 { Random::random(rng, version) } else { false },
            keep_prepared_txn: if version >= 6 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for InitProducerIdResponse {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: Random::random(rng, version),
            producer_id: Random::random(rng, version),
            producer_epoch: Random::random(rng, version),
            ongoing_txn_producer_id: if version >= 6 { Random::random(rng, version) } else { -1 },
            ongoing_txn_producer_epoch: if version >= 6 { Random::random(rng, version) } else { -1 },
        }
    }
}
