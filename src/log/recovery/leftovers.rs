//! What deleted partitions and unfinished copies leave to a start: their directories, removed while the broker serves.
//!
//! A topic is renamed when it is deleted and unlinked a minute later, or at the next start if that comes first. With
//! gigabytes in thousands of files that takes seconds, for which nobody has to wait.

use std::path::PathBuf;

use crate::runtime::Runtime;

/// Removes them, one after the other. One that cannot be removed is said, and tried again by the next start.
pub async fn remove_leftovers(runtime: Runtime, leftovers: Vec<PathBuf>) {
    let count = leftovers.len();
    for directory in leftovers {
        if let Err(error) = runtime.remove_directory(&directory).await {
            tracing::warn!(%error, directory = %directory.display(), "a deleted partition was not removed");
        }
    }
    if count > 0 {
        tracing::info!(count, "directories of deleted partitions are removed");
    }
}
