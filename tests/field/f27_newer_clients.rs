//! F27: a client that is newer than the broker is told what the broker has, and what is told works.

use millrace::protocol::messages::{ApiVersionsRequest, ApiVersionsResponse, MetadataResponse};
use millrace::protocol::{ApiKey, decode_response};

use crate::broker::Broker;
use crate::raw::Raw;

const UNSUPPORTED_VERSION: i16 = 35;
/// Of the last versions of ApiVersions that Apache Kafka and we have.
const KNOWN: i16 = 4;

fn request(key: i16, version: i16, id: i32, body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    frame.extend(key.to_be_bytes());
    frame.extend(version.to_be_bytes());
    frame.extend(id.to_be_bytes());
    frame.extend((-1i16).to_be_bytes());
    frame.extend(body);
    [&(frame.len() as u32).to_be_bytes()[..], &frame].concat()
}

fn hello() -> ApiVersionsRequest<'static> {
    ApiVersionsRequest { client_software_name: "raw", client_software_version: "1", ..Default::default() }
}

pub fn a_version_from_the_future_is_answered_in_the_oldest_format(address: &str) {
    // The end of the header, and bodies that nobody knows yet, or none.
    let long = [&[0][..], &[0xff; 300]].concat();
    for (version, body) in [(99, &[0, 1, 2, 3][..]), (99, &[0]), (i16::MAX, &long), (6, &[0, 0])] {
        let mut client = Raw::connect(address);
        client.send_bytes(&request(18, version, 7, body));
        let answer = client.receive().expect("an answer");
        let (id, response): (i32, ApiVersionsResponse<'_>) =
            decode_response(&answer, 0).expect("the oldest format");
        assert_eq!((id, response.error_code), (7, UNSUPPORTED_VERSION), "version {version}");
        let [own] = &response.api_keys[..] else {
            // More than its own range may be told.
            assert!(response.api_keys.iter().any(|key| key.api_key == ApiKey::API_VERSIONS.0));
            continue;
        };
        assert_eq!(own.api_key, ApiKey::API_VERSIONS.0);
        assert!(own.min_version == 0 && own.max_version >= KNOWN);
        // The connection goes on, and each version from that range works.
        for version in own.min_version..=own.max_version.min(KNOWN) {
            let response: ApiVersionsResponse<'_> = client.ask(version, &hello());
            assert_eq!(response.error_code, 0, "version {version}");
            let produce = response.api_keys.iter().find(|key| key.api_key == 0).expect("Produce");
            // KAFKA-18659: listed from 0, served from 3.
            assert_eq!((produce.min_version, produce.max_version), (0, 13));
        }
    }
}

pub fn what_is_not_served_closes_the_connection(address: &str) {
    // Produce v0; LeaderAndIsr; keys that nobody has; a version of Metadata from the future.
    for (key, version) in [(0, 0), (4, 0), (999, 0), (-1, 0), (3, 99), (3, -1)] {
        let mut client = Raw::connect(address);
        client.send_bytes(&request(key, version, 1, &[0; 16]));
        assert_eq!(client.receive(), None, "API {key}, version {version}");
    }
}

/// Later fields may stand behind what a version has; librdkafka 2.12 sends three bytes more than it should.
pub fn bytes_behind_a_request_are_left_alone(address: &str) {
    // Metadata of all topics: in version 13 as librdkafka sends it, in version 1 with bytes of any kind.
    for (version, body) in [
        (13, &[0, 0, 0, 0, 0, 0, 0, 0][..]),
        (1, &[0xff, 0xff, 0xff, 0xff, 1, 2, 3]),
        (12, &[0, 0, 0, 0, 0, 0xff, 0xff]),
    ] {
        let mut client = Raw::connect(address);
        for id in 0..3 {
            client.send_bytes(&request(3, version, id, body));
            let answer = client.receive().expect("an answer");
            let (answered, response): (i32, MetadataResponse<'_>) =
                decode_response(&answer, version).expect("an answer of that version");
            assert_eq!((answered, response.brokers.len()), (id, 1), "version {version}");
        }
    }
}

#[test]
fn f27_bytes_behind_a_request_are_left_alone() {
    bytes_behind_a_request_are_left_alone(Broker::start(&[]).address());
}

#[test]
fn f27_api_versions_from_the_future_is_answered_in_the_oldest_format() {
    a_version_from_the_future_is_answered_in_the_oldest_format(Broker::start(&[]).address());
}

#[test]
fn f27_what_is_not_served_closes_the_connection() {
    let broker = Broker::start(&[]);
    let mut other = Raw::connect(broker.address());
    what_is_not_served_closes_the_connection(broker.address());
    let response: ApiVersionsResponse<'_> = other.ask(3, &hello());
    assert_eq!(response.error_code, 0, "nobody else is hurt");
}

#[test]
fn f27_nothing_is_told_that_is_refused() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let response: ApiVersionsResponse<'_> = client.ask(4, &hello());
    for api in &response.api_keys {
        for version in api.min_version..=api.max_version {
            if api.api_key == 0 && version < 3 {
                continue;
            }
            // An empty body is no request of most, and then ends the connection; but the broker itself must live.
            let mut probe = Raw::connect(broker.address());
            probe.send_bytes(&request(api.api_key, version, 1, &[]));
            probe.receive();
        }
    }
    let response: ApiVersionsResponse<'_> = client.ask(4, &hello());
    assert_eq!(response.error_code, 0);
    assert!(response.api_keys.len() > 30);
}
