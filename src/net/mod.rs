//! Client connections: listeners, framing, replies in order, files sent without a copy.
//!
//! Runs on the shard that accepted the connection, which keeps it for life. Knows frames, not requests: what a frame
//! means is decided by a [`Service`]. Replies leave in the order of requests, whatever order they are ready in.
//! Bounds: connections per shard, per broker and per address; frame size; request bytes per shard; requests in flight
//! and unsent bytes per connection.

mod connection;
mod counters;
mod limits;
mod listener;
mod outgoing;
mod reply;

pub use connection::{CloseReason, Connection, ConnectionInfo, Outcome, Service, Settings, Step};
pub use counters::NetCounters;
pub use limits::{Admission, ConnectionLimits};
pub use listener::{Acceptor, Connections};
pub use reply::{Part, Reply};
