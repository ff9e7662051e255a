//! F11: a record larger than a reader's limits does not stop it, nor what stands beside it (KIP-74).

use rdkafka::producer::BaseProducer;

use millrace::protocol::messages::FetchResponse;
use millrace::protocol::messages::fetch::{FetchPartition, FetchTopic};
use millrace::protocol::record_batch::batches;

use crate::broker::Broker;
use crate::client::{consume, create_topic, produce_values, settings};
use crate::raw::{Limits, Raw, batch, fetch_request};

const SMALL: Limits = Limits { max_wait_ms: 0, min_bytes: 1, max_bytes: 1000, partition_max_bytes: 1000 };

/// Bytes of records of each partition asked for, in that order.
fn sizes(client: &mut Raw, asked: &[(&str, i32, i64)], limits: Limits) -> Vec<usize> {
    let response: FetchResponse<'_> = client.ask(12, &fetch_request(asked, limits));
    let of = |topic: &str, partition: i32| {
        let found = response.responses.iter().filter(|t| t.topic == topic);
        let mut found = found.flat_map(|t| &t.partitions).filter(|p| p.partition_index == partition);
        found.next().map_or(0, |p| p.records.len())
    };
    asked.iter().map(|(topic, partition, _)| of(topic, *partition)).collect()
}

pub fn a_first_batch_is_given_whole(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f11-big", 2, &[]);
    create_topic(&mut client, "f11-small", 3, &[]);
    create_topic(&mut client, "f11-empty", 1, &[]);
    let large = batch(&[&[b'x'; 900_000]]);
    let little = batch(&[b"v"]);
    let results = client.produce(&[
        ("f11-big", 0, &large),
        ("f11-big", 1, &large),
        ("f11-small", 0, &little),
        ("f11-small", 1, &little),
        ("f11-small", 2, &little),
    ]);
    assert!(results.iter().all(|result| *result == (0, 0)));
    // In front: whole, and the limit is used up. Also behind a partition that has nothing, or an error.
    let asked = [("f11-big", 0, 0), ("f11-small", 0, 0), ("f11-small", 1, 0)];
    assert_eq!(sizes(&mut client, &asked, SMALL), [large.len(), 0, 0]);
    let asked = [("f11-empty", 0, 0), ("f11-big", 0, 0), ("f11-small", 0, 0)];
    assert_eq!(sizes(&mut client, &asked, SMALL), [0, large.len(), 0]);
    let asked = [("f11-small", 0, 99), ("f11-big", 0, 0)];
    assert_eq!(sizes(&mut client, &asked, SMALL), [0, large.len()]);
    // Behind small ones it waits for its turn, which comes when it is in front.
    let asked = [("f11-small", 0, 0), ("f11-small", 1, 0), ("f11-big", 0, 0)];
    assert_eq!(sizes(&mut client, &asked, SMALL), [little.len(), little.len(), 0]);
    // Of two large ones the first comes, whatever the limit of a partition.
    let asked = [("f11-big", 0, 0), ("f11-big", 1, 0)];
    assert_eq!(sizes(&mut client, &asked, SMALL), [large.len(), 0]);
    let wide = Limits { max_bytes: 50 << 20, ..SMALL };
    assert_eq!(sizes(&mut client, &asked, wide), [large.len(), 0]);
    // A limit of nothing is a limit like another.
    let none = Limits { max_bytes: 0, partition_max_bytes: 0, ..SMALL };
    assert_eq!(sizes(&mut client, &[("f11-big", 0, 0)], none), [large.len()]);
}

/// One incremental session that reads three partitions with limits below one record: each comes to its end.
pub fn a_session_lets_every_partition_progress(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f11-turns", 3, &[]);
    let large = batch(&[&[b'x'; 100_000]]);
    let count = 5;
    for _ in 0..count {
        for partition in 0..3 {
            assert_eq!(client.produce(&[("f11-turns", partition, &large)])[0].0, 0);
        }
    }
    let ask = |partition: i32, fetch_offset: i64| FetchPartition {
        partition,
        fetch_offset,
        partition_max_bytes: 1000,
        ..Default::default()
    };
    let mut next = [0i64; 3];
    let (mut session_id, mut session_epoch) = (0, 0);
    let mut changed: Vec<i32> = vec![0, 1, 2];
    for _ in 0..3 * count {
        let mut request = fetch_request(&[], Limits { max_wait_ms: 5_000, ..SMALL });
        let partitions = changed.iter().map(|at| ask(*at, next[*at as usize])).collect();
        request.topics = vec![FetchTopic { topic: "f11-turns", partitions, ..Default::default() }];
        (request.session_id, request.session_epoch) = (session_id, session_epoch);
        let response: FetchResponse<'_> = client.ask(12, &request);
        assert_eq!(response.error_code, 0);
        (session_id, session_epoch) = (response.session_id, session_epoch + 1);
        changed.clear();
        for partition in response.responses.iter().flat_map(|topic| &topic.partitions) {
            let records = partition.records.as_slice().unwrap_or_default();
            if let Some(last) = batches(records).map_while(Result::ok).last() {
                next[partition.partition_index as usize] = last.header.next_offset();
                changed.push(partition.partition_index);
            }
        }
        // Nobody waits while another is read to its end. (Ours takes strict turns; Apache Kafka's are looser.)
        assert!(next.iter().max().unwrap() - next.iter().min().unwrap() < count, "{next:?}");
    }
    assert_eq!(next, [count; 3], "in as few rounds as there are records");
}

pub fn librdkafka_finishes_with_small_limits(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f11-librdkafka", 2, &[]);
    let producer: BaseProducer =
        settings(address, &[("compression.type", "none")]).create().expect("a producer");
    let large = "x".repeat(900_000);
    produce_values(&producer, "f11-librdkafka", 0, &[large.as_str(); 5]);
    produce_values(&producer, "f11-librdkafka", 1, &["little"; 200]);
    let limits =
        [("fetch.message.max.bytes", "1000"), ("fetch.max.bytes", "1000"), ("message.max.bytes", "1000")];
    let read = consume(&settings(address, &limits), "f11-librdkafka", &[0, 1], 205);
    let large_ones = read.iter().filter(|(partition, _, value)| *partition == 0 && value.len() == 900_000);
    assert_eq!(large_ones.count(), 5);
    let little_ones = read.iter().filter(|(partition, _, value)| *partition == 1 && value == b"little");
    assert_eq!(little_ones.count(), 200);
}

#[test]
fn f11_a_first_batch_larger_than_the_limits_is_given_whole() {
    a_first_batch_is_given_whole(Broker::start(&[]).address());
}

#[test]
fn f11_a_session_lets_every_partition_progress() {
    a_session_lets_every_partition_progress(Broker::start(&[]).address());
}

#[test]
fn f11_librdkafka_reads_records_larger_than_its_limits() {
    librdkafka_finishes_with_small_limits(Broker::start(&[]).address());
}

#[test]
fn f11_a_large_record_on_disk_is_given_whole_after_a_restart() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", 2, &[]);
    let large = batch(&[&[b'x'; 900_000]]);
    client.produce(&[("t", 0, &large), ("t", 1, &batch(&[b"v"]))]);
    let broker = Broker::again(broker.stop());
    let mut client = Raw::connect(broker.address());
    assert_eq!(sizes(&mut client, &[("t", 0, 0), ("t", 1, 0)], SMALL), [large.len(), 0]);
}
