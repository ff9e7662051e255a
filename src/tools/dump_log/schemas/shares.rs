// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.

//! Keys and values in `__share_group_state`.

use crate::tools::dump_log::schema::Kind::{Array, Int8, Int16, Int32, Int64, Struct, Text, Uuid};
use crate::tools::dump_log::schema::{NEVER, Schema, field};

/// `ShareSnapshotKey`.
pub(in crate::tools::dump_log) static SHARE_SNAPSHOT_KEY: Schema = Schema {
    name: "SHARE_SNAPSHOT_KEY",
    record_type: 0,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[
        field("groupId", Text).until(0),
        field("topicId", Uuid).until(0),
        field("partition", Int32).until(0),
    ],
};

/// `ShareSnapshotValue`.
pub(in crate::tools::dump_log) static SHARE_SNAPSHOT_VALUE: Schema = Schema {
    name: "SHARE_SNAPSHOT_VALUE",
    record_type: 0,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("snapshotEpoch", Int32),
        field("stateEpoch", Int32),
        field("leaderEpoch", Int32),
        field("startOffset", Int64),
        field("deliveryCompleteCount", Int32).tagged(0),
        field("createTimestamp", Int64),
        field("writeTimestamp", Int64),
        field(
            "stateBatches",
            Array(&Struct(&[
                field("firstOffset", Int64),
                field("lastOffset", Int64),
                field("deliveryState", Int8),
                field("deliveryCount", Int16),
            ])),
        ),
    ],
};

/// `ShareUpdateKey`.
pub(in crate::tools::dump_log) static SHARE_UPDATE_KEY: Schema = Schema {
    name: "SHARE_UPDATE_KEY",
    record_type: 1,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[
        field("groupId", Text).until(0),
        field("topicId", Uuid).until(0),
        field("partition", Int32).until(0),
    ],
};

/// `ShareUpdateValue`.
pub(in crate::tools::dump_log) static SHARE_UPDATE_VALUE: Schema = Schema {
    name: "SHARE_UPDATE_VALUE",
    record_type: 1,
    versions: 0..=0,
    flexible_from: 0,
    fields: &[
        field("snapshotEpoch", Int32),
        field("leaderEpoch", Int32),
        field("startOffset", Int64),
        field("deliveryCompleteCount", Int32).tagged(0),
        field(
            "stateBatches",
            Array(&Struct(&[
                field("firstOffset", Int64),
                field("lastOffset", Int64),
                field("deliveryState", Int8),
                field("deliveryCount", Int16),
            ])),
        ),
    ],
};

/// All, by type.
pub(in crate::tools::dump_log) static KEYS: &[&Schema] = &[&SHARE_SNAPSHOT_KEY, &SHARE_UPDATE_KEY];

/// All, by type.
pub(in crate::tools::dump_log) static VALUES: &[&Schema] = &[&SHARE_SNAPSHOT_VALUE, &SHARE_UPDATE_VALUE];
