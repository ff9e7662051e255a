//! F09 and F10: offsets by time, and the ends of the log.

use millrace::protocol::codec::Codec;
use millrace::protocol::decode_response;
use millrace::protocol::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use millrace::protocol::messages::{ListOffsetsRequest, ListOffsetsResponse};

use crate::broker::Broker;
use crate::raw::{Raw, batch_with, now_ms};

/// Error code, timestamp, offset.
fn list(client: &mut Raw, timestamp: i64) -> (i16, i64, i64) {
    let partition = ListOffsetsPartition { timestamp, ..Default::default() };
    let topics = vec![ListOffsetsTopic { name: "t", partitions: vec![partition] }];
    let request = ListOffsetsRequest { replica_id: -1, topics, ..Default::default() };
    let frame = client.call(7, &request);
    let (_, response): (i32, ListOffsetsResponse<'_>) = decode_response(&frame, 7).expect("ListOffsets");
    let found = &response.topics[0].partitions[0];
    (found.error_code, found.timestamp, found.offset)
}

#[test]
fn f09_a_time_in_a_compressed_batch_is_found_exactly() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let base = now_ms() - 1000;
    let mut expected = Vec::new();
    for codec in [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        let first = expected.len() as i64;
        let times: Vec<i64> = (0..20).map(|k| base + first + k).collect();
        let records: Vec<(i64, &[u8])> = times.iter().map(|time| (*time, &b"v"[..])).collect();
        assert_eq!(client.produce(&[("t", 0, &batch_with(codec, &records))]), [(0, first)]);
        expected.extend(times);
    }
    for (offset, time) in expected.iter().enumerate() {
        assert_eq!(list(&mut client, *time), (0, *time, offset as i64));
    }
}

#[test]
fn f10_no_match_is_no_error_and_the_ends_are_told() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    assert_eq!(list(&mut client, -1), (0, -1, 0));
    assert_eq!(list(&mut client, -2), (0, -1, 0));
    assert_eq!(list(&mut client, -3), (0, -1, -1));
    let now = now_ms();
    client.produce(&[("t", 0, &batch_with(Codec::None, &[(now, b"a"), (now - 5, b"b")]))]);
    assert_eq!(list(&mut client, now + 3_600_000), (0, -1, -1));
    assert_eq!(list(&mut client, -1), (0, -1, 2));
    assert_eq!(list(&mut client, -3), (0, now, 0));
    assert_eq!(list(&mut client, -4).0, 35, "not in this version of the request");
}
