//! One connection to one broker: connects without blocking, asks for the broker's API versions first, then carries
//! requests; answers come in their order. Buffers hold what is in flight, nothing more.

use std::collections::{HashMap, VecDeque};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with};

use super::{Address, ClientError};
use crate::protocol::messages::{ApiVersionsRequest, ApiVersionsResponse};
use crate::protocol::wire::{Message, Request, Response};
use crate::protocol::{ApiKey, ErrorCode, decode_response, encode_request};

/// Bytes read at a time, unless a longer answer is known to come.
const READ_BYTES: usize = 64 * 1024;
/// Longest answer that is believed.
const ANSWER_LIMIT_BYTES: usize = 256 * 1024 * 1024;

/// An answer as it came, and the version in which it is to be read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Without the size prefix.
    pub frame: Bytes,
    /// The request's version.
    pub version: i16,
}

impl Answer {
    /// The answer's content, borrowed from it.
    ///
    /// # Errors
    /// [`ClientError::Decode`].
    pub fn decode<'a, R: Response<'a>>(&'a self) -> Result<R, ClientError> {
        Ok(decode_response::<R>(&self.frame, self.version)?.1)
    }
}

struct InFlight {
    correlation_id: i32,
    token: u64,
    version: i16,
    api_key: ApiKey,
    deadline: Instant,
}

enum State {
    Connecting { deadline: Instant },
    Handshake,
    Ready,
}

/// What reading a connection gave.
#[derive(Debug)]
pub enum Received {
    /// The broker's versions are known: requests may be sent.
    Ready,
    /// The answer to the request with this token.
    Answer {
        /// What [`Connection::send`] was given.
        token: u64,
        /// The bytes.
        answer: Answer,
    },
}

/// See the module.
pub struct Connection {
    peer: String,
    client_id: Arc<str>,
    request_timeout: Duration,
    setup_timeout: Duration,
    stream: TcpStream,
    /// Addresses not tried yet.
    candidates: VecDeque<SocketAddr>,
    state: State,
    versions: HashMap<i16, (i16, i16)>,
    next_correlation_id: i32,
    in_flight: VecDeque<InFlight>,
    output: VecDeque<BytesMut>,
    written: usize,
    input: Vec<u8>,
    filled: usize,
}

fn open(address: SocketAddr) -> Result<TcpStream, Errno> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(family, SocketType::STREAM, flags, None)?;
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(TcpStream::from(socket)),
        Err(errno) => Err(errno),
    }
}

impl Connection {
    /// Starts to connect. Blocks on DNS alone.
    ///
    /// # Errors
    /// [`ClientError::Resolve`], or [`ClientError::Disconnected`] if no address can even be tried.
    pub fn start(
        address: &Address,
        client_id: Arc<str>,
        request_timeout: Duration,
        setup_timeout: Duration,
    ) -> Result<Self, ClientError> {
        let mut candidates: VecDeque<_> = address.resolve()?.into();
        let stream = Self::next_stream(&mut candidates, &address.to_string(), None)?;
        Ok(Self {
            peer: address.to_string(),
            client_id,
            request_timeout,
            setup_timeout,
            stream,
            candidates,
            state: State::Connecting { deadline: Instant::now() + setup_timeout },
            versions: HashMap::new(),
            next_correlation_id: 0,
            in_flight: VecDeque::new(),
            output: VecDeque::new(),
            written: 0,
            input: vec![0; READ_BYTES],
            filled: 0,
        })
    }

    fn next_stream(
        candidates: &mut VecDeque<SocketAddr>,
        peer: &str,
        mut last: Option<String>,
    ) -> Result<TcpStream, ClientError> {
        while let Some(candidate) = candidates.pop_front() {
            match open(candidate) {
                Ok(stream) => return Ok(stream),
                Err(errno) => last = Some(errno.to_string()),
            }
        }
        let reason = last.unwrap_or_else(|| "no address".to_owned());
        Err(ClientError::Disconnected { peer: peer.to_owned(), reason })
    }

    fn broken(&self, reason: impl ToString) -> ClientError {
        ClientError::Disconnected { peer: self.peer.clone(), reason: reason.to_string() }
    }

    /// Host and port.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Whether requests may be sent.
    pub fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready)
    }

    /// Whether there are bytes that the socket did not take yet, or a connection to be awaited.
    pub fn wants_write(&self) -> bool {
        !self.output.is_empty() || matches!(self.state, State::Connecting { .. })
    }

    /// Requests without an answer yet.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Tokens of the requests without an answer yet, the oldest first.
    pub fn tokens(&self) -> impl Iterator<Item = u64> + '_ {
        self.in_flight.iter().map(|waiting| waiting.token)
    }

    /// When the oldest step times out.
    pub fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Connecting { deadline } => Some(deadline),
            _ => self.in_flight.iter().map(|waiting| waiting.deadline).min(),
        }
    }

    /// The greatest version of `R` that both sides have, at most `cap`.
    ///
    /// # Errors
    /// [`ClientError::Unsupported`].
    pub fn version<'a, R: Request<'a>>(&self, cap: i16) -> Result<i16, ClientError> {
        let (min, max) = (R::MIN_VERSION, R::MAX_VERSION.min(cap));
        self.versions
            .get(&R::API_KEY.0)
            .map(|(their_min, their_max)| (min.max(*their_min), max.min(*their_max)))
            .filter(|(lowest, highest)| lowest <= highest)
            .map(|(_, highest)| highest)
            .ok_or_else(|| ClientError::Unsupported {
                peer: self.peer.clone(),
                api: R::API_KEY.name(),
                min,
                max,
            })
    }

    /// Queues a request; `timeout` replaces the usual one. Call [`Connection::write`] then.
    ///
    /// # Errors
    /// [`ClientError::Encode`].
    pub fn send<'a, R: Request<'a>>(
        &mut self,
        token: u64,
        version: i16,
        request: &R,
        timeout: Option<Duration>,
    ) -> Result<(), ClientError> {
        let deadline = Instant::now() + timeout.unwrap_or(self.request_timeout);
        let correlation_id = self.push(version, request)?;
        self.in_flight.push_back(InFlight { correlation_id, token, version, api_key: R::API_KEY, deadline });
        Ok(())
    }

    /// Queues a request that the broker does not answer (Produce with acks=0).
    ///
    /// # Errors
    /// [`ClientError::Encode`].
    pub fn send_unanswered<'a, R: Request<'a>>(
        &mut self,
        version: i16,
        request: &R,
    ) -> Result<(), ClientError> {
        self.push(version, request).map(drop)
    }

    fn push<'a, R: Request<'a>>(&mut self, version: i16, request: &R) -> Result<i32, ClientError> {
        let correlation_id = self.next_correlation_id;
        self.output.push_back(encode_request(correlation_id, Some(&self.client_id), version, request)?);
        self.next_correlation_id = correlation_id.wrapping_add(1).max(0);
        Ok(correlation_id)
    }

    /// Gives the socket what it takes, and moves a connection that is being made on.
    ///
    /// # Errors
    /// [`ClientError::Disconnected`].
    pub fn write(&mut self) -> Result<(), ClientError> {
        if matches!(self.state, State::Connecting { .. }) {
            return self.finish_connect();
        }
        while let Some(front) = self.output.front() {
            match self.stream.write(front.get(self.written..).unwrap_or_default()) {
                Ok(count) => {
                    self.written += count;
                    if self.written >= front.len() {
                        self.written = 0;
                        self.output.pop_front();
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.broken(error)),
            }
        }
        Ok(())
    }

    fn finish_connect(&mut self) -> Result<(), ClientError> {
        let failure = match self.stream.take_error() {
            Ok(None) => match self.stream.peer_addr() {
                Ok(_) => None,
                Err(error) if error.kind() == ErrorKind::NotConnected => return Ok(()),
                Err(error) => Some(error),
            },
            Ok(Some(error)) | Err(error) => Some(error),
        };
        if let Some(error) = failure {
            return self.try_next(error.to_string());
        }
        let _ = self.stream.set_nodelay(true);
        self.state = State::Handshake;
        self.ask_versions(ApiVersionsRequest::MAX_VERSION)?;
        self.write()
    }

    fn try_next(&mut self, reason: String) -> Result<(), ClientError> {
        self.stream = Self::next_stream(&mut self.candidates, &self.peer, Some(reason))?;
        self.state = State::Connecting { deadline: Instant::now() + self.setup_timeout };
        Ok(())
    }

    fn ask_versions(&mut self, version: i16) -> Result<(), ClientError> {
        let request = ApiVersionsRequest {
            client_software_name: "millrace-tools",
            client_software_version: env!("CARGO_PKG_VERSION"),
            ..Default::default()
        };
        self.send(u64::MAX, version, &request, None)
    }

    /// Fails what took too long.
    ///
    /// # Errors
    /// [`ClientError::Disconnected`]: the connection is of no use any more.
    pub fn check_deadline(&mut self, now: Instant) -> Result<(), ClientError> {
        if self.deadline().is_none_or(|deadline| deadline > now) {
            return Ok(());
        }
        match self.state {
            State::Connecting { .. } => self.try_next("connecting took too long".to_owned()),
            _ => {
                let api =
                    self.in_flight.iter().min_by_key(|waiting| waiting.deadline).map(|w| w.api_key.name());
                Err(self.broken(format!("no answer to {} in time", api.unwrap_or("a request"))))
            }
        }
    }

    /// Reads what is there, at most one answer; `None` when the socket is empty.
    ///
    /// # Errors
    /// [`ClientError::Disconnected`], or [`ClientError::Decode`] for what is no answer.
    pub fn receive(&mut self) -> Result<Option<Received>, ClientError> {
        if matches!(self.state, State::Connecting { .. }) {
            return Ok(None);
        }
        loop {
            if let Some(frame) = self.take_frame()? {
                return self.accept(frame).map(Some);
            }
            let Some(room) = self.input.get_mut(self.filled..) else { return Ok(None) };
            match self.stream.read(room) {
                Ok(0) => return Err(self.broken("the broker closed the connection")),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.broken(error)),
            }
        }
    }

    /// A whole answer from the input; makes room for it if it is not whole.
    fn take_frame(&mut self) -> Result<Option<Bytes>, ClientError> {
        let have = self.input.get(..self.filled).unwrap_or_default();
        let Some(prefix) = have.first_chunk::<4>() else { return Ok(None) };
        let size = usize::try_from(i32::from_be_bytes(*prefix))
            .ok()
            .filter(|size| *size <= ANSWER_LIMIT_BYTES)
            .ok_or_else(|| {
                self.broken("an answer of an impossible size: is this a Kafka listener without TLS?")
            })?;
        let whole = size + 4;
        if self.filled < whole {
            if self.input.len() < whole {
                self.input.resize(whole, 0);
            }
            return Ok(None);
        }
        let frame = if self.filled == whole && size > READ_BYTES / 2 {
            // A long answer leaves as it is; a fresh buffer takes its place.
            let mut full = std::mem::replace(&mut self.input, vec![0; READ_BYTES]);
            full.truncate(whole);
            Bytes::from(full).slice(4..)
        } else {
            let frame = Bytes::copy_from_slice(have.get(4..whole).unwrap_or_default());
            self.input.copy_within(whole..self.filled, 0);
            frame
        };
        self.filled -= whole;
        Ok(Some(frame))
    }

    fn accept(&mut self, frame: Bytes) -> Result<Received, ClientError> {
        let Some(waiting) = self.in_flight.pop_front() else {
            return Err(self.broken("an answer without a request"));
        };
        let stated = frame.first_chunk::<4>().map(|bytes| i32::from_be_bytes(*bytes));
        if stated != Some(waiting.correlation_id) {
            return Err(self.broken("an answer to another request"));
        }
        let answer = Answer { frame, version: waiting.version };
        if matches!(self.state, State::Ready) {
            return Ok(Received::Answer { token: waiting.token, answer });
        }
        self.learn_versions(&answer)?;
        Ok(Received::Ready)
    }

    fn learn_versions(&mut self, answer: &Answer) -> Result<(), ClientError> {
        // A broker that does not know the version answers in version 0, with what it knows (KIP-511).
        let response = answer
            .decode::<ApiVersionsResponse<'_>>()
            .or_else(|_| Answer { frame: answer.frame.clone(), version: 0 }.decode_versions())?;
        let code = ErrorCode(response.error_code);
        if code == ErrorCode::UNSUPPORTED_VERSION && answer.version > 0 {
            let theirs = response.api_keys.iter().find(|api| api.api_key == ApiKey::API_VERSIONS.0);
            let version = theirs.map_or(0, |api| api.max_version).clamp(0, answer.version - 1);
            self.ask_versions(version)?;
            self.write()?;
            return Ok(());
        }
        ClientError::check(response.error_code, None)?;
        self.versions =
            response.api_keys.iter().map(|api| (api.api_key, (api.min_version, api.max_version))).collect();
        self.state = State::Ready;
        Ok(())
    }
}

impl Answer {
    /// For a version 0 answer, which borrows nothing.
    fn decode_versions(&self) -> Result<ApiVersionsResponse<'static>, ClientError> {
        let response = self.decode::<ApiVersionsResponse<'_>>()?;
        Ok(ApiVersionsResponse {
            error_code: response.error_code,
            api_keys: response.api_keys,
            ..Default::default()
        })
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
