//! F07: a record without a key in a compacted topic is refused with its place in the batch, and nothing of the batch is stored.

use millrace::protocol::codec::Codec;
use millrace::protocol::decode_response;
use millrace::protocol::messages::ProduceResponse;
use millrace::protocol::record_batch::BatchBuilder;

use crate::broker::Broker;
use crate::client::create_topic;
use crate::raw::{Limits, Raw, now_ms, produce_request};

const INVALID_RECORD: i16 = 87;

fn keyed(codec: Codec, records: &[(Option<&str>, Option<&str>)]) -> Vec<u8> {
    let mut builder = BatchBuilder::new(codec);
    for (key, value) in records {
        builder.append(now_ms(), key.map(str::as_bytes), value.map(str::as_bytes), &[]);
    }
    builder.build().expect("a batch")
}

pub fn a_record_without_a_key_is_refused(address: &str) {
    let mut client = Raw::connect(address);
    for (topic, policy) in [("f07-compacted", "compact"), ("f07-both", "compact,delete")] {
        create_topic(&mut client, topic, 1, &[("cleanup.policy", policy)]);
        for codec in Codec::ALL {
            let records = [(Some("a"), Some("1")), (None, Some("2")), (Some("b"), None), (None, None)];
            let batch = keyed(codec, &records);
            let frame = client.call(9, &produce_request(-1, &[(topic, 0, &batch)]));
            let (_, response): (i32, ProduceResponse<'_>) = decode_response(&frame, 9).expect("Produce");
            let partition = &response.responses[0].partition_responses[0];
            assert_eq!((partition.error_code, partition.base_offset), (INVALID_RECORD, -1), "{codec:?}");
            let at_fault: Vec<i32> =
                partition.record_errors.iter().map(|record| record.batch_index).collect();
            assert_eq!(at_fault, [1, 3], "{codec:?}");
        }
        let (_, high_watermark, stored) = client.fetch(topic, 0, 0, Limits::default());
        assert_eq!((high_watermark, stored.len()), (0, 0), "nothing of the batches is in {topic}");
        let good = keyed(Codec::Lz4, &[(Some("a"), Some("1")), (Some("b"), None)]);
        assert_eq!(client.produce(&[(topic, 0, &good)]), [(0, 0)]);
    }
}

#[test]
fn f07_a_record_without_a_key_is_refused_with_its_place_and_nothing_is_stored() {
    a_record_without_a_key_is_refused(Broker::start(&[]).address());
}
