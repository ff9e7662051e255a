//! OffsetDelete: a group forgets offsets of what it does not read.

use std::time::{Duration, Instant};

use millrace::protocol::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};
use millrace::protocol::messages::offset_delete::{OffsetDeleteRequestPartition, OffsetDeleteRequestTopic};
use millrace::protocol::messages::offset_fetch::{OffsetFetchRequestGroup, OffsetFetchRequestTopics};
use millrace::protocol::messages::{
    FindCoordinatorRequest, FindCoordinatorResponse, OffsetCommitRequest, OffsetCommitResponse,
    OffsetDeleteRequest, OffsetDeleteResponse, OffsetFetchRequest, OffsetFetchResponse,
};
use rdkafka::consumer::Consumer;

use crate::broker::Broker;
use crate::groups::{QUICK, member};
use crate::raw::Raw;

const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
const INVALID_GROUP_ID: i16 = 24;
const GROUP_ID_NOT_FOUND: i16 = 69;
const GROUP_SUBSCRIBED_TO_TOPIC: i16 = 86;

/// Waits until the group's coordinator serves.
fn wait_for_coordinator(client: &mut Raw, group: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let request = FindCoordinatorRequest { coordinator_keys: vec![group], ..Default::default() };
        let response: FindCoordinatorResponse<'_> = client.ask(4, &request);
        let found = response.coordinators[0].error_code == 0;
        if found && ![14, 15, 16].contains(&delete(client, group, &[]).0) {
            return;
        }
        assert!(Instant::now() < deadline, "no coordinator");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn commit(client: &mut Raw, group: &str, topic: &str, partitions: &[i32]) {
    let partitions = partitions.iter().map(|&partition_index| OffsetCommitRequestPartition {
        partition_index,
        committed_offset: i64::from(partition_index) + 10,
        ..Default::default()
    });
    let topics = vec![OffsetCommitRequestTopic {
        name: topic,
        partitions: partitions.collect(),
        ..Default::default()
    }];
    let request = OffsetCommitRequest {
        group_id: group,
        generation_id_or_member_epoch: -1,
        topics,
        ..Default::default()
    };
    let response: OffsetCommitResponse<'_> = client.ask(8, &request);
    assert!(response.topics[0].partitions.iter().all(|partition| partition.error_code == 0));
}

fn committed(client: &mut Raw, group: &str, topic: &str, partitions: &[i32]) -> Vec<i64> {
    let topics = vec![OffsetFetchRequestTopics {
        name: topic,
        partition_indexes: partitions.to_vec(),
        ..Default::default()
    }];
    let group = OffsetFetchRequestGroup { group_id: group, topics: Some(topics), ..Default::default() };
    let request = OffsetFetchRequest { groups: vec![group], ..Default::default() };
    let response: OffsetFetchResponse<'_> = client.ask(8, &request);
    response.groups[0].topics[0].partitions.iter().map(|partition| partition.committed_offset).collect()
}

fn delete(client: &mut Raw, group: &str, topics: &[(&str, &[i32])]) -> (i16, Vec<(String, i32, i16)>) {
    let topics = topics.iter().map(|(name, partitions)| OffsetDeleteRequestTopic {
        name,
        partitions: partitions
            .iter()
            .map(|&partition_index| OffsetDeleteRequestPartition { partition_index })
            .collect(),
    });
    let request = OffsetDeleteRequest { group_id: group, topics: topics.collect() };
    let response: OffsetDeleteResponse<'_> = client.ask(0, &request);
    let mut results: Vec<_> = response
        .topics
        .iter()
        .flat_map(|t| t.partitions.iter().map(|p| (t.name.to_owned(), p.partition_index, p.error_code)))
        .collect();
    results.sort();
    (response.error_code, results)
}

#[test]
fn a_group_without_members_forgets_what_it_is_told_to() {
    let broker = Broker::start(&[QUICK]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 3, &[]);
    wait_for_coordinator(&mut client, "forgetful");
    commit(&mut client, "forgetful", "t", &[0, 1, 2]);
    assert_eq!(committed(&mut client, "forgetful", "t", &[0, 1, 2]), [10, 11, 12]);
    let results = delete(&mut client, "forgetful", &[("t", &[0, 2, 9]), ("nope", &[0])]);
    let expected = vec![
        ("nope".to_owned(), 0, UNKNOWN_TOPIC_OR_PARTITION),
        ("t".to_owned(), 0, 0),
        ("t".to_owned(), 2, 0),
        ("t".to_owned(), 9, UNKNOWN_TOPIC_OR_PARTITION),
    ];
    assert_eq!(results, (0, expected));
    assert_eq!(committed(&mut client, "forgetful", "t", &[0, 1, 2]), [-1, 11, -1]);
    // What is not there is deleted as well as it can be.
    assert_eq!(delete(&mut client, "forgetful", &[("t", &[0])]), (0, vec![("t".to_owned(), 0, 0)]));
    assert_eq!(delete(&mut client, "no-such-group", &[("t", &[0])]), (GROUP_ID_NOT_FOUND, vec![]));
    assert_eq!(delete(&mut client, "", &[("t", &[0])]), (INVALID_GROUP_ID, vec![]));
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        return;
    }
    let broker = Broker::again(broker.kill());
    let mut client = Raw::connect(broker.address());
    wait_for_coordinator(&mut client, "forgetful");
    assert_eq!(committed(&mut client, "forgetful", "t", &[0, 1, 2]), [-1, 11, -1]);
}

#[test]
fn what_members_read_is_not_forgotten() {
    let broker = Broker::start(&[QUICK]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("read", 1, &[]);
    client.create_topic("left", 1, &[]);
    wait_for_coordinator(&mut client, "readers");
    commit(&mut client, "readers", "read", &[0]);
    commit(&mut client, "readers", "left", &[0]);
    let consumer = member(&broker, "readers", "read");
    let deadline = Instant::now() + Duration::from_secs(20);
    while consumer.assignment().expect("an assignment").count() == 0 {
        assert!(Instant::now() < deadline, "no assignment");
        let _ = consumer.poll(Duration::from_millis(50));
    }
    let results = delete(&mut client, "readers", &[("read", &[0]), ("left", &[0])]);
    let expected = vec![("left".to_owned(), 0, 0), ("read".to_owned(), 0, GROUP_SUBSCRIBED_TO_TOPIC)];
    assert_eq!(results, (0, expected));
    assert_eq!(committed(&mut client, "readers", "left", &[0]), [-1]);
    assert_eq!(committed(&mut client, "readers", "read", &[0]), [10]);
}
