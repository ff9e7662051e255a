//! A file system of a test's own on a loop device. Needs root and loop devices.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// FS_IOC_SHUTDOWN / XFS_IOC_GOINGDOWN, the same number on both.
const SHUTDOWN: libc::Ioctl = 0x8004_587D_u32 as libc::Ioctl;
/// Without flushing the file system's own journal.
const NO_LOG_FLUSH: u32 = 2;

pub struct Volume {
    image: PathBuf,
    /// Where it is mounted.
    pub mount: PathBuf,
    device: String,
}

/// Runs a program to its end; gives what it says.
pub fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin")
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// A killed process lets go of a file system, and a loop device of its file, a little after they are gone: tries again
/// for up to ten seconds.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, String>) -> Result<T, String> {
    let mut result = attempt();
    for _ in 0..100 {
        if result.is_ok() {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(100));
        result = attempt();
    }
    result
}

impl Volume {
    /// A new file system of this kind and size in `folder`, mounted.
    pub fn create(folder: &Path, kind: &str, bytes: u64) -> Result<Self, String> {
        let image = folder.join("image");
        let mount = folder.join("mount");
        std::fs::create_dir_all(&mount).map_err(|error| error.to_string())?;
        let file = std::fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(bytes).map_err(|error| error.to_string())?;
        run(&format!("mkfs.{kind}"), &["-q", &image.to_string_lossy()])?;
        let mut volume = Self { image, mount, device: String::new() };
        volume.mount()?;
        Ok(volume)
    }

    /// Mounts it again.
    pub fn mount(&mut self) -> Result<(), String> {
        self.device = run("losetup", &["--direct-io=on", "--find", "--show", &self.image.to_string_lossy()])?;
        patiently(|| run("mount", &[&self.device, &self.mount.to_string_lossy()]).map(|_| ()))
    }

    /// Mounted again as `ro` or `rw`.
    pub fn remount(&self, how: &str) {
        let options = format!("remount,{how}");
        patiently(|| run("mount", &["-o", &options, &self.mount.to_string_lossy()]).map(|_| ())).unwrap();
    }

    /// Takes it away; its bytes stay.
    pub fn unmount(&mut self) {
        let _ = patiently(|| run("umount", &[&self.mount.to_string_lossy()]));
        let _ = patiently(|| run("losetup", &["--detach", &self.device]));
    }

    /// From now on every write fails, and what was not flushed is gone after mounting again.
    pub fn cut(&self) -> std::io::Result<()> {
        let root = std::fs::File::open(&self.mount)?;
        // SAFETY: the ioctl reads one u32 through the pointer, which lives for the call.
        let result = unsafe { libc::ioctl(std::os::fd::AsRawFd::as_raw_fd(&root), SHUTDOWN, &NO_LOG_FLUSH) };
        if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        self.unmount();
    }
}
