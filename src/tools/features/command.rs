//! From the options to the action.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Arg, Command};

use super::update;
use super::versions::{FEATURES, LATEST_STABLE, METADATA, level_of, release_of, shown};
use crate::protocol::messages::{ApiVersionsRequest, ApiVersionsResponse};
use crate::tools::admin::{Failure, open};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::options::{Options, Stop, command, finish, flag, value};
use crate::tools::output::say;

/// The actions with the options that are theirs.
const ACTIONS: &[(&str, &[&str])] = &[
    ("describe", &["node-id"]),
    ("upgrade", &["metadata", "release-version", "feature", "dry-run"]),
    ("downgrade", &["metadata", "release-version", "feature", "unsafe", "dry-run"]),
    ("disable", &["feature", "unsafe", "dry-run"]),
    ("version-mapping", &["release-version"]),
    ("feature-dependencies", &["feature"]),
];

fn declare() -> Command {
    command("features", "Shows and changes the levels of features.")
        .arg(
            Arg::new("action")
                .index(1)
                .help("describe, upgrade, downgrade, disable, version-mapping or feature-dependencies."),
        )
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first."))
        .arg(value("bootstrap-controller", "host:port,...", "Not served."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(value("node-id", "id", "describe: the broker to ask."))
        .arg(value("metadata", "release", "Old form of --feature metadata.version=level."))
        .arg(value(
            "release-version",
            "release",
            "Every feature at the level of this release, such as 3.9-IV0.",
        ))
        .arg(value(
            "feature",
            "feature=level",
            "A feature with its level; disable: without. May be repeated.",
        ))
        .arg(flag("unsafe", "Even if that may lose metadata."))
        .arg(flag("dry-run", "Only see whether it could be done."))
}

/// A line in the form of a mistake on the command line.
fn mistake(text: impl AsRef<str>) -> Stop {
    Stop::Line(format!("Command line error: {}. Type --help for help.", text.as_ref()))
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    if args.is_empty() {
        return Err(mistake("too few arguments"));
    }
    let options = Options::parse(declare(), args).map_err(|stop| match stop {
        Stop::Line(text) => mistake(text),
        other => other,
    })?;
    let action = action(&options)?;
    execute(action, &options).map_err(|failure| match failure {
        // Java shows the text alone here, without the exception's name.
        Failure::Client(error) => Stop::Line(error.to_string()),
        other => other.report(""),
    })
}

fn action(options: &Options) -> Result<&'static str, Stop> {
    let given = options.text("action")?.ok_or_else(|| mistake("too few arguments"))?;
    let (action, own) = ACTIONS.iter().find(|(action, _)| *action == given).ok_or_else(|| {
        let known: Vec<String> = ACTIONS.iter().map(|(action, _)| format!("'{action}'")).collect();
        mistake(format!("invalid choice: '{given}' (choose from {})", known.join(", ")))
    })?;
    let mut others = ACTIONS.iter().flat_map(|(_, options)| *options).filter(|option| !own.contains(option));
    if let Some(other) = others.find(|option| options.has(option)) {
        return Err(mistake(format!("unrecognized arguments: '--{other}'")));
    }
    match (options.has("bootstrap-server"), options.has("bootstrap-controller")) {
        (true, true) => {
            return Err(mistake(
                "argument --bootstrap-controller: not allowed with argument --bootstrap-server",
            ));
        }
        (false, true) => {
            return Err(mistake("--bootstrap-controller is not served by millrace's tools yet"));
        }
        (false, false) if !matches!(*action, "version-mapping" | "feature-dependencies") => {
            return Err(mistake("You must specify either --bootstrap-controller or --bootstrap-server."));
        }
        _ => {}
    }
    if *action == "feature-dependencies" && !options.has("feature") {
        return Err(mistake("argument --feature is required"));
    }
    if let Some(text) = options.text("node-id")?.filter(|text| text.parse::<i32>().is_err()) {
        return Err(mistake(format!(
            "argument --node-id: could not convert '{text}' to Integer (For input string: \"{text}\")"
        )));
    }
    Ok(action)
}

fn execute(action: &str, options: &Options) -> Result<(), Failure> {
    match action {
        "version-mapping" => return mapping(options.text("release-version")?.unwrap_or(LATEST_STABLE)),
        "feature-dependencies" => return dependencies(&options.all("feature")),
        _ => {}
    }
    let mut client = open(options, "adminclient-1")?;
    if action == "describe" {
        return describe(&mut client, options.number("node-id")?);
    }
    update::run(&mut client, action, options)
}

fn describe(client: &mut Client, node: Option<i32>) -> Result<(), Failure> {
    if let Some(node) = node.filter(|node| *node < 0) {
        return Err(Failure::Plain(format!("Invalid node id {node}: must be non-negative.")));
    }
    let request = ApiVersionsRequest {
        client_software_name: "millrace-tools",
        client_software_version: env!("CARGO_PKG_VERSION"),
        ..Default::default()
    };
    let answer = match node {
        None => client.call(&request)?,
        Some(node) => {
            client.refresh(Topics::None, false)?;
            client.call_node(Node::Broker(node), &request, i16::MAX, None)?
        }
    };
    let response = answer.decode::<ApiVersionsResponse<'_>>()?;
    ClientError::check(response.error_code, None)?;
    let finalized: BTreeMap<&str, i16> =
        response.finalized_features.iter().map(|feature| (feature.name, feature.max_version_level)).collect();
    let epoch = match response.finalized_features_epoch {
        epoch if epoch < 0 => "-".to_owned(),
        epoch => epoch.to_string(),
    };
    let mut supported: Vec<_> = response.supported_features.iter().collect();
    supported.sort_by_key(|feature| feature.name);
    for feature in supported {
        let name = feature.name;
        say!(
            "Feature: {name:<40}  SupportedMinVersion: {:<15}  SupportedMaxVersion: {:<15}  FinalizedVersionLevel: {:<15}  \
             Epoch: {epoch}",
            shown(name, feature.min_version),
            shown(name, feature.max_version),
            shown(name, finalized.get(name).copied().unwrap_or(0)),
        );
    }
    Ok(())
}

fn mapping(release: &str) -> Result<(), Failure> {
    let metadata = level_of(release).map_err(Failure::Plain)?;
    say!("{METADATA}={metadata} ({release})");
    for feature in FEATURES {
        say!("{}={}", feature.name, feature.default_level(metadata));
    }
    Ok(())
}

fn dependencies(features: &[&str]) -> Result<(), Failure> {
    for feature in features {
        let (name, level) = update::name_and_level(feature).map_err(Failure::Plain)?;
        if name == METADATA {
            let release = release_of(level)
                .ok_or_else(|| Failure::Plain(format!("Unknown metadata.version {level}")))?;
            say!("{name}={level} ({release}) has no dependencies.");
            continue;
        }
        let known = FEATURES
            .iter()
            .find(|known| known.name == name)
            .ok_or_else(|| Failure::Plain(format!("Unknown feature: {name}")))?;
        if !(0..=known.max_level).contains(&level) {
            return Err(Failure::Plain(format!("No feature:{name} with feature level {level}")));
        }
        match known.need(level) {
            None => say!("{name}={level} has no dependencies."),
            Some(metadata) => {
                say!("{name}={level} requires:");
                say!("    {METADATA}={metadata} ({})", shown(METADATA, metadata));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(line: &str) -> Result<&'static str, String> {
        let args: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
        match Options::parse(declare(), args).and_then(|options| action(&options)) {
            Ok(action) => Ok(action),
            Err(Stop::Line(text)) => Err(text),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_action_takes_its_own_options() {
        assert_eq!(chosen("--bootstrap-server a:1 describe"), Ok("describe"));
        assert_eq!(chosen("version-mapping --release-version 4.0-IV0"), Ok("version-mapping"));
        let bad = [
            ("describe", "You must specify either --bootstrap-controller or --bootstrap-server.."),
            ("--bootstrap-server a:1", "too few arguments."),
            ("--bootstrap-server a:1 frob", "invalid choice: 'frob' (choose from 'describe', 'upgrade', "),
            ("--bootstrap-server a:1 disable --metadata 3.9", "unrecognized arguments: '--metadata'."),
            (
                "--bootstrap-server a:1 describe --node-id x",
                "argument --node-id: could not convert 'x' to Integer",
            ),
        ];
        for (line, text) in bad {
            let said = chosen(line).unwrap_err();
            assert!(said.starts_with(&format!("Command line error: {text}")), "{line}: {said}");
        }
    }
}
