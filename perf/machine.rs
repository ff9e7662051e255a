//! What machine a run was made on.

use std::fs;
use std::path::Path;

use serde::Serialize;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Machine {
    pub kernel: String,
    pub cpu: String,
    pub cpus: usize,
    pub memory_gib: f64,
    pub file_system: String,
    pub device: Option<String>,
    /// Load average over a minute, when the run began.
    pub load_average: f64,
}

/// The mount that holds a path: device's numbers, file system.
fn mount_of(path: &Path) -> Option<(String, String)> {
    let path = fs::canonicalize(path).ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let one = |line: &str| {
        let (left, right) = line.split_once(" - ")?;
        let left: Vec<&str> = left.split_whitespace().collect();
        let (numbers, place) = (left.get(2)?, left.get(4)?);
        Some((
            place.len(),
            path.starts_with(place),
            (*numbers).to_owned(),
            right.split_whitespace().next()?.to_owned(),
        ))
    };
    let found = mounts.lines().filter_map(one).filter(|mount| mount.1).max_by_key(|mount| mount.0)?;
    Some((found.2, found.3))
}

/// The block device under a path, as /proc/diskstats names it.
pub fn device_of(path: &Path) -> Option<String> {
    let (numbers, _) = mount_of(path)?;
    let (major, minor) = numbers.split_once(':')?;
    let stats = fs::read_to_string("/proc/diskstats").ok()?;
    stats.lines().find_map(|line| {
        let mut fields = line.split_whitespace();
        (fields.next()? == major && fields.next()? == minor).then(|| fields.next().map(str::to_owned))?
    })
}

impl Machine {
    /// `data` is where the broker keeps its data, if that is known.
    pub fn look(data: Option<&Path>) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let kib: f64 = memory.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0.0);
        Self {
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            cpu: field(&read("/proc/cpuinfo"), "model name"),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: kib / 1048576.0,
            file_system: data.and_then(mount_of).map_or_else(|| "not known".to_owned(), |mount| mount.1),
            device: data.and_then(device_of),
            load_average: read("/proc/loadavg")
                .split_whitespace()
                .next()
                .and_then(|v| v.parse().ok())
                .unwrap_or(0.0),
        }
    }
}

/// The CPUs that this process may use.
pub fn own_cpus() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else { return Vec::new() };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// CPUs as in `0-3,8`.
pub fn parse_cpus(text: &str) -> Result<Vec<usize>, String> {
    let wrong = || format!("{text}: not CPUs such as 0-3,8");
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.trim().parse().map_err(|_| wrong())?;
        let last: usize = last.trim().parse().map_err(|_| wrong())?;
        cpus.extend(first..=last);
    }
    Ok(cpus)
}

/// Lets this process (and what it starts) use these CPUs alone.
pub fn restrict(cpus: &[usize]) -> Result<(), String> {
    let mut set = rustix::thread::CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu));
    rustix::thread::sched_setaffinity(None, &set).map_err(|error| format!("CPUs {cpus:?}: {error}"))
}
