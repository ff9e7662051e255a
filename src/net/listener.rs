//! Accepting: one listening socket per listener on every shard (SO_REUSEPORT), and who may come in.
//!
//! One task per socket takes connections one after the other. Over `max.connections` or
//! `max.connection.creation.rate` it waits with the one it has, as Kafka's acceptor does, and further ones wait in the
//! kernel's backlog; over the other limits the connection is closed at once.

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::connections::Connections;
use super::counters::add;
use super::limits::{Admission, Over};
use crate::runtime::platform::RawListener;
use crate::runtime::{Runtime, Task};

/// How long accepting pauses after it failed (out of descriptors, mostly), so that it does not spin.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// How often a connection that waits for a place looks for one. Places come back on any shard.
const PLACE_LOOK: Duration = Duration::from_millis(20);

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
            Ok((stream, peer)) => match connections.admit(peer).await {
                Some(admission) => connections.serve(name.clone(), stream, peer, admission),
                None => stream.shutdown(),
            },
            Err(error) => {
                add(&connections.counters.accept_failures, 1);
                if let Some(left_out) = connections.said.accept.say(runtime.now_ns()) {
                    tracing::warn!(listener = %name, %error, left_out, "a connection could not be accepted");
                }
                runtime.sleep(PAUSE_AFTER_FAILURE).await;
            }
        }
    }
}

impl Connections {
    /// Lets a connection in, waits until it may come in, or gives None: it is refused.
    async fn admit(&self, peer: SocketAddr) -> Option<Admission> {
        let counters = &self.counters;
        if self.len() >= self.max_open {
            add(&counters.refused_shard, 1);
            self.say_limit(peer, "a shard's connections (shards.connections): closed");
            return None;
        }
        let mut waited = false;
        let admission = loop {
            match self.limits.admit(&self.rules.get(), peer.ip()) {
                Ok(admission) => break admission,
                Err(Over::Address) => {
                    add(&counters.refused_address, 1);
                    self.say_limit(peer, "max.connections.per.ip: closed");
                    return None;
                }
                Err(Over::Broker) => {
                    if !std::mem::replace(&mut waited, true) {
                        add(&counters.waited_broker, 1);
                        self.say_limit(peer, "max.connections: it waits for a place");
                    }
                    self.runtime.sleep(PLACE_LOOK).await;
                }
            }
        };
        let delay = self.limits.creation_delay(&self.rules.get(), self.runtime.now_ns());
        if !delay.is_zero() {
            add(&counters.waited_rate, 1);
            self.say_limit(peer, "max.connection.creation.rate: it waits for its turn");
            self.runtime.sleep(delay).await;
        }
        Some(admission)
    }

    fn say_limit(&self, peer: SocketAddr, limit: &'static str) {
        if let Some(left_out) = self.said.limit.say(self.runtime.now_ns()) {
            tracing::warn!(%peer, limit, left_out, "a connection is over a limit");
        }
    }
}
