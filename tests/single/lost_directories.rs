//! Law 10: a partition that was made and whose directory is gone is offline, never made anew; one that the broker had no
//! time to make is made at the next start.

use std::fs;
use std::path::Path;

use millrace::protocol::messages::DeleteTopicsRequest;

use crate::broker::Broker;
use crate::raw::{Limits, Raw, batch};

const KAFKA_STORAGE_ERROR: i16 = 56;

fn mark(directory: &Path) -> std::path::PathBuf {
    directory.join("data/__cluster_metadata-0/millrace.made")
}

#[test]
fn a_partition_whose_directory_is_gone_stays_offline_until_its_topic_is_deleted() {
    let broker = Broker::start(&["millrace.shards.cpus=0,1"]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("kept", 3, &[]);
    let record = batch(&[b"v"]);
    let all = [("kept", 0, &record[..]), ("kept", 1, &record[..]), ("kept", 2, &record[..])];
    assert_eq!(client.produce(&all), [(0, 0); 3]);
    let mut stopped = broker.kill();
    fs::remove_dir_all(stopped.0.path().join("data/kept-1")).expect("the directory is removed");
    // After the first start it is still known that it was made.
    for start in 1..3 {
        let broker = Broker::again(stopped);
        let mut client = Raw::connect(broker.address());
        assert_eq!(client.fetch("kept", 1, 0, Limits::default()).0, KAFKA_STORAGE_ERROR);
        let others = [(0, start), (KAFKA_STORAGE_ERROR, -1), (0, start)];
        assert_eq!(client.produce(&all), others, "start {start}");
        stopped = broker.stop();
        assert!(!stopped.0.path().join("data/kept-1").exists());
    }
    let broker = Broker::again(stopped);
    let mut client = Raw::connect(broker.address());
    let request = DeleteTopicsRequest { topic_names: vec!["kept"], timeout_ms: 10_000, ..Default::default() };
    client.call(5, &request);
    client.create_topic("kept", 3, &[]);
    assert_eq!(client.produce(&all), [(0, 0); 3]);
    broker.stop();
}

#[test]
fn a_partition_that_was_never_made_is_made_at_the_next_start() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("before", 1, &[]);
    let before = fs::read(mark(broker.directory())).expect("the mark");
    client.create_topic("cut-off", 2, &[]);
    let stopped = broker.kill();
    let directory = stopped.0.path();
    // As a crash leaves it that comes between the commit and the directories.
    fs::write(mark(directory), before).expect("the mark");
    for name in ["cut-off-0", "cut-off-1"] {
        fs::remove_dir_all(directory.join("data").join(name)).expect("the directory is removed");
    }
    let broker = Broker::again(stopped);
    let mut client = Raw::connect(broker.address());
    let record = batch(&[b"v"]);
    let all = [("before", 0, &record[..]), ("cut-off", 0, &record[..]), ("cut-off", 1, &record[..])];
    assert_eq!(client.produce(&all), [(0, 0); 3]);
    broker.stop();
}
