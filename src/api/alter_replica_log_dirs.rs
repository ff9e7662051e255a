//! AlterReplicaLogDirs (34): in which log directory a replica shall lie (KIP-113). Answered when the copies have begun; how
//! far they are, DescribeLogDirs says.

use bytes::Bytes;

use super::context::RequestContext;
use crate::controller::MetadataImage;
use crate::log::DirectoryState;
use crate::net::{Outcome, Step};
use crate::protocol::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopicResult,
};
use crate::protocol::messages::{AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse};
use crate::protocol::{ErrorCode, Uuid};
use crate::server::begin_log_dir_moves;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter(context, body)))
}

async fn alter(context: RequestContext, body: Bytes) -> Outcome {
    let request: AlterReplicaLogDirsRequest<'_> = context.decode(&body)?;
    let directories = context.shard.partitions.logs().directories();
    let image = context.shard.image();
    let mut moves = Vec::new();
    let mut planned = Vec::new();
    for wanted in &request.dirs {
        let directory = directories.iter().find(|state| state.path.as_os_str() == wanted.path);
        for topic in &wanted.topics {
            let partitions = topic.partitions.iter().map(|&index| {
                let planned = plan(&image, directory, topic.name, index);
                moves.extend(planned.ok());
                (index, planned.err())
            });
            planned.push((topic.name, partitions.collect::<Vec<_>>()));
        }
    }
    let mut begun = begin_log_dir_moves(&context.shard, &moves).await.into_iter();
    let mut code = |refused: Option<ErrorCode>| refused.or_else(|| begun.next()).unwrap_or(ErrorCode::NONE);
    let results = planned.into_iter().map(|(topic_name, partitions)| AlterReplicaLogDirTopicResult {
        topic_name,
        partitions: partitions
            .into_iter()
            .map(|(partition_index, refused)| AlterReplicaLogDirPartitionResult {
                partition_index,
                error_code: code(refused).into(),
            })
            .collect(),
    });
    let results = results.collect();
    context.respond(&AlterReplicaLogDirsResponse { throttle_time_ms: context.throttle_time_ms, results })
}

/// In Kafka's order: the directory is looked at before the partition.
fn plan(
    image: &MetadataImage,
    directory: Option<&DirectoryState>,
    topic: &str,
    partition: i32,
) -> Result<(Uuid, i32, Uuid), ErrorCode> {
    let directory = directory.ok_or(ErrorCode::LOG_DIR_NOT_FOUND)?;
    if directory.offline.is_some() {
        return Err(ErrorCode::KAFKA_STORAGE_ERROR);
    }
    let topic = image.topics.by_name(topic).ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)?;
    Ok((topic.id, partition, directory.id))
}
