//! What a broker checks in the batch of a produce request before it stores it.
//!
//! The rules are Kafka 4.4.0's (`ProduceRequest`, `UnifiedLog`, `LogValidator`), with the codes that it answers, found
//! by running it; `tests/protocol/oracle` compares the two. Where we differ:
//! - Offset deltas must count 0, 1, 2, ...: Kafka renumbers compressed records and stores uncompressed ones as they are.
//! - Compressed records must have the size that they state, as uncompressed ones: Kafka does not compare, and its consumers
//!   then fail.
//! - An LZ4 block without bytes that is not the end mark is refused: Kafka's reader ends there, others read on.
//! - A gzip header with reserved bits is refused, as RFC 1952 demands.
//! - A producer that sets the flag of the append time is always refused: Kafka lets it pass, and clears it, if the topic
//!   has create time and the timestamp is allowed.
//! - A transactional batch needs a producer id.
//! - A batch too short for its header and one with an unknown codec have a code of their own; Kafka fails.
//! - The decompressed size of a batch is bounded, not only that of a record, because walking it takes time.
//!
//! The batch must be stored without what [`CheckedBatch::size_bytes`] leaves out, as Kafka cuts a partial last batch.

use super::batch::Batch;
use super::header::{
    ATTRIBUTES_AT, Attributes, BatchError, BatchHeader, LENGTH_AT, LOG_OVERHEAD, MAGIC, MAGIC_AT,
    NO_TIMESTAMP, TimestampType,
};
use super::walk::{Facts, Slice, Source, Stop, Stream, walk_record};
use crate::protocol::codec::{Codec, CodecError, decoder};
use crate::protocol::error_code::ErrorCode;

/// Least length field of any format, as Kafka's reader of batches has it.
const MIN_LENGTH: i32 = 14;

/// The first produce version whose batches may be compressed with zstd (KIP-110).
const FIRST_ZSTD_VERSION: i16 = 7;

/// Bad records that are named in an answer; the others fail with them.
const MAX_RECORD_ERRORS: usize = 1000;

/// What a topic and a request demand of a batch.
#[derive(Clone, Copy, Debug)]
pub struct CheckRules {
    /// Version of the produce request.
    pub produce_version: i16,
    /// `max.message.bytes`: the batch as it came.
    pub max_batch_bytes: usize,
    /// `max.decompressed.message.bytes`: one record of a compressed batch.
    pub max_decompressed_bytes: usize,
    /// All records of a compressed batch together; bounds the time that the check takes.
    pub max_batch_decompressed_bytes: usize,
    /// `message.timestamp.type`.
    pub timestamp_type: TimestampType,
    /// The broker's clock, milliseconds since 1970.
    pub now_ms: i64,
    /// `message.timestamp.before.max.ms`: how old a record may be.
    pub before_max_ms: i64,
    /// `message.timestamp.after.max.ms`: how far in the future it may be.
    pub after_max_ms: i64,
    /// Whether `cleanup.policy` compacts: every record needs a key.
    pub compacted: bool,
}

impl Default for CheckRules {
    /// Kafka's defaults, and as much as one byte can hold for the decompressed size of a batch.
    fn default() -> Self {
        Self {
            produce_version: FIRST_ZSTD_VERSION,
            max_batch_bytes: 1_048_588,
            max_decompressed_bytes: 2_147_483_639,
            max_batch_decompressed_bytes: usize::MAX,
            timestamp_type: TimestampType::CreateTime,
            now_ms: 0,
            before_max_ms: i64::MAX,
            after_max_ms: 3_600_000,
            compacted: false,
        }
    }
}

/// A batch that may be stored, with what was learnt about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedBatch {
    /// The header as it came; producer fields, flags and CRC are in it.
    pub header: BatchHeader,
    /// Bytes of the batch, from the start of what was given.
    pub size_bytes: usize,
    /// Bytes of its records when decompressed.
    pub decompressed_bytes: u64,
    /// How many records.
    pub record_count: i32,
    /// The largest timestamp of its records, at least -1, milliseconds.
    pub max_timestamp: i64,
    /// The first record with that timestamp: its offset minus the base offset.
    pub offset_of_max_timestamp_delta: i32,
    /// Whether the header states that timestamp. If not, it must be corrected
    /// ([`super::set_max_timestamp`]), or time-based lookups and retention go wrong.
    pub max_timestamp_is_stated: bool,
}

/// A record that made its batch fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// Its place in the batch, from 0.
    pub batch_index: i32,
    /// What is wrong, for the response (KIP-467).
    pub message: String,
}

/// Why a batch is refused; goes into the produce response as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct CheckError {
    /// The partition's error code.
    pub code: ErrorCode,
    /// The partition's error message.
    pub message: String,
    /// The records at fault, if it is about single records; the first thousand of them.
    pub records: Vec<RecordError>,
}

fn refuse<T>(code: ErrorCode, message: impl ToString) -> Result<T, CheckError> {
    Err(CheckError { code, message: message.to_string(), records: Vec::new() })
}

/// Checks the records of one partition in a produce request, which must be one whole batch.
///
/// `scratch` is a buffer to be used again and again; it gets a window of 32 KiB for compressed batches, so no more
/// memory than that (and the decoder's own) is used whatever a batch decompresses to.
///
/// # Errors
/// [`CheckError`] with the code and message for the response.
pub fn check_produce(
    records: &[u8],
    rules: &CheckRules,
    scratch: &mut Vec<u8>,
) -> Result<CheckedBatch, CheckError> {
    let batch = first_batch(records, rules)?;
    check_rest(records.get(batch.bytes.len()..).unwrap_or_default())?;
    check_header(&batch, rules)?;
    let codec =
        batch.header.codec().or_else(|error| refuse(ErrorCode::UNSUPPORTED_COMPRESSION_TYPE, error))?;
    let mut tally = Tally::new(&batch.header, rules);
    let stored = batch.stored_records();
    let walked = if codec == Codec::None {
        walk(Slice::new(stored), &mut tally).map(|_| stored.len() as u64)
    } else {
        let limits = (rules.max_decompressed_bytes, rules.max_batch_decompressed_bytes);
        match decoder(codec, stored) {
            Ok(decoder) => {
                walk(Stream::new(decoder, scratch, limits, corrupt(codec)), &mut tally).map(|s| s.total())
            }
            Err(error) => Err(BatchError::Codec(error)),
        }
    };
    match walked {
        Ok(decompressed_bytes) => tally.finish(batch.bytes.len(), decompressed_bytes),
        Err(error) => refuse(ErrorCode::INVALID_RECORD, error),
    }
}

/// The error of each codec's decoder.
fn corrupt(codec: Codec) -> fn(std::io::Error) -> CodecError {
    match codec {
        Codec::None => |error| Codec::None.corrupt(error),
        Codec::Gzip => |error| Codec::Gzip.corrupt(error),
        Codec::Snappy => |error| Codec::Snappy.corrupt(error),
        Codec::Lz4 => |error| Codec::Lz4.corrupt(error),
        Codec::Zstd => |error| Codec::Zstd.corrupt(error),
    }
}

/// Bytes of the batch that `bytes` start with; `None` if it is not whole. Judges length and magic as soon as they are
/// there, as Kafka does.
fn next_size(bytes: &[u8]) -> Result<Option<usize>, CheckError> {
    let Some(length) = bytes.get(LENGTH_AT..).and_then(<[u8]>::first_chunk) else { return Ok(None) };
    let length = i32::from_be_bytes(*length);
    if length < MIN_LENGTH {
        return refuse(ErrorCode::CORRUPT_MESSAGE, BatchError::InvalidLength(length));
    }
    let Some(magic) = bytes.get(MAGIC_AT).map(|magic| *magic as i8) else { return Ok(None) };
    if !(0..=MAGIC).contains(&magic) {
        return refuse(ErrorCode::CORRUPT_MESSAGE, BatchError::UnsupportedMagic(magic));
    }
    let size = LOG_OVERHEAD + length as usize;
    Ok((bytes.len() >= size).then_some(size))
}

/// The first batch, if it is whole, of magic 2, and of a codec that the request's version may carry.
fn first_batch<'a>(records: &'a [u8], rules: &CheckRules) -> Result<Batch<'a>, CheckError> {
    if next_size(records)?.is_none() {
        return refuse(ErrorCode::INVALID_RECORD, "there is no whole record batch");
    }
    match records.get(MAGIC_AT).map(|magic| *magic as i8) {
        Some(MAGIC) => check_codec_version(records, rules)?,
        magic => {
            let error = BatchError::UnsupportedMagic(magic.unwrap_or_default());
            return refuse(ErrorCode::INVALID_RECORD, error);
        }
    }
    Batch::parse(records).or_else(|error| refuse(ErrorCode::CORRUPT_MESSAGE, error))
}

/// Nothing but a part of a batch may follow.
fn check_rest(rest: &[u8]) -> Result<(), CheckError> {
    match next_size(rest)? {
        Some(_) => refuse(ErrorCode::INVALID_RECORD, "there is more than one record batch"),
        None => Ok(()),
    }
}

/// Checks that the request's version may carry the codec. In versions before zstd Kafka asks for the codec in front of
/// all else, the length of the header too, and so fails on one that nobody knows; later ones are asked for it behind the
/// size. `records` have a length of at least [`MIN_LENGTH`], and so have attributes.
fn check_codec_version(records: &[u8], rules: &CheckRules) -> Result<(), CheckError> {
    if rules.produce_version >= FIRST_ZSTD_VERSION {
        return Ok(());
    }
    let attributes = records.get(ATTRIBUTES_AT..).and_then(<[u8]>::first_chunk);
    let attributes = Attributes(attributes.map_or(0, |bytes| i16::from_be_bytes(*bytes)));
    let code = ErrorCode::UNSUPPORTED_COMPRESSION_TYPE;
    match attributes.codec() {
        Some(Codec::Zstd) => refuse(code, "zstd needs a produce request of version 7"),
        Some(_) => Ok(()),
        None => refuse(code, BatchError::UnknownCodec(attributes.0 & 7)),
    }
}

fn check_header(batch: &Batch<'_>, rules: &CheckRules) -> Result<(), CheckError> {
    let header = &batch.header;
    let invalid = |message: String| refuse(ErrorCode::INVALID_RECORD, message);
    if header.base_offset != 0 {
        return invalid(format!("the base offset of a batch from a client is {}, not 0", header.base_offset));
    }
    if batch.bytes.len() > rules.max_batch_bytes {
        let (size, limit) = (batch.bytes.len(), rules.max_batch_bytes);
        return refuse(ErrorCode::MESSAGE_TOO_LARGE, format!("a batch of {size} bytes, {limit} allowed"));
    }
    if let Err(error) = batch.verify_crc() {
        return refuse(ErrorCode::CORRUPT_MESSAGE, error);
    }
    let (count, span) = (header.record_count, i64::from(header.last_offset_delta) + 1);
    if count <= 0 || span != i64::from(count) {
        return invalid(format!("the header states {count} records over {span} offsets"));
    }
    if header.attributes.is_control() {
        return invalid("clients may not write control records".to_owned());
    }
    if header.has_producer_id() && header.base_sequence < 0 {
        return invalid(format!("sequence {} with a producer id", header.base_sequence));
    }
    if header.attributes.is_transactional() && !header.has_producer_id() {
        return invalid("a transactional batch without a producer id".to_owned());
    }
    Ok(())
}

/// Walks all records; gives the source back.
fn walk<S: Source>(mut source: S, tally: &mut Tally<'_>) -> Result<S, BatchError> {
    for index in 0..tally.header.record_count {
        let facts = walk_record(&mut source).map_err(|stop| stop.at(index))?;
        if facts.offset_delta != index {
            return Err(Stop::Malformed("its offset does not follow the one before").at(index));
        }
        tally.record(index, facts);
    }
    let last = tally.header.record_count - 1;
    match source.at_end() {
        Ok(true) => Ok(source),
        Ok(false) => Err(Stop::Malformed("is the last, but bytes follow").at(last)),
        Err(stop) => Err(stop.at(last)),
    }
}

/// What is gathered while records are walked.
struct Tally<'a> {
    header: &'a BatchHeader,
    rules: &'a CheckRules,
    /// Timestamps that are allowed, both ends included; all if the broker sets them.
    oldest: i64,
    newest: i64,
    max_timestamp: i64,
    offset_of_max: i32,
    timestamp_errors: bool,
    errors: Vec<RecordError>,
    error_count: u64,
}

impl<'a> Tally<'a> {
    fn new(header: &'a BatchHeader, rules: &'a CheckRules) -> Self {
        let checked = rules.timestamp_type == TimestampType::CreateTime;
        let (oldest, newest) = if checked {
            (
                rules.now_ms.saturating_sub(rules.before_max_ms),
                rules.now_ms.saturating_add(rules.after_max_ms),
            )
        } else {
            (i64::MIN, i64::MAX)
        };
        Self {
            header,
            rules,
            oldest,
            newest,
            max_timestamp: NO_TIMESTAMP,
            offset_of_max: 0,
            timestamp_errors: false,
            errors: Vec::new(),
            error_count: 0,
        }
    }

    #[inline]
    fn record(&mut self, index: i32, facts: Facts) {
        let append_time = self.header.attributes.timestamp_type() == TimestampType::LogAppendTime;
        let timestamp = if append_time {
            self.header.max_timestamp
        } else {
            self.header.base_timestamp.wrapping_add(facts.timestamp_delta)
        };
        let in_time = (self.oldest..=self.newest).contains(&timestamp) || timestamp == NO_TIMESTAMP;
        if self.rules.compacted && !facts.has_key {
            self.bad(index, || "a compacted topic needs a key in every record".to_owned());
        } else if append_time {
            self.timestamp_errors = true;
            self.bad(index, || "a producer may not set the append time".to_owned());
        } else if !in_time {
            self.timestamp_errors = true;
            let (oldest, newest) = (self.oldest, self.newest);
            self.bad(index, || format!("timestamp {timestamp} is not within [{oldest}, {newest}]"));
        } else if timestamp > self.max_timestamp {
            self.max_timestamp = timestamp;
            self.offset_of_max = index;
        }
    }

    #[cold]
    fn bad(&mut self, batch_index: i32, message: impl FnOnce() -> String) {
        self.error_count += 1;
        if self.errors.len() < MAX_RECORD_ERRORS {
            self.errors.push(RecordError { batch_index, message: message() });
        }
    }

    fn finish(self, size_bytes: usize, decompressed_bytes: u64) -> Result<CheckedBatch, CheckError> {
        if self.error_count > 0 {
            let (code, what) = if self.timestamp_errors {
                (ErrorCode::INVALID_TIMESTAMP, "one or more records have an invalid timestamp".to_owned())
            } else {
                (ErrorCode::INVALID_RECORD, format!("{} records are invalid", self.error_count))
            };
            return Err(CheckError { code, message: what, records: self.errors });
        }
        Ok(CheckedBatch {
            header: *self.header,
            size_bytes,
            decompressed_bytes,
            record_count: self.header.record_count,
            max_timestamp: self.max_timestamp,
            offset_of_max_timestamp_delta: self.offset_of_max,
            max_timestamp_is_stated: self.max_timestamp == self.header.max_timestamp,
        })
    }
}
