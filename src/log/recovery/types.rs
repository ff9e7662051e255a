//! What recovery hands to the shards. All of it may cross shards.

use std::path::PathBuf;
use std::sync::Arc;

use crate::log::error::LogError;
use crate::log::index_builder::IndexBuilder;
use crate::log::leader_epochs::{EpochEntry, LeaderEpochs};
use crate::log::life::random_suffix;
use crate::log::meta_properties::{self, MetaProperties};
use crate::log::segment_name::{DirectoryState, PartitionDirectory};
use crate::log::transaction_index::TransactionIndex;
use crate::partition::producer_snapshot::SnapshotEntry;
use crate::protocol::Uuid;
use crate::runtime::Runtime;

/// A log directory.
#[derive(Clone, Debug)]
pub struct LogDirectory {
    /// Its path.
    pub path: PathBuf,
    /// Its directory id; ZERO for an empty one.
    pub id: Uuid,
    /// The cluster it belongs to.
    pub cluster_id: Option<String>,
    /// The node it belongs to.
    pub node_id: Option<i32>,
    /// Why it cannot be used, if so.
    pub offline: Option<Arc<str>>,
}

impl LogDirectory {
    /// Stamps the directory for a node of a cluster; keeps the id it has.
    pub async fn format(
        &mut self,
        runtime: &Runtime,
        cluster_id: &str,
        node_id: i32,
    ) -> Result<(), LogError> {
        if self.id == Uuid::ZERO {
            self.id = loop {
                let bits = u128::from(runtime.random_u64()) << 64 | u128::from(runtime.random_u64());
                if let Some(id) = Uuid::from_random(bits.to_le_bytes()) {
                    break id;
                }
            };
        }
        let properties =
            MetaProperties { cluster_id: cluster_id.to_owned(), node_id, directory_id: Some(self.id) };
        let path = self.path.join(meta_properties::FILE_NAME);
        let content = properties.encode(runtime.wall_clock_ms()).into();
        runtime
            .replace_file(&path, content)
            .await
            .map_err(|error| LogError::io(&format!("writing {}", path.display()), &error))?;
        self.cluster_id = Some(cluster_id.to_owned());
        self.node_id = Some(node_id);
        Ok(())
    }
}

/// A sealed segment.
#[derive(Clone, Debug)]
pub(crate) struct RecoveredSegment {
    pub(crate) base_offset: i64,
    pub(crate) len: u64,
    pub(crate) end_offset: i64,
    pub(crate) modified_ms: i64,
    pub(crate) builder: Option<IndexBuilder>,
    pub(crate) transactions: Option<TransactionIndex>,
}

/// A partition as recovery found it, sealed. Give it to its shard, or set it aside.
#[derive(Clone, Debug)]
pub struct RecoveredPartition {
    /// The topic's name, from the directory's.
    pub topic: String,
    /// The topic's id; ZERO when the directory does not say.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The log directory's id.
    pub directory: Uuid,
    /// The first offset that can be read.
    pub log_start_offset: i64,
    /// The offset of the next record.
    pub log_end_offset: i64,
    /// The high watermark of the last clean stop.
    pub high_watermark: Option<i64>,
    /// Why it cannot be used, if so.
    pub offline: Option<Arc<str>>,
    pub(crate) path: PathBuf,
    pub(crate) incarnation: u64,
    pub(crate) owner_epoch: u32,
    pub(crate) segments: Vec<RecoveredSegment>,
    pub(crate) epochs: LeaderEpochs,
    /// What the file of the leader epochs says; it may lack the newest, which the next checkpoint adds.
    pub(crate) epochs_on_disk: Vec<EpochEntry>,
    pub(crate) producers: Vec<SnapshotEntry>,
    pub(crate) snapshots: Vec<i64>,
    pub(crate) unscanned_bytes: u64,
    pub(crate) log_start_on_disk: Option<i64>,
    /// Records below were compacted.
    pub(crate) cleaned_to: Option<i64>,
}

impl RecoveredPartition {
    /// Renames the directory of a partition that the metadata does not know, durably (law 10).
    pub async fn set_aside_as_stray(self, runtime: &Runtime) -> Result<PathBuf, LogError> {
        self.rename(runtime, |unique| DirectoryState::Stray { unique }).await
    }

    /// Removes a copy whose partition is in another log directory by the metadata: its move was not decided, or it was and
    /// this is what was left behind.
    pub async fn remove(self, runtime: &Runtime) -> Result<(), LogError> {
        let path = self.rename(runtime, |unique| DirectoryState::Deleted { unique }).await?;
        let removed = runtime.remove_directory(&path).await;
        removed.map_err(|error| LogError::io("removing a partition's copy", &error))
    }

    async fn rename(
        &self,
        runtime: &Runtime,
        state: impl FnOnce(String) -> DirectoryState,
    ) -> Result<PathBuf, LogError> {
        let state = state(random_suffix(runtime));
        let name = PartitionDirectory::live(&self.topic, self.partition).with_state(state).name();
        let target = self.path.with_file_name(name);
        let failed = |error: std::io::Error| LogError::io("setting a partition's directory aside", &error);
        runtime.rename(&self.path, &target).await.map_err(failed)?;
        if let Some(parent) = target.parent() {
            runtime.sync_directory(parent).await.map_err(failed)?;
        }
        Ok(target)
    }
}

/// A move to another log directory that did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterruptedMove {
    /// The topic's id.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The log directory to which it was to go.
    pub directory: Uuid,
}

/// What recovery did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryStatistics {
    /// Journals read.
    pub journals: u64,
    /// Groups that counted.
    pub groups: u64,
    /// Entries in them.
    pub entries: u64,
    /// Bytes written to segments.
    pub written_bytes: u64,
    /// Bytes of segments scanned.
    pub scanned_bytes: u64,
    /// Entries of logs without a directory.
    pub orphan_entries: u64,
}

/// What stands on the disks, ready to be opened.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Every log directory, in the order given.
    pub directories: Vec<LogDirectory>,
    /// Every partition, by directory and name.
    pub partitions: Vec<RecoveredPartition>,
    /// Moves to other log directories that were under way: what was copied is removed, who asked may begin again.
    pub interrupted_moves: Vec<InterruptedMove>,
    /// Directories of deleted partitions and of copies that were not whole: nothing needs them any more.
    pub leftovers: Vec<PathBuf>,
    /// Directories made of journal entries whose partition's directory is missing (law 10).
    pub orphans: Vec<PathBuf>,
    /// Whether every directory was stopped cleanly.
    pub was_clean: bool,
    /// What was done.
    pub statistics: RecoveryStatistics,
}
