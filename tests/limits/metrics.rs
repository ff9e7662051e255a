//! What the admin listener serves, and that docs/METRICS.md says the same.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use crate::node::Node;
use crate::raw::{Raw, batch};

/// Name -> (kind, help, labels) of a text of metrics.
fn served(text: &str) -> BTreeMap<String, (String, String, Vec<String>)> {
    let mut metrics: BTreeMap<String, (String, String, Vec<String>)> = BTreeMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap();
            assert!(metrics.insert(name.to_owned(), (String::new(), help.to_owned(), Vec::new())).is_none());
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            metrics.get_mut(name).unwrap().0 = kind.to_owned();
        } else {
            let (series, value) = line.rsplit_once(' ').unwrap();
            value.parse::<f64>().unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, ""));
            let ending = ["_bucket", "_sum", "_count"].into_iter().find(|ending| name.ends_with(ending));
            let family = ending
                .and_then(|ending| name.strip_suffix(ending))
                .filter(|name| metrics.contains_key(*name));
            let labels: Vec<String> =
                labels.split("\",").filter_map(|label| Some(label.split_once('=')?.0.to_owned())).collect();
            let known = &mut metrics.get_mut(family.unwrap_or(name)).unwrap().2;
            if labels.len() > known.len() {
                *known = labels;
            }
        }
    }
    metrics
}

#[test]
fn the_table_in_the_docs_is_what_is_served() {
    let node = Node::start(&[]);
    let mut client = Raw::connect(&node.address);
    client.create_topic("t", 2, &[]);
    assert_eq!(client.produce(&[("t", 0, &batch(&[b"x"]))]), [(0, 0)]);
    let (status, text) = node.page("/metrics");
    assert_eq!(status, 200);
    let served = served(&text);
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/METRICS.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let mut rows = BTreeMap::new();
    for row in docs.lines().filter_map(|line| line.strip_prefix("| `millrace_")) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let labels = cells[2].split(", ").map(|label| label.trim_matches('`').to_owned());
        let labels = labels.filter(|label| !label.is_empty()).collect();
        let name = format!("millrace_{}", cells[0].trim_end_matches('`'));
        rows.insert(name, (cells[1].to_owned(), cells[3].to_owned(), labels));
    }
    if rows != served {
        let table = |of: &BTreeMap<String, (String, String, Vec<String>)>| {
            let rows = of.iter().map(|(name, (kind, help, labels))| {
                let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
                format!("| `{name}` | {kind} | {} | {help} |", labels.join(", "))
            });
            rows.collect::<Vec<_>>().join("\n")
        };
        panic!("docs/METRICS.md is not what is served, which is:\n{}", table(&served));
    }
    for (name, (kind, _, _)) in &served {
        assert!(name.starts_with("millrace_"));
        assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
    }
}

#[test]
fn counters_count_what_was_done() {
    let node = Node::start(&[]);
    let mut client = Raw::connect(&node.address);
    client.create_topic("t", 4, &[]);
    let before = node.metric("millrace_log_appends_total", "");
    let records = batch(&[b"one", b"two"]);
    for partition in 0..4 {
        assert_eq!(client.produce(&[("t", partition, &records)]), [(0, 0)]);
    }
    assert_eq!(node.metric("millrace_log_appends_total", "") - before, 4);
    assert_eq!(node.metric("millrace_requests_total", "api=\"Produce\""), 4);
    assert_eq!(node.metric("millrace_partitions", ""), 4);
    assert_eq!(node.metric("millrace_connections", ""), 1);
    assert!(node.metric("millrace_received_bytes_total", "") > 4 * records.len() as u64);
    assert!(node.metric("millrace_journal_group_seconds_count", "") >= 4);
    assert!(node.metric("millrace_process_descriptors", "") >= 10);
}

#[test]
fn health_says_ok_and_other_pages_are_not_there() {
    let node = Node::start(&[]);
    assert_eq!(node.page("/health"), (200, "ok\n".to_owned()));
    assert_eq!(node.page("/").0, 404);
    assert_eq!(node.page("/metrics/x").0, 404);
    let say = |request: &str| {
        let mut stream = TcpStream::connect(&node.admin).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(say("POST /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 405 Method Not Allowed");
    assert_eq!(say("nonsense\r\n\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(
        say(&format!("GET /{} HTTP/1.1\r\n", "x".repeat(9000))),
        "HTTP/1.1 431 Request Header Fields Too Large"
    );
    assert_eq!(say("HEAD /health HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 OK");
}
