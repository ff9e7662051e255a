//! Which CPUs and which memory this process may use, and so how many shards it runs. Read once, at start, before
//! any shard exists; that is why plain file reads are fine here.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A set of CPU numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuSet(BTreeSet<usize>);

/// A CPU list that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no list of CPUs; write numbers and ranges with commas between them, such as 0-3,8")]
pub struct BadCpuList(String);

impl FromStr for CpuSet {
    type Err = BadCpuList;
    /// Reads the kernel's list format: "0-3,8".
    fn from_str(list: &str) -> Result<Self, BadCpuList> {
        let bad = || BadCpuList(list.to_owned());
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|cpu| *cpu < MOST_CPUS);
        let mut cpus = BTreeSet::new();
        for part in list.trim().split(',').filter(|part| !part.trim().is_empty()) {
            match part.split_once('-') {
                Some((first, last)) => {
                    let first = number(first).ok_or_else(bad)?;
                    let last = number(last).filter(|last| first <= *last).ok_or_else(bad)?;
                    cpus.extend(first..=last);
                }
                None => {
                    cpus.insert(number(part).ok_or_else(bad)?);
                }
            }
        }
        Ok(Self(cpus))
    }
}

impl FromIterator<usize> for CpuSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.0.iter().copied().peekable();
        let mut first = true;
        while let Some(start) = cpus.next() {
            let mut end = start;
            while cpus.peek() == Some(&(end + 1)) {
                end += 1;
                cpus.next();
            }
            let comma = if first { "" } else { "," };
            first = false;
            if start == end { write!(f, "{comma}{start}")? } else { write!(f, "{comma}{start}-{end}")? }
        }
        Ok(())
    }
}

/// CPUs that a [`CpuSet`] can name (the size of the kernel interface's cpu_set_t).
const MOST_CPUS: usize = 1024;

impl CpuSet {
    /// The CPUs on which the calling thread may run.
    pub fn of_process() -> io::Result<Self> {
        // SAFETY: all zeros is an empty cpu_set_t.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is writable for its size; 0 is the calling thread.
        if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: every number is below the set's size.
        Ok((0..MOST_CPUS).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect())
    }

    /// Binds the calling thread to these CPUs.
    pub fn pin_thread(&self) -> io::Result<()> {
        // SAFETY: all zeros is an empty cpu_set_t.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        for cpu in self.0.iter().filter(|cpu| **cpu < MOST_CPUS) {
            // SAFETY: the number is below the set's size.
            unsafe { libc::CPU_SET(*cpu, &mut set) };
        }
        // SAFETY: the set is readable for its size; 0 is the calling thread.
        if unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `cpu` is one of them.
    #[must_use]
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }

    /// The numbers, upwards.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    fn intersection(&self, other: &Self) -> Self {
        self.0.intersection(&other.0).copied().collect()
    }
}

/// What the configuration says about CPUs and memory.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The list of CPUs; None takes what the process may use.
    pub cpus: Option<String>,
    /// Memory in bytes; None takes the cgroup's limit or the machine's.
    pub memory_bytes: Option<u64>,
    /// Binds memory to the NUMA node when all CPUs are on one.
    pub bind_memory: bool,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum TopologyError {
    /// The configured list cannot be read.
    #[error("[shards] cpus: {0}")]
    List(#[from] BadCpuList),
    /// The configured list names CPUs that cannot be had.
    #[error(
        "[shards] cpus names CPU {missing}, but this process may only run on {allowed}; take it out of the list, \
         or widen the process's affinity (taskset, CPUAffinity= of systemd) or its cgroup's cpuset"
    )]
    NotAllowed {
        /// The CPUs that are not to be had.
        missing: CpuSet,
        /// Those that are.
        allowed: CpuSet,
    },
    /// The configured list is empty.
    #[error("[shards] cpus is an empty list; name at least one CPU, or leave the key out to take all")]
    Empty,
    /// The kernel did not say.
    #[error("the CPUs of this process cannot be read: {0}")]
    Affinity(io::Error),
}

/// The shards to run: one for each of `cpus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The CPU of each shard.
    pub cpus: Vec<usize>,
    /// Whether shards are bound to their CPUs. Not where a quota gives fewer CPUs than could be used: other
    /// processes with the same quota would all choose the same ones.
    pub pinned: bool,
    /// The NUMA node of each shard.
    pub nodes: Vec<u32>,
    /// The node to which memory is bound.
    pub bound_node: Option<u32>,
    /// Memory that this process may use, in bytes.
    pub memory_bytes: u64,
}

impl Plan {
    /// Reads what this process may use.
    pub fn detect(settings: &Settings) -> Result<Self, TopologyError> {
        let allowed = CpuSet::of_process().map_err(TopologyError::Affinity)?;
        Self::detect_in(Path::new("/"), &allowed, settings)
    }

    /// As [`Plan::detect`], with /proc and /sys below `root`, on the CPUs `allowed`.
    pub fn detect_in(root: &Path, allowed: &CpuSet, settings: &Settings) -> Result<Self, TopologyError> {
        let cgroup = Cgroup::read(root);
        let allowed = match &cgroup.cpus {
            Some(cpus) if !allowed.intersection(cpus).is_empty() => allowed.intersection(cpus),
            _ => allowed.clone(),
        };
        let (cpus, configured) = match &settings.cpus {
            Some(list) => {
                let wanted: CpuSet = list.parse()?;
                if wanted.is_empty() {
                    return Err(TopologyError::Empty);
                }
                let missing: CpuSet = wanted.iter().filter(|cpu| !allowed.contains(*cpu)).collect();
                if !missing.is_empty() {
                    return Err(TopologyError::NotAllowed { missing, allowed });
                }
                (wanted, true)
            }
            None => (allowed, false),
        };
        // Rounded down: a shard that the quota stops in mid-period stands still for up to a tenth of a second.
        let quota = cgroup.quota_cpus.map_or(usize::MAX, |cpus| (cpus as usize).max(1));
        let cut = !configured && quota < cpus.len();
        let cpus: Vec<usize> = cpus.iter().take(if cut { quota } else { usize::MAX }).collect();
        let known = nodes(root);
        let node_of = |cpu: usize| known.iter().find(|(_, on)| on.contains(cpu)).map_or(0, |(node, _)| *node);
        let nodes: Vec<u32> = cpus.iter().map(|cpu| node_of(*cpu)).collect();
        let first = nodes.first().copied();
        let one_node = nodes.iter().all(|node| Some(*node) == first);
        let bound_node = first.filter(|_| settings.bind_memory && !cut && known.len() > 1 && one_node);
        let machine = machine_memory(root).unwrap_or(1 << 30);
        let limit = cgroup.memory_bytes.unwrap_or(u64::MAX).min(machine);
        let memory_bytes = settings.memory_bytes.unwrap_or(limit);
        Ok(Self { cpus, pinned: !cut, nodes, bound_node, memory_bytes })
    }

    /// A plan of `shards` shards that are not pinned. For tests and tools.
    #[must_use]
    pub fn unpinned(shards: u16) -> Self {
        let cpus = (0..usize::from(shards)).collect();
        Self { cpus, pinned: false, nodes: vec![0; shards.into()], bound_node: None, memory_bytes: 1 << 30 }
    }

    /// How many shards.
    #[must_use]
    pub fn shards(&self) -> u16 {
        u16::try_from(self.cpus.len()).unwrap_or(u16::MAX)
    }

    /// Binds the memory of the calling thread, and of those that it starts, to the plan's node.
    pub(super) fn bind_memory(&self) {
        const BIND: libc::c_long = 2;
        let Some(node) = self.bound_node.filter(|node| *node < 64) else { return };
        let mask = 1u64 << node;
        // SAFETY: the mask is one word of 64 bits, as the last argument says (the kernel counts one more).
        let result = unsafe { libc::syscall(libc::SYS_set_mempolicy, BIND, &raw const mask, 65u64) };
        if result != 0 {
            let error = io::Error::last_os_error();
            tracing::warn!(node, %error, "memory is not bound to its node (in a container: CAP_SYS_NICE)");
        }
    }
}

/// Nodes that have CPUs, with them.
fn nodes(root: &Path) -> Vec<(u32, CpuSet)> {
    let Ok(entries) = fs::read_dir(root.join("sys/devices/system/node")) else { return Vec::new() };
    let mut nodes: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let number = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
            let cpus: CpuSet = read(&entry.path().join("cpulist"))?.parse().ok()?;
            (!cpus.is_empty()).then_some((number, cpus))
        })
        .collect();
    nodes.sort_by_key(|(number, _)| *number);
    nodes
}

fn machine_memory(root: &Path) -> Option<u64> {
    let text = read(&root.join("proc/meminfo"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// What the process's control groups allow: the least of its own and those above it.
#[derive(Debug, Default, PartialEq)]
struct Cgroup {
    quota_cpus: Option<f64>,
    cpus: Option<CpuSet>,
    memory_bytes: Option<u64>,
}

impl Cgroup {
    fn read(root: &Path) -> Self {
        let mut found = Self::default();
        let mount = root.join("sys/fs/cgroup");
        let Some(text) = read(&root.join("proc/self/cgroup")) else { return found };
        for line in text.lines() {
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
            if controllers.is_empty() {
                for unified in [mount.clone(), mount.join("unified")] {
                    found.version_2(&unified, path);
                }
            }
            for controller in controllers.split(',') {
                // Version 1: some systems mount "cpu" alone, some "cpu,cpuacct" with links.
                for name in [controller, controllers] {
                    found.version_1(controller, &mount.join(name), path);
                }
            }
        }
        found
    }

    fn version_2(&mut self, mount: &Path, path: &str) {
        for group in groups(mount, path) {
            if let Some(text) = read(&group.join("cpu.max")) {
                let mut words = text.split_whitespace().map(|word| word.parse::<f64>().ok());
                if let (Some(Some(quota)), Some(Some(period))) = (words.next(), words.next()) {
                    self.quota(quota / period);
                }
            }
            if let Some(list) = read(&group.join("cpuset.cpus.effective")) {
                self.cpu_list(&list);
            }
            if let Some(limit) = read(&group.join("memory.max")) {
                self.memory(&limit);
            }
        }
    }

    fn version_1(&mut self, controller: &str, mount: &Path, path: &str) {
        for group in groups(mount, path) {
            let number = |name: &str| read(&group.join(name)).and_then(|text| text.parse::<f64>().ok());
            match controller {
                "cpu" => {
                    if let (Some(quota), Some(period)) =
                        (number("cpu.cfs_quota_us").filter(|quota| *quota > 0.0), number("cpu.cfs_period_us"))
                    {
                        self.quota(quota / period);
                    }
                }
                "cpuset" => {
                    if let Some(list) = read(&group.join("cpuset.cpus")) {
                        self.cpu_list(&list);
                    }
                }
                "memory" => {
                    if let Some(limit) = read(&group.join("memory.limit_in_bytes")) {
                        self.memory(&limit);
                    }
                }
                _ => {}
            }
        }
    }

    fn quota(&mut self, cpus: f64) {
        if cpus.is_finite() && cpus > 0.0 {
            self.quota_cpus = Some(self.quota_cpus.map_or(cpus, |known| known.min(cpus)));
        }
    }

    fn cpu_list(&mut self, list: &str) {
        if let Ok(cpus) = list.parse::<CpuSet>()
            && !cpus.is_empty()
        {
            self.cpus = Some(match &self.cpus {
                Some(known) => known.intersection(&cpus),
                None => cpus,
            });
        }
    }

    fn memory(&mut self, limit: &str) {
        if let Ok(limit) = limit.parse::<u64>() {
            self.memory_bytes = Some(self.memory_bytes.map_or(limit, |known| known.min(limit)));
        }
    }
}

/// The group's directory and those above it. Inside a container the path may be the host's, which is not there:
/// then the mount itself is the container's group.
fn groups(mount: &Path, path: &str) -> Vec<PathBuf> {
    let own = mount.join(path.trim_start_matches('/'));
    own.ancestors().take_while(|group| group.starts_with(mount)).map(Path::to_owned).collect()
}

#[cfg(test)]
#[path = "topology_tests.rs"]
mod tests;
