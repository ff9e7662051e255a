//! The controller on the real platform: what it writes is read by Kafka's own tool.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use millrace::config::Config;
use millrace::controller::engine_log::{EngineLog, METADATA_TOPIC, metadata_partition};
use millrace::controller::{
    AlterConfigs, ConfigOp, Controller, ControllerRequest, ControllerSettings, Endpoint, NewTopic,
    TopicSelector,
};
use millrace::log::{LogDirectory, LogManager, LogSettings, finish_clean_stop, recover};
use millrace::protocol::Uuid;
use millrace::runtime::{Runtime, shards};

fn log_settings() -> LogSettings {
    LogSettings { allow_unsafe_filesystem: true, ..LogSettings::default() }
}

async fn boot(runtime: &Runtime, path: &Path) -> (LogManager, Controller, Vec<LogDirectory>) {
    let mut recovery = recover(runtime, &[path.to_owned()], &log_settings()).await;
    let directory = recovery.directories.first_mut().unwrap();
    assert_eq!(directory.offline, None);
    if directory.id == Uuid::ZERO {
        directory.id = Uuid::from_u128(0xd1d1_0000);
    }
    let (id, cluster_id) = (directory.id, directory.cluster_id.clone());
    let manager = LogManager::open(runtime, 0, log_settings(), recovery.directories.clone()).await.unwrap();
    let spec = metadata_partition(id);
    let log = match recovery.partitions.into_iter().find(|found| found.topic == METADATA_TOPIC) {
        Some(partition) => manager.open_existing(partition, spec.config).unwrap(),
        None => manager.create(vec![spec]).await.into_iter().next().unwrap().unwrap(),
    };
    let settings = ControllerSettings {
        node_id: 1,
        cluster_id,
        state_dir: path.join("__cluster_metadata-0"),
        directory_id: id,
        endpoints: vec![Endpoint {
            name: "PLAINTEXT".into(),
            host: "localhost".into(),
            port: 9092,
            security_protocol: 0,
        }],
        rack: None,
        controller_endpoints: Vec::new(),
        log_dirs: vec![id],
        supported_features: BTreeMap::new(),
        num_partitions: 1,
        default_replication_factor: 1,
        topic_limit: 10_000,
        partition_limit: 100_000,
        queue_requests: 100,
    };
    let rules = Rc::new(Config::for_tests(path));
    let controller =
        Controller::start(runtime, EngineLog::open(runtime, log), settings, rules).await.unwrap();
    let mut directories = recovery.directories;
    let cluster_id = controller.image().cluster_id.clone();
    directories.first_mut().unwrap().format(runtime, &cluster_id, 1).await.unwrap();
    (manager, controller, directories)
}

fn new_topic(name: &str, num_partitions: i32) -> NewTopic {
    NewTopic { name: name.into(), num_partitions, replication_factor: -1, ..NewTopic::default() }
}

async fn run(runtime: Runtime, path: PathBuf) {
    for life in 0..2 {
        let started = Instant::now();
        let (manager, controller, directories) = boot(&runtime, &path).await;
        println!("life {life} started in {:?}", started.elapsed());
        let started = Instant::now();
        let topics = vec![new_topic(&format!("wide-{life}"), 2_000), new_topic(&format!("small-{life}"), 1)];
        controller.handle(ControllerRequest::CreateTopics { topics, validate_only: false }).await;
        println!("2,001 partitions in the image after {:?}", started.elapsed());
        let ops = vec![ConfigOp { name: "retention.ms".into(), op: 0, value: Some("5".into()) }];
        let resource = AlterConfigs { resource_type: 2, resource_name: format!("small-{life}"), ops };
        let request =
            ControllerRequest::IncrementalAlterConfigs { resources: vec![resource], validate_only: false };
        controller.handle(request).await;
        let broker_epoch = controller.image().broker(1).unwrap().epoch;
        controller.handle(ControllerRequest::AllocateProducerIds { broker_id: 1, broker_epoch }).await;
        if life == 1 {
            let topics = vec![TopicSelector::Name("small-0".into())];
            controller.handle(ControllerRequest::DeleteTopics { topics }).await;
        }
        controller.stop().await;
        let report = manager.shutdown().await;
        finish_clean_stop(&runtime, &directories, vec![report], broker_epoch).await.unwrap();
    }
}

#[test]
#[ignore = "needs Apache Kafka's jars; KAFKA_TOOL is tests/peers/kafka/tool"]
fn kafkas_dump_log_reads_the_metadata_log() {
    let tool = std::env::var("KAFKA_TOOL").expect("KAFKA_TOOL names the script that runs Kafka's tools");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    let inside = path.clone();
    shards::run_one(|runtime| async move { run(runtime, inside).await });
    let log = path.join("__cluster_metadata-0/00000000000000000000.log");
    let output = Command::new(tool)
        .args(["dump-log", "--cluster-metadata-decoder", "--files"])
        .arg(&log)
        .output()
        .expect("Kafka's tool runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{}", text.lines().filter(|line| !line.contains("PARTITION")).collect::<Vec<_>>().join("\n"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("LeaderChange:"), 2);
    assert_eq!(count("KRaftVoters"), 1);
    assert_eq!(count("\"type\":\"PARTITION_RECORD\""), 4_002);
    assert_eq!(count("\"type\":\"PARTITION_CHANGE_RECORD\""), 2_001);
    assert_eq!(count("\"type\":\"REGISTER_BROKER_RECORD\""), 2);
    assert_eq!(count("\"type\":\"REMOVE_TOPIC_RECORD\""), 1);
    assert_eq!(count("\"type\":\"PRODUCER_IDS_RECORD\""), 2);
    assert_eq!(count("isvalid: false"), 0);
    assert!(!text.contains("Exception") && !text.contains("Could not"), "{text:.2000}");
}
