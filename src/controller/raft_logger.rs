//! Lets what the Raft library says through slog come out in our log, at its level.

use std::fmt::{self, Write};

use slog::{Drain, KV, Level, Logger, OwnedKVList, Record, Serializer, o};

/// A logger for the library.
pub fn logger() -> Logger {
    Logger::root(Forward, o!())
}

struct Forward;

impl Drain for Forward {
    type Ok = ();
    type Err = slog::Never;

    fn log(&self, record: &Record<'_>, values: &OwnedKVList) -> Result<(), slog::Never> {
        let mut text = record.msg().to_string();
        // A value that cannot be shown is left out: this is only for reading.
        let _ = record.kv().serialize(record, &mut Pairs(&mut text));
        let _ = values.serialize(record, &mut Pairs(&mut text));
        match record.level() {
            Level::Critical | Level::Error => tracing::error!(target: "millrace::raft", "{text}"),
            Level::Warning => tracing::warn!(target: "millrace::raft", "{text}"),
            // An election is news, its steps are not.
            Level::Info | Level::Debug => tracing::debug!(target: "millrace::raft", "{text}"),
            Level::Trace => tracing::trace!(target: "millrace::raft", "{text}"),
        }
        Ok(())
    }
}

struct Pairs<'a>(&'a mut String);

impl Serializer for Pairs<'_> {
    fn emit_arguments(&mut self, key: slog::Key, value: &fmt::Arguments<'_>) -> slog::Result {
        write!(self.0, " {key}={value}").map_err(slog::Error::from)
    }
}
