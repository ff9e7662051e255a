//! From the bytes of a fetch to records: batch after batch, without those of aborted transactions if so wished.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;

use crate::protocol::record_batch::{Batch, BatchError, ControlType, TimestampType, batches};

/// Bytes that a batch may have when decompressed.
const BATCH_LIMIT_BYTES: usize = i32::MAX as usize;

/// A record that owns its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerRecord {
    /// Its topic.
    pub topic: Arc<str>,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// Its time, milliseconds since 1970.
    pub timestamp_ms: i64,
    /// Where its time comes from.
    pub timestamp_type: TimestampType,
    /// The key.
    pub key: Option<Vec<u8>>,
    /// The value.
    pub value: Option<Vec<u8>>,
    /// The headers.
    pub headers: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// What one fetch gave of one partition.
pub(super) struct Chunk {
    pub(super) topic: Arc<str>,
    pub(super) partition: i32,
    bytes: Bytes,
    /// The first offset that is wanted.
    next_offset: i64,
    /// Producers of aborted transactions, with their first offsets, sorted by these; `None` reads everything.
    aborted: Option<VecDeque<(i64, i64)>>,
    aborting: HashSet<i64>,
    check_crcs: bool,
    scratch: Vec<u8>,
}

impl Chunk {
    pub(super) fn new(
        topic: Arc<str>,
        partition: i32,
        bytes: Bytes,
        from: i64,
        aborted: Option<Vec<(i64, i64)>>,
        check_crcs: bool,
    ) -> Self {
        let aborted = aborted.map(|mut list| {
            list.sort_by_key(|(_, first_offset)| *first_offset);
            list.into()
        });
        let (aborting, scratch) = (HashSet::new(), Vec::new());
        Self { topic, partition, bytes, next_offset: from, aborted, aborting, check_crcs, scratch }
    }

    /// The offset behind everything that was given out or skipped.
    pub(super) fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// Appends the records of the next batch that has any; false when there is none left.
    pub(super) fn next_batch(&mut self, out: &mut VecDeque<ConsumerRecord>) -> Result<bool, BatchError> {
        while let Some(batch) = batches(&self.bytes.clone()).next() {
            let batch = batch?;
            if self.check_crcs {
                batch.verify_crc()?;
            }
            drop(self.bytes.split_to(batch.bytes.len().min(self.bytes.len())));
            let before = out.len();
            if !self.is_hidden(&batch)? {
                self.read(&batch, out)?;
            }
            self.next_offset = self.next_offset.max(batch.header.next_offset());
            if out.len() > before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a batch is a marker, or belongs to an aborted transaction.
    fn is_hidden(&mut self, batch: &Batch<'_>) -> Result<bool, BatchError> {
        let header = batch.header;
        if let Some(aborted) = &mut self.aborted {
            while aborted.front().is_some_and(|(_, first)| *first <= header.last_offset()) {
                self.aborting.extend(aborted.pop_front().map(|(producer, _)| producer));
            }
        }
        if header.attributes.is_control() {
            let mut scratch = Vec::new();
            let record = batch.records(BATCH_LIMIT_BYTES, &mut scratch)?.next().transpose()?;
            if record.and_then(|record| record.key).map(ControlType::from_key) == Some(Ok(ControlType::Abort))
            {
                self.aborting.remove(&header.producer_id);
            }
            return Ok(true);
        }
        Ok(header.attributes.is_transactional() && self.aborting.contains(&header.producer_id))
    }

    fn read(&mut self, batch: &Batch<'_>, out: &mut VecDeque<ConsumerRecord>) -> Result<(), BatchError> {
        let header = batch.header;
        let timestamp_type = header.attributes.timestamp_type();
        let own = |part: Option<&[u8]>| part.map(<[u8]>::to_vec);
        for record in batch.records(BATCH_LIMIT_BYTES, &mut self.scratch)? {
            let record = record?;
            let offset = header.base_offset.wrapping_add(i64::from(record.offset_delta));
            if offset < self.next_offset {
                continue;
            }
            let timestamp_ms = match timestamp_type {
                TimestampType::LogAppendTime => header.max_timestamp,
                TimestampType::CreateTime => header.base_timestamp.wrapping_add(record.timestamp_delta),
            };
            out.push_back(ConsumerRecord {
                topic: Arc::clone(&self.topic),
                partition: self.partition,
                offset,
                timestamp_ms,
                timestamp_type,
                key: own(record.key),
                value: own(record.value),
                headers: record.headers().map(|(key, value)| (key.to_vec(), own(value))).collect(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::codec::Codec;
    use crate::protocol::record_batch::{BatchBuilder, end_txn_batch};

    fn batch(offset: i64, producer: Option<i64>, values: &[&str]) -> Vec<u8> {
        let mut builder = BatchBuilder::new(Codec::Gzip).base_offset(offset);
        if let Some(id) = producer {
            builder = builder.producer(id, 0, 0).transactional(true);
        }
        values.iter().for_each(|value| builder.append(7, None, Some(value.as_bytes()), &[]));
        builder.build().unwrap()
    }

    fn values(bytes: Vec<u8>, from: i64, aborted: Option<Vec<(i64, i64)>>) -> (Vec<String>, i64) {
        let mut chunk = Chunk::new("t".into(), 0, bytes.into(), from, aborted, true);
        let mut records = VecDeque::new();
        while chunk.next_batch(&mut records).unwrap() {}
        let text = |record: ConsumerRecord| String::from_utf8(record.value.unwrap()).unwrap();
        (records.into_iter().map(text).collect(), chunk.next_offset())
    }

    #[test]
    fn records_in_front_of_the_position_are_left_out() {
        let bytes = [batch(10, None, &["a", "b", "c"]), batch(13, None, &["d"])].concat();
        assert_eq!(values(bytes.clone(), 12, None), (vec!["c".to_owned(), "d".to_owned()], 14));
        // The last batch is cut.
        assert_eq!(values(bytes[..bytes.len() - 1].to_vec(), 10, None).1, 13);
    }

    #[test]
    fn aborted_transactions_are_hidden_up_to_their_marker() {
        let marker = |offset, commit| end_txn_batch(offset, 0, 7, 5, 0, 0, commit).unwrap();
        let bytes = [
            batch(0, Some(5), &["gone"]),
            batch(1, Some(6), &["other"]),
            marker(2, false),
            batch(3, Some(5), &["kept"]),
            marker(4, true),
        ]
        .concat();
        let (seen, end) = values(bytes.clone(), 0, Some(vec![(5, 0)]));
        assert_eq!((seen.join(","), end), ("other,kept".to_owned(), 5));
        assert_eq!(values(bytes, 0, None).0.join(","), "gone,other,kept");
    }
}
