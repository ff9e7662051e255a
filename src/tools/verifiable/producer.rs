//! `verifiable-producer`: counts up, a number a record, and says of each whether it was acknowledged.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Command;

use super::events::{Nothing, SendError, SendSuccess, say, say_tool_data};
use super::{file, mistake, number, parse, require};
use crate::tools::client::ClientError;
use crate::tools::options::{Options, Stop, command, finish, value};
use crate::tools::producer::{Completion, Producer, ProducerSettings, RecordData};
use crate::tools::properties::Properties;
use crate::tools::{clock, interrupt};

const TOOL: &str = "verifiable-producer";
/// Longest pause without looking whether to stop.
const LOOK: Duration = Duration::from_millis(50);

fn declare() -> Command {
    command(TOOL, "Produces increasing numbers, and says of each whether it was acknowledged.")
        .arg(value("topic", "topic", "The topic to produce to. Required."))
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("max-messages", "number", "Records to produce; -1 for no end (-1)."))
        .arg(value("throughput", "records/s", "Records per second at about most; -1 for no limit (-1)."))
        .arg(value("acks", "acks", "0, 1 or -1 (-1)."))
        .arg(value("producer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the producer in a file."))
        .arg(value("message-create-time", "ms", "Timestamp of the first record."))
        .arg(value("value-prefix", "number", "Stands before each value, with a dot between."))
        .arg(value("repeating-keys", "number", "Keys count from 0 to before this, again and again."))
}

/// What is written, from the number of a record.
#[derive(Clone, Debug)]
struct Texts {
    topic: String,
    prefix: Option<i32>,
    keys: Option<u64>,
}

impl Texts {
    fn key(&self, index: u64) -> Option<String> {
        self.keys.map(|keys| (index % keys).to_string())
    }

    fn value(&self, index: u64) -> String {
        self.prefix.map_or_else(|| index.to_string(), |prefix| format!("{prefix}.{index}"))
    }

    fn failed(&self, index: u64, error: &ClientError) {
        let text = error.with_java_name();
        let name = text.split(": ").next().unwrap_or_default();
        say(
            "producer_send_error",
            SendError {
                key: self.key(index),
                value: self.value(index),
                exception: format!("class {name}"),
                message: error.to_string(),
                topic: &self.topic,
            },
        );
    }

    fn done(&self, completion: &Completion) {
        for (at, index) in (0..).zip(&completion.tags) {
            match &completion.result {
                Ok(()) => say(
                    "producer_send_success",
                    SendSuccess {
                        key: self.key(*index),
                        value: self.value(*index),
                        partition: completion.partition,
                        offset: if completion.base_offset < 0 { -1 } else { completion.base_offset + at },
                        topic: &self.topic,
                    },
                ),
                Err(error) => self.failed(*index, error),
            }
        }
    }
}

/// What the options come to.
struct Settings {
    texts: Texts,
    max: u64,
    throughput: i32,
    create_time: Option<i64>,
    producer: Properties,
}

fn settings(options: &Options) -> Result<Settings, Stop> {
    require(TOOL, options, &["topic", "bootstrap-server"])?;
    let acks = options.text("acks")?.unwrap_or("-1");
    if !matches!(acks, "0" | "1" | "-1") {
        return Err(mistake(
            TOOL,
            format!("argument --acks: invalid choice: '{acks}' (choose from {{0,1,-1}})"),
        ));
    }
    let throughput = number(TOOL, options, "throughput", "Integer")?.unwrap_or(-1);
    if throughput == 0 {
        return Err(mistake(TOOL, "--throughput 0 would never send a second record; -1 is no limit"));
    }
    let keys: Option<i32> = number(TOOL, options, "repeating-keys", "Integer")?;
    let mut producer = Properties::default();
    producer.set("bootstrap.servers", options.text("bootstrap-server")?.unwrap_or_default());
    producer.set("acks", acks);
    // Whoever reads the lines wants to know of each failure.
    producer.set("retries", "0");
    let file = file(TOOL, options, "producer.config")?;
    file.keys().for_each(|key| producer.set(key, file.get(key).unwrap_or_default()));
    let max: i32 = number(TOOL, options, "max-messages", "Integer")?.unwrap_or(-1);
    Ok(Settings {
        texts: Texts {
            topic: options.text("topic")?.unwrap_or_default().to_owned(),
            prefix: number(TOOL, options, "value-prefix", "Integer")?,
            // A key that never comes back to 0, as in Java.
            keys: keys.map(|keys| u64::try_from(keys).ok().filter(|keys| *keys > 0).unwrap_or(u64::MAX)),
        },
        max: u64::try_from(max).unwrap_or(u64::MAX),
        throughput,
        create_time: number(TOOL, options, "message-create-time", "Long")?.filter(|time: &i64| *time != -1),
        producer,
    })
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(parse(TOOL, declare(), args).and_then(|options| settings(&options)).and_then(start))
}

fn start(settings: Settings) -> Result<(), Stop> {
    let config = |error: ClientError| Stop::Line(error.with_java_name());
    let stop = interrupt::flag().map_err(Stop::Line)?;
    let producer_settings = ProducerSettings::new(&settings.producer, "producer-1").map_err(config)?;
    let acked = Arc::new(AtomicU64::new(0));
    let (counted, texts) = (Arc::clone(&acked), settings.texts.clone());
    let on_done = move |completion: Completion| {
        if completion.result.is_ok() {
            counted.fetch_add(completion.tags.len() as u64, Ordering::Relaxed);
        }
        texts.done(&completion);
    };
    let producer = Producer::new(producer_settings, &settings.texts.topic, on_done).map_err(config)?;
    let start = Instant::now();
    say("startup_complete", Nothing {});
    let sent = send(&settings, &producer, &stop);
    producer.close();
    say("shutdown_complete", Nothing {});
    let acked = acked.load(Ordering::Relaxed);
    let average = 1000.0 * acked as f64 / start.elapsed().as_millis().max(1) as f64;
    say_tool_data(sent, acked, settings.throughput, average);
    if stop.load(Ordering::SeqCst) { Err(Stop::Exit(interrupt::exit_code())) } else { Ok(()) }
}

/// Sends until the count or the operator ends it; how many it were.
fn send(settings: &Settings, producer: &Producer, stop: &AtomicBool) -> u64 {
    let (start, start_ms) = (Instant::now(), clock::now_ms());
    let mut create_time = settings.create_time;
    for index in 0..settings.max {
        if settings.throughput > 0 {
            let due = start + Duration::from_secs_f64(index as f64 / f64::from(settings.throughput));
            while let Some(wait) = due.checked_duration_since(Instant::now()) {
                if wait.is_zero() || stop.load(Ordering::SeqCst) {
                    break;
                }
                std::thread::sleep(wait.min(LOOK));
            }
        }
        if stop.load(Ordering::SeqCst) {
            return index;
        }
        let (key, value) = (settings.texts.key(index), settings.texts.value(index));
        let timestamp = create_time.unwrap_or_else(clock::now_ms);
        let record = RecordData {
            key: key.as_deref().map(str::as_bytes),
            value: Some(value.as_bytes()),
            headers: &[],
        };
        if let Err(error) = producer.send(index, timestamp, &record) {
            settings.texts.failed(index, &error);
        }
        // Time goes on as it does in Kafka's tool.
        create_time = create_time.map(|time| time.saturating_add(clock::now_ms() - start_ms));
    }
    settings.max
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_again_and_values_have_their_prefix() {
        let texts = Texts { topic: "t".to_owned(), prefix: Some(7), keys: Some(2) };
        assert_eq!(
            (texts.key(0), texts.key(3), texts.value(3)),
            (Some("0".into()), Some("1".into()), "7.3".into())
        );
        let plain = Texts { topic: "t".to_owned(), prefix: None, keys: None };
        assert_eq!((plain.key(3), plain.value(3)), (None, "3".into()));
    }
}
