//! The consumers of a load: long-polling fetches over connections that share out the partitions, on a few threads.
//!
//! Every batch's CRC is computed again and its offset must follow the one before; what was read goes to the ledger. A
//! consumer takes its partitions itself, without a group's protocol.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use millrace::protocol::messages::{FetchRequest, FetchResponse, fetch};
use millrace::protocol::record_batch::batches;
use millrace::protocol::{ErrorCode, decode_response, encode_request};
use rustix::event::epoll;

use crate::connection::{Connection, wait_for_events};
use crate::ledger::Ledger;
use crate::measure::{settle_thread, thread_cpu_seconds};
use crate::producers::Counters;
use crate::track::Track;

/// The newest version that names topics.
const FETCH: i16 = 12;
/// How long a fetch waits for records.
const WAIT_MS: i32 = 500;
/// Without anything new for so long, after the producers have ended, what is missing does not come.
const PATIENCE: Duration = Duration::from_secs(20);

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What all consumers of a load share.
pub struct Plan {
    pub address: SocketAddr,
    pub topic: String,
    pub partitions: i32,
    /// Consumers of each group.
    pub count: usize,
    pub min_bytes: i32,
    pub max_bytes: i32,
    pub partition_max_bytes: i32,
    pub clock: Instant,
    pub from_ns: u64,
    pub end_ns: u64,
    pub ledger: Arc<Ledger>,
    pub counters: Arc<Counters>,
}

/// What a thread of consumers saw.
pub struct Seen {
    pub end_to_end: Track,
    /// From a fetch to its answer, of those that brought records.
    pub fetches: Track,
    pub records: u64,
    pub bytes: u64,
    pub first_error: Option<String>,
    pub cpu_seconds: f64,
}

struct Consumer {
    connection: Connection,
    group: usize,
    /// Next offset of each partition.
    offsets: BTreeMap<i32, i64>,
    /// The partition named first in the next request: brokers fill a response in that order.
    turn: usize,
    asked_ns: u64,
    done: bool,
}

pub struct Thread {
    plan: Arc<Plan>,
    consumers: Vec<Consumer>,
    seen: Seen,
}

impl Thread {
    /// Connects consumers with these numbers: number / count is the group.
    pub fn new(plan: &Arc<Plan>, numbers: &[usize]) -> Result<Self, String> {
        let mut consumers = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let (group, member) = (number / plan.count, number % plan.count);
            let mine = |partition: &i32| *partition as usize % plan.count == member;
            let offsets: BTreeMap<i32, i64> =
                (0..plan.partitions).filter(mine).map(|partition| (partition, 0)).collect();
            if offsets.is_empty() {
                continue;
            }
            let connection = Connection::open(plan.address).map_err(text)?;
            consumers.push(Consumer { connection, group, offsets, turn: 0, asked_ns: 0, done: false });
        }
        let seen = Seen {
            end_to_end: Track::new(plan.from_ns, plan.end_ns),
            fetches: Track::new(plan.from_ns, plan.end_ns),
            records: 0,
            bytes: 0,
            first_error: None,
            cpu_seconds: 0.0,
        };
        Ok(Self { plan: Arc::clone(plan), consumers, seen })
    }

    fn now(&self) -> u64 {
        self.plan.clock.elapsed().as_nanos() as u64
    }

    fn ask(&mut self, index: usize) -> Result<(), String> {
        let now = self.now();
        let plan = &self.plan;
        let Some(consumer) = self.consumers.get_mut(index) else { return Ok(()) };
        let partition = |(&partition, &fetch_offset): (&i32, &i64)| fetch::FetchPartition {
            partition,
            fetch_offset,
            partition_max_bytes: plan.partition_max_bytes,
            ..Default::default()
        };
        let mut partitions: Vec<fetch::FetchPartition> = consumer.offsets.iter().map(partition).collect();
        let turn = consumer.turn % partitions.len().max(1);
        partitions.rotate_left(turn);
        consumer.turn += 1;
        // When the producers have ended there is nothing to wait for.
        let done = plan.counters.producers_done.load(Ordering::Acquire);
        let request = FetchRequest {
            max_wait_ms: if done { 20 } else { WAIT_MS },
            min_bytes: plan.min_bytes,
            max_bytes: plan.max_bytes,
            topics: vec![fetch::FetchTopic { topic: &plan.topic, partitions, ..Default::default() }],
            ..Default::default()
        };
        let frame = encode_request(7, Some("millrace-perf"), FETCH, &request).map_err(text)?;
        consumer.connection.queue(&[&frame]);
        consumer.asked_ns = now;
        consumer.connection.flush().map_err(text)
    }

    /// Takes an answer: whether it brought records; `None` while it is not whole.
    fn take(&mut self, index: usize) -> Result<Option<bool>, String> {
        let plan = &self.plan;
        let at = plan.clock.elapsed().as_nanos() as u64;
        let Some(consumer) = self.consumers.get_mut(index) else { return Ok(None) };
        let Some(frame) = consumer.connection.frame() else { return Ok(None) };
        let (_, response) = decode_response::<FetchResponse>(frame, FETCH).map_err(text)?;
        if response.error_code != 0 {
            return Err(format!("fetch: {}", ErrorCode(response.error_code).name()));
        }
        let (mut records, mut bytes) = (0, 0);
        for partition in response.responses.iter().flat_map(|topic| &topic.partitions) {
            let number = partition.partition_index;
            if partition.error_code != 0 {
                return Err(format!(
                    "fetch of partition {number}: {}",
                    ErrorCode(partition.error_code).name()
                ));
            }
            let Some(offset) = consumer.offsets.get_mut(&number) else {
                return Err(format!("partition {number} was not asked for"));
            };
            for batch in batches(partition.records.as_slice().unwrap_or_default()) {
                let batch = batch.map_err(text)?;
                let header = &batch.header;
                if header.next_offset() <= *offset {
                    continue;
                }
                batch.verify_crc().map_err(|error| format!("partition {number} at {offset}: {error}"))?;
                if header.base_offset != *offset {
                    return Err(format!(
                        "partition {number}: {} follows offset {offset}",
                        header.base_offset
                    ));
                }
                *offset = header.next_offset();
                let count = header.record_count.max(0) as u32;
                let tally = (header.crc, count);
                plan.ledger.read(
                    consumer.group,
                    number,
                    header.base_offset,
                    tally,
                    at,
                    &mut self.seen.end_to_end,
                );
                records += u64::from(count);
                bytes += batch.bytes.len() as u64;
            }
        }
        plan.counters.read_records.fetch_add(records, Ordering::Relaxed);
        plan.counters.read_bytes.fetch_add(bytes, Ordering::Relaxed);
        if at >= plan.from_ns && at < plan.end_ns {
            self.seen.records += records;
            self.seen.bytes += bytes;
        }
        if records > 0 {
            self.seen.fetches.record(at.saturating_sub(consumer.asked_ns), consumer.asked_ns, 1);
        }
        Ok(Some(records > 0))
    }

    fn caught_up(&self, index: usize) -> bool {
        let Some(consumer) = self.consumers.get(index) else { return true };
        consumer.offsets.keys().all(|partition| self.plan.ledger.caught_up(consumer.group, *partition))
    }

    /// Reads until the producers have ended and everything acknowledged was read.
    pub fn run(mut self) -> Result<Seen, String> {
        settle_thread(None)?;
        let cpu_before = thread_cpu_seconds();
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?;
        for (index, consumer) in self.consumers.iter().enumerate() {
            let data = epoll::EventData::new_u64(index as u64);
            epoll::add(&poll, consumer.connection.descriptor(), data, epoll::EventFlags::IN).map_err(text)?;
        }
        for index in 0..self.consumers.len() {
            self.ask(index)?;
        }
        let mut last_new = Instant::now();
        let mut events: Vec<epoll::Event> = Vec::with_capacity(64);
        while self.consumers.iter().any(|consumer| !consumer.done) {
            let ended = self.plan.counters.producers_done.load(Ordering::Acquire);
            if self.plan.counters.stop.load(Ordering::Relaxed) || (ended && last_new.elapsed() > PATIENCE) {
                break;
            }
            wait_for_events(&poll, &mut events, Some(100_000_000))?;
            for event in &events {
                let index = event.data.u64() as usize;
                self.consumers[index].connection.fill().map_err(text)?;
                while let Some(any) = self.take(index)? {
                    let ended = self.plan.counters.producers_done.load(Ordering::Acquire);
                    if any || !ended {
                        last_new = Instant::now();
                    }
                    // Caught up is looked at when nothing new came: a record that should not be there is read too.
                    if ended && !any && self.caught_up(index) {
                        self.consumers[index].done = true;
                    } else {
                        self.ask(index)?;
                    }
                }
            }
        }
        self.seen.cpu_seconds = thread_cpu_seconds() - cpu_before;
        Ok(self.seen)
    }
}
