//! Small files that a start writes anew, each in one step, with one flush for all of them.
//!
//! They are written beside their places while partitions are recovered; when all of them are durable by the flush of the
//! whole file system they get their names. A start that ends before that leaves `.tmp` files, which the next one removes.

use std::cell::RefCell;
use std::path::PathBuf;

use crate::log::index_files::write_whole;
use crate::runtime::sync::Budget;
use crate::runtime::{Runtime, beside};

/// Renames under way at the same time.
const AT_ONCE: u64 = 32;

/// What has been written beside its place in one log directory.
#[derive(Default)]
pub(crate) struct Replacements {
    paths: RefCell<Vec<PathBuf>>,
}

impl Replacements {
    /// Writes what `path` is going to hold.
    pub(crate) async fn stage(
        &self,
        runtime: &Runtime,
        path: PathBuf,
        content: Vec<u8>,
    ) -> std::io::Result<()> {
        write_whole(runtime, &beside(&path), content, false).await?;
        self.paths.borrow_mut().push(path);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.paths.borrow().is_empty()
    }

    /// Gives all of them their names. What was staged is durable by now; the names are after another flush.
    pub(crate) async fn place(&self, runtime: &Runtime) -> std::io::Result<()> {
        let slots = Budget::new(AT_ONCE);
        let mut renames = Vec::new();
        for path in self.paths.take() {
            let (own, permit) = (runtime.clone(), slots.acquire(1).await);
            renames.push(runtime.spawn(async move {
                let renamed = own.rename(&beside(&path), &path).await;
                drop(permit);
                renamed
            }));
        }
        for rename in renames {
            rename.await?;
        }
        Ok(())
    }
}
