//! Partitions go from log directory to log directory under load (AlterReplicaLogDirs), and the process is killed in the
//! middle of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::broker::Broker;
use crate::client::Client;
use crate::load::Load;
use crate::{Random, rounds};

const PARTITIONS: i32 = 4;
const TOPICS: [&str; 2] = ["plain", "idempotent"];
/// Written in a round at most: what is copied again and again stays small enough to be copied within it.
const RECORDS_A_ROUND: u64 = 10_000;

/// Two log directories, given to the broker by `log.dirs`.
struct Directories {
    folder: tempfile::TempDir,
    paths: [String; 2],
    setting: String,
}

impl Directories {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one", "two"].map(|name| folder.path().join(name).display().to_string());
        let setting = format!("log.dirs={},{}", paths[0], paths[1]);
        Self { folder, paths, setting }
    }

    fn start(&self) -> Broker {
        Broker::start(&self.folder.path().join("one"), &[&self.setting, "log.retention.hours=-1"]).unwrap()
    }

    /// The live and the other directories of a partition.
    fn on_disk(&self, topic: &str, partition: i32) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let name = format!("{topic}-{partition}");
        let (mut live, mut other) = (Vec::new(), Vec::new());
        for path in self.paths.iter().map(Path::new) {
            for entry in std::fs::read_dir(path).unwrap() {
                let entry = entry.unwrap().path();
                let found = entry.file_name().unwrap().to_string_lossy().into_owned();
                if found == name {
                    live.push(entry);
                } else if found.starts_with(&format!("{name}.")) && !found.ends_with("-delete") {
                    other.push(entry);
                }
            }
        }
        (live, other)
    }
}

fn wait_until_there(client: &mut Client, path: &str, topic: &str, partition: i32) {
    while client.directories_of(topic, partition).unwrap() != [(path.to_owned(), false)] {
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

#[test]
fn a_partition_goes_to_another_log_directory_while_it_is_written() {
    let directories = Directories::new();
    let broker = directories.start();
    let load = Load::create(broker.address, PARTITIONS, 7);
    let running = load.start(broker.address);
    let mut client = Client::connect(broker.address).unwrap();
    running.wait_for(500);
    for path in directories.paths.iter().chain(&directories.paths) {
        for (topic, partition) in TOPICS.iter().flat_map(|topic| (0..PARTITIONS).map(move |p| (topic, p))) {
            assert_eq!(client.move_to_directory(path, topic, partition).unwrap(), 0);
            wait_until_there(&mut client, path, topic, partition);
        }
    }
    assert!(running.all_write(), "a writer was told of an error");
    let load = running.join(true);
    let found = load.check(broker.address);
    assert!(found >= load.acknowledged() && found > 500);
    broker.stop();
    for topic in TOPICS {
        for partition in 0..PARTITIONS {
            let (live, other) = directories.on_disk(topic, partition);
            assert_eq!(live, [Path::new(&directories.paths[1]).join(format!("{topic}-{partition}"))]);
            assert_eq!(other, [] as [PathBuf; 0]);
        }
    }
    let broker = directories.start();
    assert_eq!(load.check(broker.address), found, "a clean stop changed what is there");
    broker.stop();
}

#[test]
fn what_was_acknowledged_survives_kills_on_the_way_between_log_directories() {
    let mut random = Random::seeded("relocations");
    let directories = Directories::new();
    let mut load = None;
    for round in 0..rounds("MILLRACE_MOVE_KILLS", 3) {
        let broker = directories.start();
        let mine = load.take().unwrap_or_else(|| Load::create(broker.address, PARTITIONS, random.next()));
        let found = mine.check(broker.address);
        let running = mine.start_up_to(RECORDS_A_ROUND, broker.address);
        running.wait_for(random.below(500));
        let mut client = Client::connect(broker.address).unwrap();
        for _ in 0..1 + random.below(12) {
            let (topic, partition) =
                (TOPICS[random.below(2) as usize], random.below(PARTITIONS as u64) as i32);
            let path = &directories.paths[random.below(2) as usize];
            assert_eq!(client.move_to_directory(path, topic, partition).unwrap(), 0);
            if random.below(2) == 0 {
                wait_until_there(&mut client, path, topic, partition);
            }
        }
        std::thread::park_timeout(Duration::from_micros(random.below(60_000)));
        if round % 4 == 3 {
            let mine = running.join(true);
            broker.stop();
            load = Some(mine);
        } else {
            broker.kill();
            load = Some(running.join(false));
        }
        let acknowledged = load.as_ref().map_or(0, Load::acknowledged);
        eprintln!("round {round}: {found} records found, {acknowledged} acknowledged by now");
    }
    let load = load.unwrap();
    let broker = directories.start();
    let found = load.check(broker.address);
    assert!(load.acknowledged() > 0 && found >= load.acknowledged());
    let mut client = Client::connect(broker.address).unwrap();
    for topic in TOPICS {
        for partition in 0..PARTITIONS {
            // What was broken off begins again, and ends.
            while client.directories_of(topic, partition).unwrap().len() > 1 {
                std::thread::park_timeout(Duration::from_millis(2));
            }
        }
    }
    broker.stop();
    for topic in TOPICS {
        for partition in 0..PARTITIONS {
            let (live, other) = directories.on_disk(topic, partition);
            assert!(live.len() == 1 && other.is_empty(), "{topic}-{partition}: {live:?}, {other:?}");
        }
    }
}
