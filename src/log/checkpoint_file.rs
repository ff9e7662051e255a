//! Kafka's checkpoint files: a version, a number of lines, the lines. Here those of a log directory, with one offset
//! for each partition; the leader epochs of a partition use the same frame.
//!
//! Values only, no I/O: whoever writes a file writes it beside, flushes and renames. Bounded by the partitions of a log
//! directory (by the file's bytes when parsed: a stated number of lines is never trusted with memory).

use std::collections::BTreeMap;

use thiserror::Error;

/// Up to where each partition was flushed at a clean stop.
pub const RECOVERY_POINT_FILE: &str = "recovery-point-offset-checkpoint";
/// Where each partition's log starts, if not with a segment.
pub const LOG_START_FILE: &str = "log-start-offset-checkpoint";
/// Each partition's high watermark.
pub const REPLICATION_FILE: &str = "replication-offset-checkpoint";
/// Up to where each partition was compacted.
pub const CLEANER_FILE: &str = "cleaner-offset-checkpoint";

/// The only version of the frame.
const VERSION: &str = "0";

/// Why a checkpoint file is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// Not UTF-8.
    #[error("the file is no text")]
    NotText,
    /// A version that is not known.
    #[error("unrecognised version {0:?}, expected 0")]
    Version(String),
    /// A line that cannot be understood.
    #[error("malformed line {number}: {line:?}")]
    MalformedLine {
        /// Number of the line, from 1.
        number: usize,
        /// The line.
        line: String,
    },
    /// The stated number of lines is not there.
    #[error("expected {expected} entries, found {found}")]
    Count {
        /// What the file states.
        expected: u64,
        /// What it holds.
        found: usize,
    },
}

/// Parses the frame, each line by `entry`. An empty file, or one with only a version, is an empty list, as in Kafka.
pub(crate) fn parse_lines<T>(
    bytes: &[u8],
    mut entry: impl FnMut(&str) -> Option<T>,
) -> Result<Vec<T>, CheckpointError> {
    let text = str::from_utf8(bytes).map_err(|_| CheckpointError::NotText)?;
    let malformed =
        |number: usize, line: &str| CheckpointError::MalformedLine { number, line: line.to_owned() };
    let mut lines = text.lines().enumerate();
    let Some((_, version)) = lines.next() else {
        return Ok(Vec::new());
    };
    if version != VERSION {
        return Err(CheckpointError::Version(version.to_owned()));
    }
    let Some((_, count)) = lines.next() else {
        return Ok(Vec::new());
    };
    let expected: u64 = count.parse().map_err(|_| malformed(2, count))?;
    let mut entries = Vec::new();
    for (number, line) in lines {
        entries.push(entry(line).ok_or_else(|| malformed(number + 1, line))?);
    }
    if entries.len() as u64 != expected {
        return Err(CheckpointError::Count { expected, found: entries.len() });
    }
    Ok(entries)
}

/// Writes the frame around the lines.
pub(crate) fn encode_lines(lines: impl ExactSizeIterator<Item = String>) -> Vec<u8> {
    let mut text = format!("{VERSION}\n{}\n", lines.len());
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text.into_bytes()
}

/// One offset for each partition of a log directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetCheckpoint {
    offsets: BTreeMap<String, BTreeMap<i32, i64>>,
}

impl OffsetCheckpoint {
    /// No partition.
    pub fn new() -> Self {
        Self::default()
    }

    /// The offsets in a file. A partition that stands twice has its last offset.
    pub fn parse(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut checkpoint = Self::new();
        let lines = parse_lines(bytes, |line| {
            let mut words = line.split_whitespace();
            let (topic, partition, offset) = (words.next()?, words.next()?, words.next()?);
            let whole = words.next().is_none();
            whole.then_some((topic.to_owned(), partition.parse().ok()?, offset.parse().ok()?))
        })?;
        for (topic, partition, offset) in lines {
            checkpoint.offsets.entry(topic).or_default().insert(partition, offset);
        }
        Ok(checkpoint)
    }

    /// The file, sorted by topic and partition (Kafka's order is that of a hash map; it reads any).
    pub fn encode(&self) -> Vec<u8> {
        let lines: Vec<String> =
            self.iter().map(|(topic, partition, offset)| format!("{topic} {partition} {offset}")).collect();
        encode_lines(lines.into_iter())
    }

    /// Sets the offset of a partition.
    pub fn insert(&mut self, topic: &str, partition: i32, offset: i64) {
        match self.offsets.get_mut(topic) {
            Some(partitions) => {
                partitions.insert(partition, offset);
            }
            None => {
                self.offsets.insert(topic.to_owned(), BTreeMap::from([(partition, offset)]));
            }
        }
    }

    /// The offset of a partition.
    pub fn get(&self, topic: &str, partition: i32) -> Option<i64> {
        self.offsets.get(topic)?.get(&partition).copied()
    }

    /// All: topic, partition, offset.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i32, i64)> {
        self.offsets.iter().flat_map(|(topic, partitions)| {
            partitions.iter().map(move |(partition, offset)| (topic.as_str(), *partition, *offset))
        })
    }

    /// The number of partitions.
    pub fn len(&self) -> usize {
        self.offsets.values().map(BTreeMap::len).sum()
    }

    /// Whether there is no partition.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_sorted_and_read_back() {
        let mut checkpoint = OffsetCheckpoint::new();
        checkpoint.insert("orders", 10, 7);
        checkpoint.insert("orders", 9, i64::MAX);
        checkpoint.insert("a", 0, 0);
        let bytes = checkpoint.encode();
        assert_eq!(bytes, b"0\n3\na 0 0\norders 9 9223372036854775807\norders 10 7\n");
        assert_eq!(OffsetCheckpoint::parse(&bytes), Ok(checkpoint.clone()));
        assert_eq!(checkpoint.get("orders", 10), Some(7));
        assert_eq!(checkpoint.get("orders", 0), None);
        assert_eq!(checkpoint.len(), 3);
    }

    #[test]
    fn an_empty_file_is_an_empty_checkpoint() {
        for bytes in [&b""[..], b"0\n", b"0\n0\n"] {
            assert_eq!(OffsetCheckpoint::parse(bytes), Ok(OffsetCheckpoint::new()), "{bytes:?}");
        }
    }

    #[test]
    fn damage_is_named() {
        let error = |bytes: &[u8]| OffsetCheckpoint::parse(bytes).unwrap_err();
        assert_eq!(error(b"1\n0\n"), CheckpointError::Version("1".to_owned()));
        assert_eq!(error(b"0\n2\na 0 1\n"), CheckpointError::Count { expected: 2, found: 1 });
        assert_eq!(error(b"0\n0\na 0 1\n"), CheckpointError::Count { expected: 0, found: 1 });
        assert_eq!(
            error(b"0\n18446744073709551615\n").to_string(),
            "expected 18446744073709551615 entries, found 0"
        );
        for (bytes, number) in [
            (&b"0\nx\n"[..], 2),
            (b"0\n1\na 0\n", 3),
            (b"0\n1\na 0 1 2\n", 3),
            (b"0\n1\na b 1\n", 3),
            (b"0\n1\n\n", 3),
        ] {
            let found = error(bytes);
            assert!(
                matches!(found, CheckpointError::MalformedLine { number: n, .. } if n == number),
                "{found}"
            );
        }
        assert_eq!(error(&[0xff]), CheckpointError::NotText);
    }
}
