//! The Fetch response: everything but the records, with holes where they belong.

use super::handle::IDS_FROM;
use super::session::{TopicKey, Wanted};
use crate::api::RequestContext;
use crate::controller::MetadataImage;
use crate::net::{Outcome, Part, Reply};
use crate::partition::FetchedPartition;
use crate::protocol::messages::FetchResponse;
use crate::protocol::messages::fetch::{
    AbortedTransaction, EpochEndOffset, FetchableTopicResponse, LeaderIdAndEpoch, NodeEndpoint, PartitionData,
};
use crate::protocol::{ErrorCode, Records, Uuid};

/// The current leader is told from this version on.
const LEADERS_FROM: i16 = 12;
/// Where leaders are is told from this version on (KIP-951).
const ENDPOINTS_FROM: i16 = 16;
/// "Read from the leader" (KIP-392).
const NO_PREFERRED_REPLICA: i32 = -1;

/// Answers the whole request with an error.
pub(super) fn respond_error(context: &RequestContext, code: ErrorCode) -> Outcome {
    let response = FetchResponse {
        throttle_time_ms: context.throttle_time_ms,
        error_code: code.into(),
        ..Default::default()
    };
    context.respond(&response)
}

/// Answers with what was read; `tell` says which partitions the client must hear of.
pub(super) fn respond(
    context: &RequestContext,
    image: &MetadataImage,
    session_id: i32,
    wanted: &[Wanted],
    fetched: Vec<FetchedPartition>,
    tell: &[bool],
) -> Outcome {
    let mut responses: Vec<FetchableTopicResponse<'_>> = Vec::new();
    let mut fillings: Vec<Vec<Part>> = Vec::new();
    let mut last: Option<&TopicKey> = None;
    let mut wrong_leader = false;
    for ((wanted, fetched), &tell) in wanted.iter().zip(fetched).zip(tell) {
        if !tell {
            continue;
        }
        wrong_leader |= context.version >= ENDPOINTS_FROM && fetched.current_leader.is_some();
        let (data, parts) = partition_data(context, wanted.partition, fetched);
        fillings.push(parts);
        match responses.last_mut() {
            Some(topic) if last == Some(&wanted.topic) => topic.partitions.push(data),
            _ => {
                let (topic, topic_id) = match &wanted.topic {
                    TopicKey::Id(id) => ("", *id),
                    TopicKey::Name(name) => (name.as_ref(), Uuid::ZERO),
                };
                responses.push(FetchableTopicResponse { topic, topic_id, partitions: vec![data] });
                last = Some(&wanted.topic);
            }
        }
    }
    let node_endpoints = if wrong_leader { endpoints(context, image) } else { Vec::new() };
    let response = FetchResponse {
        throttle_time_ms: context.throttle_time_ms,
        session_id,
        responses,
        node_endpoints,
        ..Default::default()
    };
    let (head, holes) = context.encode(&response)?;
    // A hole of no bytes is no hole.
    fillings.retain(|parts| !parts.is_empty());
    Ok(Reply::assemble(head, &holes, fillings))
}

fn partition_data(
    context: &RequestContext,
    partition: i32,
    fetched: FetchedPartition,
) -> (PartitionData<'static>, Vec<Part>) {
    let read_committed = !fetched.aborted.is_empty();
    let records = match u32::try_from(fetched.bytes) {
        Ok(0) | Err(_) => Records::Slice(&[]),
        Ok(bytes) => Records::Hole(bytes),
    };
    // Before version 13 a missing topic id cannot be told, and older clients do not know the code.
    let code = match fetched.code {
        ErrorCode::UNKNOWN_TOPIC_ID if context.version < IDS_FROM => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
        code => code,
    };
    let data = PartitionData {
        partition_index: partition,
        error_code: code.into(),
        high_watermark: fetched.high_watermark,
        last_stable_offset: fetched.last_stable_offset,
        log_start_offset: fetched.log_start_offset,
        diverging_epoch: fetched
            .diverging
            .map_or_else(EpochEndOffset::default, |(epoch, end_offset)| EpochEndOffset { epoch, end_offset }),
        current_leader: fetched.current_leader.filter(|_| context.version >= LEADERS_FROM).map_or_else(
            LeaderIdAndEpoch::default,
            |(leader_id, leader_epoch)| LeaderIdAndEpoch { leader_id, leader_epoch },
        ),
        aborted_transactions: read_committed.then(|| {
            let aborted = fetched.aborted.iter();
            aborted
                .map(|&(producer_id, first_offset)| AbortedTransaction { producer_id, first_offset })
                .collect()
        }),
        preferred_read_replica: NO_PREFERRED_REPLICA,
        records,
        ..Default::default()
    };
    (data, fetched.parts)
}

fn endpoints<'i>(context: &'i RequestContext, image: &'i MetadataImage) -> Vec<NodeEndpoint<'i>> {
    crate::api::topics::reachable(image, &context.connection.listener)
        .map(|(broker, endpoint)| NodeEndpoint {
            node_id: broker.id,
            host: &endpoint.host,
            port: i32::from(endpoint.port),
            rack: broker.rack.as_deref(),
        })
        .collect()
}
