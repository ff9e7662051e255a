//! F24 and F28: who the brokers are and which topics there are, as each listener's clients see it.

use millrace::protocol::decode_response;
use millrace::protocol::messages::metadata::MetadataRequestTopic;
use millrace::protocol::messages::{MetadataRequest, MetadataResponse};

use crate::broker::Broker;
use crate::raw::Raw;

fn named<'a>(names: &[&'a str], create: bool) -> MetadataRequest<'a> {
    let topics = names.iter().map(|name| MetadataRequestTopic { name: Some(name), ..Default::default() });
    MetadataRequest {
        topics: Some(topics.collect()),
        allow_auto_topic_creation: create,
        ..Default::default()
    }
}

fn topics(client: &mut Raw, version: i16, request: &MetadataRequest<'_>) -> Vec<(String, i16)> {
    let frame = client.call(version, request);
    let (_, response): (i32, MetadataResponse<'_>) = decode_response(&frame, version).expect("Metadata");
    let topics = response.topics.iter();
    topics.map(|topic| (topic.name.unwrap_or_default().to_owned(), topic.error_code)).collect()
}

#[test]
fn f28_null_is_all_and_empty_is_none() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("one", 1, &[]);
    let all = MetadataRequest { topics: None, ..Default::default() };
    assert_eq!(topics(&mut client, 9, &all), [("one".to_owned(), 0)]);
    assert_eq!(topics(&mut client, 9, &named(&[], true)), []);
    // Version 0 cannot say null: there, empty is all.
    assert_eq!(topics(&mut client, 0, &named(&[], true)), [("one".to_owned(), 0)]);
}

#[test]
fn f28_topics_are_made_only_when_broker_and_client_want_it() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    assert_eq!(topics(&mut client, 9, &named(&["asked"], false)), [("asked".to_owned(), 3)]);
    assert_eq!(topics(&mut client, 9, &named(&["a b"], true)), [("a b".to_owned(), 17)]);
    assert_eq!(topics(&mut client, 9, &named(&["made"], true)), [("made".to_owned(), 0)]);
    let all = MetadataRequest { topics: None, allow_auto_topic_creation: true, ..Default::default() };
    assert_eq!(topics(&mut client, 9, &all), [("made".to_owned(), 0)]);
    drop(client);
    let broker = Broker::start(&["auto.create.topics.enable=false"]);
    let mut client = Raw::connect(broker.address());
    assert_eq!(topics(&mut client, 9, &named(&["asked"], true)), [("asked".to_owned(), 3)]);
}

#[test]
fn f24_every_listener_has_the_same_node_and_its_own_port() {
    let broker = Broker::start(&[
        "listeners=PLAINTEXT://127.0.0.1:0,SECOND://[::1]:0",
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECOND:PLAINTEXT",
    ]);
    assert_eq!(broker.listeners.len(), 2);
    let mut nodes = Vec::new();
    for (name, address) in &broker.listeners {
        let mut client = Raw::connect(address);
        let frame = client.call(12, &named(&[], false));
        let (_, response): (i32, MetadataResponse<'_>) = decode_response(&frame, 12).expect("Metadata");
        let [only] = &response.brokers[..] else { panic!("{:?}", response.brokers) };
        let (host, port) = address.rsplit_once(':').expect("host:port");
        assert_eq!(only.host, host.trim_matches(['[', ']']), "{name}: no brackets on the wire");
        assert_eq!(only.port.to_string(), port, "{name}");
        nodes.push(only.node_id);
    }
    assert_eq!(nodes[0], nodes[1]);
}
