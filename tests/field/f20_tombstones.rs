//! F20: a tombstone is read for delete.retention.ms after the pass that made it the newest, and then it is gone.

use std::time::{Duration, Instant};

use millrace::protocol::codec::Codec;

use crate::broker::Broker;
use crate::client::{list_offset, until};
use crate::compacted::{QUICK, Row, at, create, read, read_until, row};
use crate::raw::Raw;

const TOPIC: &str = "f20";

pub fn a_tombstone_is_there_for_its_time(address: &str) {
    let mut client = Raw::connect(address);
    create(&mut client, TOPIC, &[("delete.retention.ms", "4000")]);
    // Apache Kafka answers before that.
    until("a partition that is served", || (list_offset(&mut client, TOPIC, 0, -1).0 == 0).then_some(()));
    let mut next = 0;
    let mut put = |client: &mut Raw, minutes: i64, records: &[(&str, Option<&str>)]| {
        let batch = at(minutes, Codec::Lz4, None, records);
        assert_eq!(client.produce(&[(TOPIC, 0, &batch)]), [(0, next)]);
        next += records.len() as i64;
    };
    put(&mut client, -50, &[("k", Some("v")), ("other", Some("1"))]);
    put(&mut client, -40, &[("k", None)]);
    put(&mut client, -30, &[("roll", Some("1"))]);
    let k = |rows: &[Row]| -> Vec<Option<String>> {
        rows.iter().filter(|(_, key, _)| key == "k").map(|(.., value)| value.clone()).collect()
    };
    let rows = read_until(&mut client, TOPIC, 0, |rows| k(rows).len() < 2);
    assert_eq!(k(&rows), [None], "first its value goes");
    // A log is cleaned when something in it is dirty.
    for minutes in -29..30 {
        put(&mut client, minutes, &[("roll", Some("again"))]);
        let deadline = Instant::now() + Duration::from_millis(400);
        while Instant::now() < deadline && !k(&read(&mut client, TOPIC, 0).0).is_empty() {
            std::thread::sleep(Duration::from_millis(50));
        }
        if k(&read(&mut client, TOPIC, 0).0).is_empty() {
            break;
        }
    }
    let rows = read_until(&mut client, TOPIC, 0, |rows| k(rows).is_empty());
    assert_eq!(rows[0], row(1, "other", "1"));
    assert!(rows.iter().all(|(_, key, _)| key != "k"));
    put(&mut client, 31, &[("k", Some("back"))]);
    let rows = read(&mut client, TOPIC, 0).0;
    assert_eq!(
        rows.last().map(|(_, key, value)| (key.as_str(), value.as_deref())),
        Some(("k", Some("back")))
    );
}

#[test]
fn f20_a_tombstone_is_there_for_its_time_and_then_gone() {
    a_tombstone_is_there_for_its_time(Broker::start(QUICK).address());
}
