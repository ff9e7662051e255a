//! Reads and shows records until the count, the time or the operator ends it.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::options::{Settings, declare, settings};
use crate::tools::client::ClientError;
use crate::tools::consumer::{Consumer, ConsumerSettings};
use crate::tools::options::{Options, Stop, finish};
use crate::tools::output::say;
use crate::tools::{interrupt, log};

const CLASS: &str = "(org.apache.kafka.tools.consumer.ConsoleConsumer)";
/// Bytes that are gathered before they are written while more records are at hand.
const GATHER_BYTES: usize = 64 * 1024;

/// Runs the tool.
pub fn run(args: Vec<OsString>) -> ExitCode {
    finish(Options::parse(declare(), args).and_then(|options| settings(&options)).and_then(start))
}

fn start(settings: Settings) -> Result<(), Stop> {
    let failed = |error: ClientError| {
        log::error(&format!("Unknown error when running consumer:  {CLASS}\n{}", error.with_java_name()));
        Stop::Exit(ExitCode::FAILURE)
    };
    let stop = interrupt::flag().map_err(Stop::Line)?;
    let consumer_settings = ConsumerSettings::new(&settings.consumer).map_err(failed)?;
    let mut consumer =
        Consumer::new(consumer_settings, settings.source.clone(), Arc::clone(&stop)).map_err(failed)?;
    let mut shown = 0;
    let result = show(&mut consumer, &settings, &stop, &mut shown);
    consumer.close();
    eprintln!("Processed a total of {shown} messages");
    if settings.systest_events {
        say!("shutdown_complete");
    }
    match result {
        Err(text) => {
            log::error(&format!("Unknown error when running consumer:  {CLASS}\n{text}"));
            Err(Stop::Exit(ExitCode::FAILURE))
        }
        // The code of a Java program that a signal ended.
        Ok(()) if stop.load(Ordering::SeqCst) => Err(Stop::Exit(ExitCode::from(130))),
        Ok(()) => Ok(()),
    }
}

/// Shows records; an error is a record that cannot be shown.
fn show(
    consumer: &mut Consumer,
    settings: &Settings,
    stop: &AtomicBool,
    shown: &mut u64,
) -> Result<(), String> {
    let mut output = std::io::stdout().lock();
    let mut pending = Vec::new();
    while settings.max_messages.is_none_or(|most| *shown < most) {
        let next = match consumer.next(Some(Instant::now())) {
            Ok(None) => {
                if !write_out(&mut output, &mut pending) {
                    return Ok(());
                }
                let deadline = settings.timeout_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
                consumer.next(deadline)
            }
            next => next,
        };
        let record = match next {
            Ok(Some(record)) => record,
            Ok(None) => {
                let text = "org.apache.kafka.common.errors.TimeoutException";
                log::error(&format!(
                    "Error processing message, terminating consumer process:  {CLASS}\n{text}"
                ));
                break;
            }
            Err(_) if stop.load(Ordering::SeqCst) => break,
            Err(error) => {
                write_out(&mut output, &mut pending);
                let text = error.with_java_name();
                log::error(&format!(
                    "Error processing message, terminating consumer process:  {CLASS}\n{text}"
                ));
                break;
            }
        };
        *shown += 1;
        let before = pending.len();
        if let Err(text) = settings.formatter.write(&record, &mut pending) {
            let text = format!("org.apache.kafka.common.errors.SerializationException: {text}");
            pending.truncate(before);
            if !settings.skip_errors {
                write_out(&mut output, &mut pending);
                return Err(text);
            }
            log::error(&format!("Error processing message, skipping this message:  {CLASS}\n{text}"));
        }
        if pending.len() >= GATHER_BYTES && !write_out(&mut output, &mut pending) {
            return Ok(());
        }
    }
    write_out(&mut output, &mut pending);
    Ok(())
}

/// Whether the output still takes something.
fn write_out(output: &mut impl Write, pending: &mut Vec<u8>) -> bool {
    let result = output.write_all(pending).and_then(|()| output.flush());
    pending.clear();
    if result.is_err() {
        eprintln!("Unable to write to standard out, closing consumer.");
    }
    result.is_ok()
}
