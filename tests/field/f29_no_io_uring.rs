//! F29: where io_uring is forbidden or cannot be had, the broker ends at once with one message that names the cause and
//! the remedy. (`runtime::probe` has tests of each cause; here it is the whole program, as an operator meets it.)

use crate::broker::Broker;

const LISTENERS: &str = "listeners=PLAINTEXT://127.0.0.1:0";

/// Starts a program under a seccomp filter that answers io_uring_setup with EPERM, as the profiles of containers do.
const WITHOUT_IO_URING: &str = r#"
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
line = lambda code, jt, jf, k: struct.pack("HBBI", code, jt, jf, k)
program = line(0x20, 0, 0, 0) + line(0x15, 0, 1, 425) + line(0x06, 0, 0, 0x00050001) + line(0x06, 0, 0, 0x7fff0000)
lines = ctypes.create_string_buffer(program, len(program))
class Filter(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
wanted = Filter(4, ctypes.cast(lines, ctypes.c_void_p))
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(wanted), 0, 0):
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
"#;

fn has(program: &str) -> bool {
    std::process::Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn is_one_message(said: &str) {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(lines.len(), 1, "one message, and it is:\n{said}");
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{said}");
}

#[test]
fn f29_a_seccomp_profile_without_io_uring_is_named() {
    if !has("python3") {
        eprintln!("skipped: no python3 here to set a seccomp filter");
        return;
    }
    let (success, said) = Broker::refuses_to_start(&["python3", "-c", WITHOUT_IO_URING], &[LISTENERS]);
    assert!(!success);
    assert!(said.contains("seccomp") && said.contains("io_uring_setup"), "{said}");
    is_one_message(&said);
}

#[test]
fn f29_too_little_locked_memory_is_named() {
    if !has("prlimit") {
        eprintln!("skipped: no prlimit here");
        return;
    }
    let (success, said) = Broker::refuses_to_start(&["prlimit", "--memlock=65536:65536"], &[LISTENERS]);
    if success {
        panic!("it started: {said}");
    }
    assert!(said.contains("locked memory") && said.contains("64 KiB"), "{said}");
    assert!(said.contains("LimitMEMLOCK"), "{said}");
    is_one_message(&said);
}

#[test]
fn f29_too_few_descriptors_are_named() {
    if !has("prlimit") {
        eprintln!("skipped: no prlimit here");
        return;
    }
    let (success, said) = Broker::refuses_to_start(&["prlimit", "--nofile=64:64"], &[LISTENERS]);
    assert!(!success);
    assert!(said.contains("LimitNOFILE") || said.contains("descriptors"), "{said}");
    is_one_message(&said);
}

#[test]
fn f29_a_directory_that_cannot_be_written_is_named() {
    let (success, said) = Broker::refuses_to_start(&[], &[LISTENERS, "log.dirs=/proc/nowhere"]);
    assert!(!success);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains("/proc/nowhere") && !said.contains("panicked"), "{said}");
}
