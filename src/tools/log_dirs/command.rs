//! From the options to the lines.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::ExitCode;

use clap::Command;

use super::json::{LogDir, Replica, line};
use crate::protocol::ErrorCode;
use crate::protocol::messages::{DescribeLogDirsRequest, DescribeLogDirsResponse};
use crate::tools::admin::{Failure, open};
use crate::tools::client::blocking::Topics;
use crate::tools::client::java_name::exception_name;
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::options::{Options, Stop, command, finish, flag, value};
use crate::tools::output::say;

fn declare() -> Command {
    command("log-dirs", "Shows what the brokers' log directories hold.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(flag("describe", "Show the log directories. Required."))
        .arg(value("topic-list", "topics", "Topics with commas between; all if not given."))
        .arg(value("broker-list", "ids", "Brokers with commas between; all if not given."))
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), args)?;
    options.require(&["bootstrap-server", "describe"])?;
    execute(&options).map_err(|failure| failure.report(""))
}

fn entries(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split(',').filter(|entry| !entry.is_empty())
}

fn execute(options: &Options) -> Result<(), Failure> {
    let topics: BTreeSet<&str> = entries(options.text("topic-list")?).collect();
    let wanted = entries(options.text("broker-list")?)
        .map(|id| id.parse().map_err(|_| Failure::Plain(format!("For input string: \"{id}\""))))
        .collect::<Result<BTreeSet<i32>, _>>()?;
    let mut client = open(options, "log-dirs-tool")?;
    client.refresh(Topics::None, false)?;
    let known: BTreeSet<i32> = client.cluster().brokers.keys().copied().collect();
    let unknown: BTreeSet<i32> = wanted.difference(&known).copied().collect();
    if !unknown.is_empty() {
        return Err(Failure::Plain(format!(
            "ERROR: The given brokers do not exist from --broker-list: {}. Current existent brokers: {}",
            list(&unknown),
            list(&known)
        )));
    }
    let asked = if wanted.is_empty() { known } else { wanted };
    say!("Querying brokers for log directories information");
    let mut dirs = BTreeMap::new();
    for broker in &asked {
        dirs.insert(*broker, client.retry(|client| log_dirs(client, *broker, &topics))?);
    }
    say!("Received log directory information from brokers {}", list(&asked));
    say!("{}", line(&dirs).map_err(|error| Failure::Plain(error.to_string()))?);
    Ok(())
}

fn list(ids: &BTreeSet<i32>) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn log_dirs(client: &mut Client, broker: i32, topics: &BTreeSet<&str>) -> Result<Vec<LogDir>, ClientError> {
    // All topics: the choice is made here, as by Kafka's tool, so that a topic without replicas is no error.
    let request = DescribeLogDirsRequest { topics: None };
    let answer = client.call_node(Node::Broker(broker), &request, i16::MAX, None)?;
    let response = answer.decode::<DescribeLogDirsResponse<'_>>()?;
    ClientError::check(response.error_code, None)?;
    let dirs = response.results.iter().map(|dir| {
        let wanted = dir.topics.iter().filter(|topic| topics.is_empty() || topics.contains(topic.name));
        let replicas = wanted.flat_map(|topic| {
            topic.partitions.iter().map(|replica| Replica {
                partition: format!("{}-{}", topic.name, replica.partition_index),
                size: replica.partition_size,
                offset_lag: replica.offset_lag,
                is_future: replica.is_future_key,
            })
        });
        let code = ErrorCode(dir.error_code);
        LogDir {
            partitions: replicas.collect(),
            error: (!code.is_none()).then(|| exception_name(code)),
            log_dir: dir.log_dir.to_owned(),
        }
    });
    Ok(dirs.collect())
}
