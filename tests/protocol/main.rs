//! Protocol code against other implementations: the crate kafka-protocol, and Apache Kafka itself where it is installed.
//!
//! Random tests print their seed; `MILLRACE_TEST_SEED` sets it.

#![allow(missing_docs, clippy::unwrap_used)]

mod batches;
mod kafka;
mod messages;
mod random;
mod random_messages;
