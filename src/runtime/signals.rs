//! SIGTERM and SIGINT: the first asks the shards to stop in order, the second ends the process at once (recovery is
//! exact). A thread of its own waits for them, so that the second works even when a shard stands still.

use std::io;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use crossbeam_queue::SegQueue;

use super::Runtime;
use super::platform::Bell;

/// Tells shards that the process is asked to stop. Clones are the same.
#[derive(Clone)]
pub struct Signals(Arc<Shared>);

struct Shared {
    stop: AtomicBool,
    /// Shards that wait; rung once.
    bells: SegQueue<Arc<dyn Bell>>,
}

impl Signals {
    /// Takes the two signals for this process. Call it before any other thread exists: threads inherit the mask.
    pub fn install() -> io::Result<Self> {
        let set = signal_set();
        // SAFETY: the set is initialised; the old mask is not asked for.
        let result = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
        if result != 0 {
            return Err(io::Error::from_raw_os_error(result));
        }
        let signals = Self::never();
        let shared = signals.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || shared.wait_for_signals())?;
        Ok(signals)
    }

    /// Signals that come only by [`Signals::request_stop`]. For tests and tools.
    #[must_use]
    pub fn never() -> Self {
        Self(Arc::new(Shared { stop: AtomicBool::new(false), bells: SegQueue::new() }))
    }

    /// Ends when the process was asked to stop.
    pub async fn stop_requested(&self, runtime: &Runtime) {
        let mut known = false;
        std::future::poll_fn(|context| {
            // First the bell and the waker, then the look: a request in between rings.
            if !known {
                known = true;
                self.0.bells.push(runtime.bell());
            }
            runtime.on_ring(context);
            if self.is_stop_requested() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Whether the process was asked to stop.
    #[must_use]
    pub fn is_stop_requested(&self) -> bool {
        self.0.stop.load(Ordering::SeqCst)
    }

    /// Asks it to stop, as a signal does.
    pub fn request_stop(&self) {
        self.0.stop.store(true, Ordering::SeqCst);
        while let Some(bell) = self.0.bells.pop() {
            bell.ring();
        }
    }

    fn wait_for_signals(&self) {
        let set = signal_set();
        loop {
            let mut signal = 0;
            // SAFETY: both are valid; the signals are blocked in every thread.
            if unsafe { libc::sigwait(&raw const set, &raw mut signal) } != 0 {
                continue;
            }
            if self.is_stop_requested() {
                let line = format!("millrace: signal {signal} again, the process stops at once\n");
                let _ = io::stderr().write_all(line.as_bytes());
                // SAFETY: ends the process; no destructor may run while shards do.
                unsafe { libc::_exit(128 + signal) };
            }
            tracing::info!(signal, "asked to stop; the same again stops at once");
            self.request_stop();
        }
    }
}

pub(super) fn signal_set() -> libc::sigset_t {
    // SAFETY: all zeros is memory for a set, which sigemptyset then initialises.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    for signal in [libc::SIGTERM, libc::SIGINT] {
        // SAFETY: the set is valid, both are signals.
        unsafe { libc::sigaddset(&raw mut set, signal) };
    }
    set
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::child::{in_child, is_child};
    use super::super::shards::{Options, start_shards};
    use super::super::topology::Plan;
    use super::*;

    fn kill_self() {
        // SAFETY: sends a signal that this process waits for.
        unsafe { libc::kill(libc::getpid(), libc::SIGTERM) };
    }

    #[test]
    fn the_first_signal_stops_every_shard() {
        if !is_child() {
            let output = in_child("runtime::signals::tests::the_first_signal_stops_every_shard");
            assert!(output.status.success(), "{output:?}");
            return;
        }
        let signals = Signals::install().unwrap();
        let shared = signals.clone();
        let running = start_shards(&Plan::unpinned(2), Options::default(), move |context| {
            let signals = shared.clone();
            async move { signals.stop_requested(&context.runtime).await }
        })
        .unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(!signals.is_stop_requested());
        kill_self();
        running.join().unwrap();
    }

    #[test]
    fn the_second_signal_ends_the_process() {
        if !is_child() {
            let output = in_child("runtime::signals::tests::the_second_signal_ends_the_process");
            assert_eq!(output.status.code(), Some(128 + libc::SIGTERM), "{output:?}");
            return;
        }
        let signals = Signals::install().unwrap();
        kill_self();
        while !signals.is_stop_requested() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_self();
        std::thread::sleep(Duration::from_secs(10));
    }

    #[test]
    fn a_panic_on_a_shard_ends_the_process_with_a_clear_last_line() {
        if !is_child() {
            let name = "runtime::signals::tests::a_panic_on_a_shard_ends_the_process_with_a_clear_last_line";
            let output = in_child(name);
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let last = text.trim().lines().last().unwrap_or_default();
            assert!(!output.status.success() && last.starts_with("millrace: fatal: shard 0 "), "{text}");
            assert!(last.contains("in the core") && !text.contains("not reached"), "{text}");
            return;
        }
        let running = start_shards(&Plan::unpinned(1), Options::default(), |context| async move {
            let contained = super::super::catch_panic(async { panic!("in a connection") }).await;
            let _: Result<(), _> = contained;
            let _ = context.runtime.spawn(async { panic!("in the core") }).await;
        });
        let _ = running.unwrap().join();
        eprintln!("not reached");
    }
}
