//! Produce (0). Split by owner, appended in the order of requests, answered when the flush has covered it.
//!
//! *Dispatched* when every owner has the batches in its order; *done* when all have answered. The frame is let go as soon
//! as the batches are in the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::is_internal;
use crate::controller::{MetadataImage, TopicImage};
use crate::net::{CloseReason, Outcome, Reply, Step};
use crate::partition::{Accepted, AppendFailure};
use crate::protocol::messages::produce::{
    BatchIndexAndErrorMessage, LeaderIdAndEpoch, NodeEndpoint, PartitionProduceResponse, TopicProduceData,
    TopicProduceResponse,
};
use crate::protocol::messages::{ProduceRequest, ProduceResponse};
use crate::protocol::{ErrorCode, Records, Uuid};
use crate::runtime::ShardId;
use crate::runtime::sync::Receiver;
use crate::server::{AppendProgress, ProduceBatch, ProduceItem, ShardReply, ShardRequest, shard_gone};

/// Topics are named by id from this version on.
const IDS_FROM: i16 = 13;

/// The current leader is told from this version on (KIP-951).
const LEADERS_FROM: i16 = 10;

/// Who may write to internal topics all the same, as in Kafka.
const ADMIN_CLIENT: &str = "__admin_client";

/// Where a batch's result is found.
enum Place {
    /// Refused before it reached an owner.
    Refused(ErrorCode),
    /// The next result of this owner.
    Owner(ShardId),
}

struct TopicPlan {
    name: Arc<str>,
    id: Uuid,
    partitions: Vec<(i32, Place)>,
}

/// What is kept of a request while its batches are on their way.
struct Plan {
    topics: Vec<TopicPlan>,
    acks: i16,
}

type Results = BTreeMap<ShardId, std::vec::IntoIter<Result<Accepted, AppendFailure>>>;

/// The owners' parts of one request: one for most.
type Batches = Vec<(ShardId, ProduceBatch)>;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let (plan, batches) = match plan(&context, &body) {
        Ok(planned) => planned,
        Err(reason) => return Step::Done(Err(reason)),
    };
    drop(body);
    let mut mine = None;
    let mut theirs = Vec::new();
    for (owner, batch) in batches {
        if owner == context.shard.id {
            mine = Some(AppendProgress::new(batch));
        } else {
            theirs.push((owner, batch));
        }
    }
    let appended = mine.as_mut().is_none_or(|progress| progress.advance(&context.shard));
    if appended && theirs.is_empty() {
        return Step::Later(Box::pin(finish(context, plan, mine, Vec::new())));
    }
    Step::Dispatching(Box::pin(async move {
        let mut sent = Vec::with_capacity(theirs.len());
        for (owner, batch) in theirs {
            sent.push((owner, context.shard.port.send(owner, ShardRequest::Produce(batch)).await));
        }
        if let Some(progress) = mine.as_mut().filter(|_| !appended) {
            progress.finish(&context.shard).await;
        }
        Step::Later(Box::pin(finish(context, plan, mine, sent)))
    }))
}

fn plan(context: &RequestContext, body: &Bytes) -> Result<(Plan, Batches), CloseReason> {
    let request: ProduceRequest<'_> = context.decode(body)?;
    let image = context.shard.image();
    let refusal = refusal_of(&request);
    let mut batches: Batches = Vec::with_capacity(1);
    let topics = request
        .topic_data
        .iter()
        .map(|data| {
            let known = topic_of(context, &image, data);
            let name = known.as_ref().map_or_else(|_| data.name.into(), |topic| topic.name.clone());
            let id = known.as_ref().map_or(data.topic_id, |topic| topic.id);
            let partitions = data.partition_data.iter().map(|partition| {
                let place = match (refusal, &known) {
                    (Some(code), _) => Place::Refused(code),
                    (None, Err(code)) => Place::Refused(*code),
                    (None, Ok(topic)) => place(
                        context,
                        topic,
                        partition.index,
                        partition.records,
                        body,
                        &request,
                        &mut batches,
                    ),
                };
                (partition.index, place)
            });
            TopicPlan { partitions: partitions.collect(), name, id }
        })
        .collect();
    Ok((Plan { topics, acks: request.acks }, batches))
}

/// Why nothing of a request can be taken.
fn refusal_of(request: &ProduceRequest<'_>) -> Option<ErrorCode> {
    if request.transactional_id.is_some() {
        // No transactional producer can have been initialised.
        Some(ErrorCode::INVALID_PRODUCER_ID_MAPPING)
    } else if !(-1..=1).contains(&request.acks) {
        Some(ErrorCode::INVALID_REQUIRED_ACKS)
    } else {
        None
    }
}

fn topic_of<'i>(
    context: &RequestContext,
    image: &'i MetadataImage,
    data: &TopicProduceData<'_>,
) -> Result<&'i Arc<TopicImage>, ErrorCode> {
    if context.version >= IDS_FROM {
        image.topics.by_id(data.topic_id).ok_or(ErrorCode::UNKNOWN_TOPIC_ID)
    } else {
        image.topics.by_name(data.name).ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)
    }
}

fn place(
    context: &RequestContext,
    topic: &TopicImage,
    index: i32,
    records: Records<'_>,
    body: &Bytes,
    request: &ProduceRequest<'_>,
    batches: &mut Batches,
) -> Place {
    if is_internal(&topic.name) && context.client_id() != ADMIN_CLIENT {
        return Place::Refused(ErrorCode::INVALID_TOPIC_EXCEPTION);
    }
    if topic.partition(index).is_none() {
        return Place::Refused(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
    }
    let Some(records) = records.as_slice() else { return Place::Refused(ErrorCode::INVALID_RECORD) };
    let owner = context.shard.owners.owner(topic.id, index);
    let item = ProduceItem { topic_id: topic.id, partition: index, records: body.slice_ref(records) };
    match batches.iter_mut().find(|(shard, _)| *shard == owner) {
        Some((_, batch)) => batch.items.push(item),
        None => batches.push((
            owner,
            ProduceBatch { items: vec![item], produce_version: context.version, acks: request.acks },
        )),
    }
    Place::Owner(owner)
}

async fn finish(
    context: RequestContext,
    plan: Plan,
    mine: Option<AppendProgress>,
    theirs: Vec<(ShardId, Receiver<ShardReply>)>,
) -> Outcome {
    let mut results: Results = BTreeMap::new();
    if let Some(progress) = mine {
        results.insert(context.shard.id, progress.settle().await.into_iter());
    }
    for (owner, reply) in theirs {
        if let Some(ShardReply::Produced(produced)) = reply.await {
            results.insert(owner, produced.into_iter());
        }
    }
    let outcomes: Vec<Vec<(i32, Result<Accepted, AppendFailure>)>> = plan
        .topics
        .iter()
        .map(|topic| {
            let partitions = topic.partitions.iter().map(|(index, place)| {
                let result = match place {
                    Place::Refused(code) => Err((*code).into()),
                    Place::Owner(owner) => {
                        results.get_mut(owner).and_then(Iterator::next).unwrap_or_else(|| Err(shard_gone()))
                    }
                };
                (*index, result)
            });
            partitions.collect()
        })
        .collect();
    if plan.acks == 0 {
        // There is no reply to say it in: the client learns by the end of the connection, as in Kafka.
        let all_taken = outcomes.iter().flatten().all(|(_, result)| result.is_ok());
        return if all_taken { Ok(Reply::None) } else { Err(CloseReason::Unanswerable) };
    }
    respond(&context, &plan, &outcomes)
}

fn respond(
    context: &RequestContext,
    plan: &Plan,
    outcomes: &[Vec<(i32, Result<Accepted, AppendFailure>)>],
) -> Outcome {
    let image = context.shard.image();
    let mut wrong_leader = false;
    let responses = plan.topics.iter().zip(outcomes).map(|(topic, partitions)| {
        let partition_responses = partitions.iter().map(|(index, result)| match result {
            Ok(accepted) => PartitionProduceResponse {
                index: *index,
                base_offset: accepted.base_offset,
                log_append_time_ms: accepted.log_append_time_ms,
                log_start_offset: accepted.log_start_offset,
                ..Default::default()
            },
            Err(failure) => {
                let moved = context.version >= LEADERS_FROM
                    && matches!(
                        failure.code,
                        ErrorCode::NOT_LEADER_OR_FOLLOWER | ErrorCode::FENCED_LEADER_EPOCH
                    );
                wrong_leader |= moved;
                failed(*index, failure, moved.then(|| leader(&image, topic.id, *index)).flatten())
            }
        });
        TopicProduceResponse {
            name: &topic.name,
            topic_id: topic.id,
            partition_responses: partition_responses.collect(),
        }
    });
    let responses = responses.collect();
    let node_endpoints = if wrong_leader { endpoints(context, &image) } else { Vec::new() };
    context.respond(&ProduceResponse {
        responses,
        throttle_time_ms: context.throttle_time_ms,
        node_endpoints,
    })
}

fn failed(
    index: i32,
    failure: &AppendFailure,
    current_leader: Option<LeaderIdAndEpoch>,
) -> PartitionProduceResponse<'_> {
    PartitionProduceResponse {
        index,
        error_code: failure.code.into(),
        base_offset: -1,
        log_append_time_ms: -1,
        log_start_offset: -1,
        record_errors: failure
            .records
            .iter()
            .map(|(batch_index, message)| BatchIndexAndErrorMessage {
                batch_index: *batch_index,
                batch_index_error_message: Some(message),
            })
            .collect(),
        error_message: failure.message.as_deref(),
        current_leader: current_leader.unwrap_or_default(),
    }
}

fn leader(image: &MetadataImage, topic_id: Uuid, index: i32) -> Option<LeaderIdAndEpoch> {
    let partition = image.topics.by_id(topic_id)?.partition(index)?;
    Some(LeaderIdAndEpoch { leader_id: partition.leader, leader_epoch: partition.leader_epoch })
}

/// Where the leaders are (KIP-951).
fn endpoints<'i>(context: &'i RequestContext, image: &'i MetadataImage) -> Vec<NodeEndpoint<'i>> {
    super::topics::reachable(image, &context.connection.listener)
        .map(|(broker, endpoint)| NodeEndpoint {
            node_id: broker.id,
            host: &endpoint.host,
            port: i32::from(endpoint.port),
            rack: broker.rack.as_deref(),
        })
        .collect()
}
