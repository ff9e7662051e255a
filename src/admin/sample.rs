//! What a shard tells of itself at one moment. Owned, crosses threads.

use std::path::PathBuf;
use std::sync::Arc;

use crate::log::{DirectoryState, LogCounters};
use crate::net::NetCounters;
use crate::protocol::ApiKey;
use crate::runtime::{Counters, ShardId};

/// One log directory, as one shard sees it.
#[derive(Clone, Debug)]
pub struct DirectorySample {
    /// Its path.
    pub path: PathBuf,
    /// Why it is offline, if it is.
    pub offline: Option<Arc<str>>,
    /// Free bytes of its file system.
    pub free_bytes: u64,
    /// Bytes of its file system.
    pub total_bytes: u64,
    /// Whether appends are refused for want of space.
    pub full: bool,
    /// The shard's partitions in it.
    pub partitions: u64,
}

impl From<DirectoryState> for DirectorySample {
    fn from(state: DirectoryState) -> Self {
        Self {
            path: state.path,
            offline: state.offline,
            free_bytes: state.free_bytes,
            total_bytes: state.total_bytes,
            full: state.full,
            partitions: state.logs as u64,
        }
    }
}

/// The counters of a shard's connections.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // as in NetCounters
pub struct NetSample {
    pub accepted: u64,
    pub open: u64,
    pub accept_failures: u64,
    pub refused_shard: u64,
    pub refused_address: u64,
    pub waited_broker: u64,
    pub waited_rate: u64,
    pub closed_idle: u64,
    pub closed_frame_size: u64,
    pub closed_tls_on_plain: u64,
    pub closed_malformed: u64,
    pub closed_panic: u64,
    pub closed_stalled_request: u64,
    pub closed_stalled_response: u64,
    pub received_bytes: u64,
    pub sent_bytes: u64,
    pub sent_file_bytes: u64,
    pub budget_waits: u64,
    pub stalled_response_bytes: u64,
}

impl From<&NetCounters> for NetSample {
    fn from(counters: &NetCounters) -> Self {
        Self {
            accepted: counters.accepted.get(),
            open: counters.open.get(),
            accept_failures: counters.accept_failures.get(),
            refused_shard: counters.refused_shard.get(),
            refused_address: counters.refused_address.get(),
            waited_broker: counters.waited_broker.get(),
            waited_rate: counters.waited_rate.get(),
            closed_idle: counters.closed_idle.get(),
            closed_frame_size: counters.closed_frame_size.get(),
            closed_tls_on_plain: counters.closed_tls_on_plain.get(),
            closed_malformed: counters.closed_malformed.get(),
            closed_panic: counters.closed_panic.get(),
            closed_stalled_request: counters.closed_stalled_request.get(),
            closed_stalled_response: counters.closed_stalled_response.get(),
            received_bytes: counters.received_bytes.get(),
            sent_bytes: counters.sent_bytes.get(),
            sent_file_bytes: counters.sent_file_bytes.get(),
            budget_waits: counters.budget_waits.get(),
            stalled_response_bytes: counters.stalled_response_bytes.get(),
        }
    }
}

/// Everything one shard tells.
#[derive(Clone, Debug)]
pub struct ShardSample {
    /// The shard.
    pub shard: ShardId,
    /// Its connections.
    pub net: NetSample,
    /// Its log engine.
    pub log: LogCounters,
    /// Its loop.
    pub runtime: Counters,
    /// Requests by API, without those that nobody asked for.
    pub requests: Vec<(ApiKey, u64)>,
    /// Limit of connections.
    pub connections_limit: u64,
    /// Memory of requests in use, and its limit.
    pub request_memory: (u64, u64),
    /// Memory of tails and caches in use, and its limit.
    pub tail_cache: (u64, u64),
    /// Memory that the pool of tails and caches has from the system.
    pub tail_cache_resident_bytes: u64,
    /// Files open for readers and for writing.
    pub open_files: (u64, u64),
    /// Their limits.
    pub open_files_limits: (u64, u64),
    /// Tries to open a file that found no descriptor.
    pub descriptor_waits: u64,
    /// Partitions that are here, and how many of them are offline.
    pub partitions: (u64, u64),
    /// Limit of partitions.
    pub partitions_limit: u64,
    /// The log directories.
    pub directories: Vec<DirectorySample>,
}
