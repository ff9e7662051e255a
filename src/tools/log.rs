//! Warnings and errors of the tools, on standard error, in the layout of Kafka's tools.

use std::collections::BTreeMap;
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

/// Texts that are remembered at a time.
const REMEMBERED: usize = 64;

/// Like [`warn`], but for the same text only every few seconds, with the number of times that were left out.
pub fn warn_rarely(text: &str) {
    /// When each text was said last, and how often it was not since.
    static SAID: Mutex<BTreeMap<String, (Instant, u64)>> = Mutex::new(BTreeMap::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    if let Some((when, left_out)) = said.get_mut(text)
        && now.duration_since(*when) < REPEAT
    {
        *left_out += 1;
        return;
    }
    if said.len() >= REMEMBERED {
        said.retain(|_, (when, _)| now.duration_since(*when) < REPEAT);
    }
    let left_out = said.get(text).map_or(0, |(_, left_out)| *left_out);
    if said.len() < REMEMBERED || left_out > 0 {
        said.insert(text.to_owned(), (now, 0));
    }
    drop(said);
    if left_out > 0 {
        warn(&format!("{text} (and {left_out} times before)"));
    } else {
        warn(text);
    }
}
