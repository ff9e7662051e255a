//! Takes the options, finds the files, and prints each by its kind.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use super::options::Options;
use super::report::Report;
use super::{indexes, journal, segment};
use crate::log::segment_name::{FileKind, FileState, SegmentFile};

/// Runs the tool with the command line's arguments, the tool's name first. It fails if a file cannot be read, if an
/// index contradicts its log, or if the options are wrong.
pub fn run(args: Vec<OsString>) -> ExitCode {
    let options = match Options::try_parse_from(args) {
        Ok(options) => options,
        Err(error) => {
            // Nothing is left to tell it to if this fails.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let result = dump(&options, &mut out, &mut io::stderr().lock());
    match result.and_then(|good| out.flush().map(|()| good)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dump-log: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what the options ask for; `false` if anything was wrong with the files.
///
/// # Errors
/// One of the outputs cannot be written to.
pub fn dump(options: &Options, out: &mut dyn Write, errors: &mut dyn Write) -> io::Result<bool> {
    let mut report = Report::new(out, errors);
    for path in &options.files {
        if !path.is_dir() {
            dump_file(path, options, &mut report)?;
            continue;
        }
        match segment_files(path) {
            Ok(files) => files.iter().try_for_each(|file| dump_file(file, options, &mut report))?,
            Err(error) => report.fail(path, error)?,
        }
    }
    for path in &options.journal {
        writeln!(report.out, "Dumping {}", path.display())?;
        journal::dump_journal(path, options, &mut report)?;
    }
    report.finish()
}

/// The files in a directory that can be dumped, by name.
fn segment_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let live = SegmentFile::parse(name).is_some_and(|file| file.state == FileState::Live);
        if live || name.ends_with(".checkpoint") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn dump_file(path: &Path, options: &Options, report: &mut Report<'_>) -> io::Result<()> {
    writeln!(report.out, "Dumping {}", path.display())?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let kind = FileKind::ALL.into_iter().find(|kind| name.ends_with(kind.suffix()));
    if kind == Some(FileKind::Log) || name.ends_with(".checkpoint") {
        return segment::dump_log(path, options, report);
    }
    if kind == Some(FileKind::ProducerSnapshot) {
        return indexes::dump_producer_snapshot(path, report);
    }
    match (kind, SegmentFile::parse(name)) {
        (None, _) => writeln!(report.errors, "Ignoring unknown file {}", path.display()),
        (Some(_), None) => report.fail(path, "the name of an index begins with the segment's base offset"),
        (Some(FileKind::OffsetIndex), Some(file)) => {
            indexes::dump_offset_index(path, file.base_offset, options, report)
        }
        (Some(FileKind::TimeIndex), Some(file)) => {
            indexes::dump_time_index(path, file.base_offset, options, report)
        }
        (Some(_), Some(file)) => indexes::dump_transaction_index(path, file.base_offset, report),
    }
}
