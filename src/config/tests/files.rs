//! Files and the command line that are right.

use super::support::{load, properties, set, toml};
use crate::config::{Config, Durability};
use std::path::{Path, PathBuf};

#[test]
fn without_a_file_the_broker_listens_on_the_loopback_and_keeps_data_here() {
    let (config, warnings) = Config::load(None, &[]).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(config.node_id, 1);
    assert_eq!((config.listeners[0].host.as_str(), config.listeners[0].port), ("127.0.0.1", 9092));
    assert_eq!(config.advertised_listeners[0].host, "127.0.0.1");
    assert_eq!(config.log_dirs, [PathBuf::from("./data")]);
    assert_eq!(config.shards.cpus, None);
    assert_eq!(config.log.durability, Durability::Flush);
    assert_eq!(config.network.request_max_bytes, 104_857_600);
    assert_eq!(config.network.idle_ms, Some(600_000));
    assert_eq!(config.topic_defaults, crate::config::TopicConfig::default());
}

#[test]
fn the_comments_of_the_default_configuration_show_the_defaults() {
    let text = include_str!("../../../config/default.toml");
    let uncommented: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line))
        .filter(|line| {
            !["advertised_listeners", "rack", "cluster_id", "cpus", "journal_live_bytes"]
                .iter()
                .any(|key| line.starts_with(key))
        })
        .collect();
    let (shown, _) = load("all.toml", &uncommented.join("\n"), &[]).unwrap();
    let (default, _) = Config::load(None, &[]).unwrap();
    assert_eq!((&shown.log, &shown.shards), (&default.log, &default.shards));
    assert_eq!((&shown.network, &shown.topics), (&default.network, &default.topics));
    assert_eq!(shown.topic_defaults, default.topic_defaults);
    let ours = crate::config::broker_keys().filter(|key| key.name.starts_with("millrace."));
    for key in ours {
        let name = key.toml.unwrap().split_once('.').unwrap().1;
        assert!(text.contains(&format!("{name} =")), "{name} is not in default.toml");
    }
}

#[test]
fn the_ready_files_load() {
    for (name, warnings) in [("default.toml", 0), ("numa-node0.toml", 0), ("server.properties", 0)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config").join(name);
        let (config, given) = Config::load(Some(&path), &[]).unwrap();
        assert_eq!(given.len(), warnings, "{name}: {given:?}");
        assert_eq!(config.listeners.len(), 1);
    }
}

#[test]
fn toml_has_sections_of_ours_and_kafkas_keys_in_theirs() {
    let config = toml(
        r#"
        [server]
        node_id = 7
        listeners = ["PLAINTEXT://10.0.0.1:9092"]
        [topics]
        partitions = 0x10
        [shards]
        cpus = "8, 0-3"
        request_bytes = "1 GiB"
        [log]
        durability = "write"
        tail_idle_seal_ms = "2 s"
        dirs = ["/a", "/b"]
        [kafka]
        "message.max.bytes" = 2_000_000
        log.segment.bytes = 1048576
        log.retention.ms = -1
        min.insync.replicas = "2"
        log.cleanup.policy = ["compact", "delete"]
        "#,
    );
    assert_eq!((config.node_id, config.topics.num_partitions), (7, 16));
    assert_eq!(config.shards.cpus, Some(vec![0, 1, 2, 3, 8]));
    assert_eq!(config.shards.request_bytes, 1 << 30);
    assert_eq!((config.log.durability, config.log.tail_idle_seal_ms), (Durability::Write, 2_000));
    assert_eq!(config.log_dirs, [PathBuf::from("/a"), PathBuf::from("/b")]);
    let topic = config.topic_defaults;
    assert_eq!((topic.max_message_bytes, topic.segment_bytes), (2_000_000, 1 << 20));
    assert_eq!((topic.retention_ms, topic.min_insync_replicas), (None, 2));
    assert!(topic.cleanup.compact && topic.cleanup.delete);
}

#[test]
fn a_file_that_ran_kafka_runs_here() {
    let (config, warnings) = properties(
        "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.bootstrap.servers=localhost:9093\n\
         listeners=PLAINTEXT://:9092,CONTROLLER://:9093\ninter.broker.listener.name=PLAINTEXT\n\
         advertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093\n\
         controller.listener.names=CONTROLLER\n\
         listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL\n\
         num.network.threads=3\nnum.io.threads=8\nsocket.send.buffer.bytes=102400\n\
         socket.receive.buffer.bytes=102400\nsocket.request.max.bytes=104857600\nlog.dirs=/tmp/kraft-combined-logs\n\
         num.partitions=3\nnum.recovery.threads.per.data.dir=2\noffsets.topic.replication.factor=1\n\
         log.retention.hours=168\nlog.segment.bytes=1073741824\nlog.retention.check.interval.ms=300000\n",
    );
    assert_eq!((config.node_id, config.topics.num_partitions), (1, 3));
    assert_eq!(config.listeners.len(), 1);
    assert_eq!((config.listeners[0].name.as_str(), config.listeners[0].host.as_str()), ("PLAINTEXT", ""));
    assert_eq!(config.advertised_listeners.len(), 1);
    assert_eq!(config.advertised_listeners[0].host, "localhost");
    assert_eq!(config.log_dirs, [PathBuf::from("/tmp/kraft-combined-logs")]);
    assert_eq!(
        warnings,
        [
            "known to Kafka and without effect yet: controller.quorum.bootstrap.servers, \
             inter.broker.listener.name, num.io.threads, num.network.threads, num.recovery.threads.per.data.dir, \
             socket.receive.buffer.bytes, socket.send.buffer.bytes",
            "listeners: CONTROLLER://:9093 is for the controller and is not opened yet",
        ]
    );
}

#[test]
fn an_older_file_with_broker_id_and_keys_that_kafka_dropped_gets_one_warning_for_them() {
    let (config, warnings) = properties(
        "broker.id=5\nzookeeper.connect=localhost:2181\nlog.segmnt.bytes=1\nmy.plugin.setting=x\nlog.dir=/data\n\
         listener.name.internal.ssl.keystore.location=/k\nlistener.name.internal.plain.sasl.jaas.config=x\n",
    );
    assert_eq!(config.node_id, 5);
    assert_eq!(config.log_dirs, [PathBuf::from("/data")]);
    assert_eq!(
        warnings,
        [
            "server.properties: not known and ignored: zookeeper.connect (line 2), log.segmnt.bytes (line 3; did you \
             mean log.segment.bytes?), my.plugin.setting (line 4)",
            "known to Kafka and without effect yet: listener.name.internal.plain.sasl.jaas.config, \
             listener.name.internal.ssl.keystore.location",
        ]
    );
}

#[test]
fn a_properties_file_that_leaves_out_number_and_directory_is_told_what_is_used() {
    let (config, warnings) = load("server.properties", "", &[]).unwrap();
    assert_eq!((config.node_id, config.listeners[0].host.as_str()), (1, ""));
    assert_eq!(config.log_dirs, [PathBuf::from("/tmp/kafka-logs")]);
    assert_eq!(
        warnings,
        [
            "server.properties: node.id is not set and is 1 now; set it before the node joins others",
            "server.properties: log.dirs is not set; data goes to Kafka's default, /tmp/kafka-logs, which many \
             systems empty",
        ]
    );
    let (_, warnings) = load("server.properties", "", &["node.id=2", "log.dirs=/d"]).unwrap();
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn in_properties_the_last_of_a_key_wins_and_ours_have_a_prefix() {
    let (config, warnings) = properties(
        "num.partitions=1\nnum.partitions = 4\nmillrace.log.durability=memory\nmillrace.shards.cpus=1\n",
    );
    assert_eq!(config.topics.num_partitions, 4);
    assert_eq!((config.log.durability, config.shards.cpus), (Durability::Memory, Some(vec![1])));
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn the_command_line_takes_every_spelling_and_wins() {
    let file = "[topics]\npartitions = 2\n[kafka]\nlog.retention.ms = 5\n";
    let sets = [
        "topics.partitions=3",
        "millrace.log.durability=write",
        "shards.cpus=0",
        "log.retention.hours=1",
        "log.segment.bytes = 2097152",
        "log.segment.bytes=1048576",
        "broker.id=9",
    ];
    let (config, _) = load("millrace.toml", file, &sets).unwrap();
    assert_eq!((config.topics.num_partitions, config.node_id), (3, 9));
    assert_eq!((config.log.durability, config.shards.cpus), (Durability::Write, Some(vec![0])));
    assert_eq!(config.topic_defaults.retention_ms, Some(3_600_000));
    assert_eq!(config.topic_defaults.segment_bytes, 1 << 20);
    assert_eq!(
        set(&["max.connections.per.ip.overrides=10.0.0.1:5,[::1]:7"])
            .unwrap()
            .network
            .max_connections_per_ip_overrides,
        [("10.0.0.1".to_owned(), 5), ("::1".to_owned(), 7)].into()
    );
}

#[test]
fn a_key_without_effect_on_the_command_line_is_named_too() {
    let (_, warnings) = Config::load(None, &["num.io.threads=4".to_owned()]).unwrap();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].to_string(), "known to Kafka and without effect yet: num.io.threads");
}

#[test]
fn kafkas_minus_one_leaves_buffers_to_the_system_and_idle_connections_open() {
    let config = set(&["socket.send.buffer.bytes=-1", "connections.max.idle.ms=-1"]).unwrap();
    assert_eq!((config.network.send_buffer_bytes, config.network.idle_ms), (None, None));
    assert_eq!(config.network.receive_buffer_bytes, Some(102_400));
}

#[test]
fn the_configuration_for_tests_is_small_and_free() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config::for_tests(dir.path());
    assert_eq!(config.listeners[0].port, 0);
    assert!(config.log.allow_unsafe_filesystem);
}

#[test]
fn budgets_that_are_not_set_follow_what_is() {
    let config =
        set(&["socket.request.max.bytes=209715200", "shards.descriptors=100", "log.bypass_bytes=1 MiB"])
            .unwrap();
    assert_eq!((config.shards.request_bytes, config.shards.connections), (209_715_200, 60));
    assert_eq!((config.log.bypass_alone_bytes, config.log.journal_live_bytes), (1 << 20, None));
    assert_eq!((config.log.open_segments, config.log.open_writers, config.shards.partitions), (12, 24, 96));
}

#[test]
fn budgets_of_descriptors_follow_the_host() {
    let budgets = |sets: &[&str]| {
        let on_host = set(sets).unwrap().on_host(1, 1000).map_err(|error| error.to_string())?;
        let (shards, log) = (&on_host.shards, &on_host.log);
        Ok::<_, String>((shards.connections, log.open_segments, log.open_writers, shards.partitions))
    };
    assert_eq!(budgets(&[]), Ok((625, 125, 250, 1000)));
    assert_eq!(
        budgets(&["shards.connections=10", "log.open_writers=5", "shards.partitions=7"]),
        Ok((10, 125, 5, 7))
    );
    assert_eq!(budgets(&["shards.descriptors=80"]), Ok((50, 10, 20, 80)));
    let refused = budgets(&["shards.connections=1001"]).unwrap_err();
    assert!(refused.contains("must not exceed millrace.shards.descriptors, 1000"), "{refused}");
    // A dynamic change keeps what the host gave.
    let dynamic =
        set(&[]).unwrap().on_host(1, 1000).unwrap().with_dynamic(&Default::default(), &Default::default());
    assert_eq!(dynamic.unwrap().shards.connections, 625);
}
