//! OffsetDelete (47): a group forgets where it is in partitions that it does not read (KIP-496).

use std::sync::Arc;

use bytes::Bytes;

use super::route::{ask, code_of};
use crate::api::RequestContext;
use crate::controller::MetadataImage;
use crate::coordinator::{GroupAnswer, GroupRequest};
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::offset_delete::{OffsetDeleteResponsePartition, OffsetDeleteResponseTopic};
use crate::protocol::messages::{OffsetDeleteRequest, OffsetDeleteResponse};

pub(in crate::api) fn delete_offsets(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(delete(context, body)))
}

async fn delete(context: RequestContext, body: Bytes) -> Outcome {
    let request: OffsetDeleteRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let places: Vec<(Arc<str>, i32)> = request
        .topics
        .iter()
        .flat_map(|topic| {
            let partitions = topic.partitions.iter().map(|partition| partition.partition_index);
            partitions.filter_map(|index| Some((name_if_known(&image, topic.name, index)?, index)))
        })
        .collect();
    let answer = if request.group_id.is_empty() {
        GroupAnswer::failed(ErrorCode::INVALID_GROUP_ID)
    } else {
        // Asked for nothing that exists as well: whether there is such a group is to be told.
        ask(&context, request.group_id, GroupRequest::DeleteOffsets(places)).await
    };
    let GroupAnswer::Committed(codes) = answer else {
        // With an error of the whole group nothing is told of its partitions.
        return context.respond(&OffsetDeleteResponse {
            error_code: code_of(&answer).into(),
            throttle_time_ms: context.throttle_time_ms,
            topics: Vec::new(),
        });
    };
    let mut codes = codes.into_iter();
    let topics = request
        .topics
        .iter()
        .map(|topic| {
            let partitions = topic.partitions.iter().map(|partition| {
                let code = match name_if_known(&image, topic.name, partition.partition_index) {
                    Some(_) => codes.next().unwrap_or(ErrorCode::UNKNOWN_SERVER_ERROR),
                    None => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                };
                OffsetDeleteResponsePartition {
                    partition_index: partition.partition_index,
                    error_code: code.into(),
                }
            });
            OffsetDeleteResponseTopic { name: topic.name, partitions: partitions.collect() }
        })
        .collect();
    context.respond(&OffsetDeleteResponse {
        error_code: ErrorCode::NONE.into(),
        throttle_time_ms: context.throttle_time_ms,
        topics,
    })
}

fn name_if_known(image: &MetadataImage, name: &str, partition: i32) -> Option<Arc<str>> {
    let topic = image.topics.by_name(name)?;
    topic.partition(partition).map(|_| topic.name.clone())
}
