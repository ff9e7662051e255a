//! `verifiable-consumer`: a member of a group that says what it got and what it committed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Command;

use super::events::{
    Committed, Nothing, OffsetsCommitted, Partition, Partitions, RecordData, RecordsConsumed, Summary, say,
};
use super::{file, number, parse, require};
use crate::protocol::ErrorCode;
use crate::tools::client::ClientError;
use crate::tools::consumer::{
    Consumer, ConsumerRecord, ConsumerSettings, GroupEvent, Source, TopicPartition,
};
use crate::tools::options::{Options, Stop, command, finish, flag, value};
use crate::tools::properties::Properties;
use crate::tools::{interrupt, log};

const TOOL: &str = "verifiable-consumer";
const RANGE_ASSIGNOR: &str = "org.apache.kafka.clients.consumer.RangeAssignor";

/// Longest wait without saying what happens in the group.
const LOOK: Duration = Duration::from_millis(100);

fn declare() -> Command {
    command(TOOL, "Consumes records in a group, and says what it got and what it committed.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("topic", "topic", "The topic to read. Required."))
        .arg(value("group-protocol", "protocol", "classic."))
        .arg(value("group-remote-assignor", "assignor", "Only with another protocol."))
        .arg(value("group-id", "group", "The group to be a member of. Required."))
        .arg(value("group-instance-id", "id", "The id of a static member."))
        .arg(value("max-messages", "number", "Records to consume; -1 for no end (-1)."))
        .arg(value("session-timeout", "ms", "How long the member may be silent."))
        .arg(flag("verbose", "Show each record."))
        .arg(flag("enable-autocommit", "Let the consumer commit by itself."))
        .arg(value("close-timeout", "ms", "Without effect."))
        .arg(value("reset-policy", "policy", "earliest, latest or none (earliest)."))
        .arg(value("assignment-strategy", "class", "RangeAssignor."))
        .arg(value("consumer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the consumer in a file."))
}

/// What the options come to.
struct Settings {
    topic: String,
    /// `None`: without end.
    max: Option<u64>,
    verbose: bool,
    auto_commit: bool,
    consumer: Properties,
}

fn settings(options: &Options) -> Result<Settings, Stop> {
    require(TOOL, options, &["topic", "group-id", "bootstrap-server"])?;
    let mut consumer = file(TOOL, options, "consumer.config")?;
    let protocol = options.text("group-protocol")?.unwrap_or("classic");
    consumer.set("group.protocol", protocol);
    if let Some(assignor) = options.text("group-remote-assignor")?
        && protocol.eq_ignore_ascii_case("consumer")
    {
        consumer.set("group.remote.assignor", assignor);
    }
    let strategy = options.text("assignment-strategy")?.unwrap_or(RANGE_ASSIGNOR);
    consumer.set("partition.assignment.strategy", strategy);
    if let Some(timeout) = number::<i32>(TOOL, options, "session-timeout", "Integer")? {
        consumer.set("session.timeout.ms", &timeout.to_string());
    }
    consumer.set("group.id", options.text("group-id")?.unwrap_or_default());
    if let Some(id) = options.text("group-instance-id")? {
        consumer.set("group.instance.id", id);
    }
    consumer.set("bootstrap.servers", options.text("bootstrap-server")?.unwrap_or_default());
    let auto_commit = options.has("enable-autocommit");
    consumer.set("enable.auto.commit", if auto_commit { "true" } else { "false" });
    consumer.set("auto.offset.reset", options.text("reset-policy")?.unwrap_or("earliest"));
    let max: i32 = number(TOOL, options, "max-messages", "Integer")?.unwrap_or(-1);
    Ok(Settings {
        topic: options.text("topic")?.unwrap_or_default().to_owned(),
        max: u64::try_from(max).ok(),
        verbose: options.has("verbose"),
        auto_commit,
        consumer,
    })
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(parse(TOOL, declare(), args).and_then(|options| settings(&options)).and_then(|it| start(&it)))
}

fn start(settings: &Settings) -> Result<(), Stop> {
    let config = |error: ClientError| Stop::Line(error.with_java_name());
    let stop = interrupt::flag().map_err(Stop::Line)?;
    let consumer_settings = ConsumerSettings::new(&settings.consumer).map_err(config)?;
    let source = Source::Topics(vec![settings.topic.clone()]);
    let mut consumer = Consumer::new(consumer_settings, source, Arc::clone(&stop)).map_err(config)?;
    say("startup_complete", Nothing {});
    let result = consume(settings, &mut consumer, &stop);
    let stopped = stop.load(Ordering::SeqCst);
    if stopped {
        say("shutdown_requested", Nothing {});
    } else if let Err(error) = result {
        log::error(&format!(
            "Error during processing, terminating consumer process:  (org.apache.kafka.tools.VerifiableConsumer)\n{}",
            error.with_java_name()
        ));
    }
    say_group(&mut consumer);
    let assigned = consumer.assigned().to_vec();
    consumer.close();
    if !assigned.is_empty() {
        say("partitions_revoked", partitions(&assigned));
    }
    say("shutdown_complete", Nothing {});
    if stopped {
        return Err(Stop::Exit(interrupt::exit_code()));
    }
    // Said in any case, by what runs at the end of the Java program.
    say("shutdown_requested", Nothing {});
    Ok(())
}

fn partitions(list: &[TopicPartition]) -> Partitions<'_> {
    Partitions { partitions: list.iter().map(|(topic, at)| Partition { topic, partition: *at }).collect() }
}

/// Says what happened in the group.
fn say_group(consumer: &mut Consumer) {
    for (_, event) in consumer.take_events() {
        match event {
            GroupEvent::Revoked(list) => say("partitions_revoked", partitions(&list)),
            GroupEvent::Assigned(list) => say("partitions_assigned", partitions(&list)),
        }
    }
}

fn consume(settings: &Settings, consumer: &mut Consumer, stop: &AtomicBool) -> Result<(), ClientError> {
    let mut consumed = 0;
    while settings.max.is_none_or(|max| consumed < max) {
        // Not for longer than a moment, so that what happens in the group is said when it happens.
        let deadline = Instant::now() + LOOK;
        let records = consumer.next_batch(Some(deadline));
        say_group(consumer);
        let records = records?;
        if stop.load(Ordering::SeqCst) {
            return Err(ClientError::Interrupted);
        }
        if records.is_empty() {
            continue;
        }
        let room = settings.max.map_or(u64::MAX, |max| max - consumed);
        let offsets = received(&records, room, settings.verbose, &mut consumed);
        if !settings.auto_commit {
            commit(consumer, &offsets)?;
        }
    }
    Ok(())
}

/// Says what was read, at most `room` records of it; gives the offsets behind.
fn received(
    records: &[ConsumerRecord],
    mut room: u64,
    verbose: bool,
    consumed: &mut u64,
) -> BTreeMap<TopicPartition, i64> {
    // In the order in which the partitions came.
    let mut by_partition: Vec<(TopicPartition, Vec<&ConsumerRecord>)> = Vec::new();
    for record in records {
        let at = (Arc::clone(&record.topic), record.partition);
        match by_partition.iter_mut().find(|(known, _)| *known == at) {
            Some((_, list)) => list.push(record),
            None => by_partition.push((at, vec![record])),
        }
    }
    let mut offsets = BTreeMap::new();
    let mut summaries = Vec::new();
    for (at, list) in &by_partition {
        let list = list.get(..usize::try_from(room).unwrap_or(usize::MAX)).unwrap_or(list);
        let (Some(first), Some(last)) = (list.first(), list.last()) else { break };
        offsets.insert(at.clone(), last.offset + 1);
        let count = list.len() as u64;
        summaries.push(Summary {
            topic: &at.0,
            partition: at.1,
            count,
            min_offset: first.offset,
            max_offset: last.offset,
        });
        if verbose {
            list.iter().for_each(|record| say("record_data", data(record)));
        }
        room -= count;
        *consumed += count;
    }
    say("records_consumed", RecordsConsumed { count: records.len() as u64, partitions: summaries });
    offsets
}

fn data(record: &ConsumerRecord) -> RecordData<'_> {
    let text =
        |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    RecordData {
        key: text(&record.key),
        value: text(&record.value),
        topic: &record.topic,
        partition: record.partition,
        offset: record.offset,
    }
}

/// Commits, and says what became of it; an error only if this member was replaced by another of its id.
fn commit(consumer: &mut Consumer, offsets: &BTreeMap<TopicPartition, i64>) -> Result<(), ClientError> {
    let result = consumer.commit_positions(offsets);
    if let Err(error) = &result
        && error.code() == Some(ErrorCode::FENCED_INSTANCE_ID)
    {
        return result;
    }
    let committed = offsets.iter().map(|((topic, partition), offset)| Committed {
        topic,
        partition: *partition,
        offset: *offset,
    });
    let error = result.err().map(|error| error.to_string());
    let success = error.is_none();
    say("offsets_committed", OffsetsCommitted { offsets: committed.collect(), error, success });
    Ok(())
}
