//! The typed configuration that the broker runs on.

use super::layers::Layers;
use super::listener::{Advertised, Listener};
use super::topic_config::TopicConfig;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// All settings of a node, checked. Immutable: a dynamic change makes another one.
#[derive(Debug, Clone)]
pub struct Config {
    /// The node's number, unique in its cluster, 0 or more.
    pub node_id: i32,
    /// `None`: the one in `meta.properties`, or a new one at the first start.
    pub cluster_id: Option<String>,
    /// The rack or zone.
    pub rack: Option<String>,
    /// Where to listen for clients; at least one.
    pub listeners: Vec<Listener>,
    /// What clients are told; at least one, each with a listener of its name.
    pub advertised_listeners: Vec<Advertised>,
    /// At least one, none twice.
    pub log_dirs: Vec<PathBuf>,
    /// How topics are made.
    pub topics: Topics,
    /// The config of a topic without overrides.
    pub topic_defaults: TopicConfig,
    /// Host and port of the admin listener; `None`: there is none.
    pub admin_listen: Option<(String, u16)>,
    /// Shards and their budgets.
    pub shards: Shards,
    /// Journals, segments, disks.
    pub log: Log,
    /// Connections and requests.
    pub network: Network,
    pub(super) layers: Layers,
}

/// How topics are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topics {
    /// 1 or more.
    pub num_partitions: i32,
    /// Whether a client's asking makes a topic.
    pub auto_create: bool,
    /// Whether clients may delete topics.
    pub delete_enabled: bool,
    /// Replicas of a topic made without a number.
    pub default_replication_factor: i16,
}

/// Shards; budgets are for each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// Ascending; `None`: the process's affinity cut by its cgroup.
    pub cpus: Option<Vec<usize>>,
    /// Take memory from the NUMA node of the processors, if they are of one.
    pub numa_bind: bool,
    /// Requests being read or served; at least `Network::request_max_bytes`.
    pub request_bytes: u64,
    /// Tails and what is kept for readers.
    pub tail_cache_bytes: u64,
    /// Tails, and what is kept for readers, in huge pages.
    pub huge_pages: bool,
    /// Open connections.
    pub connections: usize,
    /// File descriptors; 0: not known yet, see [`Config::on_host`].
    pub descriptors: usize,
    /// Partitions that may be made.
    pub partitions: usize,
    /// Messages from one shard to another.
    pub message_queue: usize,
    /// Threads for calls that may block.
    pub blocking_threads: usize,
}

/// What precedes an acknowledgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A flush of the device.
    Flush,
    /// The device took the write.
    Write,
    /// Nothing: the record is in memory, as Kafka does it.
    Memory,
}

/// Journals, segments, disks.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// What precedes an acknowledgement.
    pub durability: Durability,
    /// The largest journal of a shard and log directory.
    pub journal_bytes: u64,
    /// In use before cleaning starts; at most three quarters of `journal_bytes`. None: by the number of shards.
    pub journal_live_bytes: Option<u64>,
    /// 1 to 4.
    pub journal_groups_in_flight: usize,
    /// The largest group, at most 1 MiB.
    pub journal_group_limit_bytes: u64,
    /// The least time between groups.
    pub journal_group_spacing_us: u64,
    /// Beyond it, what has gathered for a partition skips the journal.
    pub bypass_bytes: u64,
    /// The same while one partition alone is written; at least `bypass_bytes`.
    pub bypass_alone_bytes: u64,
    /// An idle tail is sealed after this.
    pub tail_idle_seal_ms: u64,
    /// How far a segment is zeroed before the write position; 0: not at all.
    pub zero_ahead_bytes: u64,
    /// How fast, for each log directory.
    pub zero_ahead_bytes_per_second: u64,
    /// Background writes at the same time, for each log directory.
    pub background_inflight_bytes: u64,
    /// With less free than this, a log directory takes no more records.
    pub disk_reserve_bytes: u64,
    /// Closed segments whose files are kept open, for each shard.
    pub open_segments: usize,
    /// Segments whose files are kept open for writing, for each shard.
    pub open_writers: usize,
    /// Start on a file system whose flushes are not known to hold.
    pub allow_unsafe_filesystem: bool,
    /// How often retention is applied.
    pub retention_check_interval_ms: u64,
    /// How often recovery checkpoints are written.
    pub checkpoint_interval_ms: u64,
    /// A silent producer's state is forgotten after this.
    pub producer_id_expiration_ms: i64,
    /// How compacted topics are cleaned.
    pub cleaner: Cleaner,
}

/// How compacted topics are cleaned; what is the whole broker's is shared out over its shards.
#[derive(Debug, Clone, PartialEq)]
pub struct Cleaner {
    /// Whether they are.
    pub enabled: bool,
    /// The keys of the passes under way, of the whole broker.
    pub dedupe_buffer_bytes: u64,
    /// How full the tables of keys may be.
    pub load_factor: f64,
    /// Half of it is read at a time.
    pub io_buffer_bytes: u64,
    /// Read and written by the whole broker.
    pub bytes_per_second: u64,
    /// Pause when there is nothing to clean.
    pub backoff_ms: u64,
}

/// Connections and requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// The largest request that is read.
    pub request_max_bytes: usize,
    /// Of the whole broker.
    pub max_connections: usize,
    /// Of the whole broker, from one address.
    pub max_connections_per_ip: usize,
    /// Of the whole broker, new ones a second; `None`: as many as come.
    pub connection_creation_rate: Option<u32>,
    /// Exceptions to `max_connections_per_ip`, by address.
    pub max_connections_per_ip_overrides: BTreeMap<String, usize>,
    /// A connection silent for so long is closed; `None`: never.
    pub idle_ms: Option<u64>,
    /// The most record bytes of one fetch response.
    pub fetch_max_bytes: i32,
    /// Incremental fetch sessions of the whole broker.
    pub fetch_session_slots: usize,
    /// Partitions that one describe request is answered for.
    pub partitions_per_request: usize,
    /// Of each listening socket.
    pub listen_backlog: u32,
    /// `None`: the system decides.
    pub send_buffer_bytes: Option<u32>,
    /// `None`: the system decides.
    pub receive_buffer_bytes: Option<u32>,
    /// Of one connection; beyond it the connection is not read.
    pub requests_in_flight: usize,
    /// The buffer a connection is read through.
    pub read_buffer_bytes: usize,
    /// Responses in memory that one connection has not taken.
    pub unsent_bytes: u64,
    /// The most sent from a file before another connection's turn.
    pub sendfile_slice_bytes: u64,
    /// A connection on which no byte moves for so long in the middle of a request or response is stalled.
    pub stalled_ms: u64,
}
