//! Whether a log directory can hold a log: its file system, direct I/O and its alignment, a flushed write.

use std::ffi::CString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::buffer::{AlignedBuf, BLOCK};

/// What a log directory stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryReport {
    /// Which directory.
    pub path: PathBuf,
    /// Its file system's name.
    pub file_system: &'static str,
    /// Alignment that direct I/O needs, in bytes; None where the kernel does not say (before Linux 6.1).
    pub alignment: Option<u32>,
    /// What works, but not as well as it could.
    pub warning: Option<String>,
}

impl fmt::Display for DirectoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.path.display(), self.file_system)
    }
}

/// Why a log directory does not do, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryProblem {
    /// It cannot be used.
    #[error("{0}; it must exist and belong to the user that runs Millrace")]
    Access(io::Error),
    /// Nothing came back.
    #[error("it does not answer within {waited_ms} ms; look at the mount and the disk (mount, dmesg)")]
    Hangs {
        /// How long was waited.
        waited_ms: u64,
    },
    /// Refused unless allowed by name.
    #[error("{name} {why}; use ext4 or xfs, or set log.allow_unsafe_filesystem")]
    FileSystem {
        /// The file system.
        name: &'static str,
        /// Why it is refused.
        why: &'static str,
    },
    /// No direct I/O.
    #[error("{name} has no direct I/O here ({error}); use ext4 or xfs on a local disk")]
    NoDirectIo {
        /// The file system.
        name: &'static str,
        /// What the kernel said.
        error: io::Error,
    },
    /// Too coarse an alignment.
    #[error(
        "direct I/O needs an alignment of {alignment} bytes here, Millrace writes blocks of 4096; use another disk"
    )]
    Alignment {
        /// What is needed.
        alignment: u32,
    },
    /// The trial write failed.
    #[error("a flushed direct write failed: {0}; look at the disk (dmesg) and its free space")]
    Write(io::Error),
    /// The trial write came back changed.
    #[error("what was written was not what was read; this file system cannot be trusted")]
    Changed,
}

impl DirectoryProblem {
    /// Whether it is the disk's, which comes and goes, and not the configuration's.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self, Self::Access(_) | Self::Hangs { .. } | Self::Write(_) | Self::Changed)
    }
}

/// How long the probe waits for all log directories together.
pub(super) const DEADLINE: Duration = Duration::from_millis(900);

/// Looks at all log directories at once, each on a thread of its own: one that hangs (a dead mount) must not keep the
/// probe from saying so. One that takes a trial write but is slow about it is a warning.
pub(super) fn check_all(
    paths: &[PathBuf],
    allowed: &[String],
    deadline: Duration,
) -> Vec<Result<DirectoryReport, DirectoryProblem>> {
    let began = Instant::now();
    let pending: Vec<_> = paths
        .iter()
        .map(|path| {
            let (sender, receiver) = mpsc::channel();
            let opened = Arc::new(AtomicBool::new(false));
            let (path, allowed, seen) = (path.clone(), allowed.to_vec(), opened.clone());
            std::thread::spawn(move || sender.send(check(&path, &allowed, &seen)));
            (receiver, opened)
        })
        .collect();
    let mut reports = Vec::with_capacity(paths.len());
    for (path, (receiver, opened)) in paths.iter().zip(pending) {
        let left = deadline.saturating_sub(began.elapsed());
        reports.push(match receiver.recv_timeout(left) {
            Ok(report) => report,
            Err(_) if opened.load(Ordering::Acquire) => Ok(DirectoryReport {
                path: path.clone(),
                file_system: "a slow disk",
                alignment: None,
                warning: Some(format!(
                    "{}: a flushed write of 4 KiB takes longer than {} ms; look at the disk (dmesg, iostat)",
                    path.display(),
                    deadline.as_millis()
                )),
            }),
            Err(_) => Err(DirectoryProblem::Hangs { waited_ms: deadline.as_millis() as u64 }),
        });
    }
    reports
}

/// A file system that is known by its magic number, and why it is refused, if so.
struct Known(i64, &'static str, Option<&'static str>);

const COPIES: &str = "copies on write, so that no flushed overwrite stays in place";
const REMOTE: &str = "is a network file system, whose flushes and direct I/O cannot be relied on";
const KNOWN: [Known; 14] = [
    Known(0xEF53, "ext4", None),
    Known(0x5846_5342, "xfs", None),
    Known(0x794c_7630, "overlayfs", None),
    Known(0x9123_683E, "btrfs", Some(COPIES)),
    Known(0x2fc1_2fc1, "zfs", Some(COPIES)),
    Known(0xca45_1a4e, "bcachefs", Some(COPIES)),
    Known(0xF2F5_2010, "f2fs", Some("writes as a log, so that no flushed overwrite stays in place")),
    Known(0x0102_1994, "tmpfs", Some("keeps nothing over a restart")),
    Known(0x8584_58f6, "ramfs", Some("keeps nothing over a restart")),
    Known(0x6969, "nfs", Some(REMOTE)),
    Known(0xfe53_4d42, "smb2", Some(REMOTE)),
    Known(0xff53_4d42, "cifs", Some(REMOTE)),
    Known(0x0102_1997, "9p", Some(REMOTE)),
    Known(0x6573_5546, "fuse", Some("runs in user space, where flushes cannot be relied on")),
];

/// File systems that are refused because they lose data, or can.
pub fn refused_file_systems() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().filter(|Known(_, _, why)| why.is_some()).map(|Known(_, name, _)| *name)
}

/// The name of a file system and why it is refused. One that is not known is tried.
pub(super) fn file_system(magic: i64) -> (&'static str, Option<&'static str>) {
    let known = KNOWN.iter().find(|Known(known, _, _)| *known == magic & 0xffff_ffff);
    known.map_or(("an unknown file system", None), |Known(_, name, why)| (*name, *why))
}

/// Looks at a log directory and tries a write; `opened` tells that the file system answers.
pub(super) fn check(
    path: &Path,
    allowed: &[String],
    opened: &AtomicBool,
) -> Result<DirectoryReport, DirectoryProblem> {
    let stat = rustix::fs::statfs(path).map_err(|error| DirectoryProblem::Access(error.into()))?;
    if !fs::metadata(path).map_err(DirectoryProblem::Access)?.is_dir() {
        return Err(DirectoryProblem::Access(io::ErrorKind::NotADirectory.into()));
    }
    let (name, refused) = file_system(stat.f_type as i64);
    let is_allowed = allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name));
    if let Some(why) = refused
        && !is_allowed
    {
        return Err(DirectoryProblem::FileSystem { name, why });
    }
    let trial = path.join(format!(".millrace-probe-{}", std::process::id()));
    let result = try_write(&trial, name, is_allowed, opened);
    let _ = fs::remove_file(&trial);
    let alignment = result?;
    let warning = (name == "overlayfs").then(|| {
        format!("{} is a layer of a container image; mount a volume, it is faster and stays", path.display())
    });
    Ok(DirectoryReport { path: path.to_owned(), file_system: name, alignment, warning })
}

fn try_write(
    trial: &Path,
    name: &'static str,
    is_allowed: bool,
    opened: &AtomicBool,
) -> Result<Option<u32>, DirectoryProblem> {
    // Made first without direct I/O, so that a directory without rights is not taken for one without direct I/O.
    drop(
        OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(trial)
            .map_err(DirectoryProblem::Access)?,
    );
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_DIRECT)
        .open(trial)
        .map_err(|error| DirectoryProblem::NoDirectIo { name, error })?;
    opened.store(true, Ordering::Release);
    let alignment = alignment(trial);
    if let Some(alignment) = alignment
        && alignment as usize > BLOCK
        && !is_allowed
    {
        return Err(DirectoryProblem::Alignment { alignment });
    }
    match write_and_read(&file) {
        Ok(true) => Ok(alignment),
        Ok(false) => Err(DirectoryProblem::Changed),
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            Err(DirectoryProblem::NoDirectIo { name, error })
        }
        Err(error) => Err(DirectoryProblem::Write(error)),
    }
}

/// statx with STATX_DIOALIGN: the larger of the two alignments; None where it is not said.
fn alignment(path: &Path) -> Option<u32> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    let flags = rustix::fs::StatxFlags::DIOALIGN;
    let stat = rustix::fs::statx(rustix::fs::CWD, &path, rustix::fs::AtFlags::empty(), flags).ok()?;
    let said = stat.stx_mask & flags.bits() != 0 && stat.stx_dio_offset_align != 0;
    said.then(|| stat.stx_dio_offset_align.max(stat.stx_dio_mem_align))
}

/// Writes a block with its flush, as the journal does, and reads it back.
fn write_and_read(file: &File) -> io::Result<bool> {
    let mut block = AlignedBuf::zeroed(BLOCK);
    for (number, byte) in block.iter_mut().enumerate() {
        *byte = (number * 31) as u8;
    }
    let vector = libc::iovec { iov_base: block.as_mut_ptr().cast(), iov_len: BLOCK };
    // SAFETY: the vector points to a block that outlives the call.
    let written = unsafe { libc::pwritev2(file.as_raw_fd(), &raw const vector, 1, 0, libc::RWF_DSYNC) };
    if written < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut back = AlignedBuf::zeroed(BLOCK);
    let read = std::os::unix::fs::FileExt::read_at(file, &mut back, 0)?;
    Ok(written == BLOCK as isize && read == BLOCK && back[..] == block[..])
}
