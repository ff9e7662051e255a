//! Tools that measure a cluster, and those that say what they did for tests.

use std::time::Duration;

use serde_json::Value;

use super::support::{self, Tool, bootstrap, unique};

#[test]
fn the_performance_test_of_consumers_has_kafkas_columns() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("consume");
    support::create(&broker, &topic, 3);
    support::produce(&broker, &topic, &vec!["x".repeat(100); 3000]);
    let test =
        |rest: &[&str]| Tool::new("consumer-perf-test", &broker).args(&["--topic", &topic]).args(rest).run();
    let done = test(&["--num-records", "3000"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(
        lines[0],
        "start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, \
         fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec"
    );
    let columns: Vec<&str> = lines[1].split(", ").collect();
    // 300,000 bytes.
    assert_eq!(
        (lines.len(), columns.len(), columns[2], columns[4]),
        (2, 10, "0.2861", "3000"),
        "{}",
        done.out
    );
    let few = test(&["--messages", "9999", "--timeout", "2000", "--hide-header"]);
    assert_eq!(few.code, 0, "{}", few.err);
    assert!(
        few.out.starts_with("Warning: --messages is deprecated. Use --num-records instead.\n"),
        "{}",
        few.out
    );
    assert!(
        few.out.contains(
            "WARNING: Exiting before consuming the expected number of records: timeout (2000 ms) exceeded."
        ),
        "{}",
        few.out
    );
}

#[test]
fn latency_is_measured_from_end_to_end() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("latency");
    let options =
        ["--topic", &topic, "--num-records", "50", "--producer-acks", "all", "--record-size", "100"];
    let headers = ["--num-headers", "2", "--record-header-key-size", "3", "--record-header-size", "-1"];
    let done = Tool::new("e2e-latency", &broker).args(&options).args(&headers).run();
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let lines: Vec<&str> = done.out.lines().collect();
    let text = format!(
        "Topic \"{topic}\" does not exist. Will create topic with 1 partition(s) and replication factor = 1"
    );
    assert_eq!((lines.len(), lines[0]), (4, text.as_str()));
    assert!(lines[1].starts_with("0\t"), "{}", lines[1]);
    assert!(lines[2].starts_with("Avg latency: ") && lines[2].ends_with(" ms"), "{}", lines[2]);
    assert!(lines[3].starts_with("Percentiles: 50th = "), "{}", lines[3]);
    let old = Tool::without_bootstrap("e2e-latency").args(&[&broker, &topic, "5", "1", "20"]).run();
    assert_eq!(old.code, 0, "{}", old.err);
    assert!(old.out.starts_with("WARNING: Positional argument usage is deprecated"), "{}", old.out);
}

fn events(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["name"] == name).collect()
}

#[test]
fn the_verifiable_tools_say_what_they_did() {
    let Some(broker) = bootstrap() else { return };
    let (topic, group) = (unique("verify"), unique("group"));
    support::create(&broker, &topic, 2);
    let produced = Tool::new("verifiable-producer", &broker)
        .args(&["--topic", &topic, "--max-messages", "100", "--repeating-keys", "10", "--value-prefix", "7"])
        .run();
    assert_eq!((produced.code, produced.err.as_str()), (0, ""));
    let said = events(&produced.out);
    assert_eq!(said[0]["name"], "startup_complete");
    let sent = named(&said, "producer_send_success");
    assert_eq!(sent.len(), 100);
    assert!(sent.iter().all(|sent| sent["value"].as_str().unwrap().starts_with("7.")));
    // Each partition counts from 0 on.
    for partition in 0..2 {
        let offsets: Vec<i64> = sent
            .iter()
            .filter(|sent| sent["partition"] == partition)
            .map(|sent| sent["offset"].as_i64().unwrap())
            .collect();
        assert_eq!(offsets, (0..offsets.len() as i64).collect::<Vec<_>>());
    }
    let data = said.last().unwrap();
    assert_eq!(
        (&data["name"], &data["sent"], &data["acked"]),
        (&"tool_data".into(), &100.into(), &100.into())
    );

    let consumer = |rest: &[&str]| {
        let common = ["--topic", &topic, "--group-id", &group];
        Tool::new("verifiable-consumer", &broker).args(&common).args(rest)
    };
    let consumed = consumer(&["--max-messages", "60", "--verbose"]).run();
    assert_eq!((consumed.code, consumed.err.as_str()), (0, ""));
    let said = events(&consumed.out);
    let names: Vec<&str> = said.iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["startup_complete", "partitions_assigned"]);
    assert_eq!(names[names.len() - 3..], ["partitions_revoked", "shutdown_complete", "shutdown_requested"]);
    assert_eq!(named(&said, "record_data").len(), 60);
    let commits = named(&said, "offsets_committed");
    assert!(
        !commits.is_empty() && commits.iter().all(|commit| commit["success"] == true),
        "{}",
        consumed.out
    );

    // The next member goes on behind the commit, until it is told to stop.
    let mut rest = consumer(&["--verbose"]).start();
    rest.wait_for(2 + 40 + 2, Duration::from_secs(30));
    rest.interrupt();
    let rest = rest.finish();
    assert_eq!(rest.code, 130, "{}", rest.err);
    let said = events(&rest.out);
    assert_eq!(named(&said, "record_data").len(), 40, "{}", rest.out);
    assert_eq!(named(&said, "shutdown_requested").len(), 1);
    let mut values: Vec<i64> = named(&events(&consumed.out), "record_data")
        .into_iter()
        .chain(named(&said, "record_data"))
        .map(|event| event["value"].as_str().unwrap().trim_start_matches("7.").parse().unwrap())
        .collect();
    values.sort_unstable();
    assert_eq!(values, (0..100).collect::<Vec<_>>());
}

#[test]
fn a_send_that_fails_is_said() {
    // Nobody listens on port 1.
    let path = support::scratch("max.block.ms=300\n");
    let done = Tool::new("verifiable-producer", "127.0.0.1:1")
        .args(&["--topic", "t", "--max-messages", "2", "--command-config", &path])
        .run();
    assert_eq!(done.code, 0, "{}", done.err);
    let said = events(&done.out);
    let errors = named(&said, "producer_send_error");
    assert_eq!(errors.len(), 2, "{}", done.out);
    assert_eq!(errors[1]["exception"], "class org.apache.kafka.common.errors.TimeoutException");
    assert_eq!(errors[1]["message"], "Topic t not present in metadata after 300 ms.");
    assert_eq!((&said.last().unwrap()["sent"], &said.last().unwrap()["acked"]), (&2.into(), &0.into()));
}
