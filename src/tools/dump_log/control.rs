//! The text of control records, and the tables of the consumers' own protocol.

use super::schema::Schema;
use super::schemas::control;
use crate::partition::producer_state::EndMarker;
use crate::protocol::record_batch::{Batch, ControlType, Record};

/// The fields of a classic member that hold bytes of the consumers' protocol, and what they are.
pub(super) static CONSUMER_PROTOCOL: [(&str, &Schema); 2] = [
    ("subscription", &control::CONSUMER_PROTOCOL_SUBSCRIPTION),
    ("assignment", &control::CONSUMER_PROTOCOL_ASSIGNMENT),
];

/// What a record of a control batch says, with the space in front.
pub(super) fn control_text(batch: &Batch<'_>, record: &Record<'_>) -> String {
    let control_type = match ControlType::from_key(record.key.unwrap_or_default()) {
        Ok(control_type) => control_type,
        Err(error) => return format!(" controlType: malformed ({error})"),
    };
    let (prefix, schema) = match control_type {
        ControlType::Abort => return marker_text(batch, "ABORT"),
        ControlType::Commit => return marker_text(batch, "COMMIT"),
        ControlType::LeaderChange => ("LeaderChange:", &control::LEADER_CHANGE_MESSAGE),
        ControlType::SnapshotHeader => ("SnapshotHeader", &control::SNAPSHOT_HEADER_RECORD),
        ControlType::SnapshotFooter => ("SnapshotFooter", &control::SNAPSHOT_FOOTER_RECORD),
        ControlType::KraftVersion => ("KRaftVersion", &control::K_RAFT_VERSION_RECORD),
        ControlType::KraftVoters => ("KRaftVoters", &control::VOTERS_RECORD),
        ControlType::Unknown(id) => return format!(" controlType: UNKNOWN({id})"),
    };
    // Each of these messages begins with its own version.
    let value = record.value.unwrap_or_default();
    let version = value.first_chunk::<2>().map_or(0, |version| i16::from_be_bytes(*version));
    match schema.read(value, version) {
        Ok(data) => format!(" {prefix} {data}"),
        Err(error) => format!(" {prefix} malformed ({error})"),
    }
}

fn marker_text(batch: &Batch<'_>, name: &str) -> String {
    match EndMarker::of(batch) {
        Ok(Some(EndMarker { coordinator_epoch, .. })) => {
            format!(" endTxnMarker: {name} coordinatorEpoch: {coordinator_epoch}")
        }
        Ok(None) => format!(" endTxnMarker: {name} without content"),
        Err(error) => format!(" endTxnMarker: {name} malformed ({error})"),
    }
}
