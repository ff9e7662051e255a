//! FindCoordinator (10): which broker keeps a group. The offsets topic is made when it is first asked for.

use bytes::Bytes;

use super::context::RequestContext;
use super::topics::{OFFSETS_TOPIC, reachable};
use crate::config::Value;
use crate::controller::{ControllerRequest, MetadataImage, NewTopic};
use crate::coordinator::partition_of_group;
use crate::net::{Outcome, Step};
use crate::protocol::ErrorCode;
use crate::protocol::messages::find_coordinator::Coordinator;
use crate::protocol::messages::{FindCoordinatorRequest, FindCoordinatorResponse};
use crate::server::Shard;

/// The key type of consumer groups.
const GROUP: i8 = 0;
/// Several keys in one request, from this version on (KIP-699).
const BATCHED_FROM: i16 = 4;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(find(context, body)))
}

fn int(shard: &Shard, key: &str) -> Option<i64> {
    match shard.config.value(key) {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// The offsets topic as the configuration wants it. One node has one replica of it, whatever is configured.
pub(super) fn offsets_topic(shard: &Shard) -> NewTopic {
    let brokers = shard.image().brokers.values().filter(|broker| !broker.fenced).count();
    let replicas = int(shard, "offsets.topic.replication.factor").unwrap_or(1).min(brokers as i64).max(1);
    let text = |key: &str, value: String| (key.to_owned(), Some(value));
    let segment_bytes = int(shard, "offsets.topic.segment.bytes").unwrap_or(100 << 20);
    NewTopic {
        name: OFFSETS_TOPIC.to_owned(),
        num_partitions: int(shard, "offsets.topic.num.partitions").unwrap_or(50) as i32,
        replication_factor: replicas as i16,
        configs: vec![
            text("cleanup.policy", "compact".into()),
            text("compression.type", "producer".into()),
            text("segment.bytes", segment_bytes.to_string()),
        ],
        ..NewTopic::default()
    }
}

/// Makes the offsets topic if it is not there.
async fn ensure_offsets_topic(context: &RequestContext) {
    if context.shard.image().topics.by_name(OFFSETS_TOPIC).is_none() {
        let topics = vec![offsets_topic(&context.shard)];
        let create = ControllerRequest::CreateTopics { topics, validate_only: false };
        let _ = context.shard.ask_controller(create).await;
    }
}

async fn find(context: RequestContext, body: Bytes) -> Outcome {
    let request: FindCoordinatorRequest<'_> = context.decode(&body)?;
    if request.key_type == GROUP {
        ensure_offsets_topic(&context).await;
    }
    let image = context.shard.image();
    let keys = if context.version >= BATCHED_FROM { request.coordinator_keys } else { vec![request.key] };
    let coordinators: Vec<Coordinator<'_>> =
        keys.into_iter().map(|key| coordinator(&context, &image, key, request.key_type)).collect();
    let mut response =
        FindCoordinatorResponse { throttle_time_ms: context.throttle_time_ms, ..Default::default() };
    if context.version >= BATCHED_FROM {
        response.coordinators = coordinators;
    } else if let Some(only) = coordinators.first() {
        response.error_code = only.error_code;
        response.error_message = only.error_message;
        response.node_id = only.node_id;
        response.host = only.host;
        response.port = only.port;
    }
    context.respond(&response)
}

fn coordinator<'r>(
    context: &'r RequestContext,
    image: &'r MetadataImage,
    key: &'r str,
    key_type: i8,
) -> Coordinator<'r> {
    let failed = |code: ErrorCode, message| Coordinator {
        key,
        node_id: -1,
        host: "",
        port: -1,
        error_code: code.into(),
        error_message: message,
    };
    match key_type {
        GROUP => {}
        1 => {
            return failed(
                ErrorCode::UNSUPPORTED_VERSION,
                Some("Transactions are not served by this version."),
            );
        }
        2 => {
            return failed(
                ErrorCode::UNSUPPORTED_VERSION,
                Some("Share groups are not served by this version."),
            );
        }
        _ => return failed(ErrorCode::INVALID_REQUEST, None),
    }
    let not_yet = || failed(ErrorCode::COORDINATOR_NOT_AVAILABLE, None);
    let Some(topic) = image.topics.by_name(OFFSETS_TOPIC) else { return not_yet() };
    let Some(partition) = topic.partition(partition_of_group(key, topic.partitions.len())) else {
        return not_yet();
    };
    let listener = &context.connection.listener;
    match reachable(image, listener).find(|(broker, _)| broker.id == partition.leader) {
        Some((broker, endpoint)) => Coordinator {
            key,
            node_id: broker.id,
            host: &endpoint.host,
            port: i32::from(endpoint.port),
            error_code: 0,
            error_message: None,
        },
        None => not_yet(),
    }
}
