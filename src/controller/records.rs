//! Metadata records on their way into the log: encoded one by one, gathered into batches.
//!
//! All are Kafka's, in the versions that the metadata version finalized here stands for. The cluster id has no record in
//! Kafka (KIP-631 keeps it in meta.properties alone), but here it is the first record that is committed: it travels as a
//! tagged field of a NoOpRecord, which Kafka's tools read as a NoOpRecord.

use bytes::Bytes;

use crate::protocol::codec::Codec;
use crate::protocol::messages::NoOpRecord;
use crate::protocol::record_batch::{BatchBuilder, BatchError};
use crate::protocol::{EncodeError, MetadataMessage, Reader, Writer, encode_metadata_record};

/// The metadata version (feature level) whose record versions are written: that of Kafka 4.4.0.
pub const METADATA_VERSION: i16 = 33;
/// Name of that feature.
pub const METADATA_VERSION_FEATURE: &str = "metadata.version";
/// Records that one request may lead to (Kafka's MAX_RECORDS_PER_USER_OP).
pub const MAX_RECORDS_PER_REQUEST: usize = 10_000;

/// Tag of the cluster id in a NoOpRecord: "MR" as a number.
const CLUSTER_ID_TAG: u32 = 0x4d52;

/// Encoded records in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordList {
    values: Vec<Bytes>,
    bytes: usize,
}

impl RecordList {
    /// Adds a record in its newest version.
    ///
    /// # Errors
    /// [`EncodeError`] if a string is too long for the wire.
    pub fn push<'a, M: MetadataMessage<'a>>(&mut self, record: &M) -> Result<(), EncodeError> {
        self.push_value(encode_metadata_record(record, M::MAX_VERSION)?.freeze());
        Ok(())
    }

    /// Adds the cluster id.
    pub fn push_cluster_id(&mut self, id: &str) {
        let mut writer = Writer::new();
        writer.unsigned_varint(1); // the frame's version
        writer.unsigned_varint(u32::from(NoOpRecord::RECORD_TYPE.unsigned_abs()));
        writer.unsigned_varint(0); // the record's version
        writer.unsigned_varint(1); // tagged fields
        writer.unsigned_varint(CLUSTER_ID_TAG);
        writer.unsigned_varint(u32::try_from(id.len()).unwrap_or(u32::MAX));
        let (mut buffer, _) = writer.finish();
        buffer.extend_from_slice(id.as_bytes());
        self.push_value(buffer.freeze());
    }

    fn push_value(&mut self, value: Bytes) {
        self.bytes += value.len();
        self.values.push(value);
    }

    /// Adds all of `other`.
    pub fn append(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.values.extend(other.values);
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Bytes of all records, without what a batch adds.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.bytes
    }

    /// The encoded records.
    pub fn iter(&self) -> impl Iterator<Item = &Bytes> {
        self.values.iter()
    }

    /// One batch with all records; base offset and epoch are set when it is appended.
    ///
    /// # Errors
    /// [`BatchError`] if there is no record, or more than a batch holds.
    pub fn batch(&self, timestamp_ms: i64) -> Result<Vec<u8>, BatchError> {
        let mut builder = BatchBuilder::new(Codec::None);
        for value in &self.values {
            builder.append(timestamp_ms, None, Some(value), &[]);
        }
        builder.build()
    }
}

/// The cluster id in a record's value; None when it is another record.
#[must_use]
pub fn cluster_id_of(value: &[u8]) -> Option<&str> {
    let mut reader = Reader::new(value);
    let mut next = || reader.unsigned_varint().ok();
    let head = [next()?, next()?, next()?, next()?, next()?];
    let expected = [1, u32::from(NoOpRecord::RECORD_TYPE.unsigned_abs()), 0, 1, CLUSTER_ID_TAG];
    let len = next()?;
    if head != expected || reader.remaining() != usize::try_from(len).ok()? {
        return None;
    }
    std::str::from_utf8(reader.rest()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::MetadataRecord;

    #[test]
    fn the_cluster_id_is_a_no_op_record_for_others() {
        let mut records = RecordList::default();
        records.push_cluster_id("abcDEF");
        let value = records.iter().next().unwrap();
        assert_eq!(cluster_id_of(value), Some("abcDEF"));
        let (record, version) = MetadataRecord::decode(value).unwrap();
        assert_eq!((record, version), (MetadataRecord::NoOp(NoOpRecord {}), 0));
        assert_eq!(cluster_id_of(&[1, 20, 0, 0]), None);
        assert_eq!(cluster_id_of(&[]), None);
    }
}
