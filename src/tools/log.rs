//! Warnings and errors of the tools, on standard error, in the layout of Kafka's tools.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock;

fn line(level: &str, text: &str) {
    // Nothing can be done about a closed standard error.
    let _ = writeln!(std::io::stderr(), "[{}] {level} {text}", clock::log_time());
}

/// Something the operator should see; the tool goes on.
pub fn warn(text: &str) {
    line("WARN", text);
}

/// Something failed.
pub fn error(text: &str) {
    line("ERROR", text);
}

/// How soon the same text is said again.
const REPEAT: Duration = Duration::from_secs(5);

/// Like [`warn`], but for the same text only every few seconds, with the number of times that were left out.
pub fn warn_rarely(text: &str) {
    static LAST: Mutex<Option<(String, Instant, u64)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    let mut suppressed = 0;
    if let Some((said, when, count)) = &mut *last
        && said == text
    {
        if now.duration_since(*when) < REPEAT {
            *count += 1;
            return;
        }
        suppressed = *count;
    }
    *last = Some((text.to_owned(), now, 0));
    drop(last);
    if suppressed > 0 {
        warn(&format!("{text} (and {suppressed} times before)"));
    } else {
        warn(text);
    }
}
