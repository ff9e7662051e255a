//! The options of `console-producer`, and the producer's and the reader's properties that they come to.

use clap::Command;

use crate::tools::options::{Options, Stop, command, flag, value};
use crate::tools::output::say;
use crate::tools::properties::Properties;

const DEFAULT_READER: &str = "org.apache.kafka.tools.LineMessageReader";

pub(super) fn declare() -> Command {
    command("console-producer", "Sends each line of standard input as a record.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("topic", "topic", "The topic to send to. Required."))
        .arg(flag("sync", "Wait for each record's acknowledgement before the next."))
        .arg(
            value("compression-codec", "codec", "none, gzip, snappy, lz4 or zstd; gzip if no value follows.")
                .num_args(0..=1)
                .allow_hyphen_values(false)
                .default_missing_value("gzip"),
        )
        .arg(value("batch-size", "bytes", "Bytes of a partition's records that travel together (16384)."))
        .arg(value("message-send-max-retries", "number", "Tries after the first (3)."))
        .arg(value("retry-backoff-ms", "ms", "Pause before another try (100)."))
        .arg(value("timeout", "ms", "How long a record waits for others (1000)."))
        .arg(value("request-required-acks", "acks", "0, 1, all or -1 (-1)."))
        .arg(value("request-timeout-ms", "ms", "How long a broker may take to acknowledge (1500)."))
        .arg(value("metadata-expiry-ms", "ms", "How long metadata are believed (300000)."))
        .arg(value("max-block-ms", "ms", "How long sending may wait for metadata or memory (60000)."))
        .arg(value("max-memory-bytes", "bytes", "Memory for records that wait (33554432)."))
        .arg(value("max-partition-memory-bytes", "bytes", "Old name of --batch-size."))
        .arg(value("socket-buffer-size", "bytes", "Size of the socket's send buffer; the system decides here."))
        .arg(value("line-reader", "class", "Only Kafka's own LineMessageReader is served."))
        .arg(value("property", "key=value", "Old name of --reader-property."))
        .arg(value(
            "reader-property",
            "key=value",
            "How lines are read: parse.key, key.separator, parse.headers, headers.delimiter, headers.separator, \
             headers.key.separator, ignore.error, null.marker.",
        ))
        .arg(value("reader-config", "file", "Reader properties in a file."))
        .arg(value("producer-property", "key=value", "Old name of --command-property."))
        .arg(value("command-property", "key=value", "A config of the producer."))
        .arg(value("producer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the producer in a file."))
}

/// What the options come to.
pub(super) struct Settings {
    pub(super) topic: String,
    pub(super) sync: bool,
    pub(super) producer: Properties,
    pub(super) reader: Properties,
}

/// A config with the option that sets it and its default here.
const MERGED: &[(&str, &str, &str)] = &[
    ("linger.ms", "timeout", "1000"),
    ("acks", "request-required-acks", "-1"),
    ("request.timeout.ms", "request-timeout-ms", "1500"),
    ("retries", "message-send-max-retries", "3"),
    ("retry.backoff.ms", "retry-backoff-ms", "100"),
    ("buffer.memory", "max-memory-bytes", "33554432"),
    ("batch.size", "batch-size", "16384"),
    ("metadata.max.age.ms", "metadata-expiry-ms", "300000"),
    ("max.block.ms", "max-block-ms", "60000"),
    ("compression.type", "compression-codec", "none"),
];

/// Checks the options and puts them together.
pub(super) fn settings(options: &Options) -> Result<Settings, Stop> {
    options.require(&["topic", "bootstrap-server"])?;
    options.deprecated("producer.config", "command-config")?;
    options.deprecated("producer-property", "command-property")?;
    options.deprecated("property", "reader-property")?;
    if options.has("max-partition-memory-bytes") {
        say!(
            "Warning: --max-partition-memory-bytes is deprecated and will be removed in Apache Kafka 5.0. Use \
             --batch-size instead."
        );
    }
    if let Some(reader) = options.text("line-reader")?.filter(|reader| *reader != DEFAULT_READER) {
        return Err(Stop::Line(format!("--line-reader {reader} is not served: only {DEFAULT_READER} is")));
    }
    Ok(Settings {
        topic: options.text("topic")?.unwrap_or_default().to_owned(),
        sync: options.has("sync"),
        producer: producer_properties(options)?,
        reader: reader_properties(options)?,
    })
}

fn producer_properties(options: &Options) -> Result<Properties, Stop> {
    let mut properties = Properties::default();
    for file in ["producer.config", "command-config"] {
        if let Some(path) = options.text(file)? {
            properties.load(path).map_err(Stop::Line)?;
        }
    }
    for name in ["producer-property", "command-property"] {
        properties.add(&options.all(name)).map_err(Stop::Line)?;
    }
    if let Some(servers) = options.text("bootstrap-server")? {
        properties.set("bootstrap.servers", servers);
    }
    for (key, option, default) in MERGED {
        match options.text(option)? {
            Some(value) => properties.set(key, value),
            None => properties.set_default(key, default),
        }
    }
    if !options.has("batch-size")
        && let Some(bytes) = options.text("max-partition-memory-bytes")?
    {
        properties.set("batch.size", bytes);
    }
    Ok(properties)
}

fn reader_properties(options: &Options) -> Result<Properties, Stop> {
    let mut properties = Properties::default();
    if let Some(path) = options.text("reader-config")? {
        properties.load(path).map_err(Stop::Line)?;
    }
    for name in ["property", "reader-property"] {
        properties.add(&options.all(name)).map_err(Stop::Line)?;
    }
    Ok(properties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, Stop> {
        let line = format!("--bootstrap-server a:1 --topic t {line}");
        settings(&Options::parse(declare(), line.split_whitespace().map(Into::into).collect())?)
    }

    #[test]
    fn options_win_over_properties_and_properties_over_defaults() {
        let settings =
            parse("--command-property linger.ms=7 --command-property acks=1 --request-required-acks 0")
                .unwrap();
        let get = |key| settings.producer.get(key);
        assert_eq!((get("linger.ms"), get("acks"), get("retries")), (Some("7"), Some("0"), Some("3")));
        assert_eq!(parse("--compression-codec").unwrap().producer.get("compression.type"), Some("gzip"));
        assert_eq!(
            parse("--compression-codec lz4 --sync").unwrap().producer.get("compression.type"),
            Some("lz4")
        );
        assert_eq!(parse("--max-partition-memory-bytes 5").unwrap().producer.get("batch.size"), Some("5"));
    }

    #[test]
    fn old_and_new_names_exclude_each_other() {
        assert!(matches!(parse("--property a=b --reader-property a=b"), Err(Stop::Usage(_))));
        assert!(matches!(parse("--line-reader foo.Bar"), Err(Stop::Line(_))));
    }
}
