//! F08: times of the far future (microseconds taken for milliseconds) are refused, or, where a topic allows them, do not
//! keep records for ever; and a log that stamps records itself keeps no time of a client.

use std::time::Duration;

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::batches;

use crate::broker::Broker;
use crate::client::{create_topic, list_offset, until};
use crate::kafka::{Kafka, SETTINGS};
use crate::raw::{Limits, Raw, batch_with, now_ms};

const INVALID_TIMESTAMP: i16 = 32;
const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
const TEN_YEARS_MS: i64 = 10 * 365 * 24 * HOUR_MS;
/// Where a batch has its largest time.
const MAX_TIMESTAMP: std::ops::Range<usize> = 35..43;

pub fn times_too_far_away_are_refused(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f08", 1, &[]);
    let now = now_ms();
    for codec in [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        for time in [now * 1000, now + TEN_YEARS_MS, now + HOUR_MS + MINUTE_MS, i64::MAX] {
            // Alone, and as one of several.
            for records in [vec![(time, &b"v"[..])], vec![(now, b"a"), (time, b"b"), (now, b"c")]] {
                let results = client.produce(&[("f08", 0, &batch_with(codec, &records))]);
                assert_eq!(
                    results,
                    [(INVALID_TIMESTAMP, -1)],
                    "{codec:?}, {time}, {} records",
                    records.len()
                );
            }
        }
    }
    assert_eq!(list_offset(&mut client, "f08", 0, -1), (0, -1, 0), "nothing is stored");
    // Within the hour it is the client's business, and the past always.
    let records = [(now + HOUR_MS - MINUTE_MS, &b"a"[..]), (now - TEN_YEARS_MS, b"b"), (0, b"c")];
    assert_eq!(client.produce(&[("f08", 0, &batch_with(Codec::None, &records))]), [(0, 0)]);
    // Topics have bounds of their own, either way.
    create_topic(&mut client, "f08-any", 1, &[("message.timestamp.after.max.ms", "9223372036854775807")]);
    let far = batch_with(Codec::None, &[(now * 1000, b"v")]);
    assert_eq!(client.produce(&[("f08-any", 0, &far)]), [(0, 0)]);
    create_topic(&mut client, "f08-late", 1, &[("message.timestamp.before.max.ms", "60000")]);
    let late = batch_with(Codec::None, &[(now - 2 * MINUTE_MS, b"v")]);
    assert_eq!(client.produce(&[("f08-late", 0, &late)]), [(INVALID_TIMESTAMP, -1)]);
}

pub fn log_append_time_leaves_no_time_of_a_client(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f08-stamped", 1, &[("message.timestamp.type", "LogAppendTime")]);
    let before = now_ms();
    // Bounds are no matter there.
    let times = [before * 1000, before - TEN_YEARS_MS, i64::MAX];
    let mut next = 0;
    for codec in [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        let records: Vec<(i64, &[u8])> = times.iter().map(|time| (*time, &b"v"[..])).collect();
        let results = client.produce(&[("f08-stamped", 0, &batch_with(codec, &records))]);
        assert_eq!(results, [(0, next)], "{codec:?}");
        next += 3;
    }
    let after = now_ms() + 1000;
    let ours = before - 1000..=after;
    let (code, time, _) = list_offset(&mut client, "f08-stamped", 0, -3);
    assert!(code == 0 && ours.contains(&time), "the largest time: {time}");
    assert_eq!(list_offset(&mut client, "f08-stamped", 0, after + MINUTE_MS), (0, -1, -1));
    let first = list_offset(&mut client, "f08-stamped", 0, before - TEN_YEARS_MS);
    assert!(first.0 == 0 && ours.contains(&first.1) && first.2 == 0, "{first:?}");
    let (_, _, records) = client.fetch("f08-stamped", 0, 0, Limits::default());
    for batch in batches(&records) {
        let batch = batch.expect("a batch");
        assert!(batch.verify_crc().is_ok());
        let time = i64::from_be_bytes(batch.bytes[MAX_TIMESTAMP].try_into().unwrap());
        assert!(ours.contains(&time), "the time that stands in the batch: {time}");
        assert_ne!(batch.bytes[22] & 8, 0, "says that the log has stamped it");
    }
}

#[test]
fn f08_a_time_in_the_far_future_is_refused() {
    times_too_far_away_are_refused(Broker::start(&[]).address());
}

#[test]
fn f08_log_append_time_leaves_no_time_of_a_client() {
    log_append_time_leaves_no_time_of_a_client(Broker::start(&[]).address());
}

/// Records of ten years ahead where that is allowed, and retention that is over: whether the log's start moves.
fn is_deleted(address: &str, patience: Duration) -> bool {
    let mut client = Raw::connect(address);
    let configs = [
        ("message.timestamp.after.max.ms", "9223372036854775807"),
        ("retention.ms", "1500"),
        ("segment.ms", "500"),
        ("file.delete.delay.ms", "0"),
    ];
    create_topic(&mut client, "f08-kept", 1, &configs);
    // Time goes on at the producer too: segments are rolled by the times of records.
    let begin = std::time::Instant::now();
    let mut end = 0;
    while begin.elapsed() < patience {
        let records = batch_with(Codec::None, &[(now_ms() + TEN_YEARS_MS, b"v")]);
        assert_eq!(client.produce(&[("f08-kept", 0, &records)]), [(0, end)]);
        end += 1;
        std::thread::sleep(Duration::from_millis(200));
        if list_offset(&mut client, "f08-kept", 0, -2).2 > 0 {
            return true;
        }
    }
    false
}

#[test]
fn f08_retention_goes_by_the_time_of_appending() {
    let broker = Broker::start(&["log.retention.check.interval.ms=300"]);
    let ours = is_deleted(broker.address(), Duration::from_secs(30));
    match Kafka::start(SETTINGS) {
        Ok(kafka) => {
            let theirs = is_deleted(&kafka.address, Duration::from_secs(8));
            eprintln!(
                "records of ten years ahead, retention over: deleted by ours: {ours}, by Kafka: {theirs}"
            );
        }
        Err(why) => eprintln!("skipped: beside Apache Kafka: {why}"),
    }
    assert!(ours, "a record of the far future is kept for ever");
}

/// When it was appended is not forgotten at a restart, by a stop or by a kill.
#[test]
fn f08_retention_goes_by_the_time_of_appending_after_a_restart_too() {
    let mut broker = Broker::start(&["log.retention.check.interval.ms=300"]);
    let mut client = Raw::connect(broker.address());
    let configs = [
        ("message.timestamp.after.max.ms", "9223372036854775807"),
        ("retention.ms", "3000"),
        ("segment.ms", "1"),
        ("file.delete.delay.ms", "0"),
    ];
    create_topic(&mut client, "f08-again", 1, &configs);
    let far = || batch_with(Codec::None, &[(now_ms() + TEN_YEARS_MS, b"v")]);
    let mut end = 0;
    for killed in [false, true] {
        let mut client = Raw::connect(broker.address());
        for _ in 0..3 {
            // Each in a segment of its own: the times of records roll it.
            assert_eq!(client.produce(&[("f08-again", 0, &far())]), [(0, end)]);
            end += 1;
            std::thread::sleep(Duration::from_millis(5));
        }
        broker = Broker::again(if killed { broker.kill() } else { broker.stop() });
        let mut client = Raw::connect(broker.address());
        until("what was there before the start is deleted", || {
            (list_offset(&mut client, "f08-again", 0, -2).2 == end).then_some(())
        });
    }
}

#[test]
fn f08_retention_of_true_times_is_as_ever() {
    let broker = Broker::start(&["log.retention.check.interval.ms=100"]);
    let mut client = Raw::connect(broker.address());
    let configs = [("retention.ms", "600000"), ("segment.ms", "300")];
    create_topic(&mut client, "t", 1, &configs);
    // Older than what is kept: deleted though it came just now. Younger: kept.
    let old = batch_with(Codec::None, &[(now_ms() - HOUR_MS, b"v")]);
    let young = batch_with(Codec::None, &[(now_ms() - MINUTE_MS, b"v")]);
    assert_eq!(client.produce(&[("t", 0, &old)]), [(0, 0)]);
    std::thread::sleep(Duration::from_millis(400));
    until("the old one is deleted", || {
        client.produce(&[("t", 0, &young)]);
        (list_offset(&mut client, "t", 0, -2).2 > 0).then_some(())
    });
    let start = list_offset(&mut client, "t", 0, -2).2;
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(list_offset(&mut client, "t", 0, -2).2, start, "the young ones are kept");
}
