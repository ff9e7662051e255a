//! One connection: one task that reads frames, hands them to the service and sends the replies in order.
//!
//! Runs on the shard that accepted it. The task drives two halves: the reader, which takes frames off the socket and
//! has them *dispatched* (their order is fixed then), and the writer, which waits for the oldest request to be *done*
//! and sends its reply. Bounds: `requests_in_flight`, `unsent_bytes`, the frame size, the shard's request bytes.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use bytes::{Buf, Bytes, BytesMut};

use super::counters::{NetCounters, add};
use super::outgoing::Outgoing;
use super::reply::Reply;
use super::request_memory::{Held, RequestMemory};
use crate::protocol::Uuid;
use crate::runtime::Runtime;
use crate::runtime::platform::{LocalFuture, RawStream};
use crate::runtime::sync::Notify;
use crate::security::Principal;

/// Bytes of the size prefix.
const PREFIX: usize = 4;

/// The first byte of a TLS record that carries a handshake, and the major version that follows it.
const TLS_HANDSHAKE: [u8; 2] = [0x16, 0x03];

/// Bytes that the first read of a connection asks for: what an idle connection keeps.
const FIRST_READ_BYTES: usize = 4 << 10;

/// Requests that are taken from one connection before the others go first.
const TURN_REQUESTS: u32 = 64;

/// Why a connection ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CloseReason {
    /// The peer closed.
    #[error("the peer closed")]
    PeerClosed,
    /// The socket failed.
    #[error("{0}")]
    Socket(String),
    /// A frame has a size that is not allowed.
    #[error("a frame of {0} bytes is not allowed")]
    FrameSize(i64),
    /// The peer speaks TLS.
    #[error("the peer speaks TLS, this listener does not")]
    TlsOnPlain,
    /// Bytes that are no request, or one that is not served.
    #[error("{0}")]
    Malformed(String),
    /// The client asked for no answer, and the request failed: closing is the only way to tell (acks=0).
    #[error("a request without a reply failed")]
    Unanswerable,
    /// Nothing came for too long.
    #[error("nothing came for too long")]
    Idle,
    /// It stalled with request memory that others waited for.
    #[error("no byte moved while others waited for the memory of its requests (shards.request_bytes)")]
    StalledRequest,
    /// It stalled with responses in memory that it does not take.
    #[error("it does not take its responses, and they hold memory that is needed (shards.tail_cache_bytes)")]
    StalledResponse,
    /// The broker stops.
    #[error("the broker stops")]
    Stopping,
    /// A fault of ours while answering.
    #[error("{0}")]
    Internal(String),
}

/// How a request ends: its reply, or the end of the connection.
pub type Outcome = Result<Reply, CloseReason>;

/// How far a request has come when the service returns.
pub enum Step {
    /// Done: the reply can leave.
    Done(Outcome),
    /// Dispatched: the connection reads on; the reply comes later.
    Later(LocalFuture<Outcome>),
    /// Not dispatched yet: the connection reads nothing until this ends.
    Dispatching(LocalFuture<Step>),
}

/// What a frame means.
pub trait Service {
    /// Takes one request, without its size prefix. Called in the order of requests; must not block.
    fn dispatch(&self, connection: &Rc<ConnectionInfo>, frame: Bytes) -> Step;

    /// A file of this log directory could not be read while it was sent.
    fn read_failed(&self, directory: Uuid, error: &io::Error);
}

/// What is known of a connection.
pub struct ConnectionInfo {
    /// Number, unique on this shard.
    pub id: u64,
    /// Name of the listener that accepted it.
    pub listener: Arc<str>,
    /// The peer's address.
    pub peer: SocketAddr,
    /// Who the peer is.
    pub principal: RefCell<Principal>,
    /// What the client last called itself; kept so that requests share one string.
    pub client_id: RefCell<Option<Rc<str>>>,
}

/// Settings of all connections of a shard.
pub struct Settings {
    /// The largest frame, in bytes, without its prefix.
    pub request_max_bytes: usize,
    /// Requests of one connection that may be in flight.
    pub requests_in_flight: usize,
    /// Bytes that one read of a busy connection asks for.
    pub read_buffer_bytes: usize,
    /// Bytes of ready replies above which no further request is taken.
    pub unsent_bytes: u64,
    /// The largest slice sent by one sendfile, in bytes.
    pub sendfile_slice_bytes: u64,
}

struct InFlight {
    state: Waiting,
    held: Held,
}

enum Waiting {
    Ready(Outcome),
    Later(LocalFuture<Outcome>),
}

/// A connection, to be driven by [`Connection::run`].
pub struct Connection {
    runtime: Runtime,
    stream: Rc<dyn RawStream>,
    service: Rc<dyn Service>,
    settings: Rc<Settings>,
    counters: Rc<NetCounters>,
    request_memory: RequestMemory,
    info: Rc<ConnectionInfo>,
    in_flight: RefCell<VecDeque<InFlight>>,
    unsent_bytes: Cell<u64>,
    /// Bytes of responses in memory that are being sent.
    unsent_memory_bytes: Cell<u64>,
    /// Request bytes of a frame that is being read.
    reading_bytes: Cell<u64>,
    /// The queue or what may leave changed.
    changed: Notify,
    reader_ended: Cell<bool>,
    /// When bytes last came or left, in nanoseconds of [`Runtime::now_ns`].
    last_active_ns: Cell<u64>,
    close: RefCell<Option<CloseReason>>,
}

impl Connection {
    /// A connection over `stream` whose frames go to `service`.
    #[must_use]
    pub fn new(
        runtime: &Runtime,
        stream: Rc<dyn RawStream>,
        service: Rc<dyn Service>,
        settings: Rc<Settings>,
        counters: Rc<NetCounters>,
        request_memory: RequestMemory,
        info: Rc<ConnectionInfo>,
    ) -> Self {
        Self {
            runtime: runtime.clone(),
            stream,
            service,
            settings,
            counters,
            request_memory,
            info,
            in_flight: RefCell::new(VecDeque::new()),
            unsent_bytes: Cell::new(0),
            unsent_memory_bytes: Cell::new(0),
            reading_bytes: Cell::new(0),
            changed: Notify::default(),
            reader_ended: Cell::new(false),
            last_active_ns: Cell::new(runtime.now_ns()),
            close: RefCell::new(None),
        }
    }

    /// What is known of it.
    #[must_use]
    pub fn info(&self) -> &Rc<ConnectionInfo> {
        &self.info
    }

    /// When bytes last came or left; None while the broker has something to do for it.
    #[must_use]
    pub fn idle_since_ns(&self) -> Option<u64> {
        let waits_for_peer = self.in_flight.borrow().is_empty() || self.unsent_bytes.get() > 0;
        waits_for_peer.then(|| self.last_active_ns.get())
    }

    /// When bytes last came or left.
    pub(super) fn last_active_ns(&self) -> u64 {
        self.last_active_ns.get()
    }

    /// Bytes of the shard's request memory that it holds.
    pub(super) fn request_bytes(&self) -> u64 {
        self.reading_bytes.get() + self.in_flight.borrow().iter().map(|one| one.held.bytes()).sum::<u64>()
    }

    /// Bytes of responses in memory that its socket does not take.
    pub(super) fn unsent_memory_bytes(&self) -> u64 {
        self.unsent_memory_bytes.get()
    }

    /// Whether it is in the middle of a request or a response, on the socket's side: one that waits for the broker
    /// alone, as a long poll does, is not.
    pub(super) fn holds_memory(&self) -> bool {
        self.reading_bytes.get() > 0 || self.unsent_bytes.get() > 0
    }

    /// Takes no further request; what is in flight is answered, then the connection ends.
    pub fn finish(&self, reason: CloseReason) {
        self.close.borrow_mut().get_or_insert(reason);
        self.reader_ended.set(true);
        self.changed.notify();
    }

    /// Ends the connection at once.
    pub fn abort(&self, reason: CloseReason) {
        self.finish(reason);
        self.in_flight.borrow_mut().clear();
        self.stream.shutdown();
    }

    /// Serves until the connection ends; gives why.
    pub async fn run(&self) -> CloseReason {
        let mut reader = pin!(self.read());
        let mut writer = pin!(self.write());
        let reason = poll_fn(|context| {
            // A panic of a handler ends this connection alone; what must not go on after one ends the process
            // itself (see `partition::core_section`).
            let polled = catch_unwind(AssertUnwindSafe(|| {
                if !self.reader_ended.get()
                    && let Poll::Ready(reason) = reader.as_mut().poll(context)
                {
                    if reason == CloseReason::PeerClosed || matches!(reason, CloseReason::Socket(_)) {
                        return Poll::Ready(reason);
                    }
                    self.finish(reason);
                }
                writer.as_mut().poll(context)
            }));
            polled.unwrap_or_else(|_| {
                add(&self.counters.closed_panic, 1);
                Poll::Ready(CloseReason::Internal("a handler panicked".into()))
            })
        })
        .await;
        self.in_flight.borrow_mut().clear();
        self.stream.shutdown();
        reason
    }

    async fn read(&self) -> CloseReason {
        match self.read_frames().await {
            Ok(never) => match never {},
            Err(reason) => reason,
        }
    }

    async fn read_frames(&self) -> Result<std::convert::Infallible, CloseReason> {
        let mut buffer = BytesMut::new();
        let mut turn = 0;
        let mut read_bytes = FIRST_READ_BYTES.min(self.settings.read_buffer_bytes);
        loop {
            while let Some(len) = self.frame_len(&buffer)? {
                let whole = PREFIX + len;
                let before =
                    if RequestMemory::is_large(len) { Some(self.take_memory(len).await) } else { None };
                if buffer.len() < whole {
                    buffer.reserve(whole - buffer.len());
                    self.reading_bytes.set(before.as_ref().map_or(0, Held::bytes));
                    while buffer.len() < whole {
                        buffer = self.receive(buffer).await?;
                    }
                    self.reading_bytes.set(0);
                }
                let held = match before {
                    Some(held) => held,
                    None => self.take_memory(len).await,
                };
                let mut frame = buffer.split_to(whole).freeze();
                frame.advance(PREFIX);
                self.room_for_a_request().await;
                add(&self.counters.requests, 1);
                let mut step = self.service.dispatch(&self.info, frame);
                let state = loop {
                    match step {
                        Step::Done(outcome) => break Waiting::Ready(outcome),
                        Step::Later(future) => break Waiting::Later(future),
                        Step::Dispatching(future) => step = future.await,
                    }
                };
                self.in_flight.borrow_mut().push_back(InFlight { state, held });
                self.changed.notify();
                turn += 1;
                if turn >= TURN_REQUESTS {
                    turn = 0;
                    self.runtime.yield_now().await;
                }
            }
            turn = 0;
            // Room for what usually comes at once. When every earlier frame is gone this reuses the same memory; more
            // than is wanted now goes back.
            if buffer.is_empty() && buffer.capacity() > read_bytes * 4 {
                buffer = BytesMut::new();
            }
            if buffer.capacity() - buffer.len() < read_bytes / 4 {
                buffer.reserve(read_bytes);
            }
            let (before, room) = (buffer.len(), buffer.capacity() - buffer.len());
            buffer = self.receive(buffer).await?;
            let came = buffer.len() - before;
            if came == room {
                read_bytes = (read_bytes * 2).min(self.settings.read_buffer_bytes);
            } else if came < read_bytes / 4 {
                read_bytes = (read_bytes / 2).max(FIRST_READ_BYTES.min(self.settings.read_buffer_bytes));
            }
        }
    }

    async fn take_memory(&self, len: usize) -> Held {
        match self.request_memory.try_take(len) {
            Some(held) => held,
            None => {
                add(&self.counters.budget_waits, 1);
                self.request_memory.take(len).await
            }
        }
    }

    async fn receive(&self, buffer: BytesMut) -> Result<BytesMut, CloseReason> {
        let (result, buffer) = self.stream.read(buffer).await;
        match result {
            Ok(0) => Err(CloseReason::PeerClosed),
            Ok(count) => {
                add(&self.counters.received_bytes, count as u64);
                self.last_active_ns.set(self.runtime.now_ns());
                Ok(buffer)
            }
            Err(error) => Err(CloseReason::Socket(error.to_string())),
        }
    }

    /// The length of the frame that begins the buffer; None when fewer than four bytes are there. What is not allowed
    /// is refused here, before memory is made for it.
    fn frame_len(&self, buffer: &BytesMut) -> Result<Option<usize>, CloseReason> {
        let Some(prefix) = buffer.first_chunk::<PREFIX>() else { return Ok(None) };
        let len = i32::from_be_bytes(*prefix);
        match usize::try_from(len) {
            Ok(len) if len <= self.settings.request_max_bytes && len > 0 => Ok(Some(len)),
            _ if prefix.starts_with(&TLS_HANDSHAKE) => {
                add(&self.counters.closed_tls_on_plain, 1);
                Err(CloseReason::TlsOnPlain)
            }
            _ => {
                add(&self.counters.closed_frame_size, 1);
                Err(CloseReason::FrameSize(i64::from(len)))
            }
        }
    }

    async fn room_for_a_request(&self) {
        while self.in_flight.borrow().len() >= self.settings.requests_in_flight
            || self.unsent_bytes.get() > self.settings.unsent_bytes
        {
            self.changed.wait().await;
        }
    }

    async fn write(&self) -> CloseReason {
        let mut outgoing = Outgoing::new(
            self.runtime.clone(),
            self.stream.clone(),
            self.counters.clone(),
            self.settings.sendfile_slice_bytes,
            self.service.clone(),
            &self.last_active_ns,
        );
        loop {
            match self.gather(&mut outgoing).await {
                Ok(true) => {}
                Ok(false) => return self.close.borrow().clone().unwrap_or(CloseReason::PeerClosed),
                Err(reason) => {
                    if matches!(reason, CloseReason::Malformed(_)) {
                        add(&self.counters.closed_malformed, 1);
                    }
                    // The replies before it still belong to the client.
                    let _ = outgoing.send_all().await;
                    return reason;
                }
            }
            self.unsent_bytes.set(outgoing.unsent_bytes());
            self.unsent_memory_bytes.set(outgoing.memory_bytes());
            if let Err(error) = outgoing.send_all().await {
                let closed = self.close.borrow().clone();
                return closed.unwrap_or_else(|| CloseReason::Socket(error.to_string()));
            }
            self.unsent_bytes.set(0);
            self.unsent_memory_bytes.set(0);
            self.last_active_ns.set(self.runtime.now_ns());
            self.changed.notify();
        }
    }

    /// Takes the reply of the oldest request, waiting for it, and those behind it that are ready too. False when none
    /// will come any more.
    async fn gather(&self, outgoing: &mut Outgoing<'_>) -> Result<bool, CloseReason> {
        let mut gathered = false;
        while outgoing.unsent_bytes() <= self.settings.unsent_bytes {
            let ready = poll_fn(|context| {
                let mut in_flight = self.in_flight.borrow_mut();
                let Some(front) = in_flight.front_mut() else { return Poll::Ready(None) };
                let outcome = match &mut front.state {
                    Waiting::Ready(outcome) => std::mem::replace(outcome, Ok(Reply::None)),
                    Waiting::Later(future) => match future.as_mut().poll(context) {
                        Poll::Ready(outcome) => outcome,
                        Poll::Pending if gathered => return Poll::Ready(None),
                        Poll::Pending => return Poll::Pending,
                    },
                };
                in_flight.pop_front();
                Poll::Ready(Some(outcome))
            })
            .await;
            match ready {
                Some(outcome) => {
                    outgoing.push(outcome?);
                    gathered = true;
                }
                None if gathered => break,
                None if self.reader_ended.get() => return Ok(false),
                None => self.changed.wait().await,
            }
        }
        Ok(true)
    }
}
