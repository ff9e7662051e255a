//! `verifiable-producer` and `verifiable-consumer`: say in lines of JSON what they did, for tests of systems; with the
//! options and lines of Kafka's.

mod consumer;
mod events;
mod producer;

pub use consumer::run as run_consumer;
pub use producer::run as run_producer;

use std::ffi::OsString;

use clap::Command;

use crate::tools::options::{Options, Stop};
use crate::tools::output::say;
use crate::tools::properties::Properties;

/// Reads the options; without any, the help is wanted. Mistakes are said in argparse's words.
fn parse(tool: &str, command: Command, args: Vec<OsString>) -> Result<Options, Stop> {
    let args = if args.is_empty() { vec!["--help".into()] } else { args };
    Options::parse(command, args).map_err(|stop| match stop {
        Stop::Line(text) => mistake(tool, text),
        other => other,
    })
}

fn mistake(tool: &str, text: impl AsRef<str>) -> Stop {
    Stop::Line(format!("{tool}: error: {}", text.as_ref()))
}

fn require(tool: &str, options: &Options, names: &[&str]) -> Result<(), Stop> {
    match names.iter().find(|name| !options.has(name)) {
        Some(name) => Err(mistake(tool, format!("argument --{name} is required"))),
        None => Ok(()),
    }
}

/// A number of an option.
fn number<T: std::str::FromStr>(
    tool: &str,
    options: &Options,
    name: &str,
    kind: &str,
) -> Result<Option<T>, Stop> {
    let Some(text) = options.text(name)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        let reason = format!("For input string: \"{text}\"");
        mistake(tool, format!("argument --{name}: could not convert '{text}' to {kind} ({reason})"))
    })
}

/// The properties of a file, under the option's old name or its new one.
fn file(tool: &str, options: &Options, old: &str) -> Result<Properties, Stop> {
    if options.has(old) && options.has("command-config") {
        let text = format!("Options --{old} and --command-config are mutually exclusive.");
        return Err(mistake(tool, text));
    }
    if options.has(old) {
        say!(
            "Option --{old} has been deprecated and will be removed in a future version. Use --command-config instead."
        );
    }
    let mut properties = Properties::default();
    for name in [old, "command-config"] {
        if let Some(path) = options.text(name)? {
            properties.load(path).map_err(|text| mistake(tool, text))?;
        }
    }
    Ok(properties)
}
