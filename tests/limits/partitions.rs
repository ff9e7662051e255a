//! Many partitions on one node: made in one go, small when idle, appended to with shared flushes, there again after
//! SIGKILL. Prints what it measured (`--nocapture`); the long form has 10,000.

use std::time::Instant;

use millrace::protocol::messages::CreateTopicsRequest;
use millrace::protocol::messages::CreateTopicsResponse;
use millrace::protocol::messages::create_topics::CreatableTopic;

use crate::node::{Node, number, until};
use crate::raw::{Limits, Raw, batch, produce_request};

/// Partitions of one topic at most: a request may not make more records than Kafka allows.
const TOPIC_PARTITIONS: usize = 5_000;

#[test]
fn partitions_are_small_when_idle_and_share_their_flushes() {
    let partitions = number("MILLRACE_PARTITIONS", 1_000);
    let node = Node::start(&["log.tail_idle_seal_ms=1000"]);
    let mut client = Raw::connect(&node.address);
    let empty = node.resident_bytes();
    let names: Vec<String> = (0..partitions.div_ceil(TOPIC_PARTITIONS)).map(|n| format!("t{n}")).collect();
    let of_topic = partitions / names.len();
    let began = Instant::now();
    for name in &names {
        let topic = CreatableTopic {
            name,
            num_partitions: of_topic as i32,
            replication_factor: 1,
            ..Default::default()
        };
        let request = CreateTopicsRequest { topics: vec![topic], timeout_ms: 60_000, ..Default::default() };
        let answer: CreateTopicsResponse<'_> = client.ask(7, &request);
        assert_eq!(answer.topics[0].error_code, 0);
    }
    let made_ms = began.elapsed().as_millis();
    let made = node.resident_bytes();

    let records = batch(&[b"a small record"]);
    let all: Vec<(&str, i32)> =
        names.iter().flat_map(|name| (0..of_topic as i32).map(move |index| (name.as_str(), index))).collect();
    let groups = node.metric("millrace_journal_groups_total", "");
    let appends = node.metric("millrace_log_appends_total", "");
    let began = Instant::now();
    let mut sent = 0;
    // One record to a partition, a hundred partitions to a request, ten requests at a time.
    for requests in all.chunks(1_000) {
        for part in requests.chunks(100) {
            let batches: Vec<_> =
                part.iter().map(|(name, index)| (*name, *index, records.as_slice())).collect();
            client.send(9, &produce_request(-1, &batches));
            sent += batches.len() as u64;
        }
        for _ in requests.chunks(100) {
            client.receive().expect("an answer");
        }
    }
    let produced_ms = began.elapsed().as_millis();
    let groups = node.metric("millrace_journal_groups_total", "") - groups;
    let appends = node.metric("millrace_log_appends_total", "") - appends;
    assert_eq!((sent, appends), (all.len() as u64, all.len() as u64));
    assert!(groups * 5 < appends, "{groups} flushes for {appends} batches");

    until("all tails are sealed", || node.metric("millrace_segment_seals_total", "") >= all.len() as u64);
    until("idle partitions hold no descriptors", || node.metric("millrace_open_files", "") < 64);
    let idle = node.resident_bytes();
    let descriptors = node.descriptors();
    let each = |bytes: u64| bytes.saturating_sub(empty) / all.len() as u64;
    println!("{} partitions made in {made_ms} ms, {} bytes each", all.len(), each(made));
    println!("{sent} records in {produced_ms} ms, {groups} flushes");
    println!("idle again: {} bytes each, {descriptors} descriptors in all", each(idle));

    drop(client);
    let node = node.kill_and_start();
    println!("after SIGKILL ready in {} ms", node.ready_after.as_millis());
    let restarted = node.resident_bytes();
    println!("after the restart: {} bytes each", restarted.saturating_sub(empty) / all.len() as u64);
    let mut client = Raw::connect(&node.address);
    for (name, index) in all.iter().step_by(all.len() / 200) {
        let (code, end, got) = client.fetch(name, *index, 0, Limits::default());
        assert_eq!((code, end, got.len()), (0, 1, records.len()), "{name}-{index}");
    }
    assert_eq!(node.metric("millrace_partitions", ""), all.len() as u64);
    if all.len() >= 5_000 {
        // Below, what is the same for any number weighs too much.
        assert!(each(idle) <= 8 << 10, "{} bytes each", each(idle));
    }
}
