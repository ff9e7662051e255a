//! The calls on paths that helper threads make; none of this runs on a shard's thread.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::super::platform::{DirectoryEntry, Outcome, PathInfo};

const DONE: Outcome = Outcome::Count(0);

pub(super) fn path_info(path: &Path) -> io::Result<Outcome> {
    let metadata = fs::metadata(path)?;
    Ok(Outcome::Info(PathInfo {
        len: metadata.len(),
        is_directory: metadata.is_dir(),
        modified_ms: metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000,
    }))
}

pub(super) fn make_directory(path: &Path) -> io::Result<Outcome> {
    fs::create_dir(path).map(|()| DONE)
}

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<Outcome> {
    fs::rename(from, to).map(|()| DONE)
}

pub(super) fn remove_file(path: &Path) -> io::Result<Outcome> {
    fs::remove_file(path).map(|()| DONE)
}

pub(super) fn remove_directory(path: &Path) -> io::Result<Outcome> {
    fs::remove_dir(path).map(|()| DONE)
}

pub(super) fn set_length(file: &OwnedFd, len: u64) -> io::Result<Outcome> {
    rustix::fs::ftruncate(file, len)?;
    Ok(DONE)
}

pub(super) fn sync_directory(path: &Path) -> io::Result<Outcome> {
    rustix::fs::fsync(open_directory(path)?)?;
    Ok(DONE)
}

pub(super) fn sync_filesystem(path: &Path) -> io::Result<Outcome> {
    rustix::fs::syncfs(open_directory(path)?)?;
    Ok(DONE)
}

pub(super) fn list(path: &Path) -> io::Result<Outcome> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // A name that is not UTF-8 is none of ours; it still shows, with replacement characters.
        let name = entry.file_name().to_string_lossy().into_owned();
        entries.push(DirectoryEntry { name, is_directory: entry.file_type()?.is_dir() });
    }
    Ok(Outcome::Entries(entries))
}

fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(rustix::fs::CWD, path, flags, Mode::empty())?)
}

pub(super) fn free_bytes(path: &Path) -> io::Result<Outcome> {
    let stat = rustix::fs::statvfs(path)?;
    Ok(Outcome::Free {
        free_bytes: stat.f_bavail.saturating_mul(stat.f_frsize),
        total_bytes: stat.f_blocks.saturating_mul(stat.f_frsize),
    })
}
