//! Records of one partition that travel together.

use std::time::Instant;

use super::settings::ProducerSettings;
use crate::protocol::record_batch::{
    ATTRIBUTES_AT, BASE_SEQUENCE_AT, BatchBuilder, BatchError, CRC_AT, PRODUCER_EPOCH_AT, PRODUCER_ID_AT,
    batches,
};
use crate::tools::client::ClientError;

/// A record to be sent, borrowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordData<'a> {
    /// The key.
    pub key: Option<&'a [u8]>,
    /// The value.
    pub value: Option<&'a [u8]>,
    /// The headers.
    pub headers: &'a [(&'a str, Option<&'a [u8]>)],
}

impl RecordData<'_> {
    /// Bytes that it takes in a batch, at most.
    pub fn bytes(&self) -> usize {
        let headers: usize =
            self.headers.iter().map(|(key, value)| key.len() + value.map_or(0, <[u8]>::len) + 10).sum();
        self.key.map_or(0, <[u8]>::len) + self.value.map_or(0, <[u8]>::len) + headers + 30
    }
}

/// What became of some records that were sent together.
#[derive(Debug)]
pub struct Completion {
    /// The tags of the records, see [`super::Producer::send`].
    pub tags: Vec<u64>,
    /// Their partition.
    pub partition: i32,
    /// The offset of the first, the others follow it; -1 if the broker did not tell.
    pub base_offset: i64,
    /// Whether they were acknowledged.
    pub result: Result<(), ClientError>,
}

/// Producer id, epoch and sequence of the first record (KIP-98).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) id: i64,
    pub(super) epoch: i16,
    pub(super) sequence: i32,
}

enum Content {
    Open(BatchBuilder),
    Built(Vec<u8>),
}

/// See the module.
pub(super) struct Batch {
    content: Content,
    pub(super) tags: Vec<u64>,
    /// What it counts against `buffer.memory`.
    pub(super) charged_bytes: usize,
    pub(super) created: Instant,
    /// Place in the order of the partition's batches.
    pub(super) serial: u64,
    pub(super) attempts: u32,
    /// Where it stands in the log, once that is known.
    pub(super) base_offset: i64,
    pub(super) stamp: Option<Stamp>,
}

impl Batch {
    pub(super) fn new(settings: &ProducerSettings, serial: u64, now: Instant) -> Self {
        Self {
            content: Content::Open(BatchBuilder::new(settings.codec).level(settings.level)),
            tags: Vec::new(),
            charged_bytes: 0,
            created: now,
            serial,
            attempts: 0,
            base_offset: -1,
            stamp: None,
        }
    }

    /// Bytes before compression.
    pub(super) fn bytes(&self) -> usize {
        match &self.content {
            Content::Open(builder) => builder.uncompressed_bytes(),
            Content::Built(bytes) => bytes.len(),
        }
    }

    pub(super) fn record_count(&self) -> i32 {
        self.tags.len() as i32
    }

    pub(super) fn append(&mut self, tag: u64, timestamp_ms: i64, record: &RecordData<'_>) {
        if let Content::Open(builder) = &mut self.content {
            builder.append(timestamp_ms, record.key, record.value, record.headers);
            self.tags.push(tag);
            self.charged_bytes += record.bytes();
        }
    }

    /// Compresses it if that was not done yet, and writes its stamp into it.
    pub(super) fn finish(&mut self) -> Result<(), BatchError> {
        if let Content::Open(builder) = &mut self.content {
            let builder = std::mem::replace(builder, BatchBuilder::new(Default::default()));
            self.content = Content::Built(match self.stamp {
                Some(stamp) => builder.producer(stamp.id, stamp.epoch, stamp.sequence).build()?,
                None => builder.build()?,
            });
        } else if let (Content::Built(bytes), Some(stamp)) = (&mut self.content, self.stamp) {
            restamp(bytes, stamp);
        }
        Ok(())
    }

    /// The finished bytes; empty before [`Batch::finish`].
    pub(super) fn as_slice(&self) -> &[u8] {
        match &self.content {
            Content::Built(bytes) => bytes,
            Content::Open(_) => &[],
        }
    }

    /// Two batches with half of its records each, for a broker that takes no batch of its size; `None` if it holds one
    /// record. The serial numbers do not tell the halves apart: the first must be queued first.
    pub(super) fn split(&self, settings: &ProducerSettings) -> Option<[Self; 2]> {
        let half = self.tags.len() / 2;
        if half == 0 {
            return None;
        }
        let batch = batches(self.as_slice()).next()?.ok()?;
        let mut scratch = Vec::new();
        let records = batch.records(usize::MAX, &mut scratch).ok()?;
        let mut halves = [0, 1].map(|_| Self::new(settings, self.serial, self.created));
        for (at, (record, tag)) in records.zip(&self.tags).enumerate() {
            let record = record.ok()?;
            let headers: Vec<_> = record
                .headers()
                .map(|(key, value)| (std::str::from_utf8(key).unwrap_or_default(), value))
                .collect();
            let data = RecordData { key: record.key, value: record.value, headers: &headers };
            let timestamp = batch.header.base_timestamp.wrapping_add(record.timestamp_delta);
            halves.get_mut(usize::from(at >= half))?.append(*tag, timestamp, &data);
        }
        Some(halves)
    }
}

fn restamp(bytes: &mut [u8], stamp: Stamp) {
    let mut put = |at: usize, value: &[u8]| {
        if let Some(place) = bytes.get_mut(at..at + value.len()) {
            place.copy_from_slice(value);
        }
    };
    put(PRODUCER_ID_AT, &stamp.id.to_be_bytes());
    put(PRODUCER_EPOCH_AT, &stamp.epoch.to_be_bytes());
    put(BASE_SEQUENCE_AT, &stamp.sequence.to_be_bytes());
    let crc = crc32c::crc32c(bytes.get(ATTRIBUTES_AT..).unwrap_or_default());
    if let Some(place) = bytes.get_mut(CRC_AT..CRC_AT + 4) {
        place.copy_from_slice(&crc.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::properties::Properties;

    fn settings() -> ProducerSettings {
        let mut properties = Properties::default();
        properties.add(&["bootstrap.servers=a:1", "compression.type=gzip"]).unwrap();
        ProducerSettings::new(&properties, "x").unwrap()
    }

    fn batch(records: u64) -> Batch {
        let mut batch = Batch::new(&settings(), 7, Instant::now());
        for tag in 0..records {
            let headers: &[(&str, Option<&[u8]>)] = &[("h", Some(b"v"))];
            batch.append(tag, 1000 + tag as i64, &RecordData { key: None, value: Some(b"value"), headers });
        }
        batch
    }

    #[test]
    fn a_stamp_can_be_replaced_after_the_batch_was_built() {
        let mut batch = batch(3);
        for stamp in [Stamp { id: 5, epoch: 0, sequence: 9 }, Stamp { id: 6, epoch: 1, sequence: 0 }] {
            batch.stamp = Some(stamp);
            batch.finish().unwrap();
            let read = batches(batch.as_slice()).next().unwrap().unwrap();
            read.verify_crc().unwrap();
            let header = read.header;
            assert_eq!(
                Stamp {
                    id: header.producer_id,
                    epoch: header.producer_epoch,
                    sequence: header.base_sequence
                },
                stamp
            );
        }
    }

    #[test]
    fn halves_hold_all_records_in_order() {
        let mut whole = batch(5);
        whole.finish().unwrap();
        let mut times = Vec::new();
        for mut half in whole.split(&settings()).unwrap() {
            half.finish().unwrap();
            let read = batches(half.as_slice()).next().unwrap().unwrap();
            assert_eq!(read.header.record_count, half.record_count());
            let mut scratch = Vec::new();
            let base = read.header.base_timestamp;
            times.extend(
                read.records(1 << 20, &mut scratch)
                    .unwrap()
                    .map(|record| base + record.unwrap().timestamp_delta),
            );
        }
        assert_eq!(times, [1000, 1001, 1002, 1003, 1004]);
        let mut one = batch(1);
        one.finish().unwrap();
        assert!(one.split(&settings()).is_none());
    }
}
