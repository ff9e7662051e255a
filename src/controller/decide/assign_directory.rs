//! In which log directory a broker keeps a replica (Kafka's ReplicationControlManager, AssignReplicasToDirs, KIP-858).

use crate::controller::records::RecordList;
use crate::controller::request::ApiError;
use crate::protocol::messages::PartitionChangeRecord;
use crate::protocol::{ErrorCode, Uuid};

use super::context::{Context, Decision, cannot_encode};

pub(super) fn decide(
    context: &Context<'_>,
    broker_id: i32,
    topic_id: Uuid,
    partition_id: i32,
    directory: Uuid,
) -> Decision<Result<(), ApiError>> {
    let mut records = RecordList::default();
    let response = assign(context, broker_id, (topic_id, partition_id), directory, &mut records);
    Decision { records, response }
}

fn assign(
    context: &Context<'_>,
    broker_id: i32,
    (topic_id, partition_id): (Uuid, i32),
    directory: Uuid,
    records: &mut RecordList,
) -> Result<(), ApiError> {
    let unknown = || ApiError::new(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, "the partition is gone");
    let topic = context.image.topics.by_id(topic_id).ok_or_else(unknown)?;
    let partition = topic.partition(partition_id).ok_or_else(unknown)?;
    let known = context.image.broker(broker_id).is_some_and(|broker| broker.log_dirs.contains(&directory));
    if !known {
        return Err(ApiError::new(ErrorCode::LOG_DIR_NOT_FOUND, "the broker has no such log directory"));
    }
    let mut directories = partition.directories.to_vec();
    directories.resize(partition.replicas.len(), Uuid::ZERO);
    let place = partition.replicas.iter().zip(&mut directories).find(|(replica, _)| **replica == broker_id);
    let Some((_, assigned)) = place else {
        return Err(ApiError::new(ErrorCode::NOT_LEADER_OR_FOLLOWER, "the broker has no such replica"));
    };
    if *assigned == directory {
        return Ok(());
    }
    *assigned = directory;
    let change = PartitionChangeRecord {
        partition_id,
        topic_id,
        directories: Some(directories),
        ..PartitionChangeRecord::default()
    };
    records.push(&change).map_err(|error| cannot_encode(&error))
}
