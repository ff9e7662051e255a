//! The options of `consumer-perf-test`, and what they come to.

use std::time::Duration;

use clap::Command;

use crate::tools::consumer::Source;
use crate::tools::options::{Options, Stop, command, flag, value};
use crate::tools::output::say;
use crate::tools::properties::Properties;
use crate::tools::random::Random;
use crate::tools::topic_filter::TopicFilter;

/// The one form of dates that is served: that of the default.
const DATE_FORMAT: &str = "yyyy-MM-dd HH:mm:ss:SSS";

pub(super) fn declare() -> Command {
    command("consumer-perf-test", "Consumes records as fast as it can, and says how fast that was.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("topic", "topic", "The topic to read; this or --include is required."))
        .arg(value("include", "regex", "A regular expression for the topics to read."))
        .arg(value("group", "group", "The group to be a member of; a new one if not given."))
        .arg(value("fetch-size", "bytes", "Bytes of one partition in an answer at most (1048576)."))
        .arg(value("command-property", "key=value", "A config of the consumer."))
        .arg(flag("from-latest", "Without a committed offset, start at the end instead of the first record."))
        .arg(value("socket-buffer-size", "bytes", "Without effect."))
        .arg(value("consumer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the consumer in a file."))
        .arg(flag("print-metrics", "Not served."))
        .arg(flag("show-detailed-stats", "Say how it goes every --reporting-interval."))
        .arg(value("timeout", "ms", "End when no record comes for this long (10000)."))
        .arg(value("messages", "number", "Old name of --num-records."))
        .arg(value("num-records", "number", "Records to consume. Required."))
        .arg(value("reporting-interval", "ms", "How often to say how it goes (5000)."))
        .arg(value("date-format", "format", "Only the default, yyyy-MM-dd HH:mm:ss:SSS, is served."))
        .arg(flag("hide-header", "Leave the line out that names the columns."))
}

/// What the options come to.
pub(super) struct Settings {
    pub(super) source: Source,
    pub(super) consumer: Properties,
    pub(super) records: u64,
    pub(super) timeout_ms: i64,
    pub(super) interval: Duration,
    pub(super) detailed: bool,
    pub(super) header: bool,
}

/// Checks the options and puts them together.
pub(super) fn settings(options: &Options) -> Result<Settings, Stop> {
    options.require(&["bootstrap-server"])?;
    one_of(options, ["topic", "include"])?;
    one_of(options, ["messages", "num-records"])?;
    options.exclude("consumer.config", &["command-config"])?;
    if options.has("messages") {
        say!("Warning: --messages is deprecated. Use --num-records instead.");
    }
    if options.has("consumer.config") {
        say!("Warning: --consumer.config is deprecated. Use --command-config instead.");
    }
    if options.has("print-metrics") {
        return Err(Stop::Line("--print-metrics is not served by millrace's tools yet".to_owned()));
    }
    if let Some(format) = options.text("date-format")?.filter(|format| *format != DATE_FORMAT) {
        return Err(Stop::Line(format!("--date-format {format} is not served: only {DATE_FORMAT} is")));
    }
    let records = match options.number::<i64>("messages")? {
        Some(records) => records,
        None => options.number::<i64>("num-records")?.unwrap_or_default(),
    };
    let interval = options.text("reporting-interval")?.unwrap_or("5000");
    let interval_ms: u64 = interval.parse().map_err(|_| {
        options.usage_error(&format!("Cannot parse argument '{interval}' of option reporting-interval"))
    })?;
    if interval_ms == 0 {
        return Err(Stop::Line("Reporting interval must be greater than 0.".to_owned()));
    }
    let source = match options.text("include")? {
        Some(filter) => Source::Filter(TopicFilter::new(filter).map_err(Stop::Line)?),
        None => Source::Topics(vec![options.text("topic")?.unwrap_or_default().to_owned()]),
    };
    Ok(Settings {
        source,
        consumer: properties(options)?,
        records: u64::try_from(records).unwrap_or_default(),
        timeout_ms: options.number::<i64>("timeout")?.unwrap_or(10_000),
        interval: Duration::from_millis(interval_ms),
        detailed: options.has("show-detailed-stats"),
        header: !options.has("hide-header"),
    })
}

/// Refuses none and more than one of the options.
fn one_of(options: &Options, names: [&str; 2]) -> Result<(), Stop> {
    if names.iter().filter(|name| options.has(name)).count() == 1 {
        return Ok(());
    }
    Err(options.usage_error(&format!(
        "Exactly one of the following arguments is required: [{}], [{}]",
        names[0], names[1]
    )))
}

fn properties(options: &Options) -> Result<Properties, Stop> {
    let mut properties = Properties::default();
    for file in ["consumer.config", "command-config"] {
        if let Some(path) = options.text(file)? {
            properties.load(path).map_err(Stop::Line)?;
        }
    }
    properties.add(&options.all("command-property")).map_err(Stop::Line)?;
    properties.set("bootstrap.servers", options.text("bootstrap-server")?.unwrap_or_default());
    let group = match options.text("group")? {
        Some(group) => group.to_owned(),
        None => format!("perf-consumer-{}", Random::new().below(100_000)),
    };
    properties.set("group.id", &group);
    let fetch_bytes = options.number::<i32>("fetch-size")?.unwrap_or(1024 * 1024);
    properties.set("max.partition.fetch.bytes", &fetch_bytes.to_string());
    let reset = if options.has("from-latest") { "latest" } else { "earliest" };
    properties.set("auto.offset.reset", reset);
    properties.set("check.crcs", "false");
    properties.set_default("client.id", "perf-consumer-client");
    Ok(properties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, Stop> {
        settings(&Options::parse(declare(), line.split_whitespace().map(Into::into).collect())?)
    }

    #[test]
    fn options_come_to_what_they_do_in_kafka() {
        let parsed =
            parse("--bootstrap-server a:1 --topic t --num-records 5 --command-property a=b").unwrap();
        let get = |key| parsed.consumer.get(key);
        assert_eq!((parsed.records, parsed.timeout_ms, parsed.interval.as_millis()), (5, 10_000, 5000));
        assert_eq!((get("auto.offset.reset"), get("a")), (Some("earliest"), Some("b")));
        assert!(get("group.id").unwrap().starts_with("perf-consumer-"));
        let bad = [
            ("--topic t --num-records 5", "Missing required argument \"[bootstrap-server]\""),
            (
                "--bootstrap-server a:1 --num-records 5",
                "Exactly one of the following arguments is required: [topic], [include]",
            ),
            (
                "--bootstrap-server a:1 --topic t",
                "Exactly one of the following arguments is required: [messages], [num-records]",
            ),
        ];
        for (line, text) in bad {
            let Err(Stop::Usage(said)) = parse(line) else { panic!("{line}") };
            assert!(said.starts_with(text), "{said}");
        }
    }
}
