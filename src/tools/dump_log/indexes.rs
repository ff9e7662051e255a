//! Prints the indexes and snapshots of a segment, and compares the indexes with their log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::log_reader::LogReader;
use super::options::Options;
use super::report::{Finding, Report};
use super::segment::{for_each_record, record_timestamp_ms};
use crate::log::index::{IndexError, OffsetIndexView};
use crate::log::segment_name::{FileKind, SegmentFile};
use crate::log::time_index::{NO_TIMESTAMP, TimeIndexView, TimestampOffset};
use crate::log::transaction_index::TransactionIndexView;
use crate::partition::producer_entry::KnownBatch;
use crate::partition::producer_snapshot;
use crate::protocol::record_batch::Batch;

/// Prints a `.index` file.
pub(super) fn dump_offset_index(
    path: &Path,
    base_offset: i64,
    options: &Options,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let (bytes, mut log) = match open_with_log(path, base_offset) {
        Ok(opened) => opened,
        Err(error) => return report.fail(path, error),
    };
    let index = OffsetIndexView::new(base_offset, &bytes);
    if index.is_empty() {
        return writeln!(report.out, "{} is empty.", path.display());
    }
    if options.index_sanity_check {
        return print_sanity(path, index.sanity_check(), report);
    }
    for (number, entry) in index.iter().enumerate() {
        // A crash leaves zeros behind the entries.
        if entry.offset == base_offset && number > 0 {
            break;
        }
        match log.header_at(entry.position.into()) {
            Ok(Some(header)) if header.size_bytes() > options.max_message_size as usize => {
                let size = header.size_bytes();
                report
                    .fail(path, format_args!("the batch at position {} has {size} bytes", entry.position))?;
            }
            Ok(Some(header)) if header.last_offset() != entry.offset => {
                report.find(Finding::IndexMismatch, path, (entry.offset, header.last_offset()));
            }
            Ok(Some(_)) => {}
            Ok(None) => report.find(Finding::IndexMismatch, path, (entry.offset, -1)),
            Err(error) => return report.fail(path, error),
        }
        if !options.verify_index_only {
            writeln!(report.out, "offset: {} position: {}", entry.offset, entry.position)?;
        }
    }
    Ok(())
}

/// Prints a `.timeindex` file.
pub(super) fn dump_time_index(
    path: &Path,
    base_offset: i64,
    options: &Options,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let opened = open_with_log(path, base_offset).and_then(|(bytes, log)| {
        let offset_index = sibling(path, base_offset, FileKind::OffsetIndex);
        Ok((bytes, log, fs::read(&offset_index).map_err(|error| with_path(&offset_index, &error))?))
    });
    let (bytes, mut log, offset_bytes) = match opened {
        Ok(opened) => opened,
        Err(error) => return report.fail(path, error),
    };
    let index = TimeIndexView::new(base_offset, &bytes);
    let offset_index = OffsetIndexView::new(base_offset, &offset_bytes);
    if options.index_sanity_check {
        return print_sanity(path, index.sanity_check(), report);
    }
    let mut previous_ms = NO_TIMESTAMP;
    for (number, entry) in index.iter().enumerate() {
        if entry.offset == base_offset && number > 0 {
            break;
        }
        let position = offset_index.lookup(entry.offset).position;
        if let Err(error) = compare_time(path, entry, previous_ms, position, &mut log, report) {
            return report.fail(path, error);
        }
        if !options.verify_index_only {
            writeln!(report.out, "timestamp: {} offset: {}", entry.timestamp_ms, entry.offset)?;
        }
        previous_ms = entry.timestamp_ms;
    }
    Ok(())
}

/// Compares an entry of a time index with the batch that it names.
fn compare_time(
    path: &Path,
    entry: TimestampOffset,
    previous_ms: i64,
    position: u32,
    log: &mut LogReader,
    report: &mut Report<'_>,
) -> io::Result<()> {
    log.seek(position.into())?;
    let mut scratch = Vec::new();
    while let Some(placed) = log.next_batch()? {
        let Ok(batch) = Batch::parse(&placed.bytes) else { break };
        let last_offset = batch.header.last_offset();
        if last_offset < entry.offset {
            continue;
        }
        if last_offset != entry.offset {
            report.find(Finding::OffsetNotFound, path, (entry.offset, last_offset));
            return Ok(());
        }
        let mut largest_ms = NO_TIMESTAMP;
        let read = for_each_record(&batch, &mut scratch, |record| {
            largest_ms = largest_ms.max(record_timestamp_ms(&batch.header, record));
            Ok(())
        })?;
        if let Err(error) = read {
            return report.fail(path, error);
        }
        if largest_ms != entry.timestamp_ms {
            report.find(Finding::TimeMismatch, path, (entry.timestamp_ms, largest_ms));
        }
        if previous_ms >= entry.timestamp_ms {
            report.find(Finding::TimeOutOfOrder, path, (entry.timestamp_ms, previous_ms));
        }
        return Ok(());
    }
    report.find(Finding::OffsetNotFound, path, (entry.offset, -1));
    Ok(())
}

/// Prints a `.txnindex` file.
pub(super) fn dump_transaction_index(
    path: &Path,
    base_offset: i64,
    report: &mut Report<'_>,
) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return report.fail(path, error),
    };
    let index = TransactionIndexView::new(base_offset, &bytes);
    if let Err(error) = index.sanity_check() {
        report.fail(path, error)?;
    }
    for transaction in index.iter() {
        writeln!(
            report.out,
            "version: 0 producerId: {} firstOffset: {} lastOffset: {} lastStableOffset: {}",
            transaction.producer_id,
            transaction.first_offset,
            transaction.last_offset,
            transaction.last_stable_offset
        )?;
    }
    Ok(())
}

/// Prints a `.snapshot` file.
pub(super) fn dump_producer_snapshot(path: &Path, report: &mut Report<'_>) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return report.fail(path, error),
    };
    let entries = match producer_snapshot::decode(&bytes) {
        Ok(entries) => entries,
        Err(error) => return report.fail(path, error),
    };
    for entry in entries {
        let first_offset = match entry.transaction_first_offset {
            offset if offset >= 0 => format!("OptionalLong[{offset}]"),
            _ => "OptionalLong.empty".to_owned(),
        };
        write!(
            report.out,
            "producerId: {} producerEpoch: {} coordinatorEpoch: {} currentTxnFirstOffset: {first_offset} \
             lastTimestamp: {}",
            entry.producer_id, entry.producer_epoch, entry.coordinator_epoch, entry.timestamp_ms
        )?;
        if entry.last_offset >= 0 {
            let batch = KnownBatch {
                last_sequence: entry.last_sequence,
                last_offset: entry.last_offset,
                offset_delta: entry.offset_delta,
                timestamp_ms: entry.timestamp_ms,
            };
            write!(
                report.out,
                " firstSequence: {} lastSequence: {} lastOffset: {} offsetDelta: {} timestamp: {}",
                batch.first_sequence(),
                batch.last_sequence,
                batch.last_offset,
                batch.offset_delta,
                batch.timestamp_ms
            )?;
        }
        writeln!(report.out)?;
    }
    Ok(())
}

fn print_sanity(path: &Path, sanity: Result<(), IndexError>, report: &mut Report<'_>) -> io::Result<()> {
    match sanity {
        Ok(()) => writeln!(report.out, "{} passed sanity check.", path.display()),
        Err(error) => report.fail(path, error),
    }
}

/// An index file's bytes and its log.
fn open_with_log(path: &Path, base_offset: i64) -> io::Result<(Vec<u8>, LogReader)> {
    let bytes = fs::read(path)?;
    let log = sibling(path, base_offset, FileKind::Log);
    Ok((bytes, LogReader::open(&log, u64::MAX).map_err(|error| with_path(&log, &error))?))
}

fn sibling(path: &Path, base_offset: i64, kind: FileKind) -> PathBuf {
    path.with_file_name(SegmentFile::live(kind, base_offset).name())
}

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
