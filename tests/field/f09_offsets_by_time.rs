//! F09: a lookup by time gives exactly the first record that is not older, whatever the codec, the order of times, and
//! where segments end.

use millrace::protocol::codec::Codec;
use millrace::protocol::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use millrace::protocol::messages::{DeleteRecordsRequest, DeleteRecordsResponse};

use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Raw, batch_with, now_ms};

const CODECS: [Codec; 5] = [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd];

/// What is right: the first record from `start` on with at least this time.
fn first_at(times: &[i64], start: usize, time: i64) -> (i16, i64, i64) {
    let found = times.iter().enumerate().skip(start).find(|(_, of)| **of >= time);
    found.map_or((0, -1, -1), |(offset, of)| (0, *of, offset as i64))
}

fn produce(client: &mut Raw, topic: &str, codec: Codec, times: &[i64]) {
    let records: Vec<(i64, &[u8])> = times.iter().map(|time| (*time, &b"a value"[..])).collect();
    assert_eq!(client.produce(&[(topic, 0, &batch_with(codec, &records))])[0].0, 0);
}

pub fn every_codec_is_looked_into(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f09", 1, &[]);
    let mut times = Vec::new();
    let base = now_ms() - 10_000;
    for codec in CODECS {
        let first = base + times.len() as i64 * 2;
        let batch: Vec<i64> = (0..20).map(|k| first + k * 2).collect();
        produce(&mut client, "f09", codec, &batch);
        times.extend(batch);
    }
    // Each record's own time, and the one before it, which no record has.
    for time in times.iter().flat_map(|time| [*time - 1, *time]) {
        assert_eq!(list_offset(&mut client, "f09", 0, time), first_at(&times, 0, time));
    }
    let last = times[times.len() - 1];
    assert_eq!(list_offset(&mut client, "f09", 0, last + 1), (0, -1, -1));
    assert_eq!(list_offset(&mut client, "f09", 0, 0), (0, times[0], 0));
    // The newest record is behind no other of its time.
    assert_eq!(list_offset(&mut client, "f09", 0, -3), (0, last, times.len() as i64 - 1));
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Times in no order, across batches, codecs and segments.
fn disorder(client: &mut Raw, topic: &str, seed: u64) -> Vec<i64> {
    create_topic(client, topic, 1, &[("segment.bytes", "1048576"), ("index.interval.bytes", "100")]);
    let mut random = Random(seed);
    let base = now_ms() - 1_000_000;
    let mut times = Vec::new();
    for _ in 0..60 {
        let count = 1 + random.below(8);
        let batch: Vec<i64> = (0..count).map(|_| base + random.below(1000) as i64 * 10).collect();
        produce(client, topic, CODECS[random.below(5) as usize], &batch);
        times.extend(batch);
    }
    times
}

fn probe(client: &mut Raw, topic: &str, times: &[i64], start: usize) {
    let (oldest, newest) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    let mut asked: Vec<i64> = times.iter().flat_map(|time| [*time - 1, *time, *time + 1]).collect();
    asked.extend([0, oldest - 1, newest + 1]);
    asked.sort_unstable();
    asked.dedup();
    for time in asked {
        let expected = first_at(times, start, time);
        assert_eq!(list_offset(client, topic, 0, time), expected, "{topic} at {time}: {times:?}");
    }
}

pub fn times_out_of_order_are_found(address: &str) {
    let mut client = Raw::connect(address);
    for seed in [1, 2] {
        let topic = format!("f09-disorder-{seed}");
        let times = disorder(&mut client, &topic, seed);
        probe(&mut client, &topic, &times, 0);
        // Below the log's start nothing is found, also in the middle of a batch.
        let start = times.len() / 2;
        let asked = DeleteRecordsPartition { partition_index: 0, offset: start as i64 };
        let topics = vec![DeleteRecordsTopic { name: &topic, partitions: vec![asked] }];
        let request = DeleteRecordsRequest { topics, timeout_ms: 10_000 };
        let response: DeleteRecordsResponse<'_> = client.ask(2, &request);
        assert_eq!(response.topics[0].partitions[0].error_code, 0);
        probe(&mut client, &topic, &times, start);
    }
}

#[test]
fn f09_a_time_in_a_compressed_batch_is_found_exactly() {
    every_codec_is_looked_into(Broker::start(&[]).address());
}

#[test]
fn f09_times_out_of_order_are_found() {
    times_out_of_order_are_found(Broker::start(&[]).address());
}

#[test]
fn f09_times_are_found_over_segments_and_restarts() {
    let mut broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "t", 1, &[("segment.bytes", "1048576"), ("index.interval.bytes", "4096")]);
    let mut random = Random(7);
    let base = now_ms() - 1_000_000;
    let filler = vec![b'x'; 30_000];
    let mut times = Vec::new();
    for _ in 0..120 {
        let batch: Vec<i64> = (0..3).map(|_| base + random.below(100_000) as i64).collect();
        let records: Vec<(i64, &[u8])> = batch.iter().map(|time| (*time, filler.as_slice())).collect();
        assert_eq!(client.produce(&[("t", 0, &batch_with(Codec::None, &records))])[0].0, 0);
        times.extend(batch);
    }
    for ending in 0..3 {
        let mut client = Raw::connect(broker.address());
        for time in times.iter().step_by(7).flat_map(|time| [*time, *time + 1]) {
            assert_eq!(list_offset(&mut client, "t", 0, time), first_at(&times, 0, time), "life {ending}");
        }
        broker = Broker::again(if ending == 0 { broker.stop() } else { broker.kill() });
    }
}
