//! F01: an idempotent producer that was silent for longer than producers are remembered goes on as if nothing were.
//! The setting is `producer.id.expiration.ms`; the one for transactional ids has no say.

use rdkafka::producer::BaseProducer;

use millrace::protocol::codec::Codec;
use millrace::protocol::messages::describe_producers::TopicRequest;
use millrace::protocol::messages::{
    DescribeProducersRequest, DescribeProducersResponse, InitProducerIdRequest, InitProducerIdResponse,
};
use millrace::protocol::record_batch::BatchBuilder;

use crate::broker::Broker;
use crate::client::{consume, create_topic, produce_values, settings, until};
use crate::raw::{Raw, now_ms};

const OUT_OF_ORDER_SEQUENCE_NUMBER: i16 = 45;
const QUICK: [&str; 2] = ["producer.id.expiration.ms=1000", "log.retention.check.interval.ms=100"];

fn init(client: &mut Raw) -> (i64, i16) {
    let request = InitProducerIdRequest {
        transactional_id: None,
        transaction_timeout_ms: 60_000,
        ..Default::default()
    };
    until("a producer id", || {
        let response: InitProducerIdResponse = client.ask(4, &request);
        // COORDINATOR_LOAD_IN_PROGRESS: Apache Kafka has no ids yet when it has just started.
        assert!([0, 14].contains(&response.error_code), "code {}", response.error_code);
        (response.error_code == 0).then_some((response.producer_id, response.producer_epoch))
    })
}

fn sequenced((id, epoch): (i64, i16), sequence: i32, count: usize) -> Vec<u8> {
    let mut builder = BatchBuilder::new(Codec::None).producer(id, epoch, sequence);
    for _ in 0..count {
        builder.append(now_ms(), None, Some(b"v"), &[]);
    }
    builder.build().expect("a batch")
}

fn producers(client: &mut Raw, topic: &str) -> usize {
    let topics = vec![TopicRequest { name: topic, partition_indexes: vec![0] }];
    let response: DescribeProducersResponse<'_> = client.ask(0, &DescribeProducersRequest { topics });
    response.topics[0].partitions[0].active_producers.len()
}

fn wait_until_forgotten(client: &mut Raw, topic: &str) {
    until("the producer is forgotten", || (producers(client, topic) == 0).then_some(()));
}

/// On a broker that forgets producers after a second.
pub fn idle_producers_go_on(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f01", 1, &[]);
    let producer = init(&mut client);
    assert_eq!(client.produce(&[("f01", 0, &sequenced(producer, 0, 8))]), [(0, 0)]);
    wait_until_forgotten(&mut client, "f01");
    // The next sequence, as a client sends that was idle; and one that was idle here while it wrote elsewhere.
    assert_eq!(client.produce(&[("f01", 0, &sequenced(producer, 8, 8))]), [(0, 8)]);
    wait_until_forgotten(&mut client, "f01");
    assert_eq!(client.produce(&[("f01", 0, &sequenced(producer, 1000, 1))]), [(0, 16)]);
    // What is remembered again is held to order again.
    let gap = client.produce(&[("f01", 0, &sequenced(producer, 2000, 1))]);
    if gap != [(0, 17)] {
        assert_eq!(gap, [(OUT_OF_ORDER_SEQUENCE_NUMBER, -1)], "unless it was forgotten meanwhile");
    }

    create_topic(&mut client, "f01-librdkafka", 1, &[]);
    let producer: BaseProducer =
        settings(address, &[("enable.idempotence", "true")]).create().expect("a producer");
    let values: Vec<String> = (0..16).map(|number| number.to_string()).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    produce_values(&producer, "f01-librdkafka", 0, &values[..8]);
    wait_until_forgotten(&mut client, "f01-librdkafka");
    produce_values(&producer, "f01-librdkafka", 0, &values[8..]);
    let read = consume(&settings(address, &[]), "f01-librdkafka", &[0], 16);
    for (at, (_, offset, value)) in read.iter().enumerate() {
        assert_eq!((*offset, value.as_slice()), (at as i64, values[at].as_bytes()));
    }
}

#[test]
fn f01_an_idle_producer_goes_on_when_it_was_forgotten() {
    idle_producers_go_on(Broker::start(&QUICK).address());
}

#[test]
fn f01_a_producer_forgotten_over_a_restart_goes_on() {
    for clean in [true, false] {
        let broker = Broker::start(&["producer.id.expiration.ms=1000"]);
        let mut client = Raw::connect(broker.address());
        create_topic(&mut client, "t", 1, &[]);
        let producer = init(&mut client);
        assert_eq!(client.produce(&[("t", 0, &sequenced(producer, 0, 8))]), [(0, 0)]);
        let left = if clean { broker.stop() } else { broker.kill() };
        // What is in the snapshot and in the segments is older than a second when it is read.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let broker = Broker::again(left);
        let mut client = Raw::connect(broker.address());
        assert_eq!(producers(&mut client, "t"), 0);
        assert_eq!(client.produce(&[("t", 0, &sequenced(producer, 8, 8))]), [(0, 8)], "clean: {clean}");
    }
}

#[test]
fn f01_the_expiry_of_transactional_ids_does_not_count() {
    let broker = Broker::start(&[
        "transactional.id.expiration.ms=1000",
        "log.retention.check.interval.ms=50",
        "producer.id.expiration.ms=86400000",
    ]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", 1, &[]);
    let producer = init(&mut client);
    let first = sequenced(producer, 0, 8);
    assert_eq!(client.produce(&[("t", 0, &first)]), [(0, 0)]);
    // Longer than the other setting, and many checks.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(producers(&mut client, "t"), 1);
    assert_eq!(client.produce(&[("t", 0, &first)]), [(0, 0)], "known as sent again");
    assert_eq!(client.produce(&[("t", 0, &sequenced(producer, 9, 1))]), [(OUT_OF_ORDER_SEQUENCE_NUMBER, -1)]);
    assert_eq!(client.produce(&[("t", 0, &sequenced(producer, 8, 1))]), [(0, 8)]);
}
