//! From the name of a tool to the tool.

use std::ffi::OsString;
use std::process::ExitCode;

use super::{
    broker_api_versions, configs, console_consumer, console_producer, consumer_perf_test, delete_records,
    dump_log, e2e_latency, features, get_offsets, log_dirs, producer_perf_test, topics, verifiable,
};

/// Runs the tool of this name, with or without `kafka-` in front and `.sh` behind; `None` if there is none. `args` are
/// its arguments without its name.
pub fn run(name: &str, mut args: Vec<OsString>) -> Option<ExitCode> {
    let name = name.strip_prefix("kafka-").unwrap_or(name);
    let name = name.strip_suffix(".sh").unwrap_or(name);
    Some(match name {
        "broker-api-versions" => broker_api_versions::run(args),
        "configs" => configs::run(args),
        "console-consumer" => console_consumer::run(args),
        "console-producer" => console_producer::run(args),
        "consumer-perf-test" => consumer_perf_test::run(args),
        "delete-records" => delete_records::run(args),
        "dump-log" => {
            // Its parser wants the name in front.
            args.insert(0, name.into());
            dump_log::run(args)
        }
        "e2e-latency" => e2e_latency::run(args),
        "features" => features::run(args),
        "get-offsets" => get_offsets::run(args),
        "log-dirs" => log_dirs::run(args),
        "producer-perf-test" => producer_perf_test::run(args),
        "topics" => topics::run(args),
        "verifiable-consumer" => verifiable::run_consumer(args),
        "verifiable-producer" => verifiable::run_producer(args),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_has_its_name_with_or_without_kafkas_ends() {
        for name in
            ["topics", "kafka-topics", "kafka-topics.sh", "console-producer", "dump-log", "kafka-configs.sh"]
        {
            assert!(run(name, vec!["--help".into()]).is_some(), "{name}");
        }
        assert!(run("server", Vec::new()).is_none());
    }
}
