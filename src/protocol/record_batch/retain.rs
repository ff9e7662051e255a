//! What is left of a batch when compaction takes records out of it (KIP-98, KIP-534).
//!
//! Base and last offset, producer, first sequence, epoch and codec stay, so that offsets and sequences keep their places
//! and a reader only sees gaps. The rules for times are those of Kafka's `MemoryRecords.filterTo`.

use super::builder::{put_varint, put_varlong};
use super::header::{
    Attributes, BatchError, BatchHeader, HEADER_LEN, LOG_OVERHEAD, NO_TIMESTAMP, TimestampType,
};
use super::patch;
use super::record::Record;
use crate::protocol::codec::{Codec, compress};
use crate::protocol::wire::{varint_len, varlong_len};

/// The batch with `header` and only `records`, some of its own, in their order. With `delete_horizon_ms` its tombstones
/// may go from that time on. With no records see [`emptied`].
///
/// # Errors
/// [`BatchError::UnknownCodec`], [`BatchError::Codec`], or [`BatchError::TooLong`] above 2 GiB.
pub fn retained(
    header: &BatchHeader,
    records: &[Record<'_>],
    delete_horizon_ms: Option<i64>,
) -> Result<Vec<u8>, BatchError> {
    let codec = header.codec()?;
    let append_time = header.attributes.timestamp_type() == TimestampType::LogAppendTime;
    let time_of = |record: &Record<'_>| {
        if append_time {
            header.max_timestamp
        } else {
            header.base_timestamp.wrapping_add(record.timestamp_delta)
        }
    };
    let first = records.first().map_or(NO_TIMESTAMP, time_of);
    let base_timestamp = delete_horizon_ms.unwrap_or(first);
    let max_timestamp = records.iter().map(time_of).max().unwrap_or(NO_TIMESTAMP);
    let mut plain = Vec::new();
    for record in records {
        put_record(&mut plain, record, time_of(record).wrapping_sub(base_timestamp));
    }
    if plain.len() > i32::MAX as usize {
        return Err(BatchError::TooLong);
    }
    let mut bytes = vec![0; HEADER_LEN];
    compress(codec, &plain, &mut bytes)?;
    let head = BatchHeader {
        attributes: header.attributes.with_delete_horizon(delete_horizon_ms.is_some()),
        base_timestamp,
        max_timestamp: if append_time { header.max_timestamp } else { max_timestamp },
        record_count: i32::try_from(records.len()).map_err(|_| BatchError::TooLong)?,
        ..*header
    };
    finish(head, bytes)
}

/// The batch with `header` and no record at all: kept for its offsets, or for its producer's last sequence.
///
/// # Errors
/// None that can happen.
pub fn emptied(header: &BatchHeader) -> Result<Vec<u8>, BatchError> {
    let codec_bits = 7;
    let attributes = Attributes(header.attributes.0 & !codec_bits | i16::from(Codec::None.id()));
    let head = BatchHeader {
        attributes: attributes.with_delete_horizon(false),
        base_timestamp: NO_TIMESTAMP,
        record_count: 0,
        ..*header
    };
    finish(head, vec![0; HEADER_LEN])
}

fn finish(mut head: BatchHeader, mut bytes: Vec<u8>) -> Result<Vec<u8>, BatchError> {
    head.batch_length = i32::try_from(bytes.len() - LOG_OVERHEAD).map_err(|_| BatchError::TooLong)?;
    if let Some(place) = bytes.get_mut(..HEADER_LEN) {
        place.copy_from_slice(&head.to_bytes());
    }
    patch::rewrite_crc(&mut bytes);
    Ok(bytes)
}

fn put_record(out: &mut Vec<u8>, record: &Record<'_>, timestamp_delta: i64) {
    let bytes_len =
        |bytes: Option<&[u8]>| bytes.map_or(1, |bytes| varint_len(bytes.len() as i32) + bytes.len());
    let headers = record.raw_headers();
    let body = 1
        + varlong_len(timestamp_delta)
        + varint_len(record.offset_delta)
        + bytes_len(record.key)
        + bytes_len(record.value)
        + varint_len(record.header_count())
        + headers.len();
    out.reserve(5 + body);
    put_varint(out, body as i32);
    out.push(0);
    put_varlong(out, timestamp_delta);
    put_varint(out, record.offset_delta);
    for field in [record.key, record.value] {
        match field {
            Some(bytes) => {
                put_varint(out, bytes.len() as i32);
                out.extend_from_slice(bytes);
            }
            None => put_varint(out, -1),
        }
    }
    put_varint(out, record.header_count());
    out.extend_from_slice(headers);
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, BatchBuilder, set_base_offset_and_epoch, set_log_append_time};
    use super::*;

    fn three(codec: Codec) -> Vec<u8> {
        let mut builder = BatchBuilder::new(codec).producer(5, 1, 40).transactional(true);
        builder.append(1000, Some(b"a"), Some(b"value"), &[("h", Some(b"x")), ("n", None)]);
        builder.append(3000, Some(b"b"), None, &[]);
        builder.append(2000, Some(b"c"), Some(b""), &[]);
        let mut bytes = builder.build().unwrap();
        set_base_offset_and_epoch(&mut bytes, 70, 9).unwrap();
        bytes
    }

    /// Offset, timestamp, key, value and number of headers of each record.
    fn contents(bytes: &[u8]) -> Vec<(i64, i64, Vec<u8>, Option<Vec<u8>>, usize)> {
        let batch = Batch::parse(bytes).unwrap();
        batch.verify_crc().unwrap();
        assert_eq!(batch.bytes.len(), bytes.len());
        let mut scratch = Vec::new();
        let records = batch.records(1 << 20, &mut scratch).unwrap().map(Result::unwrap);
        records
            .map(|record| {
                let offset = batch.header.base_offset + i64::from(record.offset_delta);
                let timestamp = batch.header.base_timestamp + record.timestamp_delta;
                let (key, value) = (record.key.unwrap().to_vec(), record.value.map(<[u8]>::to_vec));
                (offset, timestamp, key, value, record.headers().count())
            })
            .collect()
    }

    fn keep(bytes: &[u8], which: &[usize], horizon: Option<i64>) -> Vec<u8> {
        let batch = Batch::parse(bytes).unwrap();
        let mut scratch = Vec::new();
        let all: Vec<_> = batch.records(1 << 20, &mut scratch).unwrap().map(Result::unwrap).collect();
        let kept: Vec<_> = which.iter().map(|index| all[*index]).collect();
        retained(&batch.header, &kept, horizon).unwrap()
    }

    #[test]
    fn what_stays_keeps_its_offset_time_and_content() {
        for codec in Codec::ALL {
            let bytes = three(codec);
            let all = contents(&bytes);
            for which in [&[0usize, 1, 2][..], &[0], &[1], &[2], &[1, 2]] {
                for horizon in [None, Some(5_000_000), Some(0)] {
                    let left = keep(&bytes, which, horizon);
                    let expected: Vec<_> = which.iter().map(|index| all[*index].clone()).collect();
                    assert_eq!(contents(&left), expected, "{codec:?} {which:?} {horizon:?}");
                    let (before, after) =
                        (Batch::parse(&bytes).unwrap().header, Batch::parse(&left).unwrap().header);
                    assert_eq!(after.codec(), Ok(codec));
                    assert_eq!((after.base_offset, after.last_offset()), (70, 72));
                    assert_eq!((after.base_sequence, after.last_sequence()), (40, 42));
                    assert_eq!((after.producer_id, after.producer_epoch, after.leader_epoch), (5, 1, 9));
                    assert!(after.attributes.is_transactional());
                    assert_eq!(after.delete_horizon_ms(), horizon);
                    assert_eq!(after.max_timestamp, expected.iter().map(|record| record.1).max().unwrap());
                    assert_eq!(before.record_count, 3);
                }
            }
        }
    }

    #[test]
    fn the_append_time_counts_for_all_records_also_with_a_horizon() {
        let mut bytes = three(Codec::None);
        set_log_append_time(&mut bytes, 8000).unwrap();
        for horizon in [None, Some(9000)] {
            let left = keep(&bytes, &[1], horizon);
            let header = Batch::parse(&left).unwrap().header;
            assert_eq!(header.attributes.timestamp_type(), TimestampType::LogAppendTime);
            assert_eq!(header.max_timestamp, 8000);
            assert_eq!(contents(&left)[0].1, 8000);
        }
    }

    #[test]
    fn an_emptied_batch_keeps_offsets_and_sequences() {
        let bytes = three(Codec::Zstd);
        let left = emptied(&Batch::parse(&bytes).unwrap().header).unwrap();
        assert_eq!(left.len(), HEADER_LEN);
        assert!(contents(&left).is_empty());
        let header = Batch::parse(&left).unwrap().header;
        assert_eq!((header.base_offset, header.last_offset(), header.last_sequence()), (70, 72, 42));
        assert_eq!((header.base_timestamp, header.max_timestamp), (NO_TIMESTAMP, 3000));
        assert_eq!(header.codec(), Ok(Codec::None));
    }
}
