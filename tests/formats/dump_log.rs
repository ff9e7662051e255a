//! `dump-log` prints what Kafka's own tool prints.

use std::path::{Path, PathBuf};

use clap::Parser;
use millrace::tools::dump_log::{Options, dump};

use crate::{fixtures, kafka};

/// Both outputs of the tool, and whether it found everything right.
fn run(args: &[&str]) -> (String, String, bool) {
    let options = Options::try_parse_from(["dump-log"].iter().chain(args)).unwrap();
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let good = dump(&options, &mut out, &mut errors).unwrap();
    (String::from_utf8(out).unwrap(), String::from_utf8(errors).unwrap(), good)
}

/// The files in the fixture directories that end in one of `ends`, as one argument.
fn files(directories: &[&str], ends: &[&str]) -> String {
    let mut found: Vec<PathBuf> = Vec::new();
    for directory in directories {
        for entry in std::fs::read_dir(kafka(directory)).unwrap() {
            let path = entry.unwrap().path();
            if ends.iter().any(|end| path.to_str().unwrap().ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    join(&found)
}

fn join(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>().join(",")
}

/// Runs the tool and compares with what Kafka's printed under this name.
fn same_as_kafka(name: &str, files: &str, args: &[&str]) {
    let (out, errors, good) = run(&[&["--files", files][..], args].concat());
    let expected = |end: &str| {
        let path = fixtures().join("dumps").join(format!("{name}.{end}"));
        String::from_utf8(crate::read(&path)).unwrap()
    };
    let root = format!("{}/", kafka("").to_str().unwrap().trim_end_matches('/'));
    let (out, errors) = (out.replace(&root, ""), errors.replace(&root, ""));
    for (number, (ours, kafkas)) in out.lines().zip(expected("out").lines()).enumerate() {
        assert_eq!(ours, kafkas, "line {} of {name}", number + 1);
    }
    assert_eq!(out.lines().count(), expected("out").lines().count(), "{name}");
    assert_eq!(blocks(&errors), blocks(&expected("err")), "{name}");
    assert!(good, "{name}");
}

/// The findings of each file, sorted: Kafka's order is that of a hash map.
fn blocks(errors: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in errors.lines() {
        match blocks.last_mut() {
            Some(block) if line.starts_with("  ") => block.push_str(line),
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks.sort_unstable();
    blocks
}

fn segment(partition: &str, name: &str) -> String {
    kafka(partition).join(name).to_str().unwrap().to_owned()
}

const BOTH: [&str; 2] = ["fixture-0", "transactions-0"];

#[test]
fn batches() {
    let paths = [
        segment("fixture-0", "00000000000000000000.log"),
        segment("transactions-0", "00000000000000000048.log"),
    ];
    same_as_kafka("batches", &paths.join(","), &[]);
}

#[test]
fn records_with_their_contents() {
    let paths = [
        segment("fixture-0", "00000000000000000090.log"),
        segment("transactions-0", "00000000000000000007.log"),
    ];
    same_as_kafka("records", &paths.join(","), &["--print-data-log"]);
}

#[test]
fn records_without_their_contents() {
    let path = segment("transactions-0", "00000000000000000000.log");
    same_as_kafka("deep", &path, &["--deep-iteration"]);
}

#[test]
fn indexes_and_snapshots() {
    same_as_kafka("indexes", &files(&BOTH, &["index", "snapshot"]), &[]);
    let indexes = files(&BOTH, &[".index", ".timeindex"]);
    same_as_kafka("sanity", &indexes, &["--index-sanity-check"]);
    same_as_kafka("verify", &indexes, &["--verify-index-only"]);
}

#[test]
fn the_beginning_of_a_log() {
    let path = segment("fixture-0", "00000000000000000000.log");
    same_as_kafka("limited", &path, &["--max-bytes", "1000"]);
}

#[test]
fn the_brokers_own_topics() {
    let offsets = segment("__consumer_offsets-0", "00000000000000000000.log");
    same_as_kafka("offsets", &offsets, &["--offsets-decoder", "--skip-record-metadata"]);
    let transactions = segment("__transaction_state-0", "00000000000000000000.log");
    let args = ["--transaction-log-decoder", "--skip-record-metadata", "--max-bytes", "1000"];
    same_as_kafka("transactions", &transactions, &args);
    let metadata = files(&["__cluster_metadata-0"], &[".log", ".checkpoint"]);
    same_as_kafka("metadata", &metadata, &["--cluster-metadata-decoder"]);
}

#[test]
fn a_file_of_another_kind() {
    same_as_kafka("unknown", &segment("fixture-0", "leader-epoch-checkpoint"), &[]);
}

#[test]
fn a_directory_stands_for_its_files() {
    let (out, _, good) = run(&["--files", kafka("fixture-0").to_str().unwrap()]);
    assert!(good);
    assert_eq!(out.lines().filter(|line| line.starts_with("Dumping ")).count(), 16);
    assert!(!out.contains("partition.metadata"));
}

/// A copy of a partition that a test may damage.
fn copy(partition: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(kafka(partition)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
    }
    directory
}

fn damage(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = crate::read(path);
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn an_index_that_contradicts_its_log_is_a_failure() {
    let directory = copy("fixture-0");
    let index = directory.path().join("00000000000000000000.index");
    damage(&index, |bytes| bytes[11] += 1);
    let (_, errors, good) = run(&["--files", index.to_str().unwrap(), "--verify-index-only"]);
    assert_eq!(errors, format!("Mismatches in :{}\n  Index offset: 18, log offset: 17\n", index.display()));
    assert!(!good);

    damage(&index, |bytes| bytes.truncate(13));
    let (_, errors, good) = run(&["--files", index.to_str().unwrap(), "--index-sanity-check"]);
    assert!(errors.contains("length 13 is no multiple of 8"), "{errors}");
    assert!(!good);
}

#[test]
fn a_time_index_that_contradicts_its_log_is_a_failure() {
    let directory = copy("fixture-0");
    let index = directory.path().join("00000000000000000000.timeindex");
    damage(&index, |bytes| bytes[7] += 1);
    let (_, errors, good) = run(&["--files", index.to_str().unwrap()]);
    assert!(errors.starts_with("Found timestamp mismatch in :"), "{errors}");
    assert!(errors.contains("Index timestamp: 1700010000029, log timestamp: 1700010000028"), "{errors}");
    assert!(!good);
}

#[test]
fn a_damaged_or_unfinished_log_is_shown_as_far_as_it_goes() {
    let directory = copy("fixture-0");
    let log = directory.path().join("00000000000000000090.log");
    let path = log.to_str().unwrap();
    damage(&log, |bytes| bytes[100] ^= 1);
    let (out, _, _) = run(&["--files", path]);
    assert_eq!(out.lines().filter(|line| line.ends_with("isvalid: false")).count(), 1);

    damage(&log, |bytes| bytes.extend([0; 5000]));
    let (out, _, _) = run(&["--files", path]);
    assert!(out.ends_with("Found 5000 invalid bytes at the end of 00000000000000000090.log\n"), "{out}");

    let (_, errors, good) = run(&["--files", "/nonexistent/00000000000000000000.log"]);
    assert!(errors.starts_with("/nonexistent/00000000000000000000.log: "), "{errors}");
    assert!(!good);
}

#[test]
fn a_journals_groups_and_entries_are_shown() {
    use millrace::log::journal::format::{Entry, FileHeader, GroupHeader, Identity, Kind};
    use millrace::protocol::Uuid;

    let identity = Identity { topic_id: Uuid::METADATA_TOPIC, partition: 3, incarnation: 0xfeed };
    let entry = Entry {
        kind: Kind::Append,
        identity,
        owner_epoch: 1,
        base_offset: 100,
        position: 4096,
        end_offset: 120,
        flushed: 4096,
    };
    let body = [&entry.encode(5)[..], b"batch"].concat();
    let group = |sequence: u64, offset: u64, body_crc: u32| {
        let header = GroupHeader {
            journal_id: 7,
            lap: 0,
            sequence,
            offset,
            oldest_sequence: 1,
            body_bytes: u32::try_from(body.len()).unwrap(),
            entries: 1,
            body_crc,
            unflushed: false,
            in_flight: 1,
        };
        let mut block = [&header.encode()[..], &body].concat();
        block.resize(4096, 0);
        block
    };
    let crc = crc32c::crc32c(&body);
    let file = [
        FileHeader { journal_id: 7, shard: 2 }.encode(),
        group(2, 4096, crc ^ 1),
        group(1, 8192, crc),
        group(9, 4096, crc), // not where it says
        vec![0; 4096],
    ]
    .concat();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("millrace-journal-2");
    std::fs::write(&path, file).unwrap();

    let (out, errors, good) = run(&["--journal", path.to_str().unwrap()]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    assert_eq!(lines[1], "journalId: 00000000000000000000000000000007 shard: 2");
    assert!(lines[2].starts_with("sequence: 1 lap: 0 position: 8192 size: 4096 entries: 1"), "{out}");
    assert!(lines[2].ends_with("isNeeded: true isvalid: true"), "{out}");
    let expected = "| append topicId: AAAAAAAAAAAAAAAAAAAAAQ partition: 3 incarnation: 000000000000feed ownerEpoch: 1 \
        baseOffset: 100 position: 4096 endOffset: 120 flushed: 4096 dataBytes: 5";
    assert_eq!(lines[3], expected);
    assert!(lines[4].starts_with("sequence: 2 ") && lines[4].ends_with("isvalid: false"), "{out}");
    assert!(errors.is_empty() && good, "{errors}");
}
