//! What happens before a load: making the topic, and waiting until it can be used.

use std::time::{Duration, Instant};

use millrace::protocol::messages::{
    CreateTopicsRequest, DeleteTopicsRequest, MetadataRequest, create_topics, delete_topics, metadata,
};
use millrace::protocol::{ErrorCode, Uuid, decode_response, encode_request};

use crate::cli::{Common, CreateOptions};
use crate::connection::Connection;
use crate::measure::{Report, Usage};

/// Versions used here; every broker since 2.4 serves them.
const CREATE_TOPICS: i16 = 5;
const DELETE_TOPICS: i16 = 4;
/// The first with topic ids.
const METADATA: i16 = 10;

/// How long a topic may take until it is described.
const READY_LIMIT: Duration = Duration::from_secs(120);

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Makes the topic unless it is there, and waits until every partition has a leader; gives its id.
pub fn ensure_topic(common: &Common) -> Result<Uuid, String> {
    let mut connection =
        Connection::open(common.bootstrap).map_err(|e| format!("{}: {e}", common.bootstrap))?;
    let request = CreateTopicsRequest {
        topics: vec![create_topics::CreatableTopic {
            name: &common.topic,
            num_partitions: common.partitions,
            replication_factor: 1,
            ..Default::default()
        }],
        timeout_ms: 60_000,
        validate_only: false,
    };
    let frame = encode_request(1, Some("millrace-perf"), CREATE_TOPICS, &request).map_err(text)?;
    let answer = connection.call(&frame).map_err(text)?;
    let (_, response) =
        decode_response::<millrace::protocol::messages::CreateTopicsResponse>(&answer, CREATE_TOPICS)
            .map_err(text)?;
    for topic in &response.topics {
        let code = ErrorCode(topic.error_code);
        if !code.is_none() && code != ErrorCode::TOPIC_ALREADY_EXISTS {
            return Err(format!("making topic {}: {} {:?}", topic.name, code.name(), topic.error_message));
        }
    }
    let started = Instant::now();
    loop {
        if let Some(id) = described(&mut connection, common)? {
            return Ok(id);
        }
        if started.elapsed() > READY_LIMIT {
            return Err(format!("topic {} has no leaders after {} s", common.topic, READY_LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The topic's id when all partitions are there with a leader.
fn described(connection: &mut Connection, common: &Common) -> Result<Option<Uuid>, String> {
    let request = MetadataRequest {
        topics: Some(vec![metadata::MetadataRequestTopic {
            name: Some(&common.topic),
            ..Default::default()
        }]),
        allow_auto_topic_creation: false,
        ..Default::default()
    };
    let frame = encode_request(2, Some("millrace-perf"), METADATA, &request).map_err(text)?;
    let answer = connection.call(&frame).map_err(text)?;
    let (_, response) =
        decode_response::<millrace::protocol::messages::MetadataResponse>(&answer, METADATA).map_err(text)?;
    let Some(topic) = response.topics.first() else { return Ok(None) };
    let partitions = topic.partitions.len() as i32;
    if topic.error_code == 0 && partitions > 0 && partitions < common.partitions {
        return Err(format!("topic {} has {partitions} partitions, not {}", common.topic, common.partitions));
    }
    let ready = topic.error_code == 0
        && partitions >= common.partitions
        && topic.partitions.iter().all(|partition| partition.error_code == 0 && partition.leader_id >= 0);
    Ok(ready.then_some(topic.topic_id))
}

/// `create-topics`: how long until the topic's partitions are described.
pub fn run_create(common: &Common, options: &CreateOptions) -> Result<Report, String> {
    let before = Usage::now(common);
    ensure_topic(common)?;
    let report = Report::of("create-topics", common, &before, common.partitions as u64, 0);
    if options.delete {
        let mut connection = Connection::open(common.bootstrap).map_err(text)?;
        let request = DeleteTopicsRequest {
            topic_names: vec![&common.topic],
            timeout_ms: 60_000,
            topics: Vec::<delete_topics::DeleteTopicState>::new(),
        };
        let frame = encode_request(3, Some("millrace-perf"), DELETE_TOPICS, &request).map_err(text)?;
        connection.call(&frame).map_err(text)?;
    }
    Ok(report)
}
