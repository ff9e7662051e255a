//! From the options to the lines.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Command;

use super::filter::PartitionFilter;
use crate::tools::admin::{Failure, check_bootstrap, offsets, open};
use crate::tools::client::blocking::Topics;
use crate::tools::consumer::TopicPartition;
use crate::tools::options::{Options, Stop, command, finish, flag, value};
use crate::tools::output;

/// Names of the special times.
const NAMED: &[(&str, i64)] = &[
    ("latest", offsets::LATEST),
    ("earliest", offsets::EARLIEST),
    ("max-timestamp", offsets::MAX_TIMESTAMP),
    ("earliest-local", offsets::EARLIEST_LOCAL),
    ("latest-tiered", offsets::LATEST_TIERED),
    ("earliest-pending-upload", offsets::EARLIEST_PENDING_UPLOAD),
];

const FRONT: &str = "Error occurred: ";

fn declare() -> Command {
    command("get-offsets", "Shows offsets of partitions.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(value(
            "topic-partitions",
            "rules",
            "Partitions as topic1:1,topic2:0-3,topic3,topic4:5-,topic5:-3; topics are regular expressions.",
        ))
        .arg(value("topic", "topic", "A regular expression for the topics; all if not given."))
        .arg(value("partitions", "numbers", "Partitions with commas between; all if not given."))
        .arg(value(
            "time",
            "time",
            "A timestamp in milliseconds, or -1 or latest, -2 or earliest, -3 or max-timestamp, -4 or earliest-local, \
             -5 or latest-tiered, -6 or earliest-pending-upload (latest).",
        ))
        .arg(flag("exclude-internal-topics", "Leave Kafka's own topics out."))
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), args).map_err(|stop| Failure::Stop(stop).report(FRONT))?;
    options.require(&["bootstrap-server"])?;
    check_bootstrap(&options)?;
    execute(&options).map_err(|failure| failure.report(FRONT))
}

fn execute(options: &Options) -> Result<(), Failure> {
    let (topic, partitions) = (options.text("topic")?, options.text("partitions")?);
    let rules = options.text("topic-partitions")?;
    if rules.is_some() && (topic.is_some() || partitions.is_some()) {
        return Err(Failure::plain("--topic-partitions cannot be used with --topic or --partitions"));
    }
    let time = time(options.text("time")?.unwrap_or("latest"))?;
    let filter = match rules {
        Some(rules) => PartitionFilter::of_rules(rules),
        None => PartitionFilter::of_options(topic, partitions),
    }
    .map_err(Failure::Plain)?;
    let mut client = open(options, "GetOffsetShell")?;
    client.refresh(Topics::All, false)?;
    let exclude_internal = options.has("exclude-internal-topics");
    let wanted: Vec<TopicPartition> = client
        .cluster()
        .topics
        .values()
        .filter(|topic| !(exclude_internal && topic.is_internal) && filter.allows_topic(&topic.name))
        .flat_map(|topic| topic.partitions.iter().map(|at| (Arc::clone(&topic.name), at.index)))
        .filter(|(topic, partition)| filter.allows(topic, *partition))
        .collect();
    if wanted.is_empty() {
        return Err(Failure::plain("Could not match any topic-partitions with the specified filters"));
    }
    // The lines stand in the order of these names: t-10 comes before t-2.
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for ((topic, partition), result) in offsets::list(&mut client, &wanted, time)? {
        match result {
            Ok(-1) => {}
            Ok(offset) => {
                lines.insert(format!("{topic}-{partition}"), format!("{topic}:{partition}:{offset}\n"));
            }
            Err(error) => eprintln!(
                "Skip getting offsets for topic-partition {topic}-{partition} due to error: {}",
                error.with_java_name()
            ),
        }
    }
    output::write(format_args!("{}", lines.into_values().collect::<String>()));
    Ok(())
}

fn time(text: &str) -> Result<i64, Failure> {
    if let Some((_, time)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok(*time);
    }
    text.parse().map_err(|_| {
        Failure::Plain(format!(
            "Malformed time argument {text}. Please use -1 or latest / -2 or earliest / -3 or max-timestamp / -4 or \
             earliest-local / -5 or latest-tiered / -6 or earliest-pending-upload, or a specified long format timestamp"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_names_and_numbers() {
        let of = |text| time(text).unwrap();
        assert_eq!(
            (of("latest"), of("-2"), of("max-timestamp"), of("1700000000000")),
            (-1, -2, -3, 1_700_000_000_000)
        );
        assert!(
            matches!(time("soon"), Err(Failure::Plain(text)) if text.starts_with("Malformed time argument soon."))
        );
    }
}
