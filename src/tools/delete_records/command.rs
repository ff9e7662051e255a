//! From the options to the lines.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Command;

use super::plan;
use crate::protocol::ErrorCode;
use crate::protocol::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use crate::protocol::messages::{DeleteRecordsRequest, DeleteRecordsResponse};
use crate::tools::admin::{Failure, open};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::consumer::TopicPartition;
use crate::tools::options::{Options, Stop, command, finish, value};
use crate::tools::output::say;

/// Pause between two tries.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a topic may be unknown: a broker may not have heard of a new one yet.
const UNKNOWN_FOR: Duration = Duration::from_secs(5);

fn declare() -> Command {
    command("delete-records", "Deletes the records of partitions before an offset.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(value(
            "offset-json-file",
            "file",
            "A file with {\"partitions\": [{\"topic\": \"foo\", \"partition\": 1, \"offset\": 1}], \"version\": 1}: the \
             records before each offset are deleted, all with -1. Required.",
        ))
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), args)?;
    options.require(&["bootstrap-server", "offset-json-file"])?;
    execute(&options).map_err(|failure| failure.report(""))
}

fn execute(options: &Options) -> Result<(), Failure> {
    let mut client = open(options, "adminclient-1")?;
    let path = options.text("offset-json-file")?.unwrap_or_default();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Plain(format!("{path}: {error}")))?;
    let wanted = plan::parse(&text).map_err(Failure::Plain)?;
    say!("Executing records delete operation");
    let results = delete(&mut client, &wanted);
    say!("Records delete operation completed:");
    for ((topic, partition), result) in results {
        match result {
            Ok(low) => say!("partition: {topic}-{partition}\tlow_watermark: {low}"),
            Err(error) => say!("partition: {topic}-{partition}\terror: {}", error.with_java_name()),
        }
    }
    Ok(())
}

type Results = BTreeMap<TopicPartition, Result<i64, ClientError>>;

/// The low watermark of each partition afterwards, or why nothing was deleted.
fn delete(client: &mut Client, wanted: &BTreeMap<TopicPartition, i64>) -> Results {
    let start = Instant::now();
    let mut results = Results::new();
    let mut pending: Vec<TopicPartition> = wanted.keys().cloned().collect();
    while !pending.is_empty() {
        let mut names: Vec<&str> = pending.iter().map(|(topic, _)| &**topic).collect();
        names.dedup();
        if let Err(error) = client.refresh(Topics::Named(&names), false) {
            results.extend(pending.into_iter().map(|at| (at, Err(error.clone()))));
            break;
        }
        let mut by_leader: BTreeMap<i32, Vec<TopicPartition>> = BTreeMap::new();
        for at in &pending {
            match client.cluster().leader(&at.0, at.1) {
                Some(leader) => by_leader.entry(leader).or_default().push(at.clone()),
                None => drop(results.insert(at.clone(), Err(leaderless(client, at)))),
            }
        }
        for (leader, asked) in by_leader {
            match ask(client, leader, &asked, wanted) {
                Ok(answers) => results.extend(answers),
                Err(error) => results.extend(asked.into_iter().map(|at| (at, Err(error.clone())))),
            }
        }
        let elapsed = start.elapsed() + PAUSE;
        let limit = client.api_timeout();
        pending.retain(|at| match results.get(at) {
            Some(Err(error)) if error.code() == Some(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION) => {
                elapsed < limit.min(UNKNOWN_FOR)
            }
            Some(Err(error)) => error.is_retriable() && elapsed < limit,
            _ => false,
        });
        if !pending.is_empty() {
            std::thread::sleep(PAUSE);
        }
    }
    results
}

/// Why a partition has no leader to be asked.
fn leaderless(client: &Client, (topic, partition): &TopicPartition) -> ClientError {
    let cluster = client.cluster();
    let code = match (cluster.topic_errors.get(topic), cluster.topics.get(topic)) {
        (Some(code), _) => *code,
        (None, Some(topic)) if topic.partition(*partition).is_some() => ErrorCode::LEADER_NOT_AVAILABLE,
        _ => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
    };
    ClientError::Broker { code, message: None }
}

fn ask(
    client: &mut Client,
    leader: i32,
    partitions: &[TopicPartition],
    wanted: &BTreeMap<TopicPartition, i64>,
) -> Result<Results, ClientError> {
    let mut topics: BTreeMap<&str, Vec<DeleteRecordsPartition>> = BTreeMap::new();
    for at in partitions {
        let offset = wanted.get(at).copied().unwrap_or_default();
        topics.entry(&at.0).or_default().push(DeleteRecordsPartition { partition_index: at.1, offset });
    }
    let request = DeleteRecordsRequest {
        topics: topics
            .into_iter()
            .map(|(name, partitions)| DeleteRecordsTopic { name, partitions })
            .collect(),
        timeout_ms: i32::try_from(client.api_timeout().as_millis()).unwrap_or(i32::MAX),
    };
    let answer = client.call_node(Node::Broker(leader), &request, i16::MAX, None)?;
    let response = answer.decode::<DeleteRecordsResponse<'_>>()?;
    let mut results = Results::new();
    for topic in &response.topics {
        let name: Arc<str> = topic.name.into();
        for partition in &topic.partitions {
            let result = ClientError::check(partition.error_code, None).map(|()| partition.low_watermark);
            results.insert((Arc::clone(&name), partition.partition_index), result);
        }
    }
    Ok(results)
}
