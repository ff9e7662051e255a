//! File systems of our own on loop devices, cut off under load: every write fails from then on and what was not flushed
//! is gone after mounting again, as after a power cut. Needs root and loop devices.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::broker::Broker;
use crate::load::Load;
use crate::{Random, rounds};

/// FS_IOC_SHUTDOWN / XFS_IOC_GOINGDOWN, the same number on both.
const SHUTDOWN: libc::Ioctl = 0x8004_587D_u32 as libc::Ioctl;
/// Without flushing the file system's own journal.
const NO_LOG_FLUSH: u32 = 2;

pub struct Volume {
    image: PathBuf,
    pub mount: PathBuf,
    device: String,
}

fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
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
    pub fn create(folder: &Path, kind: &str) -> Result<Self, String> {
        let image = folder.join("image");
        let mount = folder.join("mount");
        std::fs::create_dir_all(&mount).map_err(|error| error.to_string())?;
        let file = std::fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(3 << 30).map_err(|error| error.to_string())?;
        run(&format!("mkfs.{kind}"), &["-q", &image.to_string_lossy()])?;
        let mut volume = Self { image, mount, device: String::new() };
        volume.mount()?;
        Ok(volume)
    }

    pub fn mount(&mut self) -> Result<(), String> {
        self.device = run("losetup", &["--direct-io=on", "--find", "--show", &self.image.to_string_lossy()])?;
        patiently(|| run("mount", &[&self.device, &self.mount.to_string_lossy()]).map(|_| ()))
    }

    /// Mounted again as `ro` or `rw`.
    pub fn remount(&self, how: &str) {
        let options = format!("remount,{how}");
        patiently(|| run("mount", &["-o", &options, &self.mount.to_string_lossy()]).map(|_| ())).unwrap();
    }

    pub fn unmount(&mut self) {
        let _ = patiently(|| run("umount", &[&self.mount.to_string_lossy()]));
        let _ = patiently(|| run("losetup", &["--detach", &self.device]));
    }

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

fn survives_cuts(kind: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut volume = match Volume::create(folder.path(), kind) {
        Ok(volume) => volume,
        Err(why) => {
            eprintln!("skipped: no {kind} on a loop device here: {why}");
            return;
        }
    };
    let mut random = Random::seeded(kind);
    let data = volume.mount.join("data");
    std::fs::create_dir(&data).unwrap();
    run("sync", &["-f", &data.to_string_lossy()]).unwrap();
    let mut load = None;
    for round in 0..rounds("MILLRACE_CUTS", 3) {
        let broker = Broker::start(&data, &[]).unwrap();
        let mine = load.take().unwrap_or_else(|| Load::create(broker.address, 4, random.next()));
        let found = mine.check(broker.address);
        let running = mine.start(broker.address);
        running.wait_for(random.below(2_000));
        std::thread::park_timeout(Duration::from_micros(random.below(300_000)));
        volume.cut().unwrap();
        // The broker may still acknowledge only what it can keep: nothing. Its writers end by error or by its end.
        std::thread::park_timeout(Duration::from_millis(200));
        broker.kill();
        let mine = running.join(false);
        eprintln!("{kind} cut {round}: {found} records found, {} acknowledged by now", mine.acknowledged());
        volume.unmount();
        volume.mount().unwrap();
        load = Some(mine);
    }
    let load = load.unwrap();
    let broker = Broker::start(&data, &[]).unwrap();
    let found = load.check(broker.address);
    assert!(load.acknowledged() > 0 && found >= load.acknowledged());
    broker.stop();
}

#[test]
fn what_was_acknowledged_survives_an_ext4_cut_off_under_load() {
    survives_cuts("ext4");
}

#[test]
fn what_was_acknowledged_survives_an_xfs_cut_off_under_load() {
    survives_cuts("xfs");
}
