//! The report: one HTML file that needs nothing else.

use std::fmt::Write as _;

use crate::charts::{Across, Chart, Line, nines};
use crate::compare::{Case, shown_spread};
use crate::result::CaseResult;
use crate::run::Context;
use crate::track::{Track, curve};
use crate::workload::WorkloadFile;
use hdrhistogram::Histogram;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1180px;padding:0 1em;color:#222}\
h1{margin-bottom:0}h2{margin-top:2em;border-bottom:1px solid #ccc}\
table{border-collapse:collapse;margin:.8em 0}td,th{padding:.2em .7em;border-bottom:1px solid #e4e4e4;text-align:left}\
td.n{text-align:right;font-variant-numeric:tabular-nums}\
.charts{display:flex;flex-wrap:wrap;gap:10px}.charts svg{border:1px solid #eee;max-width:100%;height:auto}\
.note{background:#fff3d6;padding:.5em .8em;border-left:4px solid #e0a800}.small{color:#666;font-size:13px}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn row(out: &mut String, name: &str, cells: impl IntoIterator<Item = String>, class: &str) {
    let _ = write!(out, "<tr><th>{}</th>", escape(name));
    for cell in cells {
        let _ = write!(out, "<td{class}>{}</td>", escape(&cell));
    }
    out.push_str("</tr>\n");
}

/// The whole report.
///
/// # Errors
/// What the library of charts says.
pub fn report(
    file: &WorkloadFile,
    context: &Context<'_>,
    brokers: &[String],
    cases: &[Case],
) -> Result<String, String> {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{name}</title><style>{STYLE}</style>\n<h1>{name}</h1>\n<p>{}</p>\n",
        escape(&file.about),
        name = escape(&file.name)
    );
    if context.quick {
        out.push_str(
            "<p class=\"note\">The short form: a short warm-up and few seconds. Not for publication.</p>\n",
        );
    }
    conditions(&mut out, context, brokers, cases);
    for case in cases {
        section(&mut out, brokers, case)?;
    }
    let _ = writeln!(
        out,
        "<p class=\"small\">Open loop unless the rate is \"max\": latencies count from when a record was due, which the \
         generator's own delay is part of (shown apart). Percentiles are of all records of a run; medians of percentiles \
         are over rounds; curves are of histograms merged over rounds. Written by millrace-perf {}.</p>",
        env!("CARGO_PKG_VERSION")
    );
    Ok(out)
}

/// Machine and brokers.
fn conditions(out: &mut String, context: &Context<'_>, brokers: &[String], cases: &[Case]) {
    let machine = &context.machine;
    let _ = write!(
        out,
        "<p>{} CPUs ({}), {:.1} GiB, Linux {}, {}{}, load average {:.2} at the start.</p>\n<table>\n",
        machine.cpus,
        escape(if machine.cpu.is_empty() { "model not known" } else { &machine.cpu }),
        machine.memory_gib,
        escape(&machine.kernel),
        escape(&machine.file_system),
        machine.device.as_ref().map_or_else(String::new, |device| format!(" on {}", escape(device))),
        machine.load_average
    );
    // The first run of each broker tells what it is; settings that differ from case to case stand with the case.
    let first =
        |number: usize| cases.iter().find_map(|case| case.runs.get(number).and_then(|runs| runs.first()));
    let about: Vec<Option<&CaseResult>> = (0..brokers.len()).map(first).collect();
    let each = |of: &dyn Fn(&CaseResult) -> String| -> Vec<String> {
        about.iter().map(|run| run.map_or_else(|| "-".into(), of)).collect()
    };
    row(out, "broker", each(&|run| format!("{} {}", run.broker.name, run.broker.version)), "");
    row(out, "flush", each(&|run| run.broker.flush.clone()), "");
    let cpus = |run: &CaseResult| match run.broker.cpus.as_str() {
        "" => "all, shared with the load".to_owned(),
        cpus => cpus.to_owned(),
    };
    row(out, "its CPUs", each(&cpus), "");
    row(out, "CPUs of the load", each(&|run| format!("{:?}", run.usage.generator_cpus)), "");
    out.push_str("</table>\n");
}

fn section(out: &mut String, brokers: &[String], case: &Case) -> Result<(), String> {
    let workload = &case.workload;
    let title = if workload.case.is_empty() { workload.name.as_str() } else { workload.case.as_str() };
    let _ = write!(
        out,
        "<h2>{}</h2>\n<p class=\"small\">{} partitions; {} producers, rate {}, acks {}{}{}; records of {} B, {} in a batch, \
         codec {}; {} groups of {} consumers; {} s after {} s</p>\n",
        escape(title),
        workload.topic.partitions,
        workload.producers.count,
        workload.producers.rate,
        workload.producers.acks,
        if workload.producers.idempotent { ", idempotent" } else { "" },
        workload.producers.linger_ms.map_or_else(String::new, |ms| format!(", linger {ms} ms")),
        workload.records.bytes,
        workload.records.batch,
        workload.records.codec.name(),
        workload.consumers.groups,
        workload.consumers.count,
        workload.run.seconds,
        workload.run.settle_seconds,
    );
    for run in case.runs.iter().flatten() {
        if let Some(void) = &run.void {
            let _ = writeln!(
                out,
                "<p class=\"note\">A run of {} is void: {}.</p>",
                escape(&run.broker.key),
                escape(void)
            );
        }
    }
    for note in &case.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
    out.push_str("<table>\n<tr><th></th>");
    let first = brokers.first().map_or("", String::as_str);
    for broker in brokers {
        let _ = write!(out, "<th>{}</th>", escape(broker));
    }
    for broker in brokers.iter().skip(1) {
        let _ = write!(out, "<th>{} / {}</th>", escape(broker), escape(first));
    }
    out.push_str("</tr>\n");
    for line in case.rows() {
        let figures = line.brokers.iter().map(|spread| shown_spread(*spread));
        let ratios =
            line.ratios.iter().map(|ratio| ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}")));
        row(out, &line.figure, figures.chain(ratios).collect::<Vec<_>>(), " class=\"n\"");
    }
    let last = |of: &dyn Fn(&CaseResult) -> String| -> Vec<String> {
        case.runs.iter().map(|runs| runs.last().map_or_else(|| "-".into(), of)).collect()
    };
    let generator = |run: &CaseResult| {
        let usage = &run.usage;
        let lag = run.generator_lag.as_ref().map_or(0, |lag| lag.p99_us);
        format!(
            "{:.0} % of {} cores, late p99 {lag} us",
            usage.generator_share * 100.0,
            usage.generator_cores
        )
    };
    let checked = |run: &CaseResult| match &run.verified {
        None => "nothing to compare".to_owned(),
        Some(verdict) if verdict.ok => {
            format!(
                "{} acknowledged, {} read, CRCs equal",
                verdict.acknowledged_records, verdict.read_records
            )
        }
        Some(verdict) => verdict.differences.join("; "),
    };
    let seconds = |run: &CaseResult| {
        let broker = run.usage.broker_cpu_seconds.map_or_else(|| "-".into(), |cpu| format!("{cpu:.2}"));
        let usage = &run.usage;
        format!("{broker} / {:.2} / {:.2}", usage.generator_cpu_seconds, usage.other_cpu_seconds)
    };
    row(out, "CPU seconds: broker / load / others", last(&seconds), "");
    row(out, "load (last run)", last(&generator), "");
    row(out, "read back (last run)", last(&checked), "");
    let settings = last(&|run| run.broker.settings.join(" "));
    if settings.iter().any(|settings| settings.len() > 1) {
        row(out, "settings", settings, "");
    }
    out.push_str("</table>\n<div class=\"charts\">\n");
    for chart in charts(case) {
        if let Some(svg) = chart.svg()? {
            out.push_str(&svg);
            out.push('\n');
        }
    }
    out.push_str("</div>\n");
    Ok(())
}

fn charts(case: &Case) -> Vec<Chart> {
    let over_time = |title: &str, unit, log, of: &dyn Fn(&CaseResult) -> Vec<(f64, f64)>| Chart {
        title: title.into(),
        unit,
        across: Across::Seconds,
        log,
        lines: case
            .runs
            .iter()
            .flatten()
            .map(|run| Line { label: run.broker.key.clone(), points: of(run) })
            .collect(),
    };
    let timeline = |of: &dyn Fn(&crate::sampler::Second) -> Option<f64>, run: &CaseResult| {
        run.timeline.iter().filter_map(|second| Some((second.seconds, of(second)?))).collect()
    };
    let tails = |seconds: &[crate::track::Second], of: fn(&crate::track::Second) -> u64| {
        let counted = seconds.iter().enumerate().filter(|(_, second)| second.count > 0);
        counted.map(|(at, second)| (at as f64 + 1.0, of(second) as f64 / 1000.0)).collect()
    };
    let curves = |title: &str, of: &dyn Fn(&CaseResult) -> Option<&Histogram<u64>>| Chart {
        title: title.into(),
        unit: "ms at each percentile",
        across: Across::Nines,
        log: true,
        lines: case.runs.iter().filter_map(|runs| merged(runs, of)).collect(),
    };
    let acked = |run: &CaseResult| timeline(&|s| Some(s.records_per_second).filter(|rate| *rate > 0.0), run);
    let read = |run: &CaseResult| {
        timeline(
            &|s| {
                Some(s.read_records_per_second)
                    .filter(|_| run.fetch.is_some() && run.workload.consumers.count > 0)
            },
            run,
        )
    };
    vec![
        over_time("acknowledged", "records/s", false, &acked),
        over_time("read", "records/s", false, &read),
        over_time("produce: p99 of each second", "ms", true, &|run| {
            tails(&run.latency_seconds, |s| s.p99_us)
        }),
        over_time("produce: p99.9 of each second", "ms", true, &|run| {
            tails(&run.latency_seconds, |s| s.p99_9_us)
        }),
        curves("produce latency", &|run| run.latency_histogram.as_ref()),
        over_time("end to end: p99 of each second", "ms", true, &|run| {
            tails(&run.end_to_end_seconds, |s| s.p99_us)
        }),
        curves("end to end latency", &|run| run.end_to_end_histogram.as_ref()),
        over_time("broker CPU", "us/record", false, &|run| timeline(&|s| s.broker_cpu_us_per_record, run)),
        over_time("broker CPU", "cores", false, &|run| timeline(&|s| s.broker_cpu_cores, run)),
        over_time("bytes written by the device", "MB/s", false, &|run| {
            timeline(&|s| s.device_mb_per_second, run)
        }),
        over_time("resident memory of the broker", "MiB", false, &|run| timeline(&|s| s.resident_mib, run)),
    ]
}

/// The curve of a broker's rounds together, void ones left out unless all are.
fn merged(runs: &[CaseResult], of: &dyn Fn(&CaseResult) -> Option<&Histogram<u64>>) -> Option<Line> {
    let mut all = Track::new(0, u64::MAX).all;
    let every_void = runs.iter().all(|run| run.void.is_some());
    for run in runs.iter().filter(|run| every_void || run.void.is_none()) {
        if let Some(histogram) = of(run) {
            all.add(histogram).ok()?;
        }
    }
    let points = curve(&all).into_iter().filter(|(share, _)| *share < 1.0);
    let points: Vec<(f64, f64)> = points.map(|(share, us)| (nines(share), us as f64 / 1000.0)).collect();
    let label = runs.first()?.broker.key.clone();
    (!points.is_empty()).then_some(Line { label, points })
}
