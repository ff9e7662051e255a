//! Sends a record, waits for it, and again; shows how long that took.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::options::{Settings, declare, settings, with_names};
use super::record::Sent;
use crate::protocol::messages::create_topics::CreatableTopic;
use crate::protocol::messages::{CreateTopicsRequest, CreateTopicsResponse};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError};
use crate::tools::consumer::{Consumer, ConsumerSettings, Source};
use crate::tools::java_double::java_double;
use crate::tools::options::{Options, Stop, finish};
use crate::tools::output::say;
use crate::tools::producer::{Completion, Producer, ProducerSettings, RecordData};
use crate::tools::random::Random;
use crate::tools::{client_settings, clock, interrupt};

/// How long a record may take.
const LIMIT: Duration = Duration::from_secs(60);
/// How often to show how it goes.
const SHOW_EVERY: usize = 1000;

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), with_names(args)?)?;
    measure(&settings(&options)?)
}

fn failed(error: ClientError) -> Stop {
    Stop::Line(error.with_java_name())
}

fn measure(settings: &Settings) -> Result<(), Stop> {
    let stop = interrupt::flag().map_err(Stop::Line)?;
    let mut base = settings.file.clone();
    base.set("bootstrap.servers", &settings.servers);
    let mut client = client_settings::client(&base, "adminclient-1").map_err(failed)?;
    ensure_topic(&mut client, &settings.topic).map_err(failed)?;

    let mut consumer_properties = base.clone();
    consumer_properties.set("auto.offset.reset", "latest");
    // No batching in time.
    consumer_properties.set("fetch.max.wait.ms", "0");
    let consumer_settings = ConsumerSettings::new(&consumer_properties).map_err(failed)?;
    let source = Source::WholeTopic(settings.topic.clone());
    let mut consumer = Consumer::new(consumer_settings, source, Arc::clone(&stop)).map_err(failed)?;
    if !consumer.settle(Instant::now() + LIMIT).map_err(failed)? {
        return Err(Stop::Line(format!("No offsets of topic {} within {LIMIT:?}", settings.topic)));
    }

    base.set("linger.ms", "0");
    base.set("acks", &settings.acks);
    let producer_settings = ProducerSettings::new(&base, "producer-1").map_err(failed)?;
    let (done, acknowledged) = channel();
    // Nobody listens any more when the test has failed.
    let on_done = move |completion: Completion| drop(done.send(completion.result));
    let producer = Producer::new(producer_settings, &settings.topic, on_done).map_err(failed)?;
    let result = rounds(settings, &producer, &acknowledged, &mut consumer);
    producer.close();
    consumer.close();
    match result {
        Ok(latencies) => show(latencies),
        Err(Stop::Line(_)) if stop.load(std::sync::atomic::Ordering::SeqCst) => {
            return Err(Stop::Exit(interrupt::exit_code()));
        }
        Err(stop) => return Err(stop),
    }
    Ok(())
}

fn rounds(
    settings: &Settings,
    producer: &Producer,
    acknowledged: &Receiver<Result<(), ClientError>>,
    consumer: &mut Consumer,
) -> Result<Vec<Duration>, Stop> {
    let mut random = Random::seeded(0);
    let mut latencies = Vec::with_capacity(settings.records);
    for round in 0..settings.records {
        let sent = Sent::new(&mut random, settings.sizes);
        let headers: Vec<(&str, Option<&[u8]>)> =
            sent.headers.iter().map(|(key, value)| (key.as_str(), value.as_deref())).collect();
        let record = RecordData { key: Some(&sent.key), value: Some(&sent.value), headers: &headers };
        let begin = Instant::now();
        producer.send(0, clock::now_ms(), &record).map_err(failed)?;
        acknowledged.recv().map_err(|_| Stop::Line("the producer ended".to_owned()))?.map_err(failed)?;
        let records = consumer.next_batch(Some(Instant::now() + LIMIT)).map_err(failed)?;
        let elapsed = begin.elapsed();
        let Some(read) = records.first() else {
            return Err(Stop::Line(
                "poll() timed out before finding a result (timeout:[60000ms])".to_owned(),
            ));
        };
        sent.compare(read).map_err(Stop::Line)?;
        if records.len() != 1 {
            return Err(Stop::Line(format!(
                "Only one result was expected during this test. We found [{}]",
                records.len()
            )));
        }
        if round % SHOW_EVERY == 0 {
            say!("{round}\t{}", java_double(elapsed.as_nanos() as f64 / 1000.0 / 1000.0));
        }
        latencies.push(elapsed);
    }
    Ok(latencies)
}

fn show(mut latencies: Vec<Duration>) {
    let total: Duration = latencies.iter().sum();
    latencies.sort_unstable();
    let average = total.as_nanos() as f64 / latencies.len() as f64 / 1000.0 / 1000.0;
    say!("Avg latency: {average:.4} ms");
    let at = |share: f64| {
        let index = (latencies.len() as f64 * share) as usize;
        latencies.get(index).map_or(0, Duration::as_millis)
    };
    say!("Percentiles: 50th = {}, 99th = {}, 99.9th = {}", at(0.5), at(0.99), at(0.999));
}

/// Creates the topic if it is not there.
fn ensure_topic(client: &mut Client, topic: &str) -> Result<(), ClientError> {
    client.refresh(Topics::All, false)?;
    if client.cluster().topics.contains_key(topic) {
        return Ok(());
    }
    say!(
        "Topic \"{topic}\" does not exist. Will create topic with 1 partition(s) and replication factor = 1"
    );
    let new = CreatableTopic { name: topic, num_partitions: 1, replication_factor: 1, ..Default::default() };
    let request = CreateTopicsRequest {
        topics: vec![new],
        timeout_ms: i32::try_from(client.api_timeout().as_millis()).unwrap_or(i32::MAX),
        validate_only: false,
    };
    let created = client.retry(|client| {
        let answer = client.call_controller(&request)?;
        let response = answer.decode::<CreateTopicsResponse<'_>>()?;
        let result = response.topics.first();
        result.map_or(Ok(()), |topic| ClientError::check(topic.error_code, topic.error_message))
    });
    if created.is_err() {
        say!("Creation of topic {topic} failed");
    }
    created?;
    // A broker may hear of it a moment later.
    client.retry(|client| {
        client.refresh(Topics::Named(&[topic]), false)?;
        match client.cluster().topic_errors.get(topic) {
            Some(code) => Err(ClientError::Broker { code: *code, message: None }),
            None => Ok(()),
        }
    })
}
