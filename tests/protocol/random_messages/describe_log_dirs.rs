//! Random instances of what is in `messages::describe_log_dirs`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::describe_log_dirs::*;

use crate::random::{Random, Rng};

impl Random for DescribeLogDirsRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topics: rng.nullable(version) }
    }
}
impl Random for DescribableLogDirTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for DescribeLogDirsResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: if version >= 3 { Random::random(rng, version) } else { 0 },
            results: Random::random(rng, version),
        }
    }
}
impl Random for DescribeLogDirsResult<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            error_code: Random::random(rng, version),
            log_dir: Random::random(rng, version),
            topics: Random::random(rng, version),
            total_bytes: if version >= 4 { Random::random(rng, version) } else { -1 },
            usable_bytes: if version >= 4 { Random::random(rng, version) } else { -1 },
            is_cordoned: if version >= 5 { Random::random(rng, version) } else { false },
        }
    }
}
impl Random for DescribeLogDirsTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
    }
}
impl Random for DescribeLogDirsPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            partition_size: Random::random(rng, version),
            offset_lag: Random::random(rng, version),
            is_future_key: Random::random(rng, version),
        }
    }
}
