//! Random instances of what is in `messages::create_topics`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::create_topics::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for CreateTopicsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topics: Random::random(rng, version),
            timeout_ms: Random::random(rng, version),
            validate_only: Random::random(rng, version),
        }
    }
}
impl Random for CreatableTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            num_partitions: Random::random(rng, version),
            replication_factor: Random::random(rng, version),
            assignments: Random::random(rng, version),
            configs: Random::random(rng, version),
        }
    }
}
impl Random for CreatableReplicaAssignment {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), broker_ids: Random::random(rng, version) }
    }
}
impl Random for CreatableTopicConfig<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), value: rng.nullable(version) }
    }
}
impl Random for CreateTopicsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for CreatableTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            topic_id: if version >= 7 { Random::random(rng, version) } else { Uuid::ZERO },
            error_code: Random::random(rng, version),
            error_message: rng.nullable(version),
            topic_config_error_code: if version >= 5 { Random::random(rng, version) } else { 0 },
            num_partitions: if version >= 5 { Random::random(rng, version) } else { -1 },
            replication_factor: if version >= 5 { Random::random(rng, version) } else { -1 },
            configs: if version >= 5 { rng.nullable(version) } else { Some(Vec::new()) },
        }
    }
}
impl Random for CreatableTopicConfigs<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            name: Random::random(rng, version),
            value: rng.nullable(version),
            read_only: Random::random(rng, version),
            config_source: Random::random(rng, version),
            is_sensitive: Random::random(rng, version),
        }
    }
}
