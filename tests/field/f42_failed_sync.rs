//! F42: after a write or flush that failed its log directory is offline: nothing of that data is acknowledged, nothing is
//! tried again, the other directories go on, and the next start makes durable what it reads before it trusts it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use millrace::log::{Log, LogError, LogManager, PartitionSpec};
use millrace::runtime::Runtime;
use millrace::runtime::sim::{Disk, Effect, Faults, OperationKind, Rule, World};

use crate::bench::{append, batch, read_all, small_settings, spec, start_at};
use crate::broker::Broker;
use crate::client::{create_topic, list_offset, until};
use crate::raw::{Raw, batch as records_of};
use crate::volume::Volume;

const KAFKA_STORAGE_ERROR: i16 = 56;
const DISKS: [&str; 2] = ["/d0", "/d1"];

/// Every operation that makes bytes durable, or would.
const FAULTS: [(OperationKind, &str); 6] = [
    (OperationKind::DurableWrite, "/d0/millrace-journal"),
    (OperationKind::Write, "/d0/topic-1-0"),
    (OperationKind::DurableWrite, "/d0/topic-1-0"),
    (OperationKind::Sync, "/d0/topic-1-0"),
    (OperationKind::SyncDirectory, "/d0/topic-1-0"),
    (OperationKind::SetLength, "/d0/topic-1-0"),
];
/// Writes and flushes, of whatever.
const LASTING: [OperationKind; 4] =
    [OperationKind::Write, OperationKind::DurableWrite, OperationKind::Sync, OperationKind::SyncDirectory];

fn disks() -> Vec<PathBuf> {
    DISKS.iter().map(PathBuf::from).collect()
}

async fn make_in(manager: &LogManager, number: u8, directory: &str) -> Log {
    let directories = manager.directories();
    let id = directories.iter().find(|state| state.path == Path::new(directory)).unwrap().id;
    let spec = PartitionSpec { directory: id, ..spec(manager, number, 0) };
    manager.create(vec![spec]).await.pop().unwrap().unwrap()
}

/// Appends with batches small and large until one is not acknowledged: the end of what was acknowledged; None when the
/// fault is never met.
async fn until_it_fails(log: &Log, runtime: &Runtime, disk: &Disk) -> Option<i64> {
    let mut acknowledged = 0;
    let now = runtime.wall_clock_ms();
    for number in 0..500 {
        let bytes = if number % 5 == 4 { 40_000 } else { 900 };
        let appended = append(log, runtime, &batch(now + number, 1, bytes, number as u8)).await;
        let durable = match appended {
            Ok(end) => log.durable(end).await.map(|_| end),
            Err(error) => Err(error),
        };
        match durable {
            Ok(end) => acknowledged = end,
            Err(LogError::Storage(_)) => {
                assert_eq!(disk.scripted(), 0, "the planted fault is what failed");
                return Some(acknowledged);
            }
            Err(other) => panic!("{other}"),
        }
        runtime.sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(disk.scripted(), 1, "a fault was met, and nobody noticed it");
    None
}

#[test]
fn f42_a_failed_write_or_flush_is_never_tried_again() {
    let mut met = BTreeSet::new();
    for (round, (operation, path)) in FAULTS.iter().enumerate() {
        for nth in [1, 2, 5] {
            let world = World::new(round as u64 * 10 + nth, Faults::none());
            for disk in DISKS {
                world.disk().mount(Path::new(disk), 64 << 20);
            }
            let runtime = world.add_shard();
            let (rt, disk, settings) = (runtime.clone(), world.disk(), small_settings());
            let (operation, path) = (*operation, (*path).to_owned());
            let ended = world.block_on(&runtime, async move {
                let (manager, _) = start_at(&rt, &settings, &disks()).await;
                let struck = make_in(&manager, 1, DISKS[0]).await;
                let beside = make_in(&manager, 2, DISKS[0]).await;
                let other = make_in(&manager, 3, DISKS[1]).await;
                let end = append(&other, &rt, &batch(rt.wall_clock_ms(), 1, 100, 1)).await.unwrap();
                other.durable(end).await.unwrap();
                disk.script(Rule { operation, path_contains: path, nth, effect: Effect::Error(libc::EIO) });
                let acknowledged = until_it_fails(&struck, &rt, &disk).await?;

                // What was on its way to the disk when it failed has ended after a while.
                rt.sleep(Duration::from_secs(5)).await;
                // For good, for every log of that directory, and without touching its bytes again.
                for kind in LASTING {
                    let path_contains = DISKS[0].to_owned() + "/";
                    disk.script(Rule {
                        operation: kind,
                        path_contains,
                        nth: 1,
                        effect: Effect::Slow(Duration::from_millis(1)),
                    });
                }
                for _ in 0..20 {
                    for log in [&struck, &beside] {
                        let refused = append(log, &rt, &batch(rt.wall_clock_ms(), 1, 100, 1)).await;
                        assert!(matches!(refused, Err(LogError::Storage(_))), "{refused:?}");
                        assert!(matches!(log.durable(i64::MAX - 1).await, Err(LogError::Storage(_))));
                    }
                    rt.sleep(Duration::from_millis(500)).await;
                }
                assert_eq!(disk.scripted(), LASTING.len(), "{operation:?}: it was tried again");
                let states = manager.directories();
                assert!(states[0].offline.is_some() && states[1].offline.is_none());

                // The other directory goes on.
                let mut other_end = 0;
                for _ in 0..50 {
                    other_end = append(&other, &rt, &batch(rt.wall_clock_ms(), 1, 5_000, 1)).await.unwrap();
                    other.durable(other_end).await.unwrap();
                }
                Some((acknowledged, other_end))
            });
            let Some((acknowledged, other_end)) = ended else { continue };
            met.insert(round);
            drop(runtime);
            world.crash();
            // What was acknowledged is there on the next start, which has a sound disk (what was planted is spent).
            let runtime = world.add_shard();
            let (rt, settings) = (runtime.clone(), small_settings());
            world.block_on(&runtime, async move {
                let (manager, _) = start_at(&rt, &settings, &disks()).await;
                for (number, end) in [(1, acknowledged), (3, other_end)] {
                    let log = manager.get(crate::bench::topic_id(number), 0).unwrap();
                    assert!(log.error().is_none(), "{operation:?}: {:?}", log.error());
                    assert!(log.log_end_offset() >= end, "{operation:?}: {} of {end}", log.log_end_offset());
                    read_all(&rt, &log, log.log_end_offset(), 100_000).await.unwrap();
                }
            });
        }
    }
    let missed: Vec<_> =
        (0..FAULTS.len()).filter(|round| !met.contains(round)).map(|round| FAULTS[round]).collect();
    // Durable writes of segments go where blocks were zeroed ahead, which such small segments are not.
    assert_eq!(missed, [(OperationKind::DurableWrite, "/d0/topic-1-0")], "faults that were never met");
}

/// The broker's process with two log directories, one on a file system that is cut off under it.
#[test]
fn f42_a_directory_that_fails_is_told_and_the_others_serve() {
    let folder = tempfile::tempdir().unwrap();
    let volume = match Volume::create(folder.path(), "ext4", 1 << 30) {
        Ok(volume) => volume,
        Err(why) => {
            eprintln!("skipped: no ext4 on a loop device here: {why}");
            return;
        }
    };
    let sound = folder.path().join("sound");
    let failing = volume.mount.join("failing");
    std::fs::create_dir_all(&sound).unwrap();
    let directories = format!("log.dirs={},{}", sound.display(), failing.display());
    let broker = Broker::start(&[&directories]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", 8, &[]);
    let records = records_of(&[b"value"]);
    for partition in 0..8 {
        assert_eq!(client.produce(&[("t", partition, &records)]), [(0, 0)]);
    }
    let on = |directory: &Path, partition: i32| directory.join(format!("t-{partition}")).is_dir();
    let struck: Vec<i32> = (0..8).filter(|partition| on(&failing, *partition)).collect();
    let served: Vec<i32> = (0..8).filter(|partition| on(&sound, *partition)).collect();
    assert!(!struck.is_empty() && !served.is_empty() && struck.len() + served.len() == 8);

    volume.cut().unwrap();
    for partition in &struck {
        assert_eq!(client.produce(&[("t", *partition, &records)]), [(KAFKA_STORAGE_ERROR, -1)]);
        assert_eq!(client.produce(&[("t", *partition, &records)]), [(KAFKA_STORAGE_ERROR, -1)], "for good");
    }
    for partition in &served {
        assert_eq!(client.produce(&[("t", *partition, &records)]), [(0, 1)], "the others go on");
        assert_eq!(list_offset(&mut client, "t", *partition, -1), (0, -1, 2));
    }
    // Both in one request: each partition has its own answer.
    let results = client.produce(&[("t", struck[0], &records), ("t", served[0], &records)]);
    assert_eq!(results, [(KAFKA_STORAGE_ERROR, -1), (0, 2)]);
    until("the directory is told as offline", || {
        let request = millrace::protocol::messages::DescribeLogDirsRequest { topics: None };
        let response: millrace::protocol::messages::DescribeLogDirsResponse<'_> = client.ask(4, &request);
        let failing = failing.display().to_string();
        let code = response.results.iter().find(|result| result.log_dir == failing).unwrap().error_code;
        (code == KAFKA_STORAGE_ERROR).then_some(())
    });
    broker.kill();
}
