//! The command line of the harness.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Loads a broker with a raw Kafka client and measures latency, rate and the broker's processor time.
#[derive(Parser)]
#[command(name = "millrace-perf", version)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Args)]
pub struct Common {
    /// The broker's address.
    #[arg(long, default_value = "127.0.0.1:9092")]
    pub bootstrap: SocketAddr,
    /// The topic; made when missing.
    #[arg(long, default_value = "perf")]
    pub topic: String,
    /// Partitions to make the topic with, and to spread the load over.
    #[arg(long, default_value_t = 1)]
    pub partitions: i32,
    /// The broker's process id, to read its processor time and memory.
    #[arg(long)]
    pub pid: Option<u32>,
    /// The block device (as in /proc/diskstats) whose written bytes are counted, such as vda.
    #[arg(long)]
    pub device: Option<String>,
    /// CPU to pin the load to.
    #[arg(long)]
    pub cpu: Option<usize>,
    /// Writes the JSON result here instead of standard output.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Writes the latency histogram here, as the percentile lines that HdrHistogram's plotter reads.
    #[arg(long)]
    pub hgrm: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Produces records, open loop.
    Produce(ProduceOptions),
    /// Fetches from offset 0 as fast as it goes, and checks every batch.
    Fetch(FetchOptions),
    /// One record at a time: produce, and wait until a long-polling fetch has it.
    EndToEnd(EndToEndOptions),
    /// Makes a topic and waits until every partition is described with a leader.
    CreateTopics(CreateOptions),
    /// Runs workload files against a broker; writes JSON, percentile lines and an HTML report.
    Run(RunOptions),
    /// Runs workload files against several brokers in turn, round by round; medians, spread, ratios, and a report.
    Compare(CompareOptions),
}

/// What `run` and `compare` have in common.
#[derive(Args, Clone)]
pub struct WorkloadOptions {
    /// Workload files (perf/workloads/NAME.toml).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The short form: `[quick]` of each file is laid over it, and the warm-up is short. Not for publication.
    #[arg(long)]
    pub quick: bool,
    /// Only cases whose name contains this.
    #[arg(long)]
    pub case: Option<String>,
    /// Folder for the results; a new one below target/perf/ if left out.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Folder in which brokers keep their data, removed behind them; beside the results if left out.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// Scripts that start brokers; `peers` beside the folder of the workload file if left out.
    #[arg(long)]
    pub peers: Option<PathBuf>,
    /// CPUs for brokers that are started, as in 0-3,8.
    #[arg(long)]
    pub broker_cpus: Option<String>,
    /// CPUs for the load.
    #[arg(long)]
    pub generator_cpus: Option<String>,
    /// Keeps the topics.
    #[arg(long)]
    pub keep: bool,
}

#[derive(Args, Clone)]
pub struct RunOptions {
    #[command(flatten)]
    pub with: WorkloadOptions,
    /// A script of perf/peers/ that starts the broker, or the address of one that runs (then --pid and --device of this
    /// program say whose counters to read).
    #[arg(long, default_value = "millrace")]
    pub broker: String,
}

#[derive(Args, Clone)]
pub struct CompareOptions {
    #[command(flatten)]
    pub with: WorkloadOptions,
    /// Brokers, as for `run --broker`; ratios are against the first.
    #[arg(long, value_delimiter = ',', default_value = "millrace,kafka")]
    pub brokers: Vec<String>,
    /// Rounds; each runs every broker once.
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
}

#[derive(Args, Clone)]
pub struct ProduceOptions {
    /// Connections, each on its share of the partitions.
    #[arg(long, default_value_t = 1)]
    pub connections: usize,
    /// Bytes of each record's value.
    #[arg(long, default_value_t = 100)]
    pub record_bytes: usize,
    /// Records in each request's batch (one batch a request).
    #[arg(long, default_value_t = 1)]
    pub batch_records: usize,
    /// Records a second over all connections, or `max`.
    #[arg(long, default_value = "max")]
    pub rate: Rate,
    /// Seconds measured, after the warm-up.
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,
    /// Seconds before measuring.
    #[arg(long, default_value_t = 2)]
    pub warmup_seconds: u64,
    /// acks: 0, 1 or -1 (all).
    #[arg(long, default_value_t = -1, allow_hyphen_values = true)]
    pub acks: i16,
    /// Requests under way on a connection at most.
    #[arg(long, default_value_t = 5)]
    pub in_flight: usize,
}

#[derive(Args, Clone)]
pub struct FetchOptions {
    /// Connections, each on its share of the partitions.
    #[arg(long, default_value_t = 1)]
    pub connections: usize,
    /// Stops after this many bytes of records (0: at the end of every partition).
    #[arg(long, default_value_t = 0)]
    pub limit_bytes: u64,
    /// fetch.max.bytes.
    #[arg(long, default_value_t = 8 << 20)]
    pub max_bytes: i32,
    /// max.partition.fetch.bytes.
    #[arg(long, default_value_t = 1 << 20)]
    pub partition_max_bytes: i32,
    /// Checks each batch's CRC and that offsets follow each other (on by default; costs the client, not the broker).
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    pub verify: bool,
    /// Passes over the topic.
    #[arg(long, default_value_t = 1)]
    pub rounds: u32,
}

#[derive(Args, Clone)]
pub struct EndToEndOptions {
    /// Records measured on each pair of connections.
    #[arg(long, default_value_t = 5000)]
    pub records: u64,
    /// Records before measuring, on each pair.
    #[arg(long, default_value_t = 500)]
    pub warmup_records: u64,
    /// Bytes of each record's value.
    #[arg(long, default_value_t = 100)]
    pub record_bytes: usize,
    /// Pairs of connections tried one after the other: with several shards some land on the partition's own.
    #[arg(long, default_value_t = 1)]
    pub pairs: usize,
}

#[derive(Args, Clone)]
pub struct CreateOptions {
    /// Deletes the topic again at the end.
    #[arg(long)]
    pub delete: bool,
}

/// Records a second, or as fast as the requests under way allow.
#[derive(Clone, Copy, Debug)]
pub enum Rate {
    Max,
    PerSecond(f64),
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Max => f.write_str("max"),
            Self::PerSecond(rate) => write!(f, "{rate}/s"),
        }
    }
}

impl std::str::FromStr for Rate {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Self::Max);
        }
        match text.replace('_', "").parse::<f64>() {
            Ok(rate) if rate > 0.0 => Ok(Self::PerSecond(rate)),
            _ => Err(format!("{text} is neither `max` nor records a second above 0")),
        }
    }
}
