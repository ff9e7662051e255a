//! Random histories against Kafka's own classes, from its jars: `KAFKA_LIB=~/.cache/peers/kafka/lib cargo test --test
//! formats oracle -- --ignored`. The histories are drawn from a seed; the first line that differs is shown.

mod epochs;
mod producers;

use std::path::Path;
use std::process::Command;

/// A small generator of numbers; the same seed gives the same history everywhere.
pub struct Random(u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// As [`Self::below`], where small signed numbers are needed.
    pub fn small<T: TryFrom<u64>>(&mut self, bound: u64) -> T {
        T::try_from(self.below(bound)).unwrap_or_else(|_| panic!("{bound} does not fit"))
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// Compares our answers (operation, answer) with those of the Java program `class` in oracle/`source`.
fn same_as_kafka(source: &str, class: &str, history: &[(String, String)]) {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let operations: String = history.iter().map(|(operation, _)| format!("{operation}\n")).collect();
    std::fs::write(path("operations"), operations).unwrap();
    let jars =
        format!("{}/*", std::env::var("KAFKA_LIB").expect("KAFKA_LIB names the folder of Kafka's jars"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/oracle").join(source);
    run(Command::new("javac").args(["-cp", &jars, "-d"]).arg(path("classes")).arg(source));
    let class_path = format!("{}:{jars}", path("classes").display());
    let level = "-Dorg.apache.logging.log4j.level=OFF";
    run(Command::new("java")
        .args([level, "-cp", &class_path, class])
        .arg(path("operations"))
        .arg(path("answers")));
    let answers = std::fs::read_to_string(path("answers")).unwrap();
    assert_eq!(answers.lines().count(), history.len());
    for (number, ((operation, ours), kafkas)) in history.iter().zip(answers.lines()).enumerate() {
        assert_eq!(format!("{operation} => {ours}"), kafkas, "operation {number}");
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
