//! SIGINT and SIGTERM, for tools that have something to finish first.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The signal that came first, 0 before.
static FIRST: AtomicI32 = AtomicI32::new(0);

/// The exit code of a program that a signal ended, after [`flag`] was raised.
pub fn exit_code() -> ExitCode {
    ExitCode::from(u8::try_from(128 + FIRST.load(Ordering::SeqCst)).unwrap_or(u8::MAX))
}

fn watch(mut action: impl FnMut(i32) + Send + 'static) -> Result<(), String> {
    let mut signals =
        Signals::new([SIGINT, SIGTERM]).map_err(|error| format!("no signal handler: {error}"))?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(&mut action))
        .map(drop)
        .map_err(|error| format!("no thread: {error}"))
}

/// Calls `action` on the first signal with the exit code that stands for it; a second one ends the process at once.
///
/// # Errors
/// One line if the system refuses.
pub fn on_interrupt(action: impl FnOnce(i32) + Send + 'static) -> Result<(), String> {
    let mut action = Some(action);
    watch(move |signal| {
        let code = 128 + signal;
        match action.take() {
            // On a thread of its own, so that the next signal is seen.
            Some(action) => drop(std::thread::spawn(move || action(code))),
            None => std::process::exit(code),
        }
    })
}

/// A flag that the first signal raises; a second one ends the process at once.
///
/// # Errors
/// One line if the system refuses.
pub fn flag() -> Result<Arc<AtomicBool>, String> {
    let raised = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&raised);
    watch(move |signal| {
        let _ = FIRST.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        if shared.swap(true, Ordering::SeqCst) {
            std::process::exit(128 + signal);
        }
    })?;
    Ok(raised)
}
