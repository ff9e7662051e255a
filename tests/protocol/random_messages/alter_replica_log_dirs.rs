//! Random instances of what is in `messages::alter_replica_log_dirs`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::alter_replica_log_dirs::*;

use crate::random::{Random, Rng};

impl Random for AlterReplicaLogDirsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { dirs: Random::random(rng, version) }
    }
}
impl Random for AlterReplicaLogDir<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { path: Random::random(rng, version), topics: Random::random(rng, version) }
    }
}
impl Random for AlterReplicaLogDirTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for AlterReplicaLogDirsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
    }
}
impl Random for AlterReplicaLogDirTopicResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic_name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for AlterReplicaLogDirPartitionResult {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { partition_index: Random::random(rng, version), error_code: Random::random(rng, version) }
    }
}
