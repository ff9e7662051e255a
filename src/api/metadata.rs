//! Metadata (3): brokers, topics, partitions, as the client's listener sees them (F24, F28).

use std::collections::BTreeSet;
use std::rc::Rc;

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::{
    CLUSTER_OPERATIONS, NO_OPERATIONS, OFFSETS_TOPIC, TOPIC_OPERATIONS, is_internal, is_valid_name,
    leader_of, offline_replicas, reachable,
};
use crate::controller::{ControllerRequest, MetadataImage, NewTopic, TopicImage};
use crate::net::{CloseReason, Outcome, Step};
use crate::protocol::messages::metadata::{
    MetadataRequestTopic, MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic,
};
use crate::protocol::messages::{MetadataRequest, MetadataResponse};
use crate::protocol::{ErrorCode, Uuid};

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: MetadataRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    let image = context.shard.image();
    let to_create = topics_to_create(&context, &request, &image);
    if to_create.is_empty() {
        return Step::Done(respond(&context, &request, &image));
    }
    Step::Later(Box::pin(async move {
        // The reply waits until the topics are there: clients then need no second round, and old ones that know no
        // second round work too.
        for topic in to_create {
            let create = ControllerRequest::CreateTopics { topics: vec![topic], validate_only: false };
            let _ = context.shard.ask_controller(create).await;
        }
        let request: MetadataRequest<'_> = context.decode(&body)?;
        let image = context.shard.image();
        respond(&context, &request, &image)
    }))
}

/// Null asks for all topics; before version 1, where null cannot be said, the empty list does.
fn asks_all(context: &RequestContext, request: &MetadataRequest<'_>) -> bool {
    match &request.topics {
        None => true,
        Some(topics) => context.version == 0 && topics.is_empty(),
    }
}

/// Topics that are made because they were named: only when the broker and the client allow it, never from "all".
fn topics_to_create(
    context: &RequestContext,
    request: &MetadataRequest<'_>,
    image: &MetadataImage,
) -> Vec<NewTopic> {
    // Before version 4 the request had no say.
    let allowed = request.allow_auto_topic_creation || context.version < 4;
    if !allowed || !context.shard.config.topics.auto_create || asks_all(context, request) {
        return Vec::new();
    }
    let names: BTreeSet<&str> = request.topics.iter().flatten().filter_map(|topic| topic.name).collect();
    names
        .into_iter()
        .filter(|name| is_valid_name(name) && image.topics.by_name(name).is_none())
        .map(|name| match name {
            OFFSETS_TOPIC => super::find_coordinator::offsets_topic(&context.shard),
            name => NewTopic {
                name: name.to_owned(),
                num_partitions: -1,
                replication_factor: -1,
                ..NewTopic::default()
            },
        })
        .collect()
}

fn respond(context: &RequestContext, request: &MetadataRequest<'_>, image: &Rc<MetadataImage>) -> Outcome {
    let topics = if asks_all(context, request) {
        image.topics.iter().map(|topic| describe(context, request, image, topic)).collect()
    } else {
        let asked = request.topics.iter().flatten();
        asked.map(|topic| describe_asked(context, request, image, topic)).collect::<Result<_, _>>()?
    };
    let operations = |asked: bool, all: i32| if asked { all } else { NO_OPERATIONS };
    let response = MetadataResponse {
        throttle_time_ms: context.throttle_time_ms,
        brokers: reachable(image, &context.connection.listener)
            .map(|(broker, endpoint)| MetadataResponseBroker {
                node_id: broker.id,
                host: &endpoint.host,
                port: i32::from(endpoint.port),
                rack: broker.rack.as_deref(),
            })
            .collect(),
        cluster_id: Some(&image.cluster_id),
        controller_id: image.controller_id,
        topics,
        cluster_authorized_operations: operations(
            request.include_cluster_authorized_operations,
            CLUSTER_OPERATIONS,
        ),
        ..Default::default()
    };
    context.respond(&response)
}

fn describe_asked<'r>(
    context: &RequestContext,
    request: &MetadataRequest<'r>,
    image: &'r MetadataImage,
    asked: &MetadataRequestTopic<'r>,
) -> Result<MetadataResponseTopic<'r>, CloseReason> {
    let missing = |name, topic_id, code: ErrorCode| MetadataResponseTopic {
        error_code: code.into(),
        name,
        topic_id,
        is_internal: name.is_some_and(is_internal),
        topic_authorized_operations: NO_OPERATIONS,
        ..Default::default()
    };
    Ok(match asked.name {
        // A name that is missing asks by id; only versions that carry ids may do so.
        None if asked.topic_id == Uuid::ZERO || context.version < 10 => {
            return Err(CloseReason::Malformed("a topic without name and id".into()));
        }
        None => match image.topics.by_id(asked.topic_id) {
            Some(topic) => describe(context, request, image, topic),
            None => missing(None, asked.topic_id, ErrorCode::UNKNOWN_TOPIC_ID),
        },
        Some(name) => match image.topics.by_name(name) {
            Some(topic) => describe(context, request, image, topic),
            None if is_valid_name(name) => {
                missing(Some(name), Uuid::ZERO, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)
            }
            None => missing(Some(name), Uuid::ZERO, ErrorCode::INVALID_TOPIC_EXCEPTION),
        },
    })
}

fn describe<'r>(
    context: &RequestContext,
    request: &MetadataRequest<'_>,
    image: &MetadataImage,
    topic: &'r TopicImage,
) -> MetadataResponseTopic<'r> {
    let partitions = topic.partitions.iter().enumerate().map(|(index, partition)| {
        let (leader_id, code) = leader_of(image, &context.connection.listener, partition);
        MetadataResponsePartition {
            error_code: code.into(),
            partition_index: index as i32,
            leader_id,
            leader_epoch: partition.leader_epoch,
            replica_nodes: partition.replicas.to_vec(),
            isr_nodes: partition.isr.to_vec(),
            offline_replicas: offline_replicas(image, partition),
        }
    });
    MetadataResponseTopic {
        error_code: 0,
        name: Some(&topic.name),
        topic_id: topic.id,
        is_internal: is_internal(&topic.name),
        partitions: partitions.collect(),
        topic_authorized_operations: if request.include_topic_authorized_operations {
            TOPIC_OPERATIONS
        } else {
            NO_OPERATIONS
        },
    }
}
