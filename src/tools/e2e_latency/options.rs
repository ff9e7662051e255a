//! The options of `e2e-latency`, also as the five or six words of old.

use std::ffi::OsString;

use clap::Command;

use crate::tools::options::{Options, Stop, command, value};
use crate::tools::output::say;
use crate::tools::properties::Properties;

/// The options that stand for the words of old, in their order; the last may be missing.
const POSITIONAL: &[&str] = &[
    "--bootstrap-server",
    "--topic",
    "--num-records",
    "--producer-acks",
    "--record-size",
    "--command-config",
];

pub(super) fn declare() -> Command {
    command("e2e-latency", "Measures how long records take from the producer to the consumer.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("topic", "topic", "The topic; created with one partition if it is not there. Required."))
        .arg(value("num-records", "number", "Records to send, one after the other. Required."))
        .arg(value("producer-acks", "acks", "1 or all. Required."))
        .arg(value("record-size", "bytes", "Bytes of each value. Required."))
        .arg(value("record-key-size", "bytes", "Bytes of each key (0)."))
        .arg(value("record-header-key-size", "bytes", "Bytes of each header's key (0)."))
        .arg(value("record-header-size", "bytes", "Bytes of each header's value, -1 for null (0)."))
        .arg(value("num-headers", "number", "Headers of each record (0)."))
        .arg(value("command-config", "file", "Configs of the producer and the consumer in a file."))
}

/// What the options come to.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) servers: String,
    pub(super) topic: String,
    pub(super) records: usize,
    pub(super) acks: String,
    pub(super) sizes: Sizes,
    pub(super) file: Properties,
}

/// How large the parts of a record are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) key: usize,
    pub(super) value: usize,
    pub(super) headers: usize,
    pub(super) header_key: usize,
    /// `None`: no value.
    pub(super) header_value: Option<usize>,
}

/// The arguments with names in front if they have none.
pub(super) fn with_names(args: Vec<OsString>) -> Result<Vec<OsString>, Stop> {
    let named = |arg: &OsString| {
        POSITIONAL.iter().take(5).any(|name| arg == name)
            || arg == "--help"
            || arg == "--version"
            || arg == "-h"
    };
    if args.is_empty() || args.iter().any(named) {
        return Ok(args);
    }
    if !(5..=6).contains(&args.len()) {
        return Err(Stop::Line(format!(
            "Invalid number of arguments. Expected 5 or 6 positional arguments, but got {}. Usage: bootstrap-server topic \
             num-records producer-acks record-size [optional] command-config",
            args.len()
        )));
    }
    say!(
        "WARNING: Positional argument usage is deprecated and will be removed in Apache Kafka 5.0. Please use named \
         arguments instead: {}",
        POSITIONAL.join(", ")
    );
    Ok(POSITIONAL.iter().zip(args).flat_map(|(name, arg)| [OsString::from(name), arg]).collect())
}

/// Checks the options and puts them together.
pub(super) fn settings(options: &Options) -> Result<Settings, Stop> {
    options.require(&["bootstrap-server", "topic", "num-records", "producer-acks", "record-size"])?;
    let acks = options.text("producer-acks")?.unwrap_or_default();
    if !matches!(acks, "1" | "all") {
        return Err(options.usage_error(
            "Invalid value for --producer-acks. Latency testing requires synchronous acknowledgement. Please use '1' or \
             'all'.",
        ));
    }
    let records = options.number::<i32>("num-records")?.unwrap_or_default();
    if records <= 0 {
        return Err(options.usage_error("Value for --num-records must be a positive integer."));
    }
    let size = |name: &str| {
        let size = options.number::<i32>(name)?.unwrap_or_default();
        usize::try_from(size)
            .map_err(|_| options.usage_error(&format!("Value for --{name} must be a non-negative integer.")))
    };
    let (value, key) = (size("record-size")?, size("record-key-size")?);
    let header_key = size("record-header-key-size")?;
    let header_value = match options.number::<i32>("record-header-size")?.unwrap_or_default() {
        -1 => None,
        size => Some(usize::try_from(size).map_err(|_| {
            options.usage_error(
                "Value for --record-header-size must be a non-negative integer or -1 for null header value.",
            )
        })?),
    };
    let headers = size("num-headers")?;
    let mut file = Properties::default();
    if let Some(path) = options.text("command-config")? {
        file.load(path).map_err(Stop::Line)?;
    }
    Ok(Settings {
        servers: options.text("bootstrap-server")?.unwrap_or_default().to_owned(),
        topic: options.text("topic")?.unwrap_or_default().to_owned(),
        records: records.unsigned_abs() as usize,
        acks: acks.to_owned(),
        sizes: Sizes { key, value, headers, header_key, header_value },
        file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, Stop> {
        let args = with_names(line.split_whitespace().map(Into::into).collect())?;
        settings(&Options::parse(declare(), args)?)
    }

    #[test]
    fn both_forms_come_to_the_same() {
        let named = "--bootstrap-server a:1 --topic t --num-records 9 --producer-acks all --record-size 20";
        for line in ["a:1 t 9 all 20", named] {
            let parsed = parse(line).unwrap();
            assert_eq!((parsed.topic.as_str(), parsed.records, parsed.sizes.value), ("t", 9, 20));
        }
        let Err(Stop::Line(text)) = parse("a:1 t 9") else { panic!() };
        assert!(
            text.starts_with("Invalid number of arguments. Expected 5 or 6 positional arguments, but got 3.")
        );
        for bad in ["a:1 t 9 0 20", "a:1 t 0 all 20", "a:1 t 9 all -1"] {
            assert!(matches!(parse(bad), Err(Stop::Usage(_))), "{bad}");
        }
    }
}
