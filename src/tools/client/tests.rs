//! The client against a broker that a test plays on a thread.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::blocking::Topics;
use super::{Client, ClientError, Node, parse_bootstrap};
use crate::protocol::messages::api_versions::ApiVersion;
use crate::protocol::messages::metadata::{
    MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic,
};
use crate::protocol::messages::{ApiVersionsResponse, HeartbeatRequest, MetadataRequest, MetadataResponse};
use crate::protocol::{ApiKey, ErrorCode, decode_request_header, encode_response};
use crate::tools::client_settings;
use crate::tools::properties::Properties;

/// Highest ApiVersions version that the played broker knows.
const VERSIONS_UP_TO: i16 = 2;
/// Highest Metadata version that it knows.
const METADATA_UP_TO: i16 = 7;

fn frame(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut size = [0; 4];
    stream.read_exact(&mut size).ok()?;
    let mut frame = vec![0; i32::from_be_bytes(size) as usize];
    stream.read_exact(&mut frame).ok()?;
    Some(frame)
}

/// Answers one request; which it was.
fn answer(stream: &mut TcpStream, port: u16) -> Option<(i16, i16)> {
    let frame = frame(stream)?;
    let (header, _) = decode_request_header(&frame).unwrap();
    let (key, version, id) = (header.request_api_key, header.request_api_version, header.correlation_id);
    let bytes = if key == ApiKey::API_VERSIONS.0 {
        let range = |api_key, max_version| ApiVersion { api_key, min_version: 0, max_version };
        let known = version <= VERSIONS_UP_TO;
        let response = ApiVersionsResponse {
            error_code: if known { 0 } else { ErrorCode::UNSUPPORTED_VERSION.0 },
            api_keys: vec![
                range(ApiKey::API_VERSIONS.0, VERSIONS_UP_TO),
                range(ApiKey::METADATA.0, METADATA_UP_TO),
            ],
            ..Default::default()
        };
        encode_response(id, if known { version } else { 0 }, &response).unwrap().0
    } else {
        let partition =
            MetadataResponsePartition { leader_id: 4, replica_nodes: vec![4], ..Default::default() };
        let response = MetadataResponse {
            brokers: vec![MetadataResponseBroker {
                node_id: 4,
                host: "127.0.0.1",
                port: port.into(),
                rack: None,
            }],
            controller_id: 4,
            topics: vec![MetadataResponseTopic {
                name: Some("t"),
                partitions: vec![partition],
                ..Default::default()
            }],
            ..Default::default()
        };
        encode_response(id, version, &response).unwrap().0
    };
    // In two pieces, so that the client must wait for the rest.
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    stream.write_all(head).ok()?;
    std::thread::sleep(Duration::from_millis(5));
    stream.write_all(tail).ok()?;
    Some((key, version))
}

fn client(port: u16, rest: &[&str]) -> Client {
    let mut properties = Properties::default();
    properties.set("bootstrap.servers", &format!("127.0.0.1:{port}"));
    properties.add(rest).unwrap();
    client_settings::client(&properties, "test").unwrap()
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

#[test]
fn versions_are_negotiated_down_to_an_old_broker() {
    let (listener, port) = listen();
    let broker = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut seen = Vec::new();
        while let Some(request) = answer(&mut stream, port) {
            seen.push(request);
        }
        seen
    });
    let mut client = client(port, &[]);
    client.refresh(Topics::Named(&["t"]), false).unwrap();
    assert_eq!(client.cluster().leader("t", 0), Some(4));
    assert_eq!(client.cluster().leader("t", 1), None);
    let version = client.version::<MetadataRequest<'_>>(Node::Bootstrap(0), 5).unwrap();
    assert_eq!(version, 5, "the caller's cap");
    let missing = client.version::<HeartbeatRequest<'_>>(Node::Bootstrap(0), i16::MAX).unwrap_err();
    assert!(matches!(missing, ClientError::Unsupported { .. }), "{missing}");
    drop(client);
    let (versions, metadata) = (ApiKey::API_VERSIONS.0, ApiKey::METADATA.0);
    assert_eq!(
        broker.join().unwrap(),
        [(versions, 5), (versions, VERSIONS_UP_TO), (metadata, METADATA_UP_TO)]
    );
}

#[test]
fn what_is_no_broker_is_said_to_be_none() {
    let (listener, port) = listen();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let mut client = client(port, &[]);
    let error = client.connect(Node::Bootstrap(0), Instant::now() + Duration::from_secs(5)).unwrap_err();
    assert!(error.to_string().contains("is this a Kafka listener"), "{error}");
}

#[test]
fn a_broker_that_does_not_answer_is_given_up_in_time() {
    let (listener, port) = listen();
    let silent = std::thread::spawn(move || listener.accept().unwrap());
    let mut client = client(port, &["request.timeout.ms=100", "default.api.timeout.ms=300"]);
    let start = Instant::now();
    let error = client.refresh(Topics::None, false).unwrap_err();
    assert!(error.is_retriable() && start.elapsed() < Duration::from_secs(5), "{error}");
    drop(silent.join().unwrap());
    let list = parse_bootstrap("127.0.0.1:1").unwrap();
    assert_eq!(list[0].to_string(), "127.0.0.1:1");
}
