//! Latencies of one thread: a histogram of all and one for each second, merged over threads at the end.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::measure::{Summary, histogram};

/// Seconds that get a histogram of their own, at most: two hours.
const SECONDS_LIMIT: usize = 7200;

/// Latencies of what was due in the measured span.
pub struct Track {
    from_ns: u64,
    end_ns: u64,
    /// Microseconds.
    pub all: Histogram<u64>,
    seconds: Vec<Option<Histogram<u32>>>,
}

/// Latencies of one second, by when the records were due.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Second {
    pub count: u64,
    pub p50_us: u64,
    pub p99_us: u64,
    pub p99_9_us: u64,
    pub max_us: u64,
}

impl Track {
    /// For what is due from `from_ns` until `end_ns`.
    pub fn new(from_ns: u64, end_ns: u64) -> Self {
        Self { from_ns, end_ns, all: histogram(), seconds: Vec::new() }
    }

    /// Enters `count` latencies of records that were due at `due_ns`.
    pub fn record(&mut self, latency_ns: u64, due_ns: u64, count: u64) {
        if due_ns < self.from_ns || due_ns >= self.end_ns {
            return;
        }
        let micros = (latency_ns / 1000).max(1);
        self.all.saturating_record_n(micros, count);
        let second = ((due_ns - self.from_ns) / 1_000_000_000) as usize;
        if second >= SECONDS_LIMIT {
            return;
        }
        if self.seconds.len() <= second {
            self.seconds.resize_with(second + 1, || None);
        }
        if let Some(slot) = self.seconds.get_mut(second) {
            // Two digits, growing with the values: a run of half an hour stays small.
            let slot = slot.get_or_insert_with(|| {
                let mut second = Histogram::new(2).unwrap_or_else(|error| panic!("histogram: {error}"));
                second.auto(true);
                second
            });
            let micros = micros.min(self.all.high());
            slot.record_n(micros, count.min(u64::from(u32::MAX)) as u32)
                .unwrap_or_else(|error| panic!("histogram: {error}"));
        }
    }

    /// Adds what another thread saw.
    pub fn merge(&mut self, other: &Self) {
        self.all.add(&other.all).unwrap_or_else(|error| panic!("histograms differ: {error}"));
        if self.seconds.len() < other.seconds.len() {
            self.seconds.resize_with(other.seconds.len(), || None);
        }
        for (mine, theirs) in self.seconds.iter_mut().zip(&other.seconds) {
            match (mine.as_mut(), theirs) {
                (Some(mine), Some(theirs)) => {
                    mine.add(theirs).unwrap_or_else(|error| panic!("histograms differ: {error}"));
                }
                (None, Some(theirs)) => *mine = Some(theirs.clone()),
                (_, None) => {}
            }
        }
    }

    /// Each second's figures.
    pub fn seconds(&self) -> Vec<Second> {
        let one = |histogram: &Option<Histogram<u32>>| {
            histogram.as_ref().map_or_else(Second::default, |histogram| Second {
                count: histogram.len(),
                p50_us: histogram.value_at_quantile(0.5),
                p99_us: histogram.value_at_quantile(0.99),
                p99_9_us: histogram.value_at_quantile(0.999),
                max_us: histogram.max(),
            })
        };
        self.seconds.iter().map(one).collect()
    }

    pub fn summary(&self) -> Summary {
        let seconds = self.seconds().iter().filter(|second| second.count > 0).map(|s| s.p99_us).collect();
        Summary::of(&self.all, seconds)
    }
}

/// Points of the percentile curve: share below (0 to 1) and microseconds.
pub fn curve(histogram: &Histogram<u64>) -> Vec<(f64, u64)> {
    if histogram.is_empty() {
        return Vec::new();
    }
    let points = histogram.iter_quantiles(5);
    points.map(|value| (value.quantile_iterated_to(), value.value_iterated_to())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_their_own_tail_and_threads_are_merged() {
        let second = 1_000_000_000;
        let mut one = Track::new(second, 4 * second);
        one.record(2_000_000, second - 1, 5);
        one.record(2_000_000, second, 99);
        one.record(70_000_000, 3 * second, 1);
        let mut other = Track::new(second, 4 * second);
        other.record(90_000_000_000, second, 1);
        one.merge(&other);
        let seconds = one.seconds();
        let counts: Vec<u64> = seconds.iter().map(|second| second.count).collect();
        assert_eq!((counts, one.all.len()), (vec![100, 0, 1], 101));
        let near = |value: u64, wanted: u64| value.abs_diff(wanted) * 50 < wanted;
        assert!(near(seconds[0].p50_us, 2000) && near(seconds[2].p99_us, 70_000), "{seconds:?}");
        // What is beyond a minute counts as a minute.
        assert!(near(seconds[0].max_us, 60_000_000), "{seconds:?}");
    }
}
