//! What one shard's connections have done since the start. Read by the metrics, written on the shard alone.

use std::cell::Cell;

/// Counters of one shard; all only grow, except `open`.
#[derive(Debug, Default)]
pub struct NetCounters {
    /// Connections accepted.
    pub accepted: Cell<u64>,
    /// Connections open now.
    pub open: Cell<u64>,
    /// Tries to accept that failed.
    pub accept_failures: Cell<u64>,
    /// Connections closed at once: the shard has its number.
    pub refused_shard: Cell<u64>,
    /// Connections closed at once: their address has its number.
    pub refused_address: Cell<u64>,
    /// Connections that waited because the broker had its number.
    pub waited_broker: Cell<u64>,
    /// Connections that waited because they came too fast.
    pub waited_rate: Cell<u64>,
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
    /// Connections closed because they held request memory that others waited for, and no byte moved.
    pub closed_stalled_request: Cell<u64>,
    /// Connections closed because they held response memory beyond the bound, and no byte moved.
    pub closed_stalled_response: Cell<u64>,
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
    /// Bytes of responses in memory whose connections have not moved for `stalled_ms`, when last looked at.
    pub stalled_response_bytes: Cell<u64>,
}

/// Adds to a counter.
pub(super) fn add(counter: &Cell<u64>, amount: u64) {
    counter.set(counter.get().wrapping_add(amount));
}

/// The least time between two lines of the log of one kind.
const SAID_EVERY_NS: u64 = 10_000_000_000;

/// Keeps a flood from flooding the log: one line in ten seconds, with the number of those that were left out.
#[derive(Debug, Default)]
pub(super) struct Seldom {
    said_at_ns: Cell<Option<u64>>,
    left_out: Cell<u64>,
}

impl Seldom {
    /// Whether to say it now, and how often it was not said since the last time.
    pub(super) fn say(&self, now_ns: u64) -> Option<u64> {
        if self.said_at_ns.get().is_some_and(|at| now_ns.saturating_sub(at) < SAID_EVERY_NS) {
            add(&self.left_out, 1);
            return None;
        }
        self.said_at_ns.set(Some(now_ns));
        Some(self.left_out.replace(0))
    }
}
