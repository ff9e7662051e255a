// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.

//! Records of the metadata log.

use crate::tools::dump_log::schema::Kind::{
    Array, Bool, Bytes, Float64, Int8, Int16, Int32, Int64, Struct, Text, Uint16, Uuid,
};
use crate::tools::dump_log::schema::{Schema, field};

/// `RegisterBrokerRecord`.
pub(in crate::tools::dump_log) static REGISTER_BROKER_RECORD: Schema = Schema {
    name: "REGISTER_BROKER_RECORD",
    record_type: 0,
    versions: 0..=4,
    flexible_from: 0,
    fields: &[
        field("brokerId", Int32),
        field("isMigratingZkBroker", Bool).since(2),
        field("incarnationId", Uuid),
        field("brokerEpoch", Int64),
        field(
            "endPoints",
            Array(&Struct(&[
                field("name", Text),
                field("host", Text),
                field("port", Uint16),
                field("securityProtocol", Int16),
            ])),
        ),
        field(
            "features",
            Array(&Struct(&[
                field("name", Text),
                field("minSupportedVersion", Int16),
                field("maxSupportedVersion", Int16),
            ])),
        ),
        field("rack", Text).nullable(0),
        field("fenced", Bool),
        field("inControlledShutdown", Bool).since(1),
        field("logDirs", Array(&Uuid)).tagged(0).since(3),
        field("cordonedLogDirs", Array(&Uuid)).tagged(1).since(4).nullable(4),
    ],
};

/// `UnregisterBrokerRecord`.
pub(in crate::tools::dump_log) static UNREGISTER_BROKER_RECORD: Schema = Schema {
    name: "UNREGISTER_BROKER_RECORD",
    record_type: 1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("brokerId", Int32), field("brokerEpoch", Int64)],
};

/// `TopicRecord`.
pub(in crate::tools::dump_log) static TOPIC_RECORD: Schema = Schema {
    name: "TOPIC_RECORD",
    record_type: 2,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("name", Text), field("topicId", Uuid)],
};

/// `PartitionRecord`.
pub(in crate::tools::dump_log) static PARTITION_RECORD: Schema = Schema {
    name: "PARTITION_RECORD",
    record_type: 3,
    versions: 0..=2,
    flexible_from: 0,
    fields: &[
        field("partitionId", Int32),
        field("topicId", Uuid),
        field("replicas", Array(&Int32)),
        field("isr", Array(&Int32)),
        field("removingReplicas", Array(&Int32)),
        field("addingReplicas", Array(&Int32)),
        field("leader", Int32),
        field("leaderRecoveryState", Int8).tagged(0),
        field("leaderEpoch", Int32),
        field("partitionEpoch", Int32),
        field("directories", Array(&Uuid)).since(1),
        field("eligibleLeaderReplicas", Array(&Int32)).tagged(1).since(2).nullable(2),
        field("lastKnownElr", Array(&Int32)).tagged(2).since(2).nullable(2),
    ],
};

/// `ConfigRecord`.
pub(in crate::tools::dump_log) static CONFIG_RECORD: Schema = Schema {
    name: "CONFIG_RECORD",
    record_type: 4,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("resourceType", Int8),
        field("resourceName", Text),
        field("name", Text),
        field("value", Text).nullable(0),
    ],
};

/// `PartitionChangeRecord`.
pub(in crate::tools::dump_log) static PARTITION_CHANGE_RECORD: Schema = Schema {
    name: "PARTITION_CHANGE_RECORD",
    record_type: 5,
    versions: 0..=2,
    flexible_from: 0,
    fields: &[
        field("partitionId", Int32),
        field("topicId", Uuid),
        field("isr", Array(&Int32)).tagged(0).nullable(0),
        field("leader", Int32).tagged(1),
        field("replicas", Array(&Int32)).tagged(2).nullable(0),
        field("removingReplicas", Array(&Int32)).tagged(3).nullable(0),
        field("addingReplicas", Array(&Int32)).tagged(4).nullable(0),
        field("leaderRecoveryState", Int8).tagged(5),
        field("directories", Array(&Uuid)).tagged(8).since(1).nullable(1),
        field("eligibleLeaderReplicas", Array(&Int32)).tagged(6).since(2).nullable(2),
        field("lastKnownElr", Array(&Int32)).tagged(7).since(2).nullable(2),
    ],
};

/// `FenceBrokerRecord`.
pub(in crate::tools::dump_log) static FENCE_BROKER_RECORD: Schema = Schema {
    name: "FENCE_BROKER_RECORD",
    record_type: 7,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("id", Int32), field("epoch", Int64)],
};

/// `UnfenceBrokerRecord`.
pub(in crate::tools::dump_log) static UNFENCE_BROKER_RECORD: Schema = Schema {
    name: "UNFENCE_BROKER_RECORD",
    record_type: 8,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("id", Int32), field("epoch", Int64)],
};

/// `RemoveTopicRecord`.
pub(in crate::tools::dump_log) static REMOVE_TOPIC_RECORD: Schema = Schema {
    name: "REMOVE_TOPIC_RECORD",
    record_type: 9,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("topicId", Uuid)],
};

/// `DelegationTokenRecord`.
pub(in crate::tools::dump_log) static DELEGATION_TOKEN_RECORD: Schema = Schema {
    name: "DELEGATION_TOKEN_RECORD",
    record_type: 10,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("owner", Text),
        field("requester", Text),
        field("renewers", Array(&Text)),
        field("issueTimestamp", Int64),
        field("maxTimestamp", Int64),
        field("expirationTimestamp", Int64),
        field("tokenId", Text),
    ],
};

/// `UserScramCredentialRecord`.
pub(in crate::tools::dump_log) static USER_SCRAM_CREDENTIAL_RECORD: Schema = Schema {
    name: "USER_SCRAM_CREDENTIAL_RECORD",
    record_type: 11,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("name", Text),
        field("mechanism", Int8),
        field("salt", Bytes),
        field("storedKey", Bytes),
        field("serverKey", Bytes),
        field("iterations", Int32),
    ],
};

/// `FeatureLevelRecord`.
pub(in crate::tools::dump_log) static FEATURE_LEVEL_RECORD: Schema = Schema {
    name: "FEATURE_LEVEL_RECORD",
    record_type: 12,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("name", Text), field("featureLevel", Int16)],
};

/// `ClientQuotaRecord`.
pub(in crate::tools::dump_log) static CLIENT_QUOTA_RECORD: Schema = Schema {
    name: "CLIENT_QUOTA_RECORD",
    record_type: 14,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("entity", Array(&Struct(&[field("entityType", Text), field("entityName", Text).nullable(0)]))),
        field("key", Text),
        field("value", Float64),
        field("remove", Bool),
    ],
};

/// `ProducerIdsRecord`.
pub(in crate::tools::dump_log) static PRODUCER_IDS_RECORD: Schema = Schema {
    name: "PRODUCER_IDS_RECORD",
    record_type: 15,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("brokerId", Int32), field("brokerEpoch", Int64), field("nextProducerId", Int64)],
};

/// `BrokerRegistrationChangeRecord`.
pub(in crate::tools::dump_log) static BROKER_REGISTRATION_CHANGE_RECORD: Schema = Schema {
    name: "BROKER_REGISTRATION_CHANGE_RECORD",
    record_type: 17,
    versions: 0..=3,
    flexible_from: 0,
    fields: &[
        field("brokerId", Int32),
        field("brokerEpoch", Int64),
        field("fenced", Int8).tagged(0),
        field("inControlledShutdown", Int8).tagged(1).since(1),
        field("logDirs", Array(&Uuid)).tagged(2).since(2),
        field("cordonedLogDirs", Array(&Uuid)).tagged(3).since(3).nullable(3),
    ],
};

/// `AccessControlEntryRecord`.
pub(in crate::tools::dump_log) static ACCESS_CONTROL_ENTRY_RECORD: Schema = Schema {
    name: "ACCESS_CONTROL_ENTRY_RECORD",
    record_type: 18,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("id", Uuid),
        field("resourceType", Int8),
        field("resourceName", Text),
        field("patternType", Int8),
        field("principal", Text),
        field("host", Text),
        field("operation", Int8),
        field("permissionType", Int8),
    ],
};

/// `RemoveAccessControlEntryRecord`.
pub(in crate::tools::dump_log) static REMOVE_ACCESS_CONTROL_ENTRY_RECORD: Schema = Schema {
    name: "REMOVE_ACCESS_CONTROL_ENTRY_RECORD",
    record_type: 19,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("id", Uuid)],
};

/// `NoOpRecord`.
pub(in crate::tools::dump_log) static NO_OP_RECORD: Schema =
    Schema { name: "NO_OP_RECORD", record_type: 20, versions: 0..=0, flexible_from: 0, fields: &[] };

/// `ZkMigrationStateRecord`.
pub(in crate::tools::dump_log) static ZK_MIGRATION_STATE_RECORD: Schema = Schema {
    name: "ZK_MIGRATION_STATE_RECORD",
    record_type: 21,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("zkMigrationState", Int8)],
};

/// `RemoveUserScramCredentialRecord`.
pub(in crate::tools::dump_log) static REMOVE_USER_SCRAM_CREDENTIAL_RECORD: Schema = Schema {
    name: "REMOVE_USER_SCRAM_CREDENTIAL_RECORD",
    record_type: 22,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("name", Text), field("mechanism", Int8)],
};

/// `BeginTransactionRecord`.
pub(in crate::tools::dump_log) static BEGIN_TRANSACTION_RECORD: Schema = Schema {
    name: "BEGIN_TRANSACTION_RECORD",
    record_type: 23,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("name", Text).tagged(0).nullable(0)],
};

/// `EndTransactionRecord`.
pub(in crate::tools::dump_log) static END_TRANSACTION_RECORD: Schema = Schema {
    name: "END_TRANSACTION_RECORD",
    record_type: 24,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[],
};

/// `AbortTransactionRecord`.
pub(in crate::tools::dump_log) static ABORT_TRANSACTION_RECORD: Schema = Schema {
    name: "ABORT_TRANSACTION_RECORD",
    record_type: 25,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("reason", Text).tagged(0).nullable(0)],
};

/// `RemoveDelegationTokenRecord`.
pub(in crate::tools::dump_log) static REMOVE_DELEGATION_TOKEN_RECORD: Schema = Schema {
    name: "REMOVE_DELEGATION_TOKEN_RECORD",
    record_type: 26,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("tokenId", Text)],
};

/// `RegisterControllerRecord`.
pub(in crate::tools::dump_log) static REGISTER_CONTROLLER_RECORD: Schema = Schema {
    name: "REGISTER_CONTROLLER_RECORD",
    record_type: 27,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("controllerId", Int32),
        field("incarnationId", Uuid),
        field("zkMigrationReady", Bool),
        field(
            "endPoints",
            Array(&Struct(&[
                field("name", Text),
                field("host", Text),
                field("port", Uint16),
                field("securityProtocol", Int16),
            ])),
        ),
        field(
            "features",
            Array(&Struct(&[
                field("name", Text),
                field("minSupportedVersion", Int16),
                field("maxSupportedVersion", Int16),
            ])),
        ),
    ],
};

/// `ClearElrRecord`.
pub(in crate::tools::dump_log) static CLEAR_ELR_RECORD: Schema = Schema {
    name: "CLEAR_ELR_RECORD",
    record_type: 28,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("topicName", Text)],
};

/// `UnregisterControllerRecord`.
pub(in crate::tools::dump_log) static UNREGISTER_CONTROLLER_RECORD: Schema = Schema {
    name: "UNREGISTER_CONTROLLER_RECORD",
    record_type: 29,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("controllerId", Int32)],
};

/// All, by type.
pub(in crate::tools::dump_log) static RECORDS: &[&Schema] = &[
    &REGISTER_BROKER_RECORD,
    &UNREGISTER_BROKER_RECORD,
    &TOPIC_RECORD,
    &PARTITION_RECORD,
    &CONFIG_RECORD,
    &PARTITION_CHANGE_RECORD,
    &FENCE_BROKER_RECORD,
    &UNFENCE_BROKER_RECORD,
    &REMOVE_TOPIC_RECORD,
    &DELEGATION_TOKEN_RECORD,
    &USER_SCRAM_CREDENTIAL_RECORD,
    &FEATURE_LEVEL_RECORD,
    &CLIENT_QUOTA_RECORD,
    &PRODUCER_IDS_RECORD,
    &BROKER_REGISTRATION_CHANGE_RECORD,
    &ACCESS_CONTROL_ENTRY_RECORD,
    &REMOVE_ACCESS_CONTROL_ENTRY_RECORD,
    &NO_OP_RECORD,
    &ZK_MIGRATION_STATE_RECORD,
    &REMOVE_USER_SCRAM_CREDENTIAL_RECORD,
    &BEGIN_TRANSACTION_RECORD,
    &END_TRANSACTION_RECORD,
    &ABORT_TRANSACTION_RECORD,
    &REMOVE_DELEGATION_TOKEN_RECORD,
    &REGISTER_CONTROLLER_RECORD,
    &CLEAR_ELR_RECORD,
    &UNREGISTER_CONTROLLER_RECORD,
];
