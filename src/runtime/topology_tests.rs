use super::*;

fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn set(list: &str) -> CpuSet {
    list.parse().unwrap()
}

fn detect(files: &[(&str, &str)], allowed: &str, settings: &Settings) -> Result<Plan, TopologyError> {
    Plan::detect_in(root(files).path(), &set(allowed), settings)
}

#[test]
fn lists_are_read_and_written_as_the_kernel_does() {
    assert_eq!(set("0-3,8").iter().collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
    assert_eq!(set("8, 0-1 ,1-2").to_string(), "0-2,8");
    assert_eq!(set("").to_string(), "");
    for bad in ["a", "3-1", "1-", "-1", "0-99999", "1;2"] {
        assert!(bad.parse::<CpuSet>().is_err(), "{bad}");
    }
}

#[test]
fn the_process_has_a_cpu() {
    let cpus = CpuSet::of_process().unwrap();
    assert!(!cpus.is_empty());
    let plan = Plan::detect(&Settings::default()).unwrap();
    assert!(plan.shards() >= 1 && plan.memory_bytes > 0);
}

#[test]
fn a_plain_host_uses_its_affinity() {
    let files = [("proc/meminfo", "MemTotal:       1000 kB\nMemFree: 1 kB")];
    let plan = detect(&files, "0-3", &Settings::default()).unwrap();
    assert_eq!(plan.cpus, [0, 1, 2, 3]);
    assert!(plan.pinned);
    assert_eq!(plan.memory_bytes, 1_024_000);
}

#[test]
fn version_2_quota_cuts_and_does_not_pin() {
    let files = [
        ("proc/self/cgroup", "0::/a/b"),
        ("sys/fs/cgroup/a/cpu.max", "250000 100000"),
        ("sys/fs/cgroup/a/b/cpu.max", "max 100000"),
        ("sys/fs/cgroup/a/b/cpuset.cpus.effective", "0-7"),
        ("sys/fs/cgroup/a/b/memory.max", "123456"),
        ("proc/meminfo", "MemTotal:       1000 kB"),
    ];
    let plan = detect(&files, "0-15", &Settings::default()).unwrap();
    assert_eq!(plan.cpus, [0, 1]);
    assert!(!plan.pinned);
    assert_eq!(plan.memory_bytes, 123_456);
}

#[test]
fn version_1_quota_and_cpuset_cut() {
    let files = [
        ("proc/self/cgroup", "5:cpuset:/docker/x\n4:cpu,cpuacct:/docker/x\n3:memory:/docker/x"),
        ("sys/fs/cgroup/cpuset/cpuset.cpus", "2-3"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000"),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "4096"),
        ("proc/meminfo", "MemTotal:       1000 kB"),
    ];
    let plan = detect(&files, "0-3", &Settings::default()).unwrap();
    assert_eq!((plan.cpus, plan.pinned, plan.memory_bytes), (vec![2], false, 4096));
}

#[test]
fn the_list_must_be_allowed() {
    let with = |cpus: &str| Settings { cpus: Some(cpus.to_owned()), ..Settings::default() };
    assert_eq!(detect(&[], "0-7", &with("2-3")).unwrap().cpus, [2, 3]);
    let error = detect(&[], "0-1", &with("1-2")).unwrap_err().to_string();
    assert!(error.contains("CPU 2") && error.contains("0-1"), "{error}");
    assert!(matches!(detect(&[], "0", &with(" ")), Err(TopologyError::Empty)));
    assert!(matches!(detect(&[], "0", &with("x")), Err(TopologyError::List(_))));
}

#[test]
fn memory_is_bound_only_when_all_cpus_are_on_one_of_several_nodes() {
    let files = [
        ("sys/devices/system/node/node0/cpulist", "0-3"),
        ("sys/devices/system/node/node1/cpulist", "4-7"),
        ("sys/devices/system/node/node2/cpulist", ""),
    ];
    let with =
        |cpus: &str| Settings { cpus: Some(cpus.to_owned()), bind_memory: true, memory_bytes: Some(7) };
    let plan = detect(&files, "0-7", &with("4-5")).unwrap();
    assert_eq!((plan.nodes, plan.bound_node, plan.memory_bytes), (vec![1, 1], Some(1), 7));
    let plan = detect(&files, "0-7", &with("3-4")).unwrap();
    assert_eq!((plan.nodes, plan.bound_node), (vec![0, 1], None));
    assert_eq!(detect(&files[..1], "0-7", &with("0")).unwrap().bound_node, None);
}
