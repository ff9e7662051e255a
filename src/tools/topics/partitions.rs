//! Topics with their partitions in full: DescribeTopicPartitions (KIP-966) page by page, or Metadata from a broker that
//! does not have it.

use std::collections::BTreeMap;

use crate::protocol::ErrorCode;
use crate::protocol::messages::describe_topic_partitions::{Cursor, TopicRequest};
use crate::protocol::messages::{DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse};
use crate::protocol::wire::Uuid;
use crate::tools::client::{Client, ClientError};

/// Partitions in an answer, unless the operator says otherwise.
const PAGE: i32 = 2000;

#[derive(Debug, Default)]
pub(super) struct PartitionState {
    pub(super) index: i32,
    pub(super) leader: Option<i32>,
    pub(super) replicas: Vec<i32>,
    pub(super) isr: Vec<i32>,
    /// Eligible leader replicas; unknown from an old broker.
    pub(super) elr: Option<Vec<i32>>,
    pub(super) last_known_elr: Option<Vec<i32>>,
}

#[derive(Debug, Default)]
pub(super) struct TopicState {
    pub(super) id: Uuid,
    pub(super) partitions: Vec<PartitionState>,
}

/// The topics of these names, which were just seen in the metadata; one that is gone by now is left out.
pub(super) fn fetch(
    client: &mut Client,
    names: &[String],
    page: Option<i32>,
) -> Result<BTreeMap<String, TopicState>, ClientError> {
    match client.retry(|client| paged(client, names, page.unwrap_or(PAGE))) {
        Err(ClientError::Unsupported { .. }) => Ok(from_metadata(client, names)),
        result => result,
    }
}

fn paged(
    client: &mut Client,
    names: &[String],
    page: i32,
) -> Result<BTreeMap<String, TopicState>, ClientError> {
    let mut states: BTreeMap<String, TopicState> = BTreeMap::new();
    let mut next: Option<(String, i32)> = None;
    loop {
        let from = next.as_ref().map_or("", |(topic, _)| topic);
        let request = DescribeTopicPartitionsRequest {
            topics: names
                .iter()
                .filter(|name| name.as_str() >= from)
                .map(|name| TopicRequest { name })
                .collect(),
            response_partition_limit: page,
            cursor: next.as_ref().map(|(topic, index)| Cursor { topic_name: topic, partition_index: *index }),
        };
        let answer = client.call(&request)?;
        let response = answer.decode::<DescribeTopicPartitionsResponse<'_>>()?;
        for topic in &response.topics {
            let Some(name) = topic.name else { continue };
            if ErrorCode(topic.error_code) == ErrorCode::UNKNOWN_TOPIC_OR_PARTITION {
                continue;
            }
            ClientError::check(topic.error_code, None)?;
            let state = states.entry(name.to_owned()).or_default();
            state.id = topic.topic_id;
            state.partitions.extend(topic.partitions.iter().map(|partition| PartitionState {
                index: partition.partition_index,
                leader: Some(partition.leader_id).filter(|leader| *leader >= 0),
                replicas: partition.replica_nodes.clone(),
                isr: partition.isr_nodes.clone(),
                elr: Some(partition.eligible_leader_replicas.clone().unwrap_or_default()),
                last_known_elr: Some(partition.last_known_elr.clone().unwrap_or_default()),
            }));
        }
        match &response.next_cursor {
            Some(cursor) => next = Some((cursor.topic_name.to_owned(), cursor.partition_index)),
            None => return Ok(states),
        }
    }
}

fn from_metadata(client: &Client, names: &[String]) -> BTreeMap<String, TopicState> {
    let topics = names.iter().filter_map(|name| client.cluster().topics.get_key_value(name.as_str()));
    topics
        .map(|(name, topic)| {
            let partitions = topic.partitions.iter().map(|partition| PartitionState {
                index: partition.index,
                leader: partition.leader,
                replicas: partition.replicas.clone(),
                isr: partition.isr.clone(),
                elr: None,
                last_known_elr: None,
            });
            (name.to_string(), TopicState { id: topic.id, partitions: partitions.collect() })
        })
        .collect()
}
