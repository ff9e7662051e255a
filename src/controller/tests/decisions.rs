//! What single requests are answered; the texts are Kafka 4.4.0's.

use std::rc::Rc;

use super::support::*;
use crate::controller::*;
use crate::protocol::Uuid;
use crate::runtime::Runtime;
use crate::runtime::sim::World;

struct Cluster {
    world: World,
    runtime: Runtime,
    controller: Controller,
}

impl Cluster {
    fn new(settings: ControllerSettings) -> Self {
        let world = world(11);
        let runtime = world.add_shard();
        let state = Rc::new(LogState::default());
        let controller = boot(&world, &runtime, &state, settings).unwrap();
        Self { world, runtime, controller }
    }

    fn ask(&self, request: ControllerRequest) -> ControllerResponse {
        ask(&self.world, &self.runtime, &self.controller, request).response
    }

    fn create_one(&self, topic: NewTopic) -> String {
        let ControllerResponse::CreateTopics(results) = self.ask(create(vec![topic])) else { panic!() };
        shown(&results.first().unwrap().result)
    }

    fn alter(&self, resource_type: i8, name: &str, ops: &[(&str, i8, Option<&str>)]) -> String {
        let ops = ops.iter().map(|(name, op, value)| ConfigOp {
            name: (*name).into(),
            op: *op,
            value: value.map(Into::into),
        });
        let resource = AlterConfigs { resource_type, resource_name: name.into(), ops: ops.collect() };
        let request =
            ControllerRequest::IncrementalAlterConfigs { resources: vec![resource], validate_only: false };
        let ControllerResponse::AlterConfigs(results) = self.ask(request) else { panic!() };
        shown(&results.first().unwrap().result)
    }
}

fn shown<T>(result: &Result<T, ApiError>) -> String {
    match result {
        Ok(_) => "ok".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn topics_that_cannot_be() {
    let cluster = Cluster::new(settings());
    assert_eq!(cluster.create_one(topic("a.b", 1)), "ok");
    let cases = [
        (topic("", 1), "INVALID_TOPIC_EXCEPTION: Topic name is invalid: the empty string is not allowed"),
        (topic("..", 1), "INVALID_TOPIC_EXCEPTION: Topic name is invalid: '..' is not allowed"),
        (
            topic("a b", 1),
            "INVALID_TOPIC_EXCEPTION: Topic name is invalid: 'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'",
        ),
        (topic("a_b", 1), "INVALID_TOPIC_EXCEPTION: Topic 'a_b' collides with existing topic: a.b"),
        (topic("a.b", 1), "TOPIC_ALREADY_EXISTS: Topic 'a.b' already exists."),
        (topic("x", 0), "INVALID_PARTITIONS: Number of partitions was set to an invalid non-positive value."),
        (
            NewTopic { replication_factor: 0, ..topic("x", 1) },
            "INVALID_REPLICATION_FACTOR: Replication factor must be larger than 0, or -1 to use the default value.",
        ),
        (
            NewTopic { replication_factor: 2, ..topic("x", 1) },
            "INVALID_REPLICATION_FACTOR: Unable to replicate the partition 2 time(s): The target replication factor of 2 cannot be reached because only 1 broker(s) are registered or some brokers have all their log directories cordoned.",
        ),
        (
            topic("__cluster_metadata", 1),
            "INVALID_REQUEST: Creation of internal topic __cluster_metadata is prohibited.",
        ),
        (topic("x", 20_000), "POLICY_VIOLATION: Excessively large number of partitions per request."),
    ];
    for (topic, expected) in cases {
        assert_eq!(cluster.create_one(topic), expected);
    }
    assert_eq!(cluster.controller.image().topics.len(), 1);
}

#[test]
fn partitions_placed_by_the_client() {
    let cluster = Cluster::new(settings());
    let placed = |assignments: &[(i32, &[i32])]| NewTopic {
        assignments: assignments.iter().map(|(partition, brokers)| (*partition, brokers.to_vec())).collect(),
        ..topic("m", -1)
    };
    let cases = [
        (
            NewTopic { num_partitions: 1, ..placed(&[(0, &[1])]) },
            "INVALID_REQUEST: A manual partition assignment was specified, but numPartitions was not set to -1.",
        ),
        (
            NewTopic { replication_factor: 1, ..placed(&[(0, &[1])]) },
            "INVALID_REQUEST: A manual partition assignment was specified, but replication factor was not set to -1.",
        ),
        (
            placed(&[(0, &[])]),
            "INVALID_REPLICA_ASSIGNMENT: The manual partition assignment includes an empty replica list.",
        ),
        (
            placed(&[(0, &[2])]),
            "INVALID_REPLICA_ASSIGNMENT: The manual partition assignment includes broker 2, but no such broker is registered.",
        ),
        (
            placed(&[(0, &[1, 1])]),
            "INVALID_REPLICA_ASSIGNMENT: The manual partition assignment includes the broker 1 more than once.",
        ),
        (
            placed(&[(0, &[1]), (0, &[1])]),
            "INVALID_REPLICA_ASSIGNMENT: Found multiple manual partition assignments for partition 0",
        ),
        (
            placed(&[(0, &[1]), (2, &[1])]),
            "INVALID_REPLICA_ASSIGNMENT: partitions should be a consecutive 0-based integer sequence",
        ),
        (placed(&[(1, &[1]), (0, &[1])]), "ok"),
    ];
    for (topic, expected) in cases {
        assert_eq!(cluster.create_one(topic), expected);
    }
    assert_eq!(cluster.controller.image().topics.by_name("m").unwrap().partitions.len(), 2);
}

#[test]
fn a_request_names_each_topic_once_and_may_only_check() {
    let cluster = Cluster::new(settings());
    let request = create(vec![topic("d", 1), topic("ok", 1), topic("d", 1)]);
    let ControllerResponse::CreateTopics(results) = cluster.ask(request) else { panic!() };
    let texts: Vec<_> = results.iter().map(|topic| (topic.name.as_str(), shown(&topic.result))).collect();
    assert_eq!(texts, [("d", "INVALID_REQUEST: Duplicate topic name.".into()), ("ok", "ok".into())]);
    let offset = cluster.controller.image().offset;
    let request = ControllerRequest::CreateTopics { topics: vec![topic("c", 7)], validate_only: true };
    let ControllerResponse::CreateTopics(results) = cluster.ask(request) else { panic!() };
    assert_eq!(results.first().unwrap().result.as_ref().unwrap().num_partitions, 7);
    assert_eq!(cluster.controller.image().offset, offset);
}

#[test]
fn the_cluster_has_limits() {
    let cluster = Cluster::new(ControllerSettings { topic_limit: 2, partition_limit: 5, ..settings() });
    assert_eq!(cluster.create_one(topic("a", 3)), "ok");
    let text = cluster.create_one(topic("b", 3));
    assert!(text.starts_with("POLICY_VIOLATION: The cluster may have at most 5 partitions"), "{text}");
    assert_eq!(cluster.create_one(topic("b", 2)), "ok");
    let text = cluster.create_one(topic("c", 1));
    assert!(text.starts_with("POLICY_VIOLATION: Topic 'c' cannot be created"), "{text}");
}

#[test]
fn topics_are_deleted_by_name_or_id() {
    let cluster = Cluster::new(settings());
    let with_config =
        NewTopic { configs: vec![("retention.ms".into(), Some("1000".into()))], ..topic("a", 1) };
    cluster.ask(create(vec![with_config, topic("b", 1), topic("c", 1)]));
    let image = cluster.controller.image();
    let id = |name: &str| image.topics.by_name(name).unwrap().id;
    let unknown = Uuid::from_u128(u128::MAX);
    let request = ControllerRequest::DeleteTopics {
        topics: vec![
            TopicSelector::Name("a".into()),
            TopicSelector::Id(id("b")),
            TopicSelector::Name("none".into()),
            TopicSelector::Id(unknown),
            TopicSelector::Name("b".into()),
            TopicSelector::Name("c".into()),
            TopicSelector::Name("c".into()),
        ],
    };
    let ControllerResponse::DeleteTopics(results) = cluster.ask(request) else { panic!() };
    let texts: Vec<_> =
        results.iter().map(|topic| (topic.name.as_deref(), topic.id, shown(&topic.result))).collect();
    assert_eq!(
        texts,
        [
            (Some("a"), id("a"), "ok".into()),
            (
                Some("none"),
                Uuid::ZERO,
                "UNKNOWN_TOPIC_OR_PARTITION: This server does not host this topic-partition.".into()
            ),
            (None, unknown, "UNKNOWN_TOPIC_ID: This server does not host this topic ID.".into()),
            (
                Some("b"),
                id("b"),
                "INVALID_REQUEST: The provided topic name maps to an ID that was already supplied.".into()
            ),
            (Some("c"), Uuid::ZERO, "INVALID_REQUEST: Duplicate topic name.".into()),
        ]
    );
    let image = cluster.controller.image();
    assert_eq!(image.topics.iter().map(|topic| &*topic.name).collect::<Vec<_>>(), ["b", "c"]);
    assert!(image.configs.topic("a").is_empty());
}

#[test]
fn partitions_are_added() {
    let cluster = Cluster::new(settings());
    cluster.create_one(topic("a", 2));
    let grow = |name: &str, count: i32, assignments: Option<Vec<Vec<i32>>>| {
        let topics = vec![MorePartitions { name: name.into(), count, assignments }];
        let request = ControllerRequest::CreatePartitions { topics, validate_only: false };
        let ControllerResponse::CreatePartitions(results) = cluster.ask(request) else { panic!() };
        shown(&results.first().unwrap().result)
    };
    assert_eq!(grow("none", 3, None), "UNKNOWN_TOPIC_OR_PARTITION");
    assert_eq!(grow("a", 2, None), "INVALID_PARTITIONS: Topic already has 2 partition(s).");
    assert_eq!(
        grow("a", 1, None),
        "INVALID_PARTITIONS: The topic a currently has 2 partition(s); 1 would not be an increase."
    );
    assert_eq!(
        grow("a", 4, Some(vec![vec![1]])),
        "INVALID_REPLICA_ASSIGNMENT: Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified."
    );
    assert_eq!(
        grow("a", 3, Some(vec![vec![9]])),
        "INVALID_REPLICA_ASSIGNMENT: The manual partition assignment includes broker 9, but no such broker is registered."
    );
    assert_eq!(grow("a", 5, None), "ok");
    assert_eq!(grow("a", 6, Some(vec![vec![1]])), "ok");
    assert_eq!(cluster.controller.image().topics.by_name("a").unwrap().partitions.len(), 6);
}

#[test]
fn configs_are_set_unset_appended_and_subtracted() {
    let cluster = Cluster::new(settings());
    cluster.create_one(topic("a", 1));
    let value = |name: &str| cluster.controller.image().configs.topic("a").get(name).cloned();
    assert_eq!(cluster.alter(2, "a", &[("retention.ms", 0, Some("5"))]), "ok");
    assert_eq!(value("retention.ms").as_deref(), Some("5"));
    assert_eq!(cluster.alter(2, "a", &[("cleanup.policy", 2, Some("compact"))]), "ok");
    assert_eq!(value("cleanup.policy").as_deref(), Some("delete,compact"));
    assert_eq!(cluster.alter(2, "a", &[("cleanup.policy", 3, Some("delete"))]), "ok");
    assert_eq!(value("cleanup.policy").as_deref(), Some("compact"));
    assert_eq!(cluster.alter(2, "a", &[("retention.ms", 1, None)]), "ok");
    assert_eq!(value("retention.ms"), None);
    let cases = [
        (
            2,
            "a",
            "retention.ms",
            2,
            Some("1"),
            "INVALID_CONFIG: Can't APPEND to key retention.ms because its type is not LIST.",
        ),
        (
            2,
            "none",
            "retention.ms",
            0,
            Some("1"),
            "UNKNOWN_TOPIC_OR_PARTITION: The topic 'none' does not exist.",
        ),
        (2, "", "retention.ms", 0, Some("1"), "INVALID_REQUEST: Default topic resources are not allowed."),
        (2, "a", "retention.ms", 0, None, "INVALID_REQUEST: Null value not supported for : retention.ms"),
        (
            4,
            "x",
            "log.cleaner.threads",
            0,
            Some("1"),
            "INVALID_REQUEST: Node id must be an integer, but it is: x",
        ),
        (
            4,
            "-1",
            "log.cleaner.threads",
            0,
            Some("1"),
            "INVALID_REQUEST: Unexpected broker id, expected 1, but received -1",
        ),
        (4, "1", "log.cleaner.threads", 0, Some("1"), "ok"),
        (4, "", "log.cleaner.threads", 0, Some("2"), "ok"),
        (2, "a", "retention.ms", 7, Some("1"), "INVALID_REQUEST: Unknown operations type 7"),
    ];
    for (kind, resource, name, op, given, expected) in cases {
        assert_eq!(cluster.alter(kind, resource, &[(name, op, given)]), expected);
    }
    let text = cluster.alter(2, "a", &[("retention.ms", 0, Some("soon"))]);
    assert!(text.starts_with("INVALID_CONFIG: Invalid value soon for configuration retention.ms"), "{text}");
    assert_eq!(
        cluster.alter(2, "a", &[("segment.ms", 0, Some("7")), ("segment.ms", 0, Some("8"))]),
        "INVALID_REQUEST: Error due to duplicate config keys"
    );
    let image = cluster.controller.image();
    assert_eq!(image.configs.broker(1).get("log.cleaner.threads").map(String::as_str), Some("1"));
    assert_eq!(image.configs.cluster_default().get("log.cleaner.threads").map(String::as_str), Some("2"));
}

#[test]
fn the_old_request_replaces_all_configs() {
    let cluster = Cluster::new(settings());
    cluster.create_one(topic("a", 1));
    cluster.alter(2, "a", &[("retention.ms", 0, Some("5")), ("segment.ms", 0, Some("6"))]);
    let resource = ReplaceConfigs {
        resource_type: 2,
        resource_name: "a".into(),
        configs: vec![("segment.ms".into(), Some("7".into()))],
    };
    let request = ControllerRequest::AlterConfigs { resources: vec![resource], validate_only: false };
    let ControllerResponse::AlterConfigs(results) = cluster.ask(request) else { panic!() };
    assert!(results.first().unwrap().result.is_ok());
    let configs = cluster.controller.image().configs.topic("a");
    assert_eq!(*configs, [("segment.ms".to_owned(), "7".to_owned())].into());
}

#[test]
fn producer_ids_come_in_blocks_and_only_to_brokers() {
    let cluster = Cluster::new(settings());
    let ask = |broker_epoch| {
        let request = ControllerRequest::AllocateProducerIds { broker_id: 1, broker_epoch };
        let ControllerResponse::AllocateProducerIds(result) = cluster.ask(request) else { panic!() };
        result
    };
    let epoch = cluster.controller.image().broker(1).unwrap().epoch;
    assert_eq!(ask(epoch), Ok(ProducerIdBlock { first: 0, len: 1000 }));
    assert_eq!(ask(epoch), Ok(ProducerIdBlock { first: 1000, len: 1000 }));
    assert_eq!(ask(epoch - 1).unwrap_err().code.name(), "STALE_BROKER_EPOCH");
    assert_eq!(cluster.controller.image().next_producer_id, 2000);
}
