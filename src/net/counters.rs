//! What one shard's connections have done since the start. Read by the metrics, written on the shard alone.

use std::cell::Cell;

/// Counters of one shard; all only grow, except `open`.
#[derive(Debug, Default)]
pub struct NetCounters {
    /// Connections accepted.
    pub accepted: Cell<u64>,
    /// Connections open now.
    pub open: Cell<u64>,
    /// Connections refused by a limit.
    pub refused: Cell<u64>,
    /// Connections closed because nothing came for `connections.max.idle.ms`.
    pub closed_idle: Cell<u64>,
    /// Connections closed for a frame over `socket.request.max.bytes` or of a negative size.
    pub closed_frame_size: Cell<u64>,
    /// Connections that spoke TLS on a plain listener.
    pub closed_tls_on_plain: Cell<u64>,
    /// Connections closed for bytes that are no request, or a request or version that is not served.
    pub closed_malformed: Cell<u64>,
    /// Connections closed because a handler panicked.
    pub closed_panic: Cell<u64>,
    /// Requests received.
    pub requests: Cell<u64>,
    /// Bytes received.
    pub received_bytes: Cell<u64>,
    /// Bytes sent.
    pub sent_bytes: Cell<u64>,
    /// Bytes sent straight from files.
    pub sent_file_bytes: Cell<u64>,
    /// Times a request waited for the shard's request bytes.
    pub budget_waits: Cell<u64>,
}

/// Adds to a counter.
pub(super) fn add(counter: &Cell<u64>, amount: u64) {
    counter.set(counter.get().wrapping_add(amount));
}
