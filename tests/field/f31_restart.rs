//! F31: a restart does not read again what was there before: nothing after a clean stop, and what lies behind the
//! checkpoints after a kill. MILLRACE_FIELD_PARTITIONS (500) is how many partitions there are.

use tempfile::TempDir;

use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Limits, Raw, batch};

/// What the engine lets gather in front of its checkpoints (`LogSettings::unscanned_bytes`).
const UNSCANNED_BYTES: u64 = 256 << 20;
const RECORD: [u8; 1000] = [b'x'; 1000];

/// The number behind `name=` in the broker's line about its recovery.
fn recovered(broker: &Broker, name: &str) -> u64 {
    let log = std::fs::read_to_string(broker.directory().join("log")).expect("the log");
    let line =
        log.lines().find(|line| line.contains("log directory recovered")).expect("a line of the recovery");
    let (_, rest) = line.split_once(&format!(" {name}=")).unwrap_or_else(|| panic!("{name} in {line}"));
    rest.split(' ').next().unwrap_or_default().parse().expect("a number")
}

fn was_clean(broker: &Broker) -> bool {
    let log = std::fs::read_to_string(broker.directory().join("log")).expect("the log");
    log.contains("clean=true")
}

/// What the kernel read from disks for this process.
fn read_bytes(broker: &Broker) -> u64 {
    let path = format!("/proc/{}/io", broker.process_id());
    let Ok(text) = std::fs::read_to_string(path) else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    line.and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn partitions() -> i32 {
    let given = std::env::var("MILLRACE_FIELD_PARTITIONS").ok().and_then(|text| text.parse().ok());
    given.map_or(500, |number: i32| number / 100 * 100)
}

fn fill(client: &mut Raw, rounds: usize) {
    let records = batch(&[&RECORD[..]; 4]);
    for _ in 0..rounds {
        for first in (0..partitions()).step_by(100) {
            let batches: Vec<(&str, i32, &[u8])> =
                (first..first + 100).map(|partition| ("t", partition, records.as_slice())).collect();
            assert!(client.produce(&batches).iter().all(|(code, _)| *code == 0));
        }
    }
}

fn check(client: &mut Raw, ends: i64) {
    for partition in (0..partitions()).step_by(97) {
        assert_eq!(list_offset(client, "t", partition, -1), (0, -1, ends), "partition {partition}");
    }
    let (code, _, records) = client.fetch("t", partitions() - 1, ends - 1, Limits::default());
    assert_eq!(code, 0);
    assert!(records.len() > 4 * RECORD.len());
}

#[test]
fn f31_a_restart_reads_little() {
    let directory = || TempDir::new().expect("a temporary directory");
    let broker = Broker::start_wrapped(&[], directory(), &[]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", partitions(), &[]);
    fill(&mut client, 2);
    let stored = 2 * u64::try_from(partitions()).unwrap() * 4 * RECORD.len() as u64;

    // After a clean stop no segment is read.
    let (data, _) = broker.stop();
    let broker = Broker::start_wrapped(&[], data, &[]);
    assert!(was_clean(&broker));
    assert_eq!((recovered(&broker, "scanned_bytes"), recovered(&broker, "groups")), (0, 0));
    let read = read_bytes(&broker);
    assert!(read < stored / 2, "{read} bytes were read of {stored}");
    let mut client = Raw::connect(broker.address());
    check(&mut client, 8);

    // The mark of the clean stop is gone from then on, though nothing was written: a kill is no clean stop.
    let (data, _) = broker.kill();
    let broker = Broker::start_wrapped(&[], data, &[]);
    assert!(!was_clean(&broker));
    assert!(recovered(&broker, "groups") < 10, "nothing was written but the start itself");
    let scanned = recovered(&broker, "scanned_bytes");
    eprintln!("{stored} bytes are stored; {scanned} were scanned after a kill without a write");
    assert!(scanned <= stored * 3 / 5, "{scanned} of {stored} bytes");
    let mut client = Raw::connect(broker.address());
    check(&mut client, 8);

    // After a kill with new records: all is there.
    assert_eq!(client.produce(&[("t", 5, &batch(&[&RECORD[..]; 4]))]), [(0, 8)]);
    let (data, _) = broker.kill();
    let broker = Broker::start_wrapped(&[], data, &[]);
    let mut client = Raw::connect(broker.address());
    assert_eq!(list_offset(&mut client, "t", 5, -1), (0, -1, 12));
}

#[test]
fn f31_what_is_scanned_after_a_kill_is_bounded_by_checkpoints() {
    // One shard: each has a bound of its own.
    let settings = ["millrace.shards.cpus=0"];
    let broker = Broker::start_wrapped(&[], TempDir::new().expect("a directory"), &settings);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", 4, &[("segment.bytes", "16777216")]);
    let records = batch(&[&[b'x'; 900_000]]);
    let rounds = 160;
    for _ in 0..rounds {
        let batches: Vec<(&str, i32, &[u8])> = (0..4).map(|at| ("t", at, records.as_slice())).collect();
        assert!(client.produce(&batches).iter().all(|(code, _)| *code == 0));
    }
    let written = 4 * rounds as u64 * records.len() as u64;
    let (data, _) = broker.kill();
    let broker = Broker::start_wrapped(&[], data, &settings);
    let scanned = recovered(&broker, "scanned_bytes");
    eprintln!("{written} bytes were written, {scanned} were scanned after the kill");
    assert!(scanned < UNSCANNED_BYTES + (64 << 20), "{scanned} bytes were scanned of {written}");
    let mut client = Raw::connect(broker.address());
    for partition in 0..4 {
        assert_eq!(list_offset(&mut client, "t", partition, -1), (0, -1, rounds));
    }
}
