//! The connections to several brokers, waited for together by the one thread that owns them.

use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::time::Timespec;

use super::connection::Received;
use super::{Address, Answer, ClientError, Connection};
use crate::protocol::wire::Request;

/// Whom a connection leads to. A broker may have several, each for its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// The entry of the bootstrap list with this number.
    Bootstrap(usize),
    /// The broker with this id.
    Broker(i32),
    /// The broker with this id as a coordinator, whose requests may block for long.
    Coordinator(i32),
}

/// Times are whole durations; see Kafka's client configs of the same names.
#[derive(Clone, Debug)]
pub struct NetworkSettings {
    /// `client.id`.
    pub client_id: Arc<str>,
    /// `request.timeout.ms`.
    pub request_timeout: Duration,
    /// `socket.connection.setup.timeout.ms`.
    pub setup_timeout: Duration,
    /// `reconnect.backoff.ms`.
    pub reconnect_backoff: Duration,
    /// `reconnect.backoff.max.ms`.
    pub reconnect_backoff_max: Duration,
}

/// What happened on a connection.
#[derive(Debug)]
pub enum Event {
    /// Requests may be sent.
    Ready(Node),
    /// An answer.
    Answer {
        /// From whom.
        node: Node,
        /// Of which request.
        token: u64,
        /// The bytes.
        answer: Answer,
    },
    /// The connection is gone, and with it the requests with these tokens.
    Lost {
        /// To whom.
        node: Node,
        /// Requests without an answer.
        tokens: Vec<u64>,
        /// Why.
        error: ClientError,
    },
}

struct Backoff {
    failures: u32,
    not_before: Instant,
}

/// See the module.
pub struct Network {
    settings: NetworkSettings,
    connections: HashMap<Node, Connection>,
    backoffs: HashMap<Node, Backoff>,
    next_token: u64,
    failed: Vec<Event>,
}

impl Network {
    /// No connections yet.
    pub fn new(settings: NetworkSettings) -> Self {
        Self {
            settings,
            connections: HashMap::new(),
            backoffs: HashMap::new(),
            next_token: 0,
            failed: Vec::new(),
        }
    }

    /// The settings.
    pub fn settings(&self) -> &NetworkSettings {
        &self.settings
    }

    /// Makes sure that there is a connection or one in the making; true if it is ready. After a failure, nothing happens
    /// until the backoff is over.
    pub fn prepare(&mut self, node: Node, address: &Address) -> bool {
        if let Some(connection) = self.connections.get(&node) {
            if connection.is_ready() || connection.peer() == address.to_string() {
                return connection.is_ready();
            }
            self.connections.remove(&node);
        }
        if self.backoff(node).is_some() {
            return false;
        }
        let settings = &self.settings;
        let (request, setup) = (settings.request_timeout, settings.setup_timeout);
        match Connection::start(address, Arc::clone(&settings.client_id), request, setup) {
            Ok(connection) => {
                self.connections.insert(node, connection);
            }
            Err(error) => {
                self.back_off(node);
                self.failed.push(Event::Lost { node, tokens: Vec::new(), error });
            }
        }
        false
    }

    /// How long until a connection may be tried again.
    pub fn backoff(&self, node: Node) -> Option<Duration> {
        let until = self.backoffs.get(&node)?.not_before;
        until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    fn back_off(&mut self, node: Node) {
        let settings = &self.settings;
        let entry = self.backoffs.entry(node).or_insert(Backoff { failures: 0, not_before: Instant::now() });
        let wait = settings.reconnect_backoff * 2u32.saturating_pow(entry.failures.min(16));
        entry.failures += 1;
        entry.not_before = Instant::now() + wait.min(settings.reconnect_backoff_max);
    }

    /// The connection, if it is ready.
    pub fn ready(&mut self, node: Node) -> Option<&mut Connection> {
        self.connections.get_mut(&node).filter(|connection| connection.is_ready())
    }

    /// Requests in flight to a node.
    pub fn in_flight(&self, node: Node) -> usize {
        self.connections.get(&node).map_or(0, Connection::in_flight)
    }

    /// Sends a request on a connection that is ready; gives its token.
    ///
    /// # Errors
    /// [`ClientError::Encode`], or [`ClientError::Disconnected`] if it is not ready.
    pub fn send<'a, R: Request<'a>>(
        &mut self,
        node: Node,
        version: i16,
        request: &R,
        timeout: Option<Duration>,
    ) -> Result<u64, ClientError> {
        let token = self.next_token;
        let connection = self.ready(node).ok_or_else(|| ClientError::Disconnected {
            peer: format!("{node:?}"),
            reason: "no connection".to_owned(),
        })?;
        connection.send(token, version, request, timeout)?;
        self.next_token += 1;
        self.flush(node);
        Ok(token)
    }

    /// Gives the socket what is queued; a failure comes with the next [`Network::poll`].
    pub fn flush(&mut self, node: Node) {
        if let Some(connection) = self.connections.get_mut(&node)
            && let Err(error) = connection.write()
        {
            self.lose(node, error);
        }
    }

    /// Ends a connection; its requests get no answer.
    pub fn close(&mut self, node: Node) {
        self.connections.remove(&node);
    }

    fn lose(&mut self, node: Node, error: ClientError) {
        self.back_off(node);
        let tokens = self.connections.remove(&node).map(|lost| lost.tokens().collect()).unwrap_or_default();
        self.failed.push(Event::Lost { node, tokens, error });
    }

    /// Waits for something to happen, at most for `timeout`; `wake` is a descriptor that ends the wait when readable.
    ///
    /// # Errors
    /// What `poll` gives.
    pub fn poll(&mut self, timeout: Duration, wake: Option<&dyn AsFd>) -> io::Result<Vec<Event>> {
        let now = Instant::now();
        let nodes: Vec<Node> = self.connections.keys().copied().collect();
        let mut wait = if self.failed.is_empty() { timeout } else { Duration::ZERO };
        for connection in self.connections.values() {
            if let Some(deadline) = connection.deadline() {
                wait = wait.min(deadline.saturating_duration_since(now));
            }
        }
        let mut descriptors: Vec<PollFd<'_>> = Vec::with_capacity(nodes.len() + 1);
        for connection in nodes.iter().filter_map(|node| self.connections.get(node)) {
            let write = if connection.wants_write() { PollFlags::OUT } else { PollFlags::empty() };
            descriptors.push(PollFd::new(connection, PollFlags::IN | write));
        }
        if let Some(wake) = wake {
            descriptors.push(PollFd::from_borrowed_fd(wake.as_fd(), PollFlags::IN));
        }
        // A wait is rounded up so that a deadline is over when it ends.
        let wait = wait + Duration::from_micros(200);
        let span = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: i64::from(wait.subsec_nanos()) };
        match poll(&mut descriptors, Some(&span)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let happened: Vec<bool> =
            descriptors.iter().map(|descriptor| !descriptor.revents().is_empty()).collect();
        drop(descriptors);
        let mut events = std::mem::take(&mut self.failed);
        let now = Instant::now();
        for (node, happened) in nodes.into_iter().zip(happened) {
            self.serve(node, happened, now, &mut events);
        }
        events.append(&mut self.failed);
        Ok(events)
    }

    fn serve(&mut self, node: Node, happened: bool, now: Instant, events: &mut Vec<Event>) {
        let Some(connection) = self.connections.get_mut(&node) else { return };
        let mut result = if happened { connection.write() } else { Ok(()) };
        while happened && result.is_ok() {
            match connection.receive() {
                Ok(None) => break,
                Ok(Some(Received::Ready)) if connection.is_ready() => {
                    self.backoffs.remove(&node);
                    events.push(Event::Ready(node));
                }
                Ok(Some(Received::Ready)) => {}
                Ok(Some(Received::Answer { token, answer })) => {
                    events.push(Event::Answer { node, token, answer })
                }
                Err(error) => result = Err(error),
            }
        }
        if let Err(error) = result.and_then(|()| connection.check_deadline(now)) {
            self.lose(node, error);
        }
    }
}
