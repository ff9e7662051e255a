//! ListOffsets for many partitions: what became of each, after as many tries as the client's time allows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::ErrorCode;
use crate::protocol::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use crate::protocol::messages::{ListOffsetsRequest, ListOffsetsResponse};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::consumer::TopicPartition;

/// The end of a partition.
pub const LATEST: i64 = -1;
/// The first offset.
pub const EARLIEST: i64 = -2;
/// The record with the greatest timestamp.
pub const MAX_TIMESTAMP: i64 = -3;
/// The first offset on a broker's own disk.
pub const EARLIEST_LOCAL: i64 = -4;
/// The last offset in tiered storage.
pub const LATEST_TIERED: i64 = -5;
/// The first offset that is still to go to tiered storage.
pub const EARLIEST_PENDING_UPLOAD: i64 = -6;

/// Pause between two tries.
const PAUSE: Duration = Duration::from_millis(100);

/// The version of ListOffsets that first knew a special timestamp.
fn least_version(timestamp: i64) -> i16 {
    match timestamp {
        MAX_TIMESTAMP => 7,
        EARLIEST_LOCAL => 8,
        LATEST_TIERED => 9,
        EARLIEST_PENDING_UPLOAD => 11,
        _ => 1,
    }
}

/// An offset, -1 if there is none, or why it cannot be told.
pub type Found = BTreeMap<TopicPartition, Result<i64, ClientError>>;

/// The offsets of partitions at a time or at an end.
///
/// # Errors
/// [`ClientError::Interrupted`]; whatever else goes wrong stands with its partition.
pub fn list(
    client: &mut Client,
    partitions: &[TopicPartition],
    timestamp: i64,
) -> Result<Found, ClientError> {
    let deadline = Instant::now() + client.api_timeout();
    let mut found = Found::new();
    let mut pending: Vec<TopicPartition> = partitions.to_vec();
    while !pending.is_empty() {
        for (leader, asked) in by_leader(client, &pending) {
            let result = match leader {
                Some(leader) => ask(client, leader, &asked, timestamp),
                None => Err(ClientError::Broker { code: ErrorCode::LEADER_NOT_AVAILABLE, message: None }),
            };
            match result {
                Ok(answers) => found.extend(answers),
                Err(ClientError::Interrupted) => return Err(ClientError::Interrupted),
                Err(error) => found.extend(asked.into_iter().map(|at| (at, Err(error.clone())))),
            }
        }
        let retriable =
            |at: &TopicPartition| matches!(found.get(at), Some(Err(error)) if error.is_retriable());
        pending.retain(retriable);
        if pending.is_empty() || Instant::now() + PAUSE >= deadline {
            break;
        }
        std::thread::sleep(PAUSE);
        let mut names: Vec<&str> = pending.iter().map(|(topic, _)| &**topic).collect();
        names.dedup();
        client.refresh(Topics::Named(&names), false)?;
    }
    Ok(found)
}

fn by_leader(client: &Client, partitions: &[TopicPartition]) -> BTreeMap<Option<i32>, Vec<TopicPartition>> {
    let mut groups: BTreeMap<Option<i32>, Vec<TopicPartition>> = BTreeMap::new();
    for at in partitions {
        groups.entry(client.cluster().leader(&at.0, at.1)).or_default().push(at.clone());
    }
    groups
}

fn ask(
    client: &mut Client,
    leader: i32,
    partitions: &[TopicPartition],
    timestamp: i64,
) -> Result<Found, ClientError> {
    let node = Node::Broker(leader);
    let version = client.version::<ListOffsetsRequest<'_>>(node, i16::MAX)?;
    let least = least_version(timestamp);
    if version < least {
        let peer = client.address(node).map(|address| address.to_string()).unwrap_or_default();
        return Err(ClientError::Unsupported { peer, api: "ListOffsets", min: least, max: i16::MAX });
    }
    let mut topics: BTreeMap<&str, Vec<ListOffsetsPartition>> = BTreeMap::new();
    for (topic, partition) in partitions {
        let wanted = ListOffsetsPartition { partition_index: *partition, timestamp, ..Default::default() };
        topics.entry(topic).or_default().push(wanted);
    }
    let request = ListOffsetsRequest {
        replica_id: -1,
        topics: topics.into_iter().map(|(name, partitions)| ListOffsetsTopic { name, partitions }).collect(),
        timeout_ms: i32::try_from(client.api_timeout().as_millis()).unwrap_or(i32::MAX),
        ..Default::default()
    };
    let answer = client.call_node(node, &request, version, None)?;
    let response = answer.decode::<ListOffsetsResponse<'_>>()?;
    let mut found = Found::new();
    for topic in &response.topics {
        let name: Arc<str> = topic.name.into();
        for partition in &topic.partitions {
            let result = ClientError::check(partition.error_code, None).map(|()| partition.offset);
            found.insert((Arc::clone(&name), partition.partition_index), result);
        }
    }
    Ok(found)
}
