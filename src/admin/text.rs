//! Metrics as text, in the format that Prometheus reads.

use std::fmt::Write;

use super::metrics::{METRICS, Metric, Source};
use super::process::ProcessSample;
use super::sample::ShardSample;

/// The content type of [`render`]'s text.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All metrics as text.
#[must_use]
pub fn render(process: &ProcessSample, shards: &[ShardSample]) -> String {
    let mut text = String::with_capacity(16 << 10);
    for metric in METRICS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "# HELP {} {}", metric.name, metric.help);
        let _ = writeln!(text, "# TYPE {} {}", metric.name, metric.kind.name());
        values(&mut text, metric, process, shards);
    }
    text
}

fn values(text: &mut String, metric: &Metric, process: &ProcessSample, shards: &[ShardSample]) {
    let name = metric.name;
    match metric.source {
        Source::Process(value) => _ = writeln!(text, "{name} {}", value(process)),
        Source::ProcessMillis(value) => {
            let millis = value(process);
            let _ = writeln!(text, "{name} {}.{:03}", millis / 1000, millis % 1000);
        }
        source => shards.iter().for_each(|shard| of_shard(text, name, source, shard)),
    }
}

fn of_shard(text: &mut String, name: &str, source: Source, sample: &ShardSample) {
    let shard = sample.shard;
    match source {
        Source::Process(_) | Source::ProcessMillis(_) => {}
        Source::Shard(value) => _ = writeln!(text, "{name}{{shard=\"{shard}\"}} {}", value(sample)),
        Source::By(label, each) => {
            for (label_value, value) in each {
                let _ =
                    writeln!(text, "{name}{{shard=\"{shard}\",{label}=\"{label_value}\"}} {}", value(sample));
            }
        }
        Source::Requests => {
            for (api, count) in &sample.requests {
                let _ = writeln!(text, "{name}{{shard=\"{shard}\",api=\"{api}\"}} {count}");
            }
        }
        Source::Directory(value) => {
            for directory in &sample.directories {
                let path = escaped(&directory.path.display().to_string());
                let _ =
                    writeln!(text, "{name}{{shard=\"{shard}\",directory=\"{path}\"}} {}", value(directory));
            }
        }
        Source::GroupTime => group_time(text, name, sample),
    }
}

/// Bucket n holds what took less than 2^n microseconds.
fn group_time(text: &mut String, name: &str, sample: &ShardSample) {
    let shard = sample.shard;
    let mut so_far = 0;
    let last = sample.log.group_latency.len() - 1;
    for (bucket, count) in sample.log.group_latency.iter().enumerate() {
        so_far += count;
        if bucket == last {
            let _ = writeln!(text, "{name}_bucket{{shard=\"{shard}\",le=\"+Inf\"}} {so_far}");
        } else if (4..=24).contains(&bucket) {
            let bound = (1u64 << bucket) as f64 / 1e6;
            let _ = writeln!(text, "{name}_bucket{{shard=\"{shard}\",le=\"{bound}\"}} {so_far}");
        }
    }
    let micros = sample.log.group_us;
    let _ =
        writeln!(text, "{name}_sum{{shard=\"{shard}\"}} {}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let _ = writeln!(text, "{name}_count{{shard=\"{shard}\"}} {so_far}");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
