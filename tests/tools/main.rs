//! The tools against a broker that runs already: its address stands in MILLRACE_TEST_BOOTSTRAP (ours or Apache
//! Kafka's). Without it, every test says that it skips.

#![allow(missing_docs, clippy::unwrap_used)]

mod admin;
mod measure;
mod support;

use std::time::Duration;

use support::{Tool, bootstrap, unique};

#[test]
fn a_topic_lives_and_dies() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("life");
    let topics = |rest: &[&str]| Tool::new("topics", &broker).args(rest).run();
    let made =
        topics(&["--create", "--topic", &topic, "--partitions", "3", "--config", "retention.ms=3600000"]);
    assert_eq!(
        (made.code, made.out.lines().last()),
        (0, Some(format!("Created topic {topic}.").as_str())),
        "{made:?}"
    );

    let again = topics(&["--create", "--topic", &topic]);
    let text = format!("Error while executing topic command : Topic '{topic}' already exists.\n");
    assert_eq!((again.code, again.out), (1, text));
    assert!(again.err.contains("ERROR org.apache.kafka.common.errors.TopicExistsException"), "{}", again.err);
    assert_eq!(topics(&["--create", "--topic", &topic, "--if-not-exists"]).code, 0);

    assert!(topics(&["--list"]).out.lines().any(|line| line == topic));
    let shown = topics(&["--describe", "--topic", &topic]).out;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    assert!(lines[0].starts_with(&format!("Topic: {topic}\tTopicId: ")), "{shown}");
    assert!(lines[0].contains("\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: "), "{shown}");
    assert!(lines[0].contains("retention.ms=3600000"), "{shown}");
    assert!(lines[3].starts_with(&format!("\tTopic: {topic}\tPartition: 2\tLeader: ")), "{shown}");
    assert_eq!(topics(&["--describe", "--unavailable-partitions", "--topic", &topic]).out, "");

    assert_eq!(topics(&["--alter", "--topic", &topic, "--partitions", "5"]).code, 0);
    assert!(topics(&["--describe", "--topic", &topic]).out.contains("PartitionCount: 5"));
    assert_eq!(topics(&["--alter", "--topic", &topic, "--partitions", "2"]).code, 1);
    assert_eq!(topics(&["--delete", "--topic", &topic]).code, 0);
    let gone = topics(&["--delete", "--topic", &topic]);
    let text = format!("Error while executing topic command : Topic '{topic}' does not exist as expected\n");
    assert_eq!((gone.code, gone.out), (1, text));
    assert_eq!(topics(&["--delete", "--topic", &topic, "--if-exists"]).code, 0);
}

#[test]
fn what_is_produced_is_consumed_with_every_codec() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("codecs");
    support::create(&broker, &topic, 1);
    let mut sent = String::new();
    for codec in ["none", "gzip", "snappy", "lz4", "zstd"] {
        let lines: String = (0..500).map(|at| format!("{codec} {at}\n")).collect();
        let produced = Tool::new("console-producer", &broker)
            .args(&["--topic", &topic, "--compression-codec", codec])
            .input(&lines)
            .run();
        assert_eq!((produced.code, produced.err.as_str()), (0, ""), "{codec}");
        sent.push_str(&lines);
    }
    let read = Tool::new("console-consumer", &broker)
        .args(&["--topic", &topic, "--partition", "0", "--offset", "earliest", "--max-messages", "2500"])
        .run();
    assert_eq!(read.out, sent);
    assert!(read.err.ends_with("Processed a total of 2500 messages\n"), "{}", read.err);
    let middle = Tool::new("console-consumer", &broker)
        .args(&["--topic", &topic, "--partition", "0", "--offset", "1234", "--max-messages", "1"])
        .run();
    assert_eq!(middle.out, "snappy 234\n");
}

#[test]
fn keys_headers_and_nulls_survive_and_keys_go_where_javas_producer_sends_them() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("keys");
    support::create(&broker, &topic, 10);
    let properties = ["parse.key=true", "parse.headers=true", "null.marker=NULL"]
        .map(|entry| ["--reader-property", entry]);
    let produced = Tool::new("console-producer", &broker)
        .args(&["--topic", &topic])
        .args(properties.as_flattened())
        .input("h1:a,h2:NULL\tabc\tv1\nNULL\tabc\tNULL\n")
        .run();
    assert_eq!((produced.code, produced.err.as_str()), (0, ""));
    let prints =
        ["print.key", "print.partition", "print.offset", "print.headers"].map(|key| format!("{key}=true"));
    let mut consumer = Tool::new("console-consumer", &broker).args(&[
        "--topic",
        &topic,
        "--from-beginning",
        "--max-messages",
        "2",
    ]);
    for print in &prints {
        consumer = consumer.args(&["--formatter-property", print]);
    }
    // murmur2 of "abc" is 479470107.
    assert_eq!(
        consumer.run().out,
        "Partition:7\tOffset:0\th1:a,h2:null\tabc\tv1\nPartition:7\tOffset:1\tNO_HEADERS\tabc\tnull\n"
    );
}

#[test]
fn a_group_goes_on_where_it_committed() {
    let Some(broker) = bootstrap() else { return };
    let (topic, group) = (unique("commits"), unique("group"));
    support::create(&broker, &topic, 3);
    let lines: Vec<String> = (0..3000).map(|at| format!("line {at}")).collect();
    support::produce(&broker, &topic, &lines);
    let read = |rest: &[&str]| {
        let common = ["--topic", &topic, "--group", &group, "--from-beginning"];
        Tool::new("console-consumer", &broker).args(&common).args(rest).run()
    };
    let first = read(&["--max-messages", "1111"]);
    let second = read(&["--timeout-ms", "5000"]);
    let mut seen: Vec<&str> = first.out.lines().chain(second.out.lines()).collect();
    assert_eq!((first.out.lines().count(), seen.len()), (1111, 3000), "{}", second.err);
    seen.sort_unstable();
    let mut wanted: Vec<&str> = lines.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(seen, wanted);
    assert!(second.err.ends_with("Processed a total of 1889 messages\n"), "{}", second.err);
}

#[test]
fn an_interrupted_member_leaves_at_once_and_the_others_take_over() {
    let Some(broker) = bootstrap() else { return };
    let (topic, group) = (unique("leave"), unique("group"));
    support::create(&broker, &topic, 4);
    let consumer = || {
        Tool::new("console-consumer", &broker).args(&[
            "--topic",
            &topic,
            "--group",
            &group,
            "--from-beginning",
        ])
    };
    let mut one = consumer().start();
    support::produce(&broker, &topic, &(0..100).map(|at| format!("a{at}")).collect::<Vec<_>>());
    one.wait_for(100, Duration::from_secs(20));
    let mut two = consumer().start();
    // Both have partitions now.
    std::thread::sleep(Duration::from_secs(6));
    one.interrupt();
    let one = one.finish();
    assert_eq!(one.code, 130, "{}", one.err);
    // A member that had only fallen silent would be missed after 45 seconds.
    support::produce(&broker, &topic, &(0..100).map(|at| format!("b{at}")).collect::<Vec<_>>());
    two.wait_for(100, Duration::from_secs(20));
    two.interrupt();
    let two = two.finish();
    let mut all: Vec<&str> = one.out.lines().chain(two.out.lines()).collect();
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!((count, all.len()), (200, 200));
}

#[test]
fn the_performance_test_says_how_fast_it_was() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("perf");
    support::create(&broker, &topic, 4);
    for acks in ["0", "1", "all"] {
        let done = Tool::without_bootstrap("producer-perf-test")
            .args(&[
                "--topic",
                &topic,
                "--num-records",
                "50000",
                "--record-size",
                "100",
                "--throughput",
                "-1",
            ])
            .args(&["--command-property", &format!("bootstrap.servers={broker}"), &format!("acks={acks}")])
            .run();
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        let last = done.out.lines().last().unwrap_or_default();
        assert!(last.starts_with("50000 records sent, ") && last.ends_with(" ms 99.9th."), "{}", done.out);
    }
    let group = unique("group");
    let read = Tool::new("console-consumer", &broker)
        .args(&[
            "--topic",
            &topic,
            "--group",
            &group,
            "--from-beginning",
            "--max-messages",
            "150000",
            "--timeout-ms",
            "20000",
        ])
        .run();
    assert_eq!(read.out.lines().count(), 150_000, "{}", read.err);
    assert!(read.out.lines().all(|line| line.len() == 100));
}

#[test]
fn faults_are_said_and_end_with_a_code() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("faults");
    support::create(&broker, &topic, 1);
    let bad = Tool::new("console-producer", &broker)
        .args(&["--topic", &topic, "--reader-property", "parse.key=true"])
        .input("k\tv\nnokey\nk\tnever\n")
        .run();
    let text = "org.apache.kafka.common.KafkaException: No key separator found on line number 2: 'nokey'\n";
    assert_eq!((bad.code, bad.err.as_str()), (1, text));
    let large = Tool::new("console-producer", &broker)
        .args(&["--topic", &topic, "--sync", "--command-property", "max.request.size=20"])
        .input("too long for this\n")
        .run();
    assert!(large.code == 1 && large.err.contains("RecordTooLargeException"), "{large:?}");
    // Nobody listens on port 1.
    let nobody = Tool::new("console-producer", "127.0.0.1:1")
        .args(&["--topic", &topic, "--sync", "--max-block-ms", "500"])
        .input("x\n")
        .run();
    assert!(nobody.code == 1 && nobody.err.contains("TimeoutException"), "{nobody:?}");
    for refused in [["--formatter", "foo.Bar"], ["--command-property", "security.protocol=SSL"]] {
        let done = Tool::new("console-consumer", &broker).args(&["--topic", &topic]).args(&refused).run();
        assert!(done.code == 1 && done.err.contains("is not served"), "{done:?}");
    }
}
