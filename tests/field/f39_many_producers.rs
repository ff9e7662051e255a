//! F39: many small producers over many partitions share flushes: one group of the journal carries what all of them wait
//! for. How long they wait on a real machine is measured in perf/ (the workload `producers`).

use std::process::Command;
use std::sync::{Arc, Barrier};

use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Raw, batch};

const PRODUCERS: i32 = 30;
const PARTITIONS_EACH: i32 = 6;
const ROUNDS: i64 = 25;

/// Groups and entries in the journals of a killed broker.
fn journal(directory: &std::path::Path) -> (u64, u64) {
    let (mut groups, mut entries) = (0, 0);
    for shard in 0..64 {
        let path = directory.join(format!("data/millrace-journal-{shard}"));
        if !path.exists() {
            break;
        }
        let output = Command::new(env!("CARGO_BIN_EXE_millrace"))
            .args(["dump-log", "--journal"])
            .arg(&path)
            .output()
            .expect("the tool");
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines() {
            if let Some((_, rest)) = line.split_once(" entries: ") {
                groups += 1;
                entries += rest.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or_default();
            }
        }
    }
    (groups, entries)
}

#[test]
fn f39_flushes_are_shared_by_all_who_wait() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", PRODUCERS * PARTITIONS_EACH, &[]);
    let barrier = Arc::new(Barrier::new(PRODUCERS as usize));
    let threads = (0..PRODUCERS).map(|producer| {
        let (address, barrier) = (broker.address().to_owned(), barrier.clone());
        std::thread::spawn(move || {
            let mut client = Raw::connect(&address);
            let records = batch(&[&[b'x'; 80]]);
            let first = producer * PARTITIONS_EACH;
            let batches: Vec<(&str, i32, &[u8])> = (first..first + PARTITIONS_EACH)
                .map(|partition| ("t", partition, records.as_slice()))
                .collect();
            barrier.wait();
            for round in 0..ROUNDS {
                assert!(client.produce(&batches).iter().all(|result| *result == (0, round)));
            }
        })
    });
    let threads: Vec<_> = threads.collect();
    for thread in threads {
        thread.join().expect("a producer");
    }
    for partition in 0..PRODUCERS * PARTITIONS_EACH {
        assert_eq!(list_offset(&mut client, "t", partition, -1), (0, -1, ROUNDS));
    }
    let (data, settings) = broker.kill();
    let (groups, entries) = journal(data.path());
    let appends = u64::try_from(i64::from(PRODUCERS * PARTITIONS_EACH) * ROUNDS).unwrap();
    eprintln!("{appends} acknowledged appends: {entries} entries in {groups} groups of the journals");
    assert!(groups > 0 && groups < appends / 4, "each append has a flush of its own: {groups} of {appends}");
    // All of it is there after the kill.
    let broker = Broker::again((data, settings));
    let mut client = Raw::connect(broker.address());
    for partition in 0..PRODUCERS * PARTITIONS_EACH {
        assert_eq!(list_offset(&mut client, "t", partition, -1), (0, -1, ROUNDS));
    }
}
