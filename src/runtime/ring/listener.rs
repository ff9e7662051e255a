//! Listening sockets: every shard listens on the same address (SO_REUSEPORT) and the kernel spreads connections.
//!
//! One repeating accept per listener. Bound: when [`QUEUE`] connections wait for `accept`, it is cancelled until
//! somebody asks again, so that further ones wait in the kernel's backlog.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::rc::Rc;
use std::task::{Poll, Waker};

use io_uring::opcode;
use io_uring::types::Fd;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::super::platform::{LocalFuture, RawListener, RawStream};
use super::socket::{Descriptor, Stream};
use super::splice::Pipes;
use super::uring::{Done, Flight, Ring, check};

const QUEUE: usize = 64;
/// Connections that wait in the kernel; it cuts this to net.core.somaxconn.
const BACKLOG: i32 = 4096;

pub(super) struct ListenerState {
    descriptor: OwnedFd,
    queue: RefCell<VecDeque<OwnedFd>>,
    error: RefCell<Option<io::Error>>,
    armed: Cell<Option<u64>>,
    cancelled: Cell<bool>,
    once_only: Cell<bool>,
    waiting: RefCell<Vec<Waker>>,
}

impl ListenerState {
    /// Takes a completion of the accept.
    pub(super) fn accepted(&self, ring: &Ring, done: Done) {
        if !done.more() {
            self.armed.set(None);
        }
        match check(done.result) {
            Ok(raw) => {
                // SAFETY: the kernel has just opened this descriptor for us, nobody else knows it.
                let descriptor = unsafe { OwnedFd::from_raw_fd(raw as i32) };
                self.queue.borrow_mut().push_back(descriptor);
                if self.queue.borrow().len() >= QUEUE
                    && let Some(id) = self.armed.get()
                    && !self.cancelled.replace(true)
                {
                    ring.cancel(id);
                }
            }
            Err(error) => match error.raw_os_error() {
                // The peer gave up, or we cancelled: nothing to tell.
                Some(libc::ECONNABORTED | libc::ECANCELED | libc::EINTR | libc::EAGAIN) => {}
                // Before Linux 5.19 there is no repeating accept.
                Some(libc::EINVAL) if !self.once_only.get() => self.once_only.set(true),
                _ => *self.error.borrow_mut() = Some(error),
            },
        }
        let waiting = self.waiting.take();
        for waker in waiting {
            waker.wake();
        }
    }

    fn arm(self: &Rc<Self>, ring: &Ring) {
        if self.armed.get().is_some() || ring.is_closing() {
            return;
        }
        self.cancelled.set(false);
        let fd = Fd(self.descriptor.as_raw_fd());
        let flags = libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        let once_only = self.once_only.get();
        let id = ring.start(Flight::Accept { listener: self.clone() }, |_| {
            if once_only {
                opcode::Accept::new(fd, std::ptr::null_mut(), std::ptr::null_mut()).flags(flags).build()
            } else {
                opcode::AcceptMulti::new(fd).flags(flags).build()
            }
        });
        self.armed.set(Some(id));
    }
}

pub(super) struct Listener {
    ring: Rc<Ring>,
    pipes: Rc<Pipes>,
    state: Rc<ListenerState>,
}

impl Listener {
    pub(super) fn new(ring: Rc<Ring>, pipes: Rc<Pipes>, descriptor: OwnedFd) -> Self {
        let state = ListenerState {
            descriptor,
            queue: RefCell::default(),
            error: RefCell::default(),
            armed: Cell::new(None),
            cancelled: Cell::new(false),
            once_only: Cell::new(false),
            waiting: RefCell::default(),
        };
        Self { ring, pipes, state: Rc::new(state) }
    }
}

impl RawListener for Listener {
    fn accept(&self) -> LocalFuture<io::Result<(Rc<dyn RawStream>, SocketAddr)>> {
        let (ring, pipes, state) = (self.ring.clone(), self.pipes.clone(), self.state.clone());
        Box::pin(poll_fn(move |context| {
            loop {
                let next = state.queue.borrow_mut().pop_front();
                if let Some(descriptor) = next {
                    // A peer that has already gone has no address: on to the next one.
                    let Some(peer) = rustix::net::getpeername(&descriptor)
                        .ok()
                        .flatten()
                        .and_then(|address| SocketAddr::try_from(address).ok())
                    else {
                        continue;
                    };
                    let descriptor = Rc::new(Descriptor(descriptor));
                    let stream = Stream::new(ring.clone(), pipes.clone(), descriptor, unmapped(peer));
                    return Poll::Ready(Ok((Rc::new(stream) as Rc<dyn RawStream>, unmapped(peer))));
                }
                if let Some(error) = state.error.take() {
                    return Poll::Ready(Err(error));
                }
                state.arm(&ring);
                let mut waiting = state.waiting.borrow_mut();
                if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                    waiting.push(context.waker().clone());
                }
                return Poll::Pending;
            }
        }))
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        local_address(&self.state.descriptor)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(id) = self.state.armed.get()
            && !self.ring.is_closing()
        {
            self.ring.cancel(id);
        }
    }
}

/// An IPv4 peer of a dual-stack listener shows as IPv4, as in Java.
fn unmapped(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V6(v6) => match v6.ip().to_ipv4_mapped() {
            Some(ip) => SocketAddr::from((ip, v6.port())),
            None => address,
        },
        SocketAddr::V4(_) => address,
    }
}

pub(in super::super) fn local_address(descriptor: &OwnedFd) -> io::Result<SocketAddr> {
    let address = rustix::net::getsockname(descriptor)?;
    SocketAddr::try_from(address).map_err(|_| io::Error::other("the socket has no internet address"))
}

/// A socket bound to `address`, shared with others that do the same when `shared`; it does not listen yet.
/// `[::]` takes IPv4 too, as in Java.
pub(in super::super) fn bind_listener(address: SocketAddr, shared: bool) -> io::Result<OwnedFd> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    // Not NONBLOCK: the ring's accept would then not wait.
    let descriptor = rustix::net::socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    sockopt::set_socket_reuseaddr(&descriptor, true)?;
    if shared {
        sockopt::set_socket_reuseport(&descriptor, true)?;
    }
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&descriptor, false)?;
    }
    // Accepted sockets inherit these two.
    sockopt::set_tcp_nodelay(&descriptor, true)?;
    sockopt::set_socket_keepalive(&descriptor, true)?;
    rustix::net::bind(&descriptor, &address)?;
    Ok(descriptor)
}

pub(in super::super) fn listen(descriptor: &OwnedFd) -> io::Result<()> {
    Ok(rustix::net::listen(descriptor, BACKLOG)?)
}
