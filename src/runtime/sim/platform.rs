//! One shard's view of a simulated world.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;

use super::super::platform::{
    Bell, Completion, FileHandle, LocalFuture, Operation, Platform, RawListener, RawStream,
};
use super::network::Network;
use super::random::Random;
use super::world::{Core, Happening, MachineState, ShardState};

pub(super) struct SimPlatform {
    core: Rc<Core>,
    machine: Rc<MachineState>,
    shard: Rc<ShardState>,
    random: RefCell<Random>,
}

impl SimPlatform {
    pub(super) fn new(
        core: Rc<Core>,
        machine: Rc<MachineState>,
        shard: Rc<ShardState>,
        random: Random,
    ) -> Self {
        Self { core, machine, shard, random: RefCell::new(random) }
    }
}

impl Platform for SimPlatform {
    fn now_ns(&self) -> u64 {
        self.core.now_ns()
    }

    fn wall_clock_ms(&self) -> i64 {
        self.core.wall_clock_ms()
    }

    fn random_u64(&self) -> u64 {
        self.random.borrow_mut().next_u64()
    }

    fn submit(&self, operation: Operation, done: Completion) {
        if !self.shard.alive.get() {
            // A dead process asks for nothing and is told nothing.
            return;
        }
        let faults = self.core.faults.borrow();
        let submitted = self.machine.disk.borrow_mut().submit(operation, done, &faults);
        self.core.note(submitted.trace);
        let what = Happening::Disk { machine: self.machine.clone(), number: submitted.number };
        self.core.at(self.core.now_ns() + submitted.after_ns, what);
    }

    fn wake_at(&self, at_ns: u64, waker: Waker) {
        self.add_timer(at_ns, waker);
    }

    fn add_timer(&self, at_ns: u64, waker: Waker) -> u64 {
        if !self.shard.alive.get() {
            return u64::MAX;
        }
        self.core.at(at_ns, Happening::Wake { shard: self.shard.clone(), waker })
    }

    fn cancel_timer(&self, at_ns: u64, number: u64) {
        self.core.cancel(at_ns, number);
    }

    fn listen(&self, address: SocketAddr) -> io::Result<Rc<dyn RawListener>> {
        Network::listen(&self.core, self.machine.number, address)
    }

    fn connect(&self, address: SocketAddr) -> LocalFuture<io::Result<Rc<dyn RawStream>>> {
        Network::connect(&self.core, &self.machine, address)
    }

    fn cached_bytes(&self, file: &FileHandle, _position: u64, len: u64) -> u64 {
        let _ = file;
        match self.random.borrow_mut().below(3) {
            0 => 0,
            1 => len,
            _ => self.random.borrow_mut().below(len / 4096 + 1) * 4096,
        }
    }

    fn read_ahead(&self, _file: &FileHandle, _position: u64, _len: u64) {}

    fn bell(&self) -> Arc<dyn Bell> {
        self.shard.bell.clone()
    }

    fn rung(&self, waker: &Waker) {
        let mut listening = self.shard.listening.borrow_mut();
        if self.shard.alive.get() && !listening.iter().any(|other| other.will_wake(waker)) {
            listening.push(waker.clone());
        }
    }

    fn offload(&self, work: Box<dyn FnOnce() + Send>) -> LocalFuture<()> {
        // In place, and as on the real platform a panic in it stays there; the caller sees no result.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        drop(ended);
        let (core, shard) = (self.core.clone(), self.shard.clone());
        let done_ns = core.now_ns() + core.delay(500);
        let mut armed = false;
        Box::pin(std::future::poll_fn(move |context| {
            if core.now_ns() >= done_ns {
                return std::task::Poll::Ready(());
            }
            if !armed && shard.alive.get() {
                armed = true;
                core.at(done_ns, Happening::Wake { shard: shard.clone(), waker: context.waker().clone() });
            }
            std::task::Poll::Pending
        }))
    }
}
