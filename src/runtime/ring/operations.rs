//! File operations: which go to the ring, which to a helper thread, and what their ends mean.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use io_uring::types::{Fd, FsyncFlags};
use io_uring::{opcode, squeue};

use super::super::buffer::AlignedBuf;
use super::super::platform::{Completion, FileHandle, FileInner, OpenMode, Operation, Outcome, PathInfo};
use super::helper::{Helpers, Lane};
use super::helper_calls as calls;
use super::uring::{Done, Flight, Ring, check};

/// The most vectors that one write takes (IOV_MAX).
const VECTORS: usize = 1024;
/// The most bytes that one read or write moves (the kernel's MAX_RW_COUNT, in whole blocks).
const MOST: usize = 0x7fff_f000;

impl FileHandle {
    /// The descriptor; -1 (which every call refuses) for a file of the simulator.
    pub(super) fn raw(&self) -> i32 {
        self.0.descriptor.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    pub(super) fn from_descriptor(descriptor: OwnedFd) -> Self {
        Self(Arc::new(FileInner { number: 0, descriptor: Some(descriptor) }))
    }
}

/// Starts `operation`.
pub(super) fn submit(ring: &Ring, helpers: &Helpers, operation: Operation, done: Completion) {
    if ring.is_closing() {
        done.complete(Err(io::Error::new(io::ErrorKind::Interrupted, "the shard is stopping")));
        return;
    }
    match operation {
        Operation::Open { path, mode } => open(ring, &path, mode, done),
        Operation::Read { file, position, buffer } => {
            let flight = Flight::Read { file, buffer, done };
            ring.start(flight, |flight| match flight {
                Flight::Read { file, buffer, .. } => {
                    let len = buffer.len().min(MOST) as u32;
                    opcode::Read::new(Fd(file.raw()), buffer.as_mut_ptr(), len).offset(position).build()
                }
                _ => unreachable!("a read was inserted"),
            });
        }
        Operation::Write { file, position, parts, durable } => {
            write(ring, file, position, parts, durable, done)
        }
        Operation::Sync { file, data_only } => {
            let flags = if data_only { FsyncFlags::DATASYNC } else { FsyncFlags::empty() };
            plain(ring, file, done, |fd| opcode::Fsync::new(fd).flags(flags).build());
        }
        Operation::Allocate { file, position, len } => plain(ring, file, done, |fd| {
            opcode::Fallocate::new(fd, len).offset(position).mode(libc::FALLOC_FL_KEEP_SIZE).build()
        }),
        // In the ring only since Linux 6.9, and it may wait for the file's lock and its blocks.
        Operation::SetLength { file, len } => {
            helpers.file(Lane::Paths, done, move || calls::set_length(descriptor(&file)?, len));
        }
        Operation::FileInfo { file } => done.complete(file_info(&file)),
        Operation::PathInfo { path } => helpers.file(Lane::Paths, done, move || calls::path_info(&path)),
        Operation::MakeDirectory { path } => {
            helpers.file(Lane::Paths, done, move || calls::make_directory(&path));
        }
        Operation::List { path } => helpers.file(Lane::Paths, done, move || calls::list(&path)),
        Operation::Rename { from, to } => {
            helpers.file(Lane::Paths, done, move || calls::rename(&from, &to));
        }
        Operation::RemoveFile { path } => {
            helpers.file(Lane::Flushes, done, move || calls::remove_file(&path));
        }
        Operation::RemoveDirectory { path } => {
            helpers.file(Lane::Flushes, done, move || calls::remove_directory(&path));
        }
        Operation::SyncDirectory { path } => {
            helpers.file(Lane::Flushes, done, move || calls::sync_directory(&path));
        }
        Operation::SyncFilesystem { path } => {
            helpers.file(Lane::Flushes, done, move || calls::sync_filesystem(&path));
        }
        Operation::FreeBytes { path } => helpers.file(Lane::Paths, done, move || calls::free_bytes(&path)),
    }
}

/// Ends a file operation.
pub(super) fn complete(flight: Flight, end: Done) {
    match flight {
        Flight::Open { done, .. } => done.complete(check(end.result).map(|descriptor| {
            // SAFETY: the kernel has just opened this descriptor for us, nobody else knows it.
            let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor as i32) };
            Outcome::File(FileHandle::from_descriptor(descriptor))
        })),
        Flight::Read { buffer, done, .. } => {
            done.complete(check(end.result).map(|count| Outcome::Read(count, buffer)));
        }
        Flight::Write { done, .. } | Flight::Plain { done, .. } => {
            done.complete(check(end.result).map(Outcome::Count));
        }
        Flight::Waited { .. } | Flight::Accept { .. } | Flight::Alarm { .. } | Flight::Background { .. } => {}
    }
}

fn open(ring: &Ring, path: &Path, mode: OpenMode, done: Completion) {
    let flags = match mode {
        OpenMode::Read => libc::O_RDONLY,
        OpenMode::Buffered => libc::O_RDWR | libc::O_CREAT,
        OpenMode::Direct => libc::O_RDWR | libc::O_DIRECT,
        OpenMode::DirectNew => libc::O_RDWR | libc::O_DIRECT | libc::O_CREAT | libc::O_EXCL,
    };
    let path = match CString::new(path.as_os_str().as_bytes()) {
        Ok(path) => path,
        Err(error) => return done.complete(Err(error.into())),
    };
    ring.start(Flight::Open { path, done }, |flight| match flight {
        Flight::Open { path, .. } => opcode::OpenAt::new(Fd(libc::AT_FDCWD), path.as_ptr())
            .flags(flags | libc::O_CLOEXEC)
            .mode(0o644)
            .build(),
        _ => unreachable!("an open was inserted"),
    });
}

fn plain(ring: &Ring, file: FileHandle, done: Completion, make: impl FnOnce(Fd) -> squeue::Entry) {
    ring.start(Flight::Plain { file, done }, |flight| match flight {
        Flight::Plain { file, .. } => make(Fd(file.raw())),
        _ => unreachable!("a plain operation was inserted"),
    });
}

fn write(ring: &Ring, file: FileHandle, position: u64, parts: Vec<Bytes>, durable: bool, done: Completion) {
    let parts = at_most(parts);
    let flags = if durable { libc::RWF_DSYNC } else { 0 };
    let vectors: Box<[libc::iovec]> = match parts.as_slice() {
        [] => return done.complete(Ok(Outcome::Count(0))),
        [_] => Box::default(),
        many => many
            .iter()
            .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() })
            .collect(),
    };
    ring.start(Flight::Write { file, parts, vectors, done }, |flight| match flight {
        Flight::Write { file, parts, vectors, .. } => match parts.as_slice() {
            [part] => opcode::Write::new(Fd(file.raw()), part.as_ptr(), part.len() as u32)
                .offset(position)
                .rw_flags(flags)
                .build(),
            _ => opcode::Writev::new(Fd(file.raw()), vectors.as_ptr(), vectors.len() as u32)
                .offset(position)
                .rw_flags(flags)
                .build(),
        },
        _ => unreachable!("a write was inserted"),
    });
}

/// Cuts what one write cannot take; the caller goes on after it as after any short write. Empty parts go.
fn at_most(mut parts: Vec<Bytes>) -> Vec<Bytes> {
    parts.retain(|part| !part.is_empty());
    if parts.len() > VECTORS {
        // Many small parts: one copy into aligned memory, so that a direct write stays aligned.
        let len = parts.iter().map(Bytes::len).sum::<usize>().min(MOST);
        let mut buffer = AlignedBuf::zeroed(len);
        let mut filled = 0;
        for mut part in parts {
            let count = part.len().min(len - filled);
            if let Some(place) = buffer.get_mut(filled..filled + count) {
                part.copy_to_slice(place);
            }
            filled += count;
        }
        return vec![buffer.freeze(len)];
    }
    let mut room = MOST;
    for part in &mut parts {
        part.truncate(room);
        room -= part.len();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn descriptor(file: &FileHandle) -> io::Result<&OwnedFd> {
    file.0.descriptor.as_ref().ok_or_else(|| io::ErrorKind::Unsupported.into())
}

fn file_info(file: &FileHandle) -> io::Result<Outcome> {
    let stat = rustix::fs::fstat(descriptor(file)?)?;
    Ok(Outcome::Info(PathInfo {
        len: u64::try_from(stat.st_size).unwrap_or(0),
        is_directory: stat.st_mode & libc::S_IFMT == libc::S_IFDIR,
        modified_ms: stat.st_mtime * 1000 + i64::try_from(stat.st_mtime_nsec).unwrap_or(0) / 1_000_000,
    }))
}
