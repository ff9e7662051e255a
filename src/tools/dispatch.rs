//! From the name of a tool to the tool.

use std::ffi::OsString;
use std::process::ExitCode;

use super::{console_consumer, console_producer, producer_perf_test, topics};

/// Runs the tool of this name, with or without `kafka-` in front and `.sh` behind; `None` if there is none. `args` are
/// its arguments without its name.
pub fn run(name: &str, args: Vec<OsString>) -> Option<ExitCode> {
    let name = name.strip_prefix("kafka-").unwrap_or(name);
    let name = name.strip_suffix(".sh").unwrap_or(name);
    Some(match name {
        "console-consumer" => console_consumer::run(args),
        "console-producer" => console_producer::run(args),
        "producer-perf-test" => producer_perf_test::run(args),
        "topics" => topics::run(args),
        _ => return None,
    })
}
