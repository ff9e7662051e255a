//! `produce`: requests that fall due at fixed times over many connections, from one thread.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use bytes::BytesMut;
use millrace::protocol::messages::{ProduceRequest, ProduceResponse, produce};
use millrace::protocol::{ErrorCode, Records, decode_response, encode_request};
use rustix::event::epoll;

use crate::cli::{Common, ProduceOptions, Rate};
use crate::connection::{Connection, wait_for_events};
use crate::load;
use crate::measure::{Latencies, Report, Usage, settle_thread};
use crate::setup;

/// The newest version that names topics.
const PRODUCE: i16 = 9;

/// A request made ahead: all but its correlation id and batch.
struct Template {
    before: BytesMut,
}

/// Where the correlation id stands in a frame: behind length, key and version.
const CORRELATION_AT: usize = 8;

struct Producer {
    connection: Connection,
    /// Times at which requests under way were due, oldest first.
    under_way: VecDeque<u64>,
    templates: Vec<Template>,
    next_partition: usize,
    next_due_ns: u64,
    correlation: u32,
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Frames around a batch of `batch_len` bytes, one for each partition of this connection. The batch is the last thing
/// in the request but for the empty tagged fields behind it.
fn templates(
    common: &Common,
    options: &ProduceOptions,
    batch: &[u8],
    partitions: &[i32],
) -> Result<Vec<Template>, String> {
    partitions
        .iter()
        .map(|&index| {
            let request = ProduceRequest {
                transactional_id: None,
                acks: options.acks,
                timeout_ms: 30_000,
                topic_data: vec![produce::TopicProduceData {
                    name: &common.topic,
                    partition_data: vec![produce::PartitionProduceData {
                        index,
                        records: Records::Slice(batch),
                    }],
                    ..Default::default()
                }],
            };
            let mut frame = encode_request(0, Some("millrace-perf"), PRODUCE, &request).map_err(text)?;
            // Tagged fields of partition, topic and request: one zero byte each.
            let tail = frame.len() - 3;
            if frame.get(tail..) != Some(&[0, 0, 0]) || frame.get(tail - batch.len()..tail) != Some(batch) {
                return Err("a produce request does not end as version 9 does".into());
            }
            frame.truncate(tail - batch.len());
            Ok(Template { before: frame })
        })
        .collect()
}

struct Run<'a> {
    options: &'a ProduceOptions,
    batches: &'a [Vec<u8>],
    producers: Vec<Producer>,
    start: Instant,
    interval_ns: u64,
    measure_from_ns: u64,
    end_ns: u64,
    latencies: Latencies,
    lag: Latencies,
    acknowledged: u64,
    errors: u64,
    first_error: Option<String>,
}

impl Run<'_> {
    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// Queues what is due on a connection; gives when the next is due.
    fn send_due(&mut self, index: usize) -> io::Result<u64> {
        let now = self.now();
        let Some(producer) = self.producers.get_mut(index) else { return Ok(u64::MAX) };
        let mut queued = false;
        while producer.next_due_ns <= now
            && producer.next_due_ns < self.end_ns
            && producer.under_way.len() < self.options.in_flight
        {
            let due = if self.interval_ns == 0 { now } else { producer.next_due_ns };
            let batch = &self.batches[producer.correlation as usize % self.batches.len()];
            let slot = producer.next_partition % producer.templates.len();
            producer.next_partition += 1;
            producer.correlation = producer.correlation.wrapping_add(1);
            let template = &mut producer.templates[slot].before;
            template[CORRELATION_AT..CORRELATION_AT + 4].copy_from_slice(&producer.correlation.to_be_bytes());
            producer.connection.queue(&[template, batch, &[0, 0, 0]]);
            if self.options.acks == 0 {
                self.acknowledged += u64::from(now >= self.measure_from_ns);
            } else {
                producer.under_way.push_back(due);
            }
            if now >= self.measure_from_ns {
                self.lag.record(now.saturating_sub(due), now - self.measure_from_ns);
            }
            producer.next_due_ns = if self.interval_ns == 0 { now } else { due + self.interval_ns };
            queued = true;
        }
        if queued || producer.connection.wants_write() {
            producer.connection.flush()?;
        }
        Ok(if producer.under_way.len() < self.options.in_flight { producer.next_due_ns } else { u64::MAX })
    }

    /// Takes the answers that came on a connection.
    fn receive(&mut self, index: usize) -> io::Result<()> {
        let now = self.start.elapsed().as_nanos() as u64;
        let Some(producer) = self.producers.get_mut(index) else { return Ok(()) };
        producer.connection.fill()?;
        while let Some(frame) = producer.connection.frame() {
            let due = producer.under_way.pop_front();
            let error = match decode_response::<ProduceResponse>(frame, PRODUCE) {
                Ok((_, response)) => response
                    .responses
                    .iter()
                    .flat_map(|topic| &topic.partition_responses)
                    .find(|partition| partition.error_code != 0)
                    .map(|partition| ErrorCode(partition.error_code).name().to_owned()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(error) = error {
                // A topic just made may refuse until its leader has heard of it: the warm-up is for that too.
                if now >= self.measure_from_ns {
                    self.errors += 1;
                    self.first_error.get_or_insert(error);
                }
            } else if now >= self.measure_from_ns && now < self.end_ns {
                self.acknowledged += 1;
                let latency = now.saturating_sub(due.unwrap_or(now));
                self.latencies.record(latency, now - self.measure_from_ns);
            }
        }
        Ok(())
    }
}

/// Runs `produce`.
pub fn run(common: &Common, options: &ProduceOptions) -> Result<Report, String> {
    settle_thread(common.cpu)?;
    setup::ensure_topic(common)?;
    let now_ms =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_err(text)?.as_millis() as i64;
    let batches = load::batches(options.batch_records, options.record_bytes, now_ms)?;
    let Some(first) = batches.first() else { return Err("no batches".into()) };
    // One request carries one batch; all batches of a run are of one length.
    if batches.iter().any(|batch| batch.len() != first.len()) {
        return Err("batches differ in length".into());
    }
    let interval_ns = match options.rate {
        Rate::Max => 0,
        Rate::PerSecond(rate) => {
            let requests = rate / options.batch_records as f64 / options.connections as f64;
            (1e9 / requests) as u64
        }
    };
    let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?;
    let mut producers = Vec::with_capacity(options.connections);
    for index in 0..options.connections {
        // Partitions are dealt out; with more connections than partitions, several share one.
        let mut mine: Vec<i32> =
            (0..common.partitions).filter(|p| *p as usize % options.connections == index).collect();
        if mine.is_empty() {
            mine.push((index as i32) % common.partitions);
        }
        let connection = Connection::open(common.bootstrap).map_err(text)?;
        epoll::add(
            &poll,
            connection.descriptor(),
            epoll::EventData::new_u64(index as u64),
            epoll::EventFlags::IN,
        )
        .map_err(text)?;
        producers.push(Producer {
            connection,
            under_way: VecDeque::new(),
            templates: templates(common, options, first, &mine)?,
            next_partition: 0,
            // Spread over the interval, so that connections do not send in step.
            next_due_ns: interval_ns * index as u64 / options.connections as u64,
            correlation: 0,
        });
    }
    let measure_from_ns = options.warmup_seconds * 1_000_000_000;
    let mut run = Run {
        options,
        batches: &batches,
        producers,
        start: Instant::now(),
        interval_ns,
        measure_from_ns,
        end_ns: measure_from_ns + options.seconds * 1_000_000_000,
        latencies: Latencies::new(),
        lag: Latencies::new(),
        acknowledged: 0,
        errors: 0,
        first_error: None,
    };
    let mut before = None;
    let mut events: Vec<epoll::Event> = Vec::with_capacity(256);
    // Due times, kept in a heap: thousands of connections cost no scan.
    let mut due: std::collections::BinaryHeap<std::cmp::Reverse<(u64, usize)>> = (0..options.connections)
        .map(|index| std::cmp::Reverse((run.producers[index].next_due_ns, index)))
        .collect();
    let report = loop {
        let now = run.now();
        if before.is_none() && now >= run.measure_from_ns {
            before = Some(Usage::now(common));
        }
        if now >= run.end_ns {
            let Some(before) = &before else { return Err("nothing was measured".into()) };
            let records = run.acknowledged * options.batch_records as u64;
            let bytes = run.acknowledged * first.len() as u64;
            break Report::of("produce", common, before, records, bytes);
        }
        while let Some(std::cmp::Reverse((at, index))) = due.peek().copied() {
            let now = run.now();
            if at > now || now >= run.end_ns {
                break;
            }
            due.pop();
            let next = run.send_due(index).map_err(text)?;
            run.producers[index].connection.watch_write(&poll, index)?;
            if next != u64::MAX {
                due.push(std::cmp::Reverse((next.max(at + 1), index)));
            }
        }
        let wait_ns =
            due.peek().map_or(100_000_000, |first| first.0.0.saturating_sub(run.now())).min(100_000_000);
        wait_for_events(&poll, &mut events, Some(wait_ns))?;
        for event in &events {
            let index = event.data.u64() as usize;
            let (flags, was_full) = (event.flags, run.producers[index].under_way.len() >= options.in_flight);
            if flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::HUP | epoll::EventFlags::ERR) {
                run.receive(index).map_err(text)?;
            }
            // A connection that was full is not in the heap: it goes on here.
            if was_full || run.producers[index].connection.wants_write() {
                let next = run.send_due(index).map_err(text)?;
                run.producers[index].connection.watch_write(&poll, index)?;
                if was_full && next != u64::MAX {
                    due.push(std::cmp::Reverse((next, index)));
                }
            }
        }
    };
    let mut report = report;
    if let Some(error) = &run.first_error {
        eprintln!("first error: {error}");
    }
    report.errors = run.errors;
    report.latency = run.latencies.summary();
    report.generator_lag = run.lag.summary();
    report.histogram = Some(run.latencies.all);
    Ok(report)
}
