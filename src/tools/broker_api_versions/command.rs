//! From the options to the lines.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;

use clap::Command;

use crate::protocol::ApiKey;
use crate::protocol::messages::api_versions::ApiVersion;
use crate::protocol::messages::{API_TABLE, ApiVersionsRequest, ApiVersionsResponse};
use crate::tools::admin::{Failure, open};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Broker, Client, ClientError, Node};
use crate::tools::options::{Options, Stop, command, finish, value};
use crate::tools::output::say;

fn declare() -> Command {
    command("broker-api-versions", "Shows which versions of which APIs the brokers serve.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("command-config", "file", "Properties of the client."))
}

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let options = Options::parse(declare(), args)?;
    options.require(&["bootstrap-server"])?;
    execute(&options).map_err(|failure| failure.report(""))
}

fn execute(options: &Options) -> Result<(), Failure> {
    let mut client = open(options, "admin-1")?;
    client.refresh(Topics::None, false)?;
    let brokers: Vec<Broker> = client.cluster().brokers.values().cloned().collect();
    for broker in brokers {
        let versions = match ask(&mut client, broker.id) {
            Ok(versions) => show(&versions),
            Err(error) => format!("ERROR: {error}"),
        };
        say!("{} -> {versions}", name(&broker));
    }
    Ok(())
}

/// A broker as Java's client shows a node; metadata names no fenced ones.
fn name(broker: &Broker) -> String {
    let rack = broker.rack.as_deref().unwrap_or("null");
    // Without brackets around an IPv6 address, as there.
    let (host, port) = (&broker.address.host, broker.address.port);
    format!("{host}:{port} (id: {} rack: {rack} isFenced: false)", broker.id)
}

fn ask(client: &mut Client, broker: i32) -> Result<Vec<ApiVersion>, ClientError> {
    let request = ApiVersionsRequest {
        client_software_name: "millrace-tools",
        client_software_version: env!("CARGO_PKG_VERSION"),
        ..Default::default()
    };
    let answer = client.call_node(Node::Broker(broker), &request, i16::MAX, None)?;
    let response = answer.decode::<ApiVersionsResponse<'_>>()?;
    ClientError::check(response.error_code, None)?;
    Ok(response.api_keys.clone())
}

fn show(versions: &[ApiVersion]) -> String {
    let mut lines: BTreeMap<i16, String> =
        versions.iter().map(|version| (version.api_key, line(version))).collect();
    // What a broker could serve, and this one does not.
    for api in API_TABLE.iter().filter(|api| api.broker && api.min_version <= api.max_version) {
        lines.entry(api.key.0).or_insert_with(|| format!("{}({}): UNSUPPORTED", api.name, api.key.0));
    }
    let lines: Vec<String> = lines.into_values().collect();
    format!("(\n\t{}\n)", lines.join(",\n\t"))
}

fn line(version: &ApiVersion) -> String {
    let ApiVersion { api_key, min_version, max_version } = *version;
    let known = ApiKey(api_key).info();
    let mut line = format!("{}({api_key}): {min_version}", known.map_or("UNKNOWN", |api| api.name));
    // Writing to a string cannot fail.
    if min_version != max_version {
        let _ = write!(line, " to {max_version}");
    }
    match known {
        None => {}
        Some(api) if api.max_version < min_version => line.push_str(" [unusable: node too new]"),
        Some(api) if max_version < api.min_version => line.push_str(" [unusable: node too old]"),
        Some(api) => {
            let _ = write!(line, " [usable: {}]", api.max_version.min(max_version));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_shown_as_by_kafkas_tool() {
        let of = |api_key, min_version, max_version| line(&ApiVersion { api_key, min_version, max_version });
        assert_eq!(of(18, 0, 4), "ApiVersions(18): 0 to 4 [usable: 4]");
        assert_eq!(of(18, 3, 3), "ApiVersions(18): 3 [usable: 3]");
        assert_eq!(of(18, 900, 901), "ApiVersions(18): 900 to 901 [unusable: node too new]");
        assert_eq!(of(9999, 0, 1), "UNKNOWN(9999): 0 to 1");
        let all = show(&[]);
        assert!(all.starts_with("(\n\tProduce(0): UNSUPPORTED,\n\tFetch(1): UNSUPPORTED,\n"), "{all}");
        assert!(all.ends_with("\n)"));
    }
}
