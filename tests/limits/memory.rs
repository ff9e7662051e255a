//! Memory: requests that are announced and never sent, frames of 100 MB, readers that never read, wide fetches. The
//! budgets hold, and a good client is served all the while.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use millrace::protocol::encode_request;

use crate::node::{Node, number, until};
use crate::raw::{Limits, Raw, batch, fetch_request};

fn produces(client: &mut Raw) {
    let results = client.produce(&[("good", 0, &batch(&[b"value"]))]);
    assert_eq!(results[0].0, 0);
}

#[test]
fn requests_that_never_come_do_not_keep_small_ones_out() {
    let settings = [
        "shards.cpus=0",
        "shards.request_bytes=2 MiB",
        "socket.request.max.bytes=1048576",
        "network.stalled_ms=500",
    ];
    let node = Node::start(&settings);
    let mut good = Raw::connect(&node.address);
    good.create_topic("good", 1, &[]);
    let resident = node.resident_bytes();
    // Far more than the budget is announced; of each only the beginning comes.
    let mut announced: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(&node.address).unwrap();
            stream.write_all(&1_000_000i32.to_be_bytes()).unwrap();
            stream.write_all(&[0; 100]).unwrap();
            stream
        })
        .collect();
    until("they wait", || node.metric("millrace_request_memory_waits_total", "") >= 10);
    for _ in 0..50 {
        produces(&mut good);
    }
    let limit = node.metric("millrace_request_memory_limit_bytes", "");
    assert_eq!(limit, 2 << 20);
    assert!(node.metric("millrace_request_memory_bytes", "") <= limit);
    // A large request of a good client comes in, too: who stalls makes room.
    let large = batch(&[&vec![b'x'; 900_000]]);
    assert_eq!(good.produce(&[("good", 0, &large)])[0].0, 0);
    assert!(node.metric("millrace_connections_closed_total", "reason=\"stalled_request\"") >= 1);
    assert!(node.resident_bytes() < resident + (16 << 20));
    for stream in &mut announced {
        let _ = stream.write_all(&[0; 10]);
    }
}

#[test]
fn frames_of_a_hundred_megabytes_stay_within_the_budget() {
    let node = Node::start(&["shards.cpus=0"]);
    let mut good = Raw::connect(&node.address);
    good.create_topic("good", 1, &[]);
    let resident = node.resident_bytes();
    let count = number("MILLRACE_LARGE_FRAMES", 3);
    let senders: Vec<_> = (0..count)
        .map(|_| {
            let address = node.address.clone();
            std::thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                // An API that is not served: it is looked at when it is whole, and closes the connection.
                let mut frame = vec![0x7f; 100_000_000];
                frame[..4].copy_from_slice(&99_999_996i32.to_be_bytes());
                let _ = stream.write_all(&frame);
                let _ = stream.read(&mut [0; 1]);
            })
        })
        .collect();
    let mut most = 0;
    while senders.iter().any(|sender| !sender.is_finished()) {
        produces(&mut good);
        most = most.max(node.resident_bytes());
    }
    senders.into_iter().for_each(|sender| sender.join().unwrap());
    let grown = most.saturating_sub(resident);
    // One at a time, and what its memory leaves behind until it is given back.
    assert!(grown < 300 << 20, "{grown} bytes more");
    assert_eq!(node.metric("millrace_connections_closed_total", "reason=\"malformed\""), count as u64);
}

#[test]
fn readers_that_never_read_do_not_keep_memory_that_appends_need() {
    let readers = number("MILLRACE_DEAF_READERS", 60);
    let settings = ["shards.cpus=0", "shards.tail_cache_bytes=16 MiB", "network.stalled_ms=300"];
    let node = Node::start(&settings);
    let mut good = Raw::connect(&node.address);
    good.create_topic("good", 1, &[]);
    good.create_topic("t", 8, &[]);
    let resident = node.resident_bytes();
    let records = batch(&[&vec![b'x'; 900_000]]);
    let mut deaf = Vec::new();
    for number in 0..readers {
        let partition = (number % 8) as i32;
        let (code, base) = good.produce(&[("t", partition, &records)])[0];
        assert_eq!(code, 0);
        // What was written just now, so from memory, ten times over: more than the sockets' buffers take.
        let limits =
            Limits { max_wait_ms: 0, min_bytes: 1, max_bytes: 50 << 20, partition_max_bytes: 50 << 20 };
        let fetch = fetch_request(&[("t", partition, base)], limits);
        let frame = encode_request(1, Some("deaf"), 12, &fetch).unwrap();
        let mut stream = TcpStream::connect(&node.address).unwrap();
        (0..10).for_each(|_| stream.write_all(&frame).unwrap());
        deaf.push(stream);
        produces(&mut good);
    }
    let limit = node.metric("millrace_tail_cache_limit_bytes", "");
    until("those who stall are closed", || {
        produces(&mut good);
        node.metric("millrace_stalled_response_bytes", "") <= limit / 4
    });
    let used = node.metric("millrace_tail_cache_bytes", "");
    assert!(used <= limit + (2 << 20), "{used} of {limit}");
    let grown = node.resident_bytes().saturating_sub(resident);
    assert!(grown < (64 << 20) + readers as u64 * (96 << 10), "{grown} bytes more");
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(500) {
        produces(&mut good);
    }
}

#[test]
fn a_fetch_over_many_partitions_is_answered_and_bounded() {
    let partitions = number("MILLRACE_WIDE_FETCH", 1_000) as i32;
    let node = Node::start(&["shards.tail_cache_bytes=64 MiB"]);
    let mut client = Raw::connect(&node.address);
    let names: Vec<String> = (0..(partitions as usize).div_ceil(5_000)).map(|n| format!("t{n}")).collect();
    let of_topic = partitions / names.len() as i32;
    names.iter().for_each(|name| client.create_topic(name, of_topic, &[]));
    let records = batch(&[b"value"]);
    assert_eq!(client.produce(&[(names[0].as_str(), of_topic - 1, &records)]), [(0, 0)]);
    let resident = node.resident_bytes();
    let wanted: Vec<_> =
        names.iter().flat_map(|name| (0..of_topic).map(move |index| (name.as_str(), index, 0))).collect();
    for _ in 0..20 {
        let frame = client.call(12, &fetch_request(&wanted, Limits::default()));
        let (_, answer): (i32, millrace::protocol::messages::FetchResponse<'_>) =
            millrace::protocol::decode_response(&frame, 12).unwrap();
        let answered: usize = answer.responses.iter().map(|topic| topic.partitions.len()).sum();
        assert_eq!(answered, wanted.len());
        let bytes: usize = answer
            .responses
            .iter()
            .flat_map(|topic| &topic.partitions)
            .map(|partition| partition.records.as_slice().unwrap_or_default().len())
            .sum();
        assert_eq!(bytes, records.len());
    }
    let grown = node.resident_bytes().saturating_sub(resident);
    assert!(grown < 32 << 20, "{grown} bytes more");
}
