//! Millrace: a message broker that speaks the Apache Kafka protocol. Its modules stand in the order in which data
//! meets them; docs/ARCHITECTURE.md walks a produce, a fetch and a metadata request through the files.

pub mod admin;
pub mod api;
pub mod config;
pub mod controller;
pub mod coordinator;
pub mod log;
pub mod net;
pub mod partition;
pub mod protocol;
pub mod runtime;
pub mod security;
pub mod server;
pub mod tools;
