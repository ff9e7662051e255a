//! F05: one batch that is too large fails alone, and the size that counts is that of the stored, compressed batch.

use millrace::protocol::codec::Codec;
use millrace::protocol::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use millrace::protocol::messages::{IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse};

use crate::broker::Broker;
use crate::client::{create_topic, until};
use crate::raw::{Limits, Raw, batch, batch_with, now_ms};

const MESSAGE_TOO_LARGE: i16 = 10;

pub fn one_large_record_fails_alone(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f05-small", 2, &[("max.message.bytes", "2000")]);
    create_topic(&mut client, "f05-large", 1, &[]);
    let big = batch(&[&[b'x'; 3000]]);
    let little = batch(&[b"v"]);
    // Two topics, and two partitions of one topic.
    let results =
        client.produce(&[("f05-small", 0, &big), ("f05-large", 0, &big), ("f05-small", 1, &little)]);
    assert_eq!(results, [(MESSAGE_TOO_LARGE, -1), (0, 0), (0, 0)]);
    // The same connection goes on, and nothing was stored of what was refused.
    assert_eq!(
        client.produce(&[("f05-small", 0, &little), ("f05-small", 1, &big)]),
        [(0, 0), (MESSAGE_TOO_LARGE, -1)]
    );
    assert_eq!(client.fetch("f05-small", 0, 0, Limits::default()).1, 1);
    // acks=1 is judged alike.
    let frame = client.call(9, &crate::raw::produce_request(1, &[("f05-small", 0, &big)]));
    let (_, response): (i32, millrace::protocol::messages::ProduceResponse<'_>) =
        millrace::protocol::decode_response(&frame, 9).expect("Produce");
    assert_eq!(response.responses[0].partition_responses[0].error_code, MESSAGE_TOO_LARGE);
}

pub fn the_size_that_counts_is_the_stored_one(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f05-stored", 1, &[("max.message.bytes", "2000")]);
    let mut next = 0;
    for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        let packed = batch_with(codec, &[(now_ms(), &[b'x'; 20_000])]);
        assert!(packed.len() < 2000, "{codec:?}: {}", packed.len());
        assert_eq!(client.produce(&[("f05-stored", 0, &packed)]), [(0, next)], "{codec:?}");
        next += 1;
    }
    // What does not get smaller is judged by its stored size too.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut noise = vec![0; 3000];
    for byte in &mut noise {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *byte = (state >> 24) as u8;
    }
    let packed = batch_with(Codec::Zstd, &[(now_ms(), &noise)]);
    assert!(packed.len() > 2000);
    assert_eq!(client.produce(&[("f05-stored", 0, &packed)]), [(MESSAGE_TOO_LARGE, -1)]);
    // To the byte: the batch with its header.
    let exact = batch(&[&[b'x'; 1000]]);
    for (limit, expected) in [(exact.len() - 1, (MESSAGE_TOO_LARGE, -1)), (exact.len(), (0, next))] {
        let text = limit.to_string();
        let config = AlterableConfig { name: "max.message.bytes", value: Some(&text), ..Default::default() };
        let resource =
            AlterConfigsResource { resource_type: 2, resource_name: "f05-stored", configs: vec![config] };
        let request = IncrementalAlterConfigsRequest { resources: vec![resource], ..Default::default() };
        let response: IncrementalAlterConfigsResponse<'_> = client.ask(1, &request);
        assert_eq!(response.responses[0].error_code, 0);
        // The new limit comes to Apache Kafka's partitions a little later.
        until("the limit holds", || {
            (client.produce(&[("f05-stored", 0, &exact)]) == [expected]).then_some(())
        });
    }
}

#[test]
fn f05_a_batch_that_is_too_large_fails_alone() {
    one_large_record_fails_alone(Broker::start(&[]).address());
}

#[test]
fn f05_the_size_that_counts_is_the_stored_one() {
    the_size_that_counts_is_the_stored_one(Broker::start(&[]).address());
}

#[test]
fn f05_the_broker_has_a_limit_for_topics_without_one() {
    let broker = Broker::start(&["message.max.bytes=1500"]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "as-the-broker", 1, &[]);
    create_topic(&mut client, "its-own", 1, &[("max.message.bytes", "4000")]);
    let records = batch(&[&[b'x'; 2000]]);
    let results = client.produce(&[("as-the-broker", 0, &records), ("its-own", 0, &records)]);
    assert_eq!(results, [(MESSAGE_TOO_LARGE, -1), (0, 0)]);
}
