//! What most cases ask of a broker.

use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::Message;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::{Offset, TopicPartitionList};

use millrace::protocol::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use millrace::protocol::messages::{
    FindCoordinatorRequest, FindCoordinatorResponse, ListOffsetsRequest, ListOffsetsResponse,
};

use crate::raw::Raw;

/// How long anything may take that is waited for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Asks again until there is an answer.
pub fn until<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Error code, timestamp and offset that ListOffsets (version 10, or another) tells.
pub fn list_offset_at(
    version: i16,
    client: &mut Raw,
    topic: &str,
    partition: i32,
    timestamp: i64,
) -> (i16, i64, i64) {
    list_offset_isolated(version, client, topic, partition, timestamp, 0)
}

pub fn list_offset_isolated(
    version: i16,
    client: &mut Raw,
    topic: &str,
    partition: i32,
    timestamp: i64,
    isolation_level: i8,
) -> (i16, i64, i64) {
    let asked = ListOffsetsPartition { partition_index: partition, timestamp, ..Default::default() };
    let topics = vec![ListOffsetsTopic { name: topic, partitions: vec![asked] }];
    let request = ListOffsetsRequest { replica_id: -1, isolation_level, topics, ..Default::default() };
    let response: ListOffsetsResponse<'_> = client.ask(version, &request);
    let found = &response.topics[0].partitions[0];
    (found.error_code, found.timestamp, found.offset)
}

pub fn list_offset(client: &mut Raw, topic: &str, partition: i32, timestamp: i64) -> (i16, i64, i64) {
    list_offset_at(7, client, topic, partition, timestamp)
}

/// Makes a topic and waits until its partitions are served: Apache Kafka answers before that.
pub fn create_topic(client: &mut Raw, name: &str, partitions: i32, configs: &[(&str, &str)]) {
    client.create_topic(name, partitions, configs);
    for partition in 0..partitions {
        until("a partition that is served", || {
            (list_offset(client, name, partition, -1).0 == 0).then_some(())
        });
    }
}

/// Waits until a group has a coordinator: the first who asks has the topic of offsets made.
pub fn wait_for_coordinator(client: &mut Raw, group: &str) {
    let request = FindCoordinatorRequest { coordinator_keys: vec![group], key_type: 0, ..Default::default() };
    until("a coordinator", || {
        let response: FindCoordinatorResponse<'_> = client.ask(4, &request);
        (response.coordinators[0].error_code == 0).then_some(())
    });
}

/// librdkafka's settings for this broker.
pub fn settings(address: &str, pairs: &[(&str, &str)]) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", address);
    for (name, value) in pairs {
        config.set(*name, *value);
    }
    config
}

/// Sends values to one partition with librdkafka; all must be delivered.
pub fn produce_values(producer: &BaseProducer, topic: &str, partition: i32, values: &[&str]) {
    for value in values {
        let record = BaseRecord::<str, str>::to(topic).partition(partition).payload(*value);
        producer.send(record).map_err(|(error, _)| error).expect("queued");
    }
    producer.flush(PATIENCE).expect("delivered");
}

/// Reads partitions from their start with librdkafka until `count` records have come: partition, offset, value.
pub fn consume(
    config: &ClientConfig,
    topic: &str,
    partitions: &[i32],
    count: usize,
) -> Vec<(i32, i64, Vec<u8>)> {
    let mut config = config.clone();
    config.set("group.id", "reader").set("enable.auto.commit", "false");
    let consumer: BaseConsumer = config.create().expect("a consumer");
    let mut list = TopicPartitionList::new();
    for partition in partitions {
        list.add_partition_offset(topic, *partition, Offset::Beginning).expect("a start");
    }
    consumer.assign(&list).expect("assigned");
    let deadline = Instant::now() + PATIENCE;
    let mut read = Vec::new();
    while read.len() < count {
        assert!(Instant::now() < deadline, "{topic}: {} of {count} records came", read.len());
        if let Some(message) = consumer.poll(Duration::from_millis(100)) {
            let message = message.expect("a message");
            read.push((
                message.partition(),
                message.offset(),
                message.payload().unwrap_or_default().to_vec(),
            ));
        }
    }
    read
}
