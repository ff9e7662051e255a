//! What is fetched, and long polls: a reader never waits for a timer when there is something to read.

use std::time::{Duration, Instant};

use millrace::protocol::decode_response;
use millrace::protocol::messages::FetchResponse;
use millrace::protocol::record_batch::batches;

use crate::broker::Broker;
use crate::raw::{Limits, Raw, batch, fetch_request};

#[test]
fn what_was_produced_is_fetched_byte_for_byte() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let records = batch(&[b"one", b"two", b"three"]);
    assert_eq!(client.produce(&[("t", 0, &records)]), [(0, 0)]);
    assert_eq!(client.produce(&[("t", 0, &records)]), [(0, 3)]);
    let (code, high_watermark, fetched) = client.fetch("t", 0, 0, Limits::default());
    assert_eq!((code, high_watermark, fetched.len()), (0, 6, 2 * records.len()));
    let found: Vec<_> = batches(&fetched).map(|batch| batch.expect("a batch")).collect();
    assert_eq!(
        found[0].bytes[16..],
        records[16..],
        "everything behind offset, length and epoch is as it came"
    );
    assert_eq!((found[0].header.base_offset, found[1].header.base_offset), (0, 3));
    // From the middle of a batch: the whole batch.
    assert_eq!(client.fetch("t", 0, 4, Limits::default()).2.len(), records.len());
    // At the end: nothing; beyond it, or before the start: out of range.
    assert_eq!(client.fetch("t", 0, 6, Limits::default()), (0, 6, Vec::new()));
    assert_eq!(client.fetch("t", 0, 7, Limits::default()).0, 1);
    assert_eq!(client.fetch("t", 0, -1, Limits::default()).0, 1);
    assert_eq!(client.fetch("t", 1, 0, Limits::default()).0, 3);
}

#[test]
fn a_long_poll_ends_with_the_append_and_not_with_a_timer() {
    let broker = Broker::start(&[]);
    let mut producer = Raw::connect(broker.address());
    // More partitions than shards: the connection's own shard and others.
    producer.create_topic("t", 8, &[]);
    let records = batch(&[b"v"]);
    for partition in 0..8 {
        let mut reader = Raw::connect(broker.address());
        let limits = Limits { max_wait_ms: 8_000, ..Limits::default() };
        let asked: Vec<(&str, i32, i64)> =
            (0..8).map(|index| ("t", index, i64::from(index < partition))).collect();
        reader.send(12, &fetch_request(&asked, limits));
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        producer.produce(&[("t", partition, &records)]);
        let frame = reader.receive().expect("an answer");
        assert!(start.elapsed() < Duration::from_millis(500), "partition {partition}: {:?}", start.elapsed());
        let (_, response): (i32, FetchResponse<'_>) = decode_response(&frame, 12).expect("Fetch");
        let bytes: usize =
            response.responses.iter().flat_map(|t| &t.partitions).map(|p| p.records.len()).sum();
        assert_eq!(bytes, records.len(), "partition {partition}");
    }
}

#[test]
fn a_long_poll_without_data_ends_at_its_time() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let start = Instant::now();
    let limits = Limits { max_wait_ms: 300, ..Limits::default() };
    assert_eq!(client.fetch("t", 0, 0, limits), (0, 0, Vec::new()));
    let waited = start.elapsed();
    assert!(waited >= Duration::from_millis(290) && waited < Duration::from_millis(2000), "{waited:?}");
}

#[test]
fn min_bytes_waits_for_enough() {
    let broker = Broker::start(&[]);
    let mut producer = Raw::connect(broker.address());
    producer.create_topic("t", 1, &[]);
    let records = batch(&[&[b'x'; 1000]]);
    let mut reader = Raw::connect(broker.address());
    let limits = Limits { max_wait_ms: 8_000, min_bytes: 2500, ..Limits::default() };
    reader.send(12, &fetch_request(&[("t", 0, 0)], limits));
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(50));
        producer.produce(&[("t", 0, &records)]);
    }
    let frame = reader.receive().expect("an answer");
    let (_, response): (i32, FetchResponse<'_>) = decode_response(&frame, 12).expect("Fetch");
    assert_eq!(response.responses[0].partitions[0].records.len(), 3 * records.len());
}
