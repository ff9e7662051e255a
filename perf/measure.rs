//! Time, processor time, histograms, and the report.

use std::fs;
use std::io::Write;
use std::time::Instant;

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::cli::Common;

/// Latencies in microseconds up to a minute, three digits.
pub struct Latencies {
    pub all: Histogram<u64>,
    second: Histogram<u64>,
    second_started: u64,
    /// p99 of each second.
    pub p99_per_second: Vec<u64>,
}

/// An empty histogram of microseconds.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).unwrap_or_else(|error| panic!("histogram bounds: {error}"))
}

impl Latencies {
    pub fn new() -> Self {
        Self { all: histogram(), second: histogram(), second_started: 0, p99_per_second: Vec::new() }
    }

    /// Adds a latency seen at `elapsed_ns` of the measured time.
    pub fn record(&mut self, latency_ns: u64, elapsed_ns: u64) {
        let micros = (latency_ns / 1000).max(1);
        self.all.saturating_record(micros);
        let second = elapsed_ns / 1_000_000_000;
        if second != self.second_started {
            if !self.second.is_empty() {
                self.p99_per_second.push(self.second.value_at_quantile(0.99));
                self.second.reset();
            }
            self.second_started = second;
        }
        self.second.saturating_record(micros);
    }

    pub fn summary(&self) -> Summary {
        Summary::of(&self.all, self.p99_per_second.clone())
    }
}

impl Summary {
    /// The figures of a histogram of microseconds; `seconds` has the p99 of each second.
    pub fn of(all: &Histogram<u64>, seconds: Vec<u64>) -> Self {
        let at = |quantile| all.value_at_quantile(quantile);
        let mut sorted = seconds.clone();
        sorted.sort_unstable();
        Self {
            count: all.len(),
            mean_us: all.mean(),
            p50_us: at(0.5),
            p90_us: at(0.9),
            p99_us: at(0.99),
            p99_9_us: at(0.999),
            p99_99_us: at(0.9999),
            max_us: all.max(),
            p99_per_second_median_us: sorted.get(sorted.len() / 2).copied().unwrap_or(at(0.99)),
            p99_per_second_us: seconds,
        }
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    pub count: u64,
    pub mean_us: f64,
    pub p50_us: u64,
    pub p90_us: u64,
    pub p99_us: u64,
    pub p99_9_us: u64,
    pub p99_99_us: u64,
    pub max_us: u64,
    pub p99_per_second_median_us: u64,
    pub p99_per_second_us: Vec<u64>,
}

/// Processor time, memory and device counters at one moment.
pub struct Usage {
    at: Instant,
    broker_cpu_seconds: Option<f64>,
    own_cpu_seconds: f64,
    device_bytes: Option<u64>,
}

/// Processor time of a process (its id, or `self`).
pub fn cpu_seconds(process: &str) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold spaces; fields count from behind its closing bracket.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

pub fn resident_bytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Bytes written to a block device since the machine started.
pub fn device_bytes(device: &str) -> Option<u64> {
    let stats = fs::read_to_string("/proc/diskstats").ok()?;
    let line = stats.lines().find(|line| line.split_whitespace().nth(2) == Some(device))?;
    Some(line.split_whitespace().nth(9)?.parse::<u64>().ok()? * 512)
}

impl Usage {
    pub fn now(common: &Common) -> Self {
        Self {
            at: Instant::now(),
            broker_cpu_seconds: common.pid.and_then(|pid| cpu_seconds(&pid.to_string())),
            own_cpu_seconds: cpu_seconds("self").unwrap_or(0.0),
            device_bytes: common.device.as_deref().and_then(device_bytes),
        }
    }
}

/// What a run gave; printed as a table and as JSON.
#[derive(Default, Serialize)]
pub struct Report {
    pub name: String,
    pub seconds: f64,
    pub records: u64,
    pub bytes: u64,
    pub records_per_second: f64,
    pub mb_per_second: f64,
    pub errors: u64,
    pub latency: Summary,
    /// How late the generator sent, against when requests were due (latency includes it).
    pub generator_lag: Summary,
    pub broker_cpu_seconds: Option<f64>,
    pub broker_cpu_us_per_record: Option<f64>,
    pub broker_cpu_ms_per_mb: Option<f64>,
    pub broker_resident_bytes: Option<u64>,
    pub generator_cpu_seconds: f64,
    pub device_bytes: Option<u64>,
    pub device_bytes_per_byte: Option<f64>,
    /// Results of parts of the run (pairs of connections).
    pub parts: Vec<Summary>,
    #[serde(skip)]
    pub histogram: Option<Histogram<u64>>,
}

impl Report {
    /// Fills in rates and processor time of the measured span.
    pub fn of(name: &str, common: &Common, before: &Usage, records: u64, bytes: u64) -> Self {
        let after = Usage::now(common);
        let seconds = after.at.duration_since(before.at).as_secs_f64();
        let megabytes = bytes as f64 / 1e6;
        let broker = before.broker_cpu_seconds.zip(after.broker_cpu_seconds).map(|(from, to)| to - from);
        let device = before.device_bytes.zip(after.device_bytes).map(|(from, to)| to - from);
        Self {
            name: name.to_owned(),
            seconds,
            records,
            bytes,
            records_per_second: records as f64 / seconds,
            mb_per_second: megabytes / seconds,
            broker_cpu_seconds: broker,
            broker_cpu_us_per_record: broker.filter(|_| records > 0).map(|cpu| cpu * 1e6 / records as f64),
            broker_cpu_ms_per_mb: broker.filter(|_| bytes > 0).map(|cpu| cpu * 1e3 / megabytes),
            broker_resident_bytes: common.pid.and_then(resident_bytes),
            generator_cpu_seconds: after.own_cpu_seconds - before.own_cpu_seconds,
            device_bytes: device,
            device_bytes_per_byte: device.filter(|_| bytes > 0).map(|written| written as f64 / bytes as f64),
            ..Self::default()
        }
    }

    /// Prints the table and the JSON.
    pub fn print(&self, common: &Common) -> Result<(), String> {
        eprintln!(
            "{}: {} records in {:.2} s, {:.0}/s, {:.1} MB/s, {} errors",
            self.name, self.records, self.seconds, self.records_per_second, self.mb_per_second, self.errors
        );
        let l = &self.latency;
        eprintln!(
            "latency us: p50 {} p90 {} p99 {} p99.9 {} p99.99 {} max {}; median of p99 a second {}",
            l.p50_us, l.p90_us, l.p99_us, l.p99_9_us, l.p99_99_us, l.max_us, l.p99_per_second_median_us
        );
        for (number, part) in self.parts.iter().enumerate() {
            eprintln!("  pair {number}: p50 {} p99 {} us", part.p50_us, part.p99_us);
        }
        eprintln!(
            "generator: {:.2} s of CPU ({:.0} % of one), late p99 {} us",
            self.generator_cpu_seconds,
            100.0 * self.generator_cpu_seconds / self.seconds,
            self.generator_lag.p99_us
        );
        if let (Some(cpu), Some(record)) = (self.broker_cpu_seconds, self.broker_cpu_us_per_record) {
            eprintln!(
                "broker: {cpu:.2} s of CPU, {record:.3} us a record, {:.3} ms a MB, {:.1} MiB resident",
                self.broker_cpu_ms_per_mb.unwrap_or(0.0),
                self.broker_resident_bytes.unwrap_or(0) as f64 / 1048576.0
            );
        }
        if let Some(ratio) = self.device_bytes_per_byte {
            eprintln!("device: {ratio:.2} bytes written per byte of records");
        }
        if let (Some(path), Some(histogram)) = (&common.hgrm, &self.histogram) {
            write_percentiles(path, histogram).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let json = serde_json::to_string(self).map_err(|error| error.to_string())?;
        match &common.json {
            Some(path) => {
                fs::write(path, json + "\n").map_err(|error| format!("{}: {error}", path.display()))
            }
            None => {
                println!("{json}");
                Ok(())
            }
        }
    }
}

/// Processor time of the calling thread.
pub fn thread_cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Percentile lines as HdrHistogram's tools print them; values in milliseconds.
pub fn write_percentiles(path: &std::path::Path, histogram: &Histogram<u64>) -> std::io::Result<()> {
    let mut out = fs::File::create(path)?;
    writeln!(out, "{:>12} {:>14} {:>10} {:>14}\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")?;
    for value in histogram.iter_quantiles(5) {
        let quantile = value.quantile_iterated_to();
        writeln!(
            out,
            "{:>12.3} {:>14.12} {:>10} {:>14.2}",
            value.value_iterated_to() as f64 / 1000.0,
            quantile,
            histogram.count_between(0, value.value_iterated_to()),
            1.0 / (1.0 - quantile)
        )?;
    }
    writeln!(
        out,
        "#[Max     = {:>12.3}, Total count    = {:>12}]",
        histogram.max() as f64 / 1000.0,
        histogram.len()
    )
}

/// Pins the calling thread, and asks for exact timers.
pub fn settle_thread(cpu: Option<usize>) -> Result<(), String> {
    // Timers are 50 us late by default, which would count as latency.
    rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1000))
        .map_err(|e| format!("timer slack: {e}"))?;
    if let Some(cpu) = cpu {
        let mut set = rustix::thread::CpuSet::new();
        set.set(cpu);
        rustix::thread::sched_setaffinity(None, &set).map_err(|error| format!("CPU {cpu}: {error}"))?;
    }
    Ok(())
}
