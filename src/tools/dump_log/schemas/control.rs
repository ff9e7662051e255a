// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.

//! Control records of consensus, and what members of classic groups send each other.

use crate::tools::dump_log::schema::Kind::{Array, Bytes, Int16, Int32, Int64, Struct, Text, Uint16, Uuid};
use crate::tools::dump_log::schema::{NEVER, Schema, field};

/// `ConsumerProtocolAssignment`.
pub(in crate::tools::dump_log) static CONSUMER_PROTOCOL_ASSIGNMENT: Schema = Schema {
    name: "CONSUMER_PROTOCOL_ASSIGNMENT",
    record_type: -1,
    versions: 0..=3,
    flexible_from: NEVER,
    fields: &[
        field(
            "assignedPartitions",
            Array(&Struct(&[field("topic", Text), field("partitions", Array(&Int32))])),
        ),
        field("userData", Bytes).nullable(0),
    ],
};

/// `ConsumerProtocolSubscription`.
pub(in crate::tools::dump_log) static CONSUMER_PROTOCOL_SUBSCRIPTION: Schema = Schema {
    name: "CONSUMER_PROTOCOL_SUBSCRIPTION",
    record_type: -1,
    versions: 0..=3,
    flexible_from: NEVER,
    fields: &[
        field("topics", Array(&Text)),
        field("userData", Bytes).nullable(0),
        field(
            "ownedPartitions",
            Array(&Struct(&[field("topic", Text).since(1), field("partitions", Array(&Int32)).since(1)])),
        )
        .since(1),
        field("generationId", Int32).since(2),
        field("rackId", Text).since(3).nullable(3),
    ],
};

/// `KRaftVersionRecord`.
pub(in crate::tools::dump_log) static K_RAFT_VERSION_RECORD: Schema = Schema {
    name: "K_RAFT_VERSION_RECORD",
    record_type: -1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("version", Int16), field("kRaftVersion", Int16)],
};

/// `LeaderChangeMessage`.
pub(in crate::tools::dump_log) static LEADER_CHANGE_MESSAGE: Schema = Schema {
    name: "LEADER_CHANGE_MESSAGE",
    record_type: -1,
    versions: 0..=1,
    flexible_from: 0,
    fields: &[
        field("version", Int16),
        field("leaderId", Int32),
        field("voters", Array(&Struct(&[field("voterId", Int32), field("voterDirectoryId", Uuid).since(1)]))),
        field(
            "grantingVoters",
            Array(&Struct(&[field("voterId", Int32), field("voterDirectoryId", Uuid).since(1)])),
        ),
    ],
};

/// `SnapshotFooterRecord`.
pub(in crate::tools::dump_log) static SNAPSHOT_FOOTER_RECORD: Schema = Schema {
    name: "SNAPSHOT_FOOTER_RECORD",
    record_type: -1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("version", Int16)],
};

/// `SnapshotHeaderRecord`.
pub(in crate::tools::dump_log) static SNAPSHOT_HEADER_RECORD: Schema = Schema {
    name: "SNAPSHOT_HEADER_RECORD",
    record_type: -1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[field("version", Int16), field("lastContainedLogTimestamp", Int64)],
};

/// `VotersRecord`.
pub(in crate::tools::dump_log) static VOTERS_RECORD: Schema = Schema {
    name: "VOTERS_RECORD",
    record_type: -1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("version", Int16),
        field(
            "voters",
            Array(&Struct(&[
                field("voterId", Int32),
                field("voterDirectoryId", Uuid),
                field(
                    "endpoints",
                    Array(&Struct(&[field("name", Text), field("host", Text), field("port", Uint16)])),
                ),
                field(
                    "kRaftVersionFeature",
                    Struct(&[field("minSupportedVersion", Int16), field("maxSupportedVersion", Int16)]),
                ),
            ])),
        ),
    ],
};
