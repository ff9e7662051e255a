//! What deleted partitions and unfinished copies leave to a start: their directories, removed while the broker serves.
//!
//! A topic is renamed when it is deleted and unlinked a minute later, or at the next start if that comes first. With
//! gigabytes in thousands of files that takes seconds, for which nobody has to wait.

use std::path::{Path, PathBuf};

use crate::runtime::Runtime;

/// Removes a deleted partition's directory. If it cannot be removed that is said, and the next start tries again.
pub(crate) async fn remove_deleted(runtime: &Runtime, directory: &Path) {
    if let Err(error) = runtime.remove_directory(directory).await {
        tracing::warn!(%error, directory = %directory.display(), "a deleted partition was not removed");
    }
}

/// Removes them, one after the other.
pub async fn remove_leftovers(runtime: Runtime, leftovers: Vec<PathBuf>) {
    let count = leftovers.len();
    for directory in leftovers {
        remove_deleted(&runtime, &directory).await;
    }
    if count > 0 {
        tracing::info!(count, "directories of deleted partitions are removed");
    }
}
