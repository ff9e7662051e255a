//! Cases that are more than a load: one record at a time over many connections, and starts after a stop and a kill.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::{Common, EndToEndOptions};
use crate::connection::Connection;
use crate::end_to_end;
use crate::peer::Broker;
use crate::result::CaseResult;
use crate::run::{Context, Load, Span, load};
use crate::sampler::Watched;
use crate::setup;
use crate::workload::{Kind, Workload};

/// Pairs of connections tried by `hop`: with a few shards some land on the partition's own.
const PAIRS: usize = 8;
/// Records of each pair a second of the workload.
const PAIR_RECORDS_PER_SECOND: f64 = 100.0;

/// Runs a case of any kind.
pub fn run(context: &Context<'_>, broker: &mut Broker, workload: &Workload) -> Result<CaseResult, String> {
    match workload.kind {
        Kind::Load => load(context, broker, workload),
        Kind::Hop => hop(context, broker, workload),
        Kind::Recovery => recovery(context, broker, workload),
    }
}

fn hop(context: &Context<'_>, broker: &mut Broker, workload: &Workload) -> Result<CaseResult, String> {
    let mut result = CaseResult::new(workload, &broker.about, &context.machine, context.quick);
    let load = Load::new(context, broker, workload)?;
    context.progress.phase("measuring");
    let common = Common {
        bootstrap: broker.address,
        topic: load.topic.clone(),
        partitions: workload.topic.partitions,
        pid: broker.pid,
        device: broker.device.clone(),
        cpu: None,
        json: None,
        hgrm: None,
    };
    let records = (workload.run.seconds * PAIR_RECORDS_PER_SECOND).max(20.0) as u64;
    let options = EndToEndOptions {
        records,
        warmup_records: records / 10,
        record_bytes: workload.records.bytes,
        pairs: PAIRS,
    };
    let report = end_to_end::run(&common, &options)?;
    let mut pairs = report.parts.clone();
    pairs.sort_by_key(|pair| pair.p50_us);
    if let (Some(best), Some(worst)) = (pairs.first(), pairs.last()) {
        for (name, pair) in [("best", best), ("worst", worst)] {
            result.figures.insert(format!("{name} pair of connections: p50, us"), pair.p50_us as f64);
            result.figures.insert(format!("{name} pair of connections: p99, us"), pair.p99_us as f64);
        }
    }
    if let Some(cpu) = report.broker_cpu_us_per_record {
        result.figures.insert("one record there and back: broker CPU, us".into(), cpu);
    }
    result.usage.broker_cpu_seconds = report.broker_cpu_seconds;
    result.usage.generator_cpu_seconds = report.generator_cpu_seconds;
    result.usage.generator_cores = 1;
    result.usage.generator_share = report.generator_cpu_seconds / report.seconds;
    result.end_to_end = Some(report.latency);
    result.end_to_end_histogram = report.histogram;
    load.end(broker);
    Ok(result)
}

/// Waits until the broker serves every partition of the topic; gives seconds since `began`.
fn serving(broker: &Broker, load: &Load<'_>, began: Instant) -> Result<f64, String> {
    let mut connection = Connection::open(broker.address).map_err(|error| error.to_string())?;
    setup::wait_until_led(&mut connection, &load.topic, load.workload.topic.partitions)?;
    Ok(began.elapsed().as_secs_f64())
}

fn recovery(context: &Context<'_>, broker: &mut Broker, workload: &Workload) -> Result<CaseResult, String> {
    if !broker.ours() {
        return Err("recovery stops and kills the broker: give --broker a name of perf/peers/".into());
    }
    let mut result = CaseResult::new(workload, &broker.about, &context.machine, context.quick);
    let load = Load::new(context, broker, workload)?;
    let mut seen = load.backlog(broker)?;
    let bytes = load.counters.acked_bytes.load(Ordering::Relaxed);
    result.figures.insert("log at the clean stop, MB".into(), bytes as f64 / 1e6);
    context.progress.phase("clean stop and start");
    broker.stop()?;
    let began = Instant::now();
    broker.again()?;
    result.figures.insert("start after a clean stop, s".into(), serving(broker, &load, began)?);

    context.progress.phase("load, then SIGKILL");
    let mut with = workload.producers.clone();
    with.count = with.count.max(1);
    let handles = load.produce(broker, &workload.records, &with, Span::all(), None)?;
    let until = Instant::now() + Duration::from_secs_f64(workload.run.seconds);
    while Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    broker.kill()?;
    load.counters.stop.store(true, Ordering::Release);
    for handle in handles {
        seen.push(handle.join().unwrap_or_else(|_| Err("a thread of the load panicked".into()))?);
    }
    // For those who read next.
    load.counters.stop.store(false, Ordering::Release);
    let began = Instant::now();
    broker.again()?;
    result.figures.insert("start after SIGKILL under load, s".into(), serving(broker, &load, began)?);
    let bytes = load.counters.acked_bytes.load(Ordering::Relaxed);
    result.figures.insert("log at the kill, MB".into(), bytes as f64 / 1e6);

    let watched = Watched { pid: broker.pid, device: broker.device.clone() };
    result.fetch = Some(load.read_back(broker, &watched)?);
    // Requests under way at the kill failed, as they must: what was acknowledged is what counts.
    result.verified = Some(load.ledger.verdict(false));
    load.end(broker);
    Ok(result)
}
