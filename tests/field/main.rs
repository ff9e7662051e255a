//! What operators of such brokers were hurt by elsewhere, case by case: a file and a row of tests for each, named by the
//! case's number. Every test starts the real broker; scenarios that hold on Apache Kafka too are run there by
//! `kafka::kafka_does_the_same`, where its jars are.

#![allow(missing_docs, clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "../single/broker.rs"]
mod broker;
#[allow(dead_code)]
#[path = "../single/compacted.rs"]
mod compacted;
#[allow(dead_code)]
#[path = "../limits/node.rs"]
mod node;
#[allow(dead_code)]
#[path = "../single/raw.rs"]
mod raw;
#[allow(dead_code)]
#[path = "../recovery/volume.rs"]
mod volume;

// What the engine's own tests stand on, for cases that need the simulator's disk.
#[allow(dead_code)]
#[path = "../../src/log/tests/bench.rs"]
mod bench;
use millrace::{log, protocol, runtime};

mod client;
mod kafka;

mod f01_idle_producer;
mod f04_disk_full;
mod f05_one_large_record;
mod f06_flipped_bits;
mod f07_keyless;
mod f08_far_future;
mod f09_offsets_by_time;
mod f10_ends_of_the_log;
mod f11_large_records;
mod f14_offset_expiry;
mod f16_dead_members;
mod f20_tombstones;
mod f23_connections;
mod f24_listeners;
mod f27_newer_clients;
mod f28_which_topics;
mod f29_no_io_uring;
mod f31_restart;
mod f36_shard_count;
mod f37_descriptors;
mod f38_rolls;
mod f39_many_producers;
mod f42_failed_sync;
