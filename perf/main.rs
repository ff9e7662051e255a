//! The load harness: a raw Kafka client on pinned threads against any broker that speaks the protocol.
//!
//! Load is open loop unless `--rate max`: requests are due at fixed times, and latency counts from the time a request
//! was due, not from when it could be sent, so a broker that stalls is charged for all that queued up meanwhile. How late
//! the generator itself was is shown apart. Output: a table on standard error, one JSON object on standard output
//! (or in `--json FILE`).

mod cli;
mod connection;
mod end_to_end;
mod fetch;
mod load;
mod measure;
mod produce;
mod setup;

use clap::Parser;

use cli::{Arguments, Command};

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Produce(options) => produce::run(&arguments.common, options),
        Command::Fetch(options) => fetch::run(&arguments.common, options),
        Command::EndToEnd(options) => end_to_end::run(&arguments.common, options),
        Command::CreateTopics(options) => setup::run_create(&arguments.common, options),
    };
    match result.and_then(|report| report.print(&arguments.common)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("millrace-perf: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
