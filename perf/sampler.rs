//! Reads the kernel's counters of the broker, the generator, the machine and the device, each second of the measured span.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::measure::{cpu_seconds, device_bytes, resident_bytes};
use crate::producers::Counters;

/// Counters at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    pub at_ns: u64,
    pub broker_cpu: Option<f64>,
    pub generator_cpu: f64,
    /// Time that all CPUs were busy, in seconds.
    pub machine_busy: f64,
    /// Time that the hypervisor gave to others.
    pub steal: f64,
    pub device: Option<u64>,
    /// Bytes that the broker's process caused to be written.
    pub broker_written: Option<u64>,
    pub resident: Option<u64>,
    pub acked_records: u64,
    pub acked_bytes: u64,
    pub read_records: u64,
    pub read_bytes: u64,
}

/// One second of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Second {
    pub seconds: f64,
    pub records_per_second: f64,
    pub mb_per_second: f64,
    pub read_records_per_second: f64,
    pub read_mb_per_second: f64,
    pub broker_cpu_us_per_record: Option<f64>,
    pub broker_cpu_cores: Option<f64>,
    pub generator_cpu_cores: f64,
    /// What neither the broker nor the generator used.
    pub other_cpu_cores: f64,
    pub device_mb_per_second: Option<f64>,
    pub resident_mib: Option<f64>,
}

/// Whose counters are read.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub pid: Option<u32>,
    pub device: Option<String>,
}

fn machine_seconds() -> Option<(f64, f64)> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let fields: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).filter_map(|field| field.parse().ok()).collect();
    // user, nice, system, then idle and waiting for I/O, then interrupts and steal.
    let busy = [0, 1, 2, 5, 6].iter().filter_map(|at| fields.get(*at)).sum::<u64>();
    let ticks = rustix::param::clock_ticks_per_second() as f64;
    Some((busy as f64 / ticks, fields.get(7).copied().unwrap_or(0) as f64 / ticks))
}

fn written_bytes(pid: u32) -> Option<u64> {
    let io = fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
    io.lines().find_map(|line| line.strip_prefix("write_bytes: "))?.parse().ok()
}

impl Sample {
    pub fn now(clock: Instant, watched: &Watched, counters: &Counters) -> Self {
        let (machine_busy, steal) = machine_seconds().unwrap_or_default();
        Self {
            at_ns: clock.elapsed().as_nanos() as u64,
            broker_cpu: watched.pid.and_then(|pid| cpu_seconds(&pid.to_string())),
            generator_cpu: cpu_seconds("self").unwrap_or(0.0),
            machine_busy,
            steal,
            device: watched.device.as_deref().and_then(device_bytes),
            broker_written: watched.pid.and_then(written_bytes),
            resident: watched.pid.and_then(resident_bytes),
            acked_records: counters.acked_records.load(Ordering::Relaxed),
            acked_bytes: counters.acked_bytes.load(Ordering::Relaxed),
            read_records: counters.read_records.load(Ordering::Relaxed),
            read_bytes: counters.read_bytes.load(Ordering::Relaxed),
        }
    }
}

/// What happened between two samples; `from_ns` is when measuring began.
pub fn second(before: &Sample, after: &Sample, from_ns: u64) -> Second {
    let span = (after.at_ns.saturating_sub(before.at_ns) as f64 / 1e9).max(1e-9);
    let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / span;
    let broker = before.broker_cpu.zip(after.broker_cpu).map(|(from, to)| to - from);
    let generator = after.generator_cpu - before.generator_cpu;
    let acked = after.acked_records.saturating_sub(before.acked_records);
    // A phase that only reads has its cost per record read.
    let handled = if acked > 0 { acked } else { after.read_records.saturating_sub(before.read_records) };
    Second {
        seconds: after.at_ns.saturating_sub(from_ns) as f64 / 1e9,
        records_per_second: rate(before.acked_records, after.acked_records),
        mb_per_second: rate(before.acked_bytes, after.acked_bytes) / 1e6,
        read_records_per_second: rate(before.read_records, after.read_records),
        read_mb_per_second: rate(before.read_bytes, after.read_bytes) / 1e6,
        broker_cpu_us_per_record: broker.filter(|_| handled > 0).map(|cpu| cpu * 1e6 / handled as f64),
        broker_cpu_cores: broker.map(|cpu| cpu / span),
        generator_cpu_cores: generator / span,
        other_cpu_cores: ((after.machine_busy - before.machine_busy - generator - broker.unwrap_or(0.0))
            / span)
            .max(0.0),
        device_mb_per_second: before.device.zip(after.device).map(|(from, to)| rate(from, to) / 1e6),
        resident_mib: after.resident.map(|bytes| bytes as f64 / 1048576.0),
    }
}

/// Samples at `from_ns` and each second after, until `end_ns` or until it is stopped.
pub fn run(
    clock: Instant,
    (from_ns, end_ns): (u64, u64),
    watched: &Watched,
    counters: &Arc<Counters>,
    stopped: &AtomicBool,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut next_ns = from_ns;
    loop {
        loop {
            let now = clock.elapsed().as_nanos() as u64;
            if stopped.load(Ordering::Acquire) {
                samples.push(Sample::now(clock, watched, counters));
                return samples;
            }
            if now >= next_ns {
                break;
            }
            std::thread::sleep(Duration::from_nanos((next_ns - now).min(20_000_000)));
        }
        samples.push(Sample::now(clock, watched, counters));
        if next_ns >= end_ns {
            return samples;
        }
        next_ns = (next_ns + 1_000_000_000).min(end_ns);
    }
}
