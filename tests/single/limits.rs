//! What is refused in a produce, and that nothing else suffers from it. (Batches: tests/field, f05 to f08.)

use crate::broker::Broker;
use crate::raw::{Raw, batch};

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
