//! F27: a client that is newer than the broker is told what the broker has, and what is told works.

use millrace::protocol::messages::*;
use millrace::protocol::wire::Request;
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

/// Asks for each version that is told, with a request that is whole; gives how many were answered.
fn ask_what_is_told<R: Request<'static> + Default>(
    told: &mut Vec<(i16, i16, i16)>,
    address: &str,
    prepare: impl Fn(&mut R),
) -> usize {
    let at = told.iter().position(|(key, _, _)| *key == R::API_KEY.0).expect("the key is told");
    let (_, min, max) = told.swap_remove(at);
    let mut client = Raw::connect(address);
    let versions = min.max(R::MIN_VERSION)..=max.min(R::MAX_VERSION);
    assert!(!versions.is_empty(), "{}: {min} to {max}", R::NAME);
    for version in versions.clone() {
        let mut request = R::default();
        prepare(&mut request);
        let frame = client.call(version, &request);
        let answer: Result<(i32, R::Response<'_>), _> = decode_response(&frame, version);
        assert!(answer.is_ok(), "{} {version}: {:?}", R::NAME, answer.err());
    }
    versions.count()
}

/// Every key and version has an answer of its form, on a connection that goes on.
pub fn what_is_told_is_served(address: &str) -> (usize, Vec<i16>) {
    let mut client = Raw::connect(address);
    let response: ApiVersionsResponse<'_> = client.ask(4, &hello());
    let mut told: Vec<(i16, i16, i16)> =
        response.api_keys.iter().map(|key| (key.api_key, key.min_version, key.max_version)).collect();
    let mut answered = 0;
    macro_rules! ask {
        ($($request:ty),* $(,)?) => { $(
            answered += ask_what_is_told::<$request>(&mut told, address, |_| {});
        )* };
    }
    // Without acks a produce has no answer.
    answered += ask_what_is_told::<ProduceRequest<'_>>(&mut told, address, |request| request.acks = -1);
    answered += ask_what_is_told::<ApiVersionsRequest<'_>>(&mut told, address, |request| *request = hello());
    ask! {
        FetchRequest<'_>, ListOffsetsRequest<'_>, MetadataRequest<'_>, OffsetCommitRequest<'_>, OffsetFetchRequest<'_>,
        FindCoordinatorRequest<'_>, JoinGroupRequest<'_>, HeartbeatRequest<'_>, LeaveGroupRequest<'_>,
        SyncGroupRequest<'_>, DescribeGroupsRequest<'_>, ListGroupsRequest<'_>, CreateTopicsRequest<'_>,
        DeleteTopicsRequest<'_>, DeleteRecordsRequest<'_>, InitProducerIdRequest<'_>, OffsetForLeaderEpochRequest<'_>,
        DescribeConfigsRequest<'_>, AlterConfigsRequest<'_>, AlterReplicaLogDirsRequest<'_>, DescribeLogDirsRequest<'_>,
        CreatePartitionsRequest<'_>, DeleteGroupsRequest<'_>, ElectLeadersRequest<'_>,
        IncrementalAlterConfigsRequest<'_>, AlterPartitionReassignmentsRequest<'_>,
        ListPartitionReassignmentsRequest<'_>, OffsetDeleteRequest<'_>, DescribeClientQuotasRequest<'_>,
        AlterClientQuotasRequest<'_>, DescribeQuorumRequest<'_>, UpdateFeaturesRequest<'_>, DescribeClusterRequest,
        DescribeProducersRequest<'_>, ListConfigResourcesRequest, DescribeTopicPartitionsRequest<'_>,
    }
    (answered, told.iter().map(|(key, _, _)| *key).collect())
}

#[test]
fn f27_what_is_told_is_served() {
    let broker = Broker::start(&[]);
    let (answered, left) = what_is_told_is_served(broker.address());
    eprintln!("{answered} versions were asked for, each with a whole request");
    assert!(left.is_empty(), "keys that are told and were not asked for: {left:?}");
}

#[test]
fn f27_nothing_is_told_that_ends_the_broker() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    let response: ApiVersionsResponse<'_> = client.ask(4, &hello());
    for api in &response.api_keys {
        for version in api.min_version..=api.max_version {
            // An empty body is no request of most, and then ends the connection; but the broker itself must live.
            let mut probe = Raw::connect(broker.address());
            probe.send_bytes(&request(api.api_key, version, 1, &[]));
            probe.receive();
        }
    }
    let response: ApiVersionsResponse<'_> = client.ask(4, &hello());
    assert_eq!(response.error_code, 0);
}
