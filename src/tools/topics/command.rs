//! From the options to the action.

use std::ffi::OsString;
use std::process::ExitCode;

use super::failure::report;
use super::{change, describe, options as declared};
use crate::tools::admin::Failure;
use crate::tools::client::Client;
use crate::tools::client::blocking::Topics;
use crate::tools::client_settings;
use crate::tools::options::{Options, Stop, finish};
use crate::tools::output::say;
use crate::tools::properties::Properties;
use crate::tools::topic_filter::TopicFilter;

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declared::declare(), args)?;
    let action = declared::check(&options)?;
    execute(action, &options).map_err(report)
}

fn execute(action: &str, options: &Options) -> Result<(), Failure> {
    let mut properties = Properties::default();
    if let Some(path) = options.text("command-config")? {
        properties.load(path).map_err(Stop::Line)?;
    }
    if let Some(servers) = options.text("bootstrap-server")? {
        properties.set("bootstrap.servers", servers);
    }
    client_settings::check(&properties, &[])?;
    let mut client = client_settings::client(&properties, "adminclient-1")?;
    match action {
        "create" => change::create(&mut client, options),
        "alter" => change::alter(&mut client, options),
        "delete" => change::delete(&mut client, options),
        "list" => list(&mut client, options),
        _ => describe::describe(&mut client, options),
    }
}

fn list(client: &mut Client, options: &Options) -> Result<(), Failure> {
    let names = matching(client, options)?;
    if !names.is_empty() {
        say!("{}", names.join("\n"));
    }
    Ok(())
}

/// Names of the topics that exist and that the options mean, sorted.
pub(super) fn matching(client: &mut Client, options: &Options) -> Result<Vec<String>, Failure> {
    let filter = options.text("topic")?.map(TopicFilter::new).transpose().map_err(Failure::Plain)?;
    let exclude_internal = options.has("exclude-internal");
    client.refresh(Topics::All, false)?;
    let topics = client.cluster().topics.values();
    Ok(topics
        .filter(|topic| !(exclude_internal && topic.is_internal))
        .filter(|topic| filter.as_ref().is_none_or(|filter| filter.allows(&topic.name, exclude_internal)))
        .map(|topic| topic.name.to_string())
        .collect())
}

/// Refuses that no topic was found, unless `--if-exists` stands.
pub(super) fn ensure_found(found: &[String], options: &Options) -> Result<(), Failure> {
    match options.text("topic")? {
        Some(topic) if found.is_empty() && !options.has("if-exists") => {
            Err(Failure::Plain(format!("Topic '{topic}' does not exist as expected")))
        }
        _ => Ok(()),
    }
}
