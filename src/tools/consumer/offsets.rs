//! Where partitions begin and end: ListOffsets, one request per leader.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::TopicPartition;
use crate::protocol::ErrorCode;
use crate::protocol::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use crate::protocol::messages::{ListOffsetsRequest, ListOffsetsResponse};
use crate::tools::client::{Client, ClientError, Node};
use crate::tools::log;

/// ListOffsets' number for the first offset.
pub(super) const EARLIEST: i64 = -2;
/// ListOffsets' number for the end.
pub(super) const LATEST: i64 = -1;

/// Offsets of partitions at a time, or at an end. Partitions that cannot be asked about now are left out.
///
/// # Errors
/// What does not pass by asking again.
pub(super) fn list(
    client: &mut Client,
    wanted: &[(TopicPartition, i64)],
    committed_only: bool,
) -> Result<BTreeMap<TopicPartition, i64>, ClientError> {
    let mut by_leader: BTreeMap<i32, BTreeMap<Arc<str>, Vec<ListOffsetsPartition>>> = BTreeMap::new();
    for ((topic, partition), timestamp) in wanted {
        let Some(leader) = client.cluster().leader(topic, *partition) else { continue };
        by_leader.entry(leader).or_default().entry(Arc::clone(topic)).or_default().push(
            ListOffsetsPartition { partition_index: *partition, timestamp: *timestamp, ..Default::default() },
        );
    }
    let mut offsets = BTreeMap::new();
    for (leader, topics) in by_leader {
        let request = ListOffsetsRequest {
            replica_id: -1,
            isolation_level: i8::from(committed_only),
            topics: topics
                .iter()
                .map(|(name, partitions)| ListOffsetsTopic { name, partitions: partitions.clone() })
                .collect(),
            ..Default::default()
        };
        let answer = match client.call_node(Node::Broker(leader), &request, i16::MAX, None) {
            Err(error) if error.is_retriable() => {
                log::warn_rarely(&error.to_string());
                continue;
            }
            result => result?,
        };
        let response = answer.decode::<ListOffsetsResponse<'_>>()?;
        for topic in &response.topics {
            for found in &topic.partitions {
                let code = ErrorCode(found.error_code);
                if code.is_none() {
                    offsets.insert((Arc::from(topic.name), found.partition_index), found.offset);
                } else if !code.is_retriable() {
                    let name = format!("{}-{}", topic.name, found.partition_index);
                    return Err(ClientError::Broker { code, message: Some(format!("{code} for {name}")) });
                }
            }
        }
    }
    Ok(offsets)
}
