//! Every metric, declared once: name, kind, labels, help, and where the value is. docs/METRICS.md has the same table, and
//! a test compares them with what is served.

use super::process::ProcessSample;
use super::sample::{DirectorySample, ShardSample};

/// What a metric does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only grows, until the process ends.
    Counter,
    /// It is what it is now.
    Gauge,
    /// Counts by size.
    Histogram,
}

impl Kind {
    /// As Prometheus calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Where a value comes from; each but the process's has one for each shard, under the label `shard`.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Process(fn(&ProcessSample) -> u64),
    /// The same in thousandths.
    ProcessMillis(fn(&ProcessSample) -> u64),
    Shard(fn(&ShardSample) -> u64),
    /// One value for each value of a further label.
    By(&'static str, &'static [(&'static str, fn(&ShardSample) -> u64)]),
    Requests,
    Directory(fn(&DirectorySample) -> u64),
    GroupTime,
}

/// One metric.
pub struct Metric {
    /// `millrace_<what>_<unit>`, counters with `_total` behind it.
    pub name: &'static str,
    /// What it does.
    pub kind: Kind,
    /// What it says.
    pub help: &'static str,
    pub(super) source: Source,
}

impl Metric {
    /// Its labels.
    #[must_use]
    pub fn labels(&self) -> Vec<&'static str> {
        match self.source {
            Source::Process(_) | Source::ProcessMillis(_) => Vec::new(),
            Source::Shard(_) => vec!["shard"],
            Source::GroupTime => vec!["shard", "le"],
            Source::By(label, _) => vec!["shard", label],
            Source::Requests => vec!["shard", "api"],
            Source::Directory(_) => vec!["shard", "directory"],
        }
    }
}

const fn counter(name: &'static str, help: &'static str, source: Source) -> Metric {
    Metric { name, kind: Kind::Counter, help, source }
}

const fn gauge(name: &'static str, help: &'static str, source: Source) -> Metric {
    Metric { name, kind: Kind::Gauge, help, source }
}

/// All of them.
pub const METRICS: &[Metric] = &[
    // The process.
    gauge(
        "millrace_process_resident_bytes",
        "Memory of the process that is really there.",
        Source::Process(|p| p.resident_bytes),
    ),
    gauge(
        "millrace_process_descriptors",
        "Open descriptors of the process.",
        Source::Process(|p| p.descriptors),
    ),
    gauge(
        "millrace_process_descriptors_limit",
        "The process's limit of descriptors (RLIMIT_NOFILE).",
        Source::Process(|p| p.descriptors_limit),
    ),
    counter(
        "millrace_process_cpu_seconds_total",
        "Processor time of the process.",
        Source::ProcessMillis(|p| p.processor_ms),
    ),
    // Connections.
    gauge("millrace_connections", "Open connections.", Source::Shard(|s| s.net.open)),
    gauge(
        "millrace_connections_limit",
        "The most connections (shards.connections).",
        Source::Shard(|s| s.connections_limit),
    ),
    counter(
        "millrace_connections_accepted_total",
        "Connections that came in.",
        Source::Shard(|s| s.net.accepted),
    ),
    counter(
        "millrace_connections_refused_total",
        "Connections closed at once, by the limit they were over: shards.connections or max.connections.per.ip.",
        Source::By(
            "limit",
            &[
                ("shards.connections", |s| s.net.refused_shard),
                ("max.connections.per.ip", |s| s.net.refused_address),
            ],
        ),
    ),
    counter(
        "millrace_connections_delayed_total",
        "Connections that waited before they came in, by the limit they were over: max.connections or max.connection.creation.rate.",
        Source::By(
            "limit",
            &[
                ("max.connections", |s| s.net.waited_broker),
                ("max.connection.creation.rate", |s| s.net.waited_rate),
            ],
        ),
    ),
    counter(
        "millrace_accept_failures_total",
        "Connections that the system could not give us, mostly for want of descriptors.",
        Source::Shard(|s| s.net.accept_failures),
    ),
    counter(
        "millrace_connections_closed_total",
        "Connections that the broker closed, by why: idle (connections.max.idle.ms), frame_size (socket.request.max.bytes), tls (TLS on a plain listener), malformed (no request, or one that is not served), stalled_request and stalled_response (network.stalled_ms), panic (a fault of ours).",
        Source::By(
            "reason",
            &[
                ("idle", |s| s.net.closed_idle),
                ("frame_size", |s| s.net.closed_frame_size),
                ("tls", |s| s.net.closed_tls_on_plain),
                ("malformed", |s| s.net.closed_malformed),
                ("stalled_request", |s| s.net.closed_stalled_request),
                ("stalled_response", |s| s.net.closed_stalled_response),
                ("panic", |s| s.net.closed_panic),
            ],
        ),
    ),
    counter("millrace_requests_total", "Requests, by API.", Source::Requests),
    counter(
        "millrace_received_bytes_total",
        "Bytes received from clients.",
        Source::Shard(|s| s.net.received_bytes),
    ),
    counter("millrace_sent_bytes_total", "Bytes sent to clients.", Source::Shard(|s| s.net.sent_bytes)),
    counter(
        "millrace_sent_file_bytes_total",
        "Those of them that went from files without a copy.",
        Source::Shard(|s| s.net.sent_file_bytes),
    ),
    // Memory.
    gauge(
        "millrace_request_memory_bytes",
        "Memory of requests being read or served.",
        Source::Shard(|s| s.request_memory.0),
    ),
    gauge(
        "millrace_request_memory_limit_bytes",
        "Its limit (shards.request_bytes, queued.max.request.bytes).",
        Source::Shard(|s| s.request_memory.1),
    ),
    counter(
        "millrace_request_memory_waits_total",
        "Requests that were not read on until memory of others came back.",
        Source::Shard(|s| s.net.budget_waits),
    ),
    gauge(
        "millrace_stalled_response_bytes",
        "Memory of responses that clients do not take.",
        Source::Shard(|s| s.net.stalled_response_bytes),
    ),
    gauge(
        "millrace_tail_cache_bytes",
        "Memory of tails, caches and journal groups.",
        Source::Shard(|s| s.tail_cache.0),
    ),
    gauge(
        "millrace_tail_cache_limit_bytes",
        "Its limit (shards.tail_cache_bytes).",
        Source::Shard(|s| s.tail_cache.1),
    ),
    gauge(
        "millrace_tail_cache_resident_bytes",
        "Memory that its pool has from the system.",
        Source::Shard(|s| s.tail_cache_resident_bytes),
    ),
    counter(
        "millrace_tail_cache_evictions_total",
        "Chunks that were let go to make room.",
        Source::Shard(|s| s.log.evicted_chunks),
    ),
    counter(
        "millrace_append_waits_total",
        "Appends that waited for room in the tails' memory.",
        Source::Shard(|s| s.log.stalled_appends),
    ),
    // Files.
    gauge(
        "millrace_open_files",
        "Segments whose files are open, for readers or for writing.",
        Source::By("for", &[("readers", |s| s.open_files.0), ("writing", |s| s.open_files.1)]),
    ),
    gauge(
        "millrace_open_files_limit",
        "Their limits (log.open_segments, log.open_writers).",
        Source::By("for", &[("readers", |s| s.open_files_limits.0), ("writing", |s| s.open_files_limits.1)]),
    ),
    counter(
        "millrace_descriptor_waits_total",
        "Files that could not be opened at once because no descriptor was free.",
        Source::Shard(|s| s.descriptor_waits),
    ),
    // Partitions and directories.
    gauge("millrace_partitions", "Partitions that are here.", Source::Shard(|s| s.partitions.0)),
    gauge(
        "millrace_partitions_limit",
        "The most partitions that may be made (shards.partitions).",
        Source::Shard(|s| s.partitions_limit),
    ),
    gauge(
        "millrace_partitions_offline",
        "Partitions whose log is offline.",
        Source::Shard(|s| s.partitions.1),
    ),
    gauge(
        "millrace_directory_partitions",
        "Partitions in a log directory.",
        Source::Directory(|d| d.partitions),
    ),
    gauge(
        "millrace_directory_free_bytes",
        "Free bytes of a log directory's file system.",
        Source::Directory(|d| d.free_bytes),
    ),
    gauge(
        "millrace_directory_size_bytes",
        "All bytes of a log directory's file system.",
        Source::Directory(|d| d.total_bytes),
    ),
    gauge(
        "millrace_directory_full",
        "1 while a log directory takes no records for want of space (log.disk_reserve_bytes).",
        Source::Directory(|d| u64::from(d.full)),
    ),
    gauge(
        "millrace_directory_offline",
        "1 while a log directory is offline after a failed write or flush.",
        Source::Directory(|d| u64::from(d.offline.is_some())),
    ),
    // The log engine.
    counter("millrace_log_appends_total", "Batches appended.", Source::Shard(|s| s.log.appends)),
    counter("millrace_log_appended_bytes_total", "Bytes appended.", Source::Shard(|s| s.log.appended_bytes)),
    counter(
        "millrace_journal_groups_total",
        "Groups written to journals; each is one write with its flush, shared by all whose batches are in it.",
        Source::Shard(|s| s.log.groups),
    ),
    counter(
        "millrace_journal_entries_total",
        "Entries in those groups: partitions' batches and statements.",
        Source::Shard(|s| s.log.group_entries),
    ),
    counter(
        "millrace_journal_entry_bytes_total",
        "Bytes of those entries.",
        Source::Shard(|s| s.log.group_bytes),
    ),
    counter(
        "millrace_journal_bytes_total",
        "Bytes written to journals, with headers and padding.",
        Source::Shard(|s| s.log.journal_bytes),
    ),
    counter(
        "millrace_journal_carried_bytes_total",
        "Bytes written again because the journal's oldest part was cleaned.",
        Source::Shard(|s| s.log.carried_bytes),
    ),
    counter(
        "millrace_journal_cleaned_regions_total",
        "Parts of journals that were cleaned.",
        Source::Shard(|s| s.log.cleaned_regions),
    ),
    Metric {
        name: "millrace_journal_group_seconds",
        kind: Kind::Histogram,
        help: "Time from a group's start until it is durable.",
        source: Source::GroupTime,
    },
    counter(
        "millrace_segment_bypass_writes_total",
        "Writes that went to a segment without the journal.",
        Source::Shard(|s| s.log.bypass_writes),
    ),
    counter("millrace_segment_bypass_bytes_total", "Their bytes.", Source::Shard(|s| s.log.bypass_bytes)),
    counter(
        "millrace_segment_bytes_total",
        "Bytes written to segments.",
        Source::Shard(|s| s.log.segment_bytes),
    ),
    counter(
        "millrace_segment_zeroed_bytes_total",
        "Bytes zeroed ahead of segments' ends.",
        Source::Shard(|s| s.log.zeroed_bytes),
    ),
    counter("millrace_segment_seals_total", "Segments sealed.", Source::Shard(|s| s.log.seals)),
    counter("millrace_segment_rolls_total", "Segments rolled.", Source::Shard(|s| s.log.rolls)),
    counter(
        "millrace_segment_deletions_total",
        "Segments deleted.",
        Source::Shard(|s| s.log.deleted_segments),
    ),
    counter(
        "millrace_log_checkpoints_total",
        "Checkpoints of logs written.",
        Source::Shard(|s| s.log.checkpoints),
    ),
    counter("millrace_log_truncations_total", "Logs cut back.", Source::Shard(|s| s.log.truncations)),
    counter(
        "millrace_compaction_passes_total",
        "Passes of the cleaner that came to their end.",
        Source::Shard(|s| s.log.cleaning_passes),
    ),
    counter(
        "millrace_compaction_read_bytes_total",
        "Bytes read by the cleaner.",
        Source::Shard(|s| s.log.cleaner_read_bytes),
    ),
    counter(
        "millrace_compaction_written_bytes_total",
        "Bytes written by the cleaner.",
        Source::Shard(|s| s.log.cleaner_written_bytes),
    ),
    counter(
        "millrace_compaction_replaced_segments_total",
        "Segments that compacted ones have replaced.",
        Source::Shard(|s| s.log.compacted_segments),
    ),
    counter(
        "millrace_relocations_total",
        "Partitions that have come into another log directory.",
        Source::Shard(|s| s.log.relocations),
    ),
    counter(
        "millrace_relocated_bytes_total",
        "Bytes copied from one log directory to another.",
        Source::Shard(|s| s.log.relocated_bytes),
    ),
    // The shard's loop.
    counter("millrace_loop_polls_total", "Turns that tasks had.", Source::Shard(|s| s.runtime.polls)),
    counter(
        "millrace_loop_enters_total",
        "Calls into the kernel by the ring.",
        Source::Shard(|s| s.runtime.enters),
    ),
    counter(
        "millrace_loop_completions_total",
        "Operations of the ring that ended.",
        Source::Shard(|s| s.runtime.completions),
    ),
    gauge(
        "millrace_loop_in_flight",
        "Operations of the ring under way.",
        Source::Shard(|s| s.runtime.in_flight),
    ),
    counter(
        "millrace_loop_sleeps_total",
        "Times the shard had nothing to do and slept.",
        Source::Shard(|s| s.runtime.sleeps),
    ),
    counter(
        "millrace_loop_wakeups_total",
        "Calls that other threads made to wake the shard.",
        Source::Shard(|s| s.runtime.bell_calls),
    ),
    counter(
        "millrace_loop_saved_by_heartbeat_total",
        "Lost wake-ups that the heartbeat made good; each is a fault to be reported.",
        Source::Shard(|s| s.runtime.saved_by_heartbeat),
    ),
];
