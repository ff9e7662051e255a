//! From the options to the action, and how a failure is said.

use std::ffi::OsString;
use std::process::ExitCode;

use super::{alter, describe, options as declared};
use crate::tools::admin::{Failure, execution, open};
use crate::tools::client::ClientError;
use crate::tools::options::{Options, Stop, finish};

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(start(args))
}

fn start(args: Vec<OsString>) -> Result<(), Stop> {
    let line: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let options = Options::parse(declared::declare(), args)?;
    let entities = declared::check(&options)?;
    let execute = || {
        let mut client = open(&options, "adminclient-1")?;
        if options.has("alter") {
            alter::alter(&mut client, &options, &entities)
        } else {
            describe::describe(&mut client, &options, &entities)
        }
    };
    execute().map_err(|failure| report(failure, &line))
}

fn report(failure: Failure, args: &[String]) -> Stop {
    match failure {
        Failure::Stop(stop) => stop,
        Failure::Plain(text) | Failure::Client(ClientError::Config(text)) => Stop::Line(text),
        Failure::Client(error) => Stop::Line(format!(
            "Error while executing config command with args '{}'\n{}",
            args.join(" "),
            execution(&error)
        )),
    }
}
