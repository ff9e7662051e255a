//! Client connections: listeners, framing, replies in order, files sent without a copy.
//!
//! Runs on the shard that accepted the connection, which keeps it for life. Knows frames, not requests: what a frame
//! means is decided by a [`Service`]. Replies leave in the order of requests, whatever order they are ready in.
//! Bounds: connections per shard, per broker, per address and per second; frame size; request bytes per shard; requests
//! in flight and unsent bytes per connection; memory of stalled connections.

mod connection;
mod connections;
mod counters;
mod limits;
mod listener;
mod outgoing;
mod reply;
mod request_memory;

pub use connection::{CloseReason, Connection, ConnectionInfo, Outcome, Service, Settings, Step};
pub use connections::{Connections, ConnectionsSetup};
pub use counters::NetCounters;
pub use limits::{Admission, ConnectionLimits, ConnectionRules, LiveRules, Over};
pub use listener::Acceptor;
pub use reply::{Part, Reply};
pub use request_memory::RequestMemory;
