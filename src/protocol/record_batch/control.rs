//! Control batches: the end of a transaction, and what consensus writes into its log.

use super::builder::BatchBuilder;
use super::header::{BatchError, NO_SEQUENCE};
use crate::protocol::codec::Codec;
use crate::protocol::messages::{EndTxnMarker, LeaderChangeMessage};
use crate::protocol::stored_record::encode_versioned;
use crate::protocol::wire::{DecodeError, Message, Reader, Writer};

/// The version of a control record's key.
const KEY_VERSION: i16 = 0;

/// What a control record says: the second number of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlType {
    /// A transaction was aborted.
    Abort,
    /// A transaction was committed.
    Commit,
    /// A leader was elected (KIP-595).
    LeaderChange,
    /// A snapshot begins (KIP-630).
    SnapshotHeader,
    /// A snapshot ends (KIP-630).
    SnapshotFooter,
    /// The version of the consensus (KIP-853).
    KraftVersion,
    /// The set of voters (KIP-853).
    KraftVoters,
    /// From the future; to be skipped.
    Unknown(i16),
}

impl ControlType {
    /// The number.
    pub fn id(self) -> i16 {
        match self {
            Self::Abort => 0,
            Self::Commit => 1,
            Self::LeaderChange => 2,
            Self::SnapshotHeader => 3,
            Self::SnapshotFooter => 4,
            Self::KraftVersion => 5,
            Self::KraftVoters => 6,
            Self::Unknown(id) => id,
        }
    }

    /// The type with this number.
    pub fn from_id(id: i16) -> Self {
        match id {
            0 => Self::Abort,
            1 => Self::Commit,
            2 => Self::LeaderChange,
            3 => Self::SnapshotHeader,
            4 => Self::SnapshotFooter,
            5 => Self::KraftVersion,
            6 => Self::KraftVoters,
            id => Self::Unknown(id),
        }
    }

    /// The type that a control record's key states. Keys of later versions may be longer.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedEnd`] below four bytes, [`DecodeError::UnexpectedRecordType`] for a negative version.
    pub fn from_key(key: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(key);
        let version = reader.i16()?;
        if version < 0 {
            return Err(DecodeError::UnexpectedRecordType(i64::from(version)));
        }
        reader.i16().map(Self::from_id)
    }

    /// The key of such a record.
    pub fn to_key(self) -> [u8; 4] {
        let ([a, b], [c, d]) = (KEY_VERSION.to_be_bytes(), self.id().to_be_bytes());
        [a, b, c, d]
    }
}

/// A control batch of one record, with no producer.
///
/// # Errors
/// [`BatchError::TooLong`] above 2 GiB.
pub fn control_batch(
    base_offset: i64,
    leader_epoch: i32,
    timestamp_ms: i64,
    control_type: ControlType,
    value: &[u8],
) -> Result<Vec<u8>, BatchError> {
    let mut builder =
        BatchBuilder::new(Codec::None).base_offset(base_offset).leader_epoch(leader_epoch).control(true);
    builder.append(timestamp_ms, Some(&control_type.to_key()), Some(value), &[]);
    builder.build()
}

/// The marker that ends a transaction of a producer in a partition (KIP-98).
///
/// # Errors
/// None that can happen: the content is of fixed size.
pub fn end_txn_batch(
    base_offset: i64,
    leader_epoch: i32,
    timestamp_ms: i64,
    producer_id: i64,
    producer_epoch: i16,
    coordinator_epoch: i32,
    commit: bool,
) -> Result<Vec<u8>, BatchError> {
    let control_type = if commit { ControlType::Commit } else { ControlType::Abort };
    let value = encode_versioned(&EndTxnMarker { coordinator_epoch }, EndTxnMarker::MAX_VERSION)?;
    let mut builder = BatchBuilder::new(Codec::None)
        .base_offset(base_offset)
        .leader_epoch(leader_epoch)
        .producer(producer_id, producer_epoch, NO_SEQUENCE)
        .transactional(true)
        .control(true);
    builder.append(timestamp_ms, Some(&control_type.to_key()), Some(&value), &[]);
    builder.build()
}

/// The first batch of a leader's epoch in the metadata log (KIP-595), in the version that the message itself states.
///
/// # Errors
/// [`BatchError::Encode`] if the version does not exist or cannot carry the message.
pub fn leader_change_batch(
    base_offset: i64,
    leader_epoch: i32,
    timestamp_ms: i64,
    message: &LeaderChangeMessage,
) -> Result<Vec<u8>, BatchError> {
    let mut writer = Writer::with_capacity(message.encoded_len(message.version));
    message.encode(&mut writer, message.version)?;
    control_batch(base_offset, leader_epoch, timestamp_ms, ControlType::LeaderChange, writer.as_slice())
}

#[cfg(test)]
mod tests {
    use super::super::Batch;
    use super::*;
    use crate::protocol::messages::leader_change_message::Voter;
    use crate::protocol::stored_record::decode_versioned;
    use crate::protocol::wire::Uuid;

    #[test]
    fn a_transaction_ends_with_a_marker() {
        for commit in [true, false] {
            let bytes = end_txn_batch(100, 4, 9000, 7, 3, 12, commit).unwrap();
            let batch = Batch::parse(&bytes).unwrap();
            batch.verify_crc().unwrap();
            let header = batch.header;
            assert!(header.attributes.is_control() && header.attributes.is_transactional());
            assert_eq!((header.base_offset, header.leader_epoch, header.base_sequence), (100, 4, -1));
            let mut scratch = Vec::new();
            let record = batch.records(0, &mut scratch).unwrap().next().unwrap().unwrap();
            let expected = if commit { ControlType::Commit } else { ControlType::Abort };
            assert_eq!(ControlType::from_key(record.key.unwrap()), Ok(expected));
            let (version, marker) = decode_versioned::<EndTxnMarker>(record.value.unwrap()).unwrap();
            assert_eq!((version, marker.coordinator_epoch), (0, 12));
        }
    }

    #[test]
    fn a_leader_announces_itself() {
        let voter = Voter { voter_id: 1, voter_directory_id: Uuid::from_u128(5) };
        let message =
            LeaderChangeMessage { version: 1, leader_id: 1, voters: vec![voter], granting_voters: vec![] };
        let bytes = leader_change_batch(0, 1, 5, &message).unwrap();
        let mut scratch = Vec::new();
        let batch = Batch::parse(&bytes).unwrap();
        let record = batch.records(0, &mut scratch).unwrap().next().unwrap().unwrap();
        assert_eq!(ControlType::from_key(record.key.unwrap()), Ok(ControlType::LeaderChange));
        let back = LeaderChangeMessage::decode(&mut Reader::new(record.value.unwrap()), 1).unwrap();
        assert_eq!(back, message);
    }

    #[test]
    fn keys_from_elsewhere() {
        assert_eq!(ControlType::from_key(&[0, 1, 0, 9, 9]), Ok(ControlType::Unknown(9)));
        assert!(ControlType::from_key(&[0, 0, 0]).is_err());
        assert!(ControlType::from_key(&[0xff, 0xff, 0, 0]).is_err());
        for id in -1..8 {
            assert_eq!(ControlType::from_key(&ControlType::from_id(id).to_key()).unwrap().id(), id);
        }
    }
}
