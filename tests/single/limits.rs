//! F05, F06, F08: what is refused in a produce, and that nothing else suffers from it.

use millrace::protocol::codec::Codec;

use crate::broker::Broker;
use crate::raw::{Limits, Raw, batch, batch_with, now_ms};

const CORRUPT_MESSAGE: i16 = 2;
const MESSAGE_TOO_LARGE: i16 = 10;
const INVALID_TIMESTAMP: i16 = 32;

#[test]
fn f05_a_batch_that_is_too_large_fails_alone() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("small", 1, &[("max.message.bytes", "2000")]);
    client.create_topic("large", 1, &[]);
    let big = vec![b'x'; 3000];
    let records = batch(&[&big]);
    let results = client.produce(&[("small", 0, &records), ("large", 0, &records)]);
    assert_eq!(results, [(MESSAGE_TOO_LARGE, -1), (0, 0)]);
    // What is stored counts: the same records fit when compressed.
    let packed = batch_with(Codec::Zstd, &[(now_ms(), &big)]);
    assert!(packed.len() < 2000);
    assert_eq!(client.produce(&[("small", 0, &packed)]), [(0, 0)]);
}

#[test]
fn f06_a_flipped_bit_is_refused_and_the_connection_goes_on() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let good = batch(&[b"value"]);
    let mut bad = good.clone();
    *bad.last_mut().expect("a byte") ^= 1;
    assert_eq!(client.produce(&[("t", 0, &bad)]), [(CORRUPT_MESSAGE, -1)]);
    assert_eq!(client.fetch("t", 0, 0, Limits::default()).1, 0, "the log's end has not moved");
    assert_eq!(client.produce(&[("t", 0, &good)]), [(0, 0)]);
}

#[test]
fn f08_a_time_in_the_far_future_is_refused() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let in_microseconds = now_ms() * 1000;
    let records = batch_with(Codec::None, &[(in_microseconds, b"value")]);
    assert_eq!(client.produce(&[("t", 0, &records)]), [(INVALID_TIMESTAMP, -1)]);
    client.create_topic("trusting", 1, &[("message.timestamp.after.max.ms", "9223372036854775807")]);
    assert_eq!(client.produce(&[("trusting", 0, &records)]), [(0, 0)]);
}

#[test]
fn unknown_partitions_and_wrong_acks_are_told_each_by_its_code() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 2, &[]);
    let records = batch(&[b"value"]);
    assert_eq!(
        client.produce(&[("t", 2, &records), ("nope", 0, &records), ("t", 1, &records)]),
        [(3, -1), (3, -1), (0, 0)]
    );
    let frame = client.call(9, &crate::raw::produce_request(2, &[("t", 0, &records)]));
    let (_, response): (i32, millrace::protocol::messages::ProduceResponse<'_>) =
        millrace::protocol::decode_response(&frame, 9).expect("Produce");
    assert_eq!(response.responses[0].partition_responses[0].error_code, 21);
}
