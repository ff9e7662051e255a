//! The cleaner at work on the simulated disk, one scenario at a time; seeds with crashes are in tests/simulation.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::bench::*;
use crate::log::*;
use crate::protocol::codec::Codec;
use crate::protocol::record_batch::{Batch, BatchBuilder};
use crate::runtime::Runtime;
use crate::runtime::sim::{Faults, World};

fn world(seed: u64) -> World {
    let world = World::new(seed, Faults::none());
    world.disk().mount(Path::new(DISK), 64 << 20);
    world
}

fn settings() -> LogSettings {
    let cleaner = CleanerSettings { backoff_ms: 100, window_bytes: 16 << 10, ..CleanerSettings::default() };
    LogSettings { cleaner, ..small_settings() }
}

fn compacted() -> LogConfig {
    LogConfig {
        compact: true,
        delete: false,
        min_dirty_ratio: 0.01,
        delete_retention_ms: 5_000,
        ..small_config()
    }
}

fn record(codec: Codec, now_ms: i64, key: u32, value: Option<u32>) -> Vec<u8> {
    let mut builder = BatchBuilder::new(codec);
    let value = value.map(|value| [&value.to_be_bytes()[..], &[7; 300]].concat());
    builder.append(now_ms, Some(&key.to_be_bytes()), value.as_deref(), &[]);
    builder.build().unwrap()
}

/// The first four bytes of each value by key with the record's offset, as a reader from the start sees it.
async fn contents(runtime: &Runtime, log: &Log) -> BTreeMap<u32, Vec<(i64, Option<u32>)>> {
    let number = |bytes: &[u8]| u32::from_be_bytes(*bytes.first_chunk().unwrap());
    let mut all: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    let (mut offset, end) = (log.log_start_offset(), log.log_end_offset());
    while offset < end {
        let found = log.read(offset, 20_000, end, true).await.unwrap();
        if found.bytes == 0 {
            break;
        }
        let bytes = bytes_of(runtime, &found, log, offset).await;
        for batch in crate::protocol::record_batch::batches(&bytes) {
            let batch: Batch<'_> = batch.unwrap();
            batch.verify_crc().unwrap();
            let mut scratch = Vec::new();
            for record in batch.records(1 << 20, &mut scratch).unwrap().map(Result::unwrap) {
                let at = batch.header.base_offset + i64::from(record.offset_delta);
                all.entry(number(record.key.unwrap())).or_default().push((at, record.value.map(number)));
            }
            offset = batch.header.next_offset();
        }
    }
    all
}

#[test]
fn f20_a_tombstone_is_read_for_its_time_and_then_gone() {
    let world = world(2);
    let runtime = world.add_shard();
    let rt = runtime.clone();
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings()).await;
        let log = make(&manager, 1).await;
        log.set_config(compacted());
        let put = async |key, value| {
            append(&log, &rt, &record(Codec::Zstd, rt.wall_clock_ms(), key, value)).await.unwrap();
        };
        put(1, Some(1)).await;
        put(2, Some(2)).await;
        put(1, None).await;
        log.roll().unwrap();
        put(3, Some(3)).await;
        log.flush().await.unwrap();
        rt.sleep(Duration::from_secs(2)).await;
        let found = contents(&rt, &log).await;
        assert_eq!(found[&1], [(2, None)], "the tombstone is what is left of the key");
        // After its time the next pass takes it; a pass needs something dirty.
        rt.sleep(Duration::from_secs(5)).await;
        log.roll().unwrap();
        put(4, Some(4)).await;
        log.flush().await.unwrap();
        rt.sleep(Duration::from_secs(2)).await;
        let found = contents(&rt, &log).await;
        assert!(!found.contains_key(&1), "{found:?}");
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(log.log_end_offset(), 5);
    });
}

#[test]
fn what_is_said_of_the_cleaner_counts_at_once() {
    let world = world(3);
    let runtime = world.add_shard();
    let rt = runtime.clone();
    world.block_on(&runtime, async move {
        let rare = CleanerSettings { backoff_ms: 3_600_000, ..settings().cleaner };
        let (manager, _) = start(&rt, &LogSettings { cleaner: rare, ..settings() }).await;
        let log = make(&manager, 1).await;
        log.set_config(compacted());
        for value in 0..10 {
            append(&log, &rt, &record(Codec::None, rt.wall_clock_ms(), 1, Some(value))).await.unwrap();
        }
        log.roll().unwrap();
        append(&log, &rt, &record(Codec::None, rt.wall_clock_ms(), 2, Some(1))).await.unwrap();
        log.flush().await.unwrap();
        rt.sleep(Duration::from_secs(60)).await;
        assert_eq!(contents(&rt, &log).await[&1].len(), 10, "it pauses");
        manager.set_cleaner(settings().cleaner);
        rt.sleep(Duration::from_secs(2)).await;
        assert_eq!(contents(&rt, &log).await[&1], [(9, Some(9))]);
    });
}

#[test]
fn a_pass_ends_when_the_log_is_deleted_or_the_broker_stops() {
    for seed in 0..6 {
        let world = world(10 + seed);
        let runtime = world.add_shard();
        let rt = runtime.clone();
        world.block_on(&runtime, async move {
            // So slow that a pass is always under way.
            let cleaner = CleanerSettings { bytes_per_second: 50_000, ..settings().cleaner };
            let slow = LogSettings { cleaner, ..settings() };
            let (manager, recovery) = start(&rt, &slow).await;
            let log = make(&manager, 1).await;
            log.set_config(compacted());
            for number in 0..1_000u32 {
                append(&log, &rt, &record(Codec::None, rt.wall_clock_ms(), number % 3, Some(number)))
                    .await
                    .unwrap();
            }
            log.flush().await.unwrap();
            rt.sleep(Duration::from_millis(500 + 700 * seed)).await;
            if seed % 2 == 0 {
                manager.delete(topic_id(1), 0).await.unwrap();
                make(&manager, 1).await;
                assert_eq!(manager.get(topic_id(1), 0).unwrap().log_end_offset(), 0);
            } else {
                let offset = log.log_end_offset() - 10;
                log.truncate_to(offset).await.unwrap();
                assert_eq!(log.log_end_offset(), offset);
            }
            stop(&manager, &recovery, &rt).await;
        });
    }
}
