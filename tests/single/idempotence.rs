//! Idempotent producers: repeated batches are kept once, gaps are refused.

use millrace::protocol::codec::Codec;
use millrace::protocol::decode_response;
use millrace::protocol::messages::{InitProducerIdRequest, InitProducerIdResponse};
use millrace::protocol::record_batch::BatchBuilder;

use crate::broker::Broker;
use crate::raw::{Raw, now_ms};

pub fn init(client: &mut Raw, transactional_id: Option<&str>) -> (i16, i64, i16) {
    let request =
        InitProducerIdRequest { transactional_id, transaction_timeout_ms: 60_000, ..Default::default() };
    let frame = client.call(4, &request);
    let (_, response): (i32, InitProducerIdResponse) = decode_response(&frame, 4).expect("InitProducerId");
    (response.error_code, response.producer_id, response.producer_epoch)
}

pub fn sequenced(id: i64, epoch: i16, sequence: i32, count: usize) -> Vec<u8> {
    let mut builder = BatchBuilder::new(Codec::None).producer(id, epoch, sequence);
    for _ in 0..count {
        builder.append(now_ms(), None, Some(b"v"), &[]);
    }
    builder.build().expect("a batch")
}

#[test]
fn a_repeated_batch_is_answered_as_before_and_a_gap_is_refused() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    client.create_topic("t", 1, &[]);
    let (code, id, epoch) = init(&mut client, None);
    assert_eq!(code, 0);
    assert_ne!(init(&mut client, None).1, id, "every producer has its own id");
    let mut produce =
        |sequence, count| client.produce(&[("t", 0, &sequenced(id, epoch, sequence, count))])[0];
    assert_eq!(produce(0, 3), (0, 0));
    assert_eq!(produce(3, 2), (0, 3));
    assert_eq!(produce(3, 2), (0, 3), "sent again");
    assert_eq!(produce(0, 3), (0, 0), "an older one sent again");
    assert_eq!(produce(7, 1).0, 45, "OUT_OF_ORDER_SEQUENCE_NUMBER");
    assert_eq!(produce(5, 1), (0, 5));
}

#[test]
fn transactions_are_refused_with_a_code_that_no_client_retries() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    assert_eq!(init(&mut client, Some("tx")).0, 35);
}
