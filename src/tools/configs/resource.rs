//! Configs of topics, brokers, brokers' loggers, client metrics and groups: asked for and changed.

use std::collections::BTreeSet;

use super::changes::Changes;
use super::options::{BROKER_LOGGERS, BROKERS, CLIENT_METRICS, GROUPS, TOPICS};
use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_configs::DescribeConfigsResource;
use crate::protocol::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use crate::protocol::messages::{
    DescribeConfigsRequest, DescribeConfigsResponse, IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse, ListGroupsRequest, ListGroupsResponse,
};
use crate::protocol::messages::{ListConfigResourcesRequest, ListConfigResourcesResponse};
use crate::protocol::wire::Request;
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Answer, Client, ClientError, Node};

/// IncrementalAlterConfigs' number for setting a config.
const SET: i8 = 0;
/// IncrementalAlterConfigs' number for removing one.
const DELETE: i8 = 1;

/// Where a value comes from: the protocol's numbers with Kafka's names.
const SOURCES: &[&str] = &[
    "UNKNOWN",
    "DYNAMIC_TOPIC_CONFIG",
    "DYNAMIC_BROKER_CONFIG",
    "DYNAMIC_DEFAULT_BROKER_CONFIG",
    "STATIC_BROKER_CONFIG",
    "DEFAULT_CONFIG",
    "DYNAMIC_BROKER_LOGGER_CONFIG",
    "DYNAMIC_CLIENT_METRICS_CONFIG",
    "DYNAMIC_GROUP_CONFIG",
];

/// Kafka's name of a source.
pub(super) fn source_name(source: i8) -> &'static str {
    usize::try_from(source).ok().and_then(|source| SOURCES.get(source)).copied().unwrap_or("UNKNOWN")
}

/// A type of entity, as the protocol has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// As the options say it, in the plural.
    pub(super) name: &'static str,
    number: i8,
    /// The source of values that were set for one entity; brokers' loggers have none.
    own_source: Option<i8>,
}

const KINDS: &[Kind] = &[
    Kind { name: TOPICS, number: 2, own_source: Some(1) },
    Kind { name: BROKERS, number: 4, own_source: Some(2) },
    Kind { name: BROKER_LOGGERS, number: 8, own_source: None },
    Kind { name: CLIENT_METRICS, number: 16, own_source: Some(7) },
    Kind { name: GROUPS, number: 32, own_source: Some(8) },
];
/// The source of values that were set for all brokers.
const ALL_BROKERS: i8 = 3;

impl Kind {
    pub(super) fn of(name: &str) -> Option<Self> {
        KINDS.iter().find(|kind| kind.name == name).copied()
    }

    /// Whether one broker alone knows about it.
    fn is_of_a_broker(self) -> bool {
        matches!(self.name, BROKERS | BROKER_LOGGERS)
    }
}

/// A config with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) is_sensitive: bool,
    source: i8,
    /// Source, name and value of what would be in force, each without the ones before it.
    pub(super) synonyms: Vec<(i8, String, Option<String>)>,
}

/// Sends a request to the broker that an entity belongs to, or to any.
fn call<'a, R: Request<'a>>(
    client: &mut Client,
    kind: Kind,
    name: &str,
    request: &R,
) -> Result<Answer, ClientError> {
    let Some(id) = Some(name).filter(|_| kind.is_of_a_broker()).and_then(|name| name.parse::<i32>().ok())
    else {
        return client.call(request);
    };
    if !client.cluster().brokers.contains_key(&id) {
        client.refresh(Topics::None, false)?;
    }
    if !client.cluster().brokers.contains_key(&id) {
        return Err(ClientError::Timeout { what: format!("there is no node {id} to send the request to") });
    }
    client.call_node(Node::Broker(id), request, i16::MAX, None)
}

/// The configs of an entity, sorted by name: those that were set for it, or all.
pub(super) fn configs(
    client: &mut Client,
    kind: Kind,
    name: &str,
    all: bool,
) -> Result<Vec<Entry>, ClientError> {
    let resource =
        DescribeConfigsResource { resource_type: kind.number, resource_name: name, configuration_keys: None };
    let request =
        DescribeConfigsRequest { resources: vec![resource], include_synonyms: true, ..Default::default() };
    let answer = call(client, kind, name, &request)?;
    let response = answer.decode::<DescribeConfigsResponse<'_>>()?;
    let own_source =
        if kind.name == BROKERS && name.is_empty() { Some(ALL_BROKERS) } else { kind.own_source };
    let wanted = own_source.filter(|_| !all);
    let mut entries = Vec::new();
    for result in &response.results {
        ClientError::check(result.error_code, result.error_message)?;
        let found =
            result.configs.iter().filter(|config| wanted.is_none_or(|own| config.config_source == own));
        entries.extend(found.map(|config| {
            Entry {
                name: config.name.to_owned(),
                value: config.value.map(str::to_owned),
                is_sensitive: config.is_sensitive,
                source: config.config_source,
                synonyms: config
                    .synonyms
                    .iter()
                    .map(|synonym| {
                        (synonym.source, synonym.name.to_owned(), synonym.value.map(str::to_owned))
                    })
                    .collect(),
            }
        }));
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name).then(a.source.cmp(&b.source)));
    Ok(entries)
}

/// Sets and removes configs of an entity.
pub(super) fn alter(
    client: &mut Client,
    kind: Kind,
    name: &str,
    changes: &Changes,
) -> Result<(), ClientError> {
    let removed = changes.delete.iter().map(|key| AlterableConfig {
        name: key,
        config_operation: DELETE,
        value: Some(""),
    });
    let set = changes.add.iter().map(|(key, value)| AlterableConfig {
        name: key,
        config_operation: SET,
        value: Some(value),
    });
    let configs = removed.chain(set).collect();
    let resource = AlterConfigsResource { resource_type: kind.number, resource_name: name, configs };
    let request = IncrementalAlterConfigsRequest { resources: vec![resource], validate_only: false };
    let answer = call(client, kind, name, &request)?;
    let response = answer.decode::<IncrementalAlterConfigsResponse<'_>>()?;
    response
        .responses
        .iter()
        .try_for_each(|result| ClientError::check(result.error_code, result.error_message))
}

/// Names of the entities of a kind that have configs.
pub(super) fn with_configs(client: &mut Client, kind: Kind) -> Result<BTreeSet<String>, ClientError> {
    let request = ListConfigResourcesRequest { resource_types: vec![kind.number] };
    let answer = client.call(&request)?;
    let response = answer.decode::<ListConfigResourcesResponse<'_>>()?;
    ClientError::check(response.error_code, None)?;
    Ok(response.config_resources.iter().map(|resource| resource.resource_name.to_owned()).collect())
}

/// Ids of the groups that there are, and of those that have configs, as far as the cluster tells them.
pub(super) fn groups(client: &mut Client, kind: Kind) -> Result<BTreeSet<String>, ClientError> {
    let mut ids = BTreeSet::new();
    client.refresh(Topics::None, false)?;
    let brokers: Vec<i32> = client.cluster().brokers.keys().copied().collect();
    for broker in brokers {
        let answer = client.call_node(Node::Broker(broker), &ListGroupsRequest::default(), i16::MAX, None)?;
        let response = answer.decode::<ListGroupsResponse<'_>>()?;
        ClientError::check(response.error_code, None)?;
        ids.extend(response.groups.iter().map(|group| group.group_id.to_owned()));
    }
    match with_configs(client, kind) {
        Ok(names) => ids.extend(names),
        // An old broker, or one that does not let this user see them.
        Err(ClientError::Unsupported { .. }) => {}
        Err(error) if error.code() == Some(ErrorCode::CLUSTER_AUTHORIZATION_FAILED) => {}
        Err(error) => return Err(error),
    }
    Ok(ids)
}
