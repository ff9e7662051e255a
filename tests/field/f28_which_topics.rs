//! F28: null asks for all topics and an empty list for none; topics are made only when broker and client want it.

use rdkafka::consumer::{BaseConsumer, Consumer};

use millrace::protocol::messages::describe_topic_partitions::TopicRequest;
use millrace::protocol::messages::metadata::MetadataRequestTopic;
use millrace::protocol::messages::{
    DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse, MetadataRequest, MetadataResponse,
};

use crate::broker::Broker;
use crate::client::{PATIENCE, create_topic, list_offset, settings, until};
use crate::raw::{Raw, batch};

const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
const INVALID_TOPIC_EXCEPTION: i16 = 17;

fn named<'a>(names: &[&'a str], create: bool) -> MetadataRequest<'a> {
    let topics = names.iter().map(|name| MetadataRequestTopic { name: Some(name), ..Default::default() });
    MetadataRequest {
        topics: Some(topics.collect()),
        allow_auto_topic_creation: create,
        ..Default::default()
    }
}

fn all(create: bool) -> MetadataRequest<'static> {
    MetadataRequest { topics: None, allow_auto_topic_creation: create, ..Default::default() }
}

/// Name and error code of each topic that is told, the broker's own left out.
fn told(client: &mut Raw, version: i16, request: &MetadataRequest<'_>) -> Vec<(String, i16)> {
    let response: MetadataResponse<'_> = client.ask(version, request);
    let theirs = response.topics.iter().filter(|topic| !topic.is_internal);
    let mut topics: Vec<(String, i16)> =
        theirs.map(|topic| (topic.name.unwrap_or_default().to_owned(), topic.error_code)).collect();
    topics.sort();
    topics
}

fn exists(client: &mut Raw, topic: &str) -> bool {
    told(client, 9, &all(false)).iter().any(|(name, _)| name == topic)
}

pub fn topics_are_made_only_when_asked_for(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f28-one", 1, &[]);
    for version in 1..=13 {
        // Before version 4 every request wants its topics made.
        let names = told(&mut client, version, &all(true));
        assert!(names.contains(&("f28-one".to_owned(), 0)), "version {version}");
        assert_eq!(told(&mut client, version, &named(&[], true)), [], "version {version}");
        if version >= 4 {
            let name = format!("f28-asked-{version}");
            let unknown = [(name.clone(), UNKNOWN_TOPIC_OR_PARTITION)];
            assert_eq!(told(&mut client, version, &named(&[&name], false)), unknown, "version {version}");
        }
    }
    // Version 0 cannot say null: there, empty is all.
    assert!(told(&mut client, 0, &named(&[], true)).contains(&("f28-one".to_owned(), 0)));
    // Names that no topic may have.
    let long = "x".repeat(250);
    for name in ["a b", ".", "..", "a/b", "ä", "", &long] {
        let expected = [(name.to_owned(), INVALID_TOPIC_EXCEPTION)];
        assert_eq!(told(&mut client, 9, &named(&[name], true)), expected, "{name:?}, to be made");
    }
    // Nor do others who name topics make them.
    assert_eq!(list_offset(&mut client, "f28-listed", 0, -1).0, UNKNOWN_TOPIC_OR_PARTITION);
    assert_eq!(client.produce(&[("f28-produced", 0, &batch(&[b"v"]))])[0].0, UNKNOWN_TOPIC_OR_PARTITION);
    let topics = vec![TopicRequest { name: "f28-described" }];
    let request =
        DescribeTopicPartitionsRequest { topics, response_partition_limit: 100, ..Default::default() };
    let response: DescribeTopicPartitionsResponse<'_> = client.ask(0, &request);
    assert_eq!(response.topics[0].error_code, UNKNOWN_TOPIC_OR_PARTITION);
    for name in ["f28-asked-4", "f28-asked-13", "f28-listed", "f28-produced", "f28-described", "a b"] {
        assert!(!exists(&mut client, name), "{name} was made");
    }
    // When it is wanted it is made, though the first answers may say that it is not there yet.
    until("a topic that is made", || {
        (told(&mut client, 9, &named(&["f28-made"], true)) == [("f28-made".to_owned(), 0)]).then_some(())
    });
    until("all of them tell it", || exists(&mut client, "f28-made").then_some(()));
}

#[test]
fn f28_topics_are_made_only_when_broker_and_client_want_it() {
    topics_are_made_only_when_asked_for(Broker::start(&[]).address());
    let broker = Broker::start(&["auto.create.topics.enable=false"]);
    let mut client = Raw::connect(broker.address());
    for version in 1..=13 {
        let unknown = [("asked".to_owned(), UNKNOWN_TOPIC_OR_PARTITION)];
        assert_eq!(told(&mut client, version, &named(&["asked"], true)), unknown);
    }
    assert_eq!(told(&mut client, 9, &all(true)), []);
}

#[test]
fn f28_an_empty_cluster_is_empty_and_a_reader_makes_nothing() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    assert_eq!(told(&mut client, 9, &all(true)), []);
    let consumer: BaseConsumer = settings(broker.address(), &[]).create().expect("a consumer");
    let metadata = consumer.fetch_metadata(None, PATIENCE).expect("all topics");
    assert_eq!(metadata.topics().len(), 0);
    // librdkafka's consumers say that they want nothing made.
    let metadata = consumer.fetch_metadata(Some("nope"), PATIENCE).expect("one topic");
    assert!(metadata.topics()[0].error().is_some());
    assert_eq!(told(&mut client, 9, &all(false)), []);
}
