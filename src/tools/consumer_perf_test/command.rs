//! Consumes the records, and shows how fast.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::options::{Settings, declare, settings};
use super::stats::{Count, DETAILED_HEADER, HEADER, Span, progress, summary};
use crate::tools::client::ClientError;
use crate::tools::consumer::{Consumer, ConsumerRecord, ConsumerSettings, GroupEvent};
use crate::tools::options::{Options, Stop, finish};
use crate::tools::output::say;
use crate::tools::{clock, interrupt};

/// Longest wait for records at a time, as in Kafka's tool.
const POLL: Duration = Duration::from_millis(100);

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), args).map_err(|stop| match stop {
        Stop::Line(text) => Stop::Usage(text),
        other => other,
    })?;
    let settings = settings(&options)?;
    let failed = |error: ClientError| Stop::Line(error.with_java_name());
    let stop = interrupt::flag().map_err(Stop::Line)?;
    let consumer_settings = ConsumerSettings::new(&settings.consumer).map_err(failed)?;
    if settings.header {
        say!("{}", if settings.detailed { DETAILED_HEADER } else { HEADER });
    }
    let mut consumer =
        Consumer::new(consumer_settings, settings.source.clone(), Arc::clone(&stop)).map_err(failed)?;
    let start_ms = clock::now_ms();
    let mut test = Test::new(start_ms);
    let result = test.consume(&mut consumer, &settings, &stop);
    let end_ms = clock::now_ms();
    consumer.close();
    result.map_err(failed)?;
    if !settings.detailed {
        say!("{}", summary(test.total, Span { start_ms, end_ms, join_ms: test.join_ms }));
    }
    if stop.load(Ordering::SeqCst) { Err(Stop::Exit(interrupt::exit_code())) } else { Ok(()) }
}

/// What was consumed, and how long the group was joining.
struct Test {
    total: Count,
    join_ms: i64,
    /// Of it, since the last line.
    round_join_ms: i64,
    join_start: Instant,
    /// At the last line.
    before: Count,
    reported_ms: i64,
}

impl Test {
    fn new(start_ms: i64) -> Self {
        let none = Count::default();
        let join_start = Instant::now();
        Self { total: none, join_ms: 0, round_join_ms: 0, join_start, before: none, reported_ms: start_ms }
    }

    fn consume(
        &mut self,
        consumer: &mut Consumer,
        settings: &Settings,
        stop: &AtomicBool,
    ) -> Result<(), ClientError> {
        let mut now_ms = clock::now_ms();
        let mut consumed_ms = now_ms;
        while self.total.records < settings.records && now_ms - consumed_ms <= settings.timeout_ms {
            let records = match consumer.next_batch(Some(Instant::now() + POLL)) {
                Err(_) if stop.load(Ordering::SeqCst) => return Ok(()),
                result => result?,
            };
            self.heed(consumer);
            now_ms = clock::now_ms();
            if !records.is_empty() {
                consumed_ms = now_ms;
            }
            records.iter().for_each(|record| self.count(record, now_ms, settings));
        }
        if self.total.records < settings.records {
            say!(
                "WARNING: Exiting before consuming the expected number of records: timeout ({} ms) exceeded. You can use \
                 the --timeout option to increase the timeout.",
                settings.timeout_ms
            );
        }
        Ok(())
    }

    /// Takes the time of rebalances.
    fn heed(&mut self, consumer: &mut Consumer) {
        for (when, event) in consumer.take_events() {
            match event {
                GroupEvent::Revoked(_) => self.join_start = when,
                GroupEvent::Assigned(_) => {
                    let took = when.duration_since(self.join_start).as_millis();
                    let took = i64::try_from(took).unwrap_or(i64::MAX);
                    self.join_ms += took;
                    self.round_join_ms += took;
                }
            }
        }
    }

    fn count(&mut self, record: &ConsumerRecord, now_ms: i64, settings: &Settings) {
        let bytes = |part: &Option<Vec<u8>>| part.as_ref().map_or(0, |part| part.len() as u64);
        self.total.records += 1;
        self.total.bytes += bytes(&record.key) + bytes(&record.value);
        let waited = u64::try_from(now_ms - self.reported_ms).unwrap_or_default();
        if u128::from(waited) < settings.interval.as_millis() {
            return;
        }
        if settings.detailed {
            let span = Span { start_ms: self.reported_ms, end_ms: now_ms, join_ms: self.round_join_ms };
            say!("{}", progress(self.total, self.before, span));
        }
        self.round_join_ms = 0;
        self.reported_ms = now_ms;
        self.before = self.total;
    }
}
