//! File systems of our own on loop devices, cut off under load: every write fails from then on and what was not flushed
//! is gone after mounting again, as after a power cut. Needs root and loop devices.

use std::time::Duration;

use crate::broker::Broker;
use crate::load::Load;
use crate::volume::{Volume, run};
use crate::{Random, rounds};

fn survives_cuts(kind: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut volume = match Volume::create(folder.path(), kind, 3 << 30) {
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
