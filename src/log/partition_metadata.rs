//! `partition.metadata` of a partition's directory: the id of the topic that the directory belongs to (KIP-516).

use thiserror::Error;

use crate::protocol::Uuid;

/// The file's name in the partition's directory.
pub const FILE_NAME: &str = "partition.metadata";

/// Why a `partition.metadata` is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PartitionMetadataError {
    /// A line that cannot be understood, or is not there.
    #[error("malformed line {number}: {line:?}")]
    MalformedLine {
        /// Number of the line, from 1.
        number: usize,
        /// The line.
        line: String,
    },
    /// The topic id that stands for "none".
    #[error("the topic id is zero")]
    ZeroTopicId,
}

/// What the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionMetadata {
    /// The topic's id.
    pub topic_id: Uuid,
}

impl PartitionMetadata {
    /// Parses the file. As Kafka does it takes any version from 0 on, and does not look at what follows.
    pub fn parse(bytes: &[u8]) -> Result<Self, PartitionMetadataError> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines();
        value::<u32>(1, lines.next().unwrap_or_default())?;
        let topic_id: Uuid = value(2, lines.next().unwrap_or_default())?;
        if topic_id.is_zero() { Err(PartitionMetadataError::ZeroTopicId) } else { Ok(Self { topic_id }) }
    }

    /// The file, without a line end at its end, as Kafka writes it.
    pub fn encode(&self) -> Vec<u8> {
        format!("version: 0\ntopic_id: {}", self.topic_id).into_bytes()
    }
}

fn value<T: std::str::FromStr>(number: usize, line: &str) -> Result<T, PartitionMetadataError> {
    let malformed = || PartitionMetadataError::MalformedLine { number, line: line.to_owned() };
    let (_, value) = line.split_once(": ").ok_or_else(malformed)?;
    value.trim_start().parse().map_err(|_| malformed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_kafka_does_and_read_back() {
        let metadata = PartitionMetadata { topic_id: "9NuLeb5LRfSJMdFbR-_A8Q".parse().unwrap() };
        assert_eq!(metadata.encode(), b"version: 0\ntopic_id: 9NuLeb5LRfSJMdFbR-_A8Q");
        assert_eq!(PartitionMetadata::parse(&metadata.encode()), Ok(metadata));
        let later = b"version: 1\ntopic_id: 9NuLeb5LRfSJMdFbR-_A8Q\nmore: 1\n";
        assert_eq!(PartitionMetadata::parse(later), Ok(metadata));
    }

    #[test]
    fn damage_is_named() {
        let line = |bytes: &[u8]| match PartitionMetadata::parse(bytes) {
            Err(PartitionMetadataError::MalformedLine { number, .. }) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(line(b""), 1);
        assert_eq!(line(b"version: -1\n"), 1);
        assert_eq!(line(b"version 0\n"), 1);
        assert_eq!(line(b"version: 0\n"), 2);
        assert_eq!(line(b"version: 0\ntopic_id: short"), 2);
        let zero = b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA";
        assert_eq!(PartitionMetadata::parse(zero), Err(PartitionMetadataError::ZeroTopicId));
    }
}
