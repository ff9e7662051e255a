//! Connected sockets. Bytes come in by the ring; they leave by plain calls that never wait, because a reply that
//! fits the socket's buffer is one system call and needs no completion.
//!
//! One read at a time. A read that is dropped is cancelled; what it received all the same comes with the next one.

use std::cell::{Cell, OnceCell, RefCell};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use bytes::{BufMut, Bytes, BytesMut};
use io_uring::opcode;
use io_uring::types::Fd;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::super::platform::{FileHandle, LocalFuture, RawStream};
use super::splice::{Pipes, splice_file};
use super::uring::{Keep, Ring, Waited, check};

/// Bytes that one receive takes at most: the shard copies them, into fresh pages as a rule, while others wait.
const RECEIVE: usize = 256 << 10;
/// Parts that one write sends.
const PARTS: usize = 64;
/// Bytes that one call sends from the page cache: bounds how long the shard is away.
const SEND_FILE: usize = 256 << 10;
/// IORING_RECVSEND_POLL_FIRST: do not try before there is something.
const POLL_FIRST: u16 = 1;

/// A socket's descriptor; closes when the last operation on it has ended.
pub(super) struct Descriptor(pub(super) OwnedFd);

impl Descriptor {
    pub(super) fn raw(&self) -> i32 {
        self.0.as_raw_fd()
    }
}

/// A connection.
pub(super) struct Stream {
    shared: Rc<Shared>,
}

pub(super) struct Shared {
    ring: Rc<Ring>,
    pipes: Rc<Pipes>,
    descriptor: Rc<Descriptor>,
    peer: SocketAddr,
    local: OnceCell<SocketAddr>,
    /// Whether the kernel said that more is there.
    more: Cell<bool>,
    /// A read that was dropped and has not ended.
    left: RefCell<Option<Waited>>,
    /// What such a read has brought.
    early: RefCell<BytesMut>,
}

impl Stream {
    pub(super) fn new(
        ring: Rc<Ring>,
        pipes: Rc<Pipes>,
        descriptor: Rc<Descriptor>,
        peer: SocketAddr,
    ) -> Self {
        Self {
            shared: Rc::new(Shared {
                ring,
                pipes,
                descriptor,
                peer,
                local: OnceCell::new(),
                more: Cell::new(true),
                left: RefCell::new(None),
                early: RefCell::new(BytesMut::new()),
            }),
        }
    }
}

impl RawStream for Stream {
    fn read(&self, mut buffer: BytesMut) -> LocalFuture<(io::Result<usize>, BytesMut)> {
        if buffer.capacity() == buffer.len() {
            buffer.reserve(4096);
        }
        Box::pin(Read { shared: self.shared.clone(), buffer: Some(buffer), operation: None })
    }

    fn try_write(&self, parts: &[Bytes]) -> io::Result<usize> {
        let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
        let raw = self.shared.descriptor.raw();
        let sent = if let [part] = parts {
            // SAFETY: the part is readable for its length, the descriptor is open.
            unsafe { libc::send(raw, part.as_ptr().cast(), part.len(), flags) }
        } else {
            let mut vectors = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; PARTS];
            let mut count = 0;
            for (vector, part) in vectors.iter_mut().zip(parts.iter().filter(|part| !part.is_empty())) {
                *vector = libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() };
                count += 1;
            }
            if count == 0 {
                return Ok(0);
            }
            // SAFETY: all zeros is a valid msghdr (no name, no control data).
            let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
            message.msg_iov = vectors.as_mut_ptr();
            message.msg_iovlen = count;
            // SAFETY: the message's vectors point to readable parts that outlive the call.
            unsafe { libc::sendmsg(raw, &raw const message, flags) }
        };
        usize::try_from(sent).map_err(|_| io::Error::last_os_error())
    }

    fn try_send_file(&self, file: &FileHandle, position: u64, len: usize) -> io::Result<usize> {
        let mut offset = i64::try_from(position).map_err(|_| io::ErrorKind::InvalidInput)?;
        let len = len.min(SEND_FILE);
        // SAFETY: both descriptors are open, `offset` is a place the kernel may write to.
        let sent = unsafe { libc::sendfile(self.shared.descriptor.raw(), file.raw(), &raw mut offset, len) };
        usize::try_from(sent).map_err(|_| io::Error::last_os_error())
    }

    fn splice_file(&self, file: &FileHandle, position: u64, len: usize) -> LocalFuture<io::Result<usize>> {
        let shared = &self.shared;
        Box::pin(splice_file(
            shared.ring.clone(),
            shared.pipes.clone(),
            shared.descriptor.clone(),
            file.clone(),
            position,
            len,
        ))
    }

    fn writable(&self) -> LocalFuture<io::Result<()>> {
        Box::pin(writable(self.shared.ring.clone(), self.shared.descriptor.clone()))
    }

    fn shutdown(&self) {
        // It fails when the peer was faster; then there is nothing left to do.
        let _ = rustix::net::shutdown(&self.shared.descriptor.0, rustix::net::Shutdown::Both);
    }

    fn peer_addr(&self) -> SocketAddr {
        self.shared.peer
    }

    fn local_addr(&self) -> SocketAddr {
        *self.shared.local.get_or_init(|| {
            rustix::net::getsockname(&self.shared.descriptor.0)
                .ok()
                .and_then(|address| SocketAddr::try_from(address).ok())
                .unwrap_or_else(|| SocketAddr::from(([0, 0, 0, 0], 0)))
        })
    }
}

/// Ends when the socket takes bytes again or has failed (the next write says how).
pub(super) async fn writable(ring: Rc<Ring>, descriptor: Rc<Descriptor>) -> io::Result<()> {
    poll(&ring, descriptor, libc::POLLOUT).await
}

async fn poll(ring: &Rc<Ring>, descriptor: Rc<Descriptor>, events: i16) -> io::Result<()> {
    let raw = descriptor.raw();
    let keep = Keep { socket: Some(descriptor), ..Keep::default() };
    let (result, _, _) = ring.wait(keep, |_| opcode::PollAdd::new(Fd(raw), events as u32).build()).await;
    check(result).map(|_| ())
}

fn receive(ring: &Rc<Ring>, descriptor: &Rc<Descriptor>, buffer: BytesMut, poll_first: bool) -> Waited {
    let raw = descriptor.raw();
    let keep = Keep { socket: Some(descriptor.clone()), buffer: Some(buffer), ..Keep::default() };
    ring.wait(keep, |keep| {
        let (place, len) = match &mut keep.buffer {
            Some(buffer) => {
                let spare = buffer.spare_capacity_mut();
                (spare.as_mut_ptr().cast::<u8>(), spare.len().min(RECEIVE) as u32)
            }
            None => unreachable!("the buffer was just given"),
        };
        let first = if poll_first { POLL_FIRST } else { 0 };
        opcode::Recv::new(Fd(raw), place, len).ioprio(first).build()
    })
}

/// Takes what a receive has brought: its buffer, lengthened.
fn received(shared: &Shared, end: (i32, u32, Keep)) -> (io::Result<usize>, BytesMut) {
    let (result, flags, keep) = end;
    let mut buffer = keep.buffer.unwrap_or_default();
    shared.more.set(io_uring::cqueue::sock_nonempty(flags));
    let result = check(result);
    if let Ok(count) = result {
        // SAFETY: the kernel has written `count` bytes to the start of the spare capacity.
        unsafe { buffer.advance_mut(count) };
    }
    (result, buffer)
}

struct Read {
    shared: Rc<Shared>,
    buffer: Option<BytesMut>,
    operation: Option<Waited>,
}

impl Read {
    /// Waits for an earlier, dropped read; true when there is none any more.
    fn settle(&self, context: &mut Context<'_>) -> bool {
        let mut left = self.shared.left.borrow_mut();
        let Some(operation) = left.as_mut() else { return true };
        match Pin::new(operation).poll(context) {
            Poll::Pending => false,
            Poll::Ready(end) => {
                let before = end.2.buffer.as_ref().map_or(0, BytesMut::len);
                let (result, buffer) = received(&self.shared, end);
                if let (Ok(1..), Some(bytes)) = (result, buffer.get(before..)) {
                    self.shared.early.borrow_mut().extend_from_slice(bytes);
                }
                *left = None;
                true
            }
        }
    }

    fn take_early(&mut self) -> Option<(io::Result<usize>, BytesMut)> {
        let mut early = self.shared.early.borrow_mut();
        if early.is_empty() {
            return None;
        }
        let mut buffer = self.buffer.take().unwrap_or_default();
        let count = early.len().min(buffer.capacity() - buffer.len());
        buffer.extend_from_slice(&early.split_to(count));
        Some((Ok(count), buffer))
    }
}

impl Future for Read {
    type Output = (io::Result<usize>, BytesMut);
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            if let Some(operation) = &mut self.operation {
                let end = match Pin::new(operation).poll(context) {
                    Poll::Ready(end) => end,
                    Poll::Pending => return Poll::Pending,
                };
                self.operation = None;
                return match received(&self.shared, end) {
                    // Spurious: nothing was there when the ring looked.
                    (Err(error), buffer) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.buffer = Some(buffer);
                        self.shared.more.set(false);
                        continue;
                    }
                    end => Poll::Ready(end),
                };
            }
            if !self.settle(context) {
                return Poll::Pending;
            }
            if let Some(end) = self.take_early() {
                return Poll::Ready(end);
            }
            let buffer = self.buffer.take().unwrap_or_default();
            let poll_first = !self.shared.more.get();
            let operation = receive(&self.shared.ring, &self.shared.descriptor, buffer, poll_first);
            self.operation = Some(operation);
        }
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        if let Some(operation) = self.operation.take() {
            operation.cancel();
            *self.shared.left.borrow_mut() = Some(operation);
        }
    }
}

/// Connects.
pub(super) async fn connect(
    ring: Rc<Ring>,
    pipes: Rc<Pipes>,
    address: SocketAddr,
) -> io::Result<Rc<dyn RawStream>> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let descriptor = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
    sockopt::set_tcp_nodelay(&descriptor, true)?;
    sockopt::set_socket_keepalive(&descriptor, true)?;
    let descriptor = Rc::new(Descriptor(descriptor));
    let raw = descriptor.raw();
    let (storage, len) = storage(address);
    let keep = Keep { socket: Some(descriptor.clone()), address: Some(Box::new(storage)), ..Keep::default() };
    let (result, _, _) = ring
        .wait(keep, |keep| {
            let place = match &keep.address {
                Some(storage) => std::ptr::from_ref(&**storage).cast::<libc::sockaddr>(),
                None => unreachable!("the address was just given"),
            };
            opcode::Connect::new(Fd(raw), place, len).build()
        })
        .await;
    check(result)?;
    Ok(Rc::new(Stream::new(ring, pipes, descriptor, address)))
}

fn storage(address: SocketAddr) -> (libc::sockaddr_storage, libc::socklen_t) {
    // SAFETY: all zeros is a valid sockaddr_storage.
    let mut storage: libc::sockaddr_storage = unsafe { std::mem::zeroed() };
    let len = match address {
        SocketAddr::V4(address) => {
            let value = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: address.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(address.ip().octets()) },
                sin_zero: [0; 8],
            };
            // SAFETY: the storage is larger than every address and aligned for all of them.
            unsafe { std::ptr::from_mut(&mut storage).cast::<libc::sockaddr_in>().write(value) };
            size_of::<libc::sockaddr_in>()
        }
        SocketAddr::V6(address) => {
            let value = libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: address.port().to_be(),
                sin6_flowinfo: address.flowinfo(),
                sin6_addr: libc::in6_addr { s6_addr: address.ip().octets() },
                sin6_scope_id: address.scope_id(),
            };
            // SAFETY: as above.
            unsafe { std::ptr::from_mut(&mut storage).cast::<libc::sockaddr_in6>().write(value) };
            size_of::<libc::sockaddr_in6>()
        }
    };
    (storage, len as libc::socklen_t)
}
