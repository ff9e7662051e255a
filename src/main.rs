//! The one binary: the broker, and every tool, by subcommand or by the name it is called under.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Each shard allocates for itself and frees most of what it allocated: mimalloc keeps that on the shard, without the
/// walks through free lists that glibc's allocator makes (docs/decisions/0003-allocator.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: millrace server [--config FILE] [--set KEY=VALUE]... [--check]
       millrace TOOL ARGS...   (topics, console-producer, console-consumer, ...; also under their kafka- names)";

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.is_empty() {
        arguments.push("millrace".into());
    }
    // Called under a tool's name (a link to the binary), the name is the command.
    let called = Path::new(&arguments.remove(0)).file_name().map(|name| name.to_string_lossy().into_owned());
    let called = called.unwrap_or_default();
    if called != "millrace"
        && let Some(code) = run(&called, arguments.clone())
    {
        return code;
    }
    if arguments.is_empty() {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let command = arguments.remove(0).to_string_lossy().into_owned();
    if matches!(command.as_str(), "-h" | "--help" | "help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if matches!(command.as_str(), "-V" | "--version" | "version") {
        println!("millrace {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    run(&command, arguments).unwrap_or_else(|| {
        eprintln!("millrace: there is no command {command}\n{USAGE}");
        ExitCode::from(2)
    })
}

fn run(command: &str, mut arguments: Vec<OsString>) -> Option<ExitCode> {
    if command == "server" {
        arguments.insert(0, "millrace server".into());
        return Some(millrace::server::run_command(arguments));
    }
    millrace::tools::run(command, arguments)
}
