//! Files and directories as the log engine uses them, over [`super::platform`].
//!
//! Short reads and writes are continued here, on both platforms; anything else that fails is given up the first
//! time (a failed write or flush is never retried).

use std::io;
use std::path::{Path, PathBuf};

use bytes::{Buf, Bytes};

use super::Runtime;
use super::buffer::{AlignedBuf, BLOCK};
use super::platform::{DirectoryEntry, FileHandle, OpenMode, Operation, Outcome, PathInfo};

/// An open file of this shard.
#[derive(Clone)]
pub struct File {
    runtime: Runtime,
    handle: FileHandle,
}

fn unexpected(outcome: &Outcome) -> io::Error {
    io::Error::other(format!("the platform answered {outcome:?} to another operation"))
}

impl File {
    /// Opens `path`.
    pub async fn open(runtime: &Runtime, path: &Path, mode: OpenMode) -> io::Result<Self> {
        match runtime.submit_opening(|| Operation::Open { path: path.to_owned(), mode }).await? {
            Outcome::File(handle) => Ok(Self { runtime: runtime.clone(), handle }),
            other => Err(unexpected(&other)),
        }
    }

    /// The descriptor, which may cross shards and go to `send_file`.
    #[must_use]
    pub fn handle(&self) -> &FileHandle {
        &self.handle
    }

    /// Writes all `parts` at `position`. On a direct file, position and the total length are multiples of
    /// [`BLOCK`]. With `durable`, these bytes and only they are durable when it ends (law 1).
    pub async fn write_all_at(&self, position: u64, mut parts: Vec<Bytes>, durable: bool) -> io::Result<()> {
        let mut position = position;
        let mut left: usize = parts.iter().map(Bytes::len).sum();
        while left > 0 {
            let file = self.handle.clone();
            let operation = Operation::Write { file, position, parts: parts.clone(), durable };
            let written = match self.runtime.submit(operation).await? {
                Outcome::Count(written) => written,
                other => return Err(unexpected(&other)),
            };
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            // Direct I/O goes on at a block boundary: a torn block is written again, whole.
            let written = if written < left { written / BLOCK * BLOCK } else { written };
            position += written as u64;
            left -= written;
            let mut skip = written;
            parts.retain_mut(|part| {
                let step = skip.min(part.len());
                part.advance(step);
                skip -= step;
                !part.is_empty()
            });
        }
        Ok(())
    }

    /// Reads `len` bytes (a multiple of [`BLOCK`] on a direct file) from `position`, or up to the end of the file:
    /// gives the buffer and how many bytes of its front are the file's.
    pub async fn read_at(&self, position: u64, len: usize) -> io::Result<(usize, AlignedBuf)> {
        let mut buffer = AlignedBuf::zeroed(len);
        let file = self.handle.clone();
        let (mut filled, first) =
            match self.runtime.submit(Operation::Read { file, position, buffer }).await? {
                Outcome::Read(count, buffer) => (count, buffer),
                other => return Err(unexpected(&other)),
            };
        buffer = first;
        while filled > 0 && filled < len {
            // Go on at a block boundary, in a buffer of its own: direct I/O needs alignment.
            let start = filled / BLOCK * BLOCK;
            let file = self.handle.clone();
            let rest = AlignedBuf::zeroed(len - start);
            let operation = Operation::Read { file, position: position + start as u64, buffer: rest };
            let (count, rest) = match self.runtime.submit(operation).await? {
                Outcome::Read(count, rest) => (count, rest),
                other => return Err(unexpected(&other)),
            };
            if start + count <= filled {
                // The end of the file, or a second short read in the same block.
                if position + filled as u64 >= self.len().await? {
                    break;
                }
                continue;
            }
            let (Some(to), Some(from)) = (buffer.get_mut(start..start + count), rest.get(..count)) else {
                return Err(io::Error::other("the platform read more than was asked"));
            };
            to.copy_from_slice(from);
            filled = start + count;
        }
        Ok((filled, buffer))
    }

    /// fdatasync: completed writes and the length are durable when it ends.
    pub async fn sync_data(&self) -> io::Result<()> {
        self.count(Operation::Sync { file: self.handle.clone(), data_only: true }).await
    }

    /// fsync.
    pub async fn sync_all(&self) -> io::Result<()> {
        self.count(Operation::Sync { file: self.handle.clone(), data_only: false }).await
    }

    /// Sets the length.
    pub async fn set_len(&self, len: u64) -> io::Result<()> {
        self.count(Operation::SetLength { file: self.handle.clone(), len }).await
    }

    /// Allocates blocks without changing the length.
    pub async fn allocate(&self, position: u64, len: u64) -> io::Result<()> {
        self.count(Operation::Allocate { file: self.handle.clone(), position, len }).await
    }

    /// The length.
    pub async fn len(&self) -> io::Result<u64> {
        match self.runtime.submit(Operation::FileInfo { file: self.handle.clone() }).await? {
            Outcome::Info(info) => Ok(info.len),
            other => Err(unexpected(&other)),
        }
    }

    async fn count(&self, operation: Operation) -> io::Result<()> {
        self.runtime.submit(operation).await.map(|_| ())
    }
}

/// Where the new content of a file is written before it gets its name; what is left over is known by this ending.
#[must_use]
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    path.with_file_name(name)
}

impl Runtime {
    /// What is known of `path`; None when nothing is there.
    pub async fn path_info(&self, path: &Path) -> io::Result<Option<PathInfo>> {
        match self.submit(Operation::PathInfo { path: path.to_owned() }).await {
            Ok(Outcome::Info(info)) => Ok(Some(info)),
            Ok(other) => Err(unexpected(&other)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes a directory, whose parent exists. The parent is not flushed.
    pub async fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.submit(Operation::MakeDirectory { path: path.to_owned() }).await.map(|_| ())
    }

    /// A directory's entries, in no order.
    pub async fn list(&self, path: &Path) -> io::Result<Vec<DirectoryEntry>> {
        match self.submit_opening(|| Operation::List { path: path.to_owned() }).await? {
            Outcome::Entries(entries) => Ok(entries),
            other => Err(unexpected(&other)),
        }
    }

    /// Renames, replacing what is there. Durable after [`Runtime::sync_directory`] of both parents.
    pub async fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.submit(Operation::Rename { from: from.to_owned(), to: to.to_owned() }).await.map(|_| ())
    }

    /// Removes a file.
    pub async fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.submit(Operation::RemoveFile { path: path.to_owned() }).await.map(|_| ())
    }

    /// Removes a directory with the files in it (partition directories hold no directories).
    pub async fn remove_directory(&self, path: &Path) -> io::Result<()> {
        for entry in self.list(path).await? {
            self.remove_file(&path.join(entry.name)).await?;
        }
        self.submit(Operation::RemoveDirectory { path: path.to_owned() }).await.map(|_| ())
    }

    /// Makes the entries of a directory durable.
    pub async fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.submit_opening(|| Operation::SyncDirectory { path: path.to_owned() }).await.map(|_| ())
    }

    /// Makes everything completed on the file system under `path` durable (syncfs).
    pub async fn sync_filesystem(&self, path: &Path) -> io::Result<()> {
        self.submit_opening(|| Operation::SyncFilesystem { path: path.to_owned() }).await.map(|_| ())
    }

    /// Free and total bytes of the file system under `path`.
    pub async fn free_bytes(&self, path: &Path) -> io::Result<(u64, u64)> {
        match self.submit(Operation::FreeBytes { path: path.to_owned() }).await? {
            Outcome::Free { free_bytes, total_bytes } => Ok((free_bytes, total_bytes)),
            other => Err(unexpected(&other)),
        }
    }

    /// Reads a small file whole; None when it is not there.
    pub async fn read_file(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let file = match File::open(self, path, OpenMode::Read).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let len = file.len().await?;
        if len == 0 {
            return Ok(Some(Vec::new()));
        }
        let (filled, buffer) = file.read_at(0, len as usize).await?;
        Ok(Some(buffer.get(..filled).unwrap_or_default().to_vec()))
    }

    /// Replaces a small file so that after a crash either the old or the new content is there, whole: writes
    /// beside it, flushes, renames, flushes the directory.
    pub async fn replace_file(&self, path: &Path, content: Bytes) -> io::Result<()> {
        let beside = beside(path);
        let file = File::open(self, &beside, OpenMode::Buffered).await?;
        file.set_len(0).await?;
        file.write_all_at(0, vec![content], false).await?;
        file.sync_all().await?;
        self.rename(&beside, path).await?;
        match path.parent() {
            Some(parent) => self.sync_directory(parent).await,
            None => Ok(()),
        }
    }
}
