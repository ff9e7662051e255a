//! Quotas of users, clients and addresses.

use super::changes::Changes;
use super::options::{CLIENTS, Entities, IPS};
use crate::protocol::messages::alter_client_quotas::{EntityData, EntryData, OpData};
use crate::protocol::messages::describe_client_quotas::ComponentData;
use crate::protocol::messages::{
    AlterClientQuotasRequest, AlterClientQuotasResponse, DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
};
use crate::tools::admin::Failure;
use crate::tools::client::{Client, ClientError};
use crate::tools::java_double::java_double;
use crate::tools::output::say;

/// The one quota of addresses.
pub(super) const CONNECTION_RATE: &str = "connection_creation_rate";
/// Quotas of users and clients.
const QUOTAS: &[&str] =
    &["producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate"];

/// DescribeClientQuotas' number for one entity.
const EXACT: i8 = 0;
/// DescribeClientQuotas' number for the default.
const DEFAULT: i8 = 1;
/// DescribeClientQuotas' number for any entity.
const ANY: i8 = 2;

/// Whether a config is a quota of users and clients.
pub(super) fn is_quota(name: &str) -> bool {
    QUOTAS.contains(&name)
}

/// Kafka's name of a type of entity in the protocol.
fn wire_name(kind: &str) -> &'static str {
    match kind {
        CLIENTS => "client-id",
        IPS => "ip",
        _ => "user",
    }
}

/// An entity with its quotas.
struct Found {
    /// Type and name of each part, no name for the default.
    entity: Vec<(String, Option<String>)>,
    quotas: Vec<(String, f64)>,
}

fn find(client: &mut Client, entities: &Entities) -> Result<Vec<Found>, Failure> {
    if entities.names.len() > entities.types.len() {
        return Err(Failure::plain("More entity names specified than entity types"));
    }
    let names = entities.names.iter().map(Some).chain(std::iter::repeat(None));
    let components = entities.types.iter().zip(names).map(|(kind, name)| ComponentData {
        entity_type: wire_name(kind),
        match_type: match name {
            None => ANY,
            Some(name) if name.is_empty() => DEFAULT,
            Some(_) => EXACT,
        },
        r#match: name.map(String::as_str).filter(|name| !name.is_empty()),
    });
    let request = DescribeClientQuotasRequest { components: components.collect(), strict: true };
    let found = client.retry(|client| {
        let answer = client.call(&request)?;
        let response = answer.decode::<DescribeClientQuotasResponse<'_>>()?;
        ClientError::check(response.error_code, response.error_message)?;
        let entries = response.entries.iter().flatten();
        Ok(entries
            .map(|entry| Found {
                entity: entry
                    .entity
                    .iter()
                    .map(|part| (part.entity_type.to_owned(), part.entity_name.map(str::to_owned)))
                    .collect(),
                quotas: entry.values.iter().map(|value| (value.key.to_owned(), value.value)).collect(),
            })
            .collect::<Vec<_>>())
    })?;
    Ok(found)
}

/// Shows the quotas that the entities have.
pub(super) fn describe(client: &mut Client, entities: &Entities) -> Result<(), Failure> {
    let mut lines: Vec<String> = find(client, entities)?.iter().map(line).collect();
    lines.sort();
    lines.iter().for_each(|line| say!("{line}"));
    Ok(())
}

fn line(found: &Found) -> String {
    let part = |kind: &str, shown: &str| {
        let (_, name) = found.entity.iter().find(|(found, _)| found == kind)?;
        Some(match name.as_deref().unwrap_or_default() {
            "" => format!("the default {shown}"),
            name => format!("{shown} '{name}'"),
        })
    };
    let parts = [part("user", "user-principal"), part("client-id", "client-id"), part("ip", "ip")];
    let entity: Vec<String> = parts.into_iter().flatten().collect();
    let quotas: Vec<String> =
        found.quotas.iter().map(|(key, value)| format!("{key}={}", java_double(*value))).collect();
    format!("Quota configs for {} are {}", entity.join(", "), quotas.join(", "))
}

/// Sets and removes quotas.
pub(super) fn alter(client: &mut Client, entities: &Entities, changes: &Changes) -> Result<(), Failure> {
    let before = find(client, entities)?;
    let has =
        |key: &str| before.first().is_some_and(|found| found.quotas.iter().any(|(known, _)| known == key));
    let unknown: Vec<&str> = changes.delete.iter().map(String::as_str).filter(|key| !has(key)).collect();
    if !unknown.is_empty() {
        return Err(Failure::Plain(format!("Invalid config(s): {}", unknown.join(","))));
    }
    let mut ops = Vec::new();
    for (key, value) in &changes.add {
        let value = value.trim().parse().map_err(|_| {
            Failure::Plain(format!("Cannot parse quota configuration value for {key}: {value}"))
        })?;
        ops.push(OpData { key, value, remove: false });
    }
    ops.extend(changes.delete.iter().map(|key| OpData { key, value: 0.0, remove: true }));
    let entity = entities.types.iter().zip(&entities.names).map(|(kind, name)| EntityData {
        entity_type: wire_name(kind),
        entity_name: Some(name.as_str()).filter(|name| !name.is_empty()),
    });
    let request = AlterClientQuotasRequest {
        entries: vec![EntryData { entity: entity.collect(), ops }],
        validate_only: false,
    };
    client.retry(|client| {
        let answer = client.call(&request)?;
        let response = answer.decode::<AlterClientQuotasResponse<'_>>()?;
        response
            .entries
            .iter()
            .try_for_each(|entry| ClientError::check(entry.error_code, entry.error_message))
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_shown_as_by_kafkas_tool() {
        let part = |kind: &str, name: Option<&str>| (kind.to_owned(), name.map(str::to_owned));
        let found = Found {
            entity: vec![part("client-id", Some("c")), part("user", None)],
            quotas: vec![("producer_byte_rate".to_owned(), 1024.0), ("consumer_byte_rate".to_owned(), 1e8)],
        };
        assert_eq!(
            line(&found),
            "Quota configs for the default user-principal, client-id 'c' are producer_byte_rate=1024.0, \
             consumer_byte_rate=1.0E8"
        );
    }
}
