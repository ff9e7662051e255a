//! A Kafka client for command-line tools: blocking threads over nonblocking sockets, no executor.
//!
//! - [`address`]: the bootstrap list; [`error`]: what can go wrong; [`java_name`]: Kafka's names for it
//! - [`connection`]: one socket: connects, negotiates versions, keeps requests in flight in their order
//! - [`network`]: the connections to several brokers, waited for together
//! - [`cluster`]: metadata as owned values; [`blocking`]: one call at a time, with retries
//!
//! A value of these types belongs to one thread. Memory is bounded by the requests that the caller keeps in flight and
//! by what the brokers answer to them.

pub mod address;
pub mod blocking;
pub mod cluster;
pub mod connection;
pub mod error;
pub mod java_name;
pub mod network;
#[cfg(test)]
mod tests;

pub use address::{Address, parse_bootstrap};
pub use blocking::Client;
pub use cluster::{Broker, Cluster, Partition, Topic};
pub use connection::{Answer, Connection};
pub use error::ClientError;
pub use network::{Event, Network, NetworkSettings, Node};
