//! The formats on disk against files that Apache Kafka 4.4.0 wrote (fixtures/kafka-4.4.0) and what its own dump-log
//! prints for them (fixtures/dumps).

#![allow(clippy::unwrap_used, reason = "a test's helpers may panic like the test")]

mod dump_log;
mod files;
mod oracle;
mod rebuild;

use std::path::{Path, PathBuf};

/// A file or directory that Kafka wrote.
fn kafka(name: &str) -> PathBuf {
    fixtures().join("kafka-4.4.0").join(name)
}

fn fixtures() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/fixtures"))
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
