//! ListOffsets (2): offsets by time, and the ends of the log. Version 0 is kept for librdkafka before 1.8.

use bytes::Bytes;

use super::context::RequestContext;
use crate::net::{Outcome, Step};
use crate::partition::{Isolation, ListedOffset, OffsetQuery};
use crate::protocol::messages::list_offsets::{
    ListOffsetsPartition, ListOffsetsPartitionResponse, ListOffsetsTopicResponse,
};
use crate::protocol::messages::{ListOffsetsRequest, ListOffsetsResponse};
use crate::protocol::{ErrorCode, Uuid};
use crate::server::{PartitionAnswer, PartitionQuery};

/// Leader epochs are told from this version on (KIP-320).
const EPOCHS_FROM: i16 = 4;

/// The replica id of consumers.
const CONSUMER: i32 = -1;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(list(context, body)))
}

async fn list(context: RequestContext, body: Bytes) -> Outcome {
    let request: ListOffsetsRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let mut queries: Vec<(Uuid, i32, PartitionQuery)> = Vec::new();
    for topic in &request.topics {
        let Some(known) = image.topics.by_name(topic.name) else { continue };
        for partition in &topic.partitions {
            if known.partition(partition.partition_index).is_some() {
                let query = PartitionQuery::Offset(query_of(&context, &request, partition));
                queries.push((known.id, partition.partition_index, query));
            }
        }
    }
    let asked: Vec<(Uuid, i32)> = queries.iter().map(|query| (query.0, query.1)).collect();
    let answers = context.shard.ask(queries).await;
    let mut answers = asked.into_iter().zip(answers);
    let topics = request
        .topics
        .iter()
        .map(|topic| {
            let known = image.topics.by_name(topic.name);
            let partitions = topic.partitions.iter().map(|partition| {
                let index = partition.partition_index;
                let exists = known.is_some_and(|known| known.partition(index).is_some());
                let listed = if exists {
                    match answers.next() {
                        Some((_, Some(PartitionAnswer::Offset(listed)))) => listed,
                        Some(((topic_id, index), _)) => {
                            ListedOffset::failed(context.shard.why_not_here(topic_id, index))
                        }
                        None => ListedOffset::failed(ErrorCode::UNKNOWN_SERVER_ERROR),
                    }
                } else {
                    ListedOffset::failed(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)
                };
                response_of(context.version, index, listed)
            });
            ListOffsetsTopicResponse { name: topic.name, partitions: partitions.collect() }
        })
        .collect();
    context.respond(&ListOffsetsResponse { throttle_time_ms: context.throttle_time_ms, topics })
}

fn query_of(
    context: &RequestContext,
    request: &ListOffsetsRequest<'_>,
    partition: &ListOffsetsPartition,
) -> OffsetQuery {
    let isolation = match (request.replica_id, request.isolation_level) {
        (CONSUMER, 1) => Some(Isolation::ReadCommitted),
        (CONSUMER, _) => Some(Isolation::ReadUncommitted),
        _ => None,
    };
    OffsetQuery {
        timestamp: partition.timestamp,
        current_leader_epoch: partition.current_leader_epoch,
        isolation,
        max_num_offsets: (context.version == 0).then_some(partition.max_num_offsets),
        version: context.version,
    }
}

fn response_of(version: i16, partition_index: i32, listed: ListedOffset) -> ListOffsetsPartitionResponse {
    ListOffsetsPartitionResponse {
        partition_index,
        error_code: listed.code.into(),
        old_style_offsets: listed.old_style,
        timestamp: listed.timestamp,
        offset: listed.offset,
        leader_epoch: if version >= EPOCHS_FROM { listed.leader_epoch } else { -1 },
    }
}
