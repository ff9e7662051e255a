//! Record batches against the crate kafka-protocol, for all five codecs, and the check against hostile batches.

use bytes::{Bytes, BytesMut};
use indexmap_of::headers;
use kafka_protocol::records::{
    Compression, NO_PARTITION_LEADER_EPOCH, Record, RecordBatchDecoder, RecordBatchEncoder,
    RecordEncodeOptions, TimestampType,
};
use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{
    Batch, BatchBuilder, BatchError, CRC_AT, CheckRules, batches, check_produce,
};

use crate::random::Rng;

/// The other crate's ordered map of headers, which it does not re-export; built through its own record type.
mod indexmap_of {
    use bytes::Bytes;
    use kafka_protocol::protocol::StrBytes;
    use kafka_protocol::records::Record;

    pub fn headers(record: &mut Record, headers: &[(String, Option<Vec<u8>>)]) {
        for (key, value) in headers {
            record.headers.insert(StrBytes::from_string(key.clone()), value.clone().map(Bytes::from));
        }
    }
}

pub struct Plain {
    pub timestamp: i64,
    pub key: Option<Vec<u8>>,
    pub value: Option<Vec<u8>>,
    pub headers: Vec<(String, Option<Vec<u8>>)>,
}

fn blob(rng: &mut Rng, limit: usize) -> Option<Vec<u8>> {
    if rng.chance(4) {
        return None;
    }
    let (length, byte) = (rng.below(limit), rng.next() as u8);
    // Half of it compresses.
    Some((0..length).map(|at| if at % 2 == 0 { byte } else { rng.next() as u8 }).collect())
}

/// Some records with values below `limit` bytes, 300 small ones now and then.
pub fn records(rng: &mut Rng, now: i64, limit: usize) -> Vec<Plain> {
    let count = if rng.chance(8) { 300 } else { 1 + rng.below(5) };
    (0..count)
        .map(|_| Plain {
            timestamp: now + rng.below(2000) as i64 - 1000,
            key: blob(rng, 20),
            value: blob(rng, if count > 5 { 50 } else { limit }),
            headers: (0..rng.below(3)).map(|n| (format!("header {n}"), blob(rng, 200))).collect(),
        })
        .collect()
}

pub fn build(codec: Codec, records: &[Plain]) -> Vec<u8> {
    append_all(BatchBuilder::new(codec), records).build().unwrap()
}

pub fn append_all(mut builder: BatchBuilder, records: &[Plain]) -> BatchBuilder {
    for record in records {
        let headers: Vec<_> = record.headers.iter().map(|(k, v)| (k.as_str(), v.as_deref())).collect();
        builder.append(record.timestamp, record.key.as_deref(), record.value.as_deref(), &headers);
    }
    builder
}

fn theirs(codec: Codec) -> Compression {
    match codec {
        Codec::None => Compression::None,
        Codec::Gzip => Compression::Gzip,
        Codec::Snappy => Compression::Snappy,
        Codec::Lz4 => Compression::Lz4,
        Codec::Zstd => Compression::Zstd,
    }
}

fn their_records(plain: &[Plain]) -> Vec<Record> {
    let record = |(index, plain): (usize, &Plain)| {
        let mut record = Record {
            transactional: true,
            control: false,
            delete_horizon: false,
            partition_leader_epoch: NO_PARTITION_LEADER_EPOCH,
            producer_id: 77,
            producer_epoch: 3,
            timestamp_type: TimestampType::Creation,
            offset: index as i64,
            sequence: 10 + index as i32,
            timestamp: plain.timestamp,
            key: plain.key.clone().map(Bytes::from),
            value: plain.value.clone().map(Bytes::from),
            headers: Default::default(),
        };
        headers(&mut record, &plain.headers);
        record
    };
    plain.iter().enumerate().map(record).collect()
}

#[test]
fn batches_of_every_codec_are_read_and_written_as_kafka_protocol_does() {
    let mut rng = Rng::for_test("batches of every codec");
    for round in 0..200 {
        let codec = Codec::ALL[round % 5];
        let plain = records(&mut rng, 1_700_000_000_000, 30_000);
        let expected = their_records(&plain);

        let builder = BatchBuilder::new(codec).producer(77, 3, 10).transactional(true);
        let ours = append_all(builder, &plain).build().unwrap();
        let set = RecordBatchDecoder::decode(&mut Bytes::from(ours.clone())).unwrap();
        assert_eq!(set.compression, theirs(codec));
        assert_eq!(set.records, expected, "{codec:?}");

        let mut buffer = BytesMut::new();
        let options = RecordEncodeOptions { version: 2, compression: theirs(codec) };
        RecordBatchEncoder::encode(&mut buffer, &expected, &options).unwrap();
        if codec == Codec::None {
            // Their base timestamp is the smallest one, ours the first, as Kafka has it; both are read alike.
            assert!(buffer.len().abs_diff(ours.len()) < 4 * plain.len());
        }
        let found: Vec<_> = batches(&buffer).map(Result::unwrap).collect();
        let [batch] = found[..] else { panic!("{} batches", found.len()) };
        batch.verify_crc().unwrap();
        let mut scratch = Vec::new();
        let read: Vec<_> = batch.records(64 << 20, &mut scratch).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), plain.len());
        for (record, plain) in read.iter().zip(&plain) {
            assert_eq!(batch.header.base_timestamp + record.timestamp_delta, plain.timestamp);
            assert_eq!((record.key, record.value), (plain.key.as_deref(), plain.value.as_deref()));
            let headers: Vec<_> = record.headers().map(|(k, v)| (k, v.map(<[u8]>::to_vec))).collect();
            let expected: Vec<_> = plain.headers.iter().map(|(k, v)| (k.as_bytes(), v.clone())).collect();
            assert_eq!(headers, expected);
        }
        let rules = CheckRules { now_ms: 1_700_000_000_000, max_batch_bytes: 64 << 20, ..Default::default() };
        let checked = check_produce(&buffer, &rules, &mut scratch).unwrap();
        assert_eq!((checked.record_count as usize, checked.size_bytes), (plain.len(), buffer.len()));
        let max = plain.iter().map(|record| record.timestamp).max().unwrap();
        let first = plain.iter().position(|record| record.timestamp == max).unwrap();
        assert_eq!((checked.max_timestamp, checked.max_timestamp_is_stated), (max, true));
        assert_eq!(checked.offset_of_max_timestamp_delta as usize, first);
    }
}

/// Writes the CRC that fits the bytes, so that damage gets past it.
pub fn fix_crc(batch: &mut [u8]) {
    if batch.len() > CRC_AT + 4 {
        let crc = crc32c::crc32c(&batch[CRC_AT + 4..]);
        batch[CRC_AT..CRC_AT + 4].copy_from_slice(&crc.to_be_bytes());
    }
}

#[test]
fn damaged_batches_are_refused_or_read_but_never_a_panic() {
    let mut rng = Rng::for_test("damaged batches");
    let mut scratch = Vec::new();
    for round in 0..20_000 {
        let codec = Codec::ALL[round % 5];
        let mut bytes = build(codec, &records(&mut rng, 0, 300));
        for _ in 0..=rng.below(3) {
            let from = if rng.chance(4) { 0 } else { 61 };
            if bytes.len() > from {
                let at = from + rng.below((bytes.len() - from).min(200));
                bytes[at] = rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff, rng_byte(round)]);
            }
        }
        if rng.chance(5) {
            bytes.truncate(rng.below(bytes.len() + 1));
        }
        fix_crc(&mut bytes);
        let rules = CheckRules { max_batch_decompressed_bytes: 1 << 20, ..Default::default() };
        let checked = check_produce(&bytes, &rules, &mut scratch);
        let Ok(batch) = Batch::parse(&bytes) else {
            assert!(checked.is_err());
            continue;
        };
        let read: Result<Vec<_>, BatchError> =
            batch.records(1 << 20, &mut scratch).and_then(|records| records.map(|r| r.map(drop)).collect());
        // What the check accepts, readers can read.
        if let Ok(checked) = checked {
            assert_eq!(read.map(|records| records.len()), Ok(checked.record_count as usize));
        }
    }
}

fn rng_byte(round: usize) -> u8 {
    (round * 31) as u8
}

/// What a batch decompresses to costs time but no memory, and a limit ends it.
#[test]
fn a_bomb_is_stopped_at_the_limit() {
    let zeros = vec![0u8; 8 << 20];
    for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        let mut scratch = Vec::new();
        let mut builder = BatchBuilder::new(codec);
        builder.append(0, None, Some(&zeros), &[]);
        let bytes = builder.build().unwrap();
        let rules = CheckRules { now_ms: 0, ..Default::default() };
        let checked = check_produce(&bytes, &rules, &mut scratch).unwrap();
        assert!(checked.decompressed_bytes > zeros.len() as u64);
        assert!(scratch.capacity() <= 64 << 10, "{}", scratch.capacity());
        for limits in [(1 << 20, usize::MAX), (usize::MAX, 1 << 20)] {
            let rules = CheckRules {
                max_decompressed_bytes: limits.0,
                max_batch_decompressed_bytes: limits.1,
                ..rules
            };
            assert!(check_produce(&bytes, &rules, &mut scratch).is_err(), "{codec:?}");
        }
        let batch = Batch::parse(&bytes).unwrap();
        assert!(batch.records(1 << 20, &mut scratch).is_err());
    }
}
