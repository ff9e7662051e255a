//! Holds a rate: pauses of at least a few milliseconds, as often as needed.

use std::time::{Duration, Instant};

/// Shortest pause: shorter ones would cost more than they keep back.
const LEAST: Duration = Duration::from_millis(2);

/// See the module.
pub(super) struct Throttle {
    started: Instant,
    /// Records per second; `None` is no limit.
    rate: Option<f64>,
}

impl Throttle {
    /// A negative rate is no limit.
    pub(super) fn new(started: Instant, rate: f64) -> Self {
        Self { started, rate: (rate > 0.0).then_some(rate) }
    }

    /// How long to wait before record number `sent` (from 0), at the time `now`.
    pub(super) fn pause(&self, sent: u64, now: Instant) -> Option<Duration> {
        let due = self.started + Duration::from_secs_f64(sent as f64 / self.rate?);
        due.checked_duration_since(now).filter(|wait| *wait >= LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_hold_the_rate() {
        let start = Instant::now();
        let throttle = Throttle::new(start, 1000.0);
        assert_eq!(throttle.pause(500, start), Some(Duration::from_millis(500)));
        assert_eq!(throttle.pause(1, start), None);
        assert_eq!(throttle.pause(500, start + Duration::from_secs(1)), None);
        assert_eq!(Throttle::new(start, -1.0).pause(u64::MAX, start), None);
    }
}
