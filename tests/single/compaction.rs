//! Compacted topics: what is left of them when they have been cleaned. (Tombstones and records without a key: tests/field,
//! F20 and F07.)
//!
//! What is expected is what Apache Kafka leaves of the same batches: run with `MILLRACE_TEST_ADDRESS` against one that has
//! `log.cleaner.backoff.ms=100` (see `broker`).

use std::time::{Duration, Instant};

use millrace::protocol::codec::Codec;

use crate::broker::Broker;
use crate::compacted::{PATIENCE, Producer, QUICK, at, create, read, read_until, row};
use crate::raw::{Limits, Raw};

const OFFSET_OUT_OF_RANGE: i16 = 1;

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
