//! What a shard asks of the world: time, randomness, files, sockets, a bell to be woken by other shards.
//!
//! Two implementations: `ring` (glommio and the shard's own io_uring) and `sim` (a seeded simulator). Everything
//! above this module sees [`super::Runtime`] and the small types around it, never an implementation.
//!
//! Operations are owned: an implementation keeps their buffers until the operation has ended, also when nobody
//! waits for the result any more. Completions arrive in any order.
#![allow(missing_docs)] // the fields of operations say what they are by name

use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::{Bytes, BytesMut};

use super::buffer::AlignedBuf;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Read only, through the page cache: what `send_file` takes.
    Read,
    /// Read and write through the page cache; made when missing. For small files beside the data.
    Buffered,
    /// Read and write by direct I/O; must exist.
    Direct,
    /// Read and write by direct I/O; made, must not exist.
    DirectNew,
}

/// An open file. Clones share the descriptor, which closes with the last; may cross shards.
#[derive(Clone, Debug)]
pub struct FileHandle(pub(super) Arc<FileInner>);

#[derive(Debug)]
pub(super) struct FileInner {
    /// The simulator's number for the open file; unused otherwise.
    #[allow(dead_code)]
    pub(super) number: u64,
    /// The descriptor; absent in the simulator.
    pub(super) descriptor: Option<std::os::fd::OwnedFd>,
}

impl Drop for FileInner {
    fn drop(&mut self) {
        if let Some(descriptor) = self.descriptor.take() {
            super::ring::close_later(descriptor);
        }
    }
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The name, without its directory.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
}

/// What is known of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathInfo {
    /// Length in bytes.
    pub len: u64,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// Last modification, milliseconds since 1970.
    pub modified_ms: i64,
}

/// An operation on files. Positions and lengths are in bytes.
#[derive(Debug)]
pub enum Operation {
    /// Opens `path`. Gives [`Outcome::File`].
    Open { path: PathBuf, mode: OpenMode },
    /// Reads into the whole of `buffer` from `position`; may read less. Gives [`Outcome::Read`].
    Read { file: FileHandle, position: u64, buffer: AlignedBuf },
    /// Writes `parts` one after the other at `position`; may write less. With `durable` the written bytes, and
    /// only they (law 1), are durable when it ends. Gives [`Outcome::Count`].
    Write { file: FileHandle, position: u64, parts: Vec<Bytes>, durable: bool },
    /// Makes completed writes of this file durable, with its length; `data_only` as fdatasync. Gives [`Outcome::Count`].
    Sync { file: FileHandle, data_only: bool },
    /// Sets the file's length. Gives [`Outcome::Count`].
    SetLength { file: FileHandle, len: u64 },
    /// Allocates blocks for the range without changing the length. Gives [`Outcome::Count`].
    Allocate { file: FileHandle, position: u64, len: u64 },
    /// What is known of an open file. Gives [`Outcome::Info`].
    FileInfo { file: FileHandle },
    /// What is known of a path. Gives [`Outcome::Info`].
    PathInfo { path: PathBuf },
    /// Makes a directory (not its parents). Gives [`Outcome::Count`].
    MakeDirectory { path: PathBuf },
    /// Lists a directory. Gives [`Outcome::Entries`].
    List { path: PathBuf },
    /// Renames, replacing what is there. Gives [`Outcome::Count`].
    Rename { from: PathBuf, to: PathBuf },
    /// Removes a file. Gives [`Outcome::Count`].
    RemoveFile { path: PathBuf },
    /// Removes an empty directory. Gives [`Outcome::Count`].
    RemoveDirectory { path: PathBuf },
    /// Makes a directory's entries durable. Gives [`Outcome::Count`].
    SyncDirectory { path: PathBuf },
    /// syncfs: every completed write, length and name on the file system under `path` is durable when it ends. For
    /// recovery and for making many partitions at once. Gives [`Outcome::Count`].
    SyncFilesystem { path: PathBuf },
    /// Free bytes of the file system under `path`. Gives [`Outcome::Free`].
    FreeBytes { path: PathBuf },
}

/// How an operation ended.
#[derive(Debug)]
pub enum Outcome {
    /// An open file.
    File(FileHandle),
    /// Bytes read into the buffer's front (0 at the end of the file).
    Read(usize, AlignedBuf),
    /// Bytes written, or 0 for operations without a count.
    Count(usize),
    /// What is known of a path or file.
    Info(PathInfo),
    /// A directory's entries, in no order.
    Entries(Vec<DirectoryEntry>),
    /// Free and total bytes.
    Free { free_bytes: u64, total_bytes: u64 },
}

/// A boxed future that stays on its shard.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Rung by another thread to wake a shard; cheap when the shard is awake.
pub trait Bell: Send + Sync {
    /// Wakes the shard: every task that waits in [`Platform::rung`] runs once soon.
    fn ring(&self);
}

/// A listening socket.
pub trait RawListener {
    /// The next connection. Pending until there is one.
    fn accept(&self) -> LocalFuture<io::Result<(Rc<dyn RawStream>, SocketAddr)>>;
    /// The bound address.
    fn local_addr(&self) -> io::Result<SocketAddr>;
}

/// A connected socket.
pub trait RawStream {
    /// Receives into the spare capacity of `buffer` (at least one byte of it); 0 means the peer closed.
    fn read(&self, buffer: BytesMut) -> LocalFuture<(io::Result<usize>, BytesMut)>;
    /// Sends what the socket takes at once; `WouldBlock` when it takes nothing.
    fn try_write(&self, parts: &[Bytes]) -> io::Result<usize>;
    /// Sends a range of a file that is in the page cache, what the socket takes at once.
    fn try_send_file(&self, file: &FileHandle, position: u64, len: usize) -> io::Result<usize>;
    /// Sends a range of a file that must come from the disk, without stopping the shard; may send less.
    fn splice_file(&self, file: &FileHandle, position: u64, len: usize) -> LocalFuture<io::Result<usize>>;
    /// Ends when the socket takes bytes again or has failed.
    fn writable(&self) -> LocalFuture<io::Result<()>>;
    /// Closes both directions; pending reads end with 0.
    fn shutdown(&self);
    /// The peer's address.
    fn peer_addr(&self) -> SocketAddr;
    /// The local address.
    fn local_addr(&self) -> SocketAddr;
}

/// What a shard needs of the world. One value a shard; all calls from that shard's thread.
pub trait Platform {
    /// Nanoseconds of a clock that only goes forward.
    fn now_ns(&self) -> u64;
    /// Milliseconds since 1970; may jump.
    fn wall_clock_ms(&self) -> i64;
    /// A random number (hash seeds, ids, jitter).
    fn random_u64(&self) -> u64;
    /// Starts an operation; `done` gets its outcome.
    fn submit(&self, operation: Operation, done: Completion);
    /// Wakes `waker` once at or soon after `at_ns` of [`Platform::now_ns`].
    fn wake_at(&self, at_ns: u64, waker: Waker);
    /// As [`Platform::wake_at`]; gives a number by which [`Platform::cancel_timer`] forgets it, with `at_ns`.
    fn add_timer(&self, at_ns: u64, waker: Waker) -> u64 {
        self.wake_at(at_ns, waker);
        0
    }
    /// Forgets a timer, so that timeouts that do not fire cost no memory. May do nothing.
    fn cancel_timer(&self, _at_ns: u64, _number: u64) {}
    /// Listens on `address`, together with every other shard that does.
    fn listen(&self, address: SocketAddr) -> io::Result<Rc<dyn RawListener>>;
    /// Connects to `address`.
    fn connect(&self, address: SocketAddr) -> LocalFuture<io::Result<Rc<dyn RawStream>>>;
    /// How many of the bytes in the range are in the page cache.
    fn cached_bytes(&self, file: &FileHandle, position: u64, len: u64) -> u64;
    /// Hints that the range will be read soon. From then on nothing but such hints is read ahead in this file.
    fn read_ahead(&self, file: &FileHandle, position: u64, len: u64);
    /// This shard's bell, for others to ring.
    fn bell(&self) -> Arc<dyn Bell>;
    /// Registers a waker to be woken the next time the bell has rung.
    fn rung(&self, waker: &Waker);
    /// Wakes `waker` when the shard has looked at what came meanwhile, behind that; where tasks run in any order, at once.
    fn next_turn(&self, waker: &Waker) {
        waker.wake_by_ref();
    }
    /// How often the shard has looked; None where tasks run in any order.
    fn turn(&self) -> Option<u64> {
        None
    }
    /// Runs a closure that may block or compute for long off the shard; where there is no other thread (the
    /// simulator) it runs in place. For compression, hashing, name look-up; never for files.
    fn offload(&self, work: Box<dyn FnOnce() + Send>) -> LocalFuture<()>;
    /// What the shard has done since its start, for metrics.
    fn counters(&self) -> Counters {
        Counters::default()
    }
}

/// What a shard has done since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Entries into the kernel by the ring.
    pub enters: u64,
    /// Completions.
    pub completions: u64,
    /// Operations in flight now.
    pub in_flight: u64,
    /// Polls of tasks.
    pub polls: u64,
    /// Times the shard fell asleep.
    pub sleeps: u64,
    /// Times only the heartbeat woke a shard that had work: each is a lost wake-up.
    pub saved_by_heartbeat: u64,
    /// System calls that others made to wake this shard.
    pub bell_calls: u64,
    /// The longest time for which tasks ran between two looks at the ring, in nanoseconds.
    pub longest_batch_ns: u64,
}

struct Slot {
    outcome: Option<io::Result<Outcome>>,
    waker: Option<Waker>,
}

/// Where an implementation puts an operation's outcome.
pub struct Completion(Rc<RefCell<Slot>>);

impl Completion {
    /// Ends the operation and wakes who waits.
    pub fn complete(self, outcome: io::Result<Outcome>) {
        let waker = {
            let mut slot = self.0.borrow_mut();
            slot.outcome = Some(outcome);
            slot.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// An operation under way. Dropping it does not stop the operation.
pub struct Pending(Rc<RefCell<Slot>>);

impl Pending {
    /// A pair of a pending operation and its completion.
    #[must_use]
    pub fn new() -> (Self, Completion) {
        let slot = Rc::new(RefCell::new(Slot { outcome: None, waker: None }));
        (Self(slot.clone()), Completion(slot))
    }
}

impl Future for Pending {
    type Output = io::Result<Outcome>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut slot = self.0.borrow_mut();
        match slot.outcome.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
