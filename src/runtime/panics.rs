//! What a panic does: in a contained place (a connection's task, an offloaded computation) it becomes an error; on
//! any other line of a shard it stops the process at once, because recovery is fast and a half-dead broker is worse.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Once;

/// A contained panic, with its message and place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a task panicked: {message}")]
pub struct Panicked {
    /// What it said, and where.
    pub message: String,
}

/// What a panic outside of a contained place does to a shard's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnPanic {
    /// Ends the process at once.
    #[default]
    Abort,
    /// Ends the shard; joining it gives the panic. For tests.
    Propagate,
}

thread_local! {
    static CONTAINED: Cell<u32> = const { Cell::new(0) };
    static ABORTS: RefCell<Option<String>> = const { RefCell::new(None) };
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic on this thread, unless contained, ends the process.
pub(super) fn abort_on_panic(name: &str) {
    install();
    ABORTS.set(Some(name.to_owned()));
}

/// Puts our hook before the one that is there. Again is no harm.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let contained = CONTAINED.try_with(Cell::get).unwrap_or(0) > 0;
            if contained {
                let message = info.to_string().replace('\n', " ");
                let _ = LAST.try_with(|last| *last.borrow_mut() = Some(message));
                return;
            }
            previous(info);
            let name = ABORTS.try_with(|name| name.try_borrow().ok().and_then(|name| name.clone()));
            if let Ok(Some(name)) = name {
                let message = info.to_string().replace('\n', " ");
                let line = format!(
                    "millrace: fatal: {name} {message}; the process stops at once, restart it to recover\n"
                );
                let _ = std::io::stderr().write_all(line.as_bytes());
                std::process::abort();
            }
        }));
    });
}

/// Calls `work`; a panic in it is an error.
pub fn contained<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, Panicked> {
    install();
    CONTAINED.set(CONTAINED.get() + 1);
    let result = catch_unwind(work);
    CONTAINED.set(CONTAINED.get() - 1);
    result.map_err(|_| Panicked { message: LAST.take().unwrap_or_default() })
}

/// Runs `future`; a panic in it is an error, and the future is dropped. For tasks of connections.
pub async fn catch_panic<T>(future: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| match contained(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panicked) => std::task::Poll::Ready(Err(panicked)),
    })
    .await
}
