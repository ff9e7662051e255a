//! Random instances of every generated struct.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::random::{Random, Rng};

/// Calls a macro with every message and the class that Kafka has for it.
macro_rules! for_each_message {
    ($callback:ident) => { $callback! {
ProduceRequest<'static>, "org.apache.kafka.common.message.ProduceRequestData";
ProduceResponse<'static>, "org.apache.kafka.common.message.ProduceResponseData";
FetchRequest<'static>, "org.apache.kafka.common.message.FetchRequestData";
FetchResponse<'static>, "org.apache.kafka.common.message.FetchResponseData";
ListOffsetsRequest<'static>, "org.apache.kafka.common.message.ListOffsetsRequestData";
ListOffsetsResponse<'static>, "org.apache.kafka.common.message.ListOffsetsResponseData";
MetadataRequest<'static>, "org.apache.kafka.common.message.MetadataRequestData";
MetadataResponse<'static>, "org.apache.kafka.common.message.MetadataResponseData";
OffsetCommitRequest<'static>, "org.apache.kafka.common.message.OffsetCommitRequestData";
OffsetCommitResponse<'static>, "org.apache.kafka.common.message.OffsetCommitResponseData";
OffsetFetchRequest<'static>, "org.apache.kafka.common.message.OffsetFetchRequestData";
OffsetFetchResponse<'static>, "org.apache.kafka.common.message.OffsetFetchResponseData";
FindCoordinatorRequest<'static>, "org.apache.kafka.common.message.FindCoordinatorRequestData";
FindCoordinatorResponse<'static>, "org.apache.kafka.common.message.FindCoordinatorResponseData";
JoinGroupRequest<'static>, "org.apache.kafka.common.message.JoinGroupRequestData";
JoinGroupResponse<'static>, "org.apache.kafka.common.message.JoinGroupResponseData";
HeartbeatRequest<'static>, "org.apache.kafka.common.message.HeartbeatRequestData";
HeartbeatResponse, "org.apache.kafka.common.message.HeartbeatResponseData";
LeaveGroupRequest<'static>, "org.apache.kafka.common.message.LeaveGroupRequestData";
LeaveGroupResponse<'static>, "org.apache.kafka.common.message.LeaveGroupResponseData";
SyncGroupRequest<'static>, "org.apache.kafka.common.message.SyncGroupRequestData";
SyncGroupResponse<'static>, "org.apache.kafka.common.message.SyncGroupResponseData";
DescribeGroupsRequest<'static>, "org.apache.kafka.common.message.DescribeGroupsRequestData";
DescribeGroupsResponse<'static>, "org.apache.kafka.common.message.DescribeGroupsResponseData";
ListGroupsRequest<'static>, "org.apache.kafka.common.message.ListGroupsRequestData";
ListGroupsResponse<'static>, "org.apache.kafka.common.message.ListGroupsResponseData";
ApiVersionsRequest<'static>, "org.apache.kafka.common.message.ApiVersionsRequestData";
ApiVersionsResponse<'static>, "org.apache.kafka.common.message.ApiVersionsResponseData";
CreateTopicsRequest<'static>, "org.apache.kafka.common.message.CreateTopicsRequestData";
CreateTopicsResponse<'static>, "org.apache.kafka.common.message.CreateTopicsResponseData";
DeleteTopicsRequest<'static>, "org.apache.kafka.common.message.DeleteTopicsRequestData";
DeleteTopicsResponse<'static>, "org.apache.kafka.common.message.DeleteTopicsResponseData";
DeleteRecordsRequest<'static>, "org.apache.kafka.common.message.DeleteRecordsRequestData";
DeleteRecordsResponse<'static>, "org.apache.kafka.common.message.DeleteRecordsResponseData";
InitProducerIdRequest<'static>, "org.apache.kafka.common.message.InitProducerIdRequestData";
InitProducerIdResponse, "org.apache.kafka.common.message.InitProducerIdResponseData";
OffsetForLeaderEpochRequest<'static>, "org.apache.kafka.common.message.OffsetForLeaderEpochRequestData";
OffsetForLeaderEpochResponse<'static>, "org.apache.kafka.common.message.OffsetForLeaderEpochResponseData";
DescribeConfigsRequest<'static>, "org.apache.kafka.common.message.DescribeConfigsRequestData";
DescribeConfigsResponse<'static>, "org.apache.kafka.common.message.DescribeConfigsResponseData";
AlterConfigsRequest<'static>, "org.apache.kafka.common.message.AlterConfigsRequestData";
AlterConfigsResponse<'static>, "org.apache.kafka.common.message.AlterConfigsResponseData";
DescribeLogDirsRequest<'static>, "org.apache.kafka.common.message.DescribeLogDirsRequestData";
DescribeLogDirsResponse<'static>, "org.apache.kafka.common.message.DescribeLogDirsResponseData";
CreatePartitionsRequest<'static>, "org.apache.kafka.common.message.CreatePartitionsRequestData";
CreatePartitionsResponse<'static>, "org.apache.kafka.common.message.CreatePartitionsResponseData";
DeleteGroupsRequest<'static>, "org.apache.kafka.common.message.DeleteGroupsRequestData";
DeleteGroupsResponse<'static>, "org.apache.kafka.common.message.DeleteGroupsResponseData";
IncrementalAlterConfigsRequest<'static>, "org.apache.kafka.common.message.IncrementalAlterConfigsRequestData";
IncrementalAlterConfigsResponse<'static>, "org.apache.kafka.common.message.IncrementalAlterConfigsResponseData";
DescribeClusterRequest, "org.apache.kafka.common.message.DescribeClusterRequestData";
DescribeClusterResponse<'static>, "org.apache.kafka.common.message.DescribeClusterResponseData";
DescribeProducersRequest<'static>, "org.apache.kafka.common.message.DescribeProducersRequestData";
DescribeProducersResponse<'static>, "org.apache.kafka.common.message.DescribeProducersResponseData";
DescribeTopicPartitionsRequest<'static>, "org.apache.kafka.common.message.DescribeTopicPartitionsRequestData";
DescribeTopicPartitionsResponse<'static>, "org.apache.kafka.common.message.DescribeTopicPartitionsResponseData";
RegisterBrokerRecord<'static>, "org.apache.kafka.common.metadata.RegisterBrokerRecord";
UnregisterBrokerRecord, "org.apache.kafka.common.metadata.UnregisterBrokerRecord";
TopicRecord<'static>, "org.apache.kafka.common.metadata.TopicRecord";
PartitionRecord, "org.apache.kafka.common.metadata.PartitionRecord";
ConfigRecord<'static>, "org.apache.kafka.common.metadata.ConfigRecord";
PartitionChangeRecord, "org.apache.kafka.common.metadata.PartitionChangeRecord";
RemoveTopicRecord, "org.apache.kafka.common.metadata.RemoveTopicRecord";
FeatureLevelRecord<'static>, "org.apache.kafka.common.metadata.FeatureLevelRecord";
BrokerRegistrationChangeRecord, "org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord";
ProducerIdsRecord, "org.apache.kafka.common.metadata.ProducerIdsRecord";
NoOpRecord, "org.apache.kafka.common.metadata.NoOpRecord";
RequestHeader<'static>, "org.apache.kafka.common.message.RequestHeaderData";
ResponseHeader, "org.apache.kafka.common.message.ResponseHeaderData";
EndTxnMarker, "org.apache.kafka.common.message.EndTxnMarker";
LeaderChangeMessage, "org.apache.kafka.common.message.LeaderChangeMessage";
SnapshotHeaderRecord, "org.apache.kafka.common.message.SnapshotHeaderRecord";
SnapshotFooterRecord, "org.apache.kafka.common.message.SnapshotFooterRecord";
KRaftVersionRecord, "org.apache.kafka.common.message.KRaftVersionRecord";
VotersRecord<'static>, "org.apache.kafka.common.message.VotersRecord";
LegacyOffsetCommitKey<'static>, "org.apache.kafka.coordinator.group.generated.LegacyOffsetCommitKey";
LegacyOffsetCommitValue<'static>, "org.apache.kafka.coordinator.group.generated.LegacyOffsetCommitValue";
OffsetCommitKey<'static>, "org.apache.kafka.coordinator.group.generated.OffsetCommitKey";
OffsetCommitValue<'static>, "org.apache.kafka.coordinator.group.generated.OffsetCommitValue";
GroupMetadataKey<'static>, "org.apache.kafka.coordinator.group.generated.GroupMetadataKey";
GroupMetadataValue<'static>, "org.apache.kafka.coordinator.group.generated.GroupMetadataValue";
    } };
}
pub(crate) use for_each_message;

mod produce {
    use super::{Random, Rng};
    use millrace::protocol::messages::produce::*;
    use millrace::protocol::wire::Uuid;
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
            Self {
                batch_index: Random::random(rng, version),
                batch_index_error_message: rng.nullable(version),
            }
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
}
mod fetch {
    use super::{Random, Rng};
    use millrace::protocol::messages::fetch::*;
    use millrace::protocol::wire::Uuid;
    impl Random for FetchRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                cluster_id: if version >= 12 { rng.nullable(version) } else { None },
                replica_id: if version <= 14 { Random::random(rng, version) } else { -1 },
                replica_state: if version >= 15 {
                    Random::random(rng, version)
                } else {
                    ReplicaState::default()
                },
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
}
mod list_offsets {
    use super::{Random, Rng};
    use millrace::protocol::messages::list_offsets::*;
    impl Random for ListOffsetsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                replica_id: Random::random(rng, version),
                isolation_level: if version >= 2 { Random::random(rng, version) } else { 0 },
                topics: Random::random(rng, version),
                timeout_ms: if version >= 10 { Random::random(rng, version) } else { 0 },
            }
        }
    }
    impl Random for ListOffsetsTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for ListOffsetsPartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                current_leader_epoch: if version >= 4 { Random::random(rng, version) } else { -1 },
                timestamp: Random::random(rng, version),
                max_num_offsets: if version <= 0 { Random::random(rng, version) } else { 1 },
            }
        }
    }
    impl Random for ListOffsetsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 2 { Random::random(rng, version) } else { 0 },
                topics: Random::random(rng, version),
            }
        }
    }
    impl Random for ListOffsetsTopicResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for ListOffsetsPartitionResponse {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                error_code: Random::random(rng, version),
                old_style_offsets: if version <= 0 { Random::random(rng, version) } else { Vec::new() },
                timestamp: if version >= 1 { Random::random(rng, version) } else { -1 },
                offset: if version >= 1 { Random::random(rng, version) } else { -1 },
                leader_epoch: if version >= 4 { Random::random(rng, version) } else { -1 },
            }
        }
    }
}
mod metadata {
    use super::{Random, Rng};
    use millrace::protocol::messages::metadata::*;
    use millrace::protocol::wire::Uuid;
    impl Random for MetadataRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                topics: if version >= 1 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
                allow_auto_topic_creation: if version >= 4 { Random::random(rng, version) } else { true },
                include_cluster_authorized_operations: if (8..=10).contains(&version) {
                    Random::random(rng, version)
                } else {
                    false
                },
                include_topic_authorized_operations: if version >= 8 {
                    Random::random(rng, version)
                } else {
                    false
                },
            }
        }
    }
    impl Random for MetadataRequestTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                name: if version >= 10 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
            }
        }
    }
    impl Random for MetadataResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
                brokers: Random::random(rng, version),
                cluster_id: if version >= 2 { rng.nullable(version) } else { None },
                controller_id: if version >= 1 { Random::random(rng, version) } else { -1 },
                topics: Random::random(rng, version),
                cluster_authorized_operations: if (8..=10).contains(&version) {
                    Random::random(rng, version)
                } else {
                    i32::MIN
                },
                error_code: if version >= 13 { Random::random(rng, version) } else { 0 },
            }
        }
    }
    impl Random for MetadataResponseBroker<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                node_id: Random::random(rng, version),
                host: Random::random(rng, version),
                port: Random::random(rng, version),
                rack: if version >= 1 { rng.nullable(version) } else { None },
            }
        }
    }
    impl Random for MetadataResponseTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                name: if version >= 12 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                is_internal: if version >= 1 { Random::random(rng, version) } else { false },
                partitions: Random::random(rng, version),
                topic_authorized_operations: if version >= 8 {
                    Random::random(rng, version)
                } else {
                    i32::MIN
                },
            }
        }
    }
    impl Random for MetadataResponsePartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                partition_index: Random::random(rng, version),
                leader_id: Random::random(rng, version),
                leader_epoch: if version >= 7 { Random::random(rng, version) } else { -1 },
                replica_nodes: Random::random(rng, version),
                isr_nodes: Random::random(rng, version),
                offline_replicas: if version >= 5 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
}
mod offset_commit {
    use super::{Random, Rng};
    use millrace::protocol::messages::offset_commit::*;
    use millrace::protocol::wire::Uuid;
    impl Random for OffsetCommitRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                generation_id_or_member_epoch: Random::random(rng, version),
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 7 { rng.nullable(version) } else { None },
                retention_time_ms: if version <= 4 { Random::random(rng, version) } else { -1 },
                topics: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetCommitRequestTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: if version <= 9 { Random::random(rng, version) } else { "" },
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                partitions: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetCommitRequestPartition<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                committed_offset: Random::random(rng, version),
                committed_leader_epoch: if version >= 6 { Random::random(rng, version) } else { -1 },
                committed_metadata: rng.nullable(version),
            }
        }
    }
    impl Random for OffsetCommitResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
                topics: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetCommitResponseTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: if version <= 9 { Random::random(rng, version) } else { "" },
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                partitions: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetCommitResponsePartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { partition_index: Random::random(rng, version), error_code: Random::random(rng, version) }
        }
    }
}
mod offset_fetch {
    use super::{Random, Rng};
    use millrace::protocol::messages::offset_fetch::*;
    use millrace::protocol::wire::Uuid;
    impl Random for OffsetFetchRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: if version <= 7 { Random::random(rng, version) } else { "" },
                topics: if version <= 7 {
                    if version >= 2 { rng.nullable(version) } else { Some(Random::random(rng, version)) }
                } else {
                    Some(Vec::new())
                },
                groups: if version >= 8 { Random::random(rng, version) } else { Vec::new() },
                require_stable: if version >= 7 { Random::random(rng, version) } else { false },
            }
        }
    }
    impl Random for OffsetFetchRequestTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partition_indexes: Random::random(rng, version) }
        }
    }
    impl Random for OffsetFetchRequestGroup<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                member_id: if version >= 9 { rng.nullable(version) } else { None },
                member_epoch: if version >= 9 { Random::random(rng, version) } else { -1 },
                topics: rng.nullable(version),
            }
        }
    }
    impl Random for OffsetFetchRequestTopics<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: if version <= 9 { Random::random(rng, version) } else { "" },
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                partition_indexes: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetFetchResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 3 { Random::random(rng, version) } else { 0 },
                topics: if version <= 7 { Random::random(rng, version) } else { Vec::new() },
                error_code: if (2..=7).contains(&version) { Random::random(rng, version) } else { 0 },
                groups: if version >= 8 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for OffsetFetchResponseTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for OffsetFetchResponsePartition<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                committed_offset: Random::random(rng, version),
                committed_leader_epoch: if version >= 5 { Random::random(rng, version) } else { -1 },
                metadata: rng.nullable(version),
                error_code: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetFetchResponseGroup<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                topics: Random::random(rng, version),
                error_code: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetFetchResponseTopics<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: if version <= 9 { Random::random(rng, version) } else { "" },
                topic_id: if version >= 10 { Random::random(rng, version) } else { Uuid::ZERO },
                partitions: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetFetchResponsePartitions<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                committed_offset: Random::random(rng, version),
                committed_leader_epoch: Random::random(rng, version),
                metadata: rng.nullable(version),
                error_code: Random::random(rng, version),
            }
        }
    }
}
mod find_coordinator {
    use super::{Random, Rng};
    use millrace::protocol::messages::find_coordinator::*;
    impl Random for FindCoordinatorRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                key: if version <= 3 { Random::random(rng, version) } else { "" },
                key_type: if version >= 1 { Random::random(rng, version) } else { 0 },
                coordinator_keys: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for FindCoordinatorResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                error_code: if version <= 3 { Random::random(rng, version) } else { 0 },
                error_message: if (1..=3).contains(&version) { rng.nullable(version) } else { Some("") },
                node_id: if version <= 3 { Random::random(rng, version) } else { 0 },
                host: if version <= 3 { Random::random(rng, version) } else { "" },
                port: if version <= 3 { Random::random(rng, version) } else { 0 },
                coordinators: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for Coordinator<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                key: Random::random(rng, version),
                node_id: Random::random(rng, version),
                host: Random::random(rng, version),
                port: Random::random(rng, version),
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
            }
        }
    }
}
mod join_group {
    use super::{Random, Rng};
    use millrace::protocol::messages::join_group::*;
    impl Random for JoinGroupRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                session_timeout_ms: Random::random(rng, version),
                rebalance_timeout_ms: if version >= 1 { Random::random(rng, version) } else { -1 },
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 5 { rng.nullable(version) } else { None },
                protocol_type: Random::random(rng, version),
                protocols: Random::random(rng, version),
                reason: if version >= 8 { rng.nullable(version) } else { None },
            }
        }
    }
    impl Random for JoinGroupRequestProtocol<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), metadata: Random::random(rng, version) }
        }
    }
    impl Random for JoinGroupResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 2 { Random::random(rng, version) } else { 0 },
                error_code: Random::random(rng, version),
                generation_id: Random::random(rng, version),
                protocol_type: if version >= 7 { rng.nullable(version) } else { None },
                protocol_name: if version >= 7 {
                    rng.nullable(version)
                } else {
                    Some(Random::random(rng, version))
                },
                leader: Random::random(rng, version),
                skip_assignment: if version >= 9 { Random::random(rng, version) } else { false },
                member_id: Random::random(rng, version),
                members: Random::random(rng, version),
            }
        }
    }
    impl Random for JoinGroupResponseMember<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 5 { rng.nullable(version) } else { None },
                metadata: Random::random(rng, version),
            }
        }
    }
}
mod heartbeat {
    use super::{Random, Rng};
    use millrace::protocol::messages::heartbeat::*;
    impl Random for HeartbeatRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                generation_id: Random::random(rng, version),
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
            }
        }
    }
    impl Random for HeartbeatResponse {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                error_code: Random::random(rng, version),
            }
        }
    }
}
mod leave_group {
    use super::{Random, Rng};
    use millrace::protocol::messages::leave_group::*;
    impl Random for LeaveGroupRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                member_id: if version <= 2 { Random::random(rng, version) } else { "" },
                members: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for MemberIdentity<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                member_id: Random::random(rng, version),
                group_instance_id: rng.nullable(version),
                reason: if version >= 5 { rng.nullable(version) } else { None },
            }
        }
    }
    impl Random for LeaveGroupResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                error_code: Random::random(rng, version),
                members: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for MemberResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                member_id: Random::random(rng, version),
                group_instance_id: rng.nullable(version),
                error_code: Random::random(rng, version),
            }
        }
    }
}
mod sync_group {
    use super::{Random, Rng};
    use millrace::protocol::messages::sync_group::*;
    impl Random for SyncGroupRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                generation_id: Random::random(rng, version),
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
                protocol_type: if version >= 5 { rng.nullable(version) } else { None },
                protocol_name: if version >= 5 { rng.nullable(version) } else { None },
                assignments: Random::random(rng, version),
            }
        }
    }
    impl Random for SyncGroupRequestAssignment<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { member_id: Random::random(rng, version), assignment: Random::random(rng, version) }
        }
    }
    impl Random for SyncGroupResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                error_code: Random::random(rng, version),
                protocol_type: if version >= 5 { rng.nullable(version) } else { None },
                protocol_name: if version >= 5 { rng.nullable(version) } else { None },
                assignment: Random::random(rng, version),
            }
        }
    }
}
mod describe_groups {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_groups::*;
    impl Random for DescribeGroupsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                groups: Random::random(rng, version),
                include_authorized_operations: if version >= 3 {
                    Random::random(rng, version)
                } else {
                    false
                },
            }
        }
    }
    impl Random for DescribeGroupsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                groups: Random::random(rng, version),
            }
        }
    }
    impl Random for DescribedGroup<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                error_message: if version >= 6 { rng.nullable(version) } else { None },
                group_id: Random::random(rng, version),
                group_state: Random::random(rng, version),
                protocol_type: Random::random(rng, version),
                protocol_data: Random::random(rng, version),
                members: Random::random(rng, version),
                authorized_operations: if version >= 3 { Random::random(rng, version) } else { i32::MIN },
            }
        }
    }
    impl Random for DescribedGroupMember<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 4 { rng.nullable(version) } else { None },
                client_id: Random::random(rng, version),
                client_host: Random::random(rng, version),
                member_metadata: Random::random(rng, version),
                member_assignment: Random::random(rng, version),
            }
        }
    }
}
mod list_groups {
    use super::{Random, Rng};
    use millrace::protocol::messages::list_groups::*;
    impl Random for ListGroupsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                states_filter: if version >= 4 { Random::random(rng, version) } else { Vec::new() },
                types_filter: if version >= 5 { Random::random(rng, version) } else { Vec::new() },
            }
        }
    }
    impl Random for ListGroupsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                error_code: Random::random(rng, version),
                groups: Random::random(rng, version),
            }
        }
    }
    impl Random for ListedGroup<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                protocol_type: Random::random(rng, version),
                group_state: if version >= 4 { Random::random(rng, version) } else { "" },
                group_type: if version >= 5 { Random::random(rng, version) } else { "" },
            }
        }
    }
}
mod api_versions {
    use super::{Random, Rng};
    use millrace::protocol::messages::api_versions::*;
    impl Random for ApiVersionsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                client_software_name: if version >= 3 { Random::random(rng, version) } else { "" },
                client_software_version: if version >= 3 { Random::random(rng, version) } else { "" },
                cluster_id: if version >= 5 { rng.nullable(version) } else { None },
                node_id: if version >= 5 { Random::random(rng, version) } else { -1 },
            }
        }
    }
    impl Random for ApiVersionsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                api_keys: Random::random(rng, version),
                throttle_time_ms: if version >= 1 { Random::random(rng, version) } else { 0 },
                supported_features: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
                finalized_features_epoch: if version >= 3 { Random::random(rng, version) } else { -1 },
                finalized_features: if version >= 3 { Random::random(rng, version) } else { Vec::new() },
                zk_migration_ready: if version >= 3 { Random::random(rng, version) } else { false },
            }
        }
    }
    impl Random for ApiVersion {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                api_key: Random::random(rng, version),
                min_version: Random::random(rng, version),
                max_version: Random::random(rng, version),
            }
        }
    }
    impl Random for SupportedFeatureKey<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                min_version: Random::random(rng, version),
                max_version: Random::random(rng, version),
            }
        }
    }
    impl Random for FinalizedFeatureKey<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                max_version_level: Random::random(rng, version),
                min_version_level: Random::random(rng, version),
            }
        }
    }
}
mod create_topics {
    use super::{Random, Rng};
    use millrace::protocol::messages::create_topics::*;
    use millrace::protocol::wire::Uuid;
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
}
mod delete_topics {
    use super::{Random, Rng};
    use millrace::protocol::messages::delete_topics::*;
    use millrace::protocol::wire::Uuid;
    impl Random for DeleteTopicsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                topics: if version >= 6 { Random::random(rng, version) } else { Vec::new() },
                topic_names: if version <= 5 { Random::random(rng, version) } else { Vec::new() },
                timeout_ms: Random::random(rng, version),
            }
        }
    }
    impl Random for DeleteTopicState<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: rng.nullable(version), topic_id: Random::random(rng, version) }
        }
    }
    impl Random for DeleteTopicsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), responses: Random::random(rng, version) }
        }
    }
    impl Random for DeletableTopicResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: if version >= 6 { rng.nullable(version) } else { Some(Random::random(rng, version)) },
                topic_id: if version >= 6 { Random::random(rng, version) } else { Uuid::ZERO },
                error_code: Random::random(rng, version),
                error_message: if version >= 5 { rng.nullable(version) } else { None },
            }
        }
    }
}
mod delete_records {
    use super::{Random, Rng};
    use millrace::protocol::messages::delete_records::*;
    impl Random for DeleteRecordsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topics: Random::random(rng, version), timeout_ms: Random::random(rng, version) }
        }
    }
    impl Random for DeleteRecordsTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for DeleteRecordsPartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { partition_index: Random::random(rng, version), offset: Random::random(rng, version) }
        }
    }
    impl Random for DeleteRecordsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
        }
    }
    impl Random for DeleteRecordsTopicResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for DeleteRecordsPartitionResult {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                low_watermark: Random::random(rng, version),
                error_code: Random::random(rng, version),
            }
        }
    }
}
mod init_producer_id {
    use super::{Random, Rng};
    use millrace::protocol::messages::init_producer_id::*;
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
}
mod offset_for_leader_epoch {
    use super::{Random, Rng};
    use millrace::protocol::messages::offset_for_leader_epoch::*;
    impl Random for OffsetForLeaderEpochRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                replica_id: if version >= 3 { Random::random(rng, version) } else { -2 },
                topics: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetForLeaderTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for OffsetForLeaderPartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition: Random::random(rng, version),
                current_leader_epoch: Random::random(rng, version),
                leader_epoch: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetForLeaderEpochResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
        }
    }
    impl Random for OffsetForLeaderTopicResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topic: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for EpochEndOffset {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                partition: Random::random(rng, version),
                leader_epoch: Random::random(rng, version),
                end_offset: Random::random(rng, version),
            }
        }
    }
}
mod describe_configs {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_configs::*;
    impl Random for DescribeConfigsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                resources: Random::random(rng, version),
                include_synonyms: Random::random(rng, version),
                include_documentation: if version >= 3 { Random::random(rng, version) } else { false },
            }
        }
    }
    impl Random for DescribeConfigsResource<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
                configuration_keys: rng.nullable(version),
            }
        }
    }
    impl Random for DescribeConfigsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
        }
    }
    impl Random for DescribeConfigsResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
                configs: Random::random(rng, version),
            }
        }
    }
    impl Random for DescribeConfigsResourceResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                value: rng.nullable(version),
                read_only: Random::random(rng, version),
                config_source: Random::random(rng, version),
                is_sensitive: Random::random(rng, version),
                synonyms: Random::random(rng, version),
                config_type: if version >= 3 { Random::random(rng, version) } else { 0 },
                documentation: if version >= 3 { rng.nullable(version) } else { Some("") },
            }
        }
    }
    impl Random for DescribeConfigsSynonym<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                value: rng.nullable(version),
                source: Random::random(rng, version),
            }
        }
    }
}
mod alter_configs {
    use super::{Random, Rng};
    use millrace::protocol::messages::alter_configs::*;
    impl Random for AlterConfigsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { resources: Random::random(rng, version), validate_only: Random::random(rng, version) }
        }
    }
    impl Random for AlterConfigsResource<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
                configs: Random::random(rng, version),
            }
        }
    }
    impl Random for AlterableConfig<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), value: rng.nullable(version) }
        }
    }
    impl Random for AlterConfigsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), responses: Random::random(rng, version) }
        }
    }
    impl Random for AlterConfigsResourceResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
            }
        }
    }
}
mod describe_log_dirs {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_log_dirs::*;
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
}
mod create_partitions {
    use super::{Random, Rng};
    use millrace::protocol::messages::create_partitions::*;
    impl Random for CreatePartitionsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                topics: Random::random(rng, version),
                timeout_ms: Random::random(rng, version),
                validate_only: Random::random(rng, version),
            }
        }
    }
    impl Random for CreatePartitionsTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                count: Random::random(rng, version),
                assignments: rng.nullable(version),
            }
        }
    }
    impl Random for CreatePartitionsAssignment {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { broker_ids: Random::random(rng, version) }
        }
    }
    impl Random for CreatePartitionsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
        }
    }
    impl Random for CreatePartitionsTopicResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
            }
        }
    }
}
mod delete_groups {
    use super::{Random, Rng};
    use millrace::protocol::messages::delete_groups::*;
    impl Random for DeleteGroupsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { groups_names: Random::random(rng, version) }
        }
    }
    impl Random for DeleteGroupsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), results: Random::random(rng, version) }
        }
    }
    impl Random for DeletableGroupResult<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group_id: Random::random(rng, version),
                error_code: Random::random(rng, version),
                error_message: if version >= 3 { rng.nullable(version) } else { None },
            }
        }
    }
}
mod incremental_alter_configs {
    use super::{Random, Rng};
    use millrace::protocol::messages::incremental_alter_configs::*;
    impl Random for IncrementalAlterConfigsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { resources: Random::random(rng, version), validate_only: Random::random(rng, version) }
        }
    }
    impl Random for AlterConfigsResource<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
                configs: Random::random(rng, version),
            }
        }
    }
    impl Random for AlterableConfig<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                config_operation: Random::random(rng, version),
                value: rng.nullable(version),
            }
        }
    }
    impl Random for IncrementalAlterConfigsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), responses: Random::random(rng, version) }
        }
    }
    impl Random for AlterConfigsResourceResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
            }
        }
    }
}
mod describe_cluster {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_cluster::*;
    impl Random for DescribeClusterRequest {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                include_cluster_authorized_operations: Random::random(rng, version),
                endpoint_type: if version >= 1 { Random::random(rng, version) } else { 1 },
                include_fenced_brokers: if version >= 2 { Random::random(rng, version) } else { false },
            }
        }
    }
    impl Random for DescribeClusterResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: Random::random(rng, version),
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
                endpoint_type: if version >= 1 { Random::random(rng, version) } else { 1 },
                cluster_id: Random::random(rng, version),
                controller_id: Random::random(rng, version),
                brokers: Random::random(rng, version),
                cluster_authorized_operations: Random::random(rng, version),
            }
        }
    }
    impl Random for DescribeClusterBroker<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                broker_id: Random::random(rng, version),
                host: Random::random(rng, version),
                port: Random::random(rng, version),
                rack: rng.nullable(version),
                is_fenced: if version >= 2 { Random::random(rng, version) } else { false },
            }
        }
    }
}
mod describe_producers {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_producers::*;
    impl Random for DescribeProducersRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topics: Random::random(rng, version) }
        }
    }
    impl Random for TopicRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partition_indexes: Random::random(rng, version) }
        }
    }
    impl Random for DescribeProducersResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { throttle_time_ms: Random::random(rng, version), topics: Random::random(rng, version) }
        }
    }
    impl Random for TopicResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), partitions: Random::random(rng, version) }
        }
    }
    impl Random for PartitionResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                partition_index: Random::random(rng, version),
                error_code: Random::random(rng, version),
                error_message: rng.nullable(version),
                active_producers: Random::random(rng, version),
            }
        }
    }
    impl Random for ProducerState {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                producer_id: Random::random(rng, version),
                producer_epoch: Random::random(rng, version),
                last_sequence: Random::random(rng, version),
                last_timestamp: Random::random(rng, version),
                coordinator_epoch: Random::random(rng, version),
                current_txn_start_offset: Random::random(rng, version),
            }
        }
    }
}
mod describe_topic_partitions {
    use super::{Random, Rng};
    use millrace::protocol::messages::describe_topic_partitions::*;
    impl Random for DescribeTopicPartitionsRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                topics: Random::random(rng, version),
                response_partition_limit: Random::random(rng, version),
                cursor: rng.nullable(version),
            }
        }
    }
    impl Random for TopicRequest<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version) }
        }
    }
    impl Random for Cursor<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topic_name: Random::random(rng, version), partition_index: Random::random(rng, version) }
        }
    }
    impl Random for DescribeTopicPartitionsResponse<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                throttle_time_ms: Random::random(rng, version),
                topics: Random::random(rng, version),
                next_cursor: rng.nullable(version),
            }
        }
    }
    impl Random for DescribeTopicPartitionsResponseTopic<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                name: rng.nullable(version),
                topic_id: Random::random(rng, version),
                is_internal: Random::random(rng, version),
                partitions: Random::random(rng, version),
                topic_authorized_operations: Random::random(rng, version),
            }
        }
    }
    impl Random for DescribeTopicPartitionsResponsePartition {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                error_code: Random::random(rng, version),
                partition_index: Random::random(rng, version),
                leader_id: Random::random(rng, version),
                leader_epoch: Random::random(rng, version),
                replica_nodes: Random::random(rng, version),
                isr_nodes: Random::random(rng, version),
                eligible_leader_replicas: rng.nullable(version),
                last_known_elr: rng.nullable(version),
                offline_replicas: Random::random(rng, version),
            }
        }
    }
    impl Random for ResponseCursor<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topic_name: Random::random(rng, version), partition_index: Random::random(rng, version) }
        }
    }
}
mod register_broker_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::register_broker_record::*;
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
}
mod unregister_broker_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::unregister_broker_record::*;
    impl Random for UnregisterBrokerRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { broker_id: Random::random(rng, version), broker_epoch: Random::random(rng, version) }
        }
    }
}
mod topic_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::topic_record::*;
    impl Random for TopicRecord<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), topic_id: Random::random(rng, version) }
        }
    }
}
mod partition_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::partition_record::*;
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
}
mod config_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::config_record::*;
    impl Random for ConfigRecord<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                resource_type: Random::random(rng, version),
                resource_name: Random::random(rng, version),
                name: Random::random(rng, version),
                value: rng.nullable(version),
            }
        }
    }
}
mod partition_change_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::partition_change_record::*;
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
}
mod remove_topic_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::remove_topic_record::*;
    impl Random for RemoveTopicRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { topic_id: Random::random(rng, version) }
        }
    }
}
mod feature_level_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::feature_level_record::*;
    impl Random for FeatureLevelRecord<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { name: Random::random(rng, version), feature_level: Random::random(rng, version) }
        }
    }
}
mod broker_registration_change_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::broker_registration_change_record::*;
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
}
mod producer_ids_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::producer_ids_record::*;
    impl Random for ProducerIdsRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                broker_id: Random::random(rng, version),
                broker_epoch: Random::random(rng, version),
                next_producer_id: Random::random(rng, version),
            }
        }
    }
}
mod no_op_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::no_op_record::*;
    impl Random for NoOpRecord {
        fn random(_: &mut Rng, _: i16) -> Self {
            Self {}
        }
    }
}
mod request_header {
    use super::{Random, Rng};
    use millrace::protocol::messages::request_header::*;
    impl Random for RequestHeader<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                request_api_key: Random::random(rng, version),
                request_api_version: Random::random(rng, version),
                correlation_id: Random::random(rng, version),
                client_id: rng.nullable(version),
            }
        }
    }
}
mod response_header {
    use super::{Random, Rng};
    use millrace::protocol::messages::response_header::*;
    impl Random for ResponseHeader {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { correlation_id: Random::random(rng, version) }
        }
    }
}
mod end_txn_marker {
    use super::{Random, Rng};
    use millrace::protocol::messages::end_txn_marker::*;
    impl Random for EndTxnMarker {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { coordinator_epoch: Random::random(rng, version) }
        }
    }
}
mod leader_change_message {
    use super::{Random, Rng};
    use millrace::protocol::messages::leader_change_message::*;
    use millrace::protocol::wire::Uuid;
    impl Random for LeaderChangeMessage {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                version: Random::random(rng, version),
                leader_id: Random::random(rng, version),
                voters: Random::random(rng, version),
                granting_voters: Random::random(rng, version),
            }
        }
    }
    impl Random for Voter {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                voter_id: Random::random(rng, version),
                voter_directory_id: if version >= 1 { Random::random(rng, version) } else { Uuid::ZERO },
            }
        }
    }
}
mod snapshot_header_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::snapshot_header_record::*;
    impl Random for SnapshotHeaderRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                version: Random::random(rng, version),
                last_contained_log_timestamp: Random::random(rng, version),
            }
        }
    }
}
mod snapshot_footer_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::snapshot_footer_record::*;
    impl Random for SnapshotFooterRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { version: Random::random(rng, version) }
        }
    }
}
mod kraft_version_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::kraft_version_record::*;
    impl Random for KRaftVersionRecord {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { version: Random::random(rng, version), kraft_version: Random::random(rng, version) }
        }
    }
}
mod voters_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::voters_record::*;
    impl Random for VotersRecord<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { version: Random::random(rng, version), voters: Random::random(rng, version) }
        }
    }
    impl Random for Voter<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                voter_id: Random::random(rng, version),
                voter_directory_id: Random::random(rng, version),
                endpoints: Random::random(rng, version),
                kraft_version_feature: Random::random(rng, version),
            }
        }
    }
    impl Random for Endpoint<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                name: Random::random(rng, version),
                host: Random::random(rng, version),
                port: Random::random(rng, version),
            }
        }
    }
    impl Random for KRaftVersionFeature {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                min_supported_version: Random::random(rng, version),
                max_supported_version: Random::random(rng, version),
            }
        }
    }
}
mod legacy_offset_commit_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::legacy_offset_commit_record::*;
    impl Random for LegacyOffsetCommitKey<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group: Random::random(rng, version),
                topic: Random::random(rng, version),
                partition: Random::random(rng, version),
            }
        }
    }
    impl Random for LegacyOffsetCommitValue<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                offset: Random::random(rng, version),
                metadata: Random::random(rng, version),
                commit_timestamp: Random::random(rng, version),
            }
        }
    }
}
mod offset_commit_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::offset_commit_record::*;
    use millrace::protocol::wire::Uuid;
    impl Random for OffsetCommitKey<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                group: Random::random(rng, version),
                topic: Random::random(rng, version),
                partition: Random::random(rng, version),
            }
        }
    }
    impl Random for OffsetCommitValue<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                offset: Random::random(rng, version),
                leader_epoch: if version >= 3 { Random::random(rng, version) } else { -1 },
                metadata: Random::random(rng, version),
                commit_timestamp: Random::random(rng, version),
                expire_timestamp: if version == 1 { Random::random(rng, version) } else { -1 },
                topic_id: if version >= 4 { Random::random(rng, version) } else { Uuid::ZERO },
            }
        }
    }
}
mod group_metadata_record {
    use super::{Random, Rng};
    use millrace::protocol::messages::group_metadata_record::*;
    impl Random for GroupMetadataKey<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self { group: Random::random(rng, version) }
        }
    }
    impl Random for GroupMetadataValue<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                protocol_type: Random::random(rng, version),
                generation: Random::random(rng, version),
                protocol: rng.nullable(version),
                leader: rng.nullable(version),
                current_state_timestamp: if version >= 2 { Random::random(rng, version) } else { -1 },
                members: Random::random(rng, version),
            }
        }
    }
    impl Random for MemberMetadata<'static> {
        fn random(rng: &mut Rng, version: i16) -> Self {
            Self {
                member_id: Random::random(rng, version),
                group_instance_id: if version >= 3 { rng.nullable(version) } else { None },
                client_id: Random::random(rng, version),
                client_host: Random::random(rng, version),
                rebalance_timeout: if version >= 1 { Random::random(rng, version) } else { -1 },
                session_timeout: Random::random(rng, version),
                subscription: Random::random(rng, version),
                assignment: Random::random(rng, version),
            }
        }
    }
}
