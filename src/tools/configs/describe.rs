//! `--describe`.

use super::options::{BROKER_LOGGERS, BROKERS, CLIENT_METRICS, CLIENTS, Entities, GROUPS, TOPICS, USERS};
use super::resource::{Entry, Kind, configs, groups, source_name, with_configs};
use super::{quota, scram};
use crate::protocol::ErrorCode;
use crate::tools::admin::Failure;
use crate::tools::client::Client;
use crate::tools::client::ClientError;
use crate::tools::client::blocking::Topics;
use crate::tools::options::Options;
use crate::tools::output::say;

pub(super) fn describe(client: &mut Client, options: &Options, entities: &Entities) -> Result<(), Failure> {
    if let Some(kind) = Kind::of(entities.kind()) {
        return resources(client, kind, entities.names.first().map(String::as_str), options.has("all"));
    }
    quota::describe(client, entities)?;
    // Credentials belong to users alone, and there is no default for them.
    let users = entities.has_type(USERS) && !entities.has_type(CLIENTS);
    if users && entities.names.iter().all(|name| !name.is_empty()) {
        scram::describe(client, &entities.names)?;
    }
    Ok(())
}

/// The type in the singular.
pub(super) fn singular(kind: &str) -> &str {
    kind.strip_suffix('s').unwrap_or(kind)
}

fn resources(client: &mut Client, kind: Kind, name: Option<&str>, all: bool) -> Result<(), Failure> {
    let names: Vec<String> = match name {
        Some(name) => {
            if !all && !exists(client, kind, name)? {
                say!("The {} '{name}' doesn't exist and doesn't have dynamic config.", singular(kind.name));
                return Ok(());
            }
            vec![name.to_owned()]
        }
        None => every(client, kind)?,
    };
    for name in names {
        if name.is_empty() {
            say!("Default configs for {} in the cluster are:", kind.name);
        } else {
            let which = if all { "All" } else { "Dynamic" };
            say!("{which} configs for {} {name} are:", singular(kind.name));
        }
        let entries = client.retry(|client| configs(client, kind, &name, all))?;
        entries.iter().for_each(|entry| say!("{}", line(entry)));
    }
    Ok(())
}

fn line(entry: &Entry) -> String {
    let text = |value: &Option<String>| value.as_deref().unwrap_or("null").to_owned();
    let synonyms: Vec<String> = entry
        .synonyms
        .iter()
        .map(|(source, name, value)| format!("{}:{name}={}", source_name(*source), text(value)))
        .collect();
    format!(
        "  {}={} sensitive={} synonyms={{{}}}",
        entry.name,
        text(&entry.value),
        entry.is_sensitive,
        synonyms.join(", ")
    )
}

fn exists(client: &mut Client, kind: Kind, name: &str) -> Result<bool, Failure> {
    match kind.name {
        TOPICS => {
            validate_topic(name)?;
            client.refresh(Topics::All, false)?;
            Ok(client.cluster().topics.contains_key(name))
        }
        BROKERS | BROKER_LOGGERS => {
            client.refresh(Topics::None, false)?;
            Ok(name.is_empty() || client.cluster().brokers.keys().any(|id| id.to_string() == name))
        }
        CLIENT_METRICS => Ok(with_configs(client, kind)?.contains(name)),
        _ => Ok(groups(client, kind)?.contains(name)),
    }
}

/// Names of all entities; an empty one at the end for the brokers' default.
fn every(client: &mut Client, kind: Kind) -> Result<Vec<String>, Failure> {
    match kind.name {
        TOPICS => {
            client.refresh(Topics::All, false)?;
            Ok(client.cluster().topics.keys().map(ToString::to_string).collect())
        }
        BROKERS | BROKER_LOGGERS => {
            client.refresh(Topics::None, false)?;
            let ids = client.cluster().brokers.keys().map(ToString::to_string);
            Ok(ids.chain([String::new()]).collect())
        }
        GROUPS => Ok(groups(client, kind)?.into_iter().collect()),
        _ => Ok(with_configs(client, kind)?.into_iter().collect()),
    }
}

/// Refuses what cannot be a topic's name before a broker is asked.
fn validate_topic(name: &str) -> Result<(), ClientError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let reason = match name {
        "" => "the empty string is not allowed".to_owned(),
        "." | ".." => format!("'{name}' is not allowed"),
        _ if name.len() > 249 => {
            format!("the length of '{name}' is longer than the max allowed length 249")
        }
        _ if !name.chars().all(allowed) => format!(
            "'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
        ),
        _ => return Ok(()),
    };
    let message = Some(format!("Topic name is invalid: {reason}"));
    Err(ClientError::Broker { code: ErrorCode::INVALID_TOPIC_EXCEPTION, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_topics_are_checked() {
        assert!(validate_topic("a.b_c-1").is_ok());
        for bad in ["", ".", "..", "a b", "a/b", &"x".repeat(250)] {
            assert!(validate_topic(bad).is_err(), "{bad}");
        }
    }
}
