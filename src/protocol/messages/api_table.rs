//! Every API key with its versions.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::{ApiInfo, ApiKey};

const NEVER: i16 = i16::MAX;

impl ApiKey {
    /// Produce.
    pub const PRODUCE: Self = Self(0);
    /// Fetch.
    pub const FETCH: Self = Self(1);
    /// ListOffsets.
    pub const LIST_OFFSETS: Self = Self(2);
    /// Metadata.
    pub const METADATA: Self = Self(3);
    /// LeaderAndIsr.
    pub const LEADER_AND_ISR: Self = Self(4);
    /// StopReplica.
    pub const STOP_REPLICA: Self = Self(5);
    /// UpdateMetadata.
    pub const UPDATE_METADATA: Self = Self(6);
    /// ControlledShutdown.
    pub const CONTROLLED_SHUTDOWN: Self = Self(7);
    /// OffsetCommit.
    pub const OFFSET_COMMIT: Self = Self(8);
    /// OffsetFetch.
    pub const OFFSET_FETCH: Self = Self(9);
    /// FindCoordinator.
    pub const FIND_COORDINATOR: Self = Self(10);
    /// JoinGroup.
    pub const JOIN_GROUP: Self = Self(11);
    /// Heartbeat.
    pub const HEARTBEAT: Self = Self(12);
    /// LeaveGroup.
    pub const LEAVE_GROUP: Self = Self(13);
    /// SyncGroup.
    pub const SYNC_GROUP: Self = Self(14);
    /// DescribeGroups.
    pub const DESCRIBE_GROUPS: Self = Self(15);
    /// ListGroups.
    pub const LIST_GROUPS: Self = Self(16);
    /// SaslHandshake.
    pub const SASL_HANDSHAKE: Self = Self(17);
    /// ApiVersions.
    pub const API_VERSIONS: Self = Self(18);
    /// CreateTopics.
    pub const CREATE_TOPICS: Self = Self(19);
    /// DeleteTopics.
    pub const DELETE_TOPICS: Self = Self(20);
    /// DeleteRecords.
    pub const DELETE_RECORDS: Self = Self(21);
    /// InitProducerId.
    pub const INIT_PRODUCER_ID: Self = Self(22);
    /// OffsetForLeaderEpoch.
    pub const OFFSET_FOR_LEADER_EPOCH: Self = Self(23);
    /// AddPartitionsToTxn.
    pub const ADD_PARTITIONS_TO_TXN: Self = Self(24);
    /// AddOffsetsToTxn.
    pub const ADD_OFFSETS_TO_TXN: Self = Self(25);
    /// EndTxn.
    pub const END_TXN: Self = Self(26);
    /// WriteTxnMarkers.
    pub const WRITE_TXN_MARKERS: Self = Self(27);
    /// TxnOffsetCommit.
    pub const TXN_OFFSET_COMMIT: Self = Self(28);
    /// DescribeAcls.
    pub const DESCRIBE_ACLS: Self = Self(29);
    /// CreateAcls.
    pub const CREATE_ACLS: Self = Self(30);
    /// DeleteAcls.
    pub const DELETE_ACLS: Self = Self(31);
    /// DescribeConfigs.
    pub const DESCRIBE_CONFIGS: Self = Self(32);
    /// AlterConfigs.
    pub const ALTER_CONFIGS: Self = Self(33);
    /// AlterReplicaLogDirs.
    pub const ALTER_REPLICA_LOG_DIRS: Self = Self(34);
    /// DescribeLogDirs.
    pub const DESCRIBE_LOG_DIRS: Self = Self(35);
    /// SaslAuthenticate.
    pub const SASL_AUTHENTICATE: Self = Self(36);
    /// CreatePartitions.
    pub const CREATE_PARTITIONS: Self = Self(37);
    /// CreateDelegationToken.
    pub const CREATE_DELEGATION_TOKEN: Self = Self(38);
    /// RenewDelegationToken.
    pub const RENEW_DELEGATION_TOKEN: Self = Self(39);
    /// ExpireDelegationToken.
    pub const EXPIRE_DELEGATION_TOKEN: Self = Self(40);
    /// DescribeDelegationToken.
    pub const DESCRIBE_DELEGATION_TOKEN: Self = Self(41);
    /// DeleteGroups.
    pub const DELETE_GROUPS: Self = Self(42);
    /// ElectLeaders.
    pub const ELECT_LEADERS: Self = Self(43);
    /// IncrementalAlterConfigs.
    pub const INCREMENTAL_ALTER_CONFIGS: Self = Self(44);
    /// AlterPartitionReassignments.
    pub const ALTER_PARTITION_REASSIGNMENTS: Self = Self(45);
    /// ListPartitionReassignments.
    pub const LIST_PARTITION_REASSIGNMENTS: Self = Self(46);
    /// OffsetDelete.
    pub const OFFSET_DELETE: Self = Self(47);
    /// DescribeClientQuotas.
    pub const DESCRIBE_CLIENT_QUOTAS: Self = Self(48);
    /// AlterClientQuotas.
    pub const ALTER_CLIENT_QUOTAS: Self = Self(49);
    /// DescribeUserScramCredentials.
    pub const DESCRIBE_USER_SCRAM_CREDENTIALS: Self = Self(50);
    /// AlterUserScramCredentials.
    pub const ALTER_USER_SCRAM_CREDENTIALS: Self = Self(51);
    /// Vote.
    pub const VOTE: Self = Self(52);
    /// BeginQuorumEpoch.
    pub const BEGIN_QUORUM_EPOCH: Self = Self(53);
    /// EndQuorumEpoch.
    pub const END_QUORUM_EPOCH: Self = Self(54);
    /// DescribeQuorum.
    pub const DESCRIBE_QUORUM: Self = Self(55);
    /// AlterPartition.
    pub const ALTER_PARTITION: Self = Self(56);
    /// UpdateFeatures.
    pub const UPDATE_FEATURES: Self = Self(57);
    /// Envelope.
    pub const ENVELOPE: Self = Self(58);
    /// FetchSnapshot.
    pub const FETCH_SNAPSHOT: Self = Self(59);
    /// DescribeCluster.
    pub const DESCRIBE_CLUSTER: Self = Self(60);
    /// DescribeProducers.
    pub const DESCRIBE_PRODUCERS: Self = Self(61);
    /// BrokerRegistration.
    pub const BROKER_REGISTRATION: Self = Self(62);
    /// BrokerHeartbeat.
    pub const BROKER_HEARTBEAT: Self = Self(63);
    /// UnregisterBroker.
    pub const UNREGISTER_BROKER: Self = Self(64);
    /// DescribeTransactions.
    pub const DESCRIBE_TRANSACTIONS: Self = Self(65);
    /// ListTransactions.
    pub const LIST_TRANSACTIONS: Self = Self(66);
    /// AllocateProducerIds.
    pub const ALLOCATE_PRODUCER_IDS: Self = Self(67);
    /// ConsumerGroupHeartbeat.
    pub const CONSUMER_GROUP_HEARTBEAT: Self = Self(68);
    /// ConsumerGroupDescribe.
    pub const CONSUMER_GROUP_DESCRIBE: Self = Self(69);
    /// ControllerRegistration.
    pub const CONTROLLER_REGISTRATION: Self = Self(70);
    /// GetTelemetrySubscriptions.
    pub const GET_TELEMETRY_SUBSCRIPTIONS: Self = Self(71);
    /// PushTelemetry.
    pub const PUSH_TELEMETRY: Self = Self(72);
    /// AssignReplicasToDirs.
    pub const ASSIGN_REPLICAS_TO_DIRS: Self = Self(73);
    /// ListConfigResources.
    pub const LIST_CONFIG_RESOURCES: Self = Self(74);
    /// DescribeTopicPartitions.
    pub const DESCRIBE_TOPIC_PARTITIONS: Self = Self(75);
    /// ShareGroupHeartbeat.
    pub const SHARE_GROUP_HEARTBEAT: Self = Self(76);
    /// ShareGroupDescribe.
    pub const SHARE_GROUP_DESCRIBE: Self = Self(77);
    /// ShareFetch.
    pub const SHARE_FETCH: Self = Self(78);
    /// ShareAcknowledge.
    pub const SHARE_ACKNOWLEDGE: Self = Self(79);
    /// AddRaftVoter.
    pub const ADD_RAFT_VOTER: Self = Self(80);
    /// RemoveRaftVoter.
    pub const REMOVE_RAFT_VOTER: Self = Self(81);
    /// UpdateRaftVoter.
    pub const UPDATE_RAFT_VOTER: Self = Self(82);
    /// InitializeShareGroupState.
    pub const INITIALIZE_SHARE_GROUP_STATE: Self = Self(83);
    /// ReadShareGroupState.
    pub const READ_SHARE_GROUP_STATE: Self = Self(84);
    /// WriteShareGroupState.
    pub const WRITE_SHARE_GROUP_STATE: Self = Self(85);
    /// DeleteShareGroupState.
    pub const DELETE_SHARE_GROUP_STATE: Self = Self(86);
    /// ReadShareGroupStateSummary.
    pub const READ_SHARE_GROUP_STATE_SUMMARY: Self = Self(87);
    /// StreamsGroupHeartbeat.
    pub const STREAMS_GROUP_HEARTBEAT: Self = Self(88);
    /// StreamsGroupDescribe.
    pub const STREAMS_GROUP_DESCRIBE: Self = Self(89);
    /// DescribeShareGroupOffsets.
    pub const DESCRIBE_SHARE_GROUP_OFFSETS: Self = Self(90);
    /// AlterShareGroupOffsets.
    pub const ALTER_SHARE_GROUP_OFFSETS: Self = Self(91);
    /// DeleteShareGroupOffsets.
    pub const DELETE_SHARE_GROUP_OFFSETS: Self = Self(92);
    /// StreamsGroupTopologyDescriptionUpdate.
    pub const STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE: Self = Self(93);
    /// UnregisterController.
    pub const UNREGISTER_CONTROLLER: Self = Self(94);
}

const fn row(
    key: ApiKey,
    name: &'static str,
    (min_version, max_version): (i16, i16),
    flexible_from: i16,
    broker: bool,
    controller: bool,
    latest_unstable: bool,
) -> ApiInfo {
    ApiInfo { key, name, min_version, max_version, flexible_from, broker, controller, latest_unstable }
}

/// Every API key, by its number.
pub static API_TABLE: [ApiInfo; 95] = [
    row(ApiKey::PRODUCE, "Produce", (3, 13), 9, true, false, false),
    row(ApiKey::FETCH, "Fetch", (4, 18), 12, true, true, false),
    row(ApiKey::LIST_OFFSETS, "ListOffsets", (0, 11), 6, true, false, false),
    row(ApiKey::METADATA, "Metadata", (0, 13), 9, true, false, false),
    row(ApiKey::LEADER_AND_ISR, "LeaderAndIsr", (0, -1), NEVER, false, false, false),
    row(ApiKey::STOP_REPLICA, "StopReplica", (0, -1), NEVER, false, false, false),
    row(ApiKey::UPDATE_METADATA, "UpdateMetadata", (0, -1), NEVER, false, false, false),
    row(ApiKey::CONTROLLED_SHUTDOWN, "ControlledShutdown", (0, -1), NEVER, false, false, false),
    row(ApiKey::OFFSET_COMMIT, "OffsetCommit", (2, 10), 8, true, false, false),
    row(ApiKey::OFFSET_FETCH, "OffsetFetch", (1, 10), 6, true, false, false),
    row(ApiKey::FIND_COORDINATOR, "FindCoordinator", (0, 6), 3, true, false, false),
    row(ApiKey::JOIN_GROUP, "JoinGroup", (0, 9), 6, true, false, false),
    row(ApiKey::HEARTBEAT, "Heartbeat", (0, 4), 4, true, false, false),
    row(ApiKey::LEAVE_GROUP, "LeaveGroup", (0, 5), 4, true, false, false),
    row(ApiKey::SYNC_GROUP, "SyncGroup", (0, 5), 4, true, false, false),
    row(ApiKey::DESCRIBE_GROUPS, "DescribeGroups", (0, 6), 5, true, false, false),
    row(ApiKey::LIST_GROUPS, "ListGroups", (0, 5), 3, true, false, false),
    row(ApiKey::SASL_HANDSHAKE, "SaslHandshake", (0, 1), NEVER, true, true, false),
    row(ApiKey::API_VERSIONS, "ApiVersions", (0, 5), 3, true, true, false),
    row(ApiKey::CREATE_TOPICS, "CreateTopics", (2, 7), 5, true, true, false),
    row(ApiKey::DELETE_TOPICS, "DeleteTopics", (1, 6), 4, true, true, false),
    row(ApiKey::DELETE_RECORDS, "DeleteRecords", (0, 2), 2, true, false, false),
    row(ApiKey::INIT_PRODUCER_ID, "InitProducerId", (0, 6), 2, true, false, true),
    row(ApiKey::OFFSET_FOR_LEADER_EPOCH, "OffsetForLeaderEpoch", (2, 4), 4, true, false, false),
    row(ApiKey::ADD_PARTITIONS_TO_TXN, "AddPartitionsToTxn", (0, 5), 3, true, false, false),
    row(ApiKey::ADD_OFFSETS_TO_TXN, "AddOffsetsToTxn", (0, 4), 3, true, false, false),
    row(ApiKey::END_TXN, "EndTxn", (0, 5), 3, true, false, false),
    row(ApiKey::WRITE_TXN_MARKERS, "WriteTxnMarkers", (1, 2), 1, true, false, false),
    row(ApiKey::TXN_OFFSET_COMMIT, "TxnOffsetCommit", (0, 6), 3, true, false, false),
    row(ApiKey::DESCRIBE_ACLS, "DescribeAcls", (1, 3), 2, true, true, false),
    row(ApiKey::CREATE_ACLS, "CreateAcls", (1, 3), 2, true, true, false),
    row(ApiKey::DELETE_ACLS, "DeleteAcls", (1, 3), 2, true, true, false),
    row(ApiKey::DESCRIBE_CONFIGS, "DescribeConfigs", (1, 4), 4, true, true, false),
    row(ApiKey::ALTER_CONFIGS, "AlterConfigs", (0, 2), 2, true, true, false),
    row(ApiKey::ALTER_REPLICA_LOG_DIRS, "AlterReplicaLogDirs", (1, 2), 2, true, false, false),
    row(ApiKey::DESCRIBE_LOG_DIRS, "DescribeLogDirs", (1, 5), 2, true, false, false),
    row(ApiKey::SASL_AUTHENTICATE, "SaslAuthenticate", (0, 2), 2, true, true, false),
    row(ApiKey::CREATE_PARTITIONS, "CreatePartitions", (0, 3), 2, true, true, false),
    row(ApiKey::CREATE_DELEGATION_TOKEN, "CreateDelegationToken", (1, 3), 2, true, true, false),
    row(ApiKey::RENEW_DELEGATION_TOKEN, "RenewDelegationToken", (1, 2), 2, true, true, false),
    row(ApiKey::EXPIRE_DELEGATION_TOKEN, "ExpireDelegationToken", (1, 2), 2, true, true, false),
    row(ApiKey::DESCRIBE_DELEGATION_TOKEN, "DescribeDelegationToken", (1, 3), 2, true, true, false),
    row(ApiKey::DELETE_GROUPS, "DeleteGroups", (0, 3), 2, true, false, false),
    row(ApiKey::ELECT_LEADERS, "ElectLeaders", (0, 2), 2, true, true, false),
    row(ApiKey::INCREMENTAL_ALTER_CONFIGS, "IncrementalAlterConfigs", (0, 1), 1, true, true, false),
    row(ApiKey::ALTER_PARTITION_REASSIGNMENTS, "AlterPartitionReassignments", (0, 1), 0, true, true, false),
    row(ApiKey::LIST_PARTITION_REASSIGNMENTS, "ListPartitionReassignments", (0, 0), 0, true, true, false),
    row(ApiKey::OFFSET_DELETE, "OffsetDelete", (0, 0), NEVER, true, false, false),
    row(ApiKey::DESCRIBE_CLIENT_QUOTAS, "DescribeClientQuotas", (0, 1), 1, true, false, false),
    row(ApiKey::ALTER_CLIENT_QUOTAS, "AlterClientQuotas", (0, 1), 1, true, true, false),
    row(
        ApiKey::DESCRIBE_USER_SCRAM_CREDENTIALS,
        "DescribeUserScramCredentials",
        (0, 0),
        0,
        true,
        true,
        false,
    ),
    row(ApiKey::ALTER_USER_SCRAM_CREDENTIALS, "AlterUserScramCredentials", (0, 0), 0, true, true, false),
    row(ApiKey::VOTE, "Vote", (0, 2), 0, false, true, false),
    row(ApiKey::BEGIN_QUORUM_EPOCH, "BeginQuorumEpoch", (0, 1), 1, false, true, false),
    row(ApiKey::END_QUORUM_EPOCH, "EndQuorumEpoch", (0, 1), 1, false, true, false),
    row(ApiKey::DESCRIBE_QUORUM, "DescribeQuorum", (0, 2), 0, true, true, false),
    row(ApiKey::ALTER_PARTITION, "AlterPartition", (2, 3), 0, false, true, false),
    row(ApiKey::UPDATE_FEATURES, "UpdateFeatures", (0, 2), 0, true, true, false),
    row(ApiKey::ENVELOPE, "Envelope", (0, 0), 0, false, true, false),
    row(ApiKey::FETCH_SNAPSHOT, "FetchSnapshot", (0, 1), 0, false, true, false),
    row(ApiKey::DESCRIBE_CLUSTER, "DescribeCluster", (0, 2), 0, true, true, false),
    row(ApiKey::DESCRIBE_PRODUCERS, "DescribeProducers", (0, 0), 0, true, false, false),
    row(ApiKey::BROKER_REGISTRATION, "BrokerRegistration", (0, 4), 0, false, true, false),
    row(ApiKey::BROKER_HEARTBEAT, "BrokerHeartbeat", (0, 2), 0, false, true, false),
    row(ApiKey::UNREGISTER_BROKER, "UnregisterBroker", (0, 0), 0, true, true, false),
    row(ApiKey::DESCRIBE_TRANSACTIONS, "DescribeTransactions", (0, 0), 0, true, false, false),
    row(ApiKey::LIST_TRANSACTIONS, "ListTransactions", (0, 2), 0, true, false, false),
    row(ApiKey::ALLOCATE_PRODUCER_IDS, "AllocateProducerIds", (0, 0), 0, false, true, false),
    row(ApiKey::CONSUMER_GROUP_HEARTBEAT, "ConsumerGroupHeartbeat", (0, 1), 0, true, false, false),
    row(ApiKey::CONSUMER_GROUP_DESCRIBE, "ConsumerGroupDescribe", (0, 1), 0, true, false, false),
    row(ApiKey::CONTROLLER_REGISTRATION, "ControllerRegistration", (0, 0), 0, false, true, false),
    row(ApiKey::GET_TELEMETRY_SUBSCRIPTIONS, "GetTelemetrySubscriptions", (0, 0), 0, true, false, false),
    row(ApiKey::PUSH_TELEMETRY, "PushTelemetry", (0, 0), 0, true, false, false),
    row(ApiKey::ASSIGN_REPLICAS_TO_DIRS, "AssignReplicasToDirs", (0, 0), 0, false, true, false),
    row(ApiKey::LIST_CONFIG_RESOURCES, "ListConfigResources", (0, 1), 0, true, false, false),
    row(ApiKey::DESCRIBE_TOPIC_PARTITIONS, "DescribeTopicPartitions", (0, 0), 0, true, false, false),
    row(ApiKey::SHARE_GROUP_HEARTBEAT, "ShareGroupHeartbeat", (1, 1), 0, true, false, false),
    row(ApiKey::SHARE_GROUP_DESCRIBE, "ShareGroupDescribe", (1, 1), 0, true, false, false),
    row(ApiKey::SHARE_FETCH, "ShareFetch", (1, 2), 0, true, false, false),
    row(ApiKey::SHARE_ACKNOWLEDGE, "ShareAcknowledge", (1, 2), 0, true, false, false),
    row(ApiKey::ADD_RAFT_VOTER, "AddRaftVoter", (0, 1), 0, true, true, false),
    row(ApiKey::REMOVE_RAFT_VOTER, "RemoveRaftVoter", (0, 0), 0, true, true, false),
    row(ApiKey::UPDATE_RAFT_VOTER, "UpdateRaftVoter", (0, 0), 0, false, true, false),
    row(ApiKey::INITIALIZE_SHARE_GROUP_STATE, "InitializeShareGroupState", (0, 0), 0, true, false, false),
    row(ApiKey::READ_SHARE_GROUP_STATE, "ReadShareGroupState", (0, 0), 0, true, false, false),
    row(ApiKey::WRITE_SHARE_GROUP_STATE, "WriteShareGroupState", (0, 1), 0, true, false, false),
    row(ApiKey::DELETE_SHARE_GROUP_STATE, "DeleteShareGroupState", (0, 0), 0, true, false, false),
    row(ApiKey::READ_SHARE_GROUP_STATE_SUMMARY, "ReadShareGroupStateSummary", (0, 1), 0, true, false, false),
    row(ApiKey::STREAMS_GROUP_HEARTBEAT, "StreamsGroupHeartbeat", (0, 1), 0, true, false, false),
    row(ApiKey::STREAMS_GROUP_DESCRIBE, "StreamsGroupDescribe", (0, 1), 0, true, false, false),
    row(ApiKey::DESCRIBE_SHARE_GROUP_OFFSETS, "DescribeShareGroupOffsets", (0, 1), 0, true, false, false),
    row(ApiKey::ALTER_SHARE_GROUP_OFFSETS, "AlterShareGroupOffsets", (0, 0), 0, true, false, false),
    row(ApiKey::DELETE_SHARE_GROUP_OFFSETS, "DeleteShareGroupOffsets", (0, 0), 0, true, false, false),
    row(
        ApiKey::STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
        "StreamsGroupTopologyDescriptionUpdate",
        (0, 0),
        0,
        true,
        false,
        false,
    ),
    row(ApiKey::UNREGISTER_CONTROLLER, "UnregisterController", (0, 0), 0, true, true, false),
];
