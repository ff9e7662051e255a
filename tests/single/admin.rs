//! What administrators ask one node: resources with configs, producers, elections, reassignments, the quorum.

use millrace::protocol::messages::alter_partition_reassignments::{ReassignablePartition, ReassignableTopic};
use millrace::protocol::messages::describe_producers::TopicRequest;
use millrace::protocol::messages::elect_leaders::TopicPartitions;
use millrace::protocol::messages::list_partition_reassignments::ListPartitionReassignmentsTopics;
use millrace::protocol::messages::{
    AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse, DescribeProducersRequest,
    DescribeProducersResponse, DescribeQuorumRequest, DescribeQuorumResponse, ElectLeadersRequest,
    ElectLeadersResponse, ListConfigResourcesRequest, ListConfigResourcesResponse,
    ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse, describe_quorum,
};

use crate::broker::Broker;
use crate::idempotence::{init, sequenced};
use crate::raw::Raw;

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const BROKER_LOGGER: i8 = 8;
const NO_SUCH_PARTITION: &str = "This server does not host this topic-partition.";

fn resources(client: &mut Raw, version: i16, types: &[i8]) -> (i16, Vec<(i8, String)>) {
    let request = ListConfigResourcesRequest { resource_types: types.to_vec() };
    let response: ListConfigResourcesResponse<'_> = client.ask(version, &request);
    let found = response.config_resources.iter();
    (response.error_code, found.map(|r| (r.resource_type, r.resource_name.to_owned())).collect())
}

#[test]
fn resources_with_configs_are_listed_by_type() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("b", 1, &[]);
    client.create_topic("a", 1, &[]);
    let node = client.node_id().to_string();
    let (code, mut topics) = resources(&mut client, 1, &[TOPIC]);
    topics.sort();
    topics.retain(|(_, name)| !name.starts_with("__"));
    assert_eq!((code, topics), (0, vec![(TOPIC, "a".to_owned()), (TOPIC, "b".to_owned())]));
    let brokers = vec![(BROKER_LOGGER, node.clone()), (BROKER, node)];
    assert_eq!(resources(&mut client, 1, &[BROKER, BROKER_LOGGER]), (0, brokers.clone()));
    let (code, all) = resources(&mut client, 1, &[]);
    assert_eq!(code, 0);
    assert!(brokers.iter().all(|broker| all.contains(broker)) && all.contains(&(TOPIC, "a".to_owned())));
    // Version 0 asks for subscriptions to clients' metrics alone, and there is none.
    assert_eq!(resources(&mut client, 0, &[]), (0, vec![]));
    assert_eq!(resources(&mut client, 1, &[TOPIC, 3]), (35, vec![]), "UNSUPPORTED_VERSION");
}

#[test]
fn a_partition_tells_its_producers() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 2, &[]);
    let (_, id, epoch) = init(&mut client, None);
    let before = crate::raw::now_ms();
    assert_eq!(client.produce(&[("t", 1, &sequenced(id, epoch, 0, 3))]), [(0, 0)]);
    assert_eq!(client.produce(&[("t", 1, &sequenced(id, epoch, 3, 2))]), [(0, 3)]);
    let topics = vec![
        TopicRequest { name: "t", partition_indexes: vec![0, 1, 2] },
        TopicRequest { name: "nope", partition_indexes: vec![0] },
        TopicRequest { name: "no/topic", partition_indexes: vec![5] },
    ];
    let response: DescribeProducersResponse<'_> = client.ask(0, &DescribeProducersRequest { topics });
    let told: Vec<_> = response
        .topics
        .iter()
        .flat_map(|topic| topic.partitions.iter().map(|p| (topic.name, p.partition_index, p.error_code)))
        .collect();
    assert_eq!(told, [("t", 0, 0), ("t", 1, 0), ("t", 2, 3), ("nope", 0, 3), ("no/topic", 5, 17)]);
    let [t, nope, invalid] = response.topics.as_slice() else { panic!("three topics") };
    assert_eq!(t.partitions[0].active_producers, []);
    let [producer] = t.partitions[1].active_producers.as_slice() else { panic!("one producer") };
    assert_eq!((producer.producer_id, producer.producer_epoch), (id, i32::from(epoch)));
    assert_eq!((producer.last_sequence, producer.current_txn_start_offset), (4, -1));
    assert_eq!(producer.coordinator_epoch, -1);
    assert!((before..=crate::raw::now_ms()).contains(&producer.last_timestamp));
    assert_eq!(t.partitions[2].error_message, None);
    assert_eq!(nope.partitions[0].error_message, Some(NO_SUCH_PARTITION));
    assert!(invalid.partitions[0].error_message.is_some_and(|text| text.contains("no/topic")));
}

fn elect(
    client: &mut Raw,
    version: i16,
    election_type: i8,
    partitions: Option<&[(&'static str, &[i32])]>,
) -> (i16, Vec<(String, i32, i16, Option<&'static str>)>) {
    let asked = partitions.map(|partitions| {
        let each = partitions.iter();
        each.map(|(topic, partitions)| TopicPartitions { topic, partitions: partitions.to_vec() }).collect()
    });
    let request = ElectLeadersRequest { election_type, topic_partitions: asked, timeout_ms: 10_000 };
    let response: ElectLeadersResponse<'static> = client.ask(version, &request);
    let mut results = Vec::new();
    for topic in &response.replica_election_results {
        for result in &topic.partition_result {
            results.push((
                topic.topic.to_owned(),
                result.partition_id,
                result.error_code,
                result.error_message,
            ));
        }
    }
    (response.error_code, results)
}

#[test]
fn leaders_that_lead_need_no_election() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 2, &[]);
    let not_needed = Some("Leader election not needed for topic partition.");
    for (version, election_type) in [(0, 0), (1, 0), (2, 0), (2, 1)] {
        let asked: [(&str, &[i32]); 2] = [("t", &[1, 7]), ("nope", &[0])];
        let expected = vec![
            ("t".to_owned(), 1, 84, not_needed),
            ("t".to_owned(), 7, 3, Some("No such partition as t-7")),
            ("nope".to_owned(), 0, 3, Some("No such topic as nope")),
        ];
        assert_eq!(elect(&mut client, version, election_type, Some(&asked)), (0, expected), "v{version}");
    }
    // All partitions: those that need none are not told.
    assert_eq!(elect(&mut client, 2, 0, None), (0, vec![]));
    let (code, results) = elect(&mut client, 2, 5, Some(&[("t", &[0])]));
    assert_eq!((code, results[0].2), (42, 42), "INVALID_REQUEST for an unknown kind of election");
}

type Reassigned = (i16, Vec<(i32, i16, Option<&'static str>)>);

fn reassign(
    client: &mut Raw,
    topic: &str,
    partition: i32,
    replicas: Option<&[i32]>,
    grow: bool,
) -> Reassigned {
    let replicas = replicas.map(<[i32]>::to_vec);
    let partitions = vec![ReassignablePartition { partition_index: partition, replicas }];
    let request = AlterPartitionReassignmentsRequest {
        timeout_ms: 10_000,
        allow_replication_factor_change: grow,
        topics: vec![ReassignableTopic { name: topic, partitions }],
    };
    let response: AlterPartitionReassignmentsResponse<'static> = client.ask(1, &request);
    assert_eq!(response.allow_replication_factor_change, grow);
    assert_eq!(response.responses[0].name, topic);
    let results = response.responses[0].partitions.iter();
    (response.error_code, results.map(|p| (p.partition_index, p.error_code, p.error_message)).collect())
}

#[test]
fn replicas_stay_where_they_are_on_one_node() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let node = client.node_id();
    let mut of = |topic: &str, partition: i32, replicas: Option<&[i32]>, grow| {
        let (code, results) = reassign(&mut client, topic, partition, replicas, grow);
        assert_eq!((code, results.len(), results[0].0), (0, 1, partition));
        (results[0].1, results[0].2.unwrap_or_default().to_owned())
    };
    assert_eq!(of("t", 0, Some(&[node]), true), (0, String::new()));
    assert_eq!(of("t", 0, None, true), (85, String::new()));
    assert_eq!(of("t", 9, Some(&[node]), true), (3, "Unable to find partition t:9.".to_owned()));
    assert_eq!(of("nope", 0, None, true), (3, "Unable to find a topic named nope.".to_owned()));
    let invalid = |text: &str| (39, format!("The manual partition assignment includes {text}"));
    assert_eq!(of("t", 0, Some(&[]), true), invalid("an empty replica list."));
    assert_eq!(
        of("t", 0, Some(&[node + 1]), true),
        invalid(&format!("broker {}, but no such broker is registered.", node + 1))
    );
    assert_eq!(of("t", 0, Some(&[node, node]), true), invalid(&format!("the broker {node} more than once.")));
    assert_eq!(
        of("t", 0, Some(&[node, node]), false),
        invalid(&format!("the broker {node} more than once."))
    );
    assert_eq!(of("t", 0, Some(&[node]), false), (0, String::new()));
    for topics in [
        None,
        Some(vec![
            ListPartitionReassignmentsTopics { name: "t", partition_indexes: vec![0, 9] },
            ListPartitionReassignmentsTopics { name: "nope", partition_indexes: vec![0] },
        ]),
    ] {
        let request = ListPartitionReassignmentsRequest { timeout_ms: 10_000, topics };
        let response: ListPartitionReassignmentsResponse<'_> = client.ask(0, &request);
        assert_eq!((response.error_code, response.error_message), (0, None));
        assert_eq!(response.topics, []);
    }
}

fn quorum(
    client: &mut Raw,
    version: i16,
    topic_name: &str,
    partition_index: i32,
) -> DescribeQuorumResponse<'static> {
    let partitions = vec![describe_quorum::PartitionData { partition_index }];
    let topics = vec![describe_quorum::TopicData { topic_name, partitions }];
    client.ask(version, &DescribeQuorumRequest { topics })
}

#[test]
fn the_quorum_is_this_node() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let node = client.node_id();
    let mut last = 0;
    for version in 0..=2 {
        client.create_topic(&format!("t{version}"), 1, &[]);
        let before = crate::raw::now_ms();
        let response = quorum(&mut client, version, "__cluster_metadata", 0);
        assert_eq!((response.error_code, response.topics.len()), (0, 1));
        let partition = &response.topics[0].partitions[0];
        assert_eq!((partition.partition_index, partition.error_code), (0, 0));
        assert_eq!(partition.leader_id, node);
        assert!(partition.leader_epoch > 0);
        assert!(partition.high_watermark > last, "a topic more is metadata more");
        last = partition.high_watermark;
        assert_eq!(partition.observers, []);
        let [voter] = partition.current_voters.as_slice() else { panic!("one voter") };
        assert_eq!(voter.replica_id, node);
        assert!(voter.log_end_offset >= partition.high_watermark);
        if version >= 1 {
            assert!((before..=crate::raw::now_ms()).contains(&voter.last_fetch_timestamp));
            assert!((before..=crate::raw::now_ms()).contains(&voter.last_caught_up_timestamp));
        }
        assert_eq!(voter.replica_directory_id.is_zero(), version < 2);
        let nodes: Vec<i32> = response.nodes.iter().map(|node| node.node_id).collect();
        assert_eq!(nodes, if version < 2 { vec![] } else { vec![node] });
    }
    for (topic, index) in [("__cluster_metadata", 1), ("t0", 0)] {
        let response = quorum(&mut client, 2, topic, index);
        let partition = &response.topics[0].partitions[0];
        assert_eq!((response.error_code, response.topics[0].topic_name), (0, topic));
        assert_eq!((partition.partition_index, partition.error_code), (index, 3));
        assert_eq!(partition.error_message, Some(NO_SUCH_PARTITION));
    }
}
