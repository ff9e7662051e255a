//! The keys of our own. In TOML they stand in `[section]`, in a properties file under `millrace.section.key`. Budgets
//! are for each shard unless the help says otherwise.

use super::checks;
use super::key::{Key, Kind, ours};

const KIB: i64 = 1 << 10;
const MIB: i64 = 1 << 20;
const GIB: i64 = 1 << 30;
const TIB: i64 = 1 << 40;

/// Declares keys of ours as rows: section, key, type, default, bounds, help.
macro_rules! ours {
    ($($section:ident $key:ident $kind:ident $default:expr, $bound:ident $bounds:tt, $help:literal;)*) => {
        /// Every key of ours.
        pub(in crate::config) const OURS: &[Key] = &[$(
            with_default(ours(
                concat!("millrace.", stringify!($section), ".", stringify!($key)),
                concat!(stringify!($section), ".", stringify!($key)),
                Kind::$kind,
                $help,
            ).$bound $bounds, $default),
        )*];
    };
}

const fn with_default(key: Key, default: &'static str) -> Key {
    if default.is_empty() { key } else { key.or(default) }
}

ours! {
    server cluster_id String "", checked(checks::CLUSTER_ID), "The cluster this node belongs to; unset: the data's, or a new one.";

    admin listen String "", checked(checks::ADDRESS), "Where metrics and health are served over HTTP, as host:port; unset: nowhere.";

    shards cpus String "", checked(checks::CPUS), "The processors to run on, a shard on each.";
    shards numa_bind Boolean "true", any(), "Take memory from the NUMA node of the shards' processors, if it is one.";
    shards request_bytes Bytes "", between(MIB, TIB), "Requests being read or served; unset: 128 MiB, or the largest request if that is more.";
    shards tail_cache_bytes Bytes "256 MiB", between(4 * MIB, TIB), "Data not yet in a segment, and data kept for readers.";
    shards huge_pages Boolean "false", any(), "The memory of tail_cache_bytes in huge pages: less CPU at the highest rates, but on a virtual machine delays of milliseconds while it grows.";
    shards connections Int "", between(1, 1_000_000), "Open connections, a further one is closed at once; unset: 8192, or five eighths of descriptors if that is less.";
    shards descriptors Int "0", between(0, 10_000_000), "File descriptors; 0: the shard's part of the process's limit.";
    shards partitions Int "", between(1, 1_000_000), "Partitions that may be made; unset: 100,000, or one for each of descriptors if that is less.";
    shards message_queue Int "1024", between(16, 65_536), "Messages waiting from one shard to another; a full queue holds back its sender.";
    shards blocking_threads Int "4", between(1, 256), "Threads for calls that may block.";

    log durability String "flush", one_of(&["flush", "write", "memory"]), "What precedes an acknowledgement: a flush, a write, or nothing.";
    log journal_bytes Bytes "512 MiB", between(16 * MIB, 16 * GIB), "The largest journal, for each shard and log directory.";
    log journal_live_bytes Bytes "", between(4 * MIB, 16 * GIB), "Journal in use before it is cleaned, for each shard and log directory; unset: 256 MiB divided by the shards.";
    log journal_groups_in_flight Int "1", between(1, 4), "Groups written at the same time.";
    log journal_group_limit_bytes Bytes "256 KiB", between(4 * KIB, MIB), "The largest group.";
    log journal_group_spacing_us Int "0", between(0, 100_000), "The least time between groups, in microseconds: fewer device bytes, later acknowledgements.";
    log bypass_bytes Bytes "256 KiB", between(4 * KIB, 64 * MIB), "What has gathered for a partition beyond this skips the journal.";
    log bypass_alone_bytes Bytes "", between(4 * KIB, 64 * MIB), "The same while one partition alone is written; unset: 256 KiB, or bypass_bytes if that is more.";
    log tail_idle_seal_ms Millis "10 s", between(100, 86_400_000), "A tail idle for so long is sealed into its segment.";
    log zero_ahead_bytes Bytes "32 MiB", between(0, GIB), "How far a segment is zeroed before the write position; 0: not at all.";
    log zero_ahead_bytes_per_second Bytes "300000000", between(MIB, TIB), "How fast, in bytes a second, for each log directory.";
    log background_inflight_bytes Bytes "512 KiB", between(64 * KIB, 64 * MIB), "Background writes at the same time, for each log directory.";
    log disk_reserve_bytes Bytes "256 MiB", between(0, TIB), "With less free than this, a log directory takes no more records.";
    log open_segments Int "", between(1, 1_000_000), "Segments whose files are kept open for readers, the last used; unset: 1024, or an eighth of descriptors if that is less.";
    log open_writers Int "", between(1, 1_000_000), "Segments whose files are kept open for writing, the last written; unset: 4096, or a quarter of descriptors if that is less.";
    log allow_unsafe_filesystem Boolean "false", any(), "Start on a file system whose flushes are not known to hold (tmpfs, copy on write).";

    network requests_in_flight Int "64", between(1, 10_000), "Requests of one connection being served; beyond it the connection is not read.";
    network read_buffer_bytes Bytes "64 KiB", between(4 * KIB, 256 * KIB), "The buffer a connection is read through.";
    network unsent_bytes Bytes "1 MiB", between(64 * KIB, GIB), "Responses in memory that one connection has not taken; beyond it no more are made.";
    network stalled_ms Millis "2 s", between(100, 600_000), "A connection on which no byte moves for so long, in the middle of a request or a response, is closed when others need the memory that it holds.";
    network sendfile_slice_bytes Bytes "256 KiB", between(4 * KIB, 16 * MIB), "The most sent from a file before another connection's turn.";
}
