//! Runs one test again in a process of its own, where it may change what belongs to the whole process.

use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

const MARK: &str = "MILLRACE_TEST_CHILD";

pub(super) fn is_child() -> bool {
    std::env::var_os(MARK).is_some()
}

pub(super) fn in_child(test: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(MARK, "1")
        .env("RUST_BACKTRACE", "0");
    let block = || {
        let set = super::signals::signal_set();
        // SAFETY: the set is valid. The harness's own threads inherit the mask, as a broker's threads do.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
        Ok(())
    };
    // SAFETY: between fork and exec it makes calls that are allowed there, and allocates nothing.
    unsafe { command.pre_exec(block) };
    command.output().unwrap()
}
