//! Names in a log directory: the files of a segment and the directories of partitions, as Kafka gives them.
//!
//! Values only, no I/O. A file's name is its base offset in 20 digits, its kind, and a suffix while it is being
//! deleted, cleaned or swapped in. A directory is `topic-partition`, and `topic-partition.<unique>-<state>` when it is
//! no live log: deleted, stray (the metadata does not know it) or future (a replica on its way from another directory).

use std::fmt;

use thiserror::Error;

/// The longest name of a file or directory.
const MAX_NAME_BYTES: usize = 255;

/// Digits of a base offset: that many for the largest 64-bit number.
const OFFSET_DIGITS: usize = 20;

/// The kinds of files that a segment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// The record batches.
    Log,
    /// Offset to position.
    OffsetIndex,
    /// Timestamp to offset.
    TimeIndex,
    /// Aborted transactions.
    TransactionIndex,
    /// The producers' state when the log ended at this offset.
    ProducerSnapshot,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Log, Self::OffsetIndex, Self::TimeIndex, Self::TransactionIndex, Self::ProducerSnapshot];

    /// The end of the file's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Log => ".log",
            Self::OffsetIndex => ".index",
            Self::TimeIndex => ".timeindex",
            Self::TransactionIndex => ".txnindex",
            Self::ProducerSnapshot => ".snapshot",
        }
    }
}

/// In which state of its life a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileState {
    /// In use.
    Live,
    /// To be unlinked after `file.delete.delay.ms`.
    Deleted,
    /// Being written by the cleaner; thrown away at start.
    Cleaned,
    /// Written by the cleaner and about to take its place; completed at start.
    Swap,
}

impl FileState {
    const ENDED: [Self; 3] = [Self::Deleted, Self::Cleaned, Self::Swap];

    fn suffix(self) -> &'static str {
        match self {
            Self::Live => "",
            Self::Deleted => ".deleted",
            Self::Cleaned => ".cleaned",
            Self::Swap => ".swap",
        }
    }
}

/// A file of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SegmentFile {
    /// The base offset of the segment, or the end offset of a snapshot.
    pub base_offset: i64,
    /// Which file of it.
    pub kind: FileKind,
    /// In which state.
    pub state: FileState,
}

impl SegmentFile {
    /// A file in use.
    pub fn live(kind: FileKind, base_offset: i64) -> Self {
        Self { base_offset, kind, state: FileState::Live }
    }

    /// The same file in another state.
    pub fn with_state(self, state: FileState) -> Self {
        Self { state, ..self }
    }

    /// What a name stands for; `None` for a name that is no segment's.
    pub fn parse(name: &str) -> Option<Self> {
        let ended = FileState::ENDED
            .into_iter()
            .find_map(|state| name.strip_suffix(state.suffix()).map(|rest| (rest, state)));
        let (name, state) = ended.unwrap_or((name, FileState::Live));
        let (digits, extension) = name.split_at_checked(name.find('.')?)?;
        let kind = FileKind::ALL.into_iter().find(|kind| kind.suffix() == extension)?;
        let digits_only = digits.len() == OFFSET_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        let base_offset = digits_only.then(|| digits.parse().ok())??;
        Some(Self { base_offset, kind, state })
    }

    /// The file's name.
    pub fn name(&self) -> String {
        format!("{:020}{}{}", self.base_offset, self.kind.suffix(), self.state.suffix())
    }
}

impl fmt::Display for SegmentFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// In which state of its life a partition's directory is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DirectoryState {
    /// The log of the partition.
    Live,
    /// To be removed after `file.delete.delay.ms`.
    Deleted {
        /// What makes the name unique, 32 hexadecimal digits.
        unique: String,
    },
    /// Unknown to the metadata, kept for the operator.
    Stray {
        /// What makes the name unique, 32 hexadecimal digits.
        unique: String,
    },
    /// Will take the place of the log in another directory when it has caught up (KIP-113).
    Future {
        /// What makes the name unique, 32 hexadecimal digits.
        unique: String,
    },
}

/// A name that is no partition's directory.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "directory {0:?} is not of the form topic-partition or topic-partition.unique-delete, -stray or -future; \
     if it is not Kafka's, it should not be in a log directory"
)]
pub struct DirectoryNameError(pub String);

/// The directory of a partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartitionDirectory {
    /// The topic's name; of a deleted or stray directory maybe only its beginning.
    pub topic: String,
    /// The partition's number.
    pub partition: i32,
    /// In which state.
    pub state: DirectoryState,
}

impl PartitionDirectory {
    /// The directory of a log.
    pub fn live(topic: &str, partition: i32) -> Self {
        Self { topic: topic.to_owned(), partition, state: DirectoryState::Live }
    }

    /// The same partition's directory in another state.
    pub fn with_state(&self, state: DirectoryState) -> Self {
        Self { topic: self.topic.clone(), partition: self.partition, state }
    }

    /// What a name stands for.
    pub fn parse(name: &str) -> Result<Self, DirectoryNameError> {
        let (log, state) = split_state(name);
        let parsed = log.and_then(|log| log.rsplit_once('-')).and_then(|(topic, partition)| {
            let digits = !partition.is_empty() && partition.bytes().all(|byte| byte.is_ascii_digit());
            (digits && !topic.is_empty()).then_some((topic, partition.parse().ok()?))
        });
        match parsed {
            Some((topic, partition)) => Ok(Self { topic: topic.to_owned(), partition, state }),
            None => Err(DirectoryNameError(name.to_owned())),
        }
    }

    /// The directory's name, never over 255 bytes: a deleted or stray one cuts the topic's name for that.
    pub fn name(&self) -> String {
        let (unique, state) = match &self.state {
            DirectoryState::Live => return partition_directory(&self.topic, self.partition),
            DirectoryState::Deleted { unique } => (unique, "delete"),
            DirectoryState::Stray { unique } => (unique, "stray"),
            DirectoryState::Future { unique } => (unique, "future"),
        };
        let end = format!("-{}.{unique}-{state}", self.partition);
        let room = MAX_NAME_BYTES.saturating_sub(end.len());
        let topic = self.topic.get(..room).unwrap_or(&self.topic);
        format!("{topic}{end}")
    }
}

/// Splits `log.unique-state`; the first half is `None` if a state's suffix stands there without its form.
fn split_state(name: &str) -> (Option<&str>, DirectoryState) {
    type MakeState = fn(String) -> DirectoryState;
    let states: [(&str, MakeState); 3] = [
        ("-delete", |unique| DirectoryState::Deleted { unique }),
        ("-stray", |unique| DirectoryState::Stray { unique }),
        ("-future", |unique| DirectoryState::Future { unique }),
    ];
    for (suffix, state) in states {
        if let Some(rest) = name.strip_suffix(suffix) {
            return match rest.rsplit_once('.') {
                Some((log, unique)) if !unique.is_empty() => (Some(log), state(unique.to_owned())),
                _ => (None, DirectoryState::Live),
            };
        }
    }
    (Some(name), DirectoryState::Live)
}

/// The name of a log's directory.
pub fn partition_directory(topic: &str, partition: i32) -> String {
    format!("{topic}-{partition}")
}

/// What makes the name of a deleted, stray or future directory unique: 32 hexadecimal digits of a random number.
pub fn unique_suffix(random: u128) -> String {
    format!("{random:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segments_files_have_kafkas_names() {
        let log = SegmentFile::live(FileKind::Log, 42);
        assert_eq!(log.name(), "00000000000000000042.log");
        assert_eq!(log.with_state(FileState::Swap).name(), "00000000000000000042.log.swap");
        let largest = SegmentFile::live(FileKind::ProducerSnapshot, i64::MAX);
        assert_eq!(largest.name(), "09223372036854775807.snapshot");
        for kind in FileKind::ALL {
            for state in [FileState::Live, FileState::Deleted, FileState::Cleaned, FileState::Swap] {
                let file = SegmentFile { base_offset: 1 << 40, kind, state };
                assert_eq!(SegmentFile::parse(&file.name()), Some(file));
            }
        }
    }

    #[test]
    fn other_names_are_no_segment() {
        for name in [
            "",
            ".log",
            "42.log",
            "leader-epoch-checkpoint",
            "partition.metadata",
            "00000000000000000042",
            "00000000000000000042.logs",
            "+0000000000000000042.log",
            "99999999999999999999.log",
            "00000000000000000042.log.deleted.deleted",
            "00000000000000000000-0000000000.checkpoint",
        ] {
            assert_eq!(SegmentFile::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_partitions_directory_has_kafkas_name() {
        let unique = unique_suffix(0xfeed);
        assert_eq!(unique, "0000000000000000000000000000feed");
        let live = PartitionDirectory::live("a.b_c-1", 3);
        assert_eq!(live.name(), "a.b_c-1-3");
        for state in [
            DirectoryState::Live,
            DirectoryState::Deleted { unique: unique.clone() },
            DirectoryState::Stray { unique: unique.clone() },
            DirectoryState::Future { unique: unique.clone() },
        ] {
            let directory = live.with_state(state);
            assert_eq!(PartitionDirectory::parse(&directory.name()), Ok(directory));
        }
        let deleted = live.with_state(DirectoryState::Deleted { unique });
        assert_eq!(deleted.name(), "a.b_c-1-3.0000000000000000000000000000feed-delete");
    }

    #[test]
    fn a_long_topic_is_cut_to_fit() {
        let unique = unique_suffix(1);
        let directory = PartitionDirectory::live(&"t".repeat(249), 12345);
        assert_eq!(directory.name().len(), 255);
        let deleted = directory.with_state(DirectoryState::Deleted { unique });
        assert_eq!(deleted.name().len(), 255);
        let parsed = PartitionDirectory::parse(&deleted.name()).unwrap();
        assert_eq!((parsed.partition, parsed.topic.len()), (12345, 255 - 6 - 1 - 32 - 7));
    }

    #[test]
    fn other_directories_are_refused() {
        for name in [
            "",
            "topic",
            "topic-",
            "-0",
            "topic-x",
            "topic--1",
            "topic-+1",
            "topic-99999999999",
            "t-0-delete",
        ] {
            let found = PartitionDirectory::parse(name);
            if name == "topic--1" {
                assert_eq!(found.map(|directory| directory.topic), Ok("topic-".to_owned()), "as in Kafka");
            } else {
                assert_eq!(found, Err(DirectoryNameError(name.to_owned())));
            }
        }
    }
}
