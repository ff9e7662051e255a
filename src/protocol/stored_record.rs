//! Records that Kafka stores in its own topics: metadata records in their frame, coordinators' keys and values.

use bytes::BytesMut;

use super::messages::MetadataRecord;
use super::wire::{
    CoordinatorKey, DecodeError, EncodeError, Message, MetadataMessage, Reader, Writer, unsigned_varint_len,
};

/// The frame around each metadata record; there is only this version.
const METADATA_FRAME_VERSION: u32 = 1;

/// Bytes of the version, or type, in front of coordinators' records.
const PREFIX: usize = 2;

/// A metadata record as the value of a log record: frame version, type and version as varints, then the message.
///
/// # Errors
/// [`EncodeError`] if this version cannot carry the record.
pub fn encode_metadata_record<'a, M: MetadataMessage<'a>>(
    record: &M,
    version: i16,
) -> Result<BytesMut, EncodeError> {
    let (record_type, shown_version) = (M::RECORD_TYPE as u32, version as u32);
    let frame = 1 + unsigned_varint_len(record_type) + unsigned_varint_len(shown_version);
    let mut writer = Writer::with_capacity(frame + record.encoded_len(version));
    writer.unsigned_varint(METADATA_FRAME_VERSION);
    writer.unsigned_varint(record_type);
    writer.unsigned_varint(shown_version);
    record.encode(&mut writer, version)?;
    Ok(writer.finish().0)
}

fn metadata_frame(reader: &mut Reader<'_>) -> Result<(i16, i16), DecodeError> {
    let frame = reader.unsigned_varint()?;
    if frame != METADATA_FRAME_VERSION {
        return Err(DecodeError::UnknownFrameVersion(frame));
    }
    let record_type = reader.unsigned_varint()?;
    let record_type =
        i16::try_from(record_type).map_err(|_| DecodeError::UnexpectedRecordType(i64::from(record_type)))?;
    let version = reader.unsigned_varint()?;
    let version = i16::try_from(version)
        .map_err(|_| DecodeError::UnsupportedVersion { message: "metadata record", version: i16::MAX })?;
    Ok((record_type, version))
}

/// The type and version of a metadata record, without its message. Serves to skip types that are not known.
///
/// # Errors
/// [`DecodeError`] if there is no frame of version 1.
pub fn metadata_record_type(value: &[u8]) -> Result<(i16, i16), DecodeError> {
    metadata_frame(&mut Reader::new(value))
}

impl<'a> MetadataRecord<'a> {
    /// Reads the value of a log record, and the version that it was written in.
    ///
    /// # Errors
    /// [`DecodeError::UnexpectedRecordType`] for a type not known here, [`DecodeError::UnsupportedVersion`] for one
    /// from the future, or what the bytes give; bytes behind the message are an error as well.
    pub fn decode(value: &'a [u8]) -> Result<(Self, i16), DecodeError> {
        let mut reader = Reader::new(value);
        let (record_type, version) = metadata_frame(&mut reader)?;
        let record = Self::read(&mut reader, record_type, version)?;
        reader.finish()?;
        Ok((record, version))
    }
}

/// The key of a coordinator's record: its type in two bytes, then the message in version 0.
///
/// # Errors
/// [`EncodeError`] if a string is too long.
pub fn encode_coordinator_key<'a, K: CoordinatorKey<'a>>(key: &K) -> Result<BytesMut, EncodeError> {
    prefixed(K::RECORD_TYPE, key, 0)
}

/// The type in front of a coordinator's key.
///
/// # Errors
/// [`DecodeError::UnexpectedEnd`] below two bytes.
pub fn coordinator_key_type(key: &[u8]) -> Result<i16, DecodeError> {
    Reader::new(key).i16()
}

/// Reads a coordinator's key of the type that `K` has.
///
/// # Errors
/// [`DecodeError::UnexpectedRecordType`] for another type, or what the bytes give.
pub fn decode_coordinator_key<'a, K: CoordinatorKey<'a>>(key: &'a [u8]) -> Result<K, DecodeError> {
    let mut reader = Reader::new(key);
    let record_type = reader.i16()?;
    if record_type != K::RECORD_TYPE {
        return Err(DecodeError::UnexpectedRecordType(i64::from(record_type)));
    }
    let key = K::decode(&mut reader, 0)?;
    reader.finish()?;
    Ok(key)
}

/// A message behind its version in two bytes: coordinators' values, and the value of a transaction's end marker.
///
/// # Errors
/// [`EncodeError`] if this version cannot carry it.
pub fn encode_versioned<'a, M: Message<'a>>(message: &M, version: i16) -> Result<BytesMut, EncodeError> {
    prefixed(version, message, version)
}

/// Reads what [`encode_versioned`] writes; bytes behind the message are ignored, as Kafka does.
///
/// # Errors
/// [`DecodeError`] for a version that the message does not have, or for malformed bytes.
pub fn decode_versioned<'a, M: Message<'a>>(value: &'a [u8]) -> Result<(i16, M), DecodeError> {
    let mut reader = Reader::new(value);
    let version = reader.i16()?;
    Ok((version, M::decode(&mut reader, version)?))
}

fn prefixed<'a, M: Message<'a>>(prefix: i16, message: &M, version: i16) -> Result<BytesMut, EncodeError> {
    let mut writer = Writer::with_capacity(PREFIX + message.encoded_len(version));
    writer.i16(prefix);
    message.encode(&mut writer, version)?;
    Ok(writer.finish().0)
}

#[cfg(test)]
mod tests {
    use super::super::messages::{
        EndTxnMarker, NoOpRecord, OffsetCommitKey, OffsetCommitValue, PartitionChangeRecord, TopicRecord,
    };
    use super::super::wire::Uuid;
    use super::*;

    #[test]
    fn a_metadata_record_stands_in_its_frame() {
        let record = TopicRecord { name: "events", topic_id: Uuid::from_u128(77) };
        let bytes = encode_metadata_record(&record, 0).unwrap();
        assert_eq!(bytes[..3], [1, 2, 0]);
        let (back, version) = MetadataRecord::decode(&bytes).unwrap();
        assert_eq!((back.clone(), version), (MetadataRecord::from(record), 0));
        assert_eq!(back.encode(0).unwrap(), bytes);
        assert_eq!(metadata_record_type(&bytes), Ok((2, 0)));
        assert_eq!(encode_metadata_record(&NoOpRecord {}, 0).unwrap()[..], [1, 20, 0, 0]);
    }

    #[test]
    fn frames_from_elsewhere_are_refused() {
        assert_eq!(MetadataRecord::decode(&[0, 2, 0]), Err(DecodeError::UnknownFrameVersion(0)));
        assert_eq!(MetadataRecord::decode(&[1, 99, 0]), Err(DecodeError::UnexpectedRecordType(99)));
        assert_eq!(MetadataRecord::decode(&[1, 20, 0, 0, 5]), Err(DecodeError::TrailingBytes(1)));
        assert!(matches!(
            MetadataRecord::decode(&[1, 20, 9, 0]),
            Err(DecodeError::UnsupportedVersion { version: 9, .. })
        ));
        assert!(MetadataRecord::decode(&[]).is_err());
    }

    #[test]
    fn a_change_writes_only_what_changed() {
        let change = PartitionChangeRecord { isr: Some(vec![1, 2]), leader: 1, ..Default::default() };
        let bytes = encode_metadata_record(&change, 2).unwrap();
        let (back, _) = MetadataRecord::decode(&bytes).unwrap();
        assert_eq!(back, change.into());
    }

    #[test]
    fn coordinator_records_have_type_and_version_in_front() {
        let key = OffsetCommitKey { group: "g", topic: "t", partition: 3 };
        let bytes = encode_coordinator_key(&key).unwrap();
        assert_eq!(bytes[..], [0, 1, 0, 1, b'g', 0, 1, b't', 0, 0, 0, 3]);
        assert_eq!(coordinator_key_type(&bytes), Ok(1));
        assert_eq!(decode_coordinator_key::<OffsetCommitKey<'_>>(&bytes), Ok(key));
        let value = OffsetCommitValue { offset: 9, metadata: "m", commit_timestamp: 5, ..Default::default() };
        for version in 0..=4 {
            let bytes = encode_versioned(&value, version).unwrap();
            assert_eq!(decode_versioned(&bytes), Ok((version, value.clone())));
        }
        let marker = encode_versioned(&EndTxnMarker { coordinator_epoch: 4 }, 0).unwrap();
        assert_eq!(marker[..], [0, 0, 0, 0, 0, 4]);
    }
}
