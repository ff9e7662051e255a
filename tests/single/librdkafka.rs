//! What applications do with librdkafka: produce with every codec, read, seek, ask for offsets by time, administer.

use std::time::{Duration, Instant};

use futures_lite::future::block_on;
use rdkafka::admin::{
    AdminClient, AdminOptions, AlterConfig, ConfigSource, NewPartitions, NewTopic, OwnedResourceSpecifier,
    ResourceSpecifier, TopicReplication,
};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::error::RDKafkaErrorCode;
use rdkafka::message::{BorrowedMessage, Header, Headers, Message, OwnedHeaders, Timestamp};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::{Offset, TopicPartitionList};

use crate::broker::Broker;
use crate::raw::{Raw, now_ms};

const PATIENCE: Duration = Duration::from_secs(30);

fn settings(broker: &Broker, pairs: &[(&str, &str)]) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", broker.address());
    for (name, value) in pairs {
        config.set(*name, *value);
    }
    config
}

fn producer(broker: &Broker, pairs: &[(&str, &str)]) -> BaseProducer {
    settings(broker, pairs).create().expect("a producer")
}

fn reader(broker: &Broker, group: &str) -> BaseConsumer {
    let pairs = [("group.id", group), ("enable.auto.commit", "false"), ("check.crcs", "true")];
    settings(broker, &pairs).create().expect("a consumer")
}

fn list(topic: &str, partition: i32, offset: Offset) -> TopicPartitionList {
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, partition, offset).expect("a place");
    list
}

/// The next message of a consumer that has a place.
fn next(consumer: &BaseConsumer) -> BorrowedMessage<'_> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(message) = consumer.poll(Duration::from_millis(100)) {
            return message.expect("a message");
        }
        assert!(Instant::now() < deadline, "no message came");
    }
}

fn value(message: &BorrowedMessage<'_>) -> String {
    String::from_utf8(message.payload().expect("a value").to_vec()).expect("text")
}

#[test]
fn records_of_every_codec_come_back_with_key_headers_and_time() {
    let broker = Broker::start(&[]);
    Raw::connect(broker.address()).create_topic("t", 1, &[]);
    let time = now_ms() - 5_000;
    for (round, codec) in ["none", "gzip", "snappy", "lz4", "zstd"].iter().enumerate() {
        let pairs = [("compression.type", *codec), ("linger.ms", "50"), ("enable.idempotence", "true")];
        let producer = producer(&broker, &pairs);
        for number in 0..100i64 {
            let (key, value) = (format!("key {number}"), format!("{codec} {number} ").repeat(20));
            let headers = OwnedHeaders::new()
                .insert(Header { key: "codec", value: Some(*codec) })
                .insert(Header { key: "empty", value: Some("") })
                .insert(Header::<&str> { key: "nothing", value: None })
                .insert(Header { key: "codec", value: Some("again") });
            let record = BaseRecord::to("t").partition(0).key(&key).payload(&value);
            let record = record.headers(headers).timestamp(time + number);
            producer.send(record).map_err(|(error, _)| error).expect("queued");
        }
        producer.flush(PATIENCE).expect("delivered");
        let consumer = reader(&broker, "g");
        let first = round as i64 * 100;
        consumer.assign(&list("t", 0, Offset::Offset(first))).expect("assigned");
        for number in 0..100i64 {
            let message = next(&consumer);
            assert_eq!(message.offset(), first + number);
            assert_eq!(message.key(), Some(format!("key {number}").as_bytes()));
            assert_eq!(value(&message), format!("{codec} {number} ").repeat(20));
            assert_eq!(message.timestamp(), Timestamp::CreateTime(time + number));
            let headers = message.headers().expect("headers");
            let found: Vec<(&str, Option<&[u8]>)> =
                headers.iter().map(|header| (header.key, header.value)).collect();
            let expected = [
                ("codec", Some(codec.as_bytes())),
                ("empty", Some(&b""[..])),
                ("nothing", None),
                ("codec", Some(&b"again"[..])),
            ];
            assert_eq!(found, expected, "{codec}");
        }
    }
}

#[test]
fn records_without_key_or_value_and_of_a_log_that_stamps() {
    let broker = Broker::start(&[]);
    Raw::connect(broker.address()).create_topic("t", 1, &[("message.timestamp.type", "LogAppendTime")]);
    let producer = producer(&broker, &[]);
    producer.send(BaseRecord::<[u8], [u8]>::to("t").payload(b"no key")).map_err(|e| e.0).expect("queued");
    producer.send(BaseRecord::<[u8], [u8]>::to("t").key(b"no value")).map_err(|e| e.0).expect("queued");
    producer.flush(PATIENCE).expect("delivered");
    let consumer = reader(&broker, "g");
    consumer.assign(&list("t", 0, Offset::Beginning)).expect("assigned");
    let message = next(&consumer);
    assert_eq!((message.key(), message.payload()), (None, Some(&b"no key"[..])));
    assert!(
        matches!(message.timestamp(), Timestamp::LogAppendTime(time) if (now_ms() - time).abs() < 60_000)
    );
    let message = next(&consumer);
    assert_eq!((message.key(), message.payload()), (Some(&b"no value"[..]), None));
}

#[test]
fn a_reader_seeks_and_asks_for_offsets() {
    let broker = Broker::start(&[]);
    Raw::connect(broker.address()).create_topic("t", 2, &[]);
    let producer = producer(&broker, &[("compression.type", "lz4"), ("linger.ms", "50")]);
    let time = now_ms() - 100_000;
    for number in 0..200i64 {
        let text = number.to_string();
        let record =
            BaseRecord::<str, str>::to("t").partition(0).payload(&text).timestamp(time + number * 10);
        producer.send(record).map_err(|e| e.0).expect("queued");
    }
    producer.flush(PATIENCE).expect("delivered");
    let consumer = reader(&broker, "g");
    assert_eq!(consumer.fetch_watermarks("t", 0, PATIENCE).expect("both ends"), (0, 200));
    assert_eq!(consumer.fetch_watermarks("t", 1, PATIENCE).expect("both ends"), (0, 0));

    consumer.assign(&list("t", 0, Offset::Beginning)).expect("assigned");
    assert_eq!(value(&next(&consumer)), "0");
    for (place, expected) in [
        (Offset::Offset(150), "150"),
        (Offset::Offset(3), "3"),
        (Offset::Beginning, "0"),
        (Offset::OffsetTail(5), "195"),
        (Offset::Offset(199), "199"),
    ] {
        consumer.seek("t", 0, place, PATIENCE).expect("a seek");
        assert_eq!(value(&next(&consumer)), expected, "{place:?}");
    }

    for (asked, expected) in [
        (time, Offset::Offset(0)),
        (time + 5, Offset::Offset(1)),
        (time + 1000, Offset::Offset(100)),
        (time + 1991, Offset::End),
        (0, Offset::Offset(0)),
    ] {
        let mut wanted = TopicPartitionList::new();
        for partition in 0..2 {
            wanted.add_partition_offset("t", partition, Offset::Offset(asked)).expect("a time");
        }
        let found = consumer.offsets_for_times(wanted, PATIENCE).expect("offsets");
        assert_eq!(found.find_partition("t", 0).expect("a partition").offset(), expected, "{asked}");
        assert_eq!(found.find_partition("t", 1).expect("a partition").offset(), Offset::End, "{asked}");
    }
    // Out of range: back to where the reader was told.
    let pairs = [("group.id", "g"), ("auto.offset.reset", "earliest"), ("enable.auto.commit", "false")];
    let lost: BaseConsumer = settings(&broker, &pairs).create().expect("a consumer");
    lost.assign(&list("t", 0, Offset::Offset(5000))).expect("assigned");
    assert_eq!(value(&next(&lost)), "0");
}

#[test]
fn a_reader_without_a_group_of_members_commits() {
    let broker = Broker::start(&[]);
    Raw::connect(broker.address()).create_topic("t", 1, &[]);
    let producer = producer(&broker, &[]);
    for text in ["a", "b", "c"] {
        producer.send(BaseRecord::<str, str>::to("t").payload(text)).map_err(|e| e.0).expect("queued");
    }
    producer.flush(PATIENCE).expect("delivered");
    let consumer = reader(&broker, "alone");
    consumer.assign(&list("t", 0, Offset::Beginning)).expect("assigned");
    consumer.commit(&list("t", 0, Offset::Offset(2)), CommitMode::Sync).expect("committed");
    let committed = consumer.committed(PATIENCE).expect("committed offsets");
    assert_eq!(committed.find_partition("t", 0).expect("a partition").offset(), Offset::Offset(2));
    let again = reader(&broker, "alone");
    again.assign(&list("t", 0, Offset::Stored)).expect("assigned");
    assert_eq!(value(&next(&again)), "c");
}

#[test]
fn topics_and_configs_are_administered() {
    let broker = Broker::start(&[]);
    let admin: AdminClient<DefaultClientContext> = settings(&broker, &[]).create().expect("an admin client");
    let options = AdminOptions::new().operation_timeout(Some(PATIENCE)).request_timeout(Some(PATIENCE));
    let topic = NewTopic::new("t", 3, TopicReplication::Fixed(1)).set("retention.ms", "100000");
    let made = block_on(admin.create_topics([&topic], &options)).expect("an answer");
    assert_eq!(made, [Ok("t".to_owned())]);
    let made = block_on(admin.create_topics([&topic], &options)).expect("an answer");
    assert_eq!(made, [Err(("t".to_owned(), RDKafkaErrorCode::TopicAlreadyExists))]);
    let wrong = NewTopic::new("a b", 1, TopicReplication::Fixed(1));
    let made = block_on(admin.create_topics([&wrong], &options)).expect("an answer");
    assert_eq!(made, [Err(("a b".to_owned(), RDKafkaErrorCode::InvalidTopic))]);
    let wrong = NewTopic::new("two", 1, TopicReplication::Fixed(2));
    let made = block_on(admin.create_topics([&wrong], &options)).expect("an answer");
    assert_eq!(made, [Err(("two".to_owned(), RDKafkaErrorCode::InvalidReplicationFactor))]);

    let grown =
        block_on(admin.create_partitions([&NewPartitions::new("t", 5)], &options)).expect("an answer");
    assert_eq!(grown, [Ok("t".to_owned())]);
    let shrunk =
        block_on(admin.create_partitions([&NewPartitions::new("t", 2)], &options)).expect("an answer");
    assert_eq!(shrunk, [Err(("t".to_owned(), RDKafkaErrorCode::InvalidPartitions))]);
    let consumer = reader(&broker, "g");
    let metadata = consumer.fetch_metadata(Some("t"), PATIENCE).expect("metadata");
    assert_eq!(metadata.topics()[0].partitions().len(), 5);

    let retention = || {
        let asked = [ResourceSpecifier::Topic("t")];
        let told = block_on(admin.describe_configs(&asked, &options)).expect("an answer");
        let resource = told.into_iter().next().expect("a resource").expect("its configs");
        assert_eq!(resource.specifier, OwnedResourceSpecifier::Topic("t".to_owned()));
        let entry = resource.get("retention.ms").expect("an entry");
        (entry.value.clone(), entry.source == ConfigSource::DynamicTopic)
    };
    assert_eq!(retention(), (Some("100000".to_owned()), true));
    let change = AlterConfig::new(ResourceSpecifier::Topic("t")).set("retention.ms", "200000");
    let changed = block_on(admin.alter_configs([&change], &options)).expect("an answer");
    assert_eq!(changed, [Ok(OwnedResourceSpecifier::Topic("t".to_owned()))]);
    assert_eq!(retention(), (Some("200000".to_owned()), true));
    let reset = AlterConfig::new(ResourceSpecifier::Topic("t"));
    block_on(admin.alter_configs([&reset], &options)).expect("an answer")[0].as_ref().expect("changed");
    assert_eq!(retention(), (Some("604800000".to_owned()), false), "as the broker has it");

    let producer = producer(&broker, &[]);
    for _ in 0..10 {
        let record = BaseRecord::<str, str>::to("t").partition(0).payload("v");
        producer.send(record).map_err(|e| e.0).expect("queued");
    }
    producer.flush(PATIENCE).expect("delivered");
    let trimmed =
        block_on(admin.delete_records(&list("t", 0, Offset::Offset(4)), &options)).expect("an answer");
    assert_eq!(trimmed.find_partition("t", 0).expect("a partition").offset(), Offset::Offset(4));
    assert_eq!(consumer.fetch_watermarks("t", 0, PATIENCE).expect("both ends"), (4, 10));

    let gone = block_on(admin.delete_topics(&["t", "nope"], &options)).expect("an answer");
    assert_eq!(
        gone,
        [Ok("t".to_owned()), Err(("nope".to_owned(), RDKafkaErrorCode::UnknownTopicOrPartition))]
    );
    let metadata = consumer.fetch_metadata(None, PATIENCE).expect("metadata");
    assert!(metadata.topics().iter().all(|topic| topic.name().starts_with("__")), "but the broker's own");
}

#[test]
fn groups_are_listed_and_deleted() {
    let broker = Broker::start(&["group.initial.rebalance.delay.ms=0"]);
    Raw::connect(broker.address()).create_topic("t", 1, &[]);
    let producer = producer(&broker, &[]);
    producer.send(BaseRecord::<str, str>::to("t").payload("v")).map_err(|e| e.0).expect("queued");
    producer.flush(PATIENCE).expect("delivered");
    let pairs = [("group.id", "g"), ("auto.offset.reset", "earliest"), ("enable.auto.commit", "false")];
    let member: BaseConsumer = settings(&broker, &pairs).create().expect("a consumer");
    member.subscribe(&["t"]).expect("subscribed");
    assert_eq!(value(&next(&member)), "v");
    member.commit_consumer_state(CommitMode::Sync).expect("committed");
    let groups = member.fetch_group_list(Some("g"), PATIENCE).expect("groups");
    assert_eq!((groups.groups()[0].name(), groups.groups()[0].state()), ("g", "Stable"));
    assert_eq!(groups.groups()[0].members().len(), 1);

    let admin: AdminClient<DefaultClientContext> = settings(&broker, &[]).create().expect("an admin client");
    let options = AdminOptions::new().request_timeout(Some(PATIENCE));
    let refused = block_on(admin.delete_groups(&["g"], &options)).expect("an answer");
    assert_eq!(refused, [Err(("g".to_owned(), RDKafkaErrorCode::NonEmptyGroup))]);
    drop(member);
    let gone = block_on(admin.delete_groups(&["g"], &options)).expect("an answer");
    assert_eq!(gone, [Ok("g".to_owned())]);
}
