//! F38: a roll of a segment costs the appends nothing: files are made, allocated, flushed and sealed behind them. In the
//! simulator, where each of these takes a tenth of a second and time is exact; what a roll costs on a real disk is measured in perf/.

use std::path::Path;
use std::time::Duration;

use millrace::log::LogSettings;
use millrace::runtime::sim::{Effect, Faults, OperationKind, Rule, World};

use crate::bench::{DISK, append, batch, make, read_all, small_settings, start};
use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Limits, Raw};

/// What is done to files at a roll, and never on the way of an append.
const AT_A_ROLL: [OperationKind; 7] = [
    OperationKind::Open,
    OperationKind::Allocate,
    OperationKind::Sync,
    OperationKind::SetLength,
    OperationKind::SyncDirectory,
    OperationKind::Rename,
    OperationKind::RemoveFile,
];
const SLOW: Duration = Duration::from_millis(100);

#[test]
fn f38_no_append_waits_for_a_roll() {
    for seed in 0..30 {
        let world = World::new(seed, Faults::none());
        world.disk().mount(Path::new(DISK), 64 << 20);
        let runtime = world.add_shard();
        let disk = world.disk();
        // Room in the journal for what is appended while a roll is under way, as there is in a real one.
        let (journal_bytes, journal_start_bytes, journal_live_bytes) = (16 << 20, 8 << 20, 4 << 20);
        let settings =
            LogSettings { journal_bytes, journal_start_bytes, journal_live_bytes, ..small_settings() };
        let rt = runtime.clone();
        world.block_on(&runtime, async move {
            let (manager, _) = start(&rt, &settings).await;
            let log = make(&manager, 1).await;
            for operation in AT_A_ROLL {
                for nth in 1..=400 {
                    let path_contains = "topic-1-0".to_owned();
                    disk.script(Rule { operation, path_contains, nth, effect: Effect::Slow(SLOW) });
                }
            }
            let mut end = 0;
            let now = rt.wall_clock_ms();
            let mut longest = 0;
            for number in 0..400 {
                let begin = rt.now_ns();
                end = append(&log, &rt, &batch(now + number, 1, 1500, number as u8)).await.unwrap();
                log.durable(end).await.unwrap();
                longest = longest.max(rt.now_ns() - begin);
                rt.sleep(Duration::from_millis(50)).await;
            }
            let rolls = manager.counters().rolls;
            assert!(rolls >= 5, "seed {seed}: {rolls} rolls");
            assert!(
                u128::from(longest) < SLOW.as_nanos() / 2,
                "seed {seed}: an append took {} ms of simulated time",
                longest / 1_000_000
            );
            assert_eq!(read_all(&rt, &log, end, 100_000).await.unwrap().len(), 400);
        });
    }
}

#[test]
fn f38_records_are_whole_over_many_rolls() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    // Small and large appends: through the journal, and past it.
    create_topic(&mut client, "t", 1, &[("segment.bytes", "1048576")]);
    let mut next = 0;
    for number in 0..120u32 {
        let size = if number % 3 == 0 { 600_000 } else { 2_000 };
        let records = crate::raw::batch(&[&vec![number as u8; size]]);
        assert_eq!(client.produce(&[("t", 0, &records)]), [(0, next)]);
        next += 1;
    }
    let segments = std::fs::read_dir(broker.directory().join("data/t-0")).expect("the partition").flatten();
    let segments = segments.filter(|entry| entry.file_name().to_string_lossy().ends_with(".log")).count();
    assert!(segments > 10, "{segments} segments");
    for offset in 0..next {
        let limits = Limits { partition_max_bytes: 1, ..Limits::default() };
        let (code, _, records) = client.fetch("t", 0, offset, limits);
        let size = if offset % 3 == 0 { 600_000 } else { 2_000 };
        assert!(code == 0 && records.len() > size, "offset {offset}");
        assert!(records[records.len() - size..records.len() - 1].iter().all(|byte| *byte == offset as u8));
    }
    assert_eq!(list_offset(&mut client, "t", 0, -1), (0, -1, next));
}
