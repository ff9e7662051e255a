//! F37: a low limit of descriptors. The budgets follow it, files of quiet segments are closed, restarts leave nothing
//! open, what cannot fit is refused by name, and a shortage takes no log directory offline.

use millrace::protocol::messages::create_partitions::CreatePartitionsTopic;
use millrace::protocol::messages::create_topics::CreatableTopic;
use millrace::protocol::messages::{
    CreatePartitionsRequest, CreatePartitionsResponse, CreateTopicsRequest, CreateTopicsResponse,
};

use crate::node::{Node, number, until};
use crate::raw::{Limits, Raw, batch};

const POLICY_VIOLATION: i16 = 44;

/// Sends one batch to each of `partitions` partitions, many in a request.
fn produce_to_all(client: &mut Raw, topic: &str, partitions: i32, records: &[u8], base_offset: i64) {
    for first in (0..partitions).step_by(100) {
        let batches: Vec<_> = (first..partitions.min(first + 100)).map(|p| (topic, p, records)).collect();
        let results = client.produce(&batches);
        assert!(results.iter().all(|result| *result == (0, base_offset)), "{results:?}");
    }
}

#[test]
fn f37_descriptors_stay_the_same_over_restarts() {
    let partitions = number("MILLRACE_DESCRIPTOR_PARTITIONS", 500) as i32;
    // Tails are sealed at once, so that every partition's file is opened, again and again.
    let mut node =
        Node::start_with_descriptors(1024, &["log.tail_idle_seal_ms=200", "log.journal_bytes=16 MiB"]);
    Raw::connect(&node.address).create_topic("t", partitions, &[]);
    let records = batch(&[&[b'x'; 5000]]);
    let quiet = node.descriptors();
    for round in 0..5 {
        let mut client = Raw::connect(&node.address);
        produce_to_all(&mut client, "t", partitions, &records, round);
        until("all tails are sealed", || node.metric("millrace_open_files", "for=\"writing\"") == 0);
        for partition in 0..partitions {
            let (code, end, got) = client.fetch("t", partition, round, Limits::default());
            assert_eq!((code, end, got.len()), (0, round + 1, records.len()), "partition {partition}");
        }
        let limit = node.metric("millrace_open_files_limit", "for=\"readers\"");
        assert!(node.metric("millrace_open_files", "for=\"readers\"") <= limit);
        until("closed files are gone", || node.descriptors() <= quiet + limit as usize + 8);
        drop(client);
        node = if round % 2 == 0 { node.stop_and_start() } else { node.kill_and_start() };
    }
    assert!(node.descriptors() <= quiet + 8, "{} after the last start", node.descriptors());
    assert_eq!(node.metric("millrace_partitions_offline", ""), 0);
}

#[test]
fn f37_partitions_beyond_the_budget_are_refused_by_name() {
    let node = Node::start_with_descriptors(1024, &[]);
    let most = node.metric("millrace_partitions_limit", "") as i32;
    assert!((500..1024).contains(&most), "{most}");
    let mut client = Raw::connect(&node.address);
    let mut create = |num_partitions: i32| {
        let topic = CreatableTopic { name: "t", num_partitions, replication_factor: 1, ..Default::default() };
        let request = CreateTopicsRequest { topics: vec![topic], timeout_ms: 10_000, ..Default::default() };
        let answer: CreateTopicsResponse<'_> = client.ask(7, &request);
        (answer.topics[0].error_code, answer.topics[0].error_message.unwrap_or_default().to_owned())
    };
    let (code, message) = create(most + 1);
    assert_eq!(code, POLICY_VIOLATION);
    assert!(message.contains(&format!("at most {most} partitions")), "{message}");
    assert_eq!(create(most - 1).0, 0);
    let mut grow = |count: i32| {
        let topic = CreatePartitionsTopic { name: "t", count, assignments: None };
        let request =
            CreatePartitionsRequest { topics: vec![topic], timeout_ms: 10_000, ..Default::default() };
        let answer: CreatePartitionsResponse<'_> = client.ask(3, &request);
        (answer.results[0].error_code, answer.results[0].error_message.unwrap_or_default().to_owned())
    };
    let (code, message) = grow(most + 1);
    assert_eq!(code, POLICY_VIOLATION);
    assert!(message.contains(&format!("at most {most} partitions")), "{message}");
    assert_eq!(grow(most).0, 0);
}

#[test]
fn f37_files_for_writing_are_bounded_too() {
    let settings = [
        "log.open_writers=4",
        "log.open_segments=4",
        "log.bypass_bytes=4 KiB",
        "log.bypass_alone_bytes=4 KiB",
    ];
    let node = Node::start(&settings);
    let mut client = Raw::connect(&node.address);
    client.create_topic("t", 60, &[]);
    let records = batch(&[&[b'x'; 60_000]]);
    for round in 0..4 {
        produce_to_all(&mut client, "t", 60, &records, round);
    }
    let shards = 2;
    until("files are closed", || node.metric("millrace_open_files", "for=\"writing\"") <= 4 * shards);
    for partition in 0..60 {
        let (code, end, _) = client.fetch("t", partition, 0, Limits::default());
        assert_eq!((code, end), (0, 4));
    }
    let mut node = node.kill_and_start();
    for round in 4..6 {
        let mut client = Raw::connect(&node.address);
        produce_to_all(&mut client, "t", 60, &records, round);
        drop(client);
        node = node.kill_and_start();
    }
    let mut client = Raw::connect(&node.address);
    for partition in 0..60 {
        assert_eq!(client.fetch("t", partition, 5, Limits::default()).1, 6);
    }
}

#[test]
fn f37_a_shortage_of_descriptors_takes_nothing_offline() {
    let settings = ["log.tail_idle_seal_ms=100", "log.open_segments=2", "log.open_writers=2"];
    let node = Node::start(&settings);
    let mut client = Raw::connect(&node.address);
    client.create_topic("t", 20, &[]);
    let records = batch(&[&[b'x'; 5000]]);
    produce_to_all(&mut client, "t", 20, &records, 0);
    until("all tails are sealed", || node.metric("millrace_open_files", "for=\"writing\"") == 0);
    let waits = node.metric("millrace_descriptor_waits_total", "");
    // Nothing can be opened any more: appends to sealed files wait, and connections wait in the backlog.
    node.limit_descriptors(8);
    let batches: Vec<_> = (0..20).map(|partition| ("t", partition, records.as_slice())).collect();
    client.send(9, &crate::raw::produce_request(-1, &batches));
    until("it is said", || node.log().contains("out of descriptors"));
    node.limit_descriptors(1024);
    let answer = client.receive().expect("the produce is answered");
    assert!(!answer.is_empty());
    for partition in 0..20 {
        let (code, end, _) = client.fetch("t", partition, 1, Limits::default());
        assert_eq!((code, end), (0, 2), "partition {partition}");
    }
    assert!(node.metric("millrace_descriptor_waits_total", "") > waits);
    assert_eq!(node.metric("millrace_directory_offline", ""), 0);
    assert_eq!(node.metric("millrace_partitions_offline", ""), 0);
    assert_eq!(node.page("/health").0, 200);
}
