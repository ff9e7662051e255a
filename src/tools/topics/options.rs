//! The options of `topics`, and which of them go together.

use clap::Command;

use crate::tools::options::{Options, Stop, command, flag, value};
use crate::tools::output::say;

const ACTIONS: &[&str] = &["create", "list", "alter", "describe", "delete"];

const REPORTS: &[&str] = &[
    "under-replicated-partitions",
    "under-min-isr-partitions",
    "at-min-isr-partitions",
    "unavailable-partitions",
];

/// Which actions an option goes with.
const ONLY_WITH: &[(&str, &[&str])] = &[
    ("config", &["create"]),
    ("partitions", &["alter", "create"]),
    ("replication-factor", &["create"]),
    ("replica-assignment", &["create", "alter"]),
    ("under-replicated-partitions", &["describe"]),
    ("under-min-isr-partitions", &["describe"]),
    ("at-min-isr-partitions", &["describe"]),
    ("unavailable-partitions", &["describe"]),
    ("topics-with-overrides", &["describe"]),
    ("if-exists", &["alter", "delete", "describe"]),
    ("if-not-exists", &["create"]),
    ("exclude-internal", &["list", "describe"]),
];

pub(super) fn declare() -> Command {
    command("topics", "Creates, deletes, describes, lists or grows topics.")
        .arg(value("bootstrap-server", "host:port,...", "Brokers to connect to first. Required."))
        .arg(value("command-config", "file", "Properties of the client."))
        .arg(flag("create", "Create a topic."))
        .arg(flag("delete", "Delete topics."))
        .arg(flag("alter", "Give a topic more partitions."))
        .arg(flag("list", "List topics."))
        .arg(flag("describe", "Show topics with their partitions."))
        .arg(value("topic", "topic", "The topic; a regular expression except with --create."))
        .arg(value("topic-id", "id", "The id of the topic to describe."))
        .arg(value(
            "partitions",
            "number",
            "Partitions to have; the cluster's default if not given with --create.",
        ))
        .arg(value(
            "replication-factor",
            "number",
            "Replicas of each partition; the cluster's default if not given.",
        ))
        .arg(value("replica-assignment", "1:2,2:3,...", "Brokers for the replicas of each partition."))
        .arg(value("config", "name=value", "A config of the topic to create; may be repeated."))
        .arg(value("delete-config", "name", "No longer supported.").hide(true))
        .arg(flag("if-exists", "Do nothing if the topic does not exist."))
        .arg(flag("if-not-exists", "Do nothing if the topic exists."))
        .arg(flag("exclude-internal", "Leave Kafka's own topics out."))
        .arg(flag(
            "topics-with-overrides",
            "Describe only topics with configs of their own, without partitions.",
        ))
        .arg(flag(
            "under-replicated-partitions",
            "Describe only partitions with replicas that are not in sync.",
        ))
        .arg(flag(
            "under-min-isr-partitions",
            "Describe only partitions with fewer in sync than min.insync.replicas.",
        ))
        .arg(flag(
            "at-min-isr-partitions",
            "Describe only partitions with exactly min.insync.replicas in sync.",
        ))
        .arg(flag("unavailable-partitions", "Describe only partitions without a living leader."))
        .arg(value(
            "partition-size-limit-per-response",
            "number",
            "Partitions in one answer to --describe at most.",
        ))
}

/// The one action, after everything is checked.
pub(super) fn check(options: &Options) -> Result<&'static str, Stop> {
    let actions: Vec<_> = ACTIONS.iter().filter(|action| options.has(action)).collect();
    let [action] = actions[..] else {
        let text =
            "Command must include exactly one action: --list, --describe, --create, --alter or --delete";
        return Err(options.usage_error(text));
    };
    if options.has("delete-config") {
        let text = "delete-config option is no longer supported and deprecated since version 4.0.";
        return Err(Stop::Line(text.to_owned()));
    }
    if !options.has("bootstrap-server") {
        return Err(Stop::Line("--bootstrap-server must be specified".to_owned()));
    }
    let topic = options.has("topic");
    if *action == "describe" && options.has("if-exists") && !topic && !options.has("topic-id") {
        return Err(options.usage_error("--topic or --topic-id is required to describe a topic"));
    }
    if *action == "describe" && topic && options.has("topic-id") {
        say!(
            "Only topic id will be used when both --topic and --topic-id are specified and topicId is not Uuid.ZERO_UUID"
        );
    }
    if !matches!(*action, "list" | "describe") {
        options.require(&["topic"])?;
    }
    if *action == "alter" {
        if options.has("config") {
            return Err(options.usage_error(
                "Option combination \"[[config], [bootstrap-server]]\" can't be used with option \"[alter]\" \
                 (To alter topic configurations, the kafka-configs tool can be used.)",
            ));
        }
        options.require(&["partitions"])?;
    }
    for (option, allowed) in ONLY_WITH {
        if !allowed.contains(action) {
            options.exclude(option, &[action])?;
        }
    }
    if *action == "create" {
        options.exclude("replica-assignment", &["partitions", "replication-factor"])?;
    }
    options.exclude("topics-with-overrides", REPORTS)?;
    Ok(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(line: &str) -> Result<&'static str, Stop> {
        let args = line.split_whitespace().map(Into::into).collect();
        check(&Options::parse(declare(), args).unwrap())
    }

    #[test]
    fn combinations_are_checked_as_by_kafka() {
        let good = [
            "--list",
            "--describe --topic a",
            "--create --topic a --partitions 3",
            "--alter --topic a --partitions 4",
        ];
        for line in good {
            assert!(checked(&format!("--bootstrap-server a:1 {line}")).is_ok(), "{line}");
        }
        let bad = [
            ("--topic a", "Command must include exactly one action"),
            ("--list --create", "Command must include exactly one action"),
            ("--delete", "Missing required argument \"[topic]\""),
            ("--alter --topic a", "Missing required argument \"[partitions]\""),
            ("--list --partitions 3", "Option \"[partitions]\" can't be used with option \"[list]\""),
            (
                "--describe --topics-with-overrides --unavailable-partitions",
                "Option \"[topics-with-overrides]\"",
            ),
            (
                "--create --topic a --replica-assignment 1 --partitions 2",
                "Option \"[replica-assignment]\" can't be used with option \"[partitions]\"",
            ),
        ];
        for (line, text) in bad {
            let Err(Stop::Usage(said)) = checked(&format!("--bootstrap-server a:1 {line}")) else {
                panic!("{line}")
            };
            assert!(said.starts_with(text), "{line}: {said}");
        }
        assert!(matches!(checked("--list"), Err(Stop::Line(_))));
    }
}
