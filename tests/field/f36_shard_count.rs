//! F36: the number of shards may change from start to start, and shards stay on the processors that the process has.

use std::collections::BTreeSet;

use tempfile::TempDir;

use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Limits, Raw, batch};

const PARTITIONS: i32 = 16;

/// "0-1,4" as numbers.
fn processors(list: &str) -> BTreeSet<usize> {
    let ranges = list.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    });
    ranges.flatten().collect()
}

fn allowed(status: &str) -> BTreeSet<usize> {
    let text = std::fs::read_to_string(status).expect("the status of a thread");
    let line = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    processors(line.expect("the processors of a thread"))
}

/// The processors of each thread of the broker.
fn threads(broker: &Broker) -> Vec<BTreeSet<usize>> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", broker.process_id())).expect("its threads");
    let status = tasks.flatten().map(|task| task.path().join("status"));
    status.filter(|path| path.exists()).map(|path| allowed(&path.to_string_lossy())).collect()
}

fn shards(broker: &Broker) -> usize {
    let log = std::fs::read_to_string(broker.directory().join("log")).expect("the log");
    let line = log.lines().find(|line| line.contains("started partitions=")).expect("a line of the start");
    let (_, number) = line.rsplit_once("shards=").expect("the shards");
    number.trim().parse().expect("a number")
}

#[test]
fn f36_data_is_free_of_the_number_of_shards() {
    let own: Vec<usize> = allowed("/proc/self/status").into_iter().collect();
    if own.len() < 2 {
        eprintln!("skipped: one processor alone here");
        return;
    }
    // Four, two, three, where there are so many; else all, the first, the last, all.
    let starts: Vec<Vec<usize>> = if own.len() >= 4 {
        vec![own[..4].to_vec(), own[..2].to_vec(), own[1..4].to_vec(), vec![own[3]]]
    } else {
        vec![own.clone(), own[..1].to_vec(), own[own.len() - 1..].to_vec(), own.clone()]
    };
    let mut directory = TempDir::new().expect("a temporary directory");
    for (life, set) in starts.iter().enumerate() {
        let list: Vec<String> = set.iter().map(ToString::to_string).collect();
        let broker = Broker::start_wrapped(&["taskset", "-c", &list.join(",")], directory, &[]);
        assert_eq!(shards(&broker), set.len(), "a shard for each processor of {set:?}");
        let set: BTreeSet<usize> = set.iter().copied().collect();
        let threads = threads(&broker);
        assert!(threads.iter().all(|thread| thread.is_subset(&set)), "{threads:?} outside {set:?}");
        let pinned: BTreeSet<&BTreeSet<usize>> = threads.iter().filter(|thread| thread.len() == 1).collect();
        assert_eq!(pinned.len(), set.len(), "each processor has its shard: {threads:?}");

        let mut client = Raw::connect(broker.address());
        if life == 0 {
            create_topic(&mut client, "t", PARTITIONS, &[]);
        }
        for partition in 0..PARTITIONS {
            // What earlier lives wrote is there, byte for byte, and the next record goes behind it.
            let name = |life: usize| format!("life {life} of partition {partition}");
            assert_eq!(list_offset(&mut client, "t", partition, -1), (0, -1, life as i64));
            for earlier in 0..life {
                let (code, _, records) = client.fetch("t", partition, earlier as i64, Limits::default());
                assert_eq!(code, 0);
                let value = name(earlier).into_bytes();
                assert!(records.windows(value.len()).any(|window| window == value), "{}", name(earlier));
            }
            let results = client.produce(&[("t", partition, &batch(&[name(life).as_bytes()]))]);
            assert_eq!(results, [(0, life as i64)]);
        }
        // Both ways to end: the journals of a killed process are read by another number of shards.
        directory = if life % 2 == 0 { broker.kill().0 } else { broker.stop().0 };
    }
}

#[test]
fn f36_processors_outside_the_process_are_refused() {
    let own = allowed("/proc/self/status");
    let Some(first) = own.first() else { return };
    let other = (0..).find(|number| !own.contains(number)).unwrap_or(4095);
    let only = first.to_string();
    let wrapper = ["taskset", "-c", only.as_str()];
    let settings =
        ["listeners=PLAINTEXT://127.0.0.1:0".to_owned(), format!("millrace.shards.cpus={first},{other}")];
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (success, said) = Broker::refuses_to_start(&wrapper, &settings);
    assert!(!success && said.contains("cpus") && !said.contains("panicked"), "{said}");
}
