//! DeleteRecords (21): moves the start of logs (KIP-107). The new start is durable before the reply.

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::is_internal;
use crate::net::{Outcome, Step};
use crate::protocol::messages::delete_records::{DeleteRecordsPartitionResult, DeleteRecordsTopicResult};
use crate::protocol::messages::{DeleteRecordsRequest, DeleteRecordsResponse};
use crate::protocol::{ErrorCode, Uuid};
use crate::server::{PartitionAnswer, PartitionQuery};

/// No low watermark: there was an error.
const NO_WATERMARK: i64 = -1;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(delete(context, body)))
}

async fn delete(context: RequestContext, body: Bytes) -> Outcome {
    let request: DeleteRecordsRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let mut queries: Vec<(Uuid, i32, PartitionQuery)> = Vec::new();
    for topic in &request.topics {
        // What groups and transactions keep is not a client's to delete.
        let known = image.topics.by_name(topic.name).filter(|known| !is_internal(&known.name));
        let topic_id = known.map_or(Uuid::ZERO, |known| known.id);
        queries.extend(topic.partitions.iter().map(|partition| {
            (topic_id, partition.partition_index, PartitionQuery::DeleteRecords(partition.offset))
        }));
    }
    let places: Vec<(Uuid, i32)> = queries.iter().map(|query| (query.0, query.1)).collect();
    let mut answers = context.shard.ask(queries).await.into_iter().zip(places);
    let topics = request
        .topics
        .iter()
        .map(|topic| {
            let partitions = topic.partitions.iter().map(|partition| {
                let result = match answers.next() {
                    _ if is_internal(topic.name) => Err(ErrorCode::INVALID_TOPIC_EXCEPTION),
                    Some((Some(PartitionAnswer::DeleteRecords(result)), _)) => result,
                    Some((_, (topic_id, index))) => Err(context.shard.why_not_here(topic_id, index)),
                    None => Err(ErrorCode::UNKNOWN_SERVER_ERROR),
                };
                DeleteRecordsPartitionResult {
                    partition_index: partition.partition_index,
                    low_watermark: result.unwrap_or(NO_WATERMARK),
                    error_code: result.err().unwrap_or(ErrorCode::NONE).into(),
                }
            });
            DeleteRecordsTopicResult { name: topic.name, partitions: partitions.collect() }
        })
        .collect();
    context.respond(&DeleteRecordsResponse { throttle_time_ms: context.throttle_time_ms, topics })
}
