//! Sending file ranges that are not in the page cache: the ring's workers splice them from the file into a pipe,
//! the shard splices the pipe into the socket, and no byte is copied.
//!
//! Bound: [`PIPES`] pipes a shard, so as many cold reads at a time; further ones wait in order. A pipe is never
//! held while a slow peer's socket is full: what did not fit is thrown away (it is in the page cache now).

use std::cell::RefCell;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;

use io_uring::opcode;
use io_uring::types::Fd;
use rustix::pipe::{PipeFlags, SpliceFlags};

use super::super::platform::FileHandle;
use super::super::sync::{Budget, Permit};
use super::socket::{Descriptor, writable};
use super::uring::{Keep, Ring, check};

const PIPES: u64 = 16;
/// Bytes of a pipe. Where the user's share of pipe memory is used up, the kernel gives less.
const CAPACITY: usize = 256 << 10;

pub(super) struct Pipe {
    read: OwnedFd,
    write: OwnedFd,
    capacity: usize,
}

impl Pipe {
    fn new() -> io::Result<Rc<Self>> {
        let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let capacity = match rustix::pipe::fcntl_setpipe_size(&write, CAPACITY) {
            Ok(capacity) => capacity,
            Err(_) => rustix::pipe::fcntl_getpipe_size(&write)?,
        };
        Ok(Rc::new(Self { read, write, capacity }))
    }
}

/// The shard's pipes.
pub(super) struct Pipes {
    budget: Budget,
    idle: RefCell<Vec<Rc<Pipe>>>,
}

impl Pipes {
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self { budget: Budget::new(PIPES), idle: RefCell::default() })
    }

    async fn take(&self) -> io::Result<(Rc<Pipe>, Permit)> {
        let permit = self.budget.acquire(1).await;
        let idle = self.idle.borrow_mut().pop();
        let pipe = match idle {
            Some(pipe) => pipe,
            None => Pipe::new()?,
        };
        Ok((pipe, permit))
    }
}

/// Sends up to `len` bytes of the file; gives how many.
pub(super) async fn splice_file(
    ring: Rc<Ring>,
    pipes: Rc<Pipes>,
    socket: Rc<Descriptor>,
    file: FileHandle,
    position: u64,
    len: usize,
) -> io::Result<usize> {
    let position = i64::try_from(position).map_err(|_| io::ErrorKind::InvalidInput)?;
    loop {
        let (pipe, permit) = pipes.take().await?;
        let wanted = len.min(pipe.capacity) as u32;
        let (from, to) = (Fd(file.raw()), Fd(pipe.write.as_raw_fd()));
        let keep = Keep { file: Some(file.clone()), pipe: Some(pipe.clone()), ..Keep::default() };
        let (result, _, keep) =
            ring.wait(keep, |_| opcode::Splice::new(from, position, to, -1, wanted).build()).await;
        drop(keep);
        let gathered = check(result)?;
        if gathered == 0 {
            pipes.idle.borrow_mut().push(pipe);
            return Ok(0);
        }
        let mut sent = 0;
        while sent < gathered {
            let flags = SpliceFlags::NONBLOCK | SpliceFlags::MOVE;
            match rustix::pipe::splice(&pipe.read, None, &socket.0, None, gathered - sent, flags) {
                Ok(0) => break,
                Ok(count) => sent += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(error) => return Err(error.into()),
            }
        }
        if sent == gathered {
            pipes.idle.borrow_mut().push(pipe);
            return Ok(sent);
        }
        // The pipe still holds bytes: it closes with them.
        drop((pipe, permit));
        if sent > 0 {
            return Ok(sent);
        }
        writable(ring.clone(), socket.clone()).await?;
    }
}
