//! Every config of Apache Kafka 4.4.0, by name (`kafka_configs.txt`): it does something here, or says why it does not; and
//! what Kafka changes while it runs can be changed here.

use std::collections::BTreeMap;

use millrace::protocol::messages::describe_configs::DescribeConfigsResource;
use millrace::protocol::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use millrace::protocol::messages::{
    DescribeConfigsRequest, DescribeConfigsResponse, IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
};

use crate::node::Node;
use crate::raw::Raw;

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const SET: i8 = 0;
const DELETE: i8 = 1;
const OF_THIS_BROKER: i8 = 2;
const OF_ALL_BROKERS: i8 = 3;
const INVALID_REQUEST: i16 = 42;

/// What Kafka changes while it runs and this broker does not: they need a restart, and are refused by name.
const FIXED: [&str; 2] = ["listener.security.protocol.map", "listeners"];

struct Told {
    value: Option<&'static str>,
    read_only: bool,
    source: i8,
    documentation: &'static str,
}

fn describe(client: &mut Raw, resource_type: i8, resource_name: &str) -> BTreeMap<&'static str, Told> {
    let resource = DescribeConfigsResource { resource_type, resource_name, configuration_keys: None };
    let request = DescribeConfigsRequest {
        resources: vec![resource],
        include_synonyms: false,
        include_documentation: true,
    };
    let answer: DescribeConfigsResponse<'static> = client.ask(4, &request);
    assert_eq!(answer.results[0].error_code, 0);
    let told = |config: &millrace::protocol::messages::describe_configs::DescribeConfigsResourceResult<
        'static,
    >| Told {
        value: config.value,
        read_only: config.read_only,
        source: config.config_source,
        documentation: config.documentation.unwrap_or_default(),
    };
    answer.results[0].configs.iter().map(|config| (config.name, told(config))).collect()
}

fn alter(client: &mut Raw, broker: &str, name: &str, op: i8, value: Option<&str>) -> (i16, String) {
    let config = AlterableConfig { name, config_operation: op, value };
    let resource =
        AlterConfigsResource { resource_type: BROKER, resource_name: broker, configs: vec![config] };
    let request = IncrementalAlterConfigsRequest { resources: vec![resource], validate_only: false };
    let answer: IncrementalAlterConfigsResponse<'_> = client.ask(1, &request);
    let answer = &answer.responses[0];
    (answer.error_code, answer.error_message.unwrap_or_default().to_owned())
}

#[test]
fn every_config_of_kafka_does_something_or_says_why_not() {
    let node = Node::start(&[]);
    let mut client = Raw::connect(&node.address);
    client.create_topic("t", 1, &[]);
    let id = client.node_id().to_string();
    let (of_broker, of_topic) = (describe(&mut client, BROKER, &id), describe(&mut client, TOPIC, "t"));
    let (mut done, mut idle) = (0, 0);
    for line in include_str!("kafka_configs.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (told, name) = match words[..] {
            ["broker", name, ..] => (of_broker.get(name), name),
            ["topic", name, ..] => (of_topic.get(name), name),
            _ => continue,
        };
        if words.last() == Some(&"internal") {
            // As Kafka, which does not document them.
            assert!(told.is_none(), "{name}");
            continue;
        }
        let told = told.unwrap_or_else(|| panic!("{name} is not told"));
        assert!(told.documentation.len() > 15, "{name}: {}", told.documentation);
        if told.documentation.starts_with("Without effect here: ") {
            idle += 1
        } else {
            done += 1
        }
        if let ["broker", _, mode] = words[..] {
            assert_eq!(told.read_only, mode == "read-only", "{name}");
        }
    }
    println!("{done} configs do something, {idle} say why they do not");
    assert!(done > 70 && done + idle > 350);
}

#[test]
fn what_kafka_changes_while_it_runs_can_be_changed() {
    let node = Node::start(&[]);
    let mut client = Raw::connect(&node.address);
    let id = client.node_id().to_string();
    let told = describe(&mut client, BROKER, &id);
    let mut changed = 0;
    for line in include_str!("kafka_configs.txt").lines() {
        let ["broker", name, mode] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        // The value that it has is valid; what is unset has no value that fits every key.
        let Some(value) = told[name].value else { continue };
        let (all, source) = match mode {
            "read-only" => {
                let (code, text) = alter(&mut client, &id, name, SET, Some(value));
                assert_eq!(code, INVALID_REQUEST, "{name}: {text}");
                continue;
            }
            "per-broker" => (id.as_str(), OF_THIS_BROKER),
            _ => ("", OF_ALL_BROKERS),
        };
        let (code, text) = alter(&mut client, all, name, SET, Some(value));
        if FIXED.contains(&name) {
            assert_eq!(code, INVALID_REQUEST, "{name}: {text}");
            continue;
        }
        assert_eq!((code, text.as_str()), (0, ""), "{name}={value}");
        let now = describe(&mut client, BROKER, &id);
        assert_eq!((now[name].value, now[name].source), (Some(value), source), "{name}");
        assert_eq!(alter(&mut client, all, name, DELETE, None).0, 0, "{name}");
        assert_ne!(describe(&mut client, BROKER, &id)[name].source, source, "{name}");
        changed += 1;
    }
    assert!(changed > 60, "{changed}");
}
