//! What the engine must do, one scenario at a time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bench::*;
use crate::log::*;
use crate::protocol::Uuid;
use crate::protocol::codec::Codec;
use crate::protocol::record_batch::{BatchBuilder, end_txn_batch};
use crate::runtime::sim::{Faults, World};

fn world(seed: u64) -> World {
    let world = World::new(seed, Faults::none());
    world.disk().mount(Path::new(DISK), 64 << 20);
    world
}

#[test]
fn records_come_back_as_they_went_in() {
    let world = world(1);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        for number in 0..20 {
            let end = append(&log, &rt, &batch(1000 + number, 3, 100, number as u8)).await.unwrap();
            assert_eq!(end, (number + 1) * 3);
        }
        log.flush().await.unwrap();
        assert_eq!(log.durable_end_offset(), 60);
        assert_eq!(read_all(&rt, &log, 60, 1000).await.unwrap().len(), 20);
        let part = log.read(31, 100, 60, true).await.unwrap();
        assert_eq!(part.next_offset, Some(33));
    });
}

#[test]
fn what_was_acknowledged_outlives_a_power_cut() {
    for seed in 0..20 {
        let world = world(seed);
        let runtime = world.add_shard();
        let (rt, settings) = (runtime.clone(), small_settings());
        world.block_on(&runtime, async move {
            let (manager, _) = start(&rt, &settings).await;
            let log = make(&manager, 1).await;
            for number in 0..200 {
                let end = append(&log, &rt, &batch(number, 2, 700, number as u8)).await.unwrap();
                log.durable(end).await.unwrap();
            }
        });
        drop(runtime);
        world.crash();
        let runtime = world.add_shard();
        let (rt, settings) = (runtime.clone(), small_settings());
        world.block_on(&runtime, async move {
            let (manager, _) = start(&rt, &settings).await;
            let log = manager.get(topic_id(1), 0).unwrap();
            assert!(log.error().is_none(), "{:?}", log.error());
            assert_eq!(log.log_end_offset(), 400);
            assert_eq!(read_all(&rt, &log, 400, 9000).await.unwrap().len(), 200);
        });
    }
}

#[test]
fn a_clean_stop_needs_no_journal_and_goes_on() {
    let world = world(3);
    for round in 0..4i64 {
        let runtime = world.add_shard();
        let (rt, settings) = (runtime.clone(), small_settings());
        world.block_on(&runtime, async move {
            let (manager, recovery) = start(&rt, &settings).await;
            let log = match manager.get(topic_id(1), 0) {
                Some(log) => {
                    assert!(recovery.was_clean);
                    assert_eq!(recovery.statistics.scanned_bytes, 0);
                    log
                }
                None => make(&manager, 1).await,
            };
            assert_eq!(log.log_end_offset(), round * 150);
            for number in 0..50 {
                append(&log, &rt, &batch(number, 3, 333, round as u8)).await.unwrap();
            }
            stop(&manager, &recovery, &rt).await;
        });
        drop(runtime);
        if round % 2 == 0 { world.kill() } else { drop(world.crash()) }
    }
}

#[test]
fn an_idle_tail_is_sealed_and_goes_on() {
    let world = world(4);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        for round in 0..5 {
            let now = rt.wall_clock_ms();
            append(&log, &rt, &batch(now, 2, 900, round as u8)).await.unwrap();
            log.flush().await.unwrap();
            rt.sleep(Duration::from_secs(10)).await;
            assert!(log.segments()[0].sealed);
            assert_eq!(manager.memory_bytes(), 0, "an idle partition keeps no chunk");
        }
        assert_eq!(manager.counters().seals, 5);
        assert_eq!(read_all(&rt, &log, 10, 900).await.unwrap().len(), 5);
    });
}

#[test]
fn a_failed_journal_write_takes_the_directory_offline() {
    use crate::runtime::sim::{Effect, OperationKind, Rule};
    let world = world(5);
    let runtime = world.add_shard();
    let disk = world.disk();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        append(&log, &rt, &batch(1, 1, 10, 1)).await.unwrap();
        log.flush().await.unwrap();
        disk.script(Rule {
            operation: OperationKind::DurableWrite,
            path_contains: "journal".into(),
            nth: 1,
            effect: Effect::Error(libc::EIO),
        });
        append(&log, &rt, &batch(1, 1, 10, 2)).await.unwrap();
        assert!(matches!(log.flush().await, Err(LogError::Storage(_))));
        assert!(matches!(append(&log, &rt, &batch(1, 1, 10, 2)).await, Err(LogError::Storage(_))));
        assert!(manager.directories()[0].offline.is_some());
    });
}

#[test]
fn a_full_disk_refuses_appends_and_recovers() {
    let world = world(6);
    let runtime = world.add_shard();
    let disk = world.disk();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        append(&log, &rt, &batch(1, 1, 10, 1)).await.unwrap();
        let used = disk.used_bytes(Path::new(DISK));
        disk.set_capacity(Path::new(DISK), used + (100 << 10));
        rt.sleep(Duration::from_secs(3)).await;
        assert!(matches!(append(&log, &rt, &batch(1, 1, 10, 1)).await, Err(LogError::DiskFull)));
        disk.set_capacity(Path::new(DISK), 64 << 20);
        rt.sleep(Duration::from_secs(3)).await;
        append(&log, &rt, &batch(1, 1, 10, 1)).await.unwrap();
        log.flush().await.unwrap();
    });
}

#[test]
fn a_deleted_partition_can_be_made_again() {
    let world = world(7);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        append(&log, &rt, &batch(1, 4, 10, 1)).await.unwrap();
        log.flush().await.unwrap();
        manager.delete(topic_id(1), 0).await.unwrap();
        assert!(matches!(append(&log, &rt, &batch(1, 1, 10, 2)).await, Err(LogError::Closed)));
        let again = make(&manager, 1).await;
        assert_eq!(again.log_end_offset(), 0);
        append(&again, &rt, &batch(1, 1, 10, 2)).await.unwrap();
        again.flush().await.unwrap();
    });
    drop(runtime);
    world.crash();
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, recovery) = start(&rt, &settings).await;
        assert!(recovery.orphans.is_empty());
        assert_eq!(manager.get(topic_id(1), 0).unwrap().log_end_offset(), 1);
    });
}

#[test]
fn a_moved_log_serves_on_the_other_shard_only() {
    let world = world(8);
    let (first, second) = (world.add_shard(), world.add_shard());
    let (rt, other, settings) = (first.clone(), second.clone(), small_settings());
    world.block_on(&first, async move {
        let (manager, recovery) = start(&rt, &settings).await;
        let mut directories = recovery.directories.clone();
        directories[0].id = manager.directories()[0].id;
        let neighbour = LogManager::open(&other, 1, settings.clone(), directories).await.unwrap();
        let log = make(&manager, 1).await;
        append(&log, &rt, &batch(1, 4, 1000, 1)).await.unwrap();
        let moved = manager.export(topic_id(1), 0).await.unwrap();
        assert!(matches!(log.error(), Some(LogError::Closed)));
        let log = neighbour.import(moved).await.unwrap();
        append(&log, &other, &batch(1, 4, 1000, 2)).await.unwrap();
        log.flush().await.unwrap();
    });
    drop((first, second));
    world.crash();
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = manager.get(topic_id(1), 0).unwrap();
        assert_eq!(log.log_end_offset(), 8);
        assert_eq!(read_all(&rt, &log, 8, 100).await.unwrap().len(), 2);
    });
}

#[test]
fn retention_deletes_by_size_and_by_time() {
    let world = world(9);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        log.set_config(LogConfig { retention_bytes: Some(200 << 10), ..small_config() });
        let now = rt.wall_clock_ms();
        for _ in 0..60 {
            let end = append(&log, &rt, &batch(now, 1, 10_000, 1)).await.unwrap();
            log.durable(end).await.unwrap();
        }
        rt.sleep(Duration::from_secs(5)).await;
        assert!(log.log_start_offset() > 0);
        assert!(log.size_bytes() < (200 << 10) + (96 << 10), "{}", log.size_bytes());
        log.set_config(LogConfig { retention_ms: Some(60_000), ..small_config() });
        rt.sleep(Duration::from_secs(90)).await;
        assert_eq!(log.log_start_offset(), 60);
        assert_eq!(log.size_bytes(), 0);
        let end = append(&log, &rt, &batch(now, 1, 100, 1)).await.unwrap();
        assert_eq!(end, 61);
    });
}

#[test]
fn offsets_are_found_by_time() {
    let world = world(10);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        for number in 0..100 {
            append(&log, &rt, &batch(10_000 + number * 100, 5, 900, 1)).await.unwrap();
        }
        log.flush().await.unwrap();
        assert!(log.segments().len() > 2);
        for number in [0i64, 1, 50, 99] {
            let found = log.offset_for_timestamp(10_000 + number * 100 + 2).await.unwrap().unwrap();
            assert_eq!((found.offset, found.timestamp_ms), (number * 5 + 2, 10_000 + number * 100 + 2));
        }
        let exact = log.offset_for_timestamp(10_050).await.unwrap().unwrap();
        assert_eq!((exact.offset, exact.timestamp_ms), (5, 10_100));
        assert!(log.offset_for_timestamp(99_999).await.unwrap().is_none());
        let largest = log.offset_of_max_timestamp().await.unwrap().unwrap();
        assert_eq!((largest.offset, largest.timestamp_ms), (499, 10_000 + 9900 + 4));
    });
}

#[test]
fn a_directory_that_was_never_formatted_gets_an_id_and_keeps_it() {
    let world = world(11);
    let mut ids: Vec<Uuid> = Vec::new();
    for _ in 0..2 {
        let runtime = world.add_shard();
        let (rt, settings) = (runtime.clone(), small_settings());
        let id = world.block_on(&runtime, async move {
            let (manager, _) = start_at(&rt, &settings, &[PathBuf::from(DISK)]).await;
            manager.directories()[0].id
        });
        ids.push(id);
        drop(runtime);
        world.crash();
    }
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], Uuid::ZERO);
}

#[test]
fn a_transaction_that_ended_above_the_high_watermark_is_not_decided_by_a_move_or_a_cut() {
    let world = world(12);
    let runtime = world.add_shard();
    let (rt, settings) = (runtime.clone(), small_settings());
    world.block_on(&runtime, async move {
        let (manager, _) = start(&rt, &settings).await;
        let log = make(&manager, 1).await;
        log.set_high_watermark(0);
        let mut builder = BatchBuilder::new(Codec::None).producer(5, 0, 0).transactional(true);
        builder.append(1, Some(b"key"), Some(b"value"), &[]);
        append(&log, &rt, &builder.build().unwrap()).await.unwrap();
        append(&log, &rt, &end_txn_batch(0, 0, 1, 5, 0, 1, true).unwrap()).await.unwrap();
        assert_eq!(log.first_unstable_offset(), Some(0), "a cut may still take the marker");

        let moved = manager.export(topic_id(1), 0).await.unwrap();
        let log = manager.import(moved).await.unwrap();
        assert_eq!(log.first_unstable_offset(), Some(0));

        // The roll's snapshot lies behind the marker and does not tell of it.
        log.roll().unwrap();
        append(&log, &rt, &batch(2, 4, 10, 1)).await.unwrap();
        append(&log, &rt, &batch(2, 4, 10, 1)).await.unwrap();
        log.flush().await.unwrap();
        log.truncate_to(6).await.unwrap();
        assert_eq!(log.first_unstable_offset(), Some(0));
        log.truncate_to(1).await.unwrap();
        assert_eq!(log.first_unstable_offset(), Some(0), "the transaction is open again");
        append(&log, &rt, &end_txn_batch(0, 0, 1, 5, 0, 1, true).unwrap()).await.unwrap();
        log.set_high_watermark(2);
        assert_eq!(log.first_unstable_offset(), None);
    });
}

#[test]
fn a_read_of_a_log_that_is_deleted_meanwhile_says_so_and_no_other_error() {
    for seed in 0..20 {
        let world = world(seed);
        let runtime = world.add_shard();
        // Nothing closed is kept in memory, and there are more segments than files may be open: a read opens one.
        let (rt, settings) = (runtime.clone(), LogSettings { tail_cache_bytes: 0, ..small_settings() });
        world.block_on(&runtime, async move {
            let (manager, _) = start(&rt, &settings).await;
            let log = make(&manager, 1).await;
            for number in 0..24 {
                let records = batch(rt.wall_clock_ms(), 4, 1000, number);
                append(&log, &rt, &records).await.unwrap();
                log.roll().unwrap();
            }
            log.flush().await.unwrap();
            rt.sleep(Duration::from_secs(1)).await;
            let (reader, turns) = (log.clone(), rt.clone());
            let ended = rt.spawn(async move {
                for number in (0..24).cycle() {
                    match reader.read(number * 4, 2_000, 96, true).await {
                        Ok(found) => assert!(found.bytes > 0),
                        Err(error) => return error,
                    }
                    turns.yield_now().await;
                }
                unreachable!("the cycle has no end");
            });
            rt.sleep(Duration::from_micros(seed * 137)).await;
            manager.delete(topic_id(1), 0).await.unwrap();
            let error = ended.await;
            assert!(matches!(error, LogError::Closed), "{error}");
        });
    }
}
