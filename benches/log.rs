//! What the log engine costs on one shard of the real platform: a chunk append, a journal group, an index look-up.
//!
//! `cargo bench --bench log`. Prints processor time beside wall time: on a shared machine the former is what counts.

use std::rc::Rc;
use std::time::Instant;

use millrace::log::index::OffsetIndex;
use millrace::log::{Log, LogConfig, LogManager, LogSettings, PartitionSpec, recover};
use millrace::protocol::Uuid;
use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::BatchBuilder;
use millrace::runtime::shards::run_one;

fn cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Runs `work`, which gives how many it did and how many bytes, and prints both times for each.
async fn measure(name: &str, work: impl AsyncFnOnce() -> (u64, u64)) {
    let (cpu, wall) = (cpu_ns(), Instant::now());
    let (count, bytes) = work().await;
    let (cpu, wall) = (cpu_ns() - cpu, wall.elapsed());
    println!(
        "{name:<60} {:>9.3} us CPU each, {:>9.3} us, {:>8.3} ms CPU/MB, {:>10.0}/s",
        cpu as f64 / 1e3 / count as f64,
        wall.as_secs_f64() * 1e6 / count as f64,
        cpu as f64 / 1e6 / (bytes as f64 / 1e6).max(1e-9),
        count as f64 / wall.as_secs_f64()
    );
}

fn batch(records: usize, value_bytes: usize) -> Vec<u8> {
    let value = vec![b'v'; value_bytes];
    let mut builder = BatchBuilder::new(Codec::None);
    for _ in 0..records {
        builder.append(1_700_000_000_000, None, Some(&value), &[]);
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Appends `batch` to the logs in turn, `at_once` between two waits for the flush.
async fn append(logs: &[Log], batch: &[u8], total: u64, at_once: usize) -> (u64, u64) {
    let mut done = 0;
    let mut next = 0;
    while done < total {
        let mut last = None;
        for _ in 0..at_once {
            let log = &logs[next % logs.len()];
            next += 1;
            let _room = match log.try_reserve(batch.len()) {
                Some(room) => room,
                None => log.reserve(batch.len()).await.unwrap_or_else(|error| panic!("{error}")),
            };
            let appended =
                log.append_as_leader(batch, 1, 1_700_000_000_000).unwrap_or_else(|error| panic!("{error}"));
            last = Some((log, appended.last_offset + 1));
            done += 1;
        }
        if let Some((log, end)) = last {
            log.durable(end).await.unwrap_or_else(|error| panic!("{error}"));
        }
    }
    (done, done * batch.len() as u64)
}

fn main() {
    // `cargo test --all-targets` runs benches too: then there is nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap_or_else(|error| panic!("{error}"));
    let path = folder.path().to_owned();
    run_one(move |runtime| async move {
        let settings = LogSettings::default();
        let mut directories = recover(&runtime, &[path], &settings).await.directories;
        for directory in &mut directories {
            directory.format(&runtime, "bench-cluster", 1).await.unwrap_or_else(|error| panic!("{error}"));
        }
        let directory = directories[0].id;
        let manager = LogManager::open(&runtime, 0, settings, directories)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let specs = (0..2000)
            .map(|partition| PartitionSpec {
                topic: "bench".into(),
                topic_id: Uuid([9; 16]),
                partition,
                directory,
                config: LogConfig::default(),
            })
            .collect();
        let logs: Vec<Log> = manager.create(specs).await.into_iter().filter_map(Result::ok).collect();
        assert_eq!(logs.len(), 2000);
        let logs = Rc::new(logs);
        let (small, large) = (batch(1, 100), batch(61, 1024));
        measure("append 100 B, each waited for (a journal group)", async || {
            append(&logs[..1], &small, 5_000, 1).await
        })
        .await;
        measure("append 100 B, 64 partitions in a group", async || {
            append(&logs[..64], &small, 200_000, 64).await
        })
        .await;
        measure("append 100 B, 2,000 partitions, 256 in a group", async || {
            append(&logs, &small, 500_000, 256).await
        })
        .await;
        measure("append 64 KiB, 1 partition, 4 at once", async || append(&logs[..1], &large, 8_000, 4).await)
            .await;
        measure("append 64 KiB, 16 partitions, 16 at once", async || {
            append(&logs[..16], &large, 16_000, 16).await
        })
        .await;
        let log = logs[0].clone();
        let (start, end) = (log.log_start_offset(), log.log_end_offset());
        measure("read at random offsets (index look-up and header walk)", async || {
            let mut state = 88172645463325252_u64;
            for _ in 0..20_000 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let offset = start + (state % (end - start) as u64) as i64;
                log.read(offset, 4096, end, true).await.unwrap_or_else(|error| panic!("{error}"));
            }
            (20_000, 0)
        })
        .await;
        manager.shutdown().await;
    });
    let mut index = OffsetIndex::new(0);
    for entry in 0..100_000 {
        index.append(entry * 10, (entry * 4096) as u32).unwrap_or_else(|error| panic!("{error}"));
    }
    let (cpu, count) = (cpu_ns(), 2_000_000);
    let mut sum = 0u64;
    for number in 0..count {
        sum = sum.wrapping_add(u64::from(index.view().lookup((number * 7919) % 1_000_000).position));
    }
    println!(
        "{:<60} {:>9.3} us CPU each ({sum})",
        "offset index look-up in 100,000 entries",
        (cpu_ns() - cpu) as f64 / 1e3 / count as f64
    );
}
