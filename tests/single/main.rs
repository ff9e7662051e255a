//! One broker, spoken to through its socket: by raw frames where a client would hide what matters, and by librdkafka.
//! Every test starts the real binary on a free port with a directory of its own.

#![allow(missing_docs, clippy::unwrap_used)]

#[allow(dead_code)] // tests/field uses the rest of it
mod broker;
mod compacted;
mod raw;

mod admin;
mod compaction;
mod connections;
mod features;
mod fetch;
mod groups;
mod idempotence;
mod librdkafka;
mod limits;
mod log_dirs;
mod lost_directories;
mod offset_delete;
mod order;
mod quotas;
mod resource_configs;
