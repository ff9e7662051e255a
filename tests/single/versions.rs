//! F27: a client that is newer than the broker is told what the broker has.

use millrace::protocol::messages::{ApiVersionsRequest, ApiVersionsResponse};
use millrace::protocol::{ApiKey, decode_response};

use crate::broker::Broker;
use crate::raw::Raw;

fn header(key: i16, version: i16) -> Vec<u8> {
    let mut frame = Vec::new();
    frame.extend(key.to_be_bytes());
    frame.extend(version.to_be_bytes());
    frame.extend(7i32.to_be_bytes());
    frame.extend((-1i16).to_be_bytes());
    frame
}

fn with_size(frame: &[u8]) -> Vec<u8> {
    [&(frame.len() as u32).to_be_bytes()[..], frame].concat()
}

#[test]
fn f27_api_versions_from_the_future_is_answered_in_the_oldest_format() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    // Version 99 with a body that nobody knows yet.
    let frame = [&header(18, 99)[..], &[0, 1, 2, 3]].concat();
    client.send_bytes(&with_size(&frame));
    let answer = client.receive().expect("an answer");
    let (id, response): (i32, ApiVersionsResponse<'_>) =
        decode_response(&answer, 0).expect("the oldest format");
    assert_eq!((id, response.error_code), (7, 35));
    let own =
        response.api_keys.iter().find(|key| key.api_key == ApiKey::API_VERSIONS.0).expect("its own range");
    assert!(own.max_version >= 4);
    // The connection goes on with a version from that range.
    let request = ApiVersionsRequest {
        client_software_name: "raw",
        client_software_version: "1",
        ..Default::default()
    };
    let frame = client.call(own.max_version, &request);
    let (_, response): (i32, ApiVersionsResponse<'_>) =
        decode_response(&frame, own.max_version).expect("known");
    assert_eq!(response.error_code, 0);
    let produce = response.api_keys.iter().find(|key| key.api_key == 0).expect("Produce");
    // KAFKA-18659: listed from 0, served from 3.
    assert_eq!((produce.min_version, produce.max_version), (0, 13));
}

#[test]
fn f27_what_is_not_served_closes_the_connection() {
    let broker = Broker::start(&[]);
    // Produce v0, LeaderAndIsr, a key that nobody has.
    for (key, version) in [(0, 0), (4, 0), (999, 0), (-1, 0)] {
        let mut client = Raw::connect(broker.address());
        client.send_bytes(&with_size(&header(key, version)));
        assert_eq!(client.receive(), None, "API {key} v{version}");
    }
}
