//! What happens before a load: making the topic, and waiting until it can be used.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use millrace::protocol::messages::{
    CreatePartitionsRequest, CreatePartitionsResponse, CreateTopicsRequest, DeleteTopicsRequest,
    ListOffsetsRequest, ListOffsetsResponse, MetadataRequest, create_partitions, create_topics,
    delete_topics, list_offsets, metadata,
};
use millrace::protocol::{ErrorCode, Uuid, decode_response, encode_request};

use crate::cli::{Common, CreateOptions};
use crate::connection::Connection;
use crate::measure::{Report, Usage};

/// Partitions made by one request: Kafka's controller, like ours, refuses what takes more than 10,000 records.
const MADE_AT_ONCE: i32 = 5_000;

/// Versions used here; every broker since 2.4 serves them.
const CREATE_TOPICS: i16 = 5;
const CREATE_PARTITIONS: i16 = 3;
const DELETE_TOPICS: i16 = 4;
const LIST_OFFSETS: i16 = 4;
/// The first with topic ids.
const METADATA: i16 = 10;

/// How long a topic may take until it is described.
const READY_LIMIT: Duration = Duration::from_secs(120);

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Makes the topic unless it is there, and waits until every partition has a leader; gives its id.
pub fn ensure_topic(common: &Common) -> Result<Uuid, String> {
    make_topic(common.bootstrap, &common.topic, common.partitions, &BTreeMap::new())
}

/// [`ensure_topic`] with configs of the topic.
pub fn make_topic(
    address: SocketAddr,
    topic: &str,
    partitions: i32,
    configs: &BTreeMap<String, String>,
) -> Result<Uuid, String> {
    let mut connection = Connection::open(address).map_err(|e| format!("{address}: {e}"))?;
    let request = CreateTopicsRequest {
        topics: vec![create_topics::CreatableTopic {
            name: topic,
            num_partitions: partitions.min(MADE_AT_ONCE),
            replication_factor: 1,
            configs: configs
                .iter()
                .map(|(name, value)| create_topics::CreatableTopicConfig { name, value: Some(value) })
                .collect(),
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
    let mut count = MADE_AT_ONCE;
    while count < partitions {
        count = (count + MADE_AT_ONCE).min(partitions);
        grow(&mut connection, topic, count)?;
    }
    wait_until_led(&mut connection, topic, partitions)
}

/// Gives a topic more partitions, unless it has as many.
fn grow(connection: &mut Connection, topic: &str, count: i32) -> Result<(), String> {
    let request = CreatePartitionsRequest {
        topics: vec![create_partitions::CreatePartitionsTopic { name: topic, count, assignments: None }],
        timeout_ms: 60_000,
        validate_only: false,
    };
    let frame = encode_request(1, Some("millrace-perf"), CREATE_PARTITIONS, &request).map_err(text)?;
    let answer = connection.call(&frame).map_err(text)?;
    let (_, response) =
        decode_response::<CreatePartitionsResponse>(&answer, CREATE_PARTITIONS).map_err(text)?;
    for topic in &response.results {
        let code = ErrorCode(topic.error_code);
        // It is there with so many partitions, or more.
        if !code.is_none() && code != ErrorCode::INVALID_PARTITIONS {
            let message = topic.error_message.unwrap_or_default();
            return Err(format!("more partitions for {}: {} {message}", topic.name, code.name()));
        }
    }
    Ok(())
}

/// Waits until a topic's partitions have leaders that answer; gives its id.
pub fn wait_until_led(connection: &mut Connection, topic: &str, partitions: i32) -> Result<Uuid, String> {
    let started = Instant::now();
    loop {
        // A broker hears of what it leads after the metadata says it.
        if let Some(id) = described(connection, topic, partitions)?
            && led(connection, topic, partitions)?
        {
            return Ok(id);
        }
        if started.elapsed() > READY_LIMIT {
            return Err(format!("topic {topic} has no leaders after {} s", READY_LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether every partition's leader tells its first offset.
fn led(connection: &mut Connection, topic: &str, partitions: i32) -> Result<bool, String> {
    let partition = |partition_index| list_offsets::ListOffsetsPartition {
        partition_index,
        current_leader_epoch: -1,
        timestamp: -2,
        ..Default::default()
    };
    let request = ListOffsetsRequest {
        replica_id: -1,
        topics: vec![list_offsets::ListOffsetsTopic {
            name: topic,
            partitions: (0..partitions).map(partition).collect(),
        }],
        ..Default::default()
    };
    let frame = encode_request(4, Some("millrace-perf"), LIST_OFFSETS, &request).map_err(text)?;
    let answer = connection.call(&frame).map_err(text)?;
    let (_, response) = decode_response::<ListOffsetsResponse>(&answer, LIST_OFFSETS).map_err(text)?;
    let mut answers = response.topics.iter().flat_map(|topic| &topic.partitions);
    Ok(answers.all(|partition| partition.error_code == 0))
}

/// Deletes a topic; what the broker says is not looked at.
pub fn delete_topic(address: SocketAddr, topic: &str) -> Result<(), String> {
    let mut connection = Connection::open(address).map_err(text)?;
    let request = DeleteTopicsRequest {
        topic_names: vec![topic],
        timeout_ms: 60_000,
        topics: Vec::<delete_topics::DeleteTopicState>::new(),
    };
    let frame = encode_request(3, Some("millrace-perf"), DELETE_TOPICS, &request).map_err(text)?;
    connection.call(&frame).map_err(text).map(drop)
}

/// The topic's id when all partitions are there with a leader.
fn described(connection: &mut Connection, topic: &str, partitions: i32) -> Result<Option<Uuid>, String> {
    let request = MetadataRequest {
        topics: Some(vec![metadata::MetadataRequestTopic { name: Some(topic), ..Default::default() }]),
        allow_auto_topic_creation: false,
        ..Default::default()
    };
    let frame = encode_request(2, Some("millrace-perf"), METADATA, &request).map_err(text)?;
    let answer = connection.call(&frame).map_err(text)?;
    let (_, response) =
        decode_response::<millrace::protocol::messages::MetadataResponse>(&answer, METADATA).map_err(text)?;
    let Some(found) = response.topics.first() else { return Ok(None) };
    let there = found.partitions.len() as i32;
    if found.error_code == 0 && there > 0 && there < partitions {
        return Err(format!("topic {topic} has {there} partitions, not {partitions}"));
    }
    let ready = found.error_code == 0
        && there >= partitions
        && found.partitions.iter().all(|partition| partition.error_code == 0 && partition.leader_id >= 0);
    Ok(ready.then_some(found.topic_id))
}

/// `create-topics`: how long until the topic's partitions are described.
pub fn run_create(common: &Common, options: &CreateOptions) -> Result<Report, String> {
    let before = Usage::now(common);
    ensure_topic(common)?;
    let report = Report::of("create-topics", common, &before, common.partitions as u64, 0);
    if options.delete {
        delete_topic(common.bootstrap, &common.topic)?;
    }
    Ok(report)
}
