//! Groups with librdkafka: members share partitions, offsets are kept, also over a restart.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use millrace::protocol::messages::{DeleteGroupsRequest, DeleteGroupsResponse, OffsetCommitResponse};
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::message::Message;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};

use crate::broker::Broker;
use crate::raw::{Raw, offset_commit};

pub const QUICK: &str = "group.initial.rebalance.delay.ms=0";

fn produce(broker: &Broker, topic: &str, values: std::ops::Range<u32>) {
    let producer: BaseProducer =
        ClientConfig::new().set("bootstrap.servers", broker.address()).create().expect("a producer");
    for value in values {
        let (key, value) = (value.to_string(), value.to_string());
        producer.send(BaseRecord::to(topic).key(&key).payload(&value)).expect("queued");
    }
    producer.flush(Duration::from_secs(10)).expect("delivered");
}

pub fn member(broker: &Broker, group: &str, topic: &str) -> BaseConsumer {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", broker.address())
        .set("group.id", group)
        .set("auto.offset.reset", "earliest")
        .set("enable.auto.commit", "false")
        .create()
        .expect("a consumer");
    consumer.subscribe(&[topic]).expect("subscribed");
    consumer
}

/// Reads until `count` values are there.
fn read(consumers: &[&BaseConsumer], count: usize) -> BTreeSet<u32> {
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut values = BTreeSet::new();
    while values.len() < count {
        assert!(Instant::now() < deadline, "only {} of {count} came", values.len());
        for consumer in consumers {
            if let Some(message) = consumer.poll(Duration::from_millis(20)) {
                let message = message.expect("a message");
                let text = std::str::from_utf8(message.payload().expect("a value")).expect("text");
                values.insert(text.parse().expect("a number"));
            }
        }
    }
    values
}

#[test]
fn a_group_goes_on_where_it_has_committed() {
    let broker = Broker::start(&[QUICK]);
    Raw::connect(broker.address()).create_topic("t", 3, &[]);
    produce(&broker, "t", 0..100);
    let first = member(&broker, "g", "t");
    assert_eq!(read(&[&first], 100).len(), 100);
    first.commit_consumer_state(CommitMode::Sync).expect("committed");
    drop(first);
    produce(&broker, "t", 100..150);
    let second = member(&broker, "g", "t");
    assert_eq!(read(&[&second], 50), (100..150).collect());
}

#[test]
fn two_members_share_the_partitions() {
    let broker = Broker::start(&[QUICK]);
    Raw::connect(broker.address()).create_topic("t", 4, &[]);
    let members = [member(&broker, "g", "t"), member(&broker, "g", "t")];
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let counts: Vec<usize> = members
            .iter()
            .map(|member| {
                let _ = member.poll(Duration::from_millis(50));
                member.assignment().expect("an assignment").count()
            })
            .collect();
        if counts == [2, 2] {
            break;
        }
        assert!(Instant::now() < deadline, "{counts:?}");
    }
    produce(&broker, "t", 0..40);
    assert_eq!(read(&[&members[0], &members[1]], 40).len(), 40);
}

#[test]
fn records_and_offsets_outlive_a_stop_and_a_kill() {
    let broker = Broker::start(&[QUICK]);
    Raw::connect(broker.address()).create_topic("t", 2, &[]);
    produce(&broker, "t", 0..20);
    let consumer = member(&broker, "g", "t");
    assert_eq!(read(&[&consumer], 20).len(), 20);
    consumer.commit_consumer_state(CommitMode::Sync).expect("committed");
    drop(consumer);
    let broker = Broker::again(broker.stop());
    produce(&broker, "t", 20..30);
    let consumer = member(&broker, "g", "t");
    assert_eq!(read(&[&consumer], 10), (20..30).collect());
    consumer.commit_consumer_state(CommitMode::Sync).expect("committed");
    drop(consumer);
    let broker = Broker::again(broker.kill());
    produce(&broker, "t", 30..35);
    let consumer = member(&broker, "g", "t");
    assert_eq!(read(&[&consumer], 5), (30..35).collect());
}

fn committed(client: &mut Raw, group: &str) -> Vec<i64> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        match client.committed(group, "t", &[0, 1]) {
            Ok(offsets) => return offsets,
            Err(code) => assert!(Instant::now() < deadline, "{group}: {code}"),
        }
    }
}

/// Sockets close in the middle of commits, and groups are deleted meanwhile. Deletions end, and what is in memory is what
/// is in the log.
#[test]
fn commits_given_up_half_way_leave_memory_and_log_the_same() {
    const GROUP_ID_NOT_FOUND: i16 = 69;
    let broker = Broker::start(&[QUICK]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 2, &[]);
    // Makes the topic of offsets.
    produce(&broker, "t", 0..1);
    let reader = member(&broker, "reader", "t");
    read(&[&reader], 1);
    drop(reader);
    let groups: Vec<String> = (0..8).map(|number| format!("g{number}")).collect();
    for round in 0..300 {
        let group = &groups[round % groups.len()];
        let mut other = Raw::connect(broker.address());
        other.send(4, &offset_commit(group, "t", 0, round as i64));
        if round % 3 == 0 {
            other.receive().expect("an answer");
        }
        drop(other);
        if round % 5 < 2 {
            let request = DeleteGroupsRequest { groups_names: vec![group] };
            let response: DeleteGroupsResponse<'_> = client.ask(1, &request);
            let code = response.results[0].error_code;
            assert!(code == 0 || code == GROUP_ID_NOT_FOUND, "{group}: {code}");
        }
    }
    let before: Vec<Vec<i64>> = groups
        .iter()
        .map(|group| {
            // Behind all that is on its way.
            let response: OffsetCommitResponse<'_> = client.ask(4, &offset_commit(group, "t", 1, 7));
            assert_eq!(response.topics[0].partitions[0].error_code, 0);
            committed(&mut client, group)
        })
        .collect();
    let broker = Broker::again(broker.kill());
    let mut client = Raw::connect(broker.address());
    let after: Vec<Vec<i64>> = groups.iter().map(|group| committed(&mut client, group)).collect();
    assert_eq!(before, after);
}
