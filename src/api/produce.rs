//! Produce (0). Split by owner, appended in the order of requests, answered when the flush has covered it.
//!
//! *Dispatched* when every owner has the batches in its order; *done* when all have answered. The frame is let go as soon
//! as the batches are in the log.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use smallvec::{SmallVec, smallvec};

use super::context::RequestContext;
use super::topics::is_internal;
use crate::controller::{MetadataImage, TopicImage};
use crate::net::{CloseReason, Outcome, Reply, Step};
use crate::partition::AppendFailure;
use crate::protocol::messages::produce::{
    BatchIndexAndErrorMessage, LeaderIdAndEpoch, NodeEndpoint, PartitionProduceResponse, TopicProduceData,
    TopicProduceResponse,
};
use crate::protocol::messages::{ProduceRequest, ProduceResponse};
use crate::protocol::{ErrorCode, Records, Uuid};
use crate::runtime::ShardId;
use crate::runtime::sync::Receiver;
use crate::server::{
    AppendProgress, ProduceBatch, ProduceItem, ProduceResults, Settling, ShardReply, ShardRequest, shard_gone,
};

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

/// A request has one topic and one partition most of the time: that needs no memory of its own.
struct TopicPlan {
    name: Arc<str>,
    id: Uuid,
    partitions: SmallVec<[(i32, Place); 1]>,
}

/// What is kept of a request while its batches are on their way.
struct Plan {
    topics: SmallVec<[TopicPlan; 1]>,
    acks: i16,
}

/// The owners' parts of one request: one for most.
type Batches = SmallVec<[(ShardId, ProduceBatch); 1]>;

/// What an owner makes of its part.
enum Part {
    /// Appended on this shard, not flushed yet.
    Here(Settling),
    /// On its way to another shard and back.
    There(Receiver<ShardReply>),
    /// Done: the results, the last one first.
    Done(ProduceResults),
}

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let (plan, batches) = match plan(&context, &body) {
        Ok(planned) => planned,
        Err(reason) => return Step::Done(Err(reason)),
    };
    drop(body);
    let mut parts = SmallVec::with_capacity(batches.len());
    let mut no_room = None;
    let mut queueing = Vec::new();
    for (owner, batch) in batches {
        if owner == context.shard.id {
            let mut progress = AppendProgress::new(batch);
            if progress.advance(&context.shard) {
                parts.push((owner, Part::Here(progress.settle())));
            } else {
                no_room = Some(progress);
            }
        } else {
            match context.shard.port.try_send(owner, ShardRequest::Produce(batch)) {
                Ok(reply) => parts.push((owner, Part::There(reply))),
                Err(request) => queueing.push((owner, request)),
            }
        }
    }
    if no_room.is_none() && queueing.is_empty() {
        return Step::Later(Box::pin(Produce { context, plan, parts }));
    }
    Step::Dispatching(Box::pin(async move {
        for (owner, request) in queueing {
            parts.push((owner, Part::There(context.shard.port.send(owner, request).await)));
        }
        if let Some(mut progress) = no_room {
            progress.finish(&context.shard).await;
            parts.push((context.shard.id, Part::Here(progress.settle())));
        }
        Step::Later(Box::pin(Produce { context, plan, parts }))
    }))
}

fn plan(context: &RequestContext, body: &Bytes) -> Result<(Plan, Batches), CloseReason> {
    let request: ProduceRequest<'_> = context.decode(body)?;
    let image = context.shard.image();
    let refusal = refusal_of(&request);
    let mut batches = Batches::new();
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
            ProduceBatch { items: smallvec![item], produce_version: context.version, acks: request.acks },
        )),
    }
    Place::Owner(owner)
}

/// A dispatched request: ends when all owners have answered.
struct Produce {
    context: RequestContext,
    plan: Plan,
    parts: SmallVec<[(ShardId, Part); 1]>,
}

impl Future for Produce {
    type Output = Outcome;
    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Outcome> {
        for (_, part) in &mut self.parts {
            let mut results = match part {
                Part::Here(settling) => ready!(Pin::new(settling).poll(task)),
                Part::There(reply) => match ready!(Pin::new(reply).poll(task)) {
                    Some(ShardReply::Produced(results)) => results,
                    _ => ProduceResults::new(),
                },
                Part::Done(_) => continue,
            };
            results.reverse();
            *part = Part::Done(results);
        }
        Poll::Ready(self.finish())
    }
}

impl Produce {
    fn finish(&mut self) -> Outcome {
        let mut next_of = |owner: ShardId| match self.parts.iter_mut().find(|(shard, _)| *shard == owner) {
            Some((_, Part::Done(results))) => results.pop(),
            _ => None,
        };
        let places = self.plan.topics.iter().flat_map(|topic| &topic.partitions);
        let results: ProduceResults = places
            .map(|(_, place)| match place {
                Place::Refused(code) => Err((*code).into()),
                Place::Owner(owner) => next_of(*owner).unwrap_or_else(|| Err(shard_gone())),
            })
            .collect();
        if self.plan.acks == 0 {
            // There is no reply to say it in: the client learns by the end of the connection, as in Kafka.
            let all_taken = results.iter().all(Result::is_ok);
            return if all_taken { Ok(Reply::None) } else { Err(CloseReason::Unanswerable) };
        }
        respond(&self.context, &self.plan, &results)
    }
}

/// The response; `results` are in the order of the plan's partitions.
fn respond(context: &RequestContext, plan: &Plan, results: &ProduceResults) -> Outcome {
    let image = context.shard.image();
    let mut wrong_leader = false;
    let mut results = results.iter();
    let responses = plan.topics.iter().map(|topic| {
        // In this order: a result is taken for each partition.
        let with_results = topic.partitions.iter().zip(results.by_ref());
        let partition_responses = with_results.map(|((index, _), result)| match result {
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
            .details
            .iter()
            .flat_map(|details| &details.records)
            .map(|(batch_index, message)| BatchIndexAndErrorMessage {
                batch_index: *batch_index,
                batch_index_error_message: Some(message),
            })
            .collect(),
        error_message: failure.details.as_ref().map(|details| details.message.as_str()),
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
