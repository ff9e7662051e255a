//! Random instances of what is in `messages::produce`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::produce::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for ProduceRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            transactional_id: rng.nullable(version),
            acks: Random::random(rng, version),
            timeout_ms: Random::random(rng, version),
            topic_data: Random::random(rng, version),
        }
    }
}
impl Random for TopicProduceData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 12 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 13 { Random::random(rng, version) } else { Uuid::ZERO },
            partition_data: Random::random(rng, version),
        }
    }
}
impl Random for PartitionProduceData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { index: Random::random(rng, version), records: Random::random(rng, version) }
    }
}
impl Random for ProduceResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            responses: Random::random(rng, version),
            throttle_time_ms: Random::random(rng, version),
            node_endpoints: if version >= 10 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for TopicProduceResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: if version <= 12 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 13 { Random::random(rng, version) } else { Uuid::ZERO },
            partition_responses: Random::random(rng, version),
        }
    }
}
impl Random for PartitionProduceResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            base_offset: Random::random(rng, version),
            log_append_time_ms: Random::random(rng, version),
            log_start_offset: if version >= 5 { Random::random(rng, version) } else { -1 },
            record_errors: if version >= 8 { Random::random(rng, version) } else { Vec::new() },
            error_message: if version >= 8 { rng.nullable(version) } else { None },
            current_leader: if version >= 10 {
                Random::random(rng, version)
            } else {
                LeaderIdAndEpoch::default()
            },
        }
    }
}
impl Random for BatchIndexAndErrorMessage<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { batch_index: Random::random(rng, version), batch_index_error_message: rng.nullable(version) }
    }
}
impl Random for LeaderIdAndEpoch {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { leader_id: Random::random(rng, version), leader_epoch: Random::random(rng, version) }
    }
}
impl Random for NodeEndpoint<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            node_id: Random::random(rng, version),
            host: Random::random(rng, version),
            port: Random::random(rng, version),
            rack: rng.nullable(version),
        }
    }
}
