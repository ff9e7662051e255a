//! A client from the options that every tool of an administrator has.

use crate::tools::client::Client;
use crate::tools::client_settings;
use crate::tools::options::{Options, Stop};
use crate::tools::properties::Properties;

use super::Failure;

/// The properties of `--command-config`, none without it.
///
/// # Errors
/// [`Stop::Line`] if the file cannot be read.
pub fn command_config(options: &Options) -> Result<Properties, Stop> {
    let mut properties = Properties::default();
    if let Some(path) = options.text("command-config")? {
        properties.load(path).map_err(Stop::Line)?;
    }
    Ok(properties)
}

/// A client to `--bootstrap-server` with the properties of `--command-config`.
///
/// # Errors
/// See [`command_config`]; [`Failure::Client`] for a property that cannot be used.
pub fn open(options: &Options, client_id: &str) -> Result<Client, Failure> {
    let mut properties = command_config(options)?;
    if let Some(servers) = options.text("bootstrap-server")? {
        properties.set("bootstrap.servers", servers);
    }
    client_settings::check(&properties, &[])?;
    Ok(client_settings::client(&properties, client_id)?)
}

/// Refuses a list of brokers that has an entry without host and port, as those tools do that look before they connect.
///
/// # Errors
/// [`Stop::Usage`].
pub fn check_bootstrap(options: &Options) -> Result<(), Stop> {
    let list = options.text("bootstrap-server")?.unwrap_or_default();
    if list.trim().is_empty() {
        return Err(options.usage_error("Error while validating the bootstrap address\n"));
    }
    let fine = |entry: &str| {
        entry.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
    };
    if list.split(',').map(str::trim).all(fine) {
        return Ok(());
    }
    Err(options.usage_error("Please provide valid host:port like host1:9091,host2:9092\n "))
}
