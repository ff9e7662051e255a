//! `--alter`.

use super::changes::Changes;
use super::describe::singular;
use super::options::{BROKER_LOGGERS, CLIENTS, Entities, IPS};
use super::resource::{self, Kind};
use super::{quota, scram};
use crate::tools::admin::Failure;
use crate::tools::client::{Client, ClientError};
use crate::tools::options::Options;
use crate::tools::output::say;

pub(super) fn alter(client: &mut Client, options: &Options, entities: &Entities) -> Result<(), Failure> {
    let changes = Changes::of(options)?;
    let kind = entities.kind();
    let name = entities.names.first().map_or("", String::as_str);
    if let Some(kind) = Kind::of(kind) {
        of_resource(client, kind, name, &changes)?;
    } else if kind == IPS {
        let unknown = names_not_in(&changes, |key| key == quota::CONNECTION_RATE);
        if !unknown.is_empty() {
            return Err(Failure::Plain(format!(
                "Only connection quota configs can be added for 'ips' using --bootstrap-server. Unexpected config \
                 names: {}",
                unknown.join(", ")
            )));
        }
        quota::alter(client, entities, &changes)?;
    } else {
        of_users_and_clients(client, entities, &changes)?;
    }
    if name.is_empty() {
        say!("Completed updating default config for {kind} in the cluster.");
    } else {
        say!("Completed updating config for {} {name}.", singular(kind));
    }
    Ok(())
}

fn names_not_in(changes: &Changes, known: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut names: Vec<&str> = changes.add.keys().chain(&changes.delete).map(String::as_str).collect();
    names.retain(|name| !known(name));
    names.sort_unstable();
    names.dedup();
    names
}

fn of_resource(client: &mut Client, kind: Kind, name: &str, changes: &Changes) -> Result<(), Failure> {
    if kind.name == BROKER_LOGGERS {
        let known = client.retry(|client| resource::configs(client, kind, name, false))?;
        let unknown = names_not_in(changes, |key| known.iter().any(|entry| entry.name == key));
        if !unknown.is_empty() {
            return Err(Failure::Plain(format!("Invalid broker logger(s): {}", unknown.join(","))));
        }
    }
    match client.retry(|client| resource::alter(client, kind, name, changes)) {
        Err(ClientError::Unsupported { .. }) => Err(Failure::plain(
            "The INCREMENTAL_ALTER_CONFIGS API is not supported by the cluster. The API is supported starting from \
             version 2.3.0. You may want to use an older version of this tool to interact with your cluster, or upgrade \
             your brokers to version 2.3.0 or newer to avoid this error.",
        )),
        result => Ok(result?),
    }
}

fn of_users_and_clients(client: &mut Client, entities: &Entities, changes: &Changes) -> Result<(), Failure> {
    let added: Vec<&str> = changes.add.keys().map(String::as_str).collect();
    let deleted: Vec<&str> = changes.delete.iter().map(String::as_str).collect();
    let pick = |keys: &[&str], wanted: fn(&str) -> bool| -> Vec<String> {
        keys.iter().filter(|key| wanted(key)).map(|key| (*key).to_owned()).collect()
    };
    let has_clients = entities.has_type(CLIENTS);
    for (keys, verb) in [(&added, "added"), (&deleted, "deleted")] {
        let (unexpected, allowed, kind) = if has_clients {
            (pick(keys, |key| !quota::is_quota(key)), "quota", CLIENTS)
        } else {
            let unexpected = pick(keys, |key| !quota::is_quota(key) && !scram::is_mechanism(key));
            (unexpected, "quota and SCRAM credential", "users")
        };
        if !unexpected.is_empty() {
            return Err(Failure::Plain(format!(
                "Only {allowed} configs can be {verb} for '{kind}' using --bootstrap-server. Unexpected config names: {}",
                unexpected.join(",")
            )));
        }
    }
    let everything: Vec<&str> = added.iter().chain(&deleted).copied().collect();
    let quotas = everything.iter().any(|key| quota::is_quota(key));
    let credentials = everything.iter().any(|key| scram::is_mechanism(key));
    if credentials && entities.names.iter().any(String::is_empty) {
        return Err(Failure::plain(
            "The use of --entity-default or --user-defaults is not allowed with User SCRAM Credentials using \
             --bootstrap-server.",
        ));
    }
    if credentials && quotas {
        return Err(Failure::plain(
            "Cannot alter both quota and SCRAM credential configs simultaneously for 'users' using --bootstrap-server.",
        ));
    }
    if quotas {
        quota::alter(client, entities, changes)
    } else if credentials {
        scram::alter(client, entities.names.first().map_or("", String::as_str), changes)
    } else {
        Ok(())
    }
}
