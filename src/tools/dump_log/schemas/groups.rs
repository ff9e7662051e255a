// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.

//! Keys and values in `__consumer_offsets`.

use crate::tools::dump_log::schema::Kind::{
    Array, Bytes, Int8, Int16, Int32, Int64, Struct, Text, Uint16, Uuid,
};
use crate::tools::dump_log::schema::{NEVER, Schema, field};

/// `LegacyOffsetCommitKey`.
pub(in crate::tools::dump_log) static LEGACY_OFFSET_COMMIT_KEY: Schema = Schema {
    name: "LEGACY_OFFSET_COMMIT_KEY",
    record_type: 0,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[
        field("group", Text).until(0),
        field("topic", Text).until(0),
        field("partition", Int32).until(0),
    ],
};

/// `LegacyOffsetCommitValue`.
pub(in crate::tools::dump_log) static LEGACY_OFFSET_COMMIT_VALUE: Schema = Schema {
    name: "LEGACY_OFFSET_COMMIT_VALUE",
    record_type: 0,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[
        field("offset", Int64).until(0),
        field("metadata", Text).until(0),
        field("commitTimestamp", Int64).until(0),
    ],
};

/// `OffsetCommitKey`.
pub(in crate::tools::dump_log) static OFFSET_COMMIT_KEY: Schema = Schema {
    name: "OFFSET_COMMIT_KEY",
    record_type: 1,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[
        field("group", Text).until(0),
        field("topic", Text).until(0),
        field("partition", Int32).until(0),
    ],
};

/// `OffsetCommitValue`.
pub(in crate::tools::dump_log) static OFFSET_COMMIT_VALUE: Schema = Schema {
    name: "OFFSET_COMMIT_VALUE",
    record_type: 1,
    versions: 0..=4,
    flexible_from: 4,
    fields: &[
        field("offset", Int64),
        field("leaderEpoch", Int32).since(3),
        field("metadata", Text),
        field("commitTimestamp", Int64),
        field("expireTimestamp", Int64).since(1).until(1),
        field("topicId", Uuid).tagged(0).since(4),
    ],
};

/// `GroupMetadataKey`.
pub(in crate::tools::dump_log) static GROUP_METADATA_KEY: Schema = Schema {
    name: "GROUP_METADATA_KEY",
    record_type: 2,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("group", Text).until(0)],
};

/// `GroupMetadataValue`.
pub(in crate::tools::dump_log) static GROUP_METADATA_VALUE: Schema = Schema {
    name: "GROUP_METADATA_VALUE",
    record_type: 2,
    versions: 0..=4,
    flexible_from: 4,
    fields: &[
        field("protocolType", Text),
        field("generation", Int32),
        field("protocol", Text).nullable(0),
        field("leader", Text).nullable(0),
        field("currentStateTimestamp", Int64).since(2),
        field(
            "members",
            Array(&Struct(&[
                field("memberId", Text),
                field("groupInstanceId", Text).since(3).nullable(3),
                field("clientId", Text),
                field("clientHost", Text),
                field("rebalanceTimeout", Int32).since(1),
                field("sessionTimeout", Int32),
                field("subscription", Bytes),
                field("assignment", Bytes),
            ])),
        ),
    ],
};

/// `ConsumerGroupMetadataKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_METADATA_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_METADATA_KEY",
    record_type: 3,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ConsumerGroupMetadataValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_METADATA_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_METADATA_VALUE",
    record_type: 3,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("epoch", Int32), field("metadataHash", Int64).tagged(0)],
};

/// `ConsumerGroupPartitionMetadataKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_PARTITION_METADATA_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_PARTITION_METADATA_KEY",
    record_type: 4,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ConsumerGroupPartitionMetadataValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_PARTITION_METADATA_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_PARTITION_METADATA_VALUE",
    record_type: 4,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field(
        "topics",
        Array(&Struct(&[
            field("topicId", Uuid),
            field("topicName", Text),
            field("numPartitions", Int32),
            field(
                "partitionMetadata",
                Array(&Struct(&[field("partition", Int32), field("racks", Array(&Text))])),
            ),
        ])),
    )],
};

/// `ConsumerGroupMemberMetadataKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_MEMBER_METADATA_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_MEMBER_METADATA_KEY",
    record_type: 5,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ConsumerGroupMemberMetadataValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_MEMBER_METADATA_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_MEMBER_METADATA_VALUE",
    record_type: 5,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("instanceId", Text).nullable(0),
        field("rackId", Text).nullable(0),
        field("clientId", Text),
        field("clientHost", Text),
        field("subscribedTopicNames", Array(&Text)),
        field("subscribedTopicRegex", Text).nullable(0),
        field("rebalanceTimeoutMs", Int32),
        field("serverAssignor", Text).nullable(0),
        field(
            "classicMemberMetadata",
            Struct(&[
                field("sessionTimeoutMs", Int32),
                field("supportedProtocols", Array(&Struct(&[field("name", Text), field("metadata", Bytes)]))),
            ]),
        )
        .tagged(0)
        .nullable(0),
    ],
};

/// `ConsumerGroupTargetAssignmentMetadataKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_KEY",
    record_type: 6,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ConsumerGroupTargetAssignmentMetadataValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE",
    record_type: 6,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("assignmentEpoch", Int32), field("assignmentTimestamp", Int64).tagged(0)],
};

/// `ConsumerGroupTargetAssignmentMemberKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY",
    record_type: 7,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ConsumerGroupTargetAssignmentMemberValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE",
    record_type: 7,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field(
        "topicPartitions",
        Array(&Struct(&[field("topicId", Uuid), field("partitions", Array(&Int32))])),
    )],
};

/// `ConsumerGroupCurrentMemberAssignmentKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY",
    record_type: 8,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ConsumerGroupCurrentMemberAssignmentValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE",
    record_type: 8,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("memberEpoch", Int32),
        field("previousMemberEpoch", Int32),
        field("state", Int8),
        field(
            "assignedPartitions",
            Array(&Struct(&[
                field("topicId", Uuid),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "partitionsPendingRevocation",
            Array(&Struct(&[
                field("topicId", Uuid),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
    ],
};

/// `ShareGroupMemberMetadataKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_MEMBER_METADATA_KEY: Schema = Schema {
    name: "SHARE_GROUP_MEMBER_METADATA_KEY",
    record_type: 10,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ShareGroupMemberMetadataValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_MEMBER_METADATA_VALUE: Schema = Schema {
    name: "SHARE_GROUP_MEMBER_METADATA_VALUE",
    record_type: 10,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("rackId", Text).nullable(0),
        field("clientId", Text),
        field("clientHost", Text),
        field("subscribedTopicNames", Array(&Text)),
    ],
};

/// `ShareGroupMetadataKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_METADATA_KEY: Schema = Schema {
    name: "SHARE_GROUP_METADATA_KEY",
    record_type: 11,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ShareGroupMetadataValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_METADATA_VALUE: Schema = Schema {
    name: "SHARE_GROUP_METADATA_VALUE",
    record_type: 11,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("epoch", Int32), field("metadataHash", Int64)],
};

/// `ShareGroupTargetAssignmentMetadataKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_KEY: Schema = Schema {
    name: "SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_KEY",
    record_type: 12,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ShareGroupTargetAssignmentMetadataValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE: Schema = Schema {
    name: "SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE",
    record_type: 12,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("assignmentEpoch", Int32), field("assignmentTimestamp", Int64).tagged(0)],
};

/// `ShareGroupTargetAssignmentMemberKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY: Schema = Schema {
    name: "SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY",
    record_type: 13,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ShareGroupTargetAssignmentMemberValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE: Schema = Schema {
    name: "SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE",
    record_type: 13,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field(
        "topicPartitions",
        Array(&Struct(&[field("topicId", Uuid), field("partitions", Array(&Int32))])),
    )],
};

/// `ShareGroupCurrentMemberAssignmentKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY: Schema = Schema {
    name: "SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY",
    record_type: 14,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `ShareGroupCurrentMemberAssignmentValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE: Schema = Schema {
    name: "SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE",
    record_type: 14,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("memberEpoch", Int32),
        field("previousMemberEpoch", Int32),
        field("state", Int8),
        field(
            "assignedPartitions",
            Array(&Struct(&[field("topicId", Uuid), field("partitions", Array(&Int32))])),
        ),
    ],
};

/// `ShareGroupStatePartitionMetadataKey`.
pub(in crate::tools::dump_log) static SHARE_GROUP_STATE_PARTITION_METADATA_KEY: Schema = Schema {
    name: "SHARE_GROUP_STATE_PARTITION_METADATA_KEY",
    record_type: 15,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `ShareGroupStatePartitionMetadataValue`.
pub(in crate::tools::dump_log) static SHARE_GROUP_STATE_PARTITION_METADATA_VALUE: Schema = Schema {
    name: "SHARE_GROUP_STATE_PARTITION_METADATA_VALUE",
    record_type: 15,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field(
            "initializingTopics",
            Array(&Struct(&[
                field("topicId", Uuid),
                field("topicName", Text),
                field("partitions", Array(&Int32)),
            ])),
        ),
        field(
            "initializedTopics",
            Array(&Struct(&[
                field("topicId", Uuid),
                field("topicName", Text),
                field("partitions", Array(&Int32)),
            ])),
        ),
        field("deletingTopics", Array(&Struct(&[field("topicId", Uuid), field("topicName", Text)]))),
    ],
};

/// `ConsumerGroupRegularExpressionKey`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_REGULAR_EXPRESSION_KEY: Schema = Schema {
    name: "CONSUMER_GROUP_REGULAR_EXPRESSION_KEY",
    record_type: 16,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("regularExpression", Text).until(0)],
};

/// `ConsumerGroupRegularExpressionValue`.
pub(in crate::tools::dump_log) static CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE: Schema = Schema {
    name: "CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE",
    record_type: 16,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("topics", Array(&Text)), field("version", Int64), field("timestamp", Int64)],
};

/// `StreamsGroupMetadataKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_METADATA_KEY: Schema = Schema {
    name: "STREAMS_GROUP_METADATA_KEY",
    record_type: 17,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `StreamsGroupMetadataValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_METADATA_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_METADATA_VALUE",
    record_type: 17,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("epoch", Int32),
        field("metadataHash", Int64),
        field("validatedTopologyEpoch", Int32).tagged(0),
        field("lastAssignmentConfigs", Array(&Struct(&[field("key", Text), field("value", Text)])))
            .tagged(1)
            .nullable(0),
        field("storedDescriptionTopologyEpoch", Int32).tagged(2),
        field("failedDescriptionTopologyEpoch", Int32).tagged(3),
    ],
};

/// `StreamsGroupMemberMetadataKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_MEMBER_METADATA_KEY: Schema = Schema {
    name: "STREAMS_GROUP_MEMBER_METADATA_KEY",
    record_type: 19,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `StreamsGroupMemberMetadataValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_MEMBER_METADATA_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_MEMBER_METADATA_VALUE",
    record_type: 19,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("instanceId", Text).nullable(0),
        field("rackId", Text).nullable(0),
        field("clientId", Text),
        field("clientHost", Text),
        field("rebalanceTimeoutMs", Int32),
        field("topologyEpoch", Int32),
        field("processId", Text),
        field("userEndpoint", Struct(&[field("host", Text), field("port", Uint16)])).nullable(0),
        field("clientTags", Array(&Struct(&[field("key", Text), field("value", Text)]))),
    ],
};

/// `StreamsGroupTargetAssignmentMetadataKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY: Schema = Schema {
    name: "STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY",
    record_type: 20,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `StreamsGroupTargetAssignmentMetadataValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE",
    record_type: 20,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("assignmentEpoch", Int32), field("assignmentTimestamp", Int64).tagged(0)],
};

/// `StreamsGroupTargetAssignmentMemberKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY: Schema = Schema {
    name: "STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY",
    record_type: 21,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `StreamsGroupTargetAssignmentMemberValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE",
    record_type: 21,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field(
            "activeTasks",
            Array(&Struct(&[field("subtopologyId", Text), field("partitions", Array(&Int32))])),
        ),
        field(
            "standbyTasks",
            Array(&Struct(&[field("subtopologyId", Text), field("partitions", Array(&Int32))])),
        ),
        field(
            "warmupTasks",
            Array(&Struct(&[field("subtopologyId", Text), field("partitions", Array(&Int32))])),
        ),
    ],
};

/// `StreamsGroupCurrentMemberAssignmentKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY: Schema = Schema {
    name: "STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY",
    record_type: 22,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0), field("memberId", Text).until(0)],
};

/// `StreamsGroupCurrentMemberAssignmentValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE",
    record_type: 22,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("memberEpoch", Int32),
        field("previousMemberEpoch", Int32),
        field("state", Int8),
        field(
            "activeTasks",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "standbyTasks",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "warmupTasks",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "activeTasksPendingRevocation",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "standbyTasksPendingRevocation",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
        field(
            "warmupTasksPendingRevocation",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("partitions", Array(&Int32)),
                field("assignmentEpochs", Array(&Int32)).tagged(0).nullable(0),
            ])),
        ),
    ],
};

/// `StreamsGroupTopologyKey`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TOPOLOGY_KEY: Schema = Schema {
    name: "STREAMS_GROUP_TOPOLOGY_KEY",
    record_type: 23,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("groupId", Text).until(0)],
};

/// `StreamsGroupTopologyValue`.
pub(in crate::tools::dump_log) static STREAMS_GROUP_TOPOLOGY_VALUE: Schema = Schema {
    name: "STREAMS_GROUP_TOPOLOGY_VALUE",
    record_type: 23,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("epoch", Int32),
        field(
            "subtopologies",
            Array(&Struct(&[
                field("subtopologyId", Text),
                field("sourceTopics", Array(&Text)),
                field("sourceTopicRegex", Array(&Text)),
                field(
                    "stateChangelogTopics",
                    Array(&Struct(&[
                        field("name", Text),
                        field("partitions", Int32),
                        field("replicationFactor", Int16),
                        field("topicConfigs", Array(&Struct(&[field("key", Text), field("value", Text)]))),
                    ])),
                ),
                field("repartitionSinkTopics", Array(&Text)),
                field(
                    "repartitionSourceTopics",
                    Array(&Struct(&[
                        field("name", Text),
                        field("partitions", Int32),
                        field("replicationFactor", Int16),
                        field("topicConfigs", Array(&Struct(&[field("key", Text), field("value", Text)]))),
                    ])),
                ),
                field(
                    "copartitionGroups",
                    Array(&Struct(&[
                        field("sourceTopics", Array(&Int16)),
                        field("sourceTopicRegex", Array(&Int16)),
                        field("repartitionSourceTopics", Array(&Int16)),
                    ])),
                ),
            ])),
        ),
    ],
};

/// All, by type.
pub(in crate::tools::dump_log) static KEYS: &[&Schema] = &[
    &LEGACY_OFFSET_COMMIT_KEY,
    &OFFSET_COMMIT_KEY,
    &GROUP_METADATA_KEY,
    &CONSUMER_GROUP_METADATA_KEY,
    &CONSUMER_GROUP_PARTITION_METADATA_KEY,
    &CONSUMER_GROUP_MEMBER_METADATA_KEY,
    &CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_KEY,
    &CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY,
    &CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY,
    &SHARE_GROUP_MEMBER_METADATA_KEY,
    &SHARE_GROUP_METADATA_KEY,
    &SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_KEY,
    &SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY,
    &SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY,
    &SHARE_GROUP_STATE_PARTITION_METADATA_KEY,
    &CONSUMER_GROUP_REGULAR_EXPRESSION_KEY,
    &STREAMS_GROUP_METADATA_KEY,
    &STREAMS_GROUP_MEMBER_METADATA_KEY,
    &STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_KEY,
    &STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_KEY,
    &STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_KEY,
    &STREAMS_GROUP_TOPOLOGY_KEY,
];

/// All, by type.
pub(in crate::tools::dump_log) static VALUES: &[&Schema] = &[
    &LEGACY_OFFSET_COMMIT_VALUE,
    &OFFSET_COMMIT_VALUE,
    &GROUP_METADATA_VALUE,
    &CONSUMER_GROUP_METADATA_VALUE,
    &CONSUMER_GROUP_PARTITION_METADATA_VALUE,
    &CONSUMER_GROUP_MEMBER_METADATA_VALUE,
    &CONSUMER_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE,
    &CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE,
    &CONSUMER_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE,
    &SHARE_GROUP_MEMBER_METADATA_VALUE,
    &SHARE_GROUP_METADATA_VALUE,
    &SHARE_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE,
    &SHARE_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE,
    &SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE,
    &SHARE_GROUP_STATE_PARTITION_METADATA_VALUE,
    &CONSUMER_GROUP_REGULAR_EXPRESSION_VALUE,
    &STREAMS_GROUP_METADATA_VALUE,
    &STREAMS_GROUP_MEMBER_METADATA_VALUE,
    &STREAMS_GROUP_TARGET_ASSIGNMENT_METADATA_VALUE,
    &STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE,
    &STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE,
    &STREAMS_GROUP_TOPOLOGY_VALUE,
];
