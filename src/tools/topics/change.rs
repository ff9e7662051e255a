//! Creates, grows and deletes topics.

use super::assignment;
use super::command::{ensure_found, matching};
use crate::protocol::ErrorCode;
use crate::protocol::messages::create_partitions::{CreatePartitionsAssignment, CreatePartitionsTopic};
use crate::protocol::messages::create_topics::{
    CreatableReplicaAssignment, CreatableTopic, CreatableTopicConfig,
};
use crate::protocol::messages::delete_topics::DeleteTopicState;
use crate::protocol::messages::{
    CreatePartitionsRequest, CreatePartitionsResponse, CreateTopicsRequest, CreateTopicsResponse,
    DeleteTopicsRequest, DeleteTopicsResponse,
};
use crate::tools::admin::Failure;
use crate::tools::client::network::Node;
use crate::tools::client::{Client, ClientError};
use crate::tools::options::Options;
use crate::tools::output::say;

/// How long a broker may take for a change.
const TIMEOUT_MS: i32 = 30_000;

pub(super) fn create(client: &mut Client, options: &Options) -> Result<(), Failure> {
    let name = options.text("topic")?.unwrap_or_default();
    let topic = creatable(name, options)?;
    if name.contains(['.', '_']) {
        say!(
            "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore ('_') could \
             collide. To avoid issues it is best to use either, but not both."
        );
    }
    let request = CreateTopicsRequest { topics: vec![topic], timeout_ms: TIMEOUT_MS, validate_only: false };
    let result = client.retry(|client| {
        let answer = client.call_controller(&request)?;
        let response = answer.decode::<CreateTopicsResponse<'_>>()?;
        let result = response.topics.first();
        result.map_or(Ok(()), |topic| ClientError::check(topic.error_code, topic.error_message))
    });
    match result {
        Ok(()) => say!("Created topic {name}."),
        Err(error)
            if options.has("if-not-exists") && error.code() == Some(ErrorCode::TOPIC_ALREADY_EXISTS) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn creatable<'a>(name: &'a str, options: &'a Options) -> Result<CreatableTopic<'a>, Failure> {
    let mut topic = CreatableTopic { name, num_partitions: -1, replication_factor: -1, ..Default::default() };
    if let Some(partitions) = options.number::<i32>("partitions")? {
        if partitions < 1 {
            return Err(Failure::plain("The partitions must be greater than 0"));
        }
        topic.num_partitions = partitions;
    }
    if let Some(factor) = options.number::<i32>("replication-factor")? {
        topic.replication_factor =
            i16::try_from(factor).ok().filter(|factor| *factor > 0).ok_or_else(|| {
                Failure::plain(format!("The replication factor must be between 1 and {} inclusive", i16::MAX))
            })?;
    }
    if let Some(text) = options.text("replica-assignment")?.filter(|text| !text.is_empty()) {
        let lists = assignment::parse(text)?;
        topic.assignments = (0..)
            .zip(lists)
            .map(|(partition_index, broker_ids)| CreatableReplicaAssignment { partition_index, broker_ids })
            .collect();
    }
    for entry in options.all("config") {
        let (key, value) = entry
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, value)| !key.is_empty() && !value.is_empty())
            .ok_or_else(|| {
                let text = "requirement failed: Invalid topic config: all configs to be added must be in the \
                            format \"key=val\".";
                Failure::plain(text)
            })?;
        // The last of a key counts, as in Kafka.
        topic.configs.retain(|config| config.name != key);
        topic.configs.push(CreatableTopicConfig { name: key, value: Some(value) });
    }
    Ok(topic)
}

pub(super) fn alter(client: &mut Client, options: &Options) -> Result<(), Failure> {
    let names = matching(client, options)?;
    ensure_found(&names, options)?;
    let count = options.number::<i32>("partitions")?.unwrap_or_default();
    let lists = match options.text("replica-assignment")?.filter(|text| !text.is_empty()) {
        Some(text) => Some(assignment::parse(text)?),
        None => None,
    };
    let topics = names.iter().map(|name| {
        let existing = client.cluster().topics.get(name.as_str()).map_or(0, |topic| topic.partitions.len());
        let assignments = lists.as_ref().map(|lists| {
            let added = lists.iter().skip(existing);
            added.map(|ids| CreatePartitionsAssignment { broker_ids: ids.clone() }).collect()
        });
        CreatePartitionsTopic { name, count, assignments }
    });
    let request =
        CreatePartitionsRequest { topics: topics.collect(), timeout_ms: TIMEOUT_MS, validate_only: false };
    if request.topics.is_empty() {
        return Ok(());
    }
    client.retry(|client| {
        let answer = client.call_controller(&request)?;
        let response = answer.decode::<CreatePartitionsResponse<'_>>()?;
        response
            .results
            .iter()
            .try_for_each(|topic| ClientError::check(topic.error_code, topic.error_message))
    })?;
    Ok(())
}

pub(super) fn delete(client: &mut Client, options: &Options) -> Result<(), Failure> {
    let names = matching(client, options)?;
    ensure_found(&names, options)?;
    if names.is_empty() {
        return Ok(());
    }
    client.retry(|client| {
        let controller = client.cluster().controller.map_or(Node::Bootstrap(0), Node::Broker);
        let version = client.version::<DeleteTopicsRequest<'_>>(controller, i16::MAX)?;
        let mut request = DeleteTopicsRequest { timeout_ms: TIMEOUT_MS, ..Default::default() };
        if version >= 6 {
            let state = |name| DeleteTopicState { name: Some(name), ..Default::default() };
            request.topics = names.iter().map(|name| state(name.as_str())).collect();
        } else {
            request.topic_names = names.iter().map(String::as_str).collect();
        }
        let answer = client.call_node(controller, &request, version, None)?;
        let response = answer.decode::<DeleteTopicsResponse<'_>>()?;
        response
            .responses
            .iter()
            .try_for_each(|topic| ClientError::check(topic.error_code, topic.error_message))
    })?;
    Ok(())
}
