//! What is on its way out of one connection: memory by vectored writes, cached file ranges by sendfile in slices, cold
//! ones by splice. Never blocks the shard; a slow reader only stops its own connection.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use bytes::{Buf, Bytes};

use super::connection::Service;
use super::counters::{NetCounters, add};
use super::reply::{Part, Reply};
use crate::runtime::platform::RawStream;
use crate::runtime::{FileHandle, Runtime};

/// Pieces of memory in one system call; IOV_MAX is 1,024.
const PIECES_PER_WRITE: usize = 256;

/// Bytes after which a connection that can still send lets the others go first.
const TURN_BYTES: u64 = 1 << 20;

/// Bytes of a cold range that one splice is asked for.
const SPLICE_BYTES: u64 = 1 << 20;

/// Bytes ahead of a cold read that the kernel is told to fetch. More makes producers' flushes wait in the disk's queue,
/// less leaves the disk idle (docs/decisions/0006-read-ahead.md).
const READ_AHEAD_BYTES: u64 = 1 << 20;

/// What the kernel says of a file that it cannot read.
const EIO: i32 = 5;
/// What a piece of memory holds at least.
const LEAST_CHUNK_BYTES: u64 = 4 << 10;

/// The parts that have not left yet, in order.
pub(super) struct Outgoing<'c> {
    runtime: Runtime,
    stream: Rc<dyn RawStream>,
    counters: Rc<NetCounters>,
    slice_bytes: u64,
    service: Rc<dyn Service>,
    /// The front, when it is memory.
    memory: Vec<Bytes>,
    /// What follows.
    parts: VecDeque<Part>,
    unsent_bytes: u64,
    /// When bytes last left, for who watches the connection.
    last_active_ns: &'c Cell<u64>,
}

impl<'c> Outgoing<'c> {
    pub(super) fn new(
        runtime: Runtime,
        stream: Rc<dyn RawStream>,
        counters: Rc<NetCounters>,
        slice_bytes: u64,
        service: Rc<dyn Service>,
        last_active_ns: &'c Cell<u64>,
    ) -> Self {
        Self {
            runtime,
            stream,
            counters,
            slice_bytes,
            service,
            memory: Vec::new(),
            parts: VecDeque::new(),
            unsent_bytes: 0,
            last_active_ns,
        }
    }

    /// Bytes that have not left yet.
    pub(super) fn unsent_bytes(&self) -> u64 {
        self.unsent_bytes
    }

    /// Memory that the parts in memory hold: a part of a log's chunk keeps the whole chunk.
    pub(super) fn memory_bytes(&self) -> u64 {
        let held = |bytes: &Bytes| (bytes.len() as u64).max(LEAST_CHUNK_BYTES);
        let behind = self.parts.iter().map(|part| match part {
            Part::Memory(bytes) => held(bytes),
            Part::File { .. } => 0,
        });
        self.memory.iter().map(held).sum::<u64>() + behind.sum::<u64>()
    }

    /// Adds a reply behind what is there.
    pub(super) fn push(&mut self, reply: Reply) {
        match reply {
            Reply::None => {}
            Reply::Bytes(bytes) => self.push_part(Part::Memory(bytes)),
            Reply::Parts(parts) => parts.into_iter().for_each(|part| self.push_part(part)),
        }
    }

    fn push_part(&mut self, part: Part) {
        self.unsent_bytes += part.len();
        match part {
            part if part.is_empty() => {}
            Part::Memory(bytes) if self.parts.is_empty() => self.memory.push(bytes),
            part => self.parts.push_back(part),
        }
    }

    /// Sends everything, waiting for the socket where needed.
    pub(super) async fn send_all(&mut self) -> io::Result<()> {
        let mut turn_bytes = 0;
        while self.unsent_bytes > 0 {
            let sent = if self.memory.is_empty() {
                self.send_next_part().await?
            } else {
                self.send_memory().await?
            };
            add(&self.counters.sent_bytes, sent);
            self.unsent_bytes -= sent;
            turn_bytes += sent;
            if sent > 0 && self.unsent_bytes > 0 {
                // The socket is slow: who watches sees that it moves.
                self.last_active_ns.set(self.runtime.now_ns());
            }
            if turn_bytes >= TURN_BYTES && self.unsent_bytes > 0 {
                turn_bytes = 0;
                self.runtime.yield_now().await;
            }
        }
        Ok(())
    }

    async fn send_memory(&mut self) -> io::Result<u64> {
        let pieces = self.memory.len().min(PIECES_PER_WRITE);
        let sent = match self.stream.try_write(self.memory.get(..pieces).unwrap_or_default()) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(sent) => sent,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.stream.writable().await?;
                return Ok(0);
            }
            Err(error) => return Err(error),
        };
        let mut left = sent;
        let mut whole = 0;
        for piece in &mut self.memory {
            if piece.len() > left {
                piece.advance(left);
                break;
            }
            left -= piece.len();
            whole += 1;
        }
        self.memory.drain(..whole);
        Ok(sent as u64)
    }

    async fn send_next_part(&mut self) -> io::Result<u64> {
        match self.parts.pop_front() {
            None => Err(io::Error::other("more bytes were counted than are there")),
            Some(Part::Memory(bytes)) => {
                self.memory.push(bytes);
                while let Some(Part::Memory(_)) = self.parts.front() {
                    if let Some(Part::Memory(bytes)) = self.parts.pop_front() {
                        self.memory.push(bytes);
                    }
                }
                self.send_memory().await
            }
            Some(Part::File { handle, directory, position, len }) => {
                let sent = match self.send_file(&handle, position, len).await {
                    // A socket fails in other ways: it was the file that could not be read.
                    Err(error) if error.raw_os_error() == Some(EIO) => {
                        self.service.read_failed(directory, &error);
                        return Err(error);
                    }
                    sent => sent?,
                };
                add(&self.counters.sent_file_bytes, sent);
                if sent < len {
                    let (position, len) = (position + sent, len - sent);
                    let rest = Part::File { handle, directory, position, len };
                    self.parts.push_front(rest);
                }
                Ok(sent)
            }
        }
    }

    async fn send_file(&mut self, handle: &FileHandle, position: u64, len: u64) -> io::Result<u64> {
        let slice = len.min(self.slice_bytes);
        let sent = if self.runtime.cached_bytes(handle, position, slice) >= slice {
            match self.stream.try_send_file(handle, position, slice as usize) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.stream.writable().await?;
                    return Ok(0);
                }
                other => other?,
            }
        } else {
            self.runtime.read_ahead(handle, position, len.min(READ_AHEAD_BYTES));
            self.stream.splice_file(handle, position, len.min(SPLICE_BYTES) as usize).await?
        };
        if sent == 0 {
            // The size prefix has promised these bytes: a connection that cannot keep it must end.
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "a segment ends before what was promised",
            ));
        }
        Ok(sent as u64)
    }
}
