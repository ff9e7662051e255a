//! What stands in a log directory: its own files, its partitions' directories, their segments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::log::checkpoint_file::CLEANER_FILE;
use crate::log::compaction::complete::{CLEANED_FILE, REPLACING_FILE, complete};
use crate::log::incarnation::{self, Incarnation};
use crate::log::journal::file::NAME_PREFIX;
use crate::log::partition_metadata::{self, PartitionMetadata};
use crate::log::segment_name::{DirectoryState, FileKind, FileState, PartitionDirectory, SegmentFile};
use crate::protocol::Uuid;
use crate::runtime::Runtime;

/// Name of the file with the owner epoch.
pub const OWNER_FILE: &str = "millrace.owner";

/// Name of the file with the log start, where no segment's name says it. A file of the partition's own: it goes with
/// the partition, which the log directory's checkpoint, by topic name, does not.
pub const LOG_START_FILE: &str = "millrace.log-start";

/// What a log directory holds.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) journals: Vec<PathBuf>,
    pub(crate) live: Vec<(PathBuf, String, i32)>,
    pub(crate) deleted: Vec<PathBuf>,
    /// Copies from other log directories that were not whole, with the partition's number.
    pub(crate) future: Vec<(PathBuf, i32)>,
    pub(crate) clean_mark: Option<PathBuf>,
    /// Whether there is a checkpoint of where cleaning had come.
    pub(crate) has_cleaner_checkpoint: bool,
}

/// Lists a log directory.
pub(crate) async fn list(runtime: &Runtime, path: &Path) -> std::io::Result<Listing> {
    let mut listing = Listing::default();
    let mut entries = runtime.list(path).await?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let at = path.join(&entry.name);
        if !entry.is_directory {
            if entry.name.starts_with(NAME_PREFIX) {
                listing.journals.push(at);
            } else if entry.name == crate::log::clean_shutdown::FILE_NAME {
                listing.clean_mark = Some(at);
            } else if entry.name == CLEANER_FILE {
                listing.has_cleaner_checkpoint = true;
            }
            continue;
        }
        match PartitionDirectory::parse(&entry.name) {
            Ok(directory) => match directory.state {
                DirectoryState::Live => listing.live.push((at, directory.topic, directory.partition)),
                DirectoryState::Deleted { .. } => listing.deleted.push(at),
                DirectoryState::Future { .. } => listing.future.push((at, directory.partition)),
                DirectoryState::Stray { .. } => {}
            },
            Err(_) => tracing::debug!(directory = %at.display(), "not a partition's directory"),
        }
    }
    Ok(listing)
}

/// A segment's file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentOnDisk {
    pub(crate) len: u64,
    pub(crate) modified_ms: i64,
}

/// A partition's directory.
pub(crate) struct PartitionOnDisk {
    pub(crate) path: PathBuf,
    pub(crate) topic: String,
    pub(crate) partition: i32,
    pub(crate) topic_id: Option<Uuid>,
    pub(crate) incarnation: Option<u64>,
    pub(crate) owner_epoch: u32,
    pub(crate) log_start: Option<i64>,
    pub(crate) cleaned_to: Option<i64>,
    pub(crate) segments: BTreeMap<i64, SegmentOnDisk>,
    pub(crate) snapshots: Vec<i64>,
    /// Index files, by the base offset of their segment.
    pub(crate) indexes: BTreeSet<(i64, FileKind)>,
    pub(crate) has_epochs: bool,
    /// Files that are left over from a deletion.
    pub(crate) leftovers: Vec<PathBuf>,
    /// Whether anything beside our own small files is there.
    pub(crate) has_data: bool,
}

/// Which log a directory is of, also a deleted one's.
pub(crate) async fn identity(runtime: &Runtime, path: &Path) -> std::io::Result<(Option<Uuid>, Option<u64>)> {
    let metadata = runtime.read_file(&path.join(partition_metadata::FILE_NAME)).await?;
    let topic_id =
        metadata.and_then(|bytes| PartitionMetadata::parse(&bytes).ok()).map(|found| found.topic_id);
    let incarnation = runtime.read_file(&path.join(incarnation::FILE_NAME)).await?;
    let incarnation = incarnation.and_then(|bytes| Incarnation::parse(&bytes).ok()).map(|found| found.0);
    Ok((topic_id, incarnation))
}

/// Lists a partition's directory.
pub(crate) async fn partition(
    runtime: &Runtime,
    path: PathBuf,
    topic: String,
    partition: i32,
) -> std::io::Result<PartitionOnDisk> {
    let (topic_id, incarnation) = identity(runtime, &path).await?;
    let mut found = PartitionOnDisk {
        topic,
        partition,
        topic_id,
        incarnation,
        owner_epoch: 0,
        log_start: None,
        cleaned_to: None,
        segments: BTreeMap::new(),
        snapshots: Vec::new(),
        indexes: BTreeSet::new(),
        has_epochs: false,
        leftovers: Vec::new(),
        has_data: false,
        path,
    };
    let mut entries = runtime.list(&found.path).await?;
    if complete(runtime, &found.path, &entries).await? {
        entries = runtime.list(&found.path).await?;
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let at = found.path.join(&entry.name);
        if entry.name == OWNER_FILE {
            let content = runtime.read_file(&at).await?.unwrap_or_default();
            found.owner_epoch = parse_number(&content, "owner_epoch: ").unwrap_or(0);
        } else if entry.name == LOG_START_FILE {
            let content = runtime.read_file(&at).await?.unwrap_or_default();
            found.log_start = parse_number(&content, "log_start: ");
        } else if entry.name == CLEANED_FILE {
            let content = runtime.read_file(&at).await?.unwrap_or_default();
            found.cleaned_to = parse_number(&content, "cleaned_to: ");
        } else if entry.name == REPLACING_FILE {
            found.leftovers.push(at);
        } else if entry.name == crate::log::index_files::LEADER_EPOCH_FILE {
            found.has_epochs = true;
        } else if entry.name.ends_with(".tmp") {
            found.leftovers.push(at);
        } else if let Some(file) = SegmentFile::parse(&entry.name) {
            found.has_data = true;
            match (file.state, file.kind) {
                (FileState::Live, FileKind::Log) => {
                    let info = runtime.path_info(&at).await?;
                    if let Some(info) = info {
                        let on_disk = SegmentOnDisk { len: info.len, modified_ms: info.modified_ms };
                        found.segments.insert(file.base_offset, on_disk);
                    }
                }
                (FileState::Live, FileKind::ProducerSnapshot) => found.snapshots.push(file.base_offset),
                (FileState::Live, kind) => {
                    found.indexes.insert((file.base_offset, kind));
                }
                _ => found.leftovers.push(at),
            }
        }
    }
    found.snapshots.sort_unstable();
    Ok(found)
}

/// The content of the owner file.
pub(crate) fn encode_owner(epoch: u32) -> Vec<u8> {
    format!("version: 0\nowner_epoch: {epoch}\n").into_bytes()
}

/// The content of the log start file.
pub(crate) fn encode_log_start(offset: i64) -> Vec<u8> {
    format!("version: 0\nlog_start: {offset}\n").into_bytes()
}

fn parse_number<T: std::str::FromStr>(content: &[u8], key: &str) -> Option<T> {
    let text = std::str::from_utf8(content).ok()?;
    let mut lines = text.lines();
    (lines.next()? == "version: 0").then_some(())?;
    lines.next()?.strip_prefix(key)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_file_comes_back() {
        assert_eq!(parse_number::<u32>(&encode_owner(7), "owner_epoch: "), Some(7));
        assert_eq!(parse_number::<u32>(b"version: 1\nowner_epoch: 7\n", "owner_epoch: "), None);
        assert_eq!(parse_number::<u32>(b"", "owner_epoch: "), None);
        assert_eq!(parse_number::<i64>(&encode_log_start(70), "log_start: "), Some(70));
    }
}
