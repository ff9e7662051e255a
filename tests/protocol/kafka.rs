//! Against Apache Kafka itself: what its broker code says to batches, and its message classes to messages.
//!
//! Needs Java with its compiler and the jars under `$PEERS_HOME/kafka` (default `~/.cache/peers/kafka`); without them the tests say so and
//! pass.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use millrace::protocol::ErrorCode;
use millrace::protocol::codec::{Codec, compress, decompress};
use millrace::protocol::messages::*;
use millrace::protocol::record_batch::{BatchBuilder, CheckRules, TimestampType, check_produce};
use millrace::protocol::wire::{Message, Writer};

use crate::batches::{append_all, fix_crc, records};
use crate::random::{Random, Rng};
use crate::random_messages::for_each_message;

const NOW: i64 = 1_700_000_000_000;

fn jars() -> Option<PathBuf> {
    let home = std::env::var_os("PEERS_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/peers")))?;
    let jars = home.join("kafka/lib");
    let compiler = Command::new("javac").arg("-version").stderr(Stdio::null()).status();
    (jars.is_dir() && compiler.is_ok()).then_some(jars)
}

/// Kafka's answer to each line, or `None` where it is not installed.
fn ask(lines: &[String]) -> Option<Vec<String>> {
    let Some(jars) = jars() else {
        println!("skipped: no Apache Kafka or no Java here");
        return None;
    };
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/protocol/oracle/Oracle.java");
    let mut child = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-cp", &format!("{}/*", jars.display()), program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = lines.join("\n") + "\n";
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), lines.len());
    Some(answers)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A batch, mostly with something wrong.
fn odd_batch(rng: &mut Rng, codec: Codec) -> Vec<u8> {
    let mut plain = records(rng, NOW, 1000);
    for record in &mut plain {
        if rng.chance(10) {
            record.timestamp = rng.pick(&[-1, 0, NOW - 50_000, NOW + 50_000, i64::MIN, i64::MAX, -5]);
        }
    }
    let mut builder = BatchBuilder::new(codec);
    if rng.chance(3) {
        builder = builder.producer(rng.below(3) as i64 - 1, 0, rng.below(4) as i32 - 1);
    }
    if rng.chance(8) {
        builder = builder.timestamp_type(TimestampType::LogAppendTime);
    }
    if rng.chance(20) {
        builder = builder.control(true);
    }
    let mut bytes = append_all(builder, &plain).build().unwrap();
    match rng.below(8) {
        0 => {
            // A field of the header.
            let at = rng.pick(&[0, 7, 8, 11, 16, 21, 22, 26, 35, 42, 43, 50, 56, 57, 60]);
            bytes[at] = rng.pick(&[0, 1, 2, 3, 8, 0x10, 0x20, 0x7f, 0x80, 0xff]);
        }
        1 | 2 => {
            // Within the records.
            let at = 61 + rng.below((bytes.len() - 61).min(100));
            bytes[at] = rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff, 0x3f]);
        }
        3 => bytes.truncate(rng.below(bytes.len())),
        4 => {
            let length = rng.below(80);
            bytes.extend(rng.bytes(length));
        }
        5 => bytes.extend(bytes.clone()),
        _ => {}
    }
    if !rng.chance(10) {
        let end =
            12 + u32::from_be_bytes(bytes.get(8..12).map_or([0; 4], |at| at.try_into().unwrap())) as usize;
        let end = end.min(bytes.len());
        fix_crc(&mut bytes[..end]);
    }
    bytes
}

/// How many batches the broker's code is asked about; more of them find rarer differences.
fn batches() -> usize {
    std::env::var("MILLRACE_BATCHES")
        .map_or(4000, |count| count.parse().expect("MILLRACE_BATCHES is a number"))
}

#[test]
fn batches_are_refused_with_the_codes_that_kafka_gives() {
    let mut rng = Rng::for_test("codes that Kafka gives");
    let (mut cases, mut lines) = (Vec::new(), Vec::new());
    for round in 0..batches() {
        let bytes = odd_batch(&mut rng, Codec::ALL[round % 5]);
        let rules = CheckRules {
            produce_version: rng.pick(&[3, 6, 7, 9, 13]),
            max_batch_bytes: if rng.chance(16) { 200 } else { 1 << 20 },
            max_decompressed_bytes: rng.pick(&[1000, 1 << 20, 2_147_483_639]),
            timestamp_type: rng.pick(&[TimestampType::CreateTime, TimestampType::LogAppendTime]),
            now_ms: NOW,
            before_max_ms: rng.pick(&[500, 10_000, i64::MAX]),
            after_max_ms: rng.pick(&[500, 10_000, 3_600_000]),
            compacted: rng.chance(4),
            ..Default::default()
        };
        lines.push(format!(
            "batch {} {} {} {} {} {} {} {} {}",
            rules.produce_version,
            rules.now_ms,
            rules.before_max_ms,
            rules.after_max_ms,
            u8::from(rules.timestamp_type == TimestampType::LogAppendTime),
            u8::from(rules.compacted),
            rules.max_batch_bytes,
            rules.max_decompressed_bytes,
            hex(&bytes)
        ));
        cases.push((bytes, rules));
    }
    let Some(answers) = ask(&lines) else { return };
    let mut scratch = Vec::new();
    let mut met = std::collections::BTreeMap::<_, usize>::new();
    for ((bytes, rules), answer) in cases.iter().zip(&answers) {
        let (code, rest) = answer.split_once(' ').unwrap();
        let (indexes, rest) = rest.split_once(' ').unwrap();
        let (max_timestamp, text) = rest.split_once(' ').unwrap();
        let code = ErrorCode(code.parse().unwrap());
        let checked = check_produce(bytes, rules, &mut scratch);
        let ours = checked.as_ref().map_or_else(|error| error.code, |_| ErrorCode::NONE);
        *met.entry((code, ours)).or_default() += 1;
        let context = || format!("Kafka: {code} {text}; ours: {checked:?}; {rules:?} {}", hex(bytes));
        // Where we differ, as the head of check.rs says.
        let (message, records) = match &checked {
            Ok(_) => ("", &[][..]),
            Err(error) => (&error.message[..], &error.records[..]),
        };
        let ours_alone = message.contains("does not follow")
            || message.contains("without a producer id")
            || message.contains("another size than it states")
            || message.contains("invalid gzip header")
            || message.contains("an empty block that is no end mark")
            || records.iter().any(|record| record.message.contains("may not set the append time"));
        if code == ours && !ours_alone {
            match &checked {
                Ok(checked) => {
                    let append = rules.timestamp_type == TimestampType::LogAppendTime;
                    let max = if append { NOW } else { checked.max_timestamp };
                    assert_eq!(max_timestamp, max.to_string(), "{}", context());
                }
                Err(error) => {
                    let mine: Vec<_> = error.records.iter().map(|r| r.batch_index.to_string()).collect();
                    let mine = if mine.is_empty() { "-".to_owned() } else { mine.join(",") };
                    assert_eq!(indexes, mine, "{}", context());
                }
            }
            continue;
        }
        // Kafka fails with an exception that has no code of its own.
        let no_code = code == ErrorCode::UNKNOWN_SERVER_ERROR
            && [
                ErrorCode::INVALID_RECORD,
                ErrorCode::CORRUPT_MESSAGE,
                ErrorCode::UNSUPPORTED_COMPRESSION_TYPE,
            ]
            .contains(&ours);
        let explained = ours_alone || no_code;
        assert!(explained, "Kafka: {code} {text}; ours: {ours} {message}; {rules:?} {}", hex(bytes));
    }
    println!("Kafka's code and ours: {met:?}");
}

#[test]
fn messages_and_records_are_those_of_kafkas_own_classes() {
    let mut rng = Rng::for_test("Kafka's own classes");
    let mut lines = Vec::new();
    fn add<M: Message<'static> + Random>(lines: &mut Vec<String>, rng: &mut Rng, class: &str) {
        for version in M::MIN_VERSION..=M::MAX_VERSION {
            if M::NAME.starts_with("ListOffsets") && version == 0 {
                continue;
            }
            for _ in 0..15 {
                let mut writer = Writer::new();
                M::random(rng, version).encode(&mut writer, version).unwrap();
                lines.push(format!("message {class} {version} {}", hex(writer.as_slice())));
            }
        }
    }
    macro_rules! all {
        ($($message:ty, $class:literal;)*) => { $(add::<$message>(&mut lines, &mut rng, $class);)* };
    }
    for_each_message!(all);
    let Some(answers) = ask(&lines) else { return };
    for (line, answer) in lines.iter().zip(&answers) {
        let bytes = line.rsplit(' ').next().unwrap();
        assert_eq!(answer, bytes, "{line}");
    }
    println!("{} messages came back", lines.len());
}

#[test]
fn each_side_decompresses_what_the_other_compressed() {
    let mut rng = Rng::for_test("decompression");
    let mut lines = Vec::new();
    let mut inputs = Vec::new();
    for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        for size in [1, 100, 32 << 10, 70_000, 200_000] {
            let input: Vec<u8> = rng.bytes(size / 2).into_iter().flat_map(|byte| [byte, b'x']).collect();
            let mut packed = Vec::new();
            compress(codec, &input, &mut packed).unwrap();
            lines.push(format!("codec {} {}", codec.id(), hex(&packed)));
            inputs.push((codec, input));
        }
    }
    let Some(answers) = ask(&lines) else { return };
    for ((codec, input), answer) in inputs.iter().zip(&answers) {
        let (unpacked, packed) = answer.split_once(' ').unwrap();
        assert_eq!(unpacked, hex(input), "{codec:?}");
        let packed: Vec<u8> = (0..packed.len() / 2)
            .map(|at| u8::from_str_radix(&packed[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        let mut back = Vec::new();
        decompress(*codec, &packed, input.len(), &mut back).unwrap();
        assert_eq!(&back, input, "{codec:?}");
    }
}

#[test]
fn the_committed_messages_are_what_the_schemas_give() {
    if jars().is_none() {
        println!("skipped: no Apache Kafka here");
        return;
    }
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/src/protocol/generate.py");
    match Command::new("python3").args([generator, "--check"]).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("skipped: no python3 here: {error}"),
    }
}
