//! Topics that are cleaned soon: making them, filling them, reading what is left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{BatchBuilder, batches};

use crate::raw::{Limits, Raw, now_ms};

/// How long the cleaner may take.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const QUICK: &[&str] = &["log.cleaner.backoff.ms=100"];

/// A topic whose segments are rolled by the records' times and cleaned as soon as anything is dirty.
pub fn create(client: &mut Raw, topic: &str, more: &[(&str, &str)]) {
    let mut configs = BTreeMap::from([
        ("cleanup.policy", "compact"),
        ("min.cleanable.dirty.ratio", "0.01"),
        ("segment.ms", "60000"),
    ]);
    configs.extend(more.iter().copied());
    let configs: Vec<_> = configs.into_iter().collect();
    client.create_topic(topic, 1, &configs);
}

pub struct Producer {
    pub id: i64,
    pub next_sequence: i32,
}

/// One batch of records, all `minutes` from now.
pub fn at(
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

pub type Row = (i64, String, Option<String>);

/// Everything from `offset` on: the records, and (first offset, last offset, records, codec) of each batch.
pub fn read(client: &mut Raw, topic: &str, mut offset: i64) -> (Vec<Row>, Vec<(i64, i64, i32, Codec)>) {
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
pub fn read_until(client: &mut Raw, topic: &str, from: i64, done: impl Fn(&[Row]) -> bool) -> Vec<Row> {
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

pub fn row(offset: i64, key: &str, value: &str) -> Row {
    (offset, key.to_owned(), Some(value.to_owned()))
}
