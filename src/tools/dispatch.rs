//! From the name of a tool to the tool.

use std::ffi::OsString;
use std::process::ExitCode;

use super::{console_consumer, console_producer, dump_log, producer_perf_test, topics};

/// Runs the tool of this name, with or without `kafka-` in front and `.sh` behind; `None` if there is none. `args` are
/// its arguments without its name.
pub fn run(name: &str, mut args: Vec<OsString>) -> Option<ExitCode> {
    let name = name.strip_prefix("kafka-").unwrap_or(name);
    let name = name.strip_suffix(".sh").unwrap_or(name);
    Some(match name {
        "console-consumer" => console_consumer::run(args),
        "console-producer" => console_producer::run(args),
        "dump-log" => {
            // Its parser wants the name in front.
            args.insert(0, name.into());
            dump_log::run(args)
        }
        "producer-perf-test" => producer_perf_test::run(args),
        "topics" => topics::run(args),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_has_its_name_with_or_without_kafkas_ends() {
        for name in ["topics", "kafka-topics", "kafka-topics.sh", "console-producer", "dump-log"] {
            assert!(run(name, vec!["--help".into()]).is_some(), "{name}");
        }
        assert!(run("server", Vec::new()).is_none());
    }
}
