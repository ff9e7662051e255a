//! The options of `console-consumer`, and what they come to.

use std::collections::BTreeSet;

use clap::Command;

use super::formatter::Formatter;
use crate::tools::consumer::Source;
use crate::tools::options::{Options, Stop, command, flag, value};
use crate::tools::properties::Properties;
use crate::tools::random::Random;
use crate::tools::topic_filter::TopicFilter;

pub(super) fn declare() -> Command {
    command("console-consumer", "Shows the records of topics on standard output.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("topic", "topic", "The topic to read."))
        .arg(value("include", "regex", "A regular expression for the topics to read."))
        .arg(value("partition", "number", "The partition to read, from its end unless --offset says otherwise."))
        .arg(value("offset", "offset", "Where to start: a number, 'earliest' or 'latest' (latest)."))
        .arg(value("group", "group", "The group to be a member of; a new one if not given."))
        .arg(flag("from-beginning", "Without a committed offset, start at the first record instead of the end."))
        .arg(value("max-messages", "number", "Records to show at most."))
        .arg(value("timeout-ms", "ms", "End when no record comes for this long."))
        .arg(flag("skip-message-on-error", "Go on after a record that cannot be shown."))
        .arg(value("isolation-level", "level", "read_committed or read_uncommitted (read_uncommitted)."))
        .arg(flag("enable-systest-events", "Show the consumer's life cycle too."))
        .arg(value("formatter", "class", "DefaultMessageFormatter or NoOpMessageFormatter."))
        .arg(value("property", "key=value", "Old name of --formatter-property."))
        .arg(value(
            "formatter-property",
            "key=value",
            "print.timestamp, print.key, print.offset, print.epoch, print.partition, print.headers, print.value, \
             key.separator, line.separator, headers.separator, null.literal, key.deserializer, value.deserializer, \
             headers.deserializer.",
        ))
        .arg(value("formatter-config", "file", "Formatter properties in a file."))
        .arg(value("key-deserializer", "class", "How keys become text."))
        .arg(value("value-deserializer", "class", "How values become text."))
        .arg(value("consumer-property", "key=value", "Old name of --command-property."))
        .arg(value("command-property", "key=value", "A config of the consumer."))
        .arg(value("consumer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the consumer in a file."))
}

/// What the options come to.
pub(super) struct Settings {
    pub(super) source: Source,
    pub(super) consumer: Properties,
    pub(super) formatter: Formatter,
    /// `None`: without end.
    pub(super) max_messages: Option<u64>,
    pub(super) timeout_ms: Option<u64>,
    pub(super) skip_errors: bool,
    pub(super) systest_events: bool,
}

/// Checks the options and puts them together.
pub(super) fn settings(options: &Options) -> Result<Settings, Stop> {
    check(options)?;
    let (config, properties) = consumer_sources(options)?;
    let group = group_id(options, &config, &properties)?;
    let source = source(options)?;
    Ok(Settings {
        source,
        consumer: consumer_properties(options, config, properties, group)?,
        formatter: formatter(options)?,
        max_messages: options.number::<i64>("max-messages")?.and_then(|count| u64::try_from(count).ok()),
        timeout_ms: options.number::<i64>("timeout-ms")?.and_then(|ms| u64::try_from(ms).ok()),
        skip_errors: options.has("skip-message-on-error"),
        systest_events: options.has("enable-systest-events"),
    })
}

fn check(options: &Options) -> Result<(), Stop> {
    if options.has("topic") == options.has("include") {
        return Err(
            options.usage_error("Exactly one of the following arguments is required: [topic], [include]")
        );
    }
    if options.has("partition") {
        if !options.has("topic") {
            return Err(options.usage_error("The topic is required when partition is specified."));
        }
        if options.has("from-beginning") && options.has("offset") {
            return Err(
                options.usage_error("Options from-beginning and offset cannot be specified together.")
            );
        }
    } else if options.has("offset") {
        return Err(options.usage_error("The partition is required when offset is specified."));
    }
    options.require(&["bootstrap-server"])?;
    options.deprecated("consumer-property", "command-property")?;
    options.deprecated("consumer.config", "command-config")?;
    options.deprecated("property", "formatter-property")
}

/// The properties of the file, and those of the command line.
fn consumer_sources(options: &Options) -> Result<(Properties, Properties), Stop> {
    let (mut config, mut properties) = (Properties::default(), Properties::default());
    for file in ["consumer.config", "command-config"] {
        if let Some(path) = options.text(file)? {
            config.load(path).map_err(Stop::Line)?;
        }
    }
    for name in ["consumer-property", "command-property"] {
        properties.add(&options.all(name)).map_err(Stop::Line)?;
    }
    Ok((config, properties))
}

fn group_id(options: &Options, config: &Properties, properties: &Properties) -> Result<Option<String>, Stop> {
    let given = [options.text("group")?, config.get("group.id"), properties.get("group.id")];
    let ids: BTreeSet<&str> = given.into_iter().flatten().collect();
    if ids.len() > 1 {
        let list: Vec<_> = ids.iter().map(|id| format!("'{id}'")).collect();
        return Err(options.usage_error(&format!(
            "The group ids provided in different places (directly using '--group', via '--consumer-property', or via \
             '--consumer.config') do not match. Detected group ids: {}",
            list.join(", ")
        )));
    }
    let id = ids.first().map(|id| (*id).to_owned());
    if id.is_some() && options.has("partition") {
        return Err(options.usage_error("Options group and partition cannot be specified together."));
    }
    Ok(id)
}

fn consumer_properties(
    options: &Options,
    mut all: Properties,
    properties: Properties,
    group: Option<String>,
) -> Result<Properties, Stop> {
    for key in properties.keys() {
        all.set(key, properties.get(key).unwrap_or_default());
    }
    let beginning = options.has("from-beginning");
    match all.get("auto.offset.reset").map(str::to_owned) {
        Some(reset) if beginning && reset != "earliest" => {
            return Err(Stop::Line(format!(
                "Can't simultaneously specify --from-beginning and 'auto.offset.reset={reset}', please remove one option"
            )));
        }
        Some(_) => {}
        None => all.set("auto.offset.reset", if beginning { "earliest" } else { "latest" }),
    }
    if let Some(servers) = options.text("bootstrap-server")? {
        all.set("bootstrap.servers", servers);
    }
    all.set_default("client.id", "console-consumer");
    if options.has("isolation-level") || all.get("isolation.level").is_none() {
        all.set("isolation.level", options.text("isolation-level")?.unwrap_or("read_uncommitted"));
    }
    match group {
        Some(group) => all.set("group.id", &group),
        None => {
            all.set_default("enable.auto.commit", "false");
            all.set("group.id", &format!("console-consumer-{}", Random::new().below(100_000)));
        }
    }
    Ok(all)
}

fn source(options: &Options) -> Result<Source, Stop> {
    let topic = options.text("topic")?.unwrap_or_default().to_owned();
    if let Some(filter) = options.text("include")? {
        return TopicFilter::new(filter).map(Source::Filter).map_err(Stop::Line);
    }
    let Some(partition) = options.number::<i32>("partition")? else { return Ok(Source::Topics(vec![topic])) };
    let (earliest, latest) = (-2, -1);
    let offset = match options.text("offset")? {
        Some(text) if text.eq_ignore_ascii_case("earliest") => earliest,
        Some(text) if text.eq_ignore_ascii_case("latest") => latest,
        Some(text) => text.parse().ok().filter(|offset: &i64| *offset >= 0).ok_or_else(|| {
            options.usage_error(&format!(
                "The provided offset value '{text}' is incorrect. Valid values are 'earliest', 'latest', or a \
                 non-negative long."
            ))
        })?,
        None if options.has("from-beginning") => earliest,
        None => latest,
    };
    Ok(Source::Partition { topic, partition, offset })
}

fn formatter(options: &Options) -> Result<Formatter, Stop> {
    let mut properties = Properties::default();
    if let Some(path) = options.text("formatter-config")? {
        properties.load(path).map_err(Stop::Line)?;
    }
    for name in ["property", "formatter-property"] {
        properties.add(&options.all(name)).map_err(Stop::Line)?;
    }
    for (option, key) in
        [("key-deserializer", "key.deserializer"), ("value-deserializer", "value.deserializer")]
    {
        if let Some(class) = options.text(option)?.filter(|class| !class.is_empty()) {
            properties.set(key, class);
        }
    }
    Formatter::new(options.text("formatter")?, &properties).map_err(Stop::Line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, Stop> {
        let line = format!("--bootstrap-server a:1 {line}");
        settings(&Options::parse(declare(), line.split_whitespace().map(Into::into).collect())?)
    }

    #[test]
    fn offsets_and_groups_come_to_what_they_do_in_kafka() {
        let offset = |line: &str| match parse(&format!("--topic t --partition 1 {line}")).unwrap().source {
            Source::Partition { offset, .. } => offset,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (offset("--offset 5"), offset("--offset Earliest"), offset("--from-beginning"), offset("")),
            (5, -2, -2, -1)
        );
        let anonymous = parse("--topic t --from-beginning").unwrap().consumer;
        assert!(anonymous.get("group.id").unwrap().starts_with("console-consumer-"));
        assert_eq!(anonymous.get("enable.auto.commit"), Some("false"));
        assert_eq!(anonymous.get("auto.offset.reset"), Some("earliest"));
        let named = parse("--topic t --group g").unwrap().consumer;
        assert_eq!((named.get("group.id"), named.get("enable.auto.commit")), (Some("g"), None));
    }

    #[test]
    fn contradictions_are_refused_with_kafkas_words() {
        let bad = [
            ("", "Exactly one of the following arguments is required: [topic], [include]"),
            (
                "--topic t --include u",
                "Exactly one of the following arguments is required: [topic], [include]",
            ),
            ("--topic t --offset 3", "The partition is required when offset is specified."),
            ("--topic t --partition 0 --offset x", "The provided offset value 'x' is incorrect."),
            (
                "--topic t --partition 0 --group g",
                "Options group and partition cannot be specified together.",
            ),
            (
                "--topic t --group a --command-property group.id=b",
                "The group ids provided in different places",
            ),
        ];
        for (line, text) in bad {
            let Err(Stop::Usage(said)) = parse(line) else { panic!("{line}") };
            assert!(said.starts_with(text), "{line}: {said}");
        }
        assert!(parse("--topic t --from-beginning --command-property auto.offset.reset=latest").is_err());
    }
}
