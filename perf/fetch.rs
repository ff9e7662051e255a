//! `fetch`: reads a topic from offset 0 and checks what it reads.

use std::collections::BTreeMap;

use millrace::protocol::messages::{FetchRequest, FetchResponse, fetch};
use millrace::protocol::record_batch::batches;
use millrace::protocol::{ErrorCode, decode_response, encode_request};
use rustix::event::epoll;

use crate::cli::{Common, FetchOptions};
use crate::connection::{Connection, wait_for_events};
use crate::measure::{Latencies, Report, Usage, settle_thread};
use crate::setup;

/// The newest version that names topics.
const FETCH: i16 = 12;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

struct Reader {
    connection: Connection,
    /// Next offset of each partition.
    offsets: BTreeMap<i32, i64>,
    /// The partition named first in the next request: brokers fill a response in that order.
    turn: usize,
    asked_ns: u64,
    done: bool,
}

struct Totals {
    records: u64,
    bytes: u64,
    limit_bytes: u64,
}

impl Reader {
    fn ask(&mut self, common: &Common, options: &FetchOptions, now_ns: u64) -> Result<(), String> {
        let mut partitions: Vec<fetch::FetchPartition> = self
            .offsets
            .iter()
            .map(|(&partition, &fetch_offset)| fetch::FetchPartition {
                partition,
                fetch_offset,
                partition_max_bytes: options.partition_max_bytes,
                ..Default::default()
            })
            .collect();
        let turn = self.turn % partitions.len().max(1);
        partitions.rotate_left(turn);
        self.turn += 1;
        let request = FetchRequest {
            max_wait_ms: 0,
            min_bytes: 1,
            max_bytes: options.max_bytes,
            topics: vec![fetch::FetchTopic { topic: &common.topic, partitions, ..Default::default() }],
            ..Default::default()
        };
        let frame = encode_request(7, Some("millrace-perf"), FETCH, &request).map_err(text)?;
        self.connection.queue(&[&frame]);
        self.asked_ns = now_ns;
        self.connection.flush().map_err(text)
    }

    /// Takes a response: true when it held records.
    fn take(&mut self, options: &FetchOptions, totals: &mut Totals) -> Result<Option<bool>, String> {
        let Some(frame) = self.connection.frame() else { return Ok(None) };
        let (_, response) = decode_response::<FetchResponse>(frame, FETCH).map_err(text)?;
        if response.error_code != 0 {
            return Err(format!("fetch: {}", ErrorCode(response.error_code).name()));
        }
        let mut any = false;
        for partition in response.responses.iter().flat_map(|topic| &topic.partitions) {
            if partition.error_code != 0 {
                let name = ErrorCode(partition.error_code).name();
                return Err(format!("fetch of partition {}: {name}", partition.partition_index));
            }
            let Some(offset) = self.offsets.get_mut(&partition.partition_index) else {
                return Err(format!("partition {} was not asked for", partition.partition_index));
            };
            for batch in batches(partition.records.as_slice().unwrap_or_default()) {
                let batch = batch.map_err(text)?;
                if batch.header.next_offset() <= *offset {
                    continue;
                }
                if options.verify {
                    batch.verify_crc().map_err(text)?;
                    if batch.header.base_offset > *offset {
                        return Err(format!(
                            "offsets {} to {} are missing",
                            *offset, batch.header.base_offset
                        ));
                    }
                }
                *offset = batch.header.next_offset();
                totals.records += batch.header.record_count as u64;
                totals.bytes += batch.bytes.len() as u64;
                any = true;
            }
        }
        Ok(Some(any))
    }
}

/// Runs `fetch`.
pub fn run(common: &Common, options: &FetchOptions) -> Result<Report, String> {
    settle_thread(common.cpu)?;
    setup::ensure_topic(common)?;
    let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?;
    let mut readers = Vec::new();
    for index in 0..options.connections {
        let connection = Connection::open(common.bootstrap).map_err(text)?;
        epoll::add(
            &poll,
            connection.descriptor(),
            epoll::EventData::new_u64(index as u64),
            epoll::EventFlags::IN,
        )
        .map_err(text)?;
        let offsets: BTreeMap<i32, i64> = (0..common.partitions)
            .filter(|partition| *partition as usize % options.connections == index)
            .map(|partition| (partition, 0))
            .collect();
        let done = offsets.is_empty();
        readers.push(Reader { connection, offsets, turn: 0, asked_ns: 0, done });
    }
    let start = std::time::Instant::now();
    let now = || start.elapsed().as_nanos() as u64;
    let before = Usage::now(common);
    let mut latencies = Latencies::new();
    let mut totals = Totals { records: 0, bytes: 0, limit_bytes: options.limit_bytes };
    let mut rounds = options.rounds;
    for reader in readers.iter_mut().filter(|reader| !reader.done) {
        reader.ask(common, options, now())?;
    }
    let mut events: Vec<epoll::Event> = Vec::with_capacity(64);
    loop {
        wait_for_events(&poll, &mut events, None)?;
        for event in &events {
            let reader = &mut readers[event.data.u64() as usize];
            reader.connection.fill().map_err(text)?;
            while let Some(any) = reader.take(options, &mut totals)? {
                let at = now();
                latencies.record(at - reader.asked_ns, at);
                reader.done = !any || (totals.limit_bytes > 0 && totals.bytes >= totals.limit_bytes);
                if !reader.done {
                    reader.ask(common, options, at)?;
                }
            }
        }
        if readers.iter().all(|reader| reader.done) {
            rounds -= 1;
            if rounds == 0 {
                break;
            }
            for reader in readers.iter_mut().filter(|reader| !reader.offsets.is_empty()) {
                reader.offsets.values_mut().for_each(|offset| *offset = 0);
                reader.done = false;
                reader.ask(common, options, now())?;
            }
        }
    }
    let mut report = Report::of("fetch", common, &before, totals.records, totals.bytes);
    report.latency = latencies.summary();
    report.histogram = Some(latencies.all);
    Ok(report)
}
