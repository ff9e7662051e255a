//! DescribeProducers (61): the producers that a partition knows (KIP-664), told by its leader.

use std::sync::Arc;

use bytes::Bytes;

use super::context::RequestContext;
use crate::controller::decide::check_topic_name;
use crate::controller::{MetadataImage, TopicImage};
use crate::net::{Outcome, Step};
use crate::partition::ActiveProducer;
use crate::protocol::messages::describe_producers::{PartitionResponse, ProducerState, TopicResponse};
use crate::protocol::messages::{DescribeProducersRequest, DescribeProducersResponse};
use crate::protocol::{ErrorCode, Uuid};
use crate::server::{PartitionAnswer, PartitionQuery};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(describe(context, body)))
}

async fn describe(context: RequestContext, body: Bytes) -> Outcome {
    let request: DescribeProducersRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let found: Vec<_> = request.topics.iter().map(|topic| find(&image, topic.name)).collect();
    let mut queries: Vec<(Uuid, i32, PartitionQuery)> = Vec::new();
    for (topic, found) in request.topics.iter().zip(&found) {
        if let Ok(known) = found {
            let asked = topic.partition_indexes.iter();
            queries.extend(asked.map(|&index| (known.id, index, PartitionQuery::Producers)));
        }
    }
    let mut answers = context.shard.ask(queries).await.into_iter();
    let topics = request
        .topics
        .iter()
        .zip(&found)
        .map(|(topic, found)| {
            let partitions = topic.partition_indexes.iter().map(|&index| match found {
                Ok(known) => response_of(index, answer_of(&context, known, index, answers.next().flatten())),
                Err((code, text)) => {
                    PartitionResponse { error_message: Some(text), ..response_of(index, Err(*code)) }
                }
            });
            TopicResponse { name: topic.name, partitions: partitions.collect() }
        })
        .collect();
    context.respond(&DescribeProducersResponse { throttle_time_ms: context.throttle_time_ms, topics })
}

fn find<'i>(image: &'i MetadataImage, name: &str) -> Result<&'i Arc<TopicImage>, (ErrorCode, String)> {
    check_topic_name(name).map_err(|text| (ErrorCode::INVALID_TOPIC_EXCEPTION, text))?;
    let text = "This server does not host this topic-partition.";
    let unknown = || (ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, text.to_owned());
    image.topics.by_name(name).ok_or_else(unknown)
}

fn answer_of(
    context: &RequestContext,
    topic: &TopicImage,
    index: i32,
    answer: Option<PartitionAnswer>,
) -> Result<Vec<ActiveProducer>, ErrorCode> {
    match answer {
        Some(PartitionAnswer::Producers(producers)) => producers,
        _ => Err(context.shard.why_not_here(topic.id, index)),
    }
}

fn response_of(
    partition_index: i32,
    producers: Result<Vec<ActiveProducer>, ErrorCode>,
) -> PartitionResponse<'static> {
    let code = producers.as_ref().err().copied().unwrap_or(ErrorCode::NONE);
    PartitionResponse {
        partition_index,
        error_code: code.into(),
        active_producers: producers.unwrap_or_default().iter().map(state_of).collect(),
        ..Default::default()
    }
}

fn state_of(producer: &ActiveProducer) -> ProducerState {
    ProducerState {
        producer_id: producer.id,
        producer_epoch: producer.epoch.into(),
        last_sequence: producer.last_sequence,
        last_timestamp: producer.last_timestamp_ms,
        coordinator_epoch: producer.coordinator_epoch,
        current_txn_start_offset: producer.transaction_first_offset.unwrap_or(-1),
    }
}
