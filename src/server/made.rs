//! Up to which offset of the metadata this node's partitions have their directories, durably: what tells a partition
//! that was never made, because the broker stopped between the commit and the directory, from one whose directory was
//! lost, which is offline and never made anew (law 10).
//!
//! Shard 0 alone writes it, between the two steps of a new image (see `metadata`), so no client hears of a partition that
//! the mark does not cover. One small file beside the metadata log, replaced as a whole.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

use crate::runtime::Runtime;

/// Name of the file.
const MADE_FILE: &str = "millrace.made";

/// The mark.
pub(super) struct MadeMark {
    path: PathBuf,
    offset: Cell<i64>,
    /// A partition could not be made: the mark stays below it until the next start makes it.
    held: Cell<bool>,
}

impl MadeMark {
    /// The mark beside the metadata log in `directory`; -1 when nothing was made yet.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a mark.
    pub(super) async fn load(runtime: &Runtime, directory: &Path) -> io::Result<Self> {
        let path = directory.join(MADE_FILE);
        let offset = match runtime.read_file(&path).await? {
            None => -1,
            Some(content) => parse(&content)
                .ok_or_else(|| io::Error::other(format!("{} does not hold an offset", path.display())))?,
        };
        Ok(Self { path, offset: Cell::new(offset), held: Cell::new(false) })
    }

    /// The last offset of the metadata whose partitions were made.
    pub(super) fn offset(&self) -> i64 {
        self.offset.get()
    }

    /// Says, durably, that the partitions up to `offset` were made, unless one `failed`.
    pub(super) async fn raise(&self, runtime: &Runtime, offset: i64, failed: bool) -> io::Result<()> {
        self.held.set(self.held.get() || failed);
        if self.held.get() || offset <= self.offset.get() {
            return Ok(());
        }
        runtime.replace_file(&self.path, format!("{offset}\n").into()).await?;
        self.offset.set(offset);
        Ok(())
    }
}

fn parse(content: &[u8]) -> Option<i64> {
    str::from_utf8(content).ok()?.strip_suffix('\n')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_one_whole_line() {
        assert_eq!(parse(b"42\n"), Some(42));
        for wrong in [&b"42"[..], b"", b"4 2\n", b"x\n", b"\xff\n"] {
            assert_eq!(parse(wrong), None);
        }
    }
}
