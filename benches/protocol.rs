//! What a request costs in protocol code alone: checking a batch, decoding a request, encoding a response.
//!
//! `cargo bench --bench protocol` (add `-- check` to run some).

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use millrace::protocol::codec::Codec;
use millrace::protocol::messages::{
    FetchRequest, FetchResponse, ProduceRequest, ProduceResponse, fetch, produce,
};
use millrace::protocol::record_batch::{BatchBuilder, CheckRules, check_produce};
use millrace::protocol::{Message, Reader, Records, decode_request_header, encode_request, encode_response};

fn main() {
    divan::main();
}

/// A batch of `records` records of `value_bytes` bytes.
fn batch(records: usize, value_bytes: usize, codec: Codec) -> Vec<u8> {
    let value = vec![b'v'; value_bytes];
    let mut builder = BatchBuilder::new(codec);
    for _ in 0..records {
        builder.append(1_700_000_000_000, None, Some(&value), &[]);
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn rules() -> CheckRules {
    CheckRules { now_ms: 1_700_000_000_000, ..Default::default() }
}

/// Records and value bytes: one small record, 64 KiB of 100 B records, 64 KiB of 1 KiB records.
const SHAPES: [(usize, usize); 3] = [(1, 100), (600, 100), (61, 1024)];

#[divan::bench(args = SHAPES)]
fn check_uncompressed(bencher: Bencher, (records, bytes): (usize, usize)) {
    let batch = batch(records, bytes, Codec::None);
    let rules = rules();
    let mut scratch = Vec::new();
    bencher
        .counter(ItemsCount::new(records))
        .counter(BytesCount::new(batch.len()))
        .bench_local(|| check_produce(black_box(&batch), &rules, &mut scratch).is_ok());
}

#[divan::bench(args = SHAPES)]
fn check_lz4(bencher: Bencher, (records, bytes): (usize, usize)) {
    let batch = batch(records, bytes, Codec::Lz4);
    let rules = rules();
    let mut scratch = Vec::new();
    bencher
        .counter(ItemsCount::new(records))
        .bench_local(|| check_produce(black_box(&batch), &rules, &mut scratch).is_ok());
}

#[divan::bench]
fn crc32c_64_kib(bencher: Bencher) {
    let bytes = vec![7; 65536];
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| crc32c::crc32c(black_box(&bytes)));
}

#[divan::bench]
fn decode_produce_of_one_record(bencher: Bencher) {
    let batch = batch(1, 100, Codec::None);
    let request = ProduceRequest {
        acks: -1,
        timeout_ms: 30_000,
        topic_data: vec![produce::TopicProduceData {
            name: "a-topic",
            partition_data: vec![produce::PartitionProduceData { index: 3, records: Records::Slice(&batch) }],
            ..Default::default()
        }],
        ..Default::default()
    };
    let frame = encode_request(7, Some("client"), 9, &request).unwrap_or_else(|error| panic!("{error}"));
    bencher.bench_local(|| {
        let (header, mut body) =
            decode_request_header(black_box(&frame[4..])).unwrap_or_else(|e| panic!("{e}"));
        ProduceRequest::decode(&mut body, header.request_api_version).is_ok()
    });
}

/// Partitions in a fetch.
#[divan::bench(args = [1, 100, 2000])]
fn decode_fetch(bencher: Bencher, partitions: i32) {
    let request = FetchRequest {
        max_bytes: 1 << 20,
        topics: vec![fetch::FetchTopic {
            topic: "a-topic",
            partitions: (0..partitions)
                .map(|partition| fetch::FetchPartition {
                    partition,
                    partition_max_bytes: 1 << 20,
                    ..Default::default()
                })
                .collect(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let frame = encode_request(7, Some("client"), 12, &request).unwrap_or_else(|error| panic!("{error}"));
    bencher.counter(ItemsCount::new(partitions as usize)).bench_local(|| {
        let (header, mut body) =
            decode_request_header(black_box(&frame[4..])).unwrap_or_else(|e| panic!("{e}"));
        FetchRequest::decode(&mut body, header.request_api_version).is_ok()
    });
}

#[divan::bench]
fn encode_produce_response(bencher: Bencher) {
    let response = ProduceResponse {
        responses: vec![produce::TopicProduceResponse {
            name: "a-topic",
            partition_responses: vec![produce::PartitionProduceResponse {
                index: 3,
                base_offset: 77,
                ..Default::default()
            }],
            ..Default::default()
        }],
        ..Default::default()
    };
    bencher.bench_local(|| encode_response(7, 9, black_box(&response)).is_ok());
}

#[divan::bench(args = [1, 100, 2000])]
fn encode_fetch_response_with_holes(bencher: Bencher, partitions: i32) {
    let response = FetchResponse {
        responses: vec![fetch::FetchableTopicResponse {
            topic: "a-topic",
            partitions: (0..partitions)
                .map(|partition_index| fetch::PartitionData {
                    partition_index,
                    high_watermark: 1000,
                    records: Records::Hole(65536),
                    ..Default::default()
                })
                .collect(),
            ..Default::default()
        }],
        ..Default::default()
    };
    bencher
        .counter(ItemsCount::new(partitions as usize))
        .bench_local(|| encode_response(7, 12, black_box(&response)).is_ok());
}

#[divan::bench]
fn unsigned_varint(bencher: Bencher) {
    let bytes = [0xff_u8, 0xff, 0x03, 0x01, 0x80, 0x01];
    bencher.bench_local(|| {
        let mut reader = Reader::new(black_box(&bytes));
        (reader.unsigned_varint().is_ok(), reader.unsigned_varint().is_ok(), reader.unsigned_varint().is_ok())
    });
}
