//! Out of descriptors (EMFILE, ENFILE): the shard closes files that it can open again, and tries again.
//!
//! One per shard. An operation that opens a descriptor has done nothing when it finds none, so that trying again is
//! right where trying a failed write or flush again would not be; storage is not at fault. Bound: the pause between
//! two tries grows to [`LONGEST_PAUSE`]; who waits is a task that waits for the operation anyway.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::Duration;

use super::Runtime;
use super::platform::{Operation, Outcome};

const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// The least time between two lines of the log about it.
const SAID_EVERY_NS: u64 = 10_000_000_000;

/// See the module.
#[derive(Default)]
pub struct Descriptors {
    release: RefCell<Option<Rc<dyn Fn()>>>,
    waits: Cell<u64>,
    said_at_ns: Cell<Option<u64>>,
}

impl Descriptors {
    /// Sets what closes files that can be opened again.
    pub fn on_shortage(&self, release: Rc<dyn Fn()>) {
        *self.release.borrow_mut() = Some(release);
    }

    /// Tries that found no descriptor.
    #[must_use]
    pub fn waits(&self) -> u64 {
        self.waits.get()
    }

    fn short(&self, now_ns: u64, error: &io::Error) {
        self.waits.set(self.waits.get() + 1);
        if self.said_at_ns.get().is_none_or(|at| now_ns.saturating_sub(at) >= SAID_EVERY_NS) {
            self.said_at_ns.set(Some(now_ns));
            tracing::warn!(%error, "out of descriptors: files are closed and opened again, which is slow; raise the limit (ulimit -n, LimitNOFILE=) or lower the budgets in [shards] and [log]");
        }
        let release = self.release.borrow().clone();
        if let Some(release) = release {
            release();
        }
    }
}

impl Runtime {
    /// Starts an operation that opens a descriptor, again and again until there is one.
    pub(super) async fn submit_opening(&self, operation: impl Fn() -> Operation) -> io::Result<Outcome> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.submit(operation()).await {
                Err(error) if is_shortage(&error) => {
                    self.descriptors().short(self.now_ns(), &error);
                    self.sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                ended => return ended,
            }
        }
    }
}

fn is_shortage(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}
