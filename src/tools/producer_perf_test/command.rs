//! Sends the records, and shows what became of them.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::options::{Settings, parse};
use super::stats::{Stats, Tag};
use super::throttle::Throttle;
use crate::tools::client::ClientError;
use crate::tools::options::{Stop, finish};
use crate::tools::producer::{Completion, Producer, ProducerSettings, RecordData};
use crate::tools::random::Random;
use crate::tools::{clock, log};

/// Both statistics: of everything, and of what was sent after the warm-up.
struct Shared {
    start: Instant,
    all: Stats,
    steady: Option<Stats>,
    failed: u64,
}

impl Shared {
    fn done(&mut self, completion: Completion) {
        if let Err(error) = completion.result {
            self.failed += completion.tags.len() as u64;
            log::warn_rarely(&format!(
                "{} record(s) failed: {}",
                completion.tags.len(),
                error.with_java_name()
            ));
            return;
        }
        let now = Instant::now();
        let now_ms = now.duration_since(self.start).as_millis() as u32;
        for packed in completion.tags {
            let tag = Tag::unpack(packed);
            let latency_ms = now_ms.saturating_sub(tag.sent_ms);
            self.all.record(latency_ms, tag.bytes);
            if let Some(steady) = self.steady.as_mut().filter(|_| tag.steady) {
                steady.record(latency_ms, tag.bytes);
            }
        }
        let windows = [self.all.window(now), self.steady.as_mut().and_then(|steady| steady.window(now))];
        windows.iter().flatten().for_each(|text| show(text));
    }
}

fn show(text: &str) {
    let mut output = std::io::stdout().lock();
    // Nobody reads any more: the test still runs to its end.
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(parse(args).and_then(|settings| start(&settings)))
}

fn start(settings: &Settings) -> Result<(), Stop> {
    let config = |error: ClientError| Stop::Line(error.with_java_name());
    let producer_settings =
        ProducerSettings::new(&settings.producer, "perf-producer-client").map_err(config)?;
    if settings.warmup > 0 {
        show(&format!(
            "Warmup first {} records. Steady state results will print after the complete test summary.\n",
            settings.warmup
        ));
    }
    let start = Instant::now();
    let all = Stats::new(settings.records, settings.interval, false, start);
    let shared = Arc::new(Mutex::new(Shared { start, all, steady: None, failed: 0 }));
    let theirs = Arc::clone(&shared);
    let on_done = move |completion| theirs.lock().unwrap_or_else(PoisonError::into_inner).done(completion);
    let producer = Producer::new(producer_settings, &settings.topic, on_done).map_err(config)?;
    let result = send(&producer, settings, start, &shared);
    producer.close();
    let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    show(&shared.all.summary(now));
    if let Some(steady) = &shared.steady {
        show(&steady.summary(now));
    }
    if shared.failed > 0 {
        log::error(&format!("{} records were not acknowledged", shared.failed));
    }
    result.map_err(config)
}

fn send(
    producer: &Producer,
    settings: &Settings,
    start: Instant,
    shared: &Mutex<Shared>,
) -> Result<(), ClientError> {
    let throttle = Throttle::new(start, settings.throughput);
    let mut random = Random::seeded(settings.seed);
    let mut value = Vec::new();
    let wall_ms = clock::now_ms();
    for index in 0..settings.records {
        if settings.warmup > 0 && index == settings.warmup {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let rest = settings.records - settings.warmup;
            shared.steady = Some(Stats::new(rest, settings.interval, true, Instant::now()));
            shared.all.silent = true;
        }
        settings.payload.fill(index, &mut random, &mut value);
        let key = settings.keys.key(index, &mut random);
        let sent_ms = start.elapsed().as_millis();
        let tag =
            Tag { sent_ms: sent_ms as u32, bytes: value.len() as u32, steady: index >= settings.warmup };
        let record =
            RecordData { key: key.as_ref().map(<[u8; 4]>::as_slice), value: Some(&value), headers: &[] };
        producer.send(tag.pack(), wall_ms + sent_ms as i64, &record)?;
        if let Some(pause) = throttle.pause(index + 1, Instant::now()) {
            std::thread::sleep(pause);
        }
    }
    Ok(())
}
