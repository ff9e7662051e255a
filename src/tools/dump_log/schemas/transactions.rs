// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.

//! Keys and values in `__transaction_state`.

use crate::tools::dump_log::schema::Kind::{Array, Int8, Int16, Int32, Int64, Struct, Text};
use crate::tools::dump_log::schema::{NEVER, Schema, field};

/// `TransactionLogKey`.
pub(in crate::tools::dump_log) static TRANSACTION_LOG_KEY: Schema = Schema {
    name: "TRANSACTION_LOG_KEY",
    record_type: 0,
    versions: 0..=0,
    flexible_from: NEVER,
    fields: &[field("transactionalId", Text).until(0)],
};

/// `TransactionLogValue`.
pub(in crate::tools::dump_log) static TRANSACTION_LOG_VALUE: Schema = Schema {
    name: "TRANSACTION_LOG_VALUE",
    record_type: 0,
    versions: 0..=1,
    flexible_from: 1,
    fields: &[
        field("producerId", Int64),
        field("previousProducerId", Int64).tagged(0).since(1),
        field("nextProducerId", Int64).tagged(1).since(1),
        field("producerEpoch", Int16),
        field("nextProducerEpoch", Int16).tagged(3).since(1),
        field("transactionTimeoutMs", Int32),
        field("transactionStatus", Int8),
        field(
            "transactionPartitions",
            Array(&Struct(&[field("topic", Text), field("partitionIds", Array(&Int32))])),
        )
        .nullable(0),
        field("transactionLastUpdateTimestampMs", Int64),
        field("transactionStartTimestampMs", Int64),
        field("clientTransactionVersion", Int16).tagged(2).since(1),
    ],
};

/// All, by type.
pub(in crate::tools::dump_log) static KEYS: &[&Schema] = &[&TRANSACTION_LOG_KEY];

/// All, by type.
pub(in crate::tools::dump_log) static VALUES: &[&Schema] = &[&TRANSACTION_LOG_VALUE];
