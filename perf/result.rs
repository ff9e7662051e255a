//! What a run gave: the JSON's form, and the figures that are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::ledger::Verdict;
use crate::machine::Machine;
use crate::measure::Summary;
use crate::peer::About;
use crate::sampler;
use crate::track;
use crate::workload::Workload;

/// More of its own cores than this and the generator may have been what was measured.
const GENERATOR_LIMIT: f64 = 0.7;

/// One side of a load: what was written, or read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Flow {
    pub seconds: f64,
    pub records: u64,
    pub bytes: u64,
    pub records_per_second: f64,
    pub mb_per_second: f64,
    pub latency: Summary,
    pub broker_cpu_us_per_record: Option<f64>,
    pub broker_cpu_ms_per_mb: Option<f64>,
}

impl Flow {
    pub fn of(seconds: f64, records: u64, bytes: u64, latency: Summary, broker_cpu: Option<f64>) -> Self {
        let megabytes = bytes as f64 / 1e6;
        Self {
            seconds,
            records,
            bytes,
            records_per_second: records as f64 / seconds,
            mb_per_second: megabytes / seconds,
            latency,
            broker_cpu_us_per_record: broker_cpu
                .filter(|_| records > 0)
                .map(|cpu| cpu * 1e6 / records as f64),
            broker_cpu_ms_per_mb: broker_cpu.filter(|_| bytes > 0).map(|cpu| cpu * 1e3 / megabytes),
        }
    }
}

/// Processor time and bytes of a measured span.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Usage {
    pub broker_cpu_seconds: Option<f64>,
    pub broker_resident_mib: Option<f64>,
    pub generator_cpu_seconds: f64,
    /// Cores that the generator could use: its CPUs, or its threads if they are fewer.
    pub generator_cores: usize,
    /// The share of them that it used.
    pub generator_share: f64,
    pub generator_cpus: Vec<usize>,
    /// What neither side used.
    pub other_cpu_seconds: f64,
    pub steal_seconds: f64,
    /// From a sync before the load to one behind it.
    pub device_bytes: Option<u64>,
    pub device_bytes_per_byte: Option<f64>,
    pub broker_written_bytes_per_byte: Option<f64>,
}

impl Usage {
    /// Why the run does not count, if it was the generator that was measured.
    pub fn void(&self) -> Option<String> {
        (self.generator_share > GENERATOR_LIMIT).then(|| {
            format!(
                "the generator used {:.0} % of its {} cores, more than {:.0} %",
                self.generator_share * 100.0,
                self.generator_cores,
                GENERATOR_LIMIT * 100.0
            )
        })
    }
}

/// Everything about one run of one case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseResult {
    pub title: String,
    pub quick: bool,
    pub workload: Workload,
    pub broker: About,
    pub machine: Machine,
    /// Why the run does not count, if so.
    pub void: Option<String>,
    pub produce: Option<Flow>,
    pub fetch: Option<Flow>,
    /// From when a record was due until a consumer had it.
    pub end_to_end: Option<Summary>,
    /// How late the generator itself was; latencies include it.
    pub generator_lag: Option<Summary>,
    pub usage: Usage,
    pub verified: Option<Verdict>,
    pub errors: u64,
    pub first_error: Option<String>,
    /// Figures that only some workloads have.
    pub figures: BTreeMap<String, f64>,
    pub timeline: Vec<sampler::Second>,
    pub latency_seconds: Vec<track::Second>,
    pub end_to_end_seconds: Vec<track::Second>,
    #[serde(skip)]
    pub latency_histogram: Option<Histogram<u64>>,
    #[serde(skip)]
    pub end_to_end_histogram: Option<Histogram<u64>>,
}

impl CaseResult {
    pub fn new(workload: &Workload, broker: &About, machine: &Machine, quick: bool) -> Self {
        Self {
            title: workload.title(),
            quick,
            workload: workload.clone(),
            broker: broker.clone(),
            machine: machine.clone(),
            void: None,
            produce: None,
            fetch: None,
            end_to_end: None,
            generator_lag: None,
            usage: Usage::default(),
            verified: None,
            errors: 0,
            first_error: None,
            figures: BTreeMap::new(),
            timeline: Vec::new(),
            latency_seconds: Vec::new(),
            end_to_end_seconds: Vec::new(),
            latency_histogram: None,
            end_to_end_histogram: None,
        }
    }

    /// Why the run failed, if it did: lost or changed records, or errors that were not looked for.
    pub fn failure(&self) -> Option<String> {
        if let Some(verdict) = self.verified.as_ref().filter(|verdict| !verdict.ok) {
            return Some(verdict.differences.join("; "));
        }
        (self.errors > 0 && !self.workload.run.errors_allowed).then(|| {
            format!("{} errors, the first: {}", self.errors, self.first_error.as_deref().unwrap_or("-"))
        })
    }

    /// What is compared between brokers: name with unit, and the value. Smaller is better unless it is a rate.
    pub fn figures(&self) -> Vec<(String, f64)> {
        let mut out = Vec::new();
        let mut put = |name: &str, value: Option<f64>| {
            if let Some(value) = value {
                out.push((name.to_owned(), value));
            }
        };
        let ms = |us: u64| Some(us as f64 / 1000.0);
        if let Some(flow) = &self.produce {
            put("produce: records/s", Some(flow.records_per_second));
            put("produce: MB/s", Some(flow.mb_per_second));
            put("produce: p50, ms", ms(flow.latency.p50_us));
            put("produce: p99, ms", ms(flow.latency.p99_us));
            put("produce: p99.9, ms", ms(flow.latency.p99_9_us));
            put("produce: p99.99, ms", ms(flow.latency.p99_99_us));
            put("produce: max, ms", ms(flow.latency.max_us));
            put("produce: median of p99 a second, ms", ms(flow.latency.p99_per_second_median_us));
            let mut tails: Vec<u64> =
                self.latency_seconds.iter().filter(|s| s.count > 0).map(|s| s.p99_9_us).collect();
            tails.sort_unstable();
            put("produce: median of p99.9 a second, ms", tails.get(tails.len() / 2).and_then(|us| ms(*us)));
            put("produce: worst p99.9 a second, ms", tails.last().and_then(|us| ms(*us)));
            put("broker CPU, us/record", flow.broker_cpu_us_per_record);
            put("broker CPU, ms/MB", flow.broker_cpu_ms_per_mb);
        }
        if let Some(latency) = &self.end_to_end {
            put("end to end: p50, ms", ms(latency.p50_us));
            put("end to end: p99, ms", ms(latency.p99_us));
            put("end to end: p99.9, ms", ms(latency.p99_9_us));
            put("end to end: max, ms", ms(latency.max_us));
        }
        if let Some(flow) = &self.fetch {
            put("fetch: MB/s", Some(flow.mb_per_second));
            put("fetch: broker CPU, ms/MB", flow.broker_cpu_ms_per_mb);
        }
        put("device bytes per byte produced", self.usage.device_bytes_per_byte);
        put("resident, MiB", self.usage.broker_resident_mib);
        for (name, value) in &self.figures {
            put(name, Some(*value));
        }
        out
    }

    /// The run in a few lines.
    pub fn text(&self) -> String {
        let mut out = format!("{} on {} {}", self.title, self.broker.name, self.broker.version);
        for (name, flow) in [("produce", &self.produce), ("fetch", &self.fetch)] {
            let Some(flow) = flow else { continue };
            let l = &flow.latency;
            let _ = write!(
                out,
                "\n  {name}: {:.0} records/s, {:.1} MB/s; p50 {} p99 {} p99.9 {} p99.99 {} max {} us",
                flow.records_per_second,
                flow.mb_per_second,
                l.p50_us,
                l.p99_us,
                l.p99_9_us,
                l.p99_99_us,
                l.max_us
            );
            if let Some(cpu) = flow.broker_cpu_us_per_record {
                let megabyte = flow.broker_cpu_ms_per_mb.unwrap_or(0.0);
                let _ = write!(out, "; broker CPU {cpu:.3} us a record, {megabyte:.3} ms a MB");
            }
        }
        if let Some(l) = &self.end_to_end {
            let _ = write!(
                out,
                "\n  end to end: p50 {} p99 {} p99.9 {} max {} us",
                l.p50_us, l.p99_us, l.p99_9_us, l.max_us
            );
        }
        let usage = &self.usage;
        if usage.generator_cores > 0 {
            let _ = write!(
                out,
                "\n  generator: {:.2} s of CPU, {:.0} % of its {} cores; late p99 {} us; others used {:.2} s",
                usage.generator_cpu_seconds,
                usage.generator_share * 100.0,
                usage.generator_cores,
                self.generator_lag.as_ref().map_or(0, |lag| lag.p99_us),
                usage.other_cpu_seconds
            );
        }
        if let Some(ratio) = usage.device_bytes_per_byte {
            let _ = write!(out, "\n  device: {ratio:.2} bytes written per byte produced");
        }
        for (name, value) in &self.figures {
            let _ = write!(out, "\n  {name}: {value:.3}");
        }
        if let Some(verdict) = &self.verified {
            let (acked, read, groups) = (verdict.acknowledged_records, verdict.read_records, verdict.groups);
            let word = if verdict.ok { "verified" } else { "NOT AS PRODUCED" };
            let _ = write!(
                out,
                "\n  {word}: {acked} records acknowledged, {read} read by {groups} group(s), CRCs compared"
            );
        }
        if let Some(failure) = self.failure() {
            let _ = write!(out, "\n  FAILED: {failure}");
        }
        if let Some(void) = &self.void {
            let _ = write!(out, "\n  VOID: {void}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_above_its_share_voids_the_run() {
        let usage = |generator_share| Usage { generator_share, generator_cores: 2, ..Usage::default() };
        assert_eq!(usage(0.7).void(), None);
        let void = usage(0.71).void().unwrap_or_default();
        assert_eq!(void, "the generator used 71 % of its 2 cores, more than 70 %");
    }
}
