//! OffsetForLeaderEpoch (23): where an epoch ends, so that clients and followers find where logs part (KIP-320).

use bytes::Bytes;

use super::context::RequestContext;
use crate::net::{Outcome, Step};
use crate::protocol::messages::offset_for_leader_epoch::{EpochEndOffset, OffsetForLeaderTopicResult};
use crate::protocol::messages::{OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse};
use crate::protocol::{ErrorCode, Uuid};
use crate::server::{PartitionAnswer, PartitionQuery};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(find(context, body)))
}

async fn find(context: RequestContext, body: Bytes) -> Outcome {
    let request: OffsetForLeaderEpochRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let mut queries: Vec<(Uuid, i32, PartitionQuery)> = Vec::new();
    for topic in &request.topics {
        let topic_id = image.topics.by_name(topic.topic).map_or(Uuid::ZERO, |known| known.id);
        queries.extend(topic.partitions.iter().map(|partition| {
            let query = PartitionQuery::EpochEnd {
                current_leader_epoch: partition.current_leader_epoch,
                leader_epoch: partition.leader_epoch,
            };
            (topic_id, partition.partition, query)
        }));
    }
    let places: Vec<(Uuid, i32)> = queries.iter().map(|query| (query.0, query.1)).collect();
    let mut answers = context.shard.ask(queries).await.into_iter().zip(places);
    let topics = request
        .topics
        .iter()
        .map(|topic| {
            let partitions = topic.partitions.iter().map(|partition| match answers.next() {
                Some((Some(PartitionAnswer::EpochEnd(end)), _)) => EpochEndOffset {
                    error_code: end.code.into(),
                    partition: partition.partition,
                    leader_epoch: end.leader_epoch,
                    end_offset: end.end_offset,
                },
                Some((_, (topic_id, index))) => failed(index, context.shard.why_not_here(topic_id, index)),
                None => failed(partition.partition, ErrorCode::UNKNOWN_SERVER_ERROR),
            });
            OffsetForLeaderTopicResult { topic: topic.topic, partitions: partitions.collect() }
        })
        .collect();
    context.respond(&OffsetForLeaderEpochResponse { throttle_time_ms: context.throttle_time_ms, topics })
}

fn failed(partition: i32, code: ErrorCode) -> EpochEndOffset {
    EpochEndOffset { error_code: code.into(), partition, leader_epoch: -1, end_offset: -1 }
}
