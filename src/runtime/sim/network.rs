//! The network of a simulated world: byte streams with delays, odd chunks, full buffers and resets.
//!
//! A file range that is sent keeps its place in the file until it arrives, as with sendfile: a block that changes
//! under way arrives changed.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};

use bytes::{Buf, BufMut, Bytes, BytesMut};

use super::super::platform::{FileHandle, LocalFuture, RawListener, RawStream};
use super::world::{Core, MachineState};

/// Bytes that a direction of a stream holds, under way and not yet read.
const CAPACITY: usize = 64 * 1024;

/// Everything on the network.
#[derive(Default)]
pub(super) struct Network {
    listeners: BTreeMap<SocketAddr, Vec<Weak<Listener>>>,
    streams: Vec<(u64, Weak<RefCell<Pipe>>)>,
    next_port: u16,
}

type Accepted = (Rc<dyn RawStream>, SocketAddr);

struct Listener {
    machine: u64,
    address: SocketAddr,
    waiting: RefCell<VecDeque<Accepted>>,
    wakers: RefCell<Vec<Waker>>,
}

/// One direction of a stream.
#[derive(Default)]
struct Pipe {
    arrived: BytesMut,
    under_way: usize,
    /// When the last bytes under way arrive: later ones never overtake.
    last_ns: u64,
    /// The writer has closed, and everything has arrived.
    closed: bool,
    /// The writer has closed.
    closing: bool,
    reset: bool,
    /// An end's process has died: a reset is on its way.
    lost: bool,
    readers: Vec<Waker>,
    writers: Vec<Waker>,
}

impl Pipe {
    fn room(&self) -> usize {
        CAPACITY.saturating_sub(self.arrived.len() + self.under_way)
    }
}

fn wake(pipe: &Rc<RefCell<Pipe>>) {
    let (readers, writers) = {
        let mut pipe = pipe.borrow_mut();
        (std::mem::take(&mut pipe.readers), std::mem::take(&mut pipe.writers))
    };
    for waker in readers.into_iter().chain(writers) {
        waker.wake();
    }
}

fn reset(pipe: &Rc<RefCell<Pipe>>) {
    pipe.borrow_mut().reset = true;
    wake(pipe);
}

/// One end of a connection.
#[derive(Clone)]
struct End {
    core: Rc<Core>,
    machine: Rc<MachineState>,
    incoming: Rc<RefCell<Pipe>>,
    outgoing: Rc<RefCell<Pipe>>,
}

struct Stream {
    end: End,
    local: SocketAddr,
    peer: SocketAddr,
}

enum Chunk {
    Memory(Bytes),
    File { machine: Rc<MachineState>, file: FileHandle, position: u64, at_submission: Bytes },
}

impl Chunk {
    fn arrive(self) -> Bytes {
        match self {
            Self::Memory(bytes) => bytes,
            Self::File { machine, file, position, at_submission } => {
                let now = machine.disk.borrow().bytes_of(&file, position, at_submission.len());
                // A cut file keeps its pages until they are sent.
                now.filter(|bytes| bytes.len() == at_submission.len()).unwrap_or(at_submission)
            }
        }
    }
}

impl End {
    fn send(&self, chunk: Chunk, len: usize) {
        let mut pipe = self.outgoing.borrow_mut();
        let most_us = self.core.faults.borrow().network_us;
        let at_ns = (self.core.now_ns() + self.core.delay(most_us)).max(pipe.last_ns + 1);
        pipe.last_ns = at_ns;
        pipe.under_way += len;
        let outgoing = self.outgoing.clone();
        let after_ns = at_ns.saturating_sub(self.core.now_ns());
        self.core.call_after(after_ns, move || {
            let bytes = chunk.arrive();
            {
                let mut pipe = outgoing.borrow_mut();
                pipe.under_way -= len;
                pipe.arrived.extend_from_slice(&bytes);
            }
            wake(&outgoing);
        });
    }

    fn send_file(&self, file: &FileHandle, position: u64, len: usize) -> io::Result<usize> {
        let taken = self.takes(len)?;
        let bytes = self.machine.disk.borrow().bytes_of(file, position, taken);
        let Some(at_submission) = bytes else { return Err(io::Error::from_raw_os_error(libc::EBADF)) };
        let count = at_submission.len();
        if count > 0 {
            let (machine, file) = (self.machine.clone(), file.clone());
            self.send(Chunk::File { machine, file, position, at_submission }, count);
        }
        Ok(count)
    }

    /// How much of `wanted` bytes the socket takes.
    fn takes(&self, wanted: usize) -> io::Result<usize> {
        let breaks = self.core.random.borrow_mut().chance(self.core.faults.borrow().network_reset);
        if breaks {
            reset(&self.incoming);
            reset(&self.outgoing);
        }
        let pipe = self.outgoing.borrow();
        if pipe.reset {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        if pipe.closing {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if wanted == 0 {
            return Ok(0);
        }
        match pipe.room().min(wanted) {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            most => {
                let mut random = self.core.random.borrow_mut();
                Ok(if random.chance(0.3) { 1 + random.index(most) } else { most })
            }
        }
    }
}

impl RawStream for Stream {
    fn read(&self, mut buffer: BytesMut) -> LocalFuture<(io::Result<usize>, BytesMut)> {
        let (core, incoming) = (self.end.core.clone(), self.end.incoming.clone());
        let mut held = Some(std::mem::take(&mut buffer));
        Box::pin(poll_fn(move |context| {
            let mut pipe = incoming.borrow_mut();
            let Some(mut buffer) = held.take() else { return Poll::Pending };
            if pipe.reset {
                return Poll::Ready((Err(io::ErrorKind::ConnectionReset.into()), buffer));
            }
            let spare = buffer.capacity() - buffer.len();
            let most = pipe.arrived.len().min(spare.max(1));
            if most > 0 {
                let count = {
                    let mut random = core.random.borrow_mut();
                    if random.chance(0.2) { 1 + random.index(most) } else { most }
                };
                buffer.put_slice(pipe.arrived.get(..count).unwrap_or_default());
                pipe.arrived.advance(count);
                let writers = std::mem::take(&mut pipe.writers);
                drop(pipe);
                for waker in writers {
                    waker.wake();
                }
                return Poll::Ready((Ok(count), buffer));
            }
            if pipe.closed {
                return Poll::Ready((Ok(0), buffer));
            }
            pipe.readers.push(context.waker().clone());
            held = Some(buffer);
            Poll::Pending
        }))
    }

    fn try_write(&self, parts: &[Bytes]) -> io::Result<usize> {
        let taken = self.end.takes(parts.iter().map(Bytes::len).sum())?;
        let mut left = taken;
        let mut bytes = BytesMut::with_capacity(taken);
        for part in parts {
            let step = left.min(part.len());
            bytes.extend_from_slice(part.get(..step).unwrap_or_default());
            left -= step;
        }
        if taken > 0 {
            self.end.send(Chunk::Memory(bytes.freeze()), taken);
        }
        Ok(taken)
    }

    fn try_send_file(&self, file: &FileHandle, position: u64, len: usize) -> io::Result<usize> {
        self.end.send_file(file, position, len)
    }

    fn splice_file(&self, file: &FileHandle, position: u64, len: usize) -> LocalFuture<io::Result<usize>> {
        let end = self.end.clone();
        let (file, until) = (file.clone(), end.core.now_ns() + end.core.delay(300));
        Box::pin(poll_fn(move |context| {
            if end.core.now_ns() < until {
                let waker = context.waker().clone();
                end.core.call_after(until - end.core.now_ns(), move || waker.wake());
                return Poll::Pending;
            }
            match end.send_file(&file, position, len) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    end.outgoing.borrow_mut().writers.push(context.waker().clone());
                    Poll::Pending
                }
                other => Poll::Ready(other),
            }
        }))
    }

    fn writable(&self) -> LocalFuture<io::Result<()>> {
        let outgoing = self.end.outgoing.clone();
        Box::pin(poll_fn(move |context| {
            let mut pipe = outgoing.borrow_mut();
            if pipe.reset || pipe.closing || pipe.room() > 0 {
                return Poll::Ready(Ok(()));
            }
            pipe.writers.push(context.waker().clone());
            Poll::Pending
        }))
    }

    fn shutdown(&self) {
        close(&self.end.core, &self.end.outgoing);
        self.end.incoming.borrow_mut().closed = true;
        wake(&self.end.incoming);
        wake(&self.end.outgoing);
    }

    fn peer_addr(&self) -> SocketAddr {
        self.peer
    }

    fn local_addr(&self) -> SocketAddr {
        self.local
    }
}

fn close(core: &Rc<Core>, pipe: &Rc<RefCell<Pipe>>) {
    let at_ns = {
        let mut state = pipe.borrow_mut();
        if state.closing || state.lost {
            return;
        }
        state.closing = true;
        core.now_ns().max(state.last_ns + 1)
    };
    let pipe = pipe.clone();
    core.call_after(at_ns - core.now_ns(), move || {
        pipe.borrow_mut().closed = true;
        wake(&pipe);
    });
}

impl Drop for Stream {
    fn drop(&mut self) {
        close(&self.end.core, &self.end.outgoing);
        // The peer's bytes have nobody to read them any more.
        let core = self.end.core.clone();
        let incoming = self.end.incoming.clone();
        core.call_after(core.delay(core.faults.borrow().network_us), move || {
            let unread = !incoming.borrow().closed && !incoming.borrow().lost;
            if unread {
                reset(&incoming);
            }
        });
    }
}

impl RawListener for ListenerHandle {
    fn accept(&self) -> LocalFuture<io::Result<Accepted>> {
        let listener = self.0.clone();
        Box::pin(poll_fn(move |context| {
            if let Some(accepted) = listener.waiting.borrow_mut().pop_front() {
                return Poll::Ready(Ok(accepted));
            }
            listener.wakers.borrow_mut().push(context.waker().clone());
            Poll::Pending
        }))
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.0.address)
    }
}

struct ListenerHandle(Rc<Listener>);

impl Network {
    fn free_port(&mut self) -> u16 {
        self.next_port = self.next_port.wrapping_add(1);
        40_000 + self.next_port % 20_000
    }

    pub(super) fn listen(
        core: &Rc<Core>,
        machine: u64,
        mut address: SocketAddr,
    ) -> io::Result<Rc<dyn RawListener>> {
        let mut network = core.network.borrow_mut();
        if address.port() == 0 {
            address.set_port(network.free_port());
        }
        let others = network.listeners.entry(address).or_default();
        others.retain(|other| other.strong_count() > 0);
        if others.iter().filter_map(Weak::upgrade).any(|other| other.machine != machine) {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        let listener = Rc::new(Listener {
            machine,
            address,
            waiting: RefCell::new(VecDeque::new()),
            wakers: RefCell::new(Vec::new()),
        });
        others.push(Rc::downgrade(&listener));
        Ok(Rc::new(ListenerHandle(listener)))
    }

    pub(super) fn connect(
        core: &Rc<Core>,
        machine: &Rc<MachineState>,
        address: SocketAddr,
    ) -> LocalFuture<io::Result<Rc<dyn RawStream>>> {
        let (core, machine) = (core.clone(), machine.clone());
        let until = core.now_ns() + core.delay(core.faults.borrow().network_us);
        Box::pin(poll_fn(move |context| {
            if core.now_ns() < until {
                let waker = context.waker().clone();
                core.call_after(until - core.now_ns(), move || waker.wake());
                return Poll::Pending;
            }
            Poll::Ready(Self::join(&core, &machine, address))
        }))
    }

    fn join(
        core: &Rc<Core>,
        machine: &Rc<MachineState>,
        address: SocketAddr,
    ) -> io::Result<Rc<dyn RawStream>> {
        let refused = core.random.borrow_mut().chance(core.faults.borrow().network_refuse);
        let mut network = core.network.borrow_mut();
        let port = network.free_port();
        let listeners = network.listeners.entry(address).or_default();
        listeners.retain(|listener| listener.strong_count() > 0);
        let chosen = core.random.borrow_mut().index(listeners.len());
        let listener = listeners.get(chosen).and_then(Weak::upgrade).filter(|_| !refused);
        let Some(listener) = listener else { return Err(io::ErrorKind::ConnectionRefused.into()) };
        let Some(server) = core.machine(listener.machine) else {
            return Err(io::ErrorKind::ConnectionRefused.into());
        };
        let (up, down) = (Rc::new(RefCell::new(Pipe::default())), Rc::new(RefCell::new(Pipe::default())));
        for number in [machine.number, listener.machine] {
            network.streams.push((number, Rc::downgrade(&up)));
            network.streams.push((number, Rc::downgrade(&down)));
        }
        network.streams.retain(|(_, pipe)| pipe.strong_count() > 0);
        drop(network);
        let local = SocketAddr::new(address.ip(), port);
        let (near, far) = ((down.clone(), up.clone()), (up, down));
        let end = |machine: Rc<MachineState>, (incoming, outgoing)| End {
            core: core.clone(),
            machine,
            incoming,
            outgoing,
        };
        let here = Stream { end: end(machine.clone(), near), local, peer: address };
        let there = Stream { end: end(server, far), local: address, peer: local };
        listener.waiting.borrow_mut().push_back((Rc::new(there), local));
        for waker in listener.wakers.take() {
            waker.wake();
        }
        Ok(Rc::new(here))
    }

    /// The process of a machine has died: its connections are reset.
    pub(super) fn lose_machine(core: &Rc<Core>, machine: u64) {
        let pipes: Vec<_> = {
            let mut network = core.network.borrow_mut();
            let lost = network.streams.extract_if(.., |(number, _)| *number == machine);
            lost.filter_map(|(_, pipe)| pipe.upgrade()).collect()
        };
        for pipe in pipes {
            pipe.borrow_mut().lost = true;
            core.call_after(core.delay(core.faults.borrow().network_us), move || reset(&pipe));
        }
    }
}
