//! Compacted topics: what they refuse, and what is left of them when they have been cleaned.
//!
//! What is expected is what Apache Kafka leaves of the same batches: run with `MILLRACE_TEST_ADDRESS` against one that has
//! `log.cleaner.backoff.ms=100` (see `broker`).

use millrace::protocol::codec::Codec;
use millrace::protocol::decode_response;
use millrace::protocol::messages::ProduceResponse;
use millrace::protocol::record_batch::{BatchBuilder, batches};

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::broker::Broker;
use crate::raw::{Limits, Raw, now_ms, produce_request};

const INVALID_RECORD: i16 = 87;
const OFFSET_OUT_OF_RANGE: i16 = 1;

fn keyed(codec: Codec, records: &[(Option<&str>, Option<&str>)]) -> Vec<u8> {
    let mut builder = BatchBuilder::new(codec);
    for (key, value) in records {
        builder.append(now_ms(), key.map(str::as_bytes), value.map(str::as_bytes), &[]);
    }
    builder.build().expect("a batch")
}

#[test]
fn f07_a_record_without_a_key_is_refused_with_its_place_and_nothing_is_stored() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    for (topic, policy) in [("compacted", "compact"), ("both", "compact,delete")] {
        client.create_topic(topic, 1, &[("cleanup.policy", policy)]);
        for codec in Codec::ALL {
            let records = [(Some("a"), Some("1")), (None, Some("2")), (Some("b"), None), (None, None)];
            let batch = keyed(codec, &records);
            let frame = client.call(9, &produce_request(-1, &[(topic, 0, &batch)]));
            let (_, response): (i32, ProduceResponse<'_>) = decode_response(&frame, 9).expect("Produce");
            let partition = &response.responses[0].partition_responses[0];
            assert_eq!((partition.error_code, partition.base_offset), (INVALID_RECORD, -1), "{codec:?}");
            let at_fault: Vec<i32> =
                partition.record_errors.iter().map(|record| record.batch_index).collect();
            assert_eq!(at_fault, [1, 3], "{codec:?}");
        }
        let (_, high_watermark, stored) = client.fetch(topic, 0, 0, Limits::default());
        assert_eq!((high_watermark, stored.len()), (0, 0), "nothing of the batches is in {topic}");
        let good = keyed(Codec::Lz4, &[(Some("a"), Some("1")), (Some("b"), None)]);
        assert_eq!(client.produce(&[(topic, 0, &good)]), [(0, 0)]);
    }
}

/// How long the cleaner may take.
const PATIENCE: Duration = Duration::from_secs(60);
const QUICK: &[&str] = &["log.cleaner.backoff.ms=100"];

/// A topic whose segments are rolled by the records' times and cleaned as soon as anything is dirty.
fn create(client: &mut Raw, topic: &str, more: &[(&str, &str)]) {
    let mut configs = BTreeMap::from([
        ("cleanup.policy", "compact"),
        ("min.cleanable.dirty.ratio", "0.01"),
        ("segment.ms", "60000"),
    ]);
    configs.extend(more.iter().copied());
    let configs: Vec<_> = configs.into_iter().collect();
    client.create_topic(topic, 1, &configs);
}

struct Producer {
    id: i64,
    next_sequence: i32,
}

/// One batch of records, all `minutes` from now.
fn at(
    minutes: i64,
    codec: Codec,
    producer: Option<&mut Producer>,
    records: &[(&str, Option<&str>)],
) -> Vec<u8> {
    let mut builder = BatchBuilder::new(codec);
    for (key, value) in records {
        let timestamp = now_ms() + minutes * 60_000;
        builder.append(timestamp, Some(key.as_bytes()), value.map(str::as_bytes), &[("h", Some(b"x"))]);
    }
    if let Some(producer) = producer {
        builder = builder.producer(producer.id, 0, producer.next_sequence);
        producer.next_sequence += records.len() as i32;
    }
    builder.build().expect("a batch")
}

type Row = (i64, String, Option<String>);

/// Everything from `offset` on: the records, and (first offset, last offset, records, codec) of each batch.
fn read(client: &mut Raw, topic: &str, mut offset: i64) -> (Vec<Row>, Vec<(i64, i64, i32, Codec)>) {
    let (mut rows, mut shapes) = (Vec::new(), Vec::new());
    loop {
        let (code, high_watermark, bytes) = client.fetch(topic, 0, offset, Limits::default());
        assert_eq!(code, 0);
        let before = offset;
        for batch in batches(&bytes) {
            let batch = batch.expect("a batch");
            batch.verify_crc().expect("its CRC");
            let header = batch.header;
            let mut scratch = Vec::new();
            for record in batch.records(1 << 20, &mut scratch).expect("records") {
                let record = record.expect("a record");
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                assert_eq!(record.headers().count(), 1, "headers are kept");
                let key = record.key.map(text).unwrap_or_default();
                rows.push((header.base_offset + i64::from(record.offset_delta), key, record.value.map(text)));
            }
            let codec = header.codec().expect("a codec");
            shapes.push((header.base_offset, header.last_offset(), header.record_count, codec));
            offset = header.next_offset();
        }
        if offset >= high_watermark || offset == before {
            return (rows, shapes);
        }
    }
}

/// Reads again and again until `done`.
fn read_until(client: &mut Raw, topic: &str, from: i64, done: impl Fn(&[Row]) -> bool) -> Vec<Row> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (rows, _) = read(client, topic, from);
        if done(&rows) {
            return rows;
        }
        assert!(Instant::now() < deadline, "the cleaner does not come to it: {rows:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn row(offset: i64, key: &str, value: &str) -> Row {
    (offset, key.to_owned(), Some(value.to_owned()))
}

#[test]
fn what_is_left_of_a_compacted_topic() {
    let mut broker = Broker::start(QUICK);
    let mut client = Raw::connect(broker.address());
    create(&mut client, "t", &[]);
    let mut producer = Producer { id: 71_000, next_sequence: 0 };
    let mut next = 0;
    let mut put = |client: &mut Raw, batch: Vec<u8>, records: i64| {
        assert_eq!(client.produce(&[("t", 0, &batch)]), [(0, next)]);
        next += records;
    };
    put(&mut client, at(-50, Codec::None, None, &[("a", Some("1")), ("b", Some("1")), ("c", Some("1"))]), 3);
    put(&mut client, at(-50, Codec::Gzip, None, &[("a", Some("2")), ("d", Some("1"))]), 2);
    put(
        &mut client,
        at(-50, Codec::Snappy, None, &[("e", Some("1")), ("b", Some("2")), ("e", Some("2"))]),
        3,
    );
    // Of the producer only the last batch is remembered, so only that one stays when it is empty.
    put(&mut client, at(-40, Codec::Lz4, Some(&mut producer), &[("p", Some("1"))]), 1);
    put(&mut client, at(-40, Codec::Lz4, Some(&mut producer), &[("p", Some("2")), ("p", Some("3"))]), 2);
    put(&mut client, at(-30, Codec::Zstd, None, &[("p", Some("4")), ("d", Some("2")), ("f", Some("1"))]), 3);
    put(&mut client, at(-20, Codec::None, None, &[("a", Some("3"))]), 1);
    // The active segment is not cleaned.
    put(&mut client, at(0, Codec::None, None, &[("a", Some("4")), ("f", Some("2")), ("a", Some("5"))]), 3);
    let expected = [
        row(2, "c", "1"),
        row(6, "b", "2"),
        row(7, "e", "2"),
        row(11, "p", "4"),
        row(12, "d", "2"),
        row(13, "f", "1"),
        row(14, "a", "3"),
        row(15, "a", "4"),
        row(16, "f", "2"),
        row(17, "a", "5"),
    ];
    let rows = read_until(&mut client, "t", 0, |rows| rows.len() <= expected.len());
    assert_eq!(rows, expected);
    let shapes = [
        (0, 2, 1, Codec::None),
        (5, 7, 2, Codec::Snappy),
        (9, 10, 0, Codec::None),
        (11, 13, 3, Codec::Zstd),
        (14, 14, 1, Codec::None),
        (15, 17, 3, Codec::None),
    ];
    assert_eq!(read(&mut client, "t", 0).1, shapes);
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        return;
    }
    for kill in [true, false] {
        let left = if kill { broker.kill() } else { broker.stop() };
        broker = Broker::again(left);
        client = Raw::connect(broker.address());
        assert_eq!(read(&mut client, "t", 0), (expected.to_vec(), shapes.to_vec()));
        // The producer is known, by the batch without records.
        let again = Producer { id: 71_000, next_sequence: 1 };
        let mut sent_again = again;
        let batch = at(-40, Codec::Lz4, Some(&mut sent_again), &[("p", Some("2")), ("p", Some("3"))]);
        assert_eq!(client.produce(&[("t", 0, &batch)]), [(0, 9)], "a batch sent again");
    }
}

#[test]
fn f20_a_tombstone_is_there_for_its_time_and_then_gone() {
    let broker = Broker::start(QUICK);
    let mut client = Raw::connect(broker.address());
    create(&mut client, "t", &[("delete.retention.ms", "4000")]);
    let mut next = 0;
    let mut put = |client: &mut Raw, minutes: i64, records: &[(&str, Option<&str>)]| {
        let batch = at(minutes, Codec::Lz4, None, records);
        assert_eq!(client.produce(&[("t", 0, &batch)]), [(0, next)]);
        next += records.len() as i64;
    };
    put(&mut client, -50, &[("k", Some("v")), ("other", Some("1"))]);
    put(&mut client, -40, &[("k", None)]);
    put(&mut client, -30, &[("roll", Some("1"))]);
    let k = |rows: &[Row]| -> Vec<Option<String>> {
        rows.iter().filter(|(_, key, _)| key == "k").map(|(.., value)| value.clone()).collect()
    };
    let rows = read_until(&mut client, "t", 0, |rows| k(rows).len() < 2);
    assert_eq!(k(&rows), [None], "first its value goes");
    // A log is cleaned when something in it is dirty.
    for minutes in -29..30 {
        put(&mut client, minutes, &[("roll", Some("again"))]);
        let deadline = Instant::now() + Duration::from_millis(400);
        while Instant::now() < deadline && !k(&read(&mut client, "t", 0).0).is_empty() {
            std::thread::sleep(Duration::from_millis(50));
        }
        if k(&read(&mut client, "t", 0).0).is_empty() {
            break;
        }
    }
    let rows = read_until(&mut client, "t", 0, |rows| k(rows).is_empty());
    assert_eq!(rows[0], row(1, "other", "1"));
    assert!(rows.iter().all(|(_, key, _)| key != "k"));
    put(&mut client, 31, &[("k", Some("back"))]);
    let rows = read(&mut client, "t", 0).0;
    assert_eq!(
        rows.last().map(|(_, key, value)| (key.as_str(), value.as_deref())),
        Some(("k", Some("back")))
    );
}

#[test]
fn a_policy_of_both_deletes_by_age_and_keeps_the_last_values() {
    let broker = Broker::start(&["log.cleaner.backoff.ms=100", "log.retention.check.interval.ms=200"]);
    let mut client = Raw::connect(broker.address());
    create(&mut client, "t", &[("cleanup.policy", "compact,delete"), ("retention.ms", "2400000")]);
    let old = at(-50, Codec::None, None, &[("a", Some("1")), ("b", Some("1"))]);
    let young = at(-30, Codec::None, None, &[("c", Some("1")), ("c", Some("2"))]);
    let roll = at(0, Codec::None, None, &[("roll", Some("1"))]);
    assert_eq!(client.produce(&[("t", 0, &old)]), [(0, 0)]);
    assert_eq!(client.produce(&[("t", 0, &young)]), [(0, 2)]);
    // Before the second segment is closed: compaction would make one of both, of the younger age.
    let deadline = Instant::now() + PATIENCE;
    while client.fetch("t", 0, 0, Limits::default()).0 != OFFSET_OUT_OF_RANGE {
        assert!(Instant::now() < deadline, "what is older than retention.ms is not deleted");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(client.produce(&[("t", 0, &roll)]), [(0, 4)]);
    let rows = read_until(&mut client, "t", 2, |rows| rows.len() == 2);
    assert_eq!(rows, [row(3, "c", "2"), row(4, "roll", "1")]);
}
