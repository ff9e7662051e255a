//! The journal's file: made, zeroed and durable before its first group; made larger in the background.
//!
//! A file that is only allocated costs a flushed write up to 3.8 times as much, so it is really written with zeros.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use bytes::Bytes;

use super::format::FileHeader;
use super::writer::Journal;
use crate::log::directory::Directory;
use crate::log::error::LogError;
use crate::log::shard::zeros;
use crate::runtime::{BLOCK, File, OpenMode, ShardId};

/// What the names of journals begin with.
pub const NAME_PREFIX: &str = "millrace-journal-";
const ZERO_WRITE_BYTES: u64 = 256 << 10;

/// The journal's path.
#[must_use]
pub fn path(directory: &Path, shard: ShardId) -> PathBuf {
    directory.join(format!("{NAME_PREFIX}{shard}"))
}

/// Makes this shard's journal in `directory`, empty, under a new id. Journals of earlier starts are void by then:
/// recovery has put what they held into the segments and removed them.
pub(crate) async fn create(directory: &Rc<Directory>) -> Result<Rc<Journal>, LogError> {
    let shard = &directory.shard;
    let runtime = &shard.runtime;
    let path = path(&directory.path, shard.id);
    let at = |error: std::io::Error| LogError::io(&format!("making {}", path.display()), &error);
    // The start of a process finds none: recovery removed them all. A leftover would be one of this process.
    if runtime.path_info(&path).await.map_err(at)?.is_some() {
        runtime.remove_file(&path).await.map_err(at)?;
    }
    let file = File::open(runtime, &path, OpenMode::DirectNew).await.map_err(at)?;
    let bytes = shard.settings.journal_start_bytes.min(shard.settings.journal_bytes).max(128 << 10);
    let bytes = bytes / BLOCK as u64 * BLOCK as u64;
    let id = u128::from(runtime.random_u64()) << 64 | u128::from(runtime.random_u64());
    let header = FileHeader { journal_id: id, shard: shard.id };
    let mut block = crate::runtime::AlignedBuf::zeroed(BLOCK);
    block.copy_from_slice(&header.encode());
    file.write_all_at(0, vec![block.freeze(BLOCK)], false).await.map_err(at)?;
    zero(&file, BLOCK as u64, bytes).await.map_err(at)?;
    file.sync_all().await.map_err(at)?;
    runtime.sync_directory(&directory.path).await.map_err(at)?;
    Ok(Journal::new(directory, file, id, bytes))
}

async fn zero(file: &File, from: u64, to: u64) -> std::io::Result<()> {
    let block: Bytes = zeros(ZERO_WRITE_BYTES as usize);
    let mut at = from;
    while at < to {
        let len = ZERO_WRITE_BYTES.min(to - at);
        file.write_all_at(at, vec![block.slice(..len as usize)], false).await?;
        at += len;
    }
    Ok(())
}

/// Doubles the circle: zeroes behind it and flushes; the writer goes on there when it comes to the old end.
pub(crate) async fn grow(journal: &Rc<Journal>) {
    let from = journal.space.borrow().end();
    let to = from * 2;
    match journal.directory.upgrade().filter(|directory| directory.has_plenty(to - from)) {
        Some(directory) => directory.take(to - from),
        // It goes on as it is; `growing` stays set, as below.
        None => return,
    }
    let result = async {
        zero(&journal.file, from, to).await?;
        journal.file.sync_all().await
    }
    .await;
    let Some(directory) = journal.directory.upgrade() else { return };
    match result {
        Ok(()) => {
            journal.shard.counters.with(|counters| counters.zeroed_bytes += to - from);
            journal.space.borrow_mut().grown(to);
            journal.growing.set(false);
            journal.nudge();
        }
        // A journal that cannot grow goes on as it is: only the space behind it failed. `growing` stays set, so
        // that it is not tried again.
        Err(error) if error.raw_os_error() == Some(libc::ENOSPC) => {
            tracing::warn!(directory = %directory.path.display(), "no space to make the journal larger");
        }
        Err(error) => directory.fail(&LogError::io("making the journal larger", &error)),
    }
}
