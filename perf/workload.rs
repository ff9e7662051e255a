//! A workload file: one TOML file gives a load, the ways it is varied, and what it needs.
//!
//! `[[case]]` tables are laid over the file's own values, `[matrix]` gives lists of values for dotted keys, and the cases
//! are every entry of the one with every combination of the other. `[quick]` is laid over all of it for a short run.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use millrace::protocol::codec::Codec;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use toml::{Table, Value};

use crate::cli::Rate;

/// A workload file, read and checked: its cases in order.
pub struct WorkloadFile {
    pub name: String,
    pub about: String,
    pub path: PathBuf,
    pub cases: Vec<Workload>,
}

/// One load. Each field has the file's key as its name.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    pub name: String,
    pub about: String,
    /// The case's name, made from `[[case]]` and `[matrix]`.
    #[serde(skip_deserializing)]
    pub case: String,
    #[serde(default)]
    pub kind: Kind,
    /// What the broker or this harness must be able to do; while it is not, the workload is refused by name.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Brokers that it makes sense for, by the names of perf/peers/; empty: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// CPUs that the machine must have.
    #[serde(default)]
    pub cpus: usize,
    /// Settings to start a broker with, by its name: KEY=VALUE each.
    #[serde(default)]
    pub settings: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub topic: Topic,
    #[serde(default)]
    pub records: Records,
    #[serde(default)]
    pub producers: Producers,
    #[serde(default)]
    pub consumers: Consumers,
    #[serde(default)]
    pub backlog: Backlog,
    #[serde(default)]
    pub connections: Connections,
    #[serde(default)]
    pub disk: Disk,
    #[serde(default)]
    pub run: Run,
}

/// What is done with the load.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Producers and consumers side by side.
    #[default]
    Load,
    /// One record at a time over pairs of connections: some land on the partition's own shard, some on another.
    Hop,
    /// The backlog is written, then the broker is stopped, killed, and started each time until it serves.
    Recovery,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    Groups,
    Transactions,
    Tls,
    Cluster,
}

impl Need {
    /// Why a workload that needs this is refused.
    pub fn refusal(self) -> &'static str {
        match self {
            Self::Groups => "it needs consumer groups with members, which this harness does not drive yet",
            Self::Transactions => "it needs transactions, which Millrace does not serve yet",
            Self::Tls => "it needs TLS, which Millrace does not serve yet",
            Self::Cluster => "it needs a cluster of several nodes, which Millrace does not form yet",
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Topic {
    pub partitions: i32,
    /// Configs of the topic.
    pub configs: BTreeMap<String, String>,
}

impl Default for Topic {
    fn default() -> Self {
        Self { partitions: 1, configs: BTreeMap::new() }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Records {
    /// Bytes of each value.
    pub bytes: usize,
    /// Records in a batch; with `producers.linger_ms` at most.
    pub batch: usize,
    /// What values consist of.
    pub content: Content,
    /// A file whose lines are the values; a path from the workload file's folder.
    pub file: Option<PathBuf>,
    pub keys: Keys,
    /// Different keys.
    pub key_count: usize,
    #[serde(deserialize_with = "codec", serialize_with = "codec_name")]
    pub codec: Codec,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            bytes: 1024,
            batch: 1,
            content: Content::Letters,
            file: None,
            keys: Keys::None,
            key_count: 10_000,
            codec: Codec::None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// Letters that do not repeat: hardly to be compressed.
    #[default]
    Letters,
    /// JSON objects whose fields differ: compress as services' events do.
    Json,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keys {
    /// No key; partitions in turn.
    #[default]
    None,
    /// Every key in turn; its hash gives the partition, as in Kafka's clients.
    RoundRobin,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Producers {
    /// Producers, one connection each; 0: nothing is produced.
    pub count: usize,
    /// Threads that drive them.
    pub threads: usize,
    /// Records a second over all of them, or "max".
    pub rate: Rate,
    /// 0, 1, or "all".
    pub acks: Acks,
    pub idempotent: bool,
    /// Requests under way on a connection at most.
    pub in_flight: usize,
    /// How long a record may wait for others of its partition. Left out: each request is one batch of `records.batch`.
    pub linger_ms: Option<f64>,
}

impl Default for Producers {
    fn default() -> Self {
        Self {
            count: 1,
            threads: 1,
            rate: Rate::Max,
            acks: Acks::All,
            idempotent: false,
            in_flight: 5,
            linger_ms: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acks {
    None,
    Leader,
    All,
}

impl Acks {
    pub fn number(self) -> i16 {
        match self {
            Self::None => 0,
            Self::Leader => 1,
            Self::All => -1,
        }
    }
}

impl fmt::Display for Acks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "0",
            Self::Leader => "1",
            Self::All => "all",
        })
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Consumers {
    /// Consumers of each group, one connection each; partitions are dealt out. 0: what was produced is read back after.
    pub count: usize,
    /// Groups; each reads everything. A consumer takes its partitions itself, without the group's protocol.
    pub groups: usize,
    pub threads: usize,
    /// fetch.min.bytes.
    pub min_bytes: i32,
    /// fetch.max.bytes.
    pub max_bytes: i32,
    /// max.partition.fetch.bytes.
    pub partition_max_bytes: i32,
}

impl Default for Consumers {
    fn default() -> Self {
        Self {
            count: 0,
            groups: 1,
            threads: 1,
            min_bytes: 1,
            max_bytes: 8 << 20,
            partition_max_bytes: 1 << 20,
        }
    }
}

/// Written as fast as it goes before anything is measured.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Backlog {
    pub records: u64,
    /// Records in each of its batches; 0: as many as make about 64 KiB.
    pub batch: usize,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Connections {
    /// Connections that stay open and say nothing.
    pub idle: usize,
    /// Connections opened, asked for ApiVersions and closed, each second.
    pub churn_per_second: f64,
}

/// A file system of its own for the broker's data, on a loop device. Needs root.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Disk {
    /// Its size; 0: no file system of its own.
    pub mb: u64,
    /// Bytes a second that it takes; 0: what it can.
    pub write_mb_per_second: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Seconds measured.
    pub seconds: f64,
    /// Seconds of the load before measuring.
    pub settle_seconds: f64,
    /// Records of the warm-up, on a topic of its own, once for each start of the broker.
    pub warmup_records: u64,
    /// Drops the page cache when the backlog is written. Needs root.
    pub drop_caches: bool,
    /// Starts the broker anew when the backlog is written.
    pub restart: bool,
    /// Errors of the broker are what is looked for (a full disk); they do not fail the run.
    pub errors_allowed: bool,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            seconds: 30.0,
            settle_seconds: 2.0,
            warmup_records: 2_000_000,
            drop_caches: false,
            restart: false,
            errors_allowed: false,
        }
    }
}

fn codec<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Codec, D::Error> {
    let name = String::deserialize(deserializer)?;
    Codec::from_name(&name).ok_or_else(|| {
        let names: Vec<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
        D::Error::custom(format!("codec = {name}: allowed: {}", names.join(", ")))
    })
}

fn codec_name<S: serde::Serializer>(codec: &Codec, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(codec.name())
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Rate {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Max => serializer.serialize_str("max"),
            Self::PerSecond(rate) => serializer.serialize_f64(*rate),
        }
    }
}

impl<'de> Deserialize<'de> for Acks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match text.as_str() {
            "0" => Ok(Self::None),
            "1" => Ok(Self::Leader),
            "all" | "-1" => Ok(Self::All),
            _ => Err(D::Error::custom(format!("acks = {text}: allowed: 0, 1, \"all\""))),
        }
    }
}

impl Serialize for Acks {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Lays `over` onto `under`: tables key by key, anything else whole.
fn lay(under: &mut Table, over: &Table) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay(below, above),
            _ => {
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Sets a dotted key.
fn set(table: &mut Table, dotted: &str, value: Value) -> Result<(), String> {
    match dotted.split_once('.') {
        None => {
            table.insert(dotted.to_owned(), value);
            Ok(())
        }
        Some((first, rest)) => match table.entry(first).or_insert_with(|| Value::Table(Table::new())) {
            Value::Table(inner) => set(inner, rest, value),
            _ => Err(format!("matrix key {dotted}: {first} is no table")),
        },
    }
}

fn take_table(table: &mut Table, key: &str) -> Result<Table, String> {
    match table.remove(key) {
        None => Ok(Table::new()),
        Some(Value::Table(inner)) => Ok(inner),
        Some(_) => Err(format!("{key} must be a table")),
    }
}

/// Every combination of the matrix's values, as what to lay over and what to call it.
fn combinations(matrix: &Table) -> Result<Vec<(Table, String)>, String> {
    let mut all = vec![(Table::new(), String::new())];
    for (key, values) in matrix {
        let Value::Array(values) = values else {
            return Err(format!("matrix key {key} must be a list of values"));
        };
        let mut next = Vec::new();
        for (table, name) in &all {
            for value in values {
                let mut table = table.clone();
                set(&mut table, key, value.clone())?;
                let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                next.push((table, format!("{name} {key}={shown}").trim().to_owned()));
            }
        }
        all = next;
    }
    Ok(all)
}

fn decode(table: &Table) -> Result<Workload, String> {
    // toml names the table on lines of its own; one line has both.
    Workload::deserialize(Value::Table(table.clone()))
        .map_err(|error| error.to_string().trim().lines().collect::<Vec<_>>().join(" "))
}

impl WorkloadFile {
    /// Reads a file; `quick` lays `[quick]` over it.
    ///
    /// # Errors
    /// One line with the file, the key and what is allowed.
    pub fn read(path: &Path, quick: bool) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(path, &text, quick).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(path: &Path, text: &str, quick: bool) -> Result<Self, String> {
        let mut table: Table = toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count());
            format!("line {}: {}", line + 1, error.message())
        })?;
        let over = take_table(&mut table, "quick")?;
        if quick {
            lay(&mut table, &over);
        }
        let matrix = take_table(&mut table, "matrix")?;
        let given = match table.remove("case") {
            None => vec![Table::new()],
            Some(Value::Array(cases)) => cases
                .into_iter()
                .map(|case| match case {
                    Value::Table(case) => Ok(case),
                    _ => Err("case must be [[case]] tables".to_owned()),
                })
                .collect::<Result<_, _>>()?,
            Some(_) => return Err("case must be [[case]] tables".into()),
        };
        let mut cases = Vec::new();
        for mut case in given {
            let title = match case.remove("case") {
                None => String::new(),
                Some(Value::String(name)) => name,
                Some(_) => return Err("case.case must be a name".into()),
            };
            for (combination, name) in combinations(&matrix)? {
                let mut whole = table.clone();
                lay(&mut whole, &combination);
                lay(&mut whole, &case);
                let name = format!("{title} {name}").trim().to_owned();
                let place = if name.is_empty() { String::new() } else { format!("case {name}: ") };
                let mut workload = decode(&whole).map_err(|error| format!("{place}{error}"))?;
                workload.case = name;
                workload.check().map_err(|error| format!("{place}{error}"))?;
                cases.push(workload);
            }
        }
        let Some(first) = cases.first() else { return Err("no case is left".into()) };
        Ok(Self { name: first.name.clone(), about: first.about.clone(), path: path.to_owned(), cases })
    }
}

impl Workload {
    /// Values that cannot be.
    fn check(&self) -> Result<(), String> {
        let at_least_one = [
            ("topic.partitions", self.topic.partitions as i64),
            ("records.batch", self.records.batch as i64),
            ("records.key_count", self.records.key_count as i64),
            ("producers.threads", self.producers.threads as i64),
            ("producers.in_flight", self.producers.in_flight as i64),
            ("consumers.groups", self.consumers.groups as i64),
            ("consumers.threads", self.consumers.threads as i64),
        ];
        for (key, value) in at_least_one {
            if value < 1 {
                return Err(format!("{key} = {value}: allowed: 1 and more"));
            }
        }
        if self.producers.linger_ms.is_some()
            && (self.records.codec != Codec::None || self.records.file.is_some())
        {
            return Err(
                "producers.linger_ms: allowed only with records.codec = \"none\" and without records.file: \
                        batches of other sizes would have to be compressed anew"
                    .into(),
            );
        }
        if !(self.run.seconds > 0.0 && self.run.settle_seconds >= 0.0) {
            return Err("run.seconds: allowed: above 0; run.settle_seconds: 0 and more".into());
        }
        Ok(())
    }

    /// Name of workload and case.
    pub fn title(&self) -> String {
        if self.case.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.case) }
    }

    /// Why the case cannot run, if so.
    pub fn refusal(&self) -> Option<String> {
        self.needs.first().map(|need| format!("refused: {}: {}", self.title(), need.refusal()))
    }

    /// A name that can be part of a file's name.
    pub fn file_stem(&self) -> String {
        let name =
            if self.case.is_empty() { self.name.clone() } else { format!("{}-{}", self.name, self.case) };
        name.chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '-' })
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const BASE: &str = "name = \"w\"\nabout = \"a\"\n";

    fn parse(text: &str, quick: bool) -> Result<WorkloadFile, String> {
        WorkloadFile::parse(Path::new("w.toml"), &format!("{BASE}{text}"), quick)
    }

    #[test]
    fn cases_are_every_entry_with_every_combination() {
        let text = "[matrix]\n\"records.bytes\" = [100, 1024]\n[[case]]\ncase = \"one\"\n[[case]]\ncase = \"many\"\n\
                    topic.partitions = 16\n[quick]\nmatrix.\"records.bytes\" = [7]\nrun.seconds = 1\n";
        let file = parse(text, false).unwrap();
        let seen: Vec<_> =
            file.cases.iter().map(|c| (c.case.as_str(), c.topic.partitions, c.records.bytes)).collect();
        assert_eq!(
            seen,
            [
                ("one records.bytes=100", 1, 100),
                ("one records.bytes=1024", 1, 1024),
                ("many records.bytes=100", 16, 100),
                ("many records.bytes=1024", 16, 1024)
            ]
        );
        let file = parse(text, true).unwrap();
        assert_eq!((file.cases.len(), file.cases[0].records.bytes, file.cases[0].run.seconds), (2, 7, 1.0));
    }

    #[test]
    fn a_mistake_names_the_key_and_what_is_allowed() {
        let error = |text| parse(text, false).err().unwrap();
        let unknown = error("[producers]\ncuont = 3\n");
        assert!(unknown.contains("cuont") && unknown.contains("`count`"), "{unknown}");
        assert!(error("[records]\ncodec = \"brotli\"\n").contains("none, gzip, snappy, lz4, zstd"));
        assert!(error("[producers]\nacks = 2\n").contains("allowed: 0, 1, \"all\""));
        assert!(error("needs = [\"magic\"]\n").contains("transactions"));
        assert!(error("[records]\nbatch = 0\n").contains("records.batch = 0: allowed: 1 and more"));
        assert!(error("x = \n").starts_with("line 3: "), "{}", error("x = \n"));
        let case = error("[[case]]\ncase = \"two\"\nrun.second = 1\n");
        assert!(case.starts_with("case two: ") && case.contains("`seconds`"), "{case}");
    }

    #[test]
    fn every_workload_of_the_tree_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("perf/workloads");
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            for quick in [false, true] {
                let file = WorkloadFile::read(&path, quick).unwrap();
                assert_eq!(path.file_stem().unwrap().to_str().unwrap(), file.name);
                let run = |case: &Workload| if case.needs.is_empty() { case.run.seconds } else { 0.0 };
                if quick {
                    // 10 minutes for the suite: what it measures must be far below.
                    assert!(file.cases.iter().map(run).sum::<f64>() <= 30.0, "{}", file.name);
                }
            }
            names.push(path);
        }
        assert_eq!(names.len(), 20, "{names:?}");
    }
}
