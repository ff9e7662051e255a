//! Reads, sends, and says what could not be sent.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use super::line_reader::{LineReader, LineRecord};
use super::options::{Settings, declare, settings};
use crate::tools::client::ClientError;
use crate::tools::options::{Options, Stop, finish};
use crate::tools::producer::{Completion, Producer, ProducerSettings, RecordData};
use crate::tools::{clock, interrupt, log};

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(Options::parse(declare(), args).and_then(|options| settings(&options)).and_then(start))
}

/// Key and value lengths in one number, each plus one so that zero stands for null.
fn tag(record: &LineRecord) -> u64 {
    let length = |part: &Option<Vec<u8>>| part.as_ref().map_or(0, |bytes| bytes.len() as u64 + 1);
    length(&record.key) << 32 | length(&record.value)
}

fn shown(length: u64) -> String {
    if length == 0 { "null".to_owned() } else { format!("{} bytes", length - 1) }
}

fn report(topic: &str, tag: u64, error: &ClientError) {
    let (key, value) = (shown(tag >> 32), shown(tag & 0xffff_ffff));
    log::error(&format!(
        "Error when sending message to topic {topic} with key: {key}, value: {value} with error: \
         (org.apache.kafka.clients.producer.internals.ErrorLoggingCallback)\n{}",
        error.with_java_name()
    ));
}

fn start(settings: Settings) -> Result<(), Stop> {
    let mut reader = LineReader::new(&settings.reader).map_err(Stop::Line)?;
    let config = |error: ClientError| Stop::Line(error.with_java_name());
    let producer_settings = ProducerSettings::new(&settings.producer, "console-producer").map_err(config)?;
    let failed: Arc<Mutex<Option<ClientError>>> = Arc::default();
    let (seen, topic, sync) = (Arc::clone(&failed), settings.topic.clone(), settings.sync);
    let on_done = move |completion: Completion| {
        if let Err(error) = completion.result {
            if !sync {
                completion.tags.iter().for_each(|tag| report(&topic, *tag, &error));
            }
            seen.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    let producer = Arc::new(Producer::new(producer_settings, &settings.topic, on_done).map_err(config)?);
    let closing = Arc::clone(&producer);
    // What was read before an interrupt is still sent, as by the shutdown hook of Kafka's tool.
    interrupt::on_interrupt(move |code| {
        closing.close();
        std::process::exit(code);
    })
    .map_err(Stop::Line)?;
    let result = read_and_send(&mut reader, &producer, &settings, &failed);
    producer.close();
    result
}

fn read_and_send(
    reader: &mut LineReader,
    producer: &Producer,
    settings: &Settings,
    failed: &Mutex<Option<ClientError>>,
) -> Result<(), Stop> {
    let mut input = std::io::stdin().lock();
    let prompts = input.is_terminal() && std::io::stdout().is_terminal();
    loop {
        if prompts {
            print!(">");
            // A prompt that cannot be shown is no reason to stop.
            let _ = std::io::stdout().flush();
        }
        let Some(record) = reader.next(&mut input).map_err(|error| Stop::Line(error.to_string()))? else {
            return Ok(());
        };
        let record =
            record.map_err(|text| Stop::Line(format!("org.apache.kafka.common.KafkaException: {text}")))?;
        let headers: Vec<_> =
            record.headers.iter().map(|(key, value)| (key.as_str(), value.as_deref())).collect();
        let data =
            RecordData { key: record.key.as_deref(), value: record.value.as_deref(), headers: &headers };
        if let Err(error) = producer.send(tag(&record), clock::now_ms(), &data) {
            if settings.sync {
                return Err(Stop::Line(error.with_java_name()));
            }
            report(&settings.topic, tag(&record), &error);
        } else if settings.sync {
            producer.flush();
            if let Some(error) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Err(Stop::Line(error.with_java_name()));
            }
        }
    }
}
