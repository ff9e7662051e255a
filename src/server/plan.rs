//! `--check`: what the broker would run on, without starting it.

use std::fmt::Write;

use crate::config::Config;
use crate::runtime::probe::ProbeReport;
use crate::runtime::topology::Plan;

fn mebibytes(bytes: u64) -> u64 {
    bytes >> 20
}

/// The plan as text.
pub(super) fn describe(config: &Config, plan: &Plan) -> String {
    let mut text = String::new();
    let shards = u64::from(plan.shards());
    let pinned = if plan.pinned { "each pinned to its CPU" } else { "not pinned: a CPU quota is shared out" };
    // Writing to a String cannot fail.
    let _ = writeln!(text, "shards: {shards} ({pinned})");
    for (shard, (cpu, node)) in plan.cpus.iter().zip(&plan.nodes).enumerate() {
        let _ = writeln!(text, "  shard {shard}: CPU {cpu}, NUMA node {node}");
    }
    match plan.bound_node {
        Some(node) => {
            _ = writeln!(text, "memory: {} MiB, bound to NUMA node {node}", mebibytes(plan.memory_bytes))
        }
        None => _ = writeln!(text, "memory: {} MiB", mebibytes(plan.memory_bytes)),
    }
    for directory in &config.log_dirs {
        let _ = writeln!(text, "log directory: {}", directory.display());
    }
    for listener in &config.listeners {
        let host = if listener.host.is_empty() { "every interface" } else { &listener.host };
        let _ = writeln!(text, "listener {}: {host}, port {}", listener.name, listener.port);
    }
    text
}

/// The budgets as text, with what the host has added to them.
pub(super) fn describe_budgets(config: &Config, plan: &Plan) -> String {
    let mut text = String::new();
    let shards = u64::from(plan.shards());
    let (request, tail) = (config.shards.request_bytes, config.shards.tail_cache_bytes);
    let _ = writeln!(
        text,
        "budgets of memory: requests {} MiB and tails {} MiB for each shard, {} MiB in all",
        mebibytes(request),
        mebibytes(tail),
        mebibytes((request + tail) * shards)
    );
    let _ = writeln!(
        text,
        "budgets of descriptors: {} connections, {} files for readers and {} for writing for each shard",
        config.shards.connections, config.log.open_segments, config.log.open_writers
    );
    let _ = writeln!(text, "partitions: at most {}", config.shards.partitions as u64 * shards);
    text
}

/// What the probe has found, as text.
pub(super) fn describe_probe(report: &ProbeReport) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "kernel: {}, io_uring works", report.kernel);
    let _ = writeln!(text, "open descriptors: at most {}", report.descriptors_limit);
    for directory in &report.directories {
        let _ = writeln!(text, "direct, flushed writes work in {directory}");
    }
    for (path, problem) in &report.failed {
        let _ = writeln!(text, "offline: {}: {problem}", path.display());
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}
