//! `end-to-end`: one record at a time, from the send until a long-polling fetch on another connection has it.

use std::time::Instant;

use millrace::protocol::messages::{
    FetchRequest, FetchResponse, ProduceRequest, ProduceResponse, fetch, produce,
};
use millrace::protocol::record_batch::batches;
use millrace::protocol::{ErrorCode, Records, decode_response, encode_request};
use rustix::event::{PollFd, PollFlags, poll};

use crate::cli::{Common, EndToEndOptions};
use crate::connection::Connection;
use crate::load;
use crate::measure::{Latencies, Report, Usage, settle_thread};
use crate::setup;

const PRODUCE: i16 = 9;
const FETCH: i16 = 12;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

struct Pair<'a> {
    common: &'a Common,
    producer: Connection,
    consumer: Connection,
    partition: i32,
    next_offset: i64,
}

impl Pair<'_> {
    fn ask(&mut self) -> Result<(), String> {
        let request = FetchRequest {
            max_wait_ms: 10_000,
            min_bytes: 1,
            max_bytes: 1 << 20,
            topics: vec![fetch::FetchTopic {
                topic: &self.common.topic,
                partitions: vec![fetch::FetchPartition {
                    partition: self.partition,
                    fetch_offset: self.next_offset,
                    partition_max_bytes: 1 << 20,
                    ..Default::default()
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let frame = encode_request(1, Some("millrace-perf"), FETCH, &request).map_err(text)?;
        self.consumer.queue(&[&frame]);
        self.consumer.flush().map_err(text)
    }

    /// Takes one response of the consumer: whether the next offset moved.
    fn consumed(&mut self) -> Result<Option<bool>, String> {
        let Some(frame) = self.consumer.frame() else { return Ok(None) };
        let (_, response) = decode_response::<FetchResponse>(frame, FETCH).map_err(text)?;
        let mut moved = false;
        for partition in response.responses.iter().flat_map(|topic| &topic.partitions) {
            if partition.error_code != 0 {
                return Err(format!("fetch: {}", ErrorCode(partition.error_code).name()));
            }
            for batch in batches(partition.records.as_slice().unwrap_or_default()) {
                let next = batch.map_err(text)?.header.next_offset();
                if next > self.next_offset {
                    self.next_offset = next;
                    moved = true;
                }
            }
        }
        Ok(Some(moved))
    }

    /// Reads on until the partition has nothing more, so that the next fetch waits.
    fn catch_up(&mut self) -> Result<(), String> {
        loop {
            let request = FetchRequest {
                max_wait_ms: 0,
                min_bytes: 0,
                max_bytes: 16 << 20,
                topics: vec![fetch::FetchTopic {
                    topic: &self.common.topic,
                    partitions: vec![fetch::FetchPartition {
                        partition: self.partition,
                        fetch_offset: self.next_offset,
                        partition_max_bytes: 16 << 20,
                        ..Default::default()
                    }],
                    ..Default::default()
                }],
                ..Default::default()
            };
            let frame = encode_request(1, Some("millrace-perf"), FETCH, &request).map_err(text)?;
            let answer = self.consumer.call(&frame).map_err(text)?;
            let (_, response) = decode_response::<FetchResponse>(&answer, FETCH).map_err(text)?;
            let before = self.next_offset;
            for partition in response.responses.iter().flat_map(|topic| &topic.partitions) {
                for batch in batches(partition.records.as_slice().unwrap_or_default()) {
                    self.next_offset = self.next_offset.max(batch.map_err(text)?.header.next_offset());
                }
            }
            if self.next_offset == before {
                return Ok(());
            }
        }
    }

    /// Sends one record; gives nanoseconds until the consumer had it. Waits for the acknowledgement too.
    fn one(&mut self, frame: &[u8]) -> Result<u64, String> {
        let start = Instant::now();
        self.producer.queue(&[frame]);
        self.producer.flush().map_err(text)?;
        let (mut acknowledged, mut arrived) = (false, None);
        while !acknowledged || arrived.is_none() {
            let mut ready = [
                PollFd::from_borrowed_fd(self.producer.descriptor(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.consumer.descriptor(), PollFlags::IN),
            ];
            poll(&mut ready, None).map_err(text)?;
            let [produced, consumed] = ready.map(|entry| !entry.revents().is_empty());
            if consumed {
                self.consumer.fill().map_err(text)?;
                match self.consumed()? {
                    Some(true) => {
                        arrived = Some(start.elapsed().as_nanos() as u64);
                        self.ask()?;
                    }
                    Some(false) => self.ask()?,
                    None => {}
                }
            }
            if produced {
                self.producer.fill().map_err(text)?;
                if let Some(frame) = self.producer.frame() {
                    let (_, response) = decode_response::<ProduceResponse>(frame, PRODUCE).map_err(text)?;
                    let bad = response.responses.iter().flat_map(|topic| &topic.partition_responses);
                    let mut bad = bad;
                    if let Some(bad) = bad.find(|partition| partition.error_code != 0) {
                        return Err(format!("produce: {}", ErrorCode(bad.error_code).name()));
                    }
                    acknowledged = true;
                }
            }
        }
        Ok(arrived.unwrap_or(0))
    }
}

/// Runs `end-to-end`.
pub fn run(common: &Common, options: &EndToEndOptions) -> Result<Report, String> {
    settle_thread(common.cpu)?;
    setup::ensure_topic(common)?;
    let now_ms =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_err(text)?.as_millis() as i64;
    let batches = load::batches(1, options.record_bytes, now_ms)?;
    let Some(batch) = batches.first() else { return Err("no batches".into()) };
    let mut all = Latencies::new();
    let mut parts = Vec::new();
    let mut usage = None;
    for number in 0..options.pairs {
        let mut pair = Pair {
            common,
            producer: Connection::open(common.bootstrap).map_err(text)?,
            consumer: Connection::open(common.bootstrap).map_err(text)?,
            partition: (number as i32) % common.partitions,
            next_offset: 0,
        };
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: 30_000,
            topic_data: vec![produce::TopicProduceData {
                name: &common.topic,
                partition_data: vec![produce::PartitionProduceData {
                    index: pair.partition,
                    records: Records::Slice(batch),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let frame = encode_request(2, Some("millrace-perf"), PRODUCE, &request).map_err(text)?;
        pair.catch_up()?;
        pair.ask()?;
        for _ in 0..options.warmup_records {
            pair.one(&frame)?;
        }
        if usage.is_none() {
            usage = Some(Usage::now(common));
        }
        let mut latencies = Latencies::new();
        let start = Instant::now();
        for _ in 0..options.records {
            let latency = pair.one(&frame)?;
            let elapsed = start.elapsed().as_nanos() as u64;
            latencies.record(latency, elapsed);
            all.record(latency, elapsed);
        }
        parts.push(latencies.summary());
    }
    let Some(usage) = usage else { return Err("no pairs".into()) };
    // Warm-up records of later pairs are inside the measured span: they count as records.
    let records =
        options.records * options.pairs as u64 + options.warmup_records * (options.pairs as u64 - 1);
    let mut report = Report::of("end-to-end", common, &usage, records, records * batch.len() as u64);
    report.latency = all.summary();
    report.parts = parts;
    report.histogram = Some(all.all);
    Ok(report)
}
