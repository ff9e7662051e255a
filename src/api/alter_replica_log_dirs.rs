//! AlterReplicaLogDirs (34): in which log directory a replica shall lie (KIP-113). Who asks for where it lies already, has
//! it; replicas do not move between log directories yet, and a move is refused.

use bytes::Bytes;

use super::context::RequestContext;
use crate::log::DirectoryState;
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopicResult,
};
use crate::protocol::messages::{AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse};
use crate::server::{LogSize, log_sizes_everywhere};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(alter(context, body)))
}

async fn alter(context: RequestContext, body: Bytes) -> Outcome {
    let request: AlterReplicaLogDirsRequest<'_> = context.decode(&body)?;
    let sizes = log_sizes_everywhere(&context.shard).await;
    let directories = context.shard.partitions.logs().directories();
    let mut results = Vec::new();
    for wanted in &request.dirs {
        let directory = directories.iter().find(|state| state.path.as_os_str() == wanted.path);
        for topic in &wanted.topics {
            let partitions =
                topic.partitions.iter().map(|&partition_index| AlterReplicaLogDirPartitionResult {
                    partition_index,
                    error_code: place(&context, &sizes, directory, topic.name, partition_index).into(),
                });
            let partitions = partitions.collect();
            results.push(AlterReplicaLogDirTopicResult { topic_name: topic.name, partitions });
        }
    }
    context.respond(&AlterReplicaLogDirsResponse { throttle_time_ms: context.throttle_time_ms, results })
}

/// In Kafka's order: the directory is looked at before the partition.
fn place(
    context: &RequestContext,
    sizes: &[LogSize],
    directory: Option<&DirectoryState>,
    topic: &str,
    partition: i32,
) -> ErrorCode {
    let Some(directory) = directory else { return ErrorCode::LOG_DIR_NOT_FOUND };
    if directory.offline.is_some() {
        return ErrorCode::KAFKA_STORAGE_ERROR;
    }
    match sizes.iter().find(|size| &*size.topic == topic && size.partition == partition) {
        Some(size) if size.directory == directory.id => ErrorCode::NONE,
        Some(_) => ErrorCode::UNSUPPORTED_VERSION,
        None => match context.shard.image().topics.by_name(topic) {
            None => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            Some(known) => context.shard.why_not_here(known.id, partition),
        },
    }
}
