//! Random instances of what is in `messages::fetch`.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use millrace::protocol::messages::fetch::*;
use millrace::protocol::wire::Uuid;

use crate::random::{Random, Rng};

impl Random for FetchRequest<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            cluster_id: if version >= 12 { rng.nullable(version) } else { None },
            replica_id: if version <= 14 { Random::random(rng, version) } else { -1 },
            replica_state: if version >= 15 { Random::random(rng, version) } else { ReplicaState::default() },
            max_wait_ms: Random::random(rng, version),
            min_bytes: Random::random(rng, version),
            max_bytes: Random::random(rng, version),
            isolation_level: Random::random(rng, version),
            session_id: if version >= 7 { Random::random(rng, version) } else { 0 },
            session_epoch: if version >= 7 { Random::random(rng, version) } else { -1 },
            topics: Random::random(rng, version),
            forgotten_topics_data: if version >= 7 { Random::random(rng, version) } else { Vec::new() },
            rack_id: if version >= 11 { Random::random(rng, version) } else { "" },
        }
    }
}
impl Random for ReplicaState {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { replica_id: Random::random(rng, version), replica_epoch: Random::random(rng, version) }
    }
}
impl Random for FetchTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topic: if version <= 12 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 13 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for FetchPartition {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition: Random::random(rng, version),
            current_leader_epoch: if version >= 9 { Random::random(rng, version) } else { -1 },
            fetch_offset: Random::random(rng, version),
            last_fetched_epoch: if version >= 12 { Random::random(rng, version) } else { -1 },
            log_start_offset: if version >= 5 { Random::random(rng, version) } else { -1 },
            partition_max_bytes: Random::random(rng, version),
            replica_directory_id: if version >= 17 { Random::random(rng, version) } else { Uuid::ZERO },
            high_watermark: if version >= 18 { Random::random(rng, version) } else { i64::MAX },
        }
    }
}
impl Random for ForgottenTopic<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topic: if version <= 12 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 13 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for FetchResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            throttle_time_ms: Random::random(rng, version),
            error_code: if version >= 7 { Random::random(rng, version) } else { 0 },
            session_id: if version >= 7 { Random::random(rng, version) } else { 0 },
            responses: Random::random(rng, version),
            node_endpoints: if version >= 16 { Random::random(rng, version) } else { Vec::new() },
        }
    }
}
impl Random for FetchableTopicResponse<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            topic: if version <= 12 { Random::random(rng, version) } else { "" },
            topic_id: if version >= 13 { Random::random(rng, version) } else { Uuid::ZERO },
            partitions: Random::random(rng, version),
        }
    }
}
impl Random for PartitionData<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self {
            partition_index: Random::random(rng, version),
            error_code: Random::random(rng, version),
            high_watermark: Random::random(rng, version),
            last_stable_offset: Random::random(rng, version),
            log_start_offset: if version >= 5 { Random::random(rng, version) } else { -1 },
            diverging_epoch: if version >= 12 {
                Random::random(rng, version)
            } else {
                EpochEndOffset::default()
            },
            current_leader: if version >= 12 {
                Random::random(rng, version)
            } else {
                LeaderIdAndEpoch::default()
            },
            snapshot_id: if version >= 12 { Random::random(rng, version) } else { SnapshotId::default() },
            aborted_transactions: rng.nullable(version),
            preferred_read_replica: if version >= 11 { Random::random(rng, version) } else { -1 },
            records: Random::random(rng, version),
        }
    }
}
impl Random for EpochEndOffset {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { epoch: Random::random(rng, version), end_offset: Random::random(rng, version) }
    }
}
impl Random for LeaderIdAndEpoch {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { leader_id: Random::random(rng, version), leader_epoch: Random::random(rng, version) }
    }
}
impl Random for SnapshotId {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { end_offset: Random::random(rng, version), epoch: Random::random(rng, version) }
    }
}
impl Random for AbortedTransaction {
    fn random(rng: &mut Rng, version: i16) -> Self {
        Self { producer_id: Random::random(rng, version), first_offset: Random::random(rng, version) }
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
