//! DescribeTopicPartitions (75): topics in pages, with eligible leader replicas (KIP-966).

use std::collections::BTreeSet;

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::{TOPIC_OPERATIONS, is_internal, is_valid_name, leader_of, offline_replicas};
use crate::controller::{MetadataImage, TopicImage};
use crate::net::Step;
use crate::protocol::messages::describe_topic_partitions::{
    DescribeTopicPartitionsResponsePartition, DescribeTopicPartitionsResponseTopic, ResponseCursor,
};
use crate::protocol::messages::{DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse};
use crate::protocol::{ErrorCode, Uuid};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: DescribeTopicPartitionsRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let image = context.shard.image();
    let first_topic = request.cursor.as_ref().map_or("", |cursor| cursor.topic_name);
    let mut first_partition = request
        .cursor
        .as_ref()
        .map_or(0, |cursor| usize::try_from(cursor.partition_index).unwrap_or_default());
    let all = request.topics.is_empty();
    let names: BTreeSet<&str> = if all {
        image.topics.iter().map(|topic| topic.name.as_ref()).filter(|name| *name >= first_topic).collect()
    } else {
        request.topics.iter().map(|topic| topic.name).filter(|name| *name >= first_topic).collect()
    };
    let limit = usize::try_from(request.response_partition_limit).unwrap_or_default();
    let mut room = limit.min(context.shard.config.network.partitions_per_request).max(1);
    let mut response =
        DescribeTopicPartitionsResponse { throttle_time_ms: context.throttle_time_ms, ..Default::default() };
    for name in names {
        let from = if name == first_topic { std::mem::take(&mut first_partition) } else { 0 };
        if room == 0 {
            response.next_cursor = Some(ResponseCursor { topic_name: name, partition_index: from as i32 });
            break;
        }
        let Some(topic) = image.topics.by_name(name) else {
            response.topics.push(unknown(name));
            continue;
        };
        let end = topic.partitions.len().min(from.saturating_add(room));
        response.topics.push(describe(&context, &image, topic, from..end));
        room -= end.saturating_sub(from);
        if end < topic.partitions.len() {
            response.next_cursor = Some(ResponseCursor { topic_name: name, partition_index: end as i32 });
            break;
        }
    }
    context.done(&response)
}

fn unknown(name: &str) -> DescribeTopicPartitionsResponseTopic<'_> {
    let code = if is_valid_name(name) {
        ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
    } else {
        ErrorCode::INVALID_TOPIC_EXCEPTION
    };
    DescribeTopicPartitionsResponseTopic {
        error_code: code.into(),
        name: Some(name),
        topic_id: Uuid::ZERO,
        is_internal: is_internal(name),
        ..Default::default()
    }
}

fn describe<'t>(
    context: &RequestContext,
    image: &MetadataImage,
    topic: &'t TopicImage,
    range: std::ops::Range<usize>,
) -> DescribeTopicPartitionsResponseTopic<'t> {
    let partitions = range.filter_map(|index| {
        let partition = topic.partitions.get(index)?;
        let (leader_id, code) = leader_of(image, &context.connection.listener, partition);
        Some(DescribeTopicPartitionsResponsePartition {
            error_code: code.into(),
            partition_index: index as i32,
            leader_id,
            leader_epoch: partition.leader_epoch,
            replica_nodes: partition.replicas.to_vec(),
            isr_nodes: partition.isr.to_vec(),
            eligible_leader_replicas: Some(partition.eligible_leader_replicas.to_vec()),
            last_known_elr: Some(partition.last_known_elr.to_vec()),
            offline_replicas: offline_replicas(image, partition),
        })
    });
    DescribeTopicPartitionsResponseTopic {
        error_code: 0,
        name: Some(&topic.name),
        topic_id: topic.id,
        is_internal: is_internal(&topic.name),
        partitions: partitions.collect(),
        topic_authorized_operations: TOPIC_OPERATIONS,
    }
}
