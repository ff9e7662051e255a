//! Accepting: one listening socket per listener on every shard (SO_REUSEPORT), and the shard's set of connections.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ahash::AHashMap;

use super::connection::{CloseReason, Connection, ConnectionInfo, Service, Settings};
use super::counters::{NetCounters, add};
use super::limits::ConnectionLimits;
use crate::runtime::platform::{RawListener, RawStream};
use crate::runtime::sync::{Budget, Notify};
use crate::runtime::{Runtime, Task};
use crate::security::Principal;

/// How long accepting pauses after it failed (out of descriptors, mostly), so that it does not spin.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// All connections of one shard. Bound: `max_open`.
pub struct Connections {
    runtime: Runtime,
    service: Rc<dyn Service>,
    settings: Rc<Settings>,
    counters: Rc<NetCounters>,
    request_bytes: Budget,
    limits: Arc<ConnectionLimits>,
    max_open: usize,
    next_id: Cell<u64>,
    open: RefCell<AHashMap<u64, Rc<Connection>>>,
    changed: Notify,
}

impl Connections {
    /// No connections yet; at most `max_open` on this shard.
    #[must_use]
    pub fn new(
        runtime: &Runtime,
        service: Rc<dyn Service>,
        settings: Settings,
        counters: Rc<NetCounters>,
        request_bytes: Budget,
        limits: Arc<ConnectionLimits>,
        max_open: usize,
    ) -> Rc<Self> {
        Rc::new(Self {
            runtime: runtime.clone(),
            service,
            settings: Rc::new(settings),
            counters,
            request_bytes,
            limits,
            max_open,
            next_id: Cell::new(0),
            open: RefCell::new(AHashMap::new()),
            changed: Notify::default(),
        })
    }

    /// Serves a new connection of the listener of this name, or closes it when a limit is reached.
    pub fn add(self: &Rc<Self>, listener: Arc<str>, stream: Rc<dyn RawStream>, peer: SocketAddr) {
        let admission = self.limits.admit(peer.ip());
        let (Some(admission), true) = (admission, self.open.borrow().len() < self.max_open) else {
            add(&self.counters.refused, 1);
            tracing::debug!(%peer, "a connection limit is reached: refused");
            stream.shutdown();
            return;
        };
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
            self.request_bytes.clone(),
            info,
        ));
        add(&self.counters.accepted, 1);
        self.counters.open.set(self.counters.open.get() + 1);
        self.open.borrow_mut().insert(id, connection.clone());
        let all = self.clone();
        self.runtime
            .spawn(async move {
                let reason = connection.run().await;
                match &reason {
                    CloseReason::Internal(_) => tracing::error!(%peer, %reason, "connection closed"),
                    CloseReason::Malformed(_) | CloseReason::FrameSize(_) | CloseReason::TlsOnPlain => {
                        tracing::info!(%peer, %reason, "connection closed");
                    }
                    _ => tracing::debug!(%peer, %reason, "connection closed"),
                }
                all.open.borrow_mut().remove(&id);
                all.counters.open.set(all.counters.open.get() - 1);
                all.changed.notify();
                drop(admission);
            })
            .detach();
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

    /// Lets requests in flight be answered for at most `grace`, then closes all.
    pub async fn stop(&self, grace: Duration) {
        let all: Vec<_> = self.open.borrow().values().cloned().collect();
        all.iter().for_each(|connection| connection.finish(CloseReason::Stopping));
        let none_left = async {
            while !self.is_empty() {
                self.changed.wait().await;
            }
        };
        if self.runtime.timeout(grace, none_left).await.is_none() {
            let left: Vec<_> = self.open.borrow().values().cloned().collect();
            left.iter().for_each(|connection| connection.abort(CloseReason::Stopping));
            self.runtime.yield_now().await;
        }
    }
}

/// One listening socket of this shard; accepting stops when it is dropped.
pub struct Acceptor {
    address: SocketAddr,
    _task: Task<()>,
}

impl Acceptor {
    /// Listens on `address` as the listener `name` and gives connections to `connections`.
    ///
    /// # Errors
    /// What the system says when the address cannot be listened on.
    pub fn open(
        runtime: &Runtime,
        name: Arc<str>,
        address: SocketAddr,
        connections: Rc<Connections>,
    ) -> std::io::Result<Self> {
        let listener = runtime.listen(address)?;
        let address = listener.local_addr()?;
        let task = runtime.spawn(accept(runtime.clone(), name, listener, connections));
        Ok(Self { address, _task: task })
    }

    /// The bound address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn accept(
    runtime: Runtime,
    name: Arc<str>,
    listener: Rc<dyn RawListener>,
    connections: Rc<Connections>,
) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => connections.add(name.clone(), stream, peer),
            Err(error) => {
                tracing::warn!(listener = %name, %error, "a connection could not be accepted");
                runtime.sleep(PAUSE_AFTER_FAILURE).await;
            }
        }
    }
}
