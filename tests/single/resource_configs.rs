//! Configs of what is neither topic nor broker: loggers, groups, subscriptions to clients' metrics.

use millrace::protocol::messages::describe_configs::DescribeConfigsResource;
use millrace::protocol::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use millrace::protocol::messages::{
    AlterConfigsRequest, AlterConfigsResponse, DescribeConfigsRequest, DescribeConfigsResponse,
    IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse, ListConfigResourcesRequest,
    ListConfigResourcesResponse, alter_configs,
};

use crate::broker::Broker;
use crate::raw::{Raw, batch};

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const BROKER_LOGGER: i8 = 8;
const CLIENT_METRICS: i8 = 16;
const GROUP: i8 = 32;

const SET: i8 = 0;
const DELETE: i8 = 1;
const APPEND: i8 = 2;
const SUBTRACT: i8 = 3;

const INVALID_CONFIG: i16 = 40;
const INVALID_REQUEST: i16 = 42;

/// One op on a resource: code and text.
fn alter(
    client: &mut Raw,
    (resource_type, resource_name): (i8, &str),
    ops: &[(&str, i8, Option<&str>)],
    validate_only: bool,
) -> (i16, String) {
    let configs = ops.iter().map(|(name, config_operation, value)| AlterableConfig {
        name,
        config_operation: *config_operation,
        value: *value,
    });
    let resource = AlterConfigsResource { resource_type, resource_name, configs: configs.collect() };
    let request = IncrementalAlterConfigsRequest { resources: vec![resource], validate_only };
    let response: IncrementalAlterConfigsResponse<'_> = client.ask(1, &request);
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        // Apache Kafka answers before its brokers have heard of it.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let answer = &response.responses[0];
    assert_eq!((answer.resource_type, answer.resource_name), (resource_type, resource_name));
    (answer.error_code, answer.error_message.unwrap_or_default().to_owned())
}

struct Told {
    value: Option<&'static str>,
    source: i8,
    kind: i8,
    read_only: bool,
    /// Name, value, source.
    synonyms: Vec<(&'static str, Option<&'static str>, i8)>,
}

fn describe(
    client: &mut Raw,
    (resource_type, resource_name): (i8, &str),
    keys: Option<&[&str]>,
) -> Result<Vec<(&'static str, Told)>, (i16, String)> {
    let configuration_keys = keys.map(<[&str]>::to_vec);
    let resource = DescribeConfigsResource { resource_type, resource_name, configuration_keys };
    let request = DescribeConfigsRequest {
        resources: vec![resource],
        include_synonyms: true,
        include_documentation: false,
    };
    let response: DescribeConfigsResponse<'static> = client.ask(4, &request);
    let result = &response.results[0];
    if result.error_code != 0 {
        return Err((result.error_code, result.error_message.unwrap_or_default().to_owned()));
    }
    let told = result.configs.iter().map(|config| {
        let synonyms = config.synonyms.iter().map(|s| (s.name, s.value, s.source));
        let told = Told {
            value: config.value,
            source: config.config_source,
            kind: config.config_type,
            read_only: config.read_only,
            synonyms: synonyms.collect(),
        };
        (config.name, told)
    });
    Ok(told.collect())
}

fn one(client: &mut Raw, resource: (i8, &str), key: &str) -> Told {
    let mut told = describe(client, resource, Some(&[key])).expect("configs");
    assert_eq!(told.len(), 1, "{key}");
    told.remove(0).1
}

/// Sources of a value, by their numbers in DescribeConfigs.
const OF_THIS_BROKER: i8 = 2;
const OF_ALL_BROKERS: i8 = 3;
const MESSAGE_TOO_LARGE: i16 = 10;

#[test]
fn configs_of_brokers_change_while_the_broker_runs_and_outlive_it() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let node = client.node_id().to_string();
    client.create_topic("sizes", 1, &[]);
    client.create_topic("own", 1, &[("max.message.bytes", "1000000")]);
    let large = batch(&[&[7; 5000]]);
    let code = |client: &mut Raw, topic| client.produce(&[(topic, 0, &large)])[0].0;
    assert_eq!(code(&mut client, "sizes"), 0);

    let all = (BROKER, "");
    assert_eq!(
        alter(&mut client, all, &[("message.max.bytes", SET, Some("2000"))], false),
        (0, String::new())
    );
    let told = one(&mut client, all, "message.max.bytes");
    assert_eq!((told.value, told.source), (Some("2000"), OF_ALL_BROKERS));
    let told = one(&mut client, (BROKER, &node), "message.max.bytes");
    assert_eq!((told.value, told.source), (Some("2000"), OF_ALL_BROKERS));
    let told = one(&mut client, (TOPIC, "sizes"), "max.message.bytes");
    assert_eq!((told.value, told.source), (Some("2000"), OF_ALL_BROKERS));
    assert_eq!(code(&mut client, "sizes"), MESSAGE_TOO_LARGE);
    assert_eq!(code(&mut client, "own"), 0, "a topic's own value goes first");

    let mine = (BROKER, node.as_str());
    assert_eq!(
        alter(&mut client, mine, &[("message.max.bytes", SET, Some("9000"))], false),
        (0, String::new())
    );
    let told = one(&mut client, mine, "message.max.bytes");
    assert_eq!((told.value, told.source), (Some("9000"), OF_THIS_BROKER));
    assert_eq!(code(&mut client, "sizes"), 0);
    assert_eq!(alter(&mut client, mine, &[("message.max.bytes", DELETE, None)], false), (0, String::new()));
    assert_eq!(code(&mut client, "sizes"), MESSAGE_TOO_LARGE);

    let (code_of_fixed, text) = alter(&mut client, mine, &[("node.id", SET, Some("3"))], false);
    assert_eq!(code_of_fixed, INVALID_REQUEST, "{text}");
    assert_eq!(one(&mut client, mine, "node.id").value, Some(node.as_str()));

    let broker = Broker::again(broker.stop());
    let mut client = Raw::connect(broker.address());
    assert_eq!(code(&mut client, "sizes"), MESSAGE_TOO_LARGE);
    assert_eq!(alter(&mut client, all, &[("message.max.bytes", DELETE, None)], false), (0, String::new()));
    assert_eq!(code(&mut client, "sizes"), 0);
    assert_eq!(describe(&mut client, all, None).map(|told| told.len()), Ok(0));
}

#[test]
fn log_levels_change_while_the_broker_runs() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let node = client.node_id().to_string();
    let loggers = (BROKER_LOGGER, node.as_str());
    let all = describe(&mut client, loggers, None).expect("loggers");
    let root = all.iter().find(|(name, _)| *name == "root").expect("root");
    assert_eq!((root.1.source, root.1.kind, root.1.read_only), (6, 0, false));
    assert_eq!(root.1.synonyms, []);
    // Kafka's loggers have other names: of what all have, take the one that the tests know.
    let part = all.iter().map(|(name, _)| *name).find(|name| *name != "root" && *name != "millrace");
    let part = part.expect("a part of the broker");
    let before = root.1.value.expect("a level");
    assert_eq!(alter(&mut client, loggers, &[(part, SET, Some("TRACE"))], true), (0, String::new()));
    assert_ne!(one(&mut client, loggers, part).value, Some("TRACE"), "only checked");
    assert_eq!(alter(&mut client, loggers, &[(part, SET, Some("FATAL"))], false), (0, String::new()));
    assert_eq!(one(&mut client, loggers, part).value, Some("FATAL"));
    assert_eq!(one(&mut client, loggers, "root").value, Some(before));
    assert_eq!(alter(&mut client, loggers, &[("root", SET, Some("ERROR"))], false), (0, String::new()));
    assert_eq!(alter(&mut client, loggers, &[(part, DELETE, None)], false), (0, String::new()));
    assert_eq!(one(&mut client, loggers, part).value, Some("ERROR"), "it follows the root");
    assert_eq!(alter(&mut client, loggers, &[("root", SET, Some(before))], false), (0, String::new()));
    let mut refused = |ops: &[(&str, i8, Option<&str>)]| alter(&mut client, loggers, ops, false);
    assert_eq!(
        refused(&[("nope", SET, Some("INFO"))]),
        (INVALID_CONFIG, "Logger nope does not exist!".to_owned())
    );
    assert_eq!(
        refused(&[("root", SET, Some("LOUD"))]),
        (
            INVALID_CONFIG,
            "Cannot set the log level of root to LOUD as it is not a supported log level. Valid log levels are DEBUG, \
             ERROR, FATAL, INFO, TRACE, WARN"
                .to_owned()
        )
    );
    assert_eq!(
        refused(&[("root", DELETE, None)]),
        (INVALID_REQUEST, "Removing the log level of the root logger is not allowed".to_owned())
    );
    let operation = |name: &str| {
        (INVALID_REQUEST, format!("{name} operation is not allowed for the BROKER_LOGGER resource"))
    };
    assert_eq!(refused(&[(part, APPEND, Some("INFO"))]), operation("APPEND"));
    assert_eq!(refused(&[(part, SUBTRACT, Some("INFO"))]), operation("SUBTRACT"));
    assert_eq!(alter(&mut client, (BROKER_LOGGER, "77"), &[], false).0, INVALID_REQUEST);
    assert_eq!(
        alter(&mut client, (BROKER_LOGGER, "x"), &[], false),
        (INVALID_REQUEST, "Node id must be an integer, but it is: x".to_owned())
    );
    for (name, text) in [
        ("", "Broker id must not be empty".to_owned()),
        ("x", "Broker id must be an integer, but it is: x".to_owned()),
        ("77", format!("Unexpected broker id, expected {node} but received 77")),
    ] {
        let error = describe(&mut client, (BROKER_LOGGER, name), None).err().expect("refused");
        assert_eq!(error, (INVALID_REQUEST, text));
    }
    // The older request does not know loggers.
    let resource =
        alter_configs::AlterConfigsResource { resource_type: 8, resource_name: &node, configs: vec![] };
    let request = AlterConfigsRequest { resources: vec![resource], validate_only: false };
    let response: AlterConfigsResponse<'_> = client.ask(2, &request);
    assert_eq!(response.responses[0].error_code, INVALID_REQUEST);
    assert_eq!(response.responses[0].error_message, Some("Unknown resource type 8"));
}

#[test]
fn a_level_that_was_set_decides_what_is_logged() {
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_some() {
        return;
    }
    // What the broker says at its end is of level INFO, and it is started at WARN.
    for (level, is_said) in [(None, false), (Some("INFO"), true), (Some("ERROR"), false)] {
        let broker = Broker::start_with_log_file(&[]);
        let mut client = Raw::connect(broker.address());
        let node = client.node_id().to_string();
        if level.is_some() {
            let loggers = (BROKER_LOGGER, node.as_str());
            let done = alter(&mut client, loggers, &[("millrace::server", SET, level)], false);
            assert_eq!(done, (0, String::new()));
        }
        let (directory, _) = broker.stop();
        let log = std::fs::read_to_string(directory.path().join("log")).expect("the log");
        assert_eq!(log.contains("stopping"), is_said, "{level:?}: {log}");
    }
}

fn listed(client: &mut Raw, resource_type: i8) -> Vec<String> {
    let request = ListConfigResourcesRequest { resource_types: vec![resource_type] };
    let response: ListConfigResourcesResponse<'_> = client.ask(1, &request);
    response.config_resources.iter().map(|resource| resource.resource_name.to_owned()).collect()
}

#[test]
fn configs_of_groups_are_checked_kept_and_told() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let group = (GROUP, "configured");
    let session = "consumer.session.timeout.ms";
    let told = one(&mut client, group, session);
    assert_eq!((told.value, told.source, told.kind, told.read_only), (Some("45000"), 5, 3, false));
    assert_eq!(told.synonyms, [("group.consumer.session.timeout.ms", Some("45000"), 5)]);
    assert_eq!(alter(&mut client, group, &[(session, SET, Some("50000"))], false), (0, String::new()));
    let told = one(&mut client, group, session);
    assert_eq!((told.value, told.source), (Some("50000"), 8));
    let expected = [(session, Some("50000"), 8), ("group.consumer.session.timeout.ms", Some("45000"), 5)];
    assert_eq!(told.synonyms, expected);
    assert_eq!(one(&mut client, group, "streams.assignor.name").value, Some("sticky"));
    assert_eq!(one(&mut client, group, "share.auto.offset.reset").value, Some("latest"));
    let all = describe(&mut client, group, None).expect("configs");
    assert_eq!(all.len(), 21, "without the internal ones");
    assert!(listed(&mut client, GROUP).contains(&"configured".to_owned()));
    let mut refused = |ops: &[(&str, i8, Option<&str>)]| alter(&mut client, group, ops, false);
    assert_eq!(
        refused(&[("nope", SET, Some("1"))]),
        (INVALID_CONFIG, "Unknown group config name: nope".to_owned())
    );
    let range = |key: &str, least, most| {
        (INVALID_CONFIG, format!("{key} must be in the range {least} to {most} inclusive."))
    };
    assert_eq!(refused(&[(session, SET, Some("5"))]), range(session, 45_000, 60_000));
    let heartbeat = "share.heartbeat.interval.ms";
    assert_eq!(refused(&[(heartbeat, SET, Some("15001"))]), range(heartbeat, 5_000, 15_000));
    assert_eq!(refused(&[(session, SET, Some("long"))]).0, INVALID_CONFIG);
    let tags = "streams.rack.aware.assignment.tags";
    assert_eq!(
        refused(&[(tags, APPEND, Some("zone"))]),
        (INVALID_CONFIG, format!("Can't APPEND to key {tags} because its type is not LIST."))
    );
    assert_eq!(
        alter(&mut client, (GROUP, ""), &[(session, SET, Some("50000"))], false),
        (INVALID_REQUEST, "Default group resources are not allowed.".to_owned())
    );
    let error = describe(&mut client, (GROUP, ""), None).err().expect("refused");
    assert_eq!(error, (INVALID_REQUEST, "Group name must not be empty".to_owned()));
    if std::env::var_os("MILLRACE_TEST_ADDRESS").is_none() {
        let broker = Broker::again(broker.kill());
        let mut client = Raw::connect(broker.address());
        assert_eq!(one(&mut client, group, session).value, Some("50000"));
        assert_eq!(alter(&mut client, group, &[(session, DELETE, None)], false), (0, String::new()));
        assert_eq!(listed(&mut client, GROUP), [""; 0]);
        return;
    }
    assert_eq!(alter(&mut client, group, &[(session, DELETE, None)], false), (0, String::new()));
    assert!(!listed(&mut client, GROUP).contains(&"configured".to_owned()));
}

#[test]
fn configs_of_client_metrics_are_checked_kept_and_told() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let metrics = (CLIENT_METRICS, "all");
    let told = one(&mut client, metrics, "interval.ms");
    assert_eq!((told.value, told.source, told.kind), (Some("300000"), 5, 3));
    assert_eq!(told.synonyms, []);
    let ops =
        [("interval.ms", SET, Some("500")), ("match", SET, Some("client_id=a.*,client_software_name=java"))];
    assert_eq!(alter(&mut client, metrics, &ops, false), (0, String::new()));
    let told = one(&mut client, metrics, "interval.ms");
    assert_eq!((told.value, told.source), (Some("500"), 7));
    assert_eq!(told.synonyms, [("interval.ms", Some("500"), 7)]);
    assert_eq!(
        alter(&mut client, metrics, &[("metrics", SET, Some("org.apache.a,org.apache.b"))], false),
        (0, String::new())
    );
    let told = one(&mut client, metrics, "metrics");
    assert_eq!((told.value, told.kind), (Some("org.apache.a,org.apache.b"), 7));
    // Kafka's controller knows no types of these keys.
    assert_eq!(
        alter(&mut client, metrics, &[("metrics", APPEND, Some("org.apache.c"))], false),
        (INVALID_CONFIG, "Can't APPEND to key metrics because its type is not LIST.".to_owned())
    );
    assert_eq!(listed(&mut client, CLIENT_METRICS), ["all"]);
    let mut refused = |ops: &[(&str, i8, Option<&str>)]| alter(&mut client, metrics, ops, false);
    assert_eq!(
        refused(&[("nope", SET, Some("1"))]),
        (INVALID_REQUEST, "Unknown client metrics configuration: nope".to_owned())
    );
    assert_eq!(
        refused(&[("interval.ms", SET, Some("5"))]),
        (
            INVALID_REQUEST,
            "Invalid value 5 for interval.ms, interval must be between 100 and 3600000 (1 hour)".to_owned()
        )
    );
    assert_eq!(
        refused(&[("match", SET, Some("shoe_size=44"))]),
        (INVALID_CONFIG, "Illegal client matching pattern: shoe_size=44".to_owned())
    );
    assert_eq!(refused(&[("interval.ms", SET, Some("soon"))]).0, INVALID_CONFIG);
    assert_eq!(
        alter(&mut client, (CLIENT_METRICS, ""), &[("interval.ms", SET, Some("500"))], false),
        (INVALID_REQUEST, "Subscription name can't be empty".to_owned())
    );
    let gone = [("interval.ms", DELETE, None), ("match", DELETE, None), ("metrics", DELETE, None)];
    assert_eq!(alter(&mut client, metrics, &gone, false), (0, String::new()));
    assert_eq!(listed(&mut client, CLIENT_METRICS), [""; 0]);
}
