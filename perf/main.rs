//! The load harness: a raw Kafka client on pinned threads against any broker that speaks the protocol.
//!
//! Load is open loop unless `--rate max`: requests are due at fixed times, and latency counts from the time a request
//! was due, not from when it could be sent, so a broker that stalls is charged for all that queued up meanwhile. How late
//! the generator itself was is shown apart. Output: a table on standard error, one JSON object on standard output
//! (or in `--json FILE`).

mod charts;
mod cli;
mod compare;
mod connection;
mod connections;
mod consumers;
mod disk;
mod end_to_end;
mod fetch;
mod html;
mod ledger;
mod load;
mod machine;
mod measure;
mod peer;
mod produce;
mod producers;
mod progress;
mod records;
mod result;
mod run;
mod sampler;
mod scenario;
mod setup;
mod track;
mod workload;

use clap::Parser;

use cli::{Arguments, Command};

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let report = match &arguments.command {
        Command::Produce(options) => produce::run(&arguments.common, options),
        Command::Fetch(options) => fetch::run(&arguments.common, options),
        Command::EndToEnd(options) => end_to_end::run(&arguments.common, options),
        Command::CreateTopics(options) => setup::run_create(&arguments.common, options),
        Command::Run(options) => {
            let one = std::slice::from_ref(&options.broker);
            return ended(compare::run(&arguments.common, &options.with, one, 1));
        }
        Command::Compare(options) => {
            let rounds = options.rounds.max(1);
            return ended(compare::run(&arguments.common, &options.with, &options.brokers, rounds));
        }
    };
    ended(report.and_then(|report| report.print(&arguments.common)).map(|()| 0))
}

/// The exit code: what a command gave, or 1 with its error.
fn ended(result: Result<u8, String>) -> std::process::ExitCode {
    match result {
        Ok(code) => std::process::ExitCode::from(code),
        Err(error) => {
            eprintln!("millrace-perf: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
