//! F24: several listeners, IPv6 among them: the same broker, each with the address that its clients reach.

use rdkafka::producer::BaseProducer;

use millrace::protocol::messages::{
    DescribeClusterRequest, DescribeClusterResponse, FindCoordinatorRequest, FindCoordinatorResponse,
    MetadataRequest, MetadataResponse,
};

use crate::broker::Broker;
use crate::client::{consume, create_topic, produce_values, settings};
use crate::raw::Raw;

const MAP: &str = "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECOND:PLAINTEXT,THIRD:PLAINTEXT";

/// Node id, host and port that each kind of answer tells.
fn told(client: &mut Raw) -> Vec<(i32, String, i32)> {
    let metadata: MetadataResponse<'_> =
        client.ask(12, &MetadataRequest { topics: Some(Vec::new()), ..Default::default() });
    let [broker] = &metadata.brokers[..] else { panic!("{:?}", metadata.brokers) };
    assert_eq!(metadata.controller_id, broker.node_id);
    let cluster: DescribeClusterResponse<'_> = client.ask(0, &DescribeClusterRequest::default());
    let [same] = &cluster.brokers[..] else { panic!("{:?}", cluster.brokers) };
    let keys = vec!["a group"];
    let found: FindCoordinatorResponse<'_> =
        client.ask(4, &FindCoordinatorRequest { coordinator_keys: keys, ..Default::default() });
    let coordinator = &found.coordinators[0];
    vec![
        (broker.node_id, broker.host.to_owned(), broker.port),
        (same.broker_id, same.host.to_owned(), same.port),
        (coordinator.node_id, coordinator.host.to_owned(), coordinator.port),
    ]
}

fn works_with_librdkafka(address: &str, topic: &str) {
    create_topic(&mut Raw::connect(address), topic, 1, &[]);
    let producer: BaseProducer = settings(address, &[]).create().expect("a producer");
    produce_values(&producer, topic, 0, &["one", "two"]);
    assert_eq!(consume(&settings(address, &[]), topic, &[0], 2).len(), 2);
}

#[test]
fn f24_every_listener_has_the_same_node_and_its_own_address() {
    let listeners = "listeners=PLAINTEXT://127.0.0.1:0,SECOND://[::1]:0,THIRD://127.0.0.2:0";
    let broker = Broker::start(&[listeners, MAP]);
    assert_eq!(broker.listeners.len(), 3);
    let mut nodes = Vec::new();
    for (name, address) in &broker.listeners {
        let (host, port) = address.rsplit_once(':').expect("host:port");
        let mut client = Raw::connect(address);
        // The coordinator's topic is made by the first question and may take a moment.
        client.call(4, &FindCoordinatorRequest { coordinator_keys: vec!["a group"], ..Default::default() });
        for (node, told_host, told_port) in told(&mut client) {
            assert_eq!(told_host, host.trim_matches(['[', ']']), "{name}: no brackets on the wire");
            assert_eq!(told_port.to_string(), port, "{name}");
            nodes.push(node);
        }
        works_with_librdkafka(address, name);
    }
    nodes.dedup();
    assert_eq!(nodes.len(), 1, "{nodes:?}");
}

#[test]
fn f24_every_interface_of_both_kinds() {
    let broker =
        Broker::start(&["listeners=PLAINTEXT://[::]:0", "advertised.listeners=PLAINTEXT://localhost:0"]);
    let (_, port) = broker.address().rsplit_once(':').expect("a port");
    for host in ["127.0.0.1", "[::1]"] {
        let mut client = Raw::connect(&format!("{host}:{port}"));
        let (_, told_host, told_port) = told(&mut client).remove(0);
        assert_eq!((told_host.as_str(), told_port.to_string().as_str()), ("localhost", port), "{host}");
    }
    works_with_librdkafka(&format!("127.0.0.1:{port}"), "four");
    works_with_librdkafka(&format!("[::1]:{port}"), "six");
}

#[test]
fn f24_what_nobody_can_reach_is_not_advertised() {
    let refused = [
        ["listeners=PLAINTEXT://127.0.0.1:0", "advertised.listeners=PLAINTEXT://0.0.0.0:9092"],
        ["listeners=PLAINTEXT://127.0.0.1:0", "advertised.listeners=PLAINTEXT://[::]:9092"],
        ["listeners=PLAINTEXT://0.0.0.0:0", "advertised.listeners=PLAINTEXT://0.0.0.0:0"],
        ["listeners=PLAINTEXT://127.0.0.1:0", "advertised.listeners=OTHER://127.0.0.1:9092"],
    ];
    for settings in refused {
        let (success, said) = Broker::refuses_to_start(&[], &settings);
        assert!(!success && said.contains("advertised.listeners"), "{settings:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    let (success, said) = Broker::refuses_to_start(&[], &["listeners=PLAINTEXT://0.0.0.0:0"]);
    assert!(!success && said.contains("advertised.listeners"), "{said}");
}
