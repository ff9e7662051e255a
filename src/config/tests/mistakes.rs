//! What is wrong gets one line: place, key, value, what is allowed.

use super::support::{load, properties_error, set, toml_error};
use crate::config::Config;
use std::path::Path;

#[test]
fn a_file_that_cannot_be_read() {
    let error = Config::load(Some(Path::new("/nowhere/millrace.toml")), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/nowhere/millrace.toml: cannot be read: No such file or directory (os error 2); name a file that this user \
         may read"
    );
}

#[test]
fn a_file_in_no_format() {
    let error = toml_error("[server]\nnode_id = \n");
    assert!(error.starts_with("millrace.toml:2: not TOML: ") && !error.contains('\n'), "{error}");
    let error = toml_error("[log]\ndurability = \"flush\"\ndurability = \"write\"\n");
    assert!(error.starts_with("millrace.toml:3: not TOML: duplicate key"), "{error}");
    let error = toml_error("[kafka]\nbroker.rack = 1979-05-27\n");
    assert_eq!(
        error,
        "millrace.toml:2: kafka.broker.rack: no key takes dates, or tables and lists in a list; write a text or a number"
    );
    let error = properties_error("node.id=1\nbroker.rack=\\u12\n");
    assert_eq!(
        error,
        "server.properties:2: a \\u without four hexadecimal digits; write \\\\ for a backslash"
    );
}

#[test]
fn a_toml_file_that_is_not_utf8() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("latin1.toml");
    std::fs::write(&path, b"[server]\nrack = \"\xe4\"\n").unwrap();
    let error = Config::load(Some(&path), &[]).unwrap_err().to_string();
    assert!(error.ends_with("latin1.toml:2: not UTF-8; save the file as UTF-8"), "{error}");
}

#[test]
fn a_value_of_the_wrong_type() {
    let cases = [
        (
            "num.partitions = \"many\"",
            "num.partitions = many: not a whole number; allowed: a whole number from 1 to 2147483647",
        ),
        (
            "num.partitions = 1.5",
            "num.partitions = 1.5: not a whole number; allowed: a whole number from 1 to 2147483647",
        ),
        ("num.partitions = 0", "num.partitions = 0: too small; allowed: a whole number from 1 to 2147483647"),
        (
            "log.segment.bytes = 3000000000",
            "log.segment.bytes = 3000000000: out of range; allowed: a whole number from 1048576 to 2147483647",
        ),
        ("log.roll.ms = 0", "log.roll.ms = 0: too small; allowed: a whole number, 1 or more"),
        ("log.roll.hours = 0", "log.roll.hours = 0: too small; allowed: a whole number from 1 to 2147483647"),
        (
            "log.index.size.max.bytes = 3",
            "log.index.size.max.bytes = 3: too small; allowed: a whole number from 4 to 2147483647",
        ),
        (
            "auto.create.topics.enable = \"yes\"",
            "auto.create.topics.enable = yes: not true or false; allowed: true or false",
        ),
        (
            "compression.type = \"lzma\"",
            "compression.type = lzma: not one of the values there are; allowed: one of uncompressed, zstd, lz4, snappy, gzip, producer",
        ),
        (
            "compression.gzip.level = 0",
            "compression.gzip.level = 0: out of range; allowed: a whole number from 1 to 9, or -1",
        ),
        (
            "compression.zstd.level = 23",
            "compression.zstd.level = 23: too large; allowed: a whole number from -131072 to 22",
        ),
        (
            "log.cleanup.policy = \"delete,\"",
            "log.cleanup.policy = delete,: has an empty element; allowed: any of compact, delete",
        ),
        (
            "log.cleanup.policy = \"keep\"",
            "log.cleanup.policy = keep: has an element that is not one of the values there are; allowed: any of compact, delete",
        ),
        (
            "log.cleaner.min.cleanable.ratio = 1.5",
            "log.cleaner.min.cleanable.ratio = 1.5: out of range; allowed: a number from 0 to 1",
        ),
        (
            "log.cleaner.io.buffer.load.factor = \"x\"",
            "log.cleaner.io.buffer.load.factor = x: not a number; allowed: a number",
        ),
        (
            "max.connections.per.ip.overrides = \"host\"",
            "max.connections.per.ip.overrides = host: not understood; allowed: address:count, separated by commas, each count 0 or more",
        ),
        (
            "remote.log.metadata.manager.impl.prefix = \"\"",
            "remote.log.metadata.manager.impl.prefix = : empty; allowed: a text that is not empty",
        ),
        (
            "connections.max.idle.ms = 0",
            "connections.max.idle.ms = 0: would close every connection at once; allowed: 1 or more, or -1 for never",
        ),
        (
            "ssl.client.auth = \"maybe\"",
            "ssl.client.auth = maybe: not one of the values there are; allowed: one of required, requested, none",
        ),
        (
            "log.retention.minutes = 0",
            "log.retention.minutes = 0: would delete every record at once; allowed: 1 or more, or -1 for no limit",
        ),
        (
            "default.replication.factor = 0",
            "default.replication.factor = 0: out of range; allowed: a whole number from 1 to 32767",
        ),
        ("broker.id = -5", "broker.id = -5: too small; allowed: a whole number from 0 to 2147483647"),
    ];
    for (line, expected) in cases {
        assert_eq!(toml_error(&format!("[kafka]\n{line}\n")), format!("millrace.toml:2: {expected}"));
    }
}

#[test]
fn a_value_of_ours_of_the_wrong_type() {
    let cases = [
        (
            "shards",
            "cpus = \"3-1\"",
            "shards.cpus = 3-1: not understood; allowed: processors such as 0-3,8, none twice; empty: all that the process may use",
        ),
        (
            "shards",
            "cpus = [1, 1]",
            "shards.cpus = 1,1: not understood; allowed: processors such as 0-3,8, none twice; empty: all that the process may use",
        ),
        (
            "shards",
            "request_bytes = \"128 MB\"",
            "shards.request_bytes = 128 MB: not a size; allowed: a size (such as 64 MiB) from 1048576 to 1099511627776",
        ),
        (
            "log",
            "tail_idle_seal_ms = \"5 weeks\"",
            "log.tail_idle_seal_ms = 5 weeks: not a time; allowed: a time in ms (or such as 10 s) from 100 to 86400000",
        ),
        (
            "log",
            "durability = \"fsync\"",
            "log.durability = fsync: not one of the values there are; allowed: one of flush, write, memory",
        ),
        (
            "server",
            "cluster_id = \"x\"",
            "server.cluster_id = x: not understood; allowed: 22 characters of A-Z a-z 0-9 - _, as kafka-storage random-uuid prints them",
        ),
    ];
    for (section, line, expected) in cases {
        assert_eq!(toml_error(&format!("[{section}]\n{line}\n")), format!("millrace.toml:2: {expected}"));
    }
}

#[test]
fn a_key_that_nobody_knows() {
    let cases = [
        (
            "[log]\njournal_byte = 1",
            "millrace.toml:2: log.journal_byte: there is no such key; did you mean log.journal_bytes?",
        ),
        (
            "[kafka]\nlog.segment.byte = 1",
            "millrace.toml:2: log.segment.byte: there is no such key; did you mean log.segment.bytes?",
        ),
        (
            "[kafka]\nretention.ms = 1",
            "millrace.toml:2: retention.ms: there is no such key; retention.ms is a topic's; the broker's is log.retention.ms",
        ),
        (
            "[kafka]\nremote.storage.enable = true",
            "millrace.toml:2: remote.storage.enable: there is no such key; remote.storage.enable is a topic's, set it on the topic",
        ),
        (
            "[kafka]\nmillrace.log.durability = \"write\"",
            "millrace.toml:2: millrace.log.durability: there is no such key; write durability in [log]",
        ),
        (
            "num.partitions = 1",
            "millrace.toml:1: num.partitions: there is no such key; write partitions in [topics]",
        ),
        (
            "log.segment.bytes = 1",
            "millrace.toml:1: log.segment.bytes: there is no such key; it is Kafka's: write \"log.segment.bytes\" in [kafka]",
        ),
        (
            "[nothing]\nlike_this_at_all = 1",
            "millrace.toml:2: nothing.like_this_at_all: there is no such key; config/default.toml shows ours, and Kafka's documentation its own",
        ),
    ];
    for (content, expected) in cases {
        assert_eq!(toml_error(content), expected);
    }
    assert_eq!(
        properties_error("\nmillrace.log.durabilty=write\n"),
        "server.properties:2: millrace.log.durabilty: there is no such key; did you mean millrace.log.durability?"
    );
}

#[test]
fn a_key_twice_in_toml() {
    assert_eq!(
        toml_error("[server]\nnode_id = 1\n[kafka]\nnode.id = 2\n"),
        "millrace.toml:4: node.id: already set at millrace.toml:2; keep one of the two"
    );
}

#[test]
fn an_argument_that_is_wrong() {
    assert_eq!(
        set(&["num.partitions"]).unwrap_err(),
        "--set: num.partitions: has no =; write --set KEY=VALUE"
    );
    assert_eq!(
        set(&["num.partitons=1"]).unwrap_err(),
        "--set: num.partitons: there is no such key; did you mean num.partitions?"
    );
    assert_eq!(
        set(&["log.durabilty=write"]).unwrap_err(),
        "--set: log.durabilty: there is no such key; did you mean log.durability?"
    );
    assert_eq!(
        set(&["num.partitions=x"]).unwrap_err(),
        "--set: num.partitions = x: not a whole number; allowed: a whole number from 1 to 2147483647"
    );
}

#[test]
fn values_that_contradict_each_other() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["node.id=1", "broker.id=2"],
            "--set: node.id is 1 and broker.id is 2; they are one number, keep the first",
        ),
        (
            &["process.roles=controller"],
            "--set: process.roles: a node that is only a controller is not there yet; write broker,controller",
        ),
        (&["log.dirs=/a,/b,/a"], "--set: log.dirs: names /a twice; name each directory once"),
        (&["log.dirs=/a,/a/"], "--set: log.dirs: names /a/ twice; name each directory once"),
        (&["log.dirs="], "--set: log.dirs: has an empty name; name at least one directory"),
        (
            &["shards.request_bytes=64 MiB"],
            "--set: socket.request.max.bytes is 104857600 and must not exceed millrace.shards.request_bytes, 67108864; lower the first or raise the second",
        ),
        (
            &["log.bypass_bytes=1 MiB", "log.bypass_alone_bytes=256 KiB"],
            "--set: millrace.log.bypass_bytes is 1048576 and must not exceed millrace.log.bypass_alone_bytes, 262144; lower the first or raise the second",
        ),
        (
            &["log.journal_bytes=16 MiB", "log.journal_live_bytes=15 MiB"],
            "--set: millrace.log.journal_live_bytes is 15728640 and must not exceed three quarters of millrace.log.journal_bytes, 12582912; lower the first or raise the second",
        ),
        (
            &["shards.descriptors=100", "shards.connections=8192"],
            "--set: millrace.shards.connections is 8192 and must not exceed millrace.shards.descriptors, 100; lower the first or raise the second",
        ),
        (
            &["log.cleaner.min.compaction.lag.ms=5", "log.cleaner.max.compaction.lag.ms=4"],
            "--set: min.compaction.lag.ms is 5 and max.compaction.lag.ms is 4; the first must not exceed the second",
        ),
    ];
    for (sets, expected) in cases {
        assert_eq!(set(sets).unwrap_err(), *expected);
    }
}

#[test]
fn a_password_is_never_shown() {
    let config = set(&["ssl.key.password=secret"]).unwrap();
    let described = config.describe_broker();
    let password = described.iter().find(|one| one.key.name == "ssl.key.password").unwrap();
    assert!(password.value.is_none() && password.synonyms.iter().all(|synonym| synonym.value.is_none()));
    let (_, warnings) = load("x.properties", "ssl.key.password=secret\nnode.id=1\nlog.dirs=/d", &[]).unwrap();
    assert!(!warnings.concat().contains("secret"));
}
