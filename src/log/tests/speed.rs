//! What the engine costs on a real disk. Run with: cargo test --release --lib log::tests::speed -- --ignored --nocapture

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::bench::{batch, start_at};
use crate::log::*;
use crate::protocol::Uuid;
use crate::runtime::Runtime;
use crate::runtime::shards::run_one;

fn cpu_ns() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills the struct it is given.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
    ns(usage.ru_utime) + ns(usage.ru_stime)
}

fn directory() -> PathBuf {
    let base = std::env::var("SPEED_DIR").unwrap_or_else(|_| "/var/tmp".to_owned());
    let path = PathBuf::from(base).join(format!("millrace-speed-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

async fn partitions(manager: &LogManager, count: i32) -> Vec<Log> {
    let specs = (0..count)
        .map(|partition| PartitionSpec {
            topic: Arc::from("speed"),
            topic_id: Uuid([9; 16]),
            partition,
            directory: manager.directories()[0].id,
            config: LogConfig::default(),
        })
        .collect();
    manager.create(specs).await.into_iter().map(Result::unwrap).collect()
}

fn report(name: &str, counters: &LogCounters, appends: u64, bytes: u64, wall_ns: u64, cpu: u64) {
    println!(
        "{name}: {:.0}/s, {:.0} MB/s, CPU {:.3} us an append, {:.3} ms/MB; {} groups of {:.0} entries, {:.1} KB; \
         journal {:.2}x segments {:.2}x zeroed {:.2}x bypass {} carried {:.2}x seals {} checkpoints {}",
        appends as f64 / (wall_ns as f64 / 1e9),
        bytes as f64 / 1e6 / (wall_ns as f64 / 1e9),
        cpu as f64 / 1e3 / appends as f64,
        cpu as f64 / bytes as f64,
        counters.groups,
        counters.group_entries as f64 / counters.groups.max(1) as f64,
        counters.group_bytes as f64 / 1e3 / counters.groups.max(1) as f64,
        counters.journal_bytes as f64 / bytes as f64,
        counters.segment_bytes as f64 / bytes as f64,
        counters.zeroed_bytes as f64 / bytes as f64,
        counters.bypass_writes,
        counters.carried_bytes as f64 / bytes as f64,
        counters.seals,
        counters.checkpoints,
    );
}

async fn load(
    rt: Runtime,
    name: &'static str,
    count: i32,
    record: usize,
    records: usize,
    total: u64,
    settings: LogSettings,
) {
    let path = directory();
    let (manager, _) = start_at(&rt, &settings, std::slice::from_ref(&path)).await;
    let begun = rt.now_ns();
    let logs = partitions(&manager, count).await;
    println!("{count} partitions made in {:.3} s", (rt.now_ns() - begun) as f64 / 1e9);
    let data = batch(rt.wall_clock_ms(), records, record, 7);
    let (started, cpu) = (rt.now_ns(), cpu_ns());
    let (mut sent, mut latency) = (0u64, Vec::new());
    let burst = (total / 64 / data.len() as u64).clamp(1, 2000);
    let mut next = 0;
    while sent * (data.len() as u64) < total {
        let begun = rt.now_ns();
        let mut last = Vec::new();
        for _ in 0..burst {
            let log = &logs[next % logs.len()];
            next += 1;
            let room = match log.try_reserve(data.len()) {
                Some(room) => room,
                None => log.reserve(data.len()).await.unwrap(),
            };
            let appended = log.append_as_leader(&data, 1, 1).unwrap();
            drop(room);
            last.push((log.clone(), appended.last_offset + 1));
            sent += 1;
        }
        if burst >= 100 || sent % 16 == 0 {
            for (log, offset) in last {
                log.durable(offset).await.unwrap();
            }
        }
        latency.push(rt.now_ns() - begun);
    }
    for log in &logs {
        log.flush().await.unwrap();
    }
    let (wall, cpu) = (rt.now_ns() - started, cpu_ns() - cpu);
    report(name, &manager.counters(), sent, sent * data.len() as u64, wall, cpu);
    latency.sort_unstable();
    println!(
        "  burst of {burst}: p50 {} us, p99 {} us; pool {} MB",
        latency[latency.len() / 2] / 1000,
        latency[latency.len() * 99 / 100] / 1000,
        manager.resident_bytes() >> 20
    );
    drop(logs);
    let begun = rt.now_ns();
    manager.shutdown().await;
    println!("  stopped in {:.3} s", (rt.now_ns() - begun) as f64 / 1e9);
    rt.sleep(Duration::from_millis(50)).await;
    std::fs::remove_dir_all(&path).unwrap();
}

/// Runs the measurement called `name`.
pub(super) fn run(name: &str) {
    // How much the small appends come to: long enough that the journal has its full size for most of it.
    let small =
        std::env::var("SPEED_SMALL_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200u64) << 20;
    let settings = LogSettings::default();
    let two = LogSettings { journal_groups_in_flight: 2, ..settings.clone() };
    let plain = LogSettings { zero_ahead_bytes: 0, ..settings.clone() };
    match name {
        "small" => run_one(move |rt| load(rt, "100 B over 2,000", 2000, 100, 1, small, settings)),
        "small2" => run_one(move |rt| load(rt, "100 B over 2,000, two flights", 2000, 100, 1, small, two)),
        "one" => run_one(move |rt| load(rt, "64 KiB to one", 1, 1000, 64, 2 << 30, settings)),
        "sixteen" => run_one(move |rt| load(rt, "64 KiB to sixteen", 16, 1000, 64, 2 << 30, settings)),
        "plain" => run_one(move |rt| load(rt, "64 KiB to sixteen, not zeroed", 16, 1000, 64, 2 << 30, plain)),
        _ => println!("small small2 one sixteen plain"),
    }
}

#[test]
#[ignore = "measures"]
fn costs_of_appends() {
    for name in ["small", "small2", "one", "sixteen", "plain"] {
        run(name);
    }
}
