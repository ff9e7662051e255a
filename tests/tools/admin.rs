//! Tools of an administrator.

use serde_json::Value;

use super::support::{self, Done, Tool, bootstrap, scratch, unique};

fn run(tool: &str, broker: &str, args: &[&str]) -> Done {
    Tool::new(tool, broker).args(args).run()
}

/// That an API which not every broker has was used, or that its absence was said.
fn done_or_unsupported(done: &Done) -> bool {
    let unsupported =
        done.err.contains("UnsupportedVersionException") || done.err.contains("does not support");
    assert!(done.code == 0 || (done.code == 1 && unsupported), "{done:?}");
    done.code == 0
}

#[test]
fn offsets_are_told_and_records_deleted() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("offsets");
    support::create(&broker, &topic, 1);
    support::produce(&broker, &topic, &(0..5).map(|at| format!("line {at}")).collect::<Vec<_>>());
    let offsets = |rest: &[&str]| {
        let done = run("get-offsets", &broker, &[&["--topic", &topic], rest].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        done.out
    };
    let at = |offset: i64| format!("{topic}:0:{offset}\n");
    assert_eq!(offsets(&[]), at(5));
    assert_eq!(offsets(&["--time", "-1", "--partitions", "0,7"]), at(5));
    for time in ["earliest", "-2", "earliest-local", "0"] {
        assert_eq!(offsets(&["--time", time]), at(0), "{time}");
    }
    assert!(offsets(&["--time", "max-timestamp"]).starts_with(&format!("{topic}:0:")));
    // Nothing is in tiered storage, and nothing is from the future.
    assert_eq!(
        (offsets(&["--time", "-5"]), offsets(&["--time", "99999999999999"])),
        (String::new(), String::new())
    );
    let rules = run("get-offsets", &broker, &["--topic-partitions", &format!("nothing:3,{topic}:0-1")]);
    assert_eq!(rules.out, at(5));
    let none = run("get-offsets", &broker, &["--topic", &unique("none")]);
    let text = "Error occurred: Could not match any topic-partitions with the specified filters\n";
    assert_eq!((none.code, none.out.as_str(), none.err.as_str()), (1, "", text));

    let file = scratch(&format!(
        r#"{{"partitions": [{{"topic": "{topic}", "partition": 0, "offset": 3}}], "version": 1}}"#
    ));
    let deleted = run("delete-records", &broker, &["--offset-json-file", &file]);
    let text = format!(
        "Executing records delete operation\nRecords delete operation completed:\npartition: {topic}-0\tlow_watermark: 3\n"
    );
    assert_eq!((deleted.code, deleted.out), (0, text), "{}", deleted.err);
    assert_eq!(offsets(&["--time", "earliest"]), at(3));
    let file =
        scratch(&format!(r#"{{"partitions": [{{"topic": "{topic}", "partition": 0, "offset": 99}}]}}"#));
    let beyond = run("delete-records", &broker, &["--offset-json-file", &file]);
    assert_eq!(beyond.code, 0);
    let text =
        format!("partition: {topic}-0\terror: org.apache.kafka.common.errors.OffsetOutOfRangeException: ");
    assert!(beyond.out.contains(&text), "{}", beyond.out);
    let bad = run("delete-records", &broker, &["--offset-json-file", &scratch("no json")]);
    assert!(bad.code == 1 && bad.err == "The input string is not a valid JSON\n", "{bad:?}");
}

#[test]
fn partitions_come_in_the_order_of_their_names() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("order");
    support::create(&broker, &topic, 11);
    let done = run("get-offsets", &broker, &["--topic", &topic]);
    let partitions: Vec<&str> = done.out.lines().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(partitions, ["0", "1", "10", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[test]
fn configs_of_topics_are_set_shown_and_removed() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("configs");
    support::create(&broker, &topic, 1);
    let configs = |rest: &[&str]| run("configs", &broker, rest);
    let changed = configs(&[
        "--alter",
        "--entity-type",
        "topics",
        "--entity-name",
        &topic,
        "--add-config",
        "retention.ms=3600000,cleanup.policy=[compact,delete]",
    ]);
    let text = format!("Completed updating config for topic {topic}.\n");
    assert_eq!((changed.code, changed.out), (0, text), "{}", changed.err);
    let shown = configs(&["--describe", "--topic", &topic]).out;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], format!("Dynamic configs for topic {topic} are:"));
    let policy = "  cleanup.policy=compact,delete sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:cleanup.policy=compact,delete, ";
    assert!(lines[1].starts_with(policy), "{shown}");
    assert!(
        lines[2].starts_with("  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:"),
        "{shown}"
    );
    assert_eq!(lines.len(), 3, "{shown}");
    let all = configs(&["--describe", "--topic", &topic, "--all"]).out;
    assert!(
        all.starts_with(&format!("All configs for topic {topic} are:\n")) && all.lines().count() > 20,
        "{all}"
    );
    // Removing what is not set is no mistake.
    let unset = configs(&["--alter", "--topic", &topic, "--delete-config", "segment.ms"]);
    assert_eq!(unset.code, 0, "{}", unset.err);
    let bad = configs(&["--alter", "--topic", &topic, "--add-config", "retention.ms=soon"]);
    assert!(bad.code == 1 && bad.err.contains("errors.InvalidConfigurationException: "), "{bad:?}");
    let removed = configs(&["--alter", "--topic", &topic, "--delete-config", "retention.ms,cleanup.policy"]);
    assert_eq!(removed.code, 0, "{}", removed.err);
    let shown = configs(&["--describe", "--topic", &topic]).out;
    assert_eq!(shown, format!("Dynamic configs for topic {topic} are:\n"));
    let gone = unique("gone");
    let missing = configs(&["--describe", "--topic", &gone]);
    let text = format!("The topic '{gone}' doesn't exist and doesn't have dynamic config.\n");
    assert_eq!((missing.code, missing.out), (0, text));
}

#[test]
fn configs_of_others_are_shown() {
    let Some(broker) = bootstrap() else { return };
    let brokers = run("configs", &broker, &["--describe", "--entity-type", "brokers"]);
    assert_eq!(brokers.code, 0, "{}", brokers.err);
    assert!(brokers.out.starts_with("Dynamic configs for broker "), "{}", brokers.out);
    assert!(brokers.out.contains("Default configs for brokers in the cluster are:\n"), "{}", brokers.out);
    let nobody = run("configs", &broker, &["--describe", "--broker", "987654"]);
    assert_eq!(nobody.out, "The broker '987654' doesn't exist and doesn't have dynamic config.\n");
    let client = unique("client");
    let set = [
        "--alter",
        "--client",
        &client,
        "--add-config",
        "producer_byte_rate=1048576,request_percentage=12.5",
    ];
    if done_or_unsupported(&run("configs", &broker, &set)) {
        let shown = run("configs", &broker, &["--describe", "--client", &client]).out;
        let (front, quotas) = shown.trim_end().split_once(" are ").unwrap();
        assert_eq!(front, format!("Quota configs for client-id '{client}'"));
        let mut quotas: Vec<&str> = quotas.split(", ").collect();
        quotas.sort_unstable();
        assert_eq!(quotas, ["producer_byte_rate=1048576.0", "request_percentage=12.5"]);
        let remove =
            ["--alter", "--client", &client, "--delete-config", "producer_byte_rate,request_percentage"];
        assert_eq!(run("configs", &broker, &remove).code, 0);
    }
    done_or_unsupported(&run("configs", &broker, &["--describe", "--entity-type", "users"]));
    let wrong = run("configs", &broker, &["--alter", "--client", &client, "--add-config", "frob=1"]);
    let text = "Only quota configs can be added for 'clients' using --bootstrap-server. Unexpected config names: frob\n";
    assert_eq!((wrong.code, wrong.err.as_str()), (1, text));
}

#[test]
fn log_directories_are_shown_as_json() {
    let Some(broker) = bootstrap() else { return };
    let topic = unique("dirs");
    support::create(&broker, &topic, 2);
    support::produce(&broker, &topic, &["something".to_owned()]);
    let done = run("log-dirs", &broker, &["--describe", "--topic-list", &topic]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "Querying brokers for log directories information"));
    assert!(lines[1].starts_with("Received log directory information from brokers "), "{}", lines[1]);
    assert!(lines[2].starts_with("{\"brokers\":[{\"broker\":"), "{}", lines[2]);
    let json: Value = serde_json::from_str(lines[2]).unwrap();
    assert_eq!(json["version"], 1);
    let dirs =
        json["brokers"].as_array().unwrap().iter().flat_map(|broker| broker["logDirs"].as_array().unwrap());
    let replicas: Vec<&Value> = dirs.flat_map(|dir| dir["partitions"].as_array().unwrap()).collect();
    let mut names: Vec<&str> =
        replicas.iter().map(|replica| replica["partition"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, [format!("{topic}-0"), format!("{topic}-1")]);
    assert!(replicas.iter().map(|replica| replica["size"].as_i64().unwrap()).sum::<i64>() > 0);
    let nobody = run("log-dirs", &broker, &["--describe", "--broker-list", "987654"]);
    let text = "ERROR: The given brokers do not exist from --broker-list: 987654. Current existent brokers: ";
    assert!(nobody.code == 1 && nobody.err.starts_with(text), "{nobody:?}");
}

#[test]
fn versions_and_features_are_shown() {
    let Some(broker) = bootstrap() else { return };
    let versions = run("broker-api-versions", &broker, &[]);
    assert_eq!(versions.code, 0, "{}", versions.err);
    let lines: Vec<&str> = versions.out.lines().collect();
    assert!(lines[0].contains(" (id: ") && lines[0].ends_with(" isFenced: false) -> ("), "{}", lines[0]);
    assert!(lines[1].starts_with("\tProduce(0): 0 to ") && lines[1].contains(" [usable: "), "{}", lines[1]);
    assert_eq!(lines.last(), Some(&")"));
    let features = run("features", &broker, &["describe"]);
    assert_eq!(features.code, 0, "{}", features.err);
    for line in features.out.lines() {
        assert!(line.starts_with("Feature: ") && line.contains("  SupportedMinVersion: "), "{line}");
    }
    let mapping = Tool::without_bootstrap("features").args(&["version-mapping"]).run();
    let text = "metadata.version=33 (4.4-IV2)\nkraft.version=1\ntransaction.version=2\ngroup.version=1\n\
                eligible.leader.replicas.version=1\nshare.version=2\nstreams.version=1\n";
    assert_eq!((mapping.code, mapping.out.as_str()), (0, text));
    let refused = run("features", &broker, &["upgrade", "--feature", "frob=1"]);
    assert!(refused.code == 1 && refused.out.starts_with("Could not upgrade frob to 1. "), "{refused:?}");
    assert_eq!(refused.err, "1 out of 1 operation(s) failed.\n");
}
