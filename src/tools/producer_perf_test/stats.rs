//! Counts and latencies, and the lines that show them, digit for digit like Kafka's.

use std::time::{Duration, Instant};

/// Latencies that are kept for the percentiles at most.
const SAMPLES: u64 = 500_000;

/// Where a record's time of sending, size and phase travel through the producer: one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// Milliseconds since the start.
    pub(super) sent_ms: u32,
    pub(super) bytes: u32,
    /// Sent after the warm-up.
    pub(super) steady: bool,
}

impl Tag {
    pub(super) fn pack(self) -> u64 {
        u64::from(self.steady) << 63 | u64::from(self.bytes & 0x7fff_ffff) << 32 | u64::from(self.sent_ms)
    }

    pub(super) fn unpack(packed: u64) -> Self {
        Self { sent_ms: packed as u32, bytes: (packed >> 32) as u32 & 0x7fff_ffff, steady: packed >> 63 == 1 }
    }
}

#[derive(Default)]
struct Sums {
    count: u64,
    bytes: u64,
    latency_ms: u64,
    max_ms: u32,
}

impl Sums {
    fn add(&mut self, bytes: u32, latency_ms: u32) {
        self.count += 1;
        self.bytes += u64::from(bytes);
        self.latency_ms += u64::from(latency_ms);
        self.max_ms = self.max_ms.max(latency_ms);
    }

    /// Records and MiB per second, and the mean latency.
    fn rates(&self, elapsed: Duration) -> (f64, f64, f64) {
        let ms = elapsed.as_millis().max(1) as f64;
        let per_second = |amount: u64| 1000.0 * amount as f64 / ms;
        let mean = self.latency_ms as f64 / self.count.max(1) as f64;
        (per_second(self.count), per_second(self.bytes) / 1_048_576.0, mean)
    }
}

/// See the module.
pub(super) struct Stats {
    start: Instant,
    total: Sums,
    window_start: Instant,
    window: Sums,
    interval: Duration,
    sampling: u64,
    samples: Vec<u32>,
    steady: bool,
    /// Windows are not shown any more.
    pub(super) silent: bool,
}

impl Stats {
    /// For about `records`; a window is shown every `interval`. `steady`: those after the warm-up.
    pub(super) fn new(records: u64, interval: Duration, steady: bool, now: Instant) -> Self {
        let sampling = records.checked_div(records.min(SAMPLES)).unwrap_or(1).max(1);
        Self {
            start: now,
            total: Sums::default(),
            window_start: now,
            window: Sums::default(),
            interval,
            sampling,
            samples: Vec::with_capacity((records / sampling) as usize + 1),
            steady,
            silent: false,
        }
    }

    /// Counts an acknowledged record.
    pub(super) fn record(&mut self, latency_ms: u32, bytes: u32) {
        if self.total.count.is_multiple_of(self.sampling) {
            self.samples.push(latency_ms);
        }
        self.total.add(bytes, latency_ms);
        self.window.add(bytes, latency_ms);
    }

    /// The lines of a window that is over, if one is.
    pub(super) fn window(&mut self, now: Instant) -> Option<String> {
        let elapsed = now.duration_since(self.window_start);
        if elapsed < self.interval || self.window.count == 0 {
            return None;
        }
        let mut text = String::new();
        if self.steady && self.window.count == self.total.count {
            text.push_str("In steady state.\n");
        }
        let (records, megabytes, mean) = self.window.rates(elapsed);
        text.push_str(&format!(
            "{} records sent, {records:.1} records/sec ({megabytes:.2} MB/sec), {mean:.1} ms avg latency, {:.1} ms max latency.\n",
            self.window.count,
            f64::from(self.window.max_ms)
        ));
        self.window = Sums::default();
        self.window_start = now;
        (!self.silent).then_some(text)
    }

    /// The last line.
    pub(super) fn summary(&self, now: Instant) -> String {
        let (records, megabytes, mean) = self.total.rates(now.duration_since(self.start));
        let mut sorted = self.samples.clone();
        sorted.sort_unstable();
        let percentile = |part: f64| {
            let at = (part * sorted.len() as f64) as usize;
            sorted.get(at).or(sorted.last()).copied().unwrap_or_default()
        };
        format!(
            "{}{} records sent, {records:.6} records/sec ({megabytes:.2} MB/sec), {mean:.2} ms avg latency, {:.2} ms max \
             latency, {} ms 50th, {} ms 95th, {} ms 99th, {} ms 99.9th.\n",
            self.total.count,
            if self.steady { " steady state" } else { "" },
            f64::from(self.total.max_ms),
            percentile(0.5),
            percentile(0.95),
            percentile(0.99),
            percentile(0.999)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_survives_its_packing() {
        for tag in [
            Tag { sent_ms: 0, bytes: 0, steady: false },
            Tag { sent_ms: u32::MAX, bytes: 0x7fff_ffff, steady: true },
            Tag { sent_ms: 7, bytes: 100, steady: false },
        ] {
            assert_eq!(Tag::unpack(tag.pack()), tag);
        }
    }

    #[test]
    fn the_lines_are_kafkas() {
        let start = Instant::now();
        let mut stats = Stats::new(4, Duration::from_secs(5), true, start);
        for latency in [1, 2, 3, 10] {
            stats.record(latency, 100);
        }
        assert_eq!(stats.window(start + Duration::from_secs(4)), None);
        assert_eq!(
            stats.window(start + Duration::from_secs(5)).unwrap(),
            "In steady state.\n4 records sent, 0.8 records/sec (0.00 MB/sec), 4.0 ms avg latency, 10.0 ms max latency.\n"
        );
        assert_eq!(
            stats.summary(start + Duration::from_secs(8)),
            "4 steady state records sent, 0.500000 records/sec (0.00 MB/sec), 4.00 ms avg latency, 10.00 ms max latency, \
             3 ms 50th, 10 ms 95th, 10 ms 99th, 10 ms 99.9th.\n"
        );
    }
}
