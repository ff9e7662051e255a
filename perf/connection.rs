//! One connection of the load: frames out, frames in, never blocking.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{Timespec, epoll};

/// A connected socket with what is still to be sent and what has come in.
pub struct Connection {
    stream: TcpStream,
    out: Vec<u8>,
    sent: usize,
    incoming: Vec<u8>,
    read: usize,
    filled: usize,
    /// EPOLLOUT is asked for.
    watching_write: bool,
}

/// Room for what one read takes.
const READ_BYTES: usize = 1 << 20;

impl Connection {
    /// Connects; the socket does not block from then on.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            out: Vec::new(),
            sent: 0,
            incoming: vec![0; READ_BYTES],
            read: 0,
            filled: 0,
            watching_write: false,
        })
    }

    /// Asks for EPOLLOUT exactly while something is still to be sent.
    pub fn watch_write(&mut self, poll: &OwnedFd, index: usize) -> Result<(), String> {
        let wants = self.wants_write();
        if wants != self.watching_write {
            self.watching_write = wants;
            let flags =
                if wants { epoll::EventFlags::IN | epoll::EventFlags::OUT } else { epoll::EventFlags::IN };
            epoll::modify(poll, self.descriptor(), epoll::EventData::new_u64(index as u64), flags)
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The descriptor, for epoll.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Puts a frame behind what is still to be sent.
    pub fn queue(&mut self, parts: &[&[u8]]) {
        for part in parts {
            self.out.extend_from_slice(part);
        }
    }

    /// Whether something is still to be sent.
    pub fn wants_write(&self) -> bool {
        self.sent < self.out.len()
    }

    /// Forgets what is still to be sent.
    pub fn give_up(&mut self) {
        self.out.clear();
        self.sent = 0;
    }

    /// Bytes still to be sent.
    pub fn unsent(&self) -> usize {
        self.out.len() - self.sent
    }

    /// Sends what the socket takes.
    pub fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.sent = 0;
        Ok(())
    }

    /// Reads what has come; false when nothing had.
    pub fn fill(&mut self) -> io::Result<bool> {
        if self.read == self.filled {
            self.read = 0;
            self.filled = 0;
        }
        // A frame that does not fit behind what is there: to the front with it, and room for the whole of it.
        let needed = self.frame_len().unwrap_or(4).max(64 << 10);
        if self.incoming.len() - self.read < needed || self.filled == self.incoming.len() {
            self.incoming.copy_within(self.read..self.filled, 0);
            self.filled -= self.read;
            self.read = 0;
            if self.incoming.len() < needed {
                self.incoming.resize(needed, 0);
            }
        }
        match self.stream.read(&mut self.incoming[self.filled..]) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the broker closed the connection")),
            Ok(count) => {
                self.filled += count;
                Ok(true)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn frame_len(&self) -> Option<usize> {
        let prefix = self.incoming.get(self.read..self.filled)?.first_chunk::<4>()?;
        Some(4 + u32::from_be_bytes(*prefix) as usize)
    }

    /// The next whole frame, without its length.
    pub fn frame(&mut self) -> Option<&[u8]> {
        let len = self.frame_len()?;
        if self.filled - self.read < len {
            return None;
        }
        let start = self.read + 4;
        self.read += len;
        self.incoming.get(start..self.read)
    }

    /// Sends a frame and waits for the next one; for set-up.
    pub fn call(&mut self, frame: &[u8]) -> io::Result<Vec<u8>> {
        self.stream.set_nonblocking(false)?;
        self.stream.write_all(frame)?;
        loop {
            if let Some(frame) = self.frame() {
                let frame = frame.to_vec();
                self.stream.set_nonblocking(true)?;
                return Ok(frame);
            }
            self.fill()?;
        }
    }
}

/// Replaces `events` by those that come within `most_ns`; None waits for one.
pub fn wait_for_events(
    poll: &OwnedFd,
    events: &mut Vec<epoll::Event>,
    most_ns: Option<u64>,
) -> Result<(), String> {
    let timeout = most_ns.map(|ns| Timespec { tv_sec: 0, tv_nsec: ns as _ });
    events.clear();
    match epoll::wait(poll, rustix::buffer::spare_capacity(events), timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
