//! The end of a clean stop: checkpoints, the journals' end, the mark. Runs on shard 0 after every shard has sealed its
//! logs; the next start then reads no segment.

use std::path::PathBuf;

use super::discover;
use super::types::LogDirectory;
use crate::log::checkpoint_file::{
    CLEANER_FILE, LOG_START_FILE, OffsetCheckpoint, RECOVERY_POINT_FILE, REPLICATION_FILE,
};
use crate::log::clean_shutdown::{self, CleanShutdown};
use crate::log::error::LogError;
use crate::protocol::Uuid;
use crate::runtime::Runtime;

/// A log at its clean stop.
#[derive(Clone, Debug)]
pub(crate) struct StoppedLog {
    pub(crate) directory: Uuid,
    pub(crate) topic: String,
    pub(crate) partition: i32,
    pub(crate) log_start: i64,
    pub(crate) log_end: i64,
    pub(crate) high_watermark: i64,
    /// None when it was never compacted.
    pub(crate) cleaned_to: Option<i64>,
}

/// What a shard leaves behind. May cross shards.
#[derive(Clone, Debug, Default)]
pub struct StopReport {
    pub(crate) logs: Vec<StoppedLog>,
    /// Directories in which not all is as it should be: they get no mark.
    pub(crate) unclean: Vec<PathBuf>,
}

impl StopReport {
    /// Whether everything was sealed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unclean.is_empty()
    }
}

/// Writes the checkpoints and the mark of a clean stop into each directory where every shard stopped cleanly.
pub async fn finish_clean_stop(
    runtime: &Runtime,
    directories: &[LogDirectory],
    reports: Vec<StopReport>,
    broker_epoch: i64,
) -> Result<(), LogError> {
    for directory in directories {
        let unclean = reports.iter().any(|report| report.unclean.contains(&directory.path));
        if directory.offline.is_some() || unclean {
            continue;
        }
        let failed = |error: std::io::Error| LogError::io("stopping cleanly", &error);
        let (mut starts, mut ends) = (OffsetCheckpoint::new(), OffsetCheckpoint::new());
        let (mut watermarks, mut cleaned) = (OffsetCheckpoint::new(), OffsetCheckpoint::new());
        let logs = reports.iter().flat_map(|report| &report.logs);
        for log in logs.filter(|log| log.directory == directory.id) {
            starts.insert(&log.topic, log.partition, log.log_start);
            ends.insert(&log.topic, log.partition, log.log_end);
            watermarks.insert(&log.topic, log.partition, log.high_watermark);
            if let Some(offset) = log.cleaned_to {
                cleaned.insert(&log.topic, log.partition, offset);
            }
        }
        let files = [(LOG_START_FILE, starts), (RECOVERY_POINT_FILE, ends), (REPLICATION_FILE, watermarks)];
        for (name, checkpoint) in files {
            let content = checkpoint.encode().into();
            runtime.replace_file(&directory.path.join(name), content).await.map_err(failed)?;
        }
        // Everything is sealed: the journals hold nothing. Without them the mark may stand.
        let listing = discover::list(runtime, &directory.path).await.map_err(failed)?;
        let cleaner_file = directory.path.join(CLEANER_FILE);
        if !cleaned.is_empty() {
            runtime.replace_file(&cleaner_file, cleaned.encode().into()).await.map_err(failed)?;
        } else if listing.has_cleaner_checkpoint {
            // Of topics that are gone: it goes by names.
            runtime.remove_file(&cleaner_file).await.map_err(failed)?;
        }
        for journal in listing.journals {
            runtime.remove_file(&journal).await.map_err(failed)?;
        }
        runtime.sync_directory(&directory.path).await.map_err(failed)?;
        let mark = directory.path.join(clean_shutdown::FILE_NAME);
        let content = CleanShutdown { broker_epoch }.encode().into();
        runtime.replace_file(&mark, content).await.map_err(failed)?;
    }
    Ok(())
}
