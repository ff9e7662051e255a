use super::super::child::{in_child, is_child};
use super::*;

fn settings<'a>(plan: &'a Plan, directories: &'a [PathBuf], allowed: &'a [String]) -> Settings<'a> {
    Settings { plan, log_directories: directories, allow_file_systems: allowed, connections: 100, files: 100 }
}

fn host(files: &[(&str, &str)]) -> Host {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Host::read(root.path())
}

fn said(host: &Host, code: i32) -> String {
    host.explain(io::Error::from_raw_os_error(code)).to_string()
}

#[test]
fn this_host_passes_within_a_second() {
    let folder = tempfile::tempdir_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap();
    let directories = [folder.path().to_owned()];
    let plan = Plan::unpinned(2);
    let begin = std::time::Instant::now();
    let report = run(&settings(&plan, &directories, &[])).unwrap();
    assert!(begin.elapsed() < std::time::Duration::from_secs(1));
    assert_eq!(report.directories.len(), 1);
    assert!(report.descriptors_limit >= 200);
    assert!(report.to_string().starts_with("Linux "));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the trial file is gone");
}

#[test]
fn a_switched_off_io_uring_is_named() {
    let off = [("proc/sys/kernel/io_uring_disabled", "2\n"), ("proc/sys/kernel/osrelease", "6.8.0-1-x")];
    let text = said(&host(&off), libc::EPERM);
    assert!(text.contains("io_uring_disabled = 2") && text.contains("sysctl -w"), "{text}");
    let text = said(&host(&[("proc/sys/kernel/io_uring_disabled", "1")]), libc::EPERM);
    assert!(text.contains("io_uring_group"), "{text}");
    let on =
        [("proc/sys/kernel/io_uring_disabled", "0"), ("proc/thread-self/status", "Name:\tx\nSeccomp:\t2\n")];
    let text = said(&host(&on), libc::EPERM);
    assert!(text.contains("seccomp"), "{text}");
    let text = said(&host(&[]), libc::EACCES);
    assert!(text.contains("SELinux"), "{text}");
}

#[test]
fn an_old_kernel_is_named() {
    let text = said(&host(&[("proc/sys/kernel/osrelease", "4.19.0-25-amd64\n")]), libc::ENOSYS);
    assert!(text.contains("4.19.0-25-amd64") && !text.contains("seccomp"), "{text}");
    let filtered = [("proc/sys/kernel/osrelease", "6.1.0"), ("proc/thread-self/status", "Seccomp:\t2")];
    let text = said(&host(&filtered), libc::ENOSYS);
    assert!(text.contains("seccomp"), "{text}");
    assert_eq!(host(&filtered).version, (6, 1));
}

#[test]
fn locked_memory_grows_with_shards() {
    assert_eq!(locked_memory_needed((6, 1), 1), 512 << 10);
    assert_eq!(locked_memory_needed((6, 1), 16), (16 * 192) << 10);
    assert_eq!(locked_memory_needed((5, 10), 16), (16 * 352) << 10);
}

#[test]
fn too_few_descriptors_are_named() {
    let plan = Plan::unpinned(2);
    let wanted = Settings { connections: 1 << 40, ..settings(&plan, &[], &[]) };
    let text = run(&wanted).unwrap_err().to_string();
    assert!(text.contains("LimitNOFILE"), "{text}");
}

#[test]
fn copying_file_systems_are_refused_by_name() {
    assert_eq!(probe_directory::file_system(0xEF53), ("ext4", None));
    for (magic, name) in [(0x9123_683Ei64, "btrfs"), (0x2fc1_2fc1, "zfs"), (0xca45_1a4e, "bcachefs")] {
        let (found, why) = probe_directory::file_system(magic);
        assert_eq!(found, name);
        assert!(why.unwrap().contains("copies on write"));
    }
    // Numbers above 2^31 may come with their sign stretched.
    assert_eq!(probe_directory::file_system(0x9123_683Ei64 as i32 as i64).0, "btrfs");
}

#[test]
fn tmpfs_only_by_name() {
    let shared_memory = PathBuf::from("/dev/shm");
    let magic = rustix::fs::statfs(&shared_memory).map(|stat| stat.f_type);
    if magic != Ok(0x0102_1994) {
        eprintln!("skipped: /dev/shm is no tmpfs here");
        return;
    }
    let plan = Plan::unpinned(1);
    let folder = tempfile::tempdir_in(&shared_memory).unwrap();
    let directories = [folder.path().to_owned()];
    let text = run(&settings(&plan, &directories, &[])).unwrap_err().to_string();
    assert!(text.contains("tmpfs keeps nothing"), "{text}");
    match run(&settings(&plan, &directories, &["TMPFS".to_owned()])) {
        Ok(report) => assert_eq!(report.directories[0].file_system, "tmpfs"),
        // Direct I/O on tmpfs came with Linux 6.6.
        Err(error) => assert!(error.to_string().contains("no direct I/O"), "{error}"),
    }
}

#[test]
fn a_missing_directory_is_named() {
    let plan = Plan::unpinned(1);
    let text = run(&settings(&plan, &["/not/there".into()], &[])).unwrap_err().to_string();
    assert!(text.contains("/not/there") && text.contains("must exist"), "{text}");
}

/// Lets every system call pass but io_uring_setup, which gives EPERM, as Docker's profile does.
fn forbid_io_uring() {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let line = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut filter = [
        line(LOAD, 0, 0, 0),
        line(EQUAL, 0, 1, libc::SYS_io_uring_setup as u32),
        line(RETURN, 0, 0, 0x0005_0000 | libc::EPERM as u32),
        line(RETURN, 0, 0, 0x7fff_0000),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: plain numbers.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    // SAFETY: the program is valid and outlives the call.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_SECCOMP, 2, &raw const program) }, 0);
}

#[test]
fn a_seccomp_filter_is_named() {
    if !is_child() {
        let output = in_child("runtime::probe::tests::a_seccomp_filter_is_named");
        assert!(output.status.success(), "{output:?}");
        return;
    }
    forbid_io_uring();
    let plan = Plan::unpinned(1);
    let error = run(&settings(&plan, &[], &[])).unwrap_err();
    assert!(matches!(error, ProbeError::Seccomp), "{error}");
    assert!(error.to_string().contains("--security-opt seccomp="));
}

#[test]
fn too_little_locked_memory_is_named() {
    if !is_child() {
        let output = in_child("runtime::probe::tests::too_little_locked_memory_is_named");
        assert!(output.status.success(), "{output:?}");
        return;
    }
    let limit = libc::rlimit { rlim_cur: 64 << 10, rlim_max: 128 << 10 };
    // SAFETY: the place is a valid rlimit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_MEMLOCK, &raw const limit) }, 0);
    let plan = Plan::unpinned(4);
    let text = run(&settings(&plan, &[], &[])).unwrap_err().to_string();
    assert!(text.contains("4 shards need 768 KiB") && text.contains("is 128 KiB"), "{text}");
    assert!(text.contains("LimitMEMLOCK="), "{text}");
}
