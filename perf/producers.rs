//! The producers of a load: records that fall due at fixed times, over many connections on a few threads.
//!
//! Open loop: when a connection has all the requests under way that it may have, what is due waits, and its latency
//! counts from when it was due. Without `linger_ms` a request is one whole batch. With it records are due one by one,
//! wait in their partition's batch as a client's do, and a request carries every batch whose time has come. Each thread
//! owns its connections; it shares the ledger and the counters with the others.

use std::collections::{BinaryHeap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use millrace::protocol::messages::{
    InitProducerIdRequest, InitProducerIdResponse, ProduceRequest, ProduceResponse, produce,
};
use millrace::protocol::{ErrorCode, decode_response, encode_request};
use rustix::event::epoll;

use crate::connection::{Connection, wait_for_events};
use crate::ledger::{Due, Ledger};
use crate::measure::{settle_thread, thread_cpu_seconds};
use crate::records::Batches;
use crate::track::Track;

/// The newest version that names topics.
const PRODUCE: i16 = 9;
const INIT_PRODUCER_ID: i16 = 4;
/// Where the correlation id stands in a frame: behind length, key and version.
const CORRELATION_AT: usize = 8;
/// Bytes of batches in a request that is put together (max.request.size).
const REQUEST_BYTES: usize = 1 << 20;
/// With acks 0 nothing comes back: no more than this waits for the socket.
const UNSENT_BYTES: usize = 4 << 20;
/// How long requests under way may take to end when the load has.
const DRAIN_LIMIT: Duration = Duration::from_secs(60);

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What threads of a load count while it runs.
#[derive(Default)]
pub struct Counters {
    pub acked_records: AtomicU64,
    pub acked_bytes: AtomicU64,
    pub read_records: AtomicU64,
    pub read_bytes: AtomicU64,
    pub errors: AtomicU64,
    /// Ends the load before its time.
    pub stop: AtomicBool,
    /// All that will be acknowledged has been.
    pub producers_done: AtomicBool,
}

/// What all producers of a load share.
pub struct Plan {
    pub address: SocketAddr,
    pub topic: String,
    pub partitions: i32,
    pub batches: Batches,
    pub batch_records: usize,
    pub count: usize,
    pub acks: i16,
    pub idempotent: bool,
    pub in_flight: usize,
    /// Nanoseconds between records (or whole batches) of one producer; 0: as fast as it goes.
    pub interval_ns: u64,
    pub linger_ns: Option<u64>,
    pub clock: Instant,
    pub from_ns: u64,
    pub end_ns: u64,
    /// Whether latencies count. A backlog's do not, nor from end to end: it has a clock of its own.
    pub measured: bool,
    /// Records until it ends, whatever the time.
    pub budget: Option<AtomicI64>,
    pub ledger: Arc<Ledger>,
    pub counters: Arc<Counters>,
}

/// What a thread of producers saw.
pub struct Seen {
    pub latency: Track,
    pub end_to_end: Track,
    /// How late the generator was: from when a request was due and could be sent until it was.
    pub lag: Track,
    pub records: u64,
    pub bytes: u64,
    pub errors: u64,
    pub first_error: Option<String>,
    pub cpu_seconds: f64,
}

struct Sent {
    partition: i32,
    count: u32,
    crc: u32,
    bytes: u64,
    due: Due,
}

/// A partition's batch that waits for more records.
#[derive(Default)]
struct Waiting {
    dues: Vec<u64>,
}

struct Producer {
    connection: Connection,
    under_way: VecDeque<Vec<Sent>>,
    next_due_ns: u64,
    /// Records (or batches) that fell due so far; tells whose turn it is.
    turn: usize,
    correlation: u32,
    waiting: Vec<Waiting>,
    waiting_partitions: Vec<usize>,
    /// When a place for a request became free.
    free_ns: u64,
    id: Option<(i64, i16)>,
    sequences: Vec<i32>,
    turns: Vec<usize>,
    in_heap: bool,
    ended: bool,
    broken: bool,
}

pub struct Thread {
    plan: Arc<Plan>,
    head: Vec<u8>,
    producers: Vec<Producer>,
    seen: Seen,
}

/// A frame of a request without partitions, up to where their number stands: topic and request end with
/// one zero byte each (no tagged fields).
fn head(plan: &Plan) -> Result<Vec<u8>, String> {
    let request = ProduceRequest {
        acks: plan.acks,
        timeout_ms: 30_000,
        topic_data: vec![produce::TopicProduceData { name: &plan.topic, ..Default::default() }],
        ..Default::default()
    };
    let mut frame = encode_request(0, Some("millrace-perf"), PRODUCE, &request).map_err(text)?.to_vec();
    if !frame.ends_with(&[1, 0, 0]) {
        return Err("a produce request does not end as version 9 does".into());
    }
    frame.truncate(frame.len() - 3);
    Ok(frame)
}

fn put_varint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn producer_id(connection: &mut Connection) -> Result<(i64, i16), String> {
    let request = InitProducerIdRequest {
        transactional_id: None,
        producer_id: -1,
        producer_epoch: -1,
        ..Default::default()
    };
    let frame = encode_request(1, Some("millrace-perf"), INIT_PRODUCER_ID, &request).map_err(text)?;
    let started = Instant::now();
    loop {
        let answer = connection.call(&frame).map_err(text)?;
        let (_, response) =
            decode_response::<InitProducerIdResponse>(&answer, INIT_PRODUCER_ID).map_err(text)?;
        match ErrorCode(response.error_code) {
            code if code.is_none() => return Ok((response.producer_id, response.producer_epoch)),
            code if started.elapsed() > Duration::from_secs(30) => {
                return Err(format!("a producer id: {}", code.name()));
            }
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

impl Thread {
    /// Connects the producers with these numbers.
    pub fn new(plan: &Arc<Plan>, numbers: &[usize]) -> Result<Self, String> {
        let mut producers = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let mut connection = Connection::open(plan.address).map_err(text)?;
            let id = if plan.idempotent { Some(producer_id(&mut connection)?) } else { None };
            let partitions = plan.partitions as usize;
            producers.push(Producer {
                connection,
                under_way: VecDeque::new(),
                // Spread over the interval, so that connections do not send in step.
                next_due_ns: plan.interval_ns * number as u64 / plan.count.max(1) as u64,
                turn: number * partitions / plan.count.max(1),
                correlation: 0,
                waiting: (0..partitions).map(|_| Waiting::default()).collect(),
                waiting_partitions: Vec::new(),
                free_ns: 0,
                id,
                sequences: vec![0; partitions],
                turns: vec![number; partitions],
                in_heap: true,
                ended: false,
                broken: false,
            });
        }
        let track = || Track::new(plan.from_ns, plan.end_ns);
        let seen = Seen {
            latency: track(),
            end_to_end: track(),
            lag: track(),
            records: 0,
            bytes: 0,
            errors: 0,
            first_error: None,
            cpu_seconds: 0.0,
        };
        Ok(Self { plan: Arc::clone(plan), head: head(plan)?, producers, seen })
    }

    fn now(&self) -> u64 {
        self.plan.clock.elapsed().as_nanos() as u64
    }

    /// Sends what is due on a connection; gives when the next is due, `u64::MAX` if an answer or room must come first.
    fn pump(&mut self, index: usize) -> io::Result<u64> {
        loop {
            let now = self.now();
            let plan = Arc::clone(&self.plan);
            let Some(producer) = self.producers.get_mut(index) else { return Ok(u64::MAX) };
            if producer.connection.wants_write() {
                producer.connection.flush()?;
            }
            let full = if plan.acks == 0 {
                producer.connection.unsent() > UNSENT_BYTES
            } else {
                producer.under_way.len() >= plan.in_flight
            };
            if full {
                return Ok(u64::MAX);
            }
            // What was due before the end is still sent, however late: leaving it out would flatter a slow broker.
            let over = now >= plan.end_ns && (plan.interval_ns == 0 || producer.next_due_ns >= plan.end_ns);
            if over || plan.counters.stop.load(Ordering::Relaxed) {
                producer.ended = true;
            }
            let (batches, due_ns) = producer.due(&plan, now);
            if batches.is_empty() {
                return Ok(producer.next_wake(&plan));
            }
            let could_ns = due_ns.max(producer.free_ns);
            let records: u64 = batches.iter().map(|(_, _, due)| due.1 as u64).sum();
            self.seen.lag.record(now.saturating_sub(could_ns), due_ns, records);
            self.send(index, batches)?;
        }
    }

    fn send(&mut self, index: usize, batches: Vec<(usize, usize, (Due, usize))>) -> io::Result<()> {
        let plan = Arc::clone(&self.plan);
        let Some(producer) = self.producers.get_mut(index) else { return Ok(()) };
        let mut ready = Vec::with_capacity(batches.len());
        let mut frame = self.head.clone();
        put_varint(&mut frame, batches.len() + 1);
        let mut total = frame.len() + 2;
        for (partition, turn, (due, count)) in batches {
            let identity = producer.id.map(|(id, epoch)| (id, epoch, producer.sequences[partition]));
            let batch = plan.batches.get(partition as i32, turn).take(count, identity);
            producer.sequences[partition] =
                producer.sequences[partition].wrapping_add(batch.count as i32) & i32::MAX;
            let mut before = (partition as i32).to_be_bytes().to_vec();
            put_varint(&mut before, batch.len() + 1);
            total += before.len() + batch.len() + 1;
            ready.push((partition, before, batch, due));
        }
        producer.correlation = producer.correlation.wrapping_add(1);
        frame[..4].copy_from_slice(&((total - 4) as u32).to_be_bytes());
        frame[CORRELATION_AT..CORRELATION_AT + 4].copy_from_slice(&producer.correlation.to_be_bytes());
        producer.connection.queue(&[&frame]);
        let mut sent = Vec::with_capacity(ready.len());
        for (partition, before, batch, due) in ready {
            producer.connection.queue(&[&before, &batch.header, batch.records, &[0]]);
            let (count, crc, bytes) = (batch.count, batch.crc, batch.len() as u64);
            let due = if plan.measured { due } else { Due::Together(u64::MAX) };
            sent.push(Sent { partition: partition as i32, count, crc, bytes, due });
        }
        producer.connection.queue(&[&[0, 0]]);
        producer.connection.flush()?;
        if plan.acks == 0 {
            for batch in &sent {
                self.done(batch, None);
            }
        } else {
            producer.under_way.push_back(sent);
        }
        Ok(())
    }

    /// A batch ended well.
    fn done(&mut self, batch: &Sent, offset: Option<i64>) {
        let (now, plan) = (self.now(), &self.plan);
        plan.ledger.acknowledged(
            batch.partition,
            offset,
            (batch.crc, batch.count),
            &batch.due,
            &mut self.seen.end_to_end,
        );
        plan.counters.acked_records.fetch_add(u64::from(batch.count), Ordering::Relaxed);
        plan.counters.acked_bytes.fetch_add(batch.bytes, Ordering::Relaxed);
        batch.due.record(batch.count, now, &mut self.seen.latency);
        // Rates count what ended in the measured span, latencies what was due in it.
        if now >= plan.from_ns && now < plan.end_ns {
            self.seen.records += u64::from(batch.count);
            self.seen.bytes += batch.bytes;
        }
    }

    fn failed(&mut self, batch: &Sent, error: &str) {
        self.plan.ledger.unsure(batch.partition, batch.count);
        self.plan.counters.errors.fetch_add(1, Ordering::Relaxed);
        self.seen.errors += 1;
        self.seen.first_error.get_or_insert_with(|| error.to_owned());
    }

    /// Takes the answers that came on a connection.
    fn receive(&mut self, index: usize) -> io::Result<()> {
        let Some(producer) = self.producers.get_mut(index) else { return Ok(()) };
        producer.connection.fill()?;
        loop {
            let now = self.plan.clock.elapsed().as_nanos() as u64;
            let full = self.plan.in_flight;
            let Some(producer) = self.producers.get_mut(index) else { return Ok(()) };
            let Some(frame) = producer.connection.frame() else { return Ok(()) };
            let answer = decode_response::<ProduceResponse>(frame, PRODUCE).map(|(_, response)| {
                let parts = response.responses.iter().flat_map(|topic| &topic.partition_responses);
                parts.map(|part| (part.index, part.error_code, part.base_offset)).collect::<Vec<_>>()
            });
            let sent = producer.under_way.pop_front().unwrap_or_default();
            if producer.under_way.len() + 1 == full {
                producer.free_ns = now;
            }
            let answer =
                answer.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
            for batch in &sent {
                match answer.iter().find(|(partition, ..)| *partition == batch.partition) {
                    Some((_, 0, offset)) => self.done(batch, Some(*offset)),
                    Some((_, code, _)) => self.failed(batch, ErrorCode(*code).name()),
                    None => self.failed(batch, "the answer does not name the partition"),
                }
            }
        }
    }

    /// A connection broke: what was under way on it may or may not be there.
    fn broken(&mut self, index: usize, error: &io::Error) {
        let Some(producer) = self.producers.get_mut(index) else { return };
        producer.ended = true;
        producer.broken = true;
        producer.connection.give_up();
        for partition in std::mem::take(&mut producer.waiting_partitions) {
            producer.waiting[partition].dues.clear();
        }
        let lost = std::mem::take(&mut producer.under_way);
        lost.iter().flatten().for_each(|batch| self.failed(batch, &error.to_string()));
        self.seen.first_error.get_or_insert_with(|| error.to_string());
        self.seen.errors += 1;
        self.plan.counters.errors.fetch_add(1, Ordering::Relaxed);
    }

    /// [`Self::pump`], and the end of a connection that breaks.
    fn pump_on(&mut self, index: usize) -> u64 {
        if self.producers[index].broken {
            return u64::MAX;
        }
        self.pump(index).unwrap_or_else(|error| {
            self.broken(index, &error);
            u64::MAX
        })
    }

    /// Runs until the load has ended and every request has.
    pub fn run(mut self) -> Result<Seen, String> {
        settle_thread(None)?;
        let cpu_before = thread_cpu_seconds();
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?;
        for (index, producer) in self.producers.iter().enumerate() {
            let data = epoll::EventData::new_u64(index as u64);
            epoll::add(&poll, producer.connection.descriptor(), data, epoll::EventFlags::IN).map_err(text)?;
        }
        let mut events: Vec<epoll::Event> = Vec::with_capacity(256);
        // Due times in a heap: thousands of connections cost no scan. A connection is in it at most once.
        let mut heap: BinaryHeap<std::cmp::Reverse<(u64, usize)>> = (0..self.producers.len())
            .map(|index| std::cmp::Reverse((self.producers[index].next_due_ns, index)))
            .collect();
        let mut drain_from: Option<Instant> = None;
        let mut last_scan = Instant::now();
        loop {
            while let Some(std::cmp::Reverse((at, index))) = heap.peek().copied() {
                if at > self.now() {
                    break;
                }
                heap.pop();
                let next = self.pump_on(index);
                let producer = &mut self.producers[index];
                producer.connection.watch_write(&poll, index)?;
                producer.in_heap = next != u64::MAX;
                if producer.in_heap {
                    heap.push(std::cmp::Reverse((next.max(at + 1), index)));
                }
            }
            if last_scan.elapsed() > Duration::from_millis(20) || heap.is_empty() {
                last_scan = Instant::now();
                let over = self.now() >= self.plan.end_ns
                    || self.plan.counters.stop.load(Ordering::Relaxed)
                    || self.producers.iter().all(|producer| producer.ended);
                if over {
                    // Those that nothing wakes any more send what still waits.
                    for index in 0..self.producers.len() {
                        self.pump_on(index);
                        self.producers[index].connection.watch_write(&poll, index)?;
                    }
                    let idle = |producer: &Producer| {
                        producer.ended
                            && producer.under_way.is_empty()
                            && producer.waiting_partitions.is_empty()
                            && !producer.connection.wants_write()
                    };
                    if self.producers.iter().all(idle) {
                        break;
                    }
                    if drain_from.get_or_insert_with(Instant::now).elapsed() > DRAIN_LIMIT {
                        for index in 0..self.producers.len() {
                            while let Some(sent) = self.producers[index].under_way.pop_front() {
                                sent.iter().for_each(|batch| self.failed(batch, "no answer came"));
                            }
                        }
                        break;
                    }
                }
            }
            let wait_ns = heap.peek().map_or(20_000_000, |first| first.0.0.saturating_sub(self.now()));
            wait_for_events(&poll, &mut events, Some(wait_ns.min(20_000_000)))?;
            for event in &events {
                let index = event.data.u64() as usize;
                let flags = event.flags;
                if flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::HUP | epoll::EventFlags::ERR) {
                    if self.producers[index].broken {
                        continue;
                    }
                    if let Err(error) = self.receive(index) {
                        self.broken(index, &error);
                        epoll::delete(&poll, self.producers[index].connection.descriptor()).map_err(text)?;
                        continue;
                    }
                }
                // A connection that was full is not in the heap and goes on here. One that is in it stands there with a
                // time that is early enough: only what is due already could be sooner.
                let next = self.pump_on(index);
                let producer = &mut self.producers[index];
                producer.connection.watch_write(&poll, index)?;
                if !producer.in_heap && next != u64::MAX {
                    producer.in_heap = true;
                    heap.push(std::cmp::Reverse((next, index)));
                }
            }
        }
        self.seen.cpu_seconds = thread_cpu_seconds() - cpu_before;
        Ok(self.seen)
    }
}

impl Producer {
    /// What may go out now: partition, which batch of its set, when its records were due and how many they are; and when
    /// the first of it should have gone.
    fn due(&mut self, plan: &Plan, now: u64) -> (Vec<(usize, usize, (Due, usize))>, u64) {
        let mut out = Vec::new();
        let mut first_ns = u64::MAX;
        let Some(linger_ns) = plan.linger_ns else {
            if let Some((due, partition)) = self.tick(plan, now, plan.batch_records) {
                out.push((partition, self.next_turn(partition), (Due::Together(due), plan.batch_records)));
                first_ns = due;
            }
            return (out, first_ns);
        };
        let mut full = false;
        let mut gathered = 0;
        while !full && gathered < REQUEST_BYTES {
            let Some((due, partition)) = self.tick(plan, now, 1) else { break };
            if self.waiting[partition].dues.is_empty() {
                self.waiting_partitions.push(partition);
            }
            self.waiting[partition].dues.push(due);
            full = self.waiting[partition].dues.len() >= plan.batch_records;
            gathered += plan.batches.batch_bytes / plan.batch_records;
        }
        // As a client does: when one batch's time has come, its request takes along only others whose time has come too.
        let waiting = std::mem::take(&mut self.waiting_partitions);
        for partition in waiting {
            let dues = &mut self.waiting[partition].dues;
            let expires = dues.first().copied().unwrap_or(0) + linger_ns;
            if dues.len() >= plan.batch_records || expires <= now || self.ended {
                let dues: Box<[u64]> = std::mem::take(dues).into_boxed_slice();
                let due_ns = if dues.len() >= plan.batch_records { dues[dues.len() - 1] } else { expires };
                first_ns = first_ns.min(due_ns.min(expires));
                let count = dues.len();
                out.push((partition, self.next_turn(partition), (Due::Each(dues), count)));
            } else {
                self.waiting_partitions.push(partition);
            }
        }
        (out, first_ns)
    }

    fn next_turn(&mut self, partition: usize) -> usize {
        self.turns[partition] += 1;
        self.turns[partition]
    }

    /// The next record (or whole batch) if it is due: when, and its partition.
    fn tick(&mut self, plan: &Plan, now: u64, records: usize) -> Option<(u64, usize)> {
        if self.ended || self.next_due_ns > now || self.next_due_ns >= plan.end_ns {
            return None;
        }
        if let Some(budget) = &plan.budget
            && budget.fetch_sub(records as i64, Ordering::Relaxed) <= 0
        {
            self.ended = true;
            return None;
        }
        let due = if plan.interval_ns == 0 { now } else { self.next_due_ns };
        self.next_due_ns = if plan.interval_ns == 0 { now } else { due + plan.interval_ns };
        let turn = self.turn;
        self.turn += 1;
        let keys = &plan.batches.key_partitions;
        let partition = match keys.len() {
            0 => turn % plan.partitions as usize,
            count => keys[turn % count] as usize,
        };
        Some((due, partition))
    }

    /// When there is something to do without an answer.
    fn next_wake(&self, plan: &Plan) -> u64 {
        let linger_ns = plan.linger_ns.unwrap_or(0);
        let waiting =
            self.waiting_partitions.iter().filter_map(|partition| self.waiting[*partition].dues.first());
        let waiting = waiting.map(|due| due + linger_ns).min().unwrap_or(u64::MAX);
        if self.ended || self.next_due_ns >= plan.end_ns { waiting } else { waiting.min(self.next_due_ns) }
    }
}
