//! Where the tool prints to, and what it has found wrong so far.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A list of pairs for each file, in the order of the files.
type Pairs = Vec<(PathBuf, Vec<(i64, i64)>)>;

/// The two outputs and the findings that are printed at the end.
pub(super) struct Report<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) errors: &'a mut dyn Write,
    failed: bool,
    index_mismatches: Pairs,
    time_mismatches: Pairs,
    times_out_of_order: Pairs,
    offsets_not_found: Pairs,
    gaps: Pairs,
}

/// What is found wrong with an index or a log; each is a pair of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Finding {
    /// Offset in the index, offset in the log.
    IndexMismatch,
    /// Timestamp in the index, timestamp in the log.
    TimeMismatch,
    /// Timestamp in the index, the one before it.
    TimeOutOfOrder,
    /// Offset in the index, offset in the log.
    OffsetNotFound,
    /// Offset, the next offset.
    Gap,
}

impl<'a> Report<'a> {
    pub(super) fn new(out: &'a mut dyn Write, errors: &'a mut dyn Write) -> Self {
        Self {
            out,
            errors,
            failed: false,
            index_mismatches: Vec::new(),
            time_mismatches: Vec::new(),
            times_out_of_order: Vec::new(),
            offsets_not_found: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Notes a finding. A gap in the offsets is no fault: compaction makes them, and a log need not start at 0.
    pub(super) fn find(&mut self, finding: Finding, path: &Path, pair: (i64, i64)) {
        let list = match finding {
            Finding::IndexMismatch => &mut self.index_mismatches,
            Finding::TimeMismatch => &mut self.time_mismatches,
            Finding::TimeOutOfOrder => &mut self.times_out_of_order,
            Finding::OffsetNotFound => &mut self.offsets_not_found,
            Finding::Gap => &mut self.gaps,
        };
        self.failed |= !matches!(finding, Finding::Gap);
        match list.last_mut() {
            Some((last, pairs)) if last == path => pairs.push(pair),
            _ => list.push((path.to_owned(), vec![pair])),
        }
    }

    /// Says that a file cannot be dumped.
    pub(super) fn fail(&mut self, path: &Path, error: impl Display) -> io::Result<()> {
        self.failed = true;
        writeln!(self.errors, "{}: {error}", path.display())
    }

    /// Prints the findings. `false` if anything was wrong.
    pub(super) fn finish(mut self) -> io::Result<bool> {
        for (_, pairs) in &mut self.index_mismatches {
            pairs.sort_unstable_by(|a, b| b.cmp(a));
        }
        let errors = self.errors;
        let mut list = |pairs: &Pairs, head: &str, line: &dyn Fn(i64, i64) -> String| -> io::Result<()> {
            for (path, pairs) in pairs {
                writeln!(errors, "{head}{}", absolute(path).display())?;
                for (a, b) in pairs {
                    writeln!(errors, "{}", line(*a, *b))?;
                }
            }
            Ok(())
        };
        list(&self.index_mismatches, "Mismatches in :", &|a, b| {
            format!("  Index offset: {a}, log offset: {b}")
        })?;
        list(&self.time_mismatches, "Found timestamp mismatch in :", &|a, b| {
            format!("  Index timestamp: {a}, log timestamp: {b}")
        })?;
        list(&self.times_out_of_order, "Found out of order timestamp in :", &|a, b| {
            format!("  Index timestamp: {a}, Previously indexed timestamp: {b}")
        })?;
        list(&self.offsets_not_found, "The following indexed offsets are not found in :", &|a, b| {
            format!("Indexed offset: {a}, found log offset: {b}")
        })?;
        list(&self.gaps, "Non-consecutive offsets in ", &|a, b| format!("  {a} is followed by {b}"))?;
        Ok(!self.failed)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
