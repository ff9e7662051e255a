//! F23: floods of connections, TLS on a plain port, dead sockets: each limit has its own answer and its own metric, memory
//! and descriptors come back, and a good client is served all the while.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use millrace::protocol::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use millrace::protocol::messages::{IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse};

use crate::node::{Node, number, until};
use crate::raw::{Raw, batch};

const CLIENT_HELLO: [u8; 11] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03];

/// Whether the broker closes it without a byte.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    matches!(stream.read(&mut [0; 1]), Ok(0))
        || matches!(stream.read(&mut [0; 1]), Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset)
}

#[test]
fn f23_a_flood_of_idle_and_tls_sockets_leaves_nothing_behind() {
    let (idle, tls) = (number("MILLRACE_IDLE_CONNECTIONS", 400), number("MILLRACE_TLS_CONNECTIONS", 200));
    let node = Node::start(&[]);
    let mut good = Raw::connect(&node.address);
    good.create_topic("t", 1, &[]);
    let records = batch(&[b"value"]);
    let mut produced = 0;
    let mut produce = |good: &mut Raw| {
        assert_eq!(good.produce(&[("t", 0, &records)]), [(0, produced)]);
        produced += 1;
    };
    produce(&mut good);
    let (descriptors, resident) = (node.descriptors(), node.resident_bytes());
    let mut sockets = Vec::new();
    for number in 0..idle {
        sockets.push(TcpStream::connect(&node.address).unwrap());
        if number % 100 == 0 {
            produce(&mut good);
        }
    }
    until("all idle sockets are taken", || node.metric("millrace_connections", "") == idle as u64 + 1);
    for number in 0..tls {
        let mut stream = TcpStream::connect(&node.address).unwrap();
        stream.write_all(&CLIENT_HELLO).unwrap();
        assert!(is_closed(&mut stream));
        if number % 50 == 0 {
            produce(&mut good);
        }
    }
    assert_eq!(node.metric("millrace_connections_closed_total", "reason=\"tls\""), tls as u64);
    let said = node.log().lines().filter(|line| line.contains("speaks TLS")).count();
    assert!((1..=16).contains(&said), "{said} lines for {tls} connections");
    let grown = node.resident_bytes().saturating_sub(resident);
    let each = grown / (idle as u64 + 1);
    assert!(each < 24 << 10, "{each} bytes for each idle connection");
    sockets.clear();
    until("all sockets are gone", || node.metric("millrace_connections", "") == 1);
    until("the descriptors are back", || node.descriptors() <= descriptors + 2);
    produce(&mut good);
}

#[test]
fn f23_a_frame_over_the_limit_is_closed_before_memory_is_made() {
    let node = Node::start(&[]);
    let mut good = Raw::connect(&node.address);
    good.works();
    let resident = node.resident_bytes();
    let over = 104_857_601i32.to_be_bytes();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(&node.address).unwrap();
        stream.write_all(&over).unwrap();
        assert!(is_closed(&mut stream));
    }
    assert_eq!(node.metric("millrace_connections_closed_total", "reason=\"frame_size\""), 20);
    assert!(node.resident_bytes() < resident + (16 << 20));
    good.works();
}

#[test]
fn f23_over_max_connections_a_connection_waits_for_a_place() {
    let node = Node::start(&["max.connections=3"]);
    let mut open: Vec<Raw> = (0..3).map(|_| Raw::connect(&node.address)).collect();
    open.iter_mut().for_each(Raw::works);
    let mut fourth = Raw::connect(&node.address);
    until("it waits", || node.metric("millrace_connections_delayed_total", "limit=\"max.connections\"") == 1);
    assert_eq!(node.metric("millrace_connections", ""), 3);
    open.pop();
    fourth.works();
    open.iter_mut().for_each(Raw::works);
}

#[test]
fn f23_over_max_connections_per_ip_a_connection_is_closed() {
    let node = Node::start(&["max.connections.per.ip=2"]);
    let mut open: Vec<Raw> = (0..2).map(|_| Raw::connect(&node.address)).collect();
    open.iter_mut().for_each(Raw::works);
    let mut third = TcpStream::connect(&node.address).unwrap();
    assert!(is_closed(&mut third));
    assert_eq!(node.metric("millrace_connections_refused_total", "limit=\"max.connections.per.ip\""), 1);
    // An address may have a number of its own.
    let node = Node::start(&["max.connections.per.ip=0", "max.connections.per.ip.overrides=127.0.0.1:1"]);
    Raw::connect(&node.address).works();
}

#[test]
fn f23_over_a_shards_connections_a_connection_is_closed() {
    let node = Node::start(&["shards.connections=1", "shards.cpus=0"]);
    let mut first = Raw::connect(&node.address);
    first.works();
    assert!(is_closed(&mut TcpStream::connect(&node.address).unwrap()));
    assert_eq!(node.metric("millrace_connections_refused_total", "limit=\"shards.connections\""), 1);
    first.works();
}

#[test]
fn f23_connections_that_come_too_fast_wait_for_their_turn() {
    let node = Node::start(&["max.connection.creation.rate=5"]);
    // Five may come at once; the sixth waits for a fifth of a second, and all are served.
    let mut open: Vec<Raw> = (0..7).map(|_| Raw::connect(&node.address)).collect();
    open.iter_mut().for_each(Raw::works);
    let delayed = "limit=\"max.connection.creation.rate\"";
    assert!(node.metric("millrace_connections_delayed_total", delayed) >= 1);
    assert_eq!(node.metric("millrace_connections_refused_total", ""), 0);
}

#[test]
fn f23_limits_of_connections_change_while_the_broker_runs() {
    let node = Node::start(&[]);
    let mut admin = Raw::connect(&node.address);
    let mut set = |name: &str, value: &str| {
        let config = AlterableConfig { name, config_operation: 0, value: Some(value) };
        let resource = AlterConfigsResource { resource_type: 4, resource_name: "", configs: vec![config] };
        let request = IncrementalAlterConfigsRequest { resources: vec![resource], validate_only: false };
        let answer: IncrementalAlterConfigsResponse<'_> = admin.ask(1, &request);
        assert_eq!(answer.responses[0].error_code, 0, "{:?}", answer.responses[0].error_message);
    };
    set("max.connections.per.ip", "1");
    assert!(is_closed(&mut TcpStream::connect(&node.address).unwrap()));
    set("max.connections.per.ip", "2");
    Raw::connect(&node.address).works();
}

#[test]
fn f23_idle_connections_are_closed_and_those_that_wait_for_records_are_not() {
    let node = Node::start(&["connections.max.idle.ms=400"]);
    let mut waiting = Raw::connect(&node.address);
    waiting.create_topic("t", 1, &[]);
    let limits = crate::raw::Limits { max_wait_ms: 2000, ..Default::default() };
    let asked = waiting.send(12, &crate::raw::fetch_request(&[("t", 0, 0)], limits));
    assert!(is_closed(&mut TcpStream::connect(&node.address).unwrap()));
    assert_eq!(node.metric("millrace_connections_closed_total", "reason=\"idle\""), 1);
    let answer = waiting.receive().expect("the fetch is answered");
    assert_eq!(answer[..4], asked.to_be_bytes());
}
