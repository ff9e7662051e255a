//! The options of `producer-perf-test`, and what they come to.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Arg, Command};

use super::payload::{Keys, Payload};
use crate::tools::options::{Options, Stop, command, flag, value};
use crate::tools::output::say;
use crate::tools::properties::Properties;

const SOURCES: &[&str] = &["record-size", "payload-file", "payload-monotonic"];
const CONFIGS: &[&str] =
    &["bootstrap-server", "command-property", "producer-props", "producer.config", "command-config"];
const NOT_SERVED: &[&str] = &["print-metrics", "transactional-id", "transaction-duration-ms"];

/// An option with one value or several.
fn values(name: &'static str, placeholder: &'static str, help: &'static str) -> Arg {
    value(name, placeholder, help).num_args(1..).allow_hyphen_values(false)
}

pub(super) fn declare() -> Command {
    command("producer-perf-test", "Produces records as fast as it is allowed, and says how fast that was.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first."))
        .arg(value("topic", "topic", "The topic to produce to. Required."))
        .arg(value("num-records", "number", "Records to produce. Required."))
        .arg(value(
            "record-size",
            "bytes",
            "Bytes of each value; this, --payload-file or --payload-monotonic is required.",
        ))
        .arg(value("payload-file", "file", "A text file; each value is one of its lines, chosen at random."))
        .arg(flag("payload-monotonic", "Each value is the record's number."))
        .arg(value(
            "payload-delimiter",
            "text",
            "What is between the values in --payload-file (a line feed).",
        ))
        .arg(value("throughput", "records/s", "Records per second at about most; -1 for no limit. Required."))
        .arg(values("producer-props", "key=value", "Old name of --command-property."))
        .arg(values(
            "command-property",
            "key=value",
            "Configs of the producer, such as linger.ms=10 batch.size=32768.",
        ))
        .arg(value("producer.config", "file", "Old name of --command-config."))
        .arg(value("command-config", "file", "Configs of the producer in a file."))
        .arg(value(
            "warmup-records",
            "number",
            "Records at the start that the second summary leaves out (0).",
        ))
        .arg(value("reporting-interval", "ms", "How often to say how it goes (5000)."))
        .arg(value("key-distribution", "kind", "none, range or random (none)."))
        .arg(value("record-key-range", "number", "Keys are numbers below this."))
        .arg(value("random-seed", "number", "Seed of random keys and values (0)."))
        .arg(flag("print-metrics", "Not served."))
        .arg(value("transactional-id", "id", "Not served."))
        .arg(value("transaction-duration-ms", "ms", "Not served."))
}

/// What the options come to.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) topic: String,
    pub(super) records: u64,
    pub(super) payload: Payload,
    pub(super) keys: Keys,
    pub(super) seed: u64,
    pub(super) throughput: f64,
    pub(super) warmup: u64,
    pub(super) interval: Duration,
    pub(super) producer: Properties,
}

fn error(text: impl AsRef<str>) -> Stop {
    Stop::Line(format!("kafka-producer-perf-test: error: {}", text.as_ref()))
}

/// A number of an option, in argparse's words if it is none.
fn number<T: std::str::FromStr>(options: &Options, name: &str, kind: &str) -> Result<Option<T>, Stop> {
    let Some(text) = options.text(name)? else { return Ok(None) };
    let wrong = |_| {
        error(format!(
            "argument --{name}: could not convert '{text}' to {kind} (For input string: \"{text}\")"
        ))
    };
    text.parse().map(Some).map_err(wrong)
}

/// Reads the options; without any, the help is wanted.
pub(super) fn parse(args: Vec<OsString>) -> Result<Settings, Stop> {
    let args = if args.is_empty() { vec!["--help".into()] } else { args };
    let options = Options::parse(declare(), args).map_err(|stop| match stop {
        Stop::Line(text) => error(text),
        other => other,
    })?;
    settings(&options)
}

fn settings(options: &Options) -> Result<Settings, Stop> {
    for name in NOT_SERVED {
        if options.has(name) {
            return Err(error(format!("--{name} is not served by millrace's tools yet")));
        }
    }
    for name in ["topic", "num-records", "throughput"] {
        if !options.has(name) {
            return Err(error(format!("argument --{name} is required")));
        }
    }
    let sources: Vec<_> = SOURCES.iter().filter(|name| options.has(name)).collect();
    match sources[..] {
        [_] => {}
        [first, second, ..] => {
            return Err(error(format!("argument --{second}: not allowed with argument --{first}")));
        }
        [] => {
            return Err(error(
                "one of the arguments --record-size --payload-file --payload-monotonic is required",
            ));
        }
    }
    if !CONFIGS.iter().any(|name| options.has(name)) {
        return Err(error(
            "At least one of --bootstrap-server, --command-property, --producer-props, --producer.config or \
             --command-config must be specified.",
        ));
    }
    let records: i64 = number(options, "num-records", "Long")?.unwrap_or_default();
    let records = u64::try_from(records)
        .ok()
        .filter(|records| *records > 0)
        .ok_or_else(|| error("--num-records should be greater than zero."))?;
    let warmup: i64 = number(options, "warmup-records", "Long")?.unwrap_or_default();
    let warmup = u64::try_from(warmup).unwrap_or_default();
    if warmup >= records {
        return Err(error(
            "The value for --warmup-records must be strictly fewer than the number of records in the test, --num-records.",
        ));
    }
    let throughput: f64 = number(options, "throughput", "Double")?.unwrap_or(-1.0);
    if throughput == 0.0 {
        return Err(error("--throughput 0 would never send a record; -1 is no limit"));
    }
    let interval: i64 = number(options, "reporting-interval", "Long")?.unwrap_or(5000);
    let interval = u64::try_from(interval)
        .ok()
        .filter(|interval| *interval > 0)
        .ok_or_else(|| error("--reporting-interval should be greater than zero."))?;
    let seed: i64 = number(options, "random-seed", "Long")?.unwrap_or_default();
    let keys = keys(options)?;
    Ok(Settings {
        topic: options.text("topic")?.unwrap_or_default().to_owned(),
        records,
        keys,
        seed: seed as u64,
        throughput,
        warmup,
        interval: Duration::from_millis(interval),
        producer: properties(options)?,
        // Last, because it reads a file and says so.
        payload: payload(options)?,
    })
}

fn keys(options: &Options) -> Result<Keys, Stop> {
    let range: Option<i32> = number(options, "record-key-range", "Integer")?;
    let range = match range {
        Some(range) if range < 1 => return Err(error("--record-key-range should be greater than zero.")),
        range => range.map(i32::unsigned_abs),
    };
    match (options.text("key-distribution")?.unwrap_or("none"), range) {
        ("none", None) => Ok(Keys::None),
        ("range", Some(range)) => Ok(Keys::Range(range)),
        ("random", Some(range)) => Ok(Keys::Random(range)),
        ("none", Some(_)) => {
            Err(error("--key-distribution must be 'range' or 'random' when --record-key-range is specified."))
        }
        ("range" | "random", None) => {
            Err(error("--record-key-range is required when --key-distribution is 'range' or 'random'."))
        }
        (other, _) => Err(error(format!(
            "argument --key-distribution: invalid choice: '{other}' (choose from none, range, random)"
        ))),
    }
}

fn payload(options: &Options) -> Result<Payload, Stop> {
    if let Some(path) = options.text("payload-file")? {
        let delimiter = options.text("payload-delimiter")?.unwrap_or("\\n");
        return Payload::from_file(path, delimiter).map_err(Stop::Line);
    }
    match number::<i32>(options, "record-size", "Integer")? {
        None => Ok(Payload::Monotonic),
        Some(bytes) if bytes > 0 => Ok(Payload::Random(bytes.unsigned_abs() as usize)),
        Some(_) => Err(error("--record-size should be greater than zero.")),
    }
}

fn properties(options: &Options) -> Result<Properties, Stop> {
    for (old, new) in [("producer-props", "command-property"), ("producer.config", "command-config")] {
        if options.has(old) && options.has(new) {
            return Err(error(format!("--{old} and --{new} cannot be specified together.")));
        }
        if options.has(old) {
            say!(
                "Option --{old} has been deprecated and will be removed in a future version. Use --{new} instead."
            );
        }
    }
    let mut properties = Properties::default();
    for file in ["producer.config", "command-config"] {
        if let Some(path) = options.text(file)? {
            properties.load(path).map_err(Stop::Line)?;
        }
    }
    for name in ["producer-props", "command-property"] {
        for entry in options.all(name) {
            if !entry.contains('=') {
                return Err(Stop::Line(format!("Invalid property: {entry}")));
            }
            properties.add(&[entry]).map_err(Stop::Line)?;
        }
    }
    if let Some(servers) = options.text("bootstrap-server")? {
        properties.set("bootstrap.servers", servers);
    }
    properties.set_default("client.id", "perf-producer-client");
    Ok(properties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Settings, Stop> {
        parse(line.split_whitespace().map(Into::into).collect())
    }

    #[test]
    fn properties_may_stand_behind_one_option() {
        let line = "--topic t --num-records 10 --record-size 5 --throughput -1 --producer-props bootstrap.servers=a:1 acks=1 \
                    --random-seed 7";
        let settings = read(line).unwrap();
        assert_eq!((settings.producer.get("acks"), settings.seed, settings.throughput), (Some("1"), 7, -1.0));
        assert_eq!((settings.payload, settings.keys), (Payload::Random(5), Keys::None));
        let settings = read("--topic t --num-records 10 --payload-monotonic --throughput 5 --bootstrap-server a:1 --key-distribution random --record-key-range 9").unwrap();
        assert_eq!((settings.payload, settings.keys), (Payload::Monotonic, Keys::Random(9)));
    }

    #[test]
    fn mistakes_are_said_as_kafka_says_them() {
        let good = "--topic t --num-records 10 --throughput -1 --bootstrap-server a:1";
        let bad = [
            (
                good.to_owned(),
                "one of the arguments --record-size --payload-file --payload-monotonic is required",
            ),
            (format!("{good} --record-size 0"), "--record-size should be greater than zero."),
            (
                format!("{good} --record-size 5 --payload-monotonic"),
                "argument --payload-monotonic: not allowed with argument --record-size",
            ),
            ("--record-size 5 --throughput -1 --topic t".to_owned(), "argument --num-records is required"),
            (
                format!("{good} --record-size 5 --key-distribution range"),
                "--record-key-range is required when --key-distribution is 'range' or 'random'.",
            ),
            (
                format!("{good} --record-size 5 --transactional-id x"),
                "--transactional-id is not served by millrace's tools yet",
            ),
        ];
        for (line, text) in bad {
            let Err(Stop::Line(said)) = read(&line) else { panic!("{line}") };
            assert_eq!(said, format!("kafka-producer-perf-test: error: {text}"));
        }
    }
}
