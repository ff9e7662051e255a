//! The connections of one shard: served, closed when they are silent or hold memory that others need, stopped.
//!
//! Lives on its shard. Bounds: `max_open` connections; what replies that nobody takes keep in memory (a quarter of
//! the tails' budget), and what unfinished requests keep of the request bytes, both by closing who has not moved a byte
//! for `stalled_ms`.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ahash::AHashMap;

use super::connection::{CloseReason, Connection, ConnectionInfo, Service, Settings};
use super::counters::{NetCounters, Seldom, add};
use super::limits::{Admission, ConnectionLimits, LiveRules};
use super::request_memory::RequestMemory;
use crate::runtime::Runtime;
use crate::runtime::platform::RawStream;
use crate::runtime::sync::Notify;
use crate::security::Principal;

/// What the connections of a shard are made with.
pub struct ConnectionsSetup {
    /// What frames mean.
    pub service: Rc<dyn Service>,
    /// Settings of each connection.
    pub settings: Settings,
    /// Where they count.
    pub counters: Rc<NetCounters>,
    /// Memory of requests.
    pub request_memory: RequestMemory,
    /// The counts of the whole process.
    pub limits: Arc<ConnectionLimits>,
    /// The limits.
    pub rules: Rc<LiveRules>,
    /// Connections of this shard, at most.
    pub max_open: usize,
    /// Bytes that responses of stalled connections may keep in memory.
    pub stalled_response_bytes: u64,
    /// A connection is stalled when it moved no byte for so long in the middle of a request or a response.
    pub stalled: Duration,
}

/// What is said seldom, by kind.
#[derive(Default)]
pub(super) struct Said {
    pub(super) limit: Seldom,
    pub(super) accept: Seldom,
    tls: Seldom,
    bytes: Seldom,
    stalled: Seldom,
}

/// All connections of one shard.
pub struct Connections {
    pub(super) runtime: Runtime,
    service: Rc<dyn Service>,
    settings: Rc<Settings>,
    pub(super) counters: Rc<NetCounters>,
    request_memory: RequestMemory,
    pub(super) limits: Arc<ConnectionLimits>,
    pub(super) rules: Rc<LiveRules>,
    pub(super) max_open: usize,
    stalled_response_bytes: u64,
    stalled: Duration,
    next_id: Cell<u64>,
    open: RefCell<AHashMap<u64, Rc<Connection>>>,
    changed: Notify,
    pub(super) said: Said,
}

impl Connections {
    /// No connections yet.
    #[must_use]
    pub fn new(runtime: &Runtime, setup: ConnectionsSetup) -> Rc<Self> {
        Rc::new(Self {
            runtime: runtime.clone(),
            service: setup.service,
            settings: Rc::new(setup.settings),
            counters: setup.counters,
            request_memory: setup.request_memory,
            limits: setup.limits,
            rules: setup.rules,
            max_open: setup.max_open,
            stalled_response_bytes: setup.stalled_response_bytes,
            stalled: setup.stalled,
            next_id: Cell::new(0),
            open: RefCell::new(AHashMap::new()),
            changed: Notify::default(),
            said: Said::default(),
        })
    }

    /// Serves a new connection of the listener of this name.
    pub(super) fn serve(
        self: &Rc<Self>,
        listener: Arc<str>,
        stream: Rc<dyn RawStream>,
        peer: SocketAddr,
        admission: Admission,
    ) {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        let info = Rc::new(ConnectionInfo {
            id,
            listener,
            peer,
            principal: RefCell::new(Principal::anonymous()),
            client_id: RefCell::new(None),
        });
        let connection = Rc::new(Connection::new(
            &self.runtime,
            stream,
            self.service.clone(),
            self.settings.clone(),
            self.counters.clone(),
            self.request_memory.clone(),
            info,
        ));
        add(&self.counters.accepted, 1);
        self.counters.open.set(self.counters.open.get() + 1);
        self.open.borrow_mut().insert(id, connection.clone());
        let all = self.clone();
        self.runtime
            .spawn(async move {
                let reason = connection.run().await;
                all.say_end(peer, &reason);
                all.open.borrow_mut().remove(&id);
                all.counters.open.set(all.counters.open.get() - 1);
                all.changed.notify();
                drop(admission);
            })
            .detach();
    }

    fn say_end(&self, peer: SocketAddr, reason: &CloseReason) {
        let seldom = match reason {
            CloseReason::Internal(_) => return tracing::error!(%peer, %reason, "connection closed"),
            CloseReason::TlsOnPlain => &self.said.tls,
            CloseReason::Malformed(_) | CloseReason::FrameSize(_) => &self.said.bytes,
            CloseReason::StalledRequest | CloseReason::StalledResponse => &self.said.stalled,
            _ => return tracing::debug!(%peer, %reason, "connection closed"),
        };
        match seldom.say(self.runtime.now_ns()) {
            Some(left_out) => tracing::warn!(%peer, %reason, left_out, "connection closed"),
            None => tracing::debug!(%peer, %reason, "connection closed"),
        }
    }

    /// Connections open on this shard.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.borrow().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn all(&self) -> Vec<Rc<Connection>> {
        self.open.borrow().values().cloned().collect()
    }

    /// Closes, for ever, connections on which nothing came or left for `idle`.
    pub async fn close_idle(self: Rc<Self>, idle: Duration) {
        let idle_ns = idle.as_nanos() as u64;
        let pause = (idle / 8).clamp(Duration::from_millis(50), Duration::from_secs(10));
        loop {
            self.runtime.sleep(pause).await;
            let now = self.runtime.now_ns();
            let is_idle = |connection: &Rc<Connection>| {
                connection.idle_since_ns().is_some_and(|since| now.saturating_sub(since) > idle_ns)
            };
            let silent: Vec<_> = self.open.borrow().values().filter(|c| is_idle(c)).cloned().collect();
            for connection in silent {
                add(&self.counters.closed_idle, 1);
                connection.abort(CloseReason::Idle);
            }
        }
    }

    /// Closes, for ever, stalled connections that hold what others need, those first that moved longest ago.
    pub async fn close_stalled(self: Rc<Self>) {
        let stalled_ns = self.stalled.as_nanos() as u64;
        let pause = (self.stalled / 4).clamp(Duration::from_millis(20), Duration::from_secs(1));
        loop {
            self.runtime.sleep(pause).await;
            let now = self.runtime.now_ns();
            let is_stalled =
                |connection: &Rc<Connection>| now.saturating_sub(connection.last_active_ns()) > stalled_ns;
            let mut stalled: Vec<_> =
                self.open.borrow().values().filter(|c| c.holds_memory() && is_stalled(c)).cloned().collect();
            stalled.sort_unstable_by_key(|connection| connection.last_active_ns());
            let mut kept: u64 = stalled.iter().map(|connection| connection.unsent_memory_bytes()).sum();
            for connection in &stalled {
                let (reason, counter) =
                    if connection.unsent_memory_bytes() > 0 && kept > self.stalled_response_bytes {
                        kept -= connection.unsent_memory_bytes();
                        (CloseReason::StalledResponse, &self.counters.closed_stalled_response)
                    } else if connection.request_bytes() > 0 && self.request_memory.is_wanted() {
                        kept -= connection.unsent_memory_bytes();
                        (CloseReason::StalledRequest, &self.counters.closed_stalled_request)
                    } else {
                        continue;
                    };
                add(counter, 1);
                connection.abort(reason);
                // What it held comes back, and who waited takes it, before the next one is looked at.
                self.runtime.yield_now().await;
            }
            self.counters.stalled_response_bytes.set(kept);
        }
    }

    /// Lets requests in flight be answered for at most `grace`, then closes all.
    pub async fn stop(&self, grace: Duration) {
        self.all().iter().for_each(|connection| connection.finish(CloseReason::Stopping));
        let none_left = async {
            while !self.is_empty() {
                self.changed.wait().await;
            }
        };
        if self.runtime.timeout(grace, none_left).await.is_none() {
            self.all().iter().for_each(|connection| connection.abort(CloseReason::Stopping));
            self.runtime.yield_now().await;
        }
    }
}
