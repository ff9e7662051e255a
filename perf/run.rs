//! One case of a workload against one broker, from making the topic to comparing what was read.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::cli::Rate;
use crate::connections::{Churn, Idle};
use crate::consumers;
use crate::ledger::Ledger;
use crate::machine::{Machine, own_cpus};
use crate::peer::Broker;
use crate::producers::{self, Counters};
use crate::progress::Progress;
use crate::records::Batches;
use crate::result::{CaseResult, Flow, Usage};
use crate::sampler::{self, Sample, Watched};
use crate::setup;
use crate::track::Track;
use crate::workload::{Consumers, Keys, Producers, Records, Topic, Workload};

/// Bytes of a batch of the backlog, about.
const BACKLOG_BATCH_BYTES: usize = 64 << 10;
/// The warm-up's records: small, in small batches, over a few partitions.
const WARMUP_BYTES: usize = 100;
const WARMUP_BATCH: usize = 16;
const WARMUP_PARTITIONS: i32 = 8;
/// A broker deletes files after a delay; a minute by default.
const SERVED_AGAIN_LIMIT: Duration = Duration::from_secs(120);
/// The longest that a load without end may take.
const FOREVER: u64 = u64::MAX / 2;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What is the same for all cases of a run.
pub struct Context<'a> {
    pub progress: &'a Progress,
    pub machine: Machine,
    pub quick: bool,
    /// The workload file's folder.
    pub folder: PathBuf,
    /// Keeps the topics.
    pub keep: bool,
}

/// A load under way: its topic, what was acknowledged, what is counted.
pub struct Load<'a> {
    pub context: &'a Context<'a>,
    pub workload: &'a Workload,
    pub topic: String,
    pub ledger: Arc<Ledger>,
    pub counters: Arc<Counters>,
}

fn unique(name: &str) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    format!("perf-{name}-{now}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// Deals numbers out to threads.
fn deal(count: usize, threads: usize) -> Vec<Vec<usize>> {
    let threads = threads.clamp(1, count.max(1));
    (0..threads).map(|thread| (0..count).filter(|number| number % threads == thread).collect()).collect()
}

type Handle<T> = thread::JoinHandle<Result<T, String>>;

fn join<T>(handles: Vec<Handle<T>>) -> Result<Vec<T>, String> {
    let ended: Vec<_> = handles.into_iter().map(thread::JoinHandle::join).collect();
    ended.into_iter().map(|end| end.unwrap_or_else(|_| Err("a thread of the load panicked".into()))).collect()
}

fn track<'a, S: 'a>(seen: impl IntoIterator<Item = &'a S>, of: impl Fn(&'a S) -> &'a Track) -> Track {
    let mut all = Track::new(0, u64::MAX);
    seen.into_iter().for_each(|one| all.merge(of(one)));
    all
}

/// When and how long.
#[derive(Clone, Copy)]
pub struct Span {
    pub clock: Instant,
    pub from_ns: u64,
    pub end_ns: u64,
}

impl Span {
    /// Everything counts, for as long as it takes.
    pub fn all() -> Self {
        Self { clock: Instant::now(), from_ns: 0, end_ns: FOREVER }
    }

    fn new(settle: f64, seconds: f64) -> Self {
        let from_ns = (settle * 1e9) as u64;
        Self { clock: Instant::now(), from_ns, end_ns: from_ns + (seconds * 1e9) as u64 }
    }

    fn now(&self) -> u64 {
        self.clock.elapsed().as_nanos() as u64
    }
}

impl<'a> Load<'a> {
    /// Makes the topic.
    pub fn new(context: &'a Context<'a>, broker: &Broker, workload: &'a Workload) -> Result<Self, String> {
        let topic = unique(&workload.name);
        setup::make_topic(broker.address, &topic, workload.topic.partitions, &workload.topic.configs)?;
        Ok(Self {
            context,
            workload,
            topic,
            ledger: Arc::new(Ledger::new(workload.topic.partitions, workload.consumers.groups)),
            counters: Arc::default(),
        })
    }

    /// Starts the producers; `budget` ends them after so many records.
    pub fn produce(
        &self,
        broker: &Broker,
        records: &Records,
        with: &Producers,
        span: Span,
        budget: Option<u64>,
    ) -> Result<Vec<Handle<producers::Seen>>, String> {
        let each = if with.linger_ms.is_some() { 1 } else { records.batch };
        let interval_ns = match with.rate {
            Rate::Max => 0,
            Rate::PerSecond(rate) => (1e9 * each as f64 * with.count as f64 / rate) as u64,
        };
        let plan = Arc::new(producers::Plan {
            address: broker.address,
            topic: self.topic.clone(),
            partitions: self.workload.topic.partitions,
            batches: Batches::make(records, self.workload.topic.partitions, &self.context.folder, now_ms())?,
            batch_records: records.batch,
            count: with.count,
            acks: with.acks.number(),
            idempotent: with.idempotent,
            in_flight: with.in_flight,
            interval_ns,
            linger_ns: with.linger_ms.map(|ms| (ms * 1e6) as u64),
            clock: span.clock,
            from_ns: span.from_ns,
            end_ns: span.end_ns,
            measured: budget.is_none(),
            budget: budget.map(|records| AtomicI64::new(records as i64)),
            ledger: Arc::clone(&self.ledger),
            counters: Arc::clone(&self.counters),
        });
        let threads: Vec<_> = deal(with.count, with.threads)
            .iter()
            .map(|numbers| producers::Thread::new(&plan, numbers))
            .collect::<Result<_, _>>()?;
        threads
            .into_iter()
            .enumerate()
            .map(|(n, thread)| spawn(format!("producers-{n}"), || thread.run()))
            .collect()
    }

    /// Starts the consumers; they read from the start and end when the producers have and all is read.
    pub fn consume(
        &self,
        broker: &Broker,
        with: &Consumers,
        span: Span,
        wait: bool,
    ) -> Result<Vec<Handle<consumers::Seen>>, String> {
        let plan = Arc::new(consumers::Plan {
            address: broker.address,
            topic: self.topic.clone(),
            partitions: self.workload.topic.partitions,
            count: with.count,
            min_bytes: with.min_bytes,
            max_bytes: with.max_bytes,
            partition_max_bytes: with.partition_max_bytes,
            clock: span.clock,
            from_ns: span.from_ns,
            end_ns: span.end_ns,
            ledger: Arc::clone(&self.ledger),
            counters: Arc::clone(&self.counters),
        });
        let threads: Vec<_> = deal(with.count * with.groups, with.threads)
            .iter()
            .map(|numbers| consumers::Thread::new(&plan, numbers))
            .collect::<Result<_, _>>()?;
        let start = move |thread: consumers::Thread| {
            if wait {
                thread::sleep(Duration::from_nanos(span.from_ns.saturating_sub(span.now())));
            }
            thread.run()
        };
        threads
            .into_iter()
            .enumerate()
            .map(|(n, thread)| spawn(format!("consumers-{n}"), move || start(thread)))
            .collect()
    }

    /// Writes the backlog, as fast as it goes.
    pub fn backlog(&self, broker: &Broker) -> Result<Vec<producers::Seen>, String> {
        let workload = self.workload;
        let records = workload.backlog.records;
        self.context.progress.phase("backlog");
        let mut shape = workload.records.clone();
        shape.batch = match workload.backlog.batch {
            0 => (BACKLOG_BATCH_BYTES / shape.bytes.max(1)).clamp(1, 1000),
            batch => batch,
        };
        let with = Producers { count: 4, ..Producers::default() };
        let handles = self.produce(broker, &shape, &with, Span::all(), Some(records))?;
        while !handles.iter().all(thread::JoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(20));
            let acked = self.counters.acked_records.load(Ordering::Relaxed);
            self.context
                .progress
                .at(acked as f64 / records as f64, || format!("{acked} of {records} records"));
        }
        join(handles)
    }

    /// Reads everything back, and gives what that was like.
    pub fn read_back(&self, broker: &Broker, watched: &Watched) -> Result<Flow, String> {
        self.context.progress.phase("reading back");
        let count = self.workload.topic.partitions.clamp(1, 4) as usize;
        let with = Consumers { count, threads: 1, ..self.workload.consumers.clone() };
        self.counters.producers_done.store(true, Ordering::Release);
        let span = Span::all();
        let before = Sample::now(span.clock, watched, &self.counters);
        let handles = self.consume(broker, &with, span, false)?;
        let total = self.counters.acked_records.load(Ordering::Relaxed) * with.groups as u64;
        let start = before.read_records;
        let mut last = (start, before);
        while !handles.iter().all(thread::JoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(5));
            let read = self.counters.read_records.load(Ordering::Relaxed);
            // The last fetches only wait for what might still come: the span ends with the last records.
            if read != last.0 {
                last = (read, Sample::now(span.clock, watched, &self.counters));
            }
            self.context
                .progress
                .at((read - start) as f64 / total.max(1) as f64, || format!("{read} records"));
        }
        let seen = join(handles)?;
        if let Some(error) = seen.iter().find_map(|seen| seen.first_error.clone()) {
            return Err(error);
        }
        let after = last.1;
        let seconds = ((after.at_ns - before.at_ns) as f64 / 1e9).max(1e-6);
        let broker_cpu = before.broker_cpu.zip(after.broker_cpu).map(|(from, to)| to - from);
        let (records, bytes) =
            (after.read_records - before.read_records, after.read_bytes - before.read_bytes);
        let fetches = track(&seen, |seen| &seen.fetches);
        Ok(Flow::of(seconds, records, bytes, fetches.summary(), broker_cpu))
    }

    /// The topic is not needed any more.
    pub fn end(&self, broker: &Broker) {
        if !self.context.keep && broker.alive() {
            let _ = setup::delete_topic(broker.address, &self.topic);
        }
    }
}

pub fn spawn<T: Send + 'static>(
    name: String,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<Handle<T>, String> {
    thread::Builder::new().name(name).spawn(work).map_err(text)
}

/// Loads a broker that has just started, so that what it compiles and allocates at first is behind it.
pub fn warm_up(context: &Context<'_>, broker: &Broker, records: u64) -> Result<(), String> {
    if records == 0 {
        return Ok(());
    }
    context.progress.phase("warm-up");
    let shape = Records { bytes: WARMUP_BYTES, batch: WARMUP_BATCH, keys: Keys::None, ..Records::default() };
    let workload = Workload {
        name: "warm-up".into(),
        about: String::new(),
        case: String::new(),
        kind: Default::default(),
        needs: Vec::new(),
        only: Vec::new(),
        cpus: 0,
        settings: Default::default(),
        topic: Topic { partitions: WARMUP_PARTITIONS, ..Topic::default() },
        records: shape.clone(),
        producers: Producers { count: 4, ..Producers::default() },
        consumers: Consumers { count: 4, ..Consumers::default() },
        backlog: Default::default(),
        connections: Default::default(),
        disk: Default::default(),
        run: Default::default(),
    };
    let load = Load::new(context, broker, &workload)?;
    let consumers = load.consume(broker, &workload.consumers, Span::all(), false)?;
    let producers = load.produce(broker, &shape, &workload.producers, Span::all(), Some(records))?;
    while !producers.iter().all(thread::JoinHandle::is_finished) {
        thread::sleep(Duration::from_millis(20));
        let acked = load.counters.acked_records.load(Ordering::Relaxed);
        context.progress.at(acked as f64 / records as f64, || format!("{acked} of {records} records"));
    }
    let seen = join(producers);
    load.counters.producers_done.store(true, Ordering::Release);
    join(consumers)?;
    load.end(broker);
    match seen?.iter().find_map(|seen| seen.first_error.clone()) {
        Some(error) => Err(format!("the warm-up failed: {error}")),
        None => Ok(()),
    }
}

/// Drops what the page cache holds.
pub fn drop_caches() -> Result<(), String> {
    rustix::fs::sync();
    std::fs::write("/proc/sys/vm/drop_caches", "3\n")
        .map_err(|error| format!("run.drop_caches: /proc/sys/vm/drop_caches: {error} (it needs root)"))
}

/// Producers and consumers side by side.
pub fn load(context: &Context<'_>, broker: &mut Broker, workload: &Workload) -> Result<CaseResult, String> {
    let mut result = CaseResult::new(workload, &broker.about, &context.machine, context.quick);
    let load = Load::new(context, broker, workload)?;
    if workload.backlog.records > 0 {
        let seen = load.backlog(broker)?;
        result.errors += seen.iter().map(|seen| seen.errors).sum::<u64>();
        result.first_error = seen.into_iter().find_map(|seen| seen.first_error);
    }
    if workload.run.restart {
        broker.stop()?;
        broker.again()?;
        setup::make_topic(broker.address, &load.topic, workload.topic.partitions, &workload.topic.configs)?;
    }
    if workload.run.drop_caches {
        drop_caches()?;
    }
    let idle = Idle::open(broker, &workload.connections, context.progress, &mut result.figures)?;
    let watched = Watched { pid: broker.pid, device: broker.device.clone() };
    if watched.device.is_some() {
        rustix::fs::sync();
    }
    let span = Span::new(workload.run.settle_seconds, workload.run.seconds);
    let device_before = Sample::now(span.clock, &watched, &load.counters);
    let churn = Churn::start(broker, workload.connections.churn_per_second, span)?;
    let with_backlog = workload.backlog.records > 0;
    let consumers = if workload.consumers.count > 0 {
        load.consume(broker, &workload.consumers, span, with_backlog)?
    } else {
        Vec::new()
    };
    let producers = if workload.producers.count > 0 {
        load.produce(broker, &workload.records, &workload.producers, span, None)?
    } else {
        Vec::new()
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let sampler = {
        let (watched, counters, stopped) =
            (watched.clone(), Arc::clone(&load.counters), Arc::clone(&stopped));
        let bounds = (span.from_ns, span.end_ns);
        spawn("sampler".into(), move || Ok(sampler::run(span.clock, bounds, &watched, &counters, &stopped)))?
    };
    context.progress.phase("measuring");
    let mut caught_up_ns = None;
    let started = load.counters.acked_records.load(Ordering::Relaxed);
    loop {
        let now = span.now();
        let acked = load.counters.acked_records.load(Ordering::Relaxed);
        let read = load.counters.read_records.load(Ordering::Relaxed);
        if with_backlog && !consumers.is_empty() && caught_up_ns.is_none() {
            // Caught up: behind by less than what comes in a tenth of a second.
            let groups = workload.consumers.groups as u64;
            let rate = (acked - started) as f64 / (now as f64 / 1e9).max(0.1);
            if read + (rate * 0.1) as u64 * groups >= acked * groups {
                caught_up_ns = Some(now);
                let seconds = now.saturating_sub(span.from_ns) as f64 / 1e9;
                result.figures.insert("time to catch up, s".into(), seconds);
                let bytes = load.counters.read_bytes.load(Ordering::Relaxed) as f64 / 1e6;
                result.figures.insert("read while catching up, MB/s".into(), bytes / seconds.max(1e-3));
            }
        }
        let over = producers.iter().all(thread::JoinHandle::is_finished)
            && (!producers.is_empty() || caught_up_ns.is_some() || now >= span.end_ns);
        if over {
            break;
        }
        if !broker.alive() {
            load.counters.stop.store(true, Ordering::Release);
            load.counters.producers_done.store(true, Ordering::Release);
            return Err("the broker's process has ended under the load".into());
        }
        context.progress.at(now as f64 / span.end_ns as f64, || {
            let rate = (acked - started) as f64 / (now as f64 / 1e9).max(0.001);
            format!(
                "{rate:.0} records/s acknowledged, {} errors",
                load.counters.errors.load(Ordering::Relaxed)
            )
        });
        thread::sleep(Duration::from_millis(5));
    }
    let seen = join(producers)?;
    load.counters.producers_done.store(true, Ordering::Release);
    if span.now() < span.end_ns {
        stopped.store(true, Ordering::Release);
    }
    let samples = join(vec![sampler])?.into_iter().next().unwrap_or_default();
    let read = join(consumers)?;
    if with_backlog && !read.is_empty() && caught_up_ns.is_none() {
        let seconds = span.now().saturating_sub(span.from_ns) as f64 / 1e9;
        result.figures.insert("time to catch up, s".into(), seconds);
    }
    Churn::end(churn, &mut result)?;
    drop(idle);
    if watched.device.is_some() {
        rustix::fs::sync();
    }
    let device_after = Sample::now(span.clock, &watched, &load.counters);

    fill(&mut result, span, &samples, (&device_before, &device_after), &seen, &read);
    if read.is_empty() && !seen.is_empty() {
        result.fetch = Some(load.read_back(broker, &watched)?);
    }
    let verdict = load.ledger.verdict(workload.producers.acks.number() == 0);
    if verdict.acknowledged_records > 0 {
        result.verified = Some(verdict);
    }
    load.end(broker);
    if workload.run.errors_allowed {
        result.figures.insert("requests refused".into(), result.errors as f64);
        served_again(context, broker, &mut result)?;
    }
    Ok(result)
}

/// How long after the topic's deletion a broker that refused takes records again.
fn served_again(context: &Context<'_>, broker: &Broker, result: &mut CaseResult) -> Result<(), String> {
    let began = Instant::now();
    loop {
        match warm_up(context, broker, 1000) {
            Ok(()) => break,
            Err(error) if began.elapsed() > SERVED_AGAIN_LIMIT => {
                return Err(format!("records are still refused after the topic's deletion: {error}"));
            }
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
    result.figures.insert("records taken again after deletion, s".into(), began.elapsed().as_secs_f64());
    Ok(())
}

/// Puts what threads and samples saw into the result.
fn fill(
    result: &mut CaseResult,
    span: Span,
    samples: &[Sample],
    (device_before, device_after): (&Sample, &Sample),
    seen: &[producers::Seen],
    read: &[consumers::Seen],
) {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return };
    let seconds = (last.at_ns.saturating_sub(first.at_ns) as f64 / 1e9).max(1e-6);
    let broker_cpu = first.broker_cpu.zip(last.broker_cpu).map(|(from, to)| to - from);
    if !seen.is_empty() {
        let latency = track(seen, |seen| &seen.latency);
        let records = seen.iter().map(|seen| seen.records).sum();
        let bytes = seen.iter().map(|seen| seen.bytes).sum();
        result.produce = Some(Flow::of(seconds, records, bytes, latency.summary(), broker_cpu));
        result.generator_lag = Some(track(seen, |seen| &seen.lag).summary());
        result.latency_seconds = latency.seconds();
        result.latency_histogram = Some(latency.all);
    }
    if !read.is_empty() {
        let fetches = track(read, |read| &read.fetches);
        let records = read.iter().map(|read| read.records).sum();
        let bytes = read.iter().map(|read| read.bytes).sum();
        // Beside producers the broker's time cannot be told apart: it stands with them.
        let cpu = broker_cpu.filter(|_| seen.is_empty());
        result.fetch = Some(Flow::of(seconds, records, bytes, fetches.summary(), cpu));
        let mut end_to_end = track(read, |read| &read.end_to_end);
        end_to_end.merge(&track(seen, |seen| &seen.end_to_end));
        if !end_to_end.all.is_empty() {
            result.end_to_end = Some(end_to_end.summary());
            result.end_to_end_seconds = end_to_end.seconds();
            result.end_to_end_histogram = Some(end_to_end.all);
        }
    }
    result.errors += seen.iter().map(|seen| seen.errors).sum::<u64>();
    let errors = seen.iter().map(|seen| &seen.first_error).chain(read.iter().map(|read| &read.first_error));
    for error in errors.flatten() {
        result.first_error.get_or_insert_with(|| error.clone());
    }
    let bytes = device_after.acked_bytes.saturating_sub(device_before.acked_bytes);
    let written = |from: Option<u64>, to: Option<u64>| from.zip(to).map(|(from, to)| to.saturating_sub(from));
    let device = written(device_before.device, device_after.device);
    let broker_written = written(device_before.broker_written, device_after.broker_written);
    let per_byte =
        |written: Option<u64>| written.filter(|_| bytes > 0).map(|written| written as f64 / bytes as f64);
    let cpus = own_cpus();
    let cores = cpus.len().clamp(1, (seen.len() + read.len()).max(1));
    let generator = last.generator_cpu - first.generator_cpu;
    result.usage = Usage {
        broker_cpu_seconds: broker_cpu,
        broker_resident_mib: last.resident.map(|bytes| bytes as f64 / 1048576.0),
        generator_cpu_seconds: generator,
        generator_cores: cores,
        generator_share: generator / seconds / cores as f64,
        generator_cpus: cpus,
        other_cpu_seconds: (last.machine_busy - first.machine_busy - generator - broker_cpu.unwrap_or(0.0))
            .max(0.0),
        steal_seconds: last.steal - first.steal,
        device_bytes: device,
        device_bytes_per_byte: per_byte(device),
        broker_written_bytes_per_byte: per_byte(broker_written),
    };
    result.void = result.usage.void();
    if let Some(cpu) = broker_cpu.filter(|_| seen.is_empty() && read.is_empty()) {
        result.figures.insert("idle: broker CPU, % of a core".into(), cpu / seconds * 100.0);
    }
    result.timeline =
        samples.windows(2).map(|pair| sampler::second(&pair[0], &pair[1], span.from_ns)).collect();
}

/// Where brokers keep their data: the given folder, or one beside the results.
pub fn data_folder(given: Option<&Path>, out: &Path) -> PathBuf {
    given.map_or_else(|| out.join("data"), Path::to_path_buf)
}
