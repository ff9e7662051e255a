//! What survives, by hand and against a plain model.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::protocol::codec::Codec;
use crate::protocol::record_batch::{BatchBuilder, end_txn_batch, set_base_offset_and_epoch};

const NOW: i64 = 1_000_000;
const RETENTION: i64 = 1_000;

#[derive(Clone, Debug)]
struct Made {
    bytes: Vec<u8>,
}

fn records(base: i64, codec: Codec, records: &[(&str, Option<&str>)]) -> Made {
    producer(base, codec, None, records)
}

/// `of`: producer id, sequence, transactional.
fn producer(base: i64, codec: Codec, of: Option<(i64, i32, bool)>, records: &[(&str, Option<&str>)]) -> Made {
    let mut builder = BatchBuilder::new(codec);
    for (key, value) in records {
        let key = (!key.is_empty()).then_some(key.as_bytes());
        builder.append(500 + base, key, value.map(str::as_bytes), &[]);
    }
    if let Some((id, sequence, transactional)) = of {
        builder = builder.producer(id, 0, sequence).transactional(transactional);
    }
    let mut bytes = builder.build().unwrap();
    set_base_offset_and_epoch(&mut bytes, base, 3).unwrap();
    Made { bytes }
}

fn marker(base: i64, id: i64, commit: bool) -> Made {
    Made { bytes: end_txn_batch(base, 3, 500 + base, id, 0, 1, commit).unwrap() }
}

struct Pass {
    now_ms: i64,
    first_dirty: i64,
    last_records: BTreeMap<i64, LastRecord>,
    aborted: Vec<AbortedTransaction>,
    map_bytes: u64,
}

impl Default for Pass {
    fn default() -> Self {
        Self {
            now_ms: NOW,
            first_dirty: 0,
            last_records: BTreeMap::new(),
            aborted: Vec::new(),
            map_bytes: 1 << 20,
        }
    }
}

impl Pass {
    /// Cleans a log of one stretch; gives what is left and where the map ended.
    fn over(&self, log: &[u8], end: i64) -> (Left, i64) {
        let mut builder = MapBuilder::new(OffsetMap::new(self.map_bytes, 0.9, [1, 2]), self.first_dirty);
        builder.transactions.add_aborted(self.aborted.iter().copied());
        builder.take(log).unwrap();
        builder.reach(end);
        let latest = builder.map.latest_offset;
        let rules = Rules { now_ms: self.now_ms, delete_retention_ms: RETENTION, round_end: end };
        let mut filter = Filter::new(builder.map, rules);
        filter.transactions.add_aborted(self.aborted.iter().copied());
        filter.last_records.clone_from(&self.last_records);
        let left = filter.take(log).unwrap();
        assert_eq!(left.consumed, log.len());
        (left, latest)
    }
}

fn join(batches: &[Made]) -> Vec<u8> {
    batches.iter().flat_map(|made| made.bytes.iter().copied()).collect()
}

/// Offset, key and value of each record.
fn contents(bytes: &[u8]) -> Vec<(i64, String, Option<String>)> {
    let mut all = Vec::new();
    for batch in batches(bytes) {
        let batch = batch.unwrap();
        batch.verify_crc().unwrap();
        let mut scratch = Vec::new();
        for record in batch.records(1 << 20, &mut scratch).unwrap() {
            let record = record.unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let offset = batch.header.base_offset + i64::from(record.offset_delta);
            all.push((offset, record.key.map(text).unwrap_or_default(), record.value.map(text)));
        }
    }
    all
}

fn headers(bytes: &[u8]) -> Vec<BatchHeader> {
    batches(bytes).map(|batch| batch.unwrap().header).collect()
}

fn row(offset: i64, key: &str, value: Option<&str>) -> (i64, String, Option<String>) {
    (offset, key.to_owned(), value.map(ToOwned::to_owned))
}

#[test]
fn of_each_key_the_last_record_stays_in_its_place_and_codec() {
    for codec in Codec::ALL {
        let log = join(&[
            records(0, codec, &[("a", Some("1")), ("b", Some("1")), ("a", Some("2"))]),
            records(3, codec, &[("c", Some("1"))]),
            records(4, codec, &[("a", Some("3")), ("c", Some("2"))]),
            records(6, codec, &[("d", Some("1"))]),
        ]);
        let (left, latest) = Pass::default().over(&log, 7);
        assert_eq!(latest, 6);
        let expected =
            [row(1, "b", Some("1")), row(4, "a", Some("3")), row(5, "c", Some("2")), row(6, "d", Some("1"))];
        assert_eq!(contents(&left.bytes), expected);
        let found = headers(&left.bytes);
        assert_eq!(
            found.iter().map(|header| (header.base_offset, header.last_offset())).collect::<Vec<_>>(),
            [(0, 2), (4, 5), (6, 6)]
        );
        assert!(found.iter().all(|header| header.codec() == Ok(codec) && header.leader_epoch == 3));
        assert_eq!((left.records_read, left.records_kept, left.changed), (7, 4, true));
        assert_eq!(left.marks.iter().map(|mark| mark.last_offset).collect::<Vec<_>>(), [2, 5, 6]);
        let sum: u64 = left.marks.iter().map(|mark| u64::from(mark.size_bytes)).sum();
        assert_eq!(sum, left.bytes.len() as u64);
        // A second pass finds nothing to do and leaves every byte.
        let (again, _) = Pass::default().over(&left.bytes, 7);
        assert_eq!((again.bytes, again.changed), (left.bytes, false));
    }
}

#[test]
fn a_tombstone_stays_until_its_horizon_and_then_goes() {
    let log = join(&[
        records(0, Codec::Lz4, &[("a", Some("1")), ("b", Some("1"))]),
        records(2, Codec::Lz4, &[("a", None), ("c", Some("1"))]),
        records(4, Codec::None, &[("z", Some("1"))]),
    ]);
    let (first, _) = Pass::default().over(&log, 5);
    let kept = [row(1, "b", Some("1")), row(2, "a", None), row(3, "c", Some("1")), row(4, "z", Some("1"))];
    assert_eq!(contents(&first.bytes), kept);
    assert_eq!(headers(&first.bytes)[1].delete_horizon_ms(), Some(NOW + RETENTION));
    assert_eq!(headers(&first.bytes)[0].delete_horizon_ms(), None);
    let before = Pass { now_ms: NOW + RETENTION - 1, ..Pass::default() };
    let (second, _) = before.over(&first.bytes, 5);
    assert_eq!(second.bytes, first.bytes, "a horizon is set once");
    let after = Pass { now_ms: NOW + RETENTION, ..Pass::default() };
    let (third, _) = after.over(&second.bytes, 5);
    assert_eq!(
        contents(&third.bytes),
        [row(1, "b", Some("1")), row(3, "c", Some("1")), row(4, "z", Some("1"))]
    );
}

#[test]
fn records_without_a_key_go_and_what_the_map_has_not_seen_stays() {
    let log = join(&[
        records(0, Codec::None, &[("", Some("1")), ("a", Some("1"))]),
        records(2, Codec::None, &[("a", Some("2")), ("", Some("2")), ("x", Some("1"))]),
    ]);
    let (left, _) = Pass::default().over(&log, 5);
    assert_eq!(contents(&left.bytes), [row(2, "a", Some("2")), row(4, "x", Some("1"))]);
    // With a dirty part that begins later nothing below is looked up: the map has only what it has seen.
    let (left, _) = Pass { first_dirty: 4, ..Pass::default() }.over(&log, 5);
    assert_eq!(
        contents(&left.bytes),
        [row(1, "a", Some("1")), row(2, "a", Some("2")), row(4, "x", Some("1"))]
    );
}

#[test]
fn a_map_that_is_full_ends_the_pass_there() {
    let names: Vec<String> = (0..200).map(|number| format!("key{number}")).collect();
    let mut made = Vec::new();
    for (number, name) in names.iter().enumerate() {
        made.push(records(number as i64, Codec::None, &[(name, Some("old"))]));
    }
    for (number, name) in names.iter().enumerate() {
        made.push(records(200 + number as i64, Codec::None, &[(name, Some("new"))]));
    }
    let log = join(&made);
    let (left, latest) = Pass { map_bytes: 0, ..Pass::default() }.over(&log, 400);
    assert!((5..200).contains(&latest), "{latest}");
    assert_eq!(contents(&left.bytes).len(), 400, "nothing was written twice up to there");
    let rest = Pass { first_dirty: latest + 1, map_bytes: 1 << 20, ..Pass::default() };
    let (left, _) = rest.over(&left.bytes, 400);
    assert!(contents(&left.bytes).iter().all(|(offset, ..)| *offset >= 200));
}

#[test]
fn the_last_batch_of_a_producer_and_of_the_pass_stay_though_empty() {
    let log = join(&[
        producer(0, Codec::Zstd, Some((7, 0, false)), &[("a", Some("1"))]),
        producer(1, Codec::Zstd, Some((7, 1, false)), &[("a", Some("2")), ("b", Some("1"))]),
        records(3, Codec::None, &[("a", Some("3")), ("b", Some("2"))]),
        records(5, Codec::None, &[("c", None)]),
        records(6, Codec::None, &[("", Some("1"))]),
    ]);
    let last_records = BTreeMap::from([(7, LastRecord { last_data_offset: Some(2), producer_epoch: 0 })]);
    let (left, _) = Pass { last_records, ..Pass::default() }.over(&log, 7);
    let found = headers(&left.bytes);
    let shape: Vec<_> = found.iter().map(|h| (h.base_offset, h.last_offset(), h.record_count)).collect();
    assert_eq!(shape, [(1, 2, 0), (3, 4, 2), (5, 5, 1), (6, 6, 0)]);
    assert_eq!((found[0].producer_id, found[0].base_sequence, found[0].last_sequence()), (7, 1, 2));
    let (forgotten, _) = Pass::default().over(&log, 8);
    assert_eq!(headers(&forgotten.bytes).len(), 2);
}

#[test]
fn aborted_records_go_and_markers_follow_when_nothing_is_left() {
    let log = join(&[
        producer(0, Codec::None, Some((1, 0, true)), &[("a", Some("aborted"))]),
        producer(1, Codec::None, Some((2, 0, true)), &[("a", Some("committed"))]),
        marker(2, 1, false),
        marker(3, 2, true),
        records(4, Codec::None, &[("z", Some("1"))]),
    ]);
    let aborted =
        AbortedTransaction { producer_id: 1, first_offset: 0, last_offset: 2, last_stable_offset: 1 };
    let pass = |now_ms| Pass { now_ms, aborted: vec![aborted], ..Pass::default() };
    let (first, _) = pass(NOW).over(&log, 5);
    let offsets = |bytes: &[u8]| headers(bytes).iter().map(|h| h.base_offset).collect::<Vec<_>>();
    assert_eq!(offsets(&first.bytes), [1, 2, 3, 4], "the aborted record is gone, its marker stays");
    assert_eq!(first.aborted, [aborted]);
    assert_eq!(headers(&first.bytes)[1].delete_horizon_ms(), None);
    let (second, _) = pass(NOW).over(&first.bytes, 5);
    assert_eq!(second.aborted, []);
    assert_eq!(headers(&second.bytes)[1].delete_horizon_ms(), Some(NOW + RETENTION));
    let (third, _) = pass(NOW + RETENTION).over(&second.bytes, 5);
    assert_eq!(offsets(&third.bytes), [1, 3, 4]);
    let newer = join(&[Made { bytes: third.bytes }, records(5, Codec::None, &[("a", Some("new"))])]);
    let (fourth, _) = pass(NOW).over(&newer, 6);
    assert_eq!(offsets(&fourth.bytes), [3, 4, 5], "a marker goes one pass later than its records");
}

#[test]
fn damaged_bytes_are_an_error_and_never_rewritten() {
    let mut log = join(&[records(0, Codec::None, &[("a", Some("1")), ("a", Some("2"))])]);
    let last = log.len() - 3;
    log[last] ^= 1;
    assert!(MapBuilder::new(OffsetMap::new(1000, 0.9, [1, 2]), 0).take(&log).is_err());
    let rules = Rules { now_ms: 0, delete_retention_ms: 0, round_end: 2 };
    assert!(Filter::new(OffsetMap::new(1000, 0.9, [1, 2]), rules).take(&log).is_err());
}

type Row = (u8, Option<u8>);

proptest! {
    /// Several passes over a growing log, each from where the last one ended, come to the last value of each key.
    #[test]
    fn the_survivors_are_the_models(
        rounds in prop::collection::vec(
            prop::collection::vec(
                (0usize..5, prop::collection::vec((0u8..12, prop::option::weighted(0.8, any::<u8>())), 1..6)),
                1..12,
            ),
            1..5,
        ),
    ) {
        let mut log = Vec::new();
        let mut written: Vec<(i64, u8, Option<u8>)> = Vec::new();
        let (mut next, mut first_dirty, mut now_ms) = (0, 0, NOW);
        for round in rounds {
            for (codec, rows) in round {
                let rows: &[Row] = &rows;
                let texts: Vec<(String, Option<String>)> = rows
                    .iter()
                    .map(|(key, value)| (format!("k{key}"), value.map(|value| value.to_string())))
                    .collect();
                let borrowed: Vec<(&str, Option<&str>)> =
                    texts.iter().map(|(key, value)| (key.as_str(), value.as_deref())).collect();
                log.extend(records(next, Codec::ALL[codec], &borrowed).bytes);
                for (key, value) in rows {
                    written.push((next, *key, *value));
                    next += 1;
                }
            }
            let pass = Pass { now_ms, first_dirty, ..Pass::default() };
            let (left, latest) = pass.over(&log, next);
            prop_assert_eq!(latest, next - 1);
            log = left.bytes;
            first_dirty = next;
            now_ms += RETENTION / 2;
            let mut last = BTreeMap::new();
            for (offset, key, value) in &written {
                last.insert(*key, (*offset, *value));
            }
            let mut seen = BTreeSet::new();
            for (offset, key, value) in contents(&log) {
                let key: u8 = key[1..].parse().unwrap();
                let (expected, expected_value) = last[&key];
                prop_assert_eq!(offset, expected);
                prop_assert_eq!(value, expected_value.map(|value| value.to_string()));
                seen.insert(key);
            }
            // Only tombstones may be gone.
            for (key, (_, value)) in &last {
                prop_assert!(seen.contains(key) || value.is_none());
            }
        }
    }
}
