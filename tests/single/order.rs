//! Requests of one connection: answered in order, appended in order, many in flight.

use std::time::Duration;

use millrace::protocol::decode_response;
use millrace::protocol::messages::{ApiVersionsRequest, ProduceResponse};

use crate::broker::Broker;
use crate::raw::{Limits, Raw, batch, fetch_request, produce_request};

#[test]
fn pipelined_produces_get_offsets_in_the_order_of_requests() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 4, &[]);
    let records = batch(&[b"value"]);
    let mut sent = Vec::new();
    for round in 0..50 {
        for partition in 0..4 {
            sent.push((client.send(9, &produce_request(-1, &[("t", partition, &records)])), round));
        }
    }
    for (id, round) in sent {
        let frame = client.receive().expect("an answer");
        assert_eq!(frame[..4], id.to_be_bytes());
        let (_, response): (i32, ProduceResponse<'_>) = decode_response(&frame, 9).expect("Produce");
        let partition = &response.responses[0].partition_responses[0];
        assert_eq!((partition.error_code, partition.base_offset), (0, round));
    }
}

#[test]
fn a_slow_answer_holds_back_the_later_ones_but_not_their_work() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    client.create_topic("idle", 1, &[]);
    let limits = Limits { max_wait_ms: 500, ..Limits::default() };
    let poll = client.send(12, &fetch_request(&[("idle", 0, 0)], limits));
    let produce = client.send(9, &produce_request(-1, &[("t", 0, &batch(&[b"v"]))]));
    let mut other = Raw::connect(broker.address());
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(other.fetch("t", 0, 0, Limits::default()).1, 1, "the produce behind the long poll is done");
    assert_eq!(client.receive().expect("the poll")[..4], poll.to_be_bytes());
    assert_eq!(client.receive().expect("the produce")[..4], produce.to_be_bytes());
}

#[test]
fn acks_0_gets_no_answer_and_a_failure_closes_the_connection() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let records = batch(&[b"value"]);
    client.send(9, &produce_request(0, &[("t", 0, &records)]));
    let request = ApiVersionsRequest {
        client_software_name: "raw",
        client_software_version: "1",
        ..Default::default()
    };
    // The next answer is the next request's.
    client.call(3, &request);
    let (_, high_watermark, fetched) =
        client.fetch("t", 0, 0, Limits { max_wait_ms: 2000, ..Limits::default() });
    assert_eq!((high_watermark, fetched.len()), (1, records.len()));
    client.send(9, &produce_request(0, &[("nope", 0, &records)]));
    assert_eq!(client.receive(), None);
}
