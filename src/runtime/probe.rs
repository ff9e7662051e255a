//! What is asked of the host before anything starts: one error with its cause and its remedy, or a report.
//!
//! Runs on the main thread, before shards exist, within a second. Limits that may be raised are raised here.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::probe_directory;
pub use super::probe_directory::{DirectoryProblem, DirectoryReport, refused_file_systems};
use super::ring::{NEEDED_OPCODES, RingFlags, build_ring};
use super::topology::Plan;

/// What the probe is to look at.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// The shards to be started.
    pub plan: &'a Plan,
    /// The log directories; they exist.
    pub log_directories: &'a [PathBuf],
    /// File systems allowed though they are refused by default, by name ("btrfs", "tmpfs").
    pub allow_file_systems: &'a [String],
    /// Connections at most, of all shards.
    pub connections: u64,
    /// Open files at most, of all shards.
    pub files: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeReport {
    /// The kernel's release.
    pub kernel: String,
    /// How the shards' rings are set up.
    pub ring: RingFlags,
    /// Descriptors that may be open.
    pub descriptors_limit: u64,
    /// One for each log directory that can be used.
    pub directories: Vec<DirectoryReport>,
    /// Log directories whose disk fails, and how: they are offline as if they failed later, if others are left.
    pub failed: Vec<(PathBuf, String)>,
    /// What works, but not as well as it could.
    pub warnings: Vec<String>,
}

impl fmt::Display for ProbeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ring = match self.ring {
            RingFlags { deferred: true, .. } => "deferred",
            RingFlags { cooperative: true, .. } => "cooperative",
            _ => "plain",
        };
        write!(f, "Linux {}, io_uring ({ring}), {} descriptors", self.kernel, self.descriptors_limit)?;
        for directory in &self.directories {
            write!(f, ", {directory}")?;
        }
        Ok(())
    }
}

/// Why Millrace cannot run here, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// io_uring_setup: ENOSYS.
    #[error(
        "this kernel (Linux {kernel}) has no io_uring, on which Millrace stands; run Linux 6.1 or later \
         (5.15 at least){hint}"
    )]
    NoIoUring {
        /// The kernel's release.
        kernel: String,
        /// More, when a filter may be the cause.
        hint: &'static str,
    },
    /// kernel.io_uring_disabled.
    #[error(
        "io_uring is switched off on this host (kernel.io_uring_disabled = {value}); switch it on with \
         `sysctl -w kernel.io_uring_disabled=0`{hint}, and keep it in /etc/sysctl.d"
    )]
    Disabled {
        /// The setting.
        value: u8,
        /// Another way.
        hint: &'static str,
    },
    /// A seccomp filter.
    #[error(
        "a seccomp filter forbids io_uring to this process, as the default profiles of Docker, podman and \
         containerd do; allow the system calls io_uring_setup, io_uring_enter and io_uring_register in the \
         container's seccomp profile (Docker: --security-opt seccomp=profile.json; Kubernetes: \
         securityContext.seccompProfile; systemd: SystemCallFilter=@io-uring)"
    )]
    Seccomp,
    /// EACCES, or EPERM without a known cause.
    #[error(
        "the kernel forbids io_uring to this process ({error}); look for a rule of SELinux, AppArmor or another \
         security module that concerns io_uring"
    )]
    Forbidden {
        /// What the kernel said.
        error: io::Error,
    },
    /// RLIMIT_MEMLOCK.
    #[error(
        "{shards} shards need {needed_kib} KiB of locked memory, the limit is {limit_kib} KiB; raise it \
         (ulimit -l, systemd: LimitMEMLOCK=, Docker: --ulimit memlock=-1) or run fewer shards ([shards] cpus)"
    )]
    LockedMemory {
        /// Shards to be started.
        shards: u16,
        /// What they need.
        needed_kib: u64,
        /// What there is.
        limit_kib: u64,
    },
    /// Operations are missing.
    #[error(
        "the io_uring of this kernel (Linux {kernel}) lacks {missing}; run Linux 6.1 or later (5.15 at least)"
    )]
    TooOld {
        /// The kernel's release.
        kernel: String,
        /// What is missing.
        missing: String,
    },
    /// Another failure of io_uring.
    #[error("an io_uring cannot be made: {0}; the kernel's log (dmesg) may say more")]
    Setup(io::Error),
    /// RLIMIT_NOFILE.
    #[error(
        "{needed} descriptors are needed (connections, files, {shards} shards), the limit is {limit}; raise it \
         (ulimit -n, systemd: LimitNOFILE=, Docker: --ulimit nofile={needed}), or allow fewer connections or \
         open files in the configuration"
    )]
    Descriptors {
        /// What is needed.
        needed: u64,
        /// What there is.
        limit: u64,
        /// Shards to be started.
        shards: u16,
    },
    /// A log directory does not do.
    #[error("log directory {}: {problem}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why, and what to do.
        problem: DirectoryProblem,
    },
    /// The clock shows a time that cannot be.
    #[error(
        "the clock says {year}, which is wrong; set it (chrony, systemd-timesyncd) before starting, because \
         records get their timestamps and retention deletes by it"
    )]
    Clock {
        /// The year it shows.
        year: i64,
    },
}

/// Looks at the host.
pub fn run(settings: &Settings<'_>) -> Result<ProbeReport, ProbeError> {
    run_in(Path::new("/"), settings)
}

/// As [`run`], with /proc and /sys below `root`.
pub fn run_in(root: &Path, settings: &Settings<'_>) -> Result<ProbeReport, ProbeError> {
    let host = Host::read(root);
    let mut warnings = Vec::new();
    let ring = check_ring(&host)?;
    if !ring.deferred {
        warnings.push(format!("Linux {} works, 6.1 or later needs less CPU per request", host.kernel));
    }
    check_locked_memory(&host, settings.plan.shards())?;
    let descriptors_limit = check_descriptors(settings)?;
    check_clock(&host, &mut warnings)?;
    let (mut directories, mut failed) = (Vec::new(), Vec::new());
    let (paths, allowed) = (settings.log_directories, settings.allow_file_systems);
    let checked = probe_directory::check_all(paths, allowed, probe_directory::DEADLINE);
    for (path, report) in paths.iter().zip(checked) {
        match report {
            Ok(report) => {
                warnings.extend(report.warning.clone());
                directories.push(report);
            }
            Err(problem) if problem.is_failure() && paths.len() > failed.len() + 1 => {
                failed.push((path.clone(), problem.to_string()));
            }
            Err(problem) => return Err(ProbeError::Directory { path: path.clone(), problem }),
        }
    }
    Ok(ProbeReport { kernel: host.kernel, ring, descriptors_limit, directories, failed, warnings })
}

/// What /proc and /sys say about the host.
#[derive(Clone, Debug, Default)]
struct Host {
    kernel: String,
    version: (u32, u32),
    /// kernel.io_uring_disabled; None where there is no such switch (before Linux 6.6).
    io_uring_disabled: Option<u8>,
    seccomp: bool,
    clock_source: Option<String>,
}

impl Host {
    fn read(root: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(root.join(path)).ok().map(|text| text.trim().to_owned());
        let kernel = read("proc/sys/kernel/osrelease").unwrap_or_else(|| "of unknown version".to_owned());
        let mut numbers =
            kernel.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let status = read("proc/thread-self/status").unwrap_or_default();
        let seccomp =
            status.lines().any(|line| line.strip_prefix("Seccomp:").is_some_and(|mode| mode.trim() == "2"));
        Self {
            kernel,
            version,
            io_uring_disabled: read("proc/sys/kernel/io_uring_disabled").and_then(|text| text.parse().ok()),
            seccomp,
            clock_source: read("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        }
    }

    /// Why a ring could not be made.
    fn explain(&self, error: io::Error) -> ProbeError {
        match (error.raw_os_error(), self.io_uring_disabled) {
            (Some(libc::ENOSYS), _) => {
                let hint = if self.seccomp && self.version >= (5, 1) {
                    "; this version has it, so a seccomp filter that answers ENOSYS may be the cause: allow \
                     io_uring_setup, io_uring_enter and io_uring_register in the container's profile"
                } else {
                    ""
                };
                ProbeError::NoIoUring { kernel: self.kernel.clone(), hint }
            }
            (Some(libc::EPERM), Some(2)) => ProbeError::Disabled { value: 2, hint: "" },
            (Some(libc::EPERM), Some(1)) => ProbeError::Disabled {
                value: 1,
                hint: ", or add the user's group to kernel.io_uring_group, or give CAP_SYS_ADMIN",
            },
            (Some(libc::EPERM), _) if self.seccomp => ProbeError::Seccomp,
            (Some(libc::EPERM | libc::EACCES), _) => ProbeError::Forbidden { error },
            _ => ProbeError::Setup(error),
        }
    }
}

fn check_ring(host: &Host) -> Result<RingFlags, ProbeError> {
    let (ring, flags) = build_ring().map_err(|error| host.explain(error))?;
    let mut probe = io_uring::Probe::new();
    ring.submitter().register_probe(&mut probe).map_err(|error| host.explain(error))?;
    let mut missing: Vec<&str> =
        NEEDED_OPCODES.iter().filter(|(code, _)| !probe.is_supported(*code)).map(|(_, name)| *name).collect();
    let parameters = ring.params();
    for (there, name) in [
        (parameters.is_feature_ext_arg(), "waiting with a time limit"),
        (parameters.is_feature_nodrop(), "keeping of completions"),
        (parameters.is_feature_fast_poll(), "polling of sockets"),
    ] {
        if !there {
            missing.push(name);
        }
    }
    if missing.is_empty() {
        Ok(flags)
    } else {
        Err(ProbeError::TooOld { kernel: host.kernel.clone(), missing: missing.join(", ") })
    }
}

/// Bytes that glommio's three rings of a shard lock, charged to the user; and on old kernels the rings themselves.
fn locked_memory_needed(version: (u32, u32), shards: u16) -> u64 {
    // glommio does not start below this limit, whatever it uses.
    const LEAST: u64 = 512 << 10;
    let rings = if version < (5, 12) { 160 << 10 } else { 0 };
    LEAST.max(u64::from(shards) * (3 * (64 << 10) + rings))
}

fn check_locked_memory(host: &Host, shards: u16) -> Result<(), ProbeError> {
    let needed = locked_memory_needed(host.version, shards);
    let limit = raise_limit(libc::RLIMIT_MEMLOCK);
    if limit < needed {
        return Err(ProbeError::LockedMemory { shards, needed_kib: needed >> 10, limit_kib: limit >> 10 });
    }
    Ok(())
}

/// Descriptors of a shard besides files and connections: rings, eventfds, pipes, listeners.
const DESCRIPTORS_PER_SHARD: u64 = 96;
/// Descriptors of the process besides its shards'.
const DESCRIPTORS_OF_PROCESS: u64 = 64;

/// Raises the limit of descriptors as far as it goes, and gives it. The probe does so, too; a configuration that
/// derives its budgets from the limit asks first.
#[must_use]
pub fn raise_descriptors_limit() -> u64 {
    raise_limit(libc::RLIMIT_NOFILE)
}

/// The descriptors that each of `shards` shards may use for connections and files, under the limit, which is raised.
#[must_use]
pub fn descriptors_of_a_shard(shards: u16) -> usize {
    let own = raise_descriptors_limit().saturating_sub(DESCRIPTORS_OF_PROCESS) / u64::from(shards.max(1));
    usize::try_from(own.saturating_sub(DESCRIPTORS_PER_SHARD)).unwrap_or(usize::MAX).clamp(8, 1 << 20)
}

fn check_descriptors(settings: &Settings<'_>) -> Result<u64, ProbeError> {
    let shards = settings.plan.shards();
    let needed = settings.connections
        + settings.files
        + u64::from(shards) * DESCRIPTORS_PER_SHARD
        + DESCRIPTORS_OF_PROCESS;
    let limit = raise_descriptors_limit();
    if limit < needed {
        return Err(ProbeError::Descriptors { needed, limit, shards });
    }
    Ok(limit)
}

/// Raises a soft limit to the hard one; gives what holds then.
fn raise_limit(resource: libc::__rlimit_resource_t) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place is a valid rlimit.
    if unsafe { libc::getrlimit(resource, &raw mut limit) } != 0 {
        return u64::MAX;
    }
    let raised = libc::rlimit { rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max };
    // SAFETY: the place is a valid rlimit; raising to the hard limit is always allowed.
    if limit.rlim_cur < limit.rlim_max && unsafe { libc::setrlimit(resource, &raw const raised) } == 0 {
        return limit.rlim_max;
    }
    limit.rlim_cur
}

fn check_clock(host: &Host, warnings: &mut Vec<String>) -> Result<(), ProbeError> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    let year = 1970 + now.tv_sec / 31_556_952;
    if !(2025..2200).contains(&year) {
        return Err(ProbeError::Clock { year });
    }
    if let Some(source) = &host.clock_source
        && ["hpet", "acpi_pm", "jiffies", "refined-jiffies"].contains(&source.as_str())
    {
        warnings.push(format!("the clock source is {source}, whose every look costs a system call or more"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
