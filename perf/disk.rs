//! A file system of its own for a broker's data, on a loop device, perhaps slowed down. Needs root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::workload::Disk;

/// A mounted image; unmounted and removed when dropped.
pub struct Volume {
    image: PathBuf,
    pub mount: PathBuf,
    device: String,
    throttle: Option<PathBuf>,
}

fn tool(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin")
        .output()
        .map_err(|error| format!("disk: {program}: {error}"))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(said(&output.stdout))
    } else {
        Err(format!("disk: {program}: {}", said(&output.stderr)))
    }
}

/// What has just been let go of may still be held for a moment.
fn patiently(mut attempt: impl FnMut() -> Result<String, String>) -> Result<String, String> {
    let mut result = attempt();
    for _ in 0..50 {
        if result.is_ok() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
        result = attempt();
    }
    result
}

impl Volume {
    pub fn create(folder: &Path, disk: &Disk) -> Result<Self, String> {
        let folder =
            fs::canonicalize(folder).map_err(|error| format!("disk: {}: {error}", folder.display()))?;
        let (image, mount) = (folder.join("image"), folder.join("volume"));
        let wrong = |error: std::io::Error| format!("disk: {}: {error}", folder.display());
        fs::create_dir_all(&mount).map_err(wrong)?;
        fs::File::create(&image).and_then(|file| file.set_len(disk.mb * 1_000_000)).map_err(wrong)?;
        tool("mkfs.ext4", &["-q", &image.to_string_lossy()])?;
        let device = tool("losetup", &["--direct-io=on", "--find", "--show", &image.to_string_lossy()])?;
        let volume = Self { image, mount, device, throttle: None };
        patiently(|| tool("mount", &[&volume.device, &volume.mount.to_string_lossy()]))?;
        Ok(volume)
    }

    /// Lets a process write no faster than the disk is to be.
    pub fn slow_down(&mut self, disk: &Disk, pid: Option<u32>) -> Result<(), String> {
        let Some(pid) = pid.filter(|_| disk.write_mb_per_second > 0.0) else { return Ok(()) };
        let device = self.device.rsplit('/').next().unwrap_or_default();
        let numbers = fs::read_to_string(format!("/sys/class/block/{device}/dev"))
            .map_err(|error| format!("disk: {device}: {error}"))?;
        let bytes = (disk.write_mb_per_second * 1e6) as u64;
        let numbers = numbers.trim();
        // Control groups of the second version, or the first.
        let (group, file, line) = if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() {
            ("/sys/fs/cgroup/millrace-perf", "io.max", format!("{numbers} wbps={bytes}"))
        } else {
            let file = "blkio.throttle.write_bps_device";
            ("/sys/fs/cgroup/blkio/millrace-perf", file, format!("{numbers} {bytes}"))
        };
        let group = PathBuf::from(group);
        let wrong = |error: std::io::Error| {
            format!("disk.write_mb_per_second: no control group that limits devices here: {error}")
        };
        fs::create_dir_all(&group).map_err(wrong)?;
        self.throttle = Some(group.clone());
        fs::write(group.join(file), line).map_err(wrong)?;
        fs::write(group.join("cgroup.procs"), pid.to_string()).map_err(wrong)
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let _ = patiently(|| tool("umount", &[&self.mount.to_string_lossy()]));
        let _ = patiently(|| tool("losetup", &["--detach", &self.device]));
        let _ = fs::remove_file(&self.image);
        let _ = fs::remove_dir(&self.mount);
        if let Some(group) = &self.throttle {
            let _ = fs::remove_dir(group);
        }
    }
}
