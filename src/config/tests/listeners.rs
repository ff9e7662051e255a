//! Listeners and what clients are told.

use super::support::set;
use crate::config::{Advertised, Listener};

fn listener(name: &str, host: &str, port: u16) -> Listener {
    Listener { name: name.to_owned(), host: host.to_owned(), port }
}

#[track_caller]
fn refused(sets: &[&str], expected: &str) {
    assert_eq!(set(sets).unwrap_err(), format!("--set: {expected}"));
}

#[test]
fn every_form_of_host_is_read() {
    let config = set(&[
        "listeners=PLAINTEXT://[::]:9092, local://127.0.0.1:0,HOST://broker-1.example.org:9094,v6://[fe80::1%eth0]:9095",
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,LOCAL:plaintext,host:PLAINTEXT,V6:PLAINTEXT",
    ])
    .unwrap();
    let expected = [
        listener("PLAINTEXT", "::", 9092),
        listener("LOCAL", "127.0.0.1", 0),
        listener("HOST", "broker-1.example.org", 9094),
        listener("V6", "fe80::1%eth0", 9095),
    ];
    assert_eq!(config.listeners, expected);
    assert_eq!(
        config.advertised_listeners[1],
        Advertised { name: "LOCAL".into(), host: "127.0.0.1".into(), port: 0 }
    );
}

#[test]
fn every_interface_is_advertised_by_this_machines_name() {
    for host in ["", "[::]"] {
        let config = set(&[&format!("listeners=PLAINTEXT://{host}:9092")]).unwrap();
        let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
        assert_eq!(config.advertised_listeners[0].host, name);
    }
}

#[test]
fn the_unspecified_address_is_never_advertised() {
    let error = set(&["listeners=PLAINTEXT://0.0.0.0:9092"]).unwrap_err();
    let start = "--set: listeners: clients cannot be told to connect to PLAINTEXT://0.0.0.0:9092; name the address \
                 that they reach in advertised.listeners, such as PLAINTEXT://";
    assert!(error.starts_with(start), "{error}");
    for host in ["0.0.0.0", "[::]"] {
        refused(
            &["listeners=PLAINTEXT://0.0.0.0:9092", &format!("advertised.listeners=PLAINTEXT://{host}:9092")],
            &format!(
                "advertised.listeners = PLAINTEXT://{host}:9092: clients cannot connect to it; allowed: an address or \
                 host name that clients reach"
            ),
        );
    }
    let config =
        set(&["listeners=PLAINTEXT://0.0.0.0:9092", "advertised.listeners=PLAINTEXT://example.org:19092"])
            .unwrap();
    assert_eq!(config.listeners[0].host, "0.0.0.0");
    assert_eq!(
        (config.advertised_listeners[0].host.as_str(), config.advertised_listeners[0].port),
        ("example.org", 19092)
    );
}

#[test]
fn what_is_no_listener_is_refused() {
    let form = "allowed: NAME://host:port, such as PLAINTEXT://127.0.0.1:9092 or PLAINTEXT://[::]:9092";
    for (text, problem) in [
        ("localhost:9092", "not a listener"),
        ("://localhost:9092", "has no proper name"),
        ("PLAINTEXT://localhost", "has no port"),
        ("PLAINTEXT://localhost:port", "has a port that is not from 0 to 65535"),
        ("PLAINTEXT://localhost:65536", "has a port that is not from 0 to 65535"),
        ("PLAINTEXT://local/host:1", "has a host with letters that no host has"),
        ("PLAINTEXT://[::1:9092", "has a bracket that is not closed"),
    ] {
        refused(&[&format!("listeners={text}")], &format!("listeners = {text}: {problem}; {form}"));
    }
}

#[test]
fn names_and_ports_are_distinct() {
    refused(
        &["listeners=PLAINTEXT://a:1,PLAINTEXT://a:2"],
        "listeners: PLAINTEXT://a:1 and PLAINTEXT://a:2 have the same name; give each its own",
    );
    let map = "listener.security.protocol.map=A:PLAINTEXT,B:PLAINTEXT";
    for (first, second) in [("", "127.0.0.1"), ("0.0.0.0", "10.0.0.1"), ("h", "h"), ("[::]", "[::1]")] {
        refused(
            &[map, &format!("listeners=A://{first}:1,B://{second}:1")],
            &format!("listeners: A://{first}:1 and B://{second}:1 have the same port; give each its own"),
        );
    }
    for (first, second) in [("10.0.0.1", "10.0.0.2"), ("127.0.0.1", "[::1]")] {
        assert!(set(&[map, &format!("listeners=A://{first}:1,B://{second}:1")]).is_ok());
    }
}

#[test]
fn only_plaintext_is_served_for_now() {
    refused(
        &["listeners=SSL://127.0.0.1:9093"],
        "listeners: SSL asks for SSL, and only PLAINTEXT is served yet; leave SSL://127.0.0.1:9093 out, or map SSL to \
         PLAINTEXT in listener.security.protocol.map",
    );
    refused(
        &["listeners=CLIENTS://127.0.0.1:9093"],
        "listeners: CLIENTS has no security protocol; add CLIENTS:PLAINTEXT to listener.security.protocol.map",
    );
    let allowed = "allowed: NAME:PROTOCOL, separated by commas, with PROTOCOL one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL";
    for (map, problem) in [("A", "not a pair"), ("A:TLS", "names no protocol")] {
        refused(
            &[&format!("listener.security.protocol.map={map}")],
            &format!("listener.security.protocol.map = {map}: {problem}; {allowed}"),
        );
    }
    refused(
        &["listener.security.protocol.map=A:SSL,a:SSL"],
        &format!("listener.security.protocol.map = a:SSL: maps a name for the second time; {allowed}"),
    );
}

#[test]
fn the_controllers_listener_may_have_any_protocol() {
    let config =
        set(&["controller.listener.names=ctl", "listeners=CTL://:9093,PLAINTEXT://127.0.0.1:9092"]).unwrap();
    assert_eq!(config.listeners, [listener("PLAINTEXT", "127.0.0.1", 9092)]);
    refused(
        &["controller.listener.names=CTL", "listeners=CTL://:9093"],
        "listeners: none is for clients; add one such as PLAINTEXT://127.0.0.1:9092",
    );
    refused(&["listeners="], "listeners: none is for clients; add one such as PLAINTEXT://127.0.0.1:9092");
}

#[test]
fn each_listener_is_advertised_once_and_by_its_name() {
    refused(
        &["advertised.listeners=OUTSIDE://example.org:9092"],
        "advertised.listeners = OUTSIDE://example.org:9092: is no listener; allowed: the names in listeners: PLAINTEXT",
    );
    refused(
        &["advertised.listeners=PLAINTEXT://a:1,PLAINTEXT://b:1"],
        "advertised.listeners = PLAINTEXT://b:1: is advertised for the second time; allowed: each listener once",
    );
    refused(
        &["controller.listener.names=CTL", "advertised.listeners=CTL://a:1"],
        "advertised.listeners: none is for clients; advertise one of listeners, or leave the key out",
    );
}
