//! What a compacted log must be: every batch as it was appended, and what a reader may find of them.

use std::collections::{BTreeMap, BTreeSet};

use millrace::protocol::Uuid;
use millrace::protocol::record_batch::BatchHeader;

#[derive(Clone)]
pub struct Written {
    pub offset: i64,
    pub key: u8,
    pub value: Option<u32>,
}

/// A batch as it was appended.
#[derive(Clone)]
pub struct Appended {
    pub base: i64,
    pub last: i64,
    pub records: Vec<Written>,
    pub header: BatchHeader,
    /// A marker: the producer, whether it commits.
    pub marker: Option<(i64, bool)>,
}

/// The model of one partition.
#[derive(Default)]
pub struct Model {
    pub id: Uuid,
    pub batches: Vec<Appended>,
    pub start: i64,
    pub start_pending: Option<i64>,
    pub cut_pending: Option<i64>,
    pub acked: i64,
    pub high_watermark: i64,
    pub next_value: u32,
    pub shard: usize,
    /// Truncated, moved or reopened: reads under way are not judged.
    pub generation: u64,
}

impl Model {
    pub fn end(&self) -> i64 {
        self.batches.last().map_or(self.start, |batch| batch.last + 1)
    }

    pub fn next_sequence(&self, producer: i64) -> i32 {
        self.last_of(producer).map_or(0, |batch| batch.header.last_sequence() + 1)
    }

    pub fn last_of(&self, producer: i64) -> Option<&Appended> {
        let of = |batch: &&Appended| batch.header.producer_id == producer && batch.marker.is_none();
        self.batches.iter().rev().find(of)
    }

    /// Producers with an open transaction.
    pub fn open(&self) -> Vec<i64> {
        let mut open = BTreeSet::new();
        for batch in &self.batches {
            match batch.marker {
                Some((producer, _)) => {
                    open.remove(&producer);
                }
                None if batch.header.attributes.is_transactional() => {
                    open.insert(batch.header.producer_id);
                }
                None => {}
            }
        }
        open.into_iter().collect()
    }

    /// Base offsets of batches whose transaction was aborted, and of those whose end is open.
    pub fn undone(&self) -> (BTreeSet<i64>, BTreeSet<i64>) {
        let mut pending: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        let mut aborted = BTreeSet::new();
        for batch in &self.batches {
            match batch.marker {
                Some((producer, commit)) => {
                    let ended = pending.remove(&producer).unwrap_or_default();
                    if !commit {
                        aborted.extend(ended);
                    }
                }
                None if batch.header.attributes.is_transactional() => {
                    pending.entry(batch.header.producer_id).or_default().push(batch.base);
                }
                None => {}
            }
        }
        (aborted, pending.into_values().flatten().collect())
    }

    pub fn accept(&mut self, start: i64, end: i64) -> Result<(), String> {
        let cut = self.cut_pending.take().unwrap_or(i64::MAX);
        let promised = self.acked.min(cut);
        if end < promised {
            return Err(format!(
                "acknowledged records are lost: the log ends at {end}, acknowledged {promised}"
            ));
        }
        if end > self.end() {
            return Err(format!("the log ends at {end}, offsets were given up to {}", self.end()));
        }
        let newest = self.start_pending.take().unwrap_or(self.start).max(self.start);
        if start < self.start || start > newest {
            return Err(format!("the log start is {start}, allowed are {} to {newest}", self.start));
        }
        self.batches.retain(|batch| batch.last < end);
        self.start = start;
        self.acked = end;
        self.high_watermark = end;
        self.generation += 1;
        if self.end() > end {
            return Err(format!("the log ends at {end}, within a batch"));
        }
        Ok(())
    }

    /// Judges what a reader from `start` to `end` found; `quiet`: nothing was compacted meanwhile.
    pub fn judge(
        &self,
        keeps_tombstones: bool,
        quiet: bool,
        start: i64,
        end: i64,
        found: &[(i64, u8, Option<u32>)],
        told: &[(i64, i64, i64)],
    ) -> Result<(), String> {
        let written: BTreeMap<i64, &Written> = self
            .batches
            .iter()
            .flat_map(|batch| &batch.records)
            .map(|record| (record.offset, record))
            .collect();
        let mut previous = -1;
        for (offset, key, value) in found {
            if *offset <= previous {
                return Err(format!("offset {offset} is read after {previous}"));
            }
            previous = *offset;
            match written.get(offset) {
                Some(record) if (record.key, record.value) == (*key, *value) => {}
                _ => return Err(format!("what is read at {offset} was not written there")),
            }
        }
        let (aborted, open) = self.undone();
        let batch_at = |offset: i64| {
            let at = self.batches.partition_point(|batch| batch.last < offset);
            self.batches.get(at).map_or(-1, |batch| batch.base)
        };
        for (producer, offset, is_aborted) in told {
            let expected = aborted.contains(&batch_at(*offset));
            // A transaction that began below the log start may be known in part only.
            if (*is_aborted == 1) != expected && *offset < self.high_watermark && self.start == 0 {
                return Err(format!(
                    "offset {offset} of producer {producer} is told as aborted: {is_aborted}, expected {expected}"
                ));
            }
        }
        let mut last: BTreeMap<u8, &Written> = BTreeMap::new();
        for batch in &self.batches {
            if aborted.contains(&batch.base) || open.contains(&batch.base) {
                continue;
            }
            for record in batch.records.iter().filter(|record| (start..end).contains(&record.offset)) {
                last.insert(record.key, record);
            }
        }
        let present: BTreeSet<i64> = found.iter().map(|(offset, ..)| *offset).collect();
        for (key, record) in last {
            if present.contains(&record.offset) {
                continue;
            }
            if record.value.is_some() || keeps_tombstones {
                return Err(format!("the last record of key {key} is lost, at {}", record.offset));
            }
            let of_key = |(offset, other, _): &&(i64, u8, Option<u32>)| {
                let undone = aborted.contains(&batch_at(*offset)) || open.contains(&batch_at(*offset));
                *other == key && (start..record.offset).contains(offset) && !undone
            };
            if let Some((offset, ..)) = found.iter().find(of_key).filter(|_| quiet) {
                return Err(format!(
                    "the tombstone of key {key} at {} is gone, and {offset} came back",
                    record.offset
                ));
            }
        }
        Ok(())
    }
}
