//! SIGKILL under load, at random moments, again and again on the same data.

use std::time::Duration;

use crate::broker::Broker;
use crate::load::Load;
use crate::{Random, rounds};

/// Shards of each start, so that old journals are read by another number of shards.
const SHARDS: [&str; 3] = ["0-1", "0", "1"];

#[test]
fn what_was_acknowledged_survives_kills_at_random_moments() {
    let mut random = Random::seeded("kills");
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let kills = rounds("MILLRACE_KILLS", 3);
    let mut load = None;
    for round in 0..kills {
        let cpus = format!("millrace.shards.cpus={}", SHARDS[random.below(3) as usize]);
        let broker = Broker::start(&data, &[&cpus]).unwrap();
        let mine = load.take().unwrap_or_else(|| Load::create(broker.address, 4, random.next()));
        let found = mine.check(broker.address);
        let running = mine.start(broker.address);
        // The moment is random in work done and in time.
        running.wait_for(random.below(2_000));
        std::thread::park_timeout(Duration::from_micros(random.below(300_000)));
        broker.kill();
        let mine = running.join(false);
        eprintln!("kill {round}: {found} records found, {} acknowledged by now", mine.acknowledged());
        // Some starts are killed too, in the middle of recovery.
        if random.below(3) == 0 {
            kill_while_starting(&data, &mut random);
        }
        load = Some(mine);
    }
    let load = load.unwrap();
    let broker = Broker::start(&data, &[]).unwrap();
    let found = load.check(broker.address);
    assert!(load.acknowledged() > 0 && found >= load.acknowledged());
    broker.stop();
    let broker = Broker::start(&data, &[]).unwrap();
    assert_eq!(load.check(broker.address), found, "a clean stop changed what is there");
    broker.stop();
}

fn kill_while_starting(data: &std::path::Path, random: &mut Random) {
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_millrace"))
        .args(["server", "--set", "listeners=PLAINTEXT://127.0.0.1:0", "--set"])
        .arg(format!("log.dirs={}", data.display()))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::park_timeout(Duration::from_micros(random.below(60_000)));
    process.kill().unwrap();
    process.wait().unwrap();
}
