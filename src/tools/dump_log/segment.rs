//! Prints a segment or a snapshot of the metadata log: a line for each batch, and for each record if asked.

use std::io::{self, Write};
use std::path::Path;

use super::control::control_text;
use super::decoder::Decoder;
use super::log_reader::LogReader;
use super::options::Options;
use super::report::{Finding, Report};
use crate::protocol::record_batch::{
    Batch, BatchError, BatchHeader, NO_SEQUENCE, Record, TimestampType, increment_sequence,
};

/// The most that the records of a batch are decompressed to, bytes.
const DECOMPRESSED_LIMIT_BYTES: usize = 1 << 30;

/// Prints the batches of a `.log` or `.checkpoint` file.
pub(super) fn dump_log(path: &Path, options: &Options, report: &mut Report<'_>) -> io::Result<()> {
    if let Some(head) = head_line(path) {
        writeln!(report.out, "{head}")?;
    }
    let mut reader = match LogReader::open(path, options.max_bytes.into()) {
        Ok(reader) => reader,
        Err(error) => return report.fail(path, error),
    };
    let records = RecordPrinter { path, options, decoder: Decoder::of(options) };
    let mut last_offset = -1;
    let mut scratch = Vec::new();
    loop {
        let placed = match reader.next_batch() {
            Ok(Some(placed)) => placed,
            Ok(None) => break,
            Err(error) => return report.fail(path, error),
        };
        let batch = match Batch::parse(&placed.bytes) {
            Ok(batch) => batch,
            Err(error) => return report.fail(path, error),
        };
        print_batch(&batch, placed.position, report.out)?;
        if options.iterates_records() {
            let printed = records.print(&batch, &mut last_offset, &mut scratch, report)?;
            if let Err(error) = printed {
                report.fail(path, format_args!("batch at position {}: {error}", placed.position))?;
            }
        }
    }
    let trailing = reader.end() - reader.position();
    if trailing > 0 && options.reads_whole_logs() {
        let name = path.file_name().unwrap_or_default().display();
        writeln!(report.out, "Found {trailing} invalid bytes at the end of {name}")?;
    }
    Ok(())
}

/// What the file's name says.
fn head_line(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let number = |text: &str| text.parse::<i64>().ok();
    if let Some(base) = name.strip_suffix(".log") {
        return Some(format!("Log starting offset: {}", number(base)?));
    }
    if name == "bootstrap.checkpoint" {
        return Some("KRaft bootstrap snapshot".to_owned());
    }
    let (offset, epoch) = name.strip_suffix(".checkpoint")?.split_once('-')?;
    Some(format!("Snapshot end offset: {}, epoch: {}", number(offset)?, number(epoch)?))
}

fn print_batch(batch: &Batch<'_>, position: u64, out: &mut dyn Write) -> io::Result<()> {
    let header = &batch.header;
    let delete_horizon = header
        .delete_horizon_ms()
        .map_or("OptionalLong.empty".to_owned(), |ms| format!("OptionalLong[{ms}]"));
    write!(
        out,
        "baseOffset: {} lastOffset: {} count: {} baseSequence: {} lastSequence: {} producerId: {} producerEpoch: {} \
         partitionLeaderEpoch: {} isTransactional: {} isControl: {} deleteHorizonMs: {delete_horizon}",
        header.base_offset,
        header.last_offset(),
        header.record_count,
        header.base_sequence,
        header.last_sequence(),
        header.producer_id,
        header.producer_epoch,
        header.leader_epoch,
        header.attributes.is_transactional(),
        header.attributes.is_control(),
    )?;
    let codec = header
        .attributes
        .codec()
        .map_or_else(|| format!("unknown({})", header.attributes.0 & 7), |codec| codec.name().to_owned());
    writeln!(
        out,
        " position: {position} {}: {} size: {} magic: {} compresscodec: {codec} crc: {} isvalid: {}",
        timestamp_name(header),
        header.max_timestamp,
        header.size_bytes(),
        header.magic,
        header.crc,
        batch.verify_crc().is_ok(),
    )
}

fn timestamp_name(header: &BatchHeader) -> &'static str {
    match header.attributes.timestamp_type() {
        TimestampType::CreateTime => "CreateTime",
        TimestampType::LogAppendTime => "LogAppendTime",
    }
}

/// The time of a record, which in a batch with LogAppendTime is the batch's.
pub(super) fn record_timestamp_ms(header: &BatchHeader, record: &Record<'_>) -> i64 {
    match header.attributes.timestamp_type() {
        TimestampType::CreateTime => header.base_timestamp.saturating_add(record.timestamp_delta),
        TimestampType::LogAppendTime => header.max_timestamp,
    }
}

/// Calls `visit` with each record of a batch.
pub(super) fn for_each_record<'a>(
    batch: &Batch<'a>,
    scratch: &'a mut Vec<u8>,
    mut visit: impl FnMut(&Record<'_>) -> io::Result<()>,
) -> io::Result<Result<(), BatchError>> {
    let records = match batch.records(DECOMPRESSED_LIMIT_BYTES, scratch) {
        Ok(records) => records,
        Err(error) => return Ok(Err(error)),
    };
    for record in records {
        match record {
            Ok(record) => visit(&record)?,
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(()))
}

struct RecordPrinter<'a> {
    path: &'a Path,
    options: &'a Options,
    decoder: Decoder,
}

impl RecordPrinter<'_> {
    /// Prints the records of a batch; the inner error is the batch's.
    fn print(
        &self,
        batch: &Batch<'_>,
        last_offset: &mut i64,
        scratch: &mut Vec<u8>,
        report: &mut Report<'_>,
    ) -> io::Result<Result<(), BatchError>> {
        for_each_record(batch, scratch, |record| {
            let offset = batch.header.base_offset.saturating_add(record.offset_delta.into());
            if offset != last_offset.saturating_add(1) {
                report.find(Finding::Gap, self.path, (*last_offset, offset));
            }
            *last_offset = offset;
            if !self.options.skip_record_metadata {
                self.print_metadata(batch, record, offset, report.out)?;
            }
            if self.options.prints_contents() && !batch.header.attributes.is_control() {
                self.print_contents(record, offset, report.out)?;
            }
            writeln!(report.out)
        })
    }

    fn print_metadata(
        &self,
        batch: &Batch<'_>,
        record: &Record<'_>,
        offset: i64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let header = &batch.header;
        let size = |bytes: Option<&[u8]>| bytes.map_or(-1, |bytes| bytes.len() as i64);
        let sequence = match header.base_sequence {
            base if base >= 0 => increment_sequence(base, record.offset_delta),
            _ => NO_SEQUENCE,
        };
        let header_keys: Vec<_> = record.headers().map(|(key, _)| String::from_utf8_lossy(key)).collect();
        write!(
            out,
            "| offset: {offset} {}: {} keySize: {} valueSize: {} sequence: {sequence} headerKeys: [{}]",
            timestamp_name(header),
            record_timestamp_ms(header, record),
            size(record.key),
            size(record.value),
            header_keys.join(","),
        )?;
        if header.attributes.is_control() {
            out.write_all(control_text(batch, record).as_bytes())?;
        }
        Ok(())
    }

    fn print_contents(&self, record: &Record<'_>, offset: i64, out: &mut dyn Write) -> io::Result<()> {
        let (key, value) = self.decoder.decode(record, offset);
        let mut prefix = if self.options.skip_record_metadata { "| " } else { " " };
        if let Some(key) = key {
            write!(out, "{prefix}key: {key}")?;
            prefix = " ";
        }
        if let Some(value) = value {
            write!(out, "{prefix}payload: {value}")?;
        }
        Ok(())
    }
}
