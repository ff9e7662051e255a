//! What was acknowledged against what was read: counts and CRCs, partition by partition and batch by batch.
//!
//! Producers enter each acknowledged batch with its offset and CRC, consumers each batch that they read. A batch that
//! both have named at the same offset with the same CRC is done with, and gives the latency from end to end. What is
//! left at the end was lost, changed or never acknowledged. Shared by the threads of the load; a partition is locked for
//! one entry at a time. Bounded: beyond [`OPEN_LIMIT`] open batches only counts and sums are compared.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::track::Track;

/// Batches acknowledged but not yet read by all groups (or the other way round), at most, over all partitions.
const OPEN_LIMIT: u64 = 8_000_000;

/// When the records of a batch were due.
#[derive(Clone, Debug)]
pub enum Due {
    /// All at once.
    Together(u64),
    /// Each at its own time.
    Each(Box<[u64]>),
}

impl Due {
    /// Enters the latency of each of `records` records that ended at `at_ns`.
    pub fn record(&self, records: u32, at_ns: u64, track: &mut Track) {
        match self {
            Self::Together(due) => track.record(at_ns.saturating_sub(*due), *due, u64::from(records)),
            Self::Each(all) => all.iter().for_each(|due| track.record(at_ns.saturating_sub(*due), *due, 1)),
        }
    }
}

struct Open {
    crc: u32,
    records: u32,
    /// `None` until it is acknowledged.
    due: Option<Due>,
    /// When each group had it.
    reads: Vec<u64>,
}

#[derive(Default)]
struct Partition {
    acked: Tally,
    /// Records whose requests failed or never ended: they may or may not be there.
    unsure: u64,
    read: Vec<Tally>,
    open: HashMap<i64, Open>,
    differing: u64,
}

/// Records, and the sum of their batches' CRCs.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    records: u64,
    crc_sum: u64,
}

impl Tally {
    fn add(&mut self, records: u32, crc: u32) {
        self.records += u64::from(records);
        self.crc_sum = self.crc_sum.wrapping_add(u64::from(crc));
    }
}

pub struct Ledger {
    partitions: Vec<Mutex<Partition>>,
    groups: usize,
    open: AtomicU64,
    untracked: AtomicU64,
}

/// What the comparison gave.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    pub acknowledged_records: u64,
    /// By all groups together.
    pub read_records: u64,
    pub groups: usize,
    /// Whether every acknowledged record was read once by each group, at its offset and with its CRC.
    pub ok: bool,
    /// The first differences, in words.
    pub differences: Vec<String>,
    /// Records of requests that failed or did not end.
    pub unsure_records: u64,
    /// Batches that were compared by count and sum alone.
    pub untracked_batches: u64,
}

fn locked(partition: &Mutex<Partition>) -> MutexGuard<'_, Partition> {
    partition.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledger {
    pub fn new(partitions: i32, groups: usize) -> Self {
        let one = || Mutex::new(Partition { read: vec![Tally::default(); groups], ..Partition::default() });
        Self {
            partitions: (0..partitions).map(|_| one()).collect(),
            groups,
            open: AtomicU64::new(0),
            untracked: AtomicU64::new(0),
        }
    }

    /// A batch was acknowledged at an offset (`None` with acks 0, which tells none).
    pub fn acknowledged(
        &self,
        partition: i32,
        offset: Option<i64>,
        (crc, records): (u32, u32),
        due: &Due,
        end_to_end: &mut Track,
    ) {
        let Some(slot) = self.partitions.get(partition as usize) else { return };
        let mut partition = locked(slot);
        partition.acked.add(records, crc);
        let Some(offset) = offset else { return };
        if let Some(open) = partition.open.get_mut(&offset) {
            if open.due.is_some() || (open.crc, open.records) != (crc, records) {
                partition.differing += 1;
                return;
            }
            open.reads.iter().for_each(|at| due.record(records, *at, end_to_end));
            open.due = Some(due.clone());
            if open.reads.len() >= self.groups {
                partition.open.remove(&offset);
                self.open.fetch_sub(1, Ordering::Relaxed);
            }
        } else if self.room() {
            let open = Open { crc, records, due: Some(due.clone()), reads: Vec::new() };
            partition.open.insert(offset, open);
        }
    }

    /// A request failed or did not end.
    pub fn unsure(&self, partition: i32, records: u32) {
        if let Some(slot) = self.partitions.get(partition as usize) {
            locked(slot).unsure += u64::from(records);
        }
    }

    /// A group has read a batch whose CRC fits its bytes.
    pub fn read(
        &self,
        group: usize,
        partition: i32,
        offset: i64,
        (crc, records): (u32, u32),
        at_ns: u64,
        end_to_end: &mut Track,
    ) {
        let Some(slot) = self.partitions.get(partition as usize) else { return };
        let mut partition = locked(slot);
        if let Some(read) = partition.read.get_mut(group) {
            read.add(records, crc);
        }
        if let Some(open) = partition.open.get_mut(&offset) {
            if (open.crc, open.records) != (crc, records) {
                partition.differing += 1;
                return;
            }
            if let Some(due) = &open.due {
                due.record(records, at_ns, end_to_end);
            }
            open.reads.push(at_ns);
            if open.due.is_some() && open.reads.len() >= self.groups {
                partition.open.remove(&offset);
                self.open.fetch_sub(1, Ordering::Relaxed);
            }
        } else if self.room() {
            partition.open.insert(offset, Open { crc, records, due: None, reads: vec![at_ns] });
        }
    }

    fn room(&self) -> bool {
        let room = self.open.fetch_add(1, Ordering::Relaxed) < OPEN_LIMIT;
        if !room {
            self.open.fetch_sub(1, Ordering::Relaxed);
            self.untracked.fetch_add(1, Ordering::Relaxed);
        }
        room
    }

    /// Whether a group has read all that was acknowledged of a partition; records of failed requests may be missing.
    pub fn caught_up(&self, group: usize, partition: i32) -> bool {
        let Some(slot) = self.partitions.get(partition as usize) else { return true };
        let partition = locked(slot);
        partition.read.get(group).is_none_or(|read| read.records >= partition.acked.records)
    }

    /// Compares. `acks0`: batches have no offsets, counts and sums are all there is.
    pub fn verdict(&self, acks0: bool) -> Verdict {
        let untracked = self.untracked.load(Ordering::Relaxed);
        let mut verdict = Verdict { groups: self.groups, untracked_batches: untracked, ..Verdict::default() };
        let mut differences = Vec::new();
        for (number, slot) in self.partitions.iter().enumerate() {
            let partition = locked(slot);
            let acked = partition.acked;
            verdict.acknowledged_records += acked.records;
            verdict.unsure_records += partition.unsure;
            for (group, read) in partition.read.iter().enumerate() {
                verdict.read_records += read.records;
                let most = acked.records + partition.unsure;
                if read.records < acked.records || read.records > most {
                    differences.push(format!(
                        "partition {number}, group {group}: {} records acknowledged, {} read",
                        acked.records, read.records
                    ));
                } else if partition.unsure == 0 && read.crc_sum != acked.crc_sum {
                    differences.push(format!("partition {number}, group {group}: the sums of CRCs differ"));
                }
            }
            if partition.differing > 0 {
                let count = partition.differing;
                differences
                    .push(format!("partition {number}: {count} batches are not those acknowledged there"));
            }
            let lost = partition.open.values().filter(|open| open.due.is_some()).count();
            if lost > 0 && untracked == 0 {
                differences.push(format!("partition {number}: {lost} acknowledged batches were not read"));
            }
            let extra = partition.open.values().filter(|open| open.due.is_none()).count();
            if extra > 0 && untracked == 0 && !acks0 && partition.unsure == 0 {
                differences
                    .push(format!("partition {number}: {extra} batches were read but not acknowledged"));
            }
        }
        verdict.ok = differences.is_empty();
        differences.truncate(5);
        verdict.differences = differences;
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track() -> Track {
        Track::new(0, u64::MAX)
    }

    #[test]
    fn what_is_lost_changed_or_doubled_is_seen() {
        let mut seen = track();
        let due = Due::Together(1000);
        let ledger = Ledger::new(1, 1);
        ledger.acknowledged(0, Some(0), (7, 2), &due, &mut seen);
        ledger.read(0, 0, 0, (7, 2), 5000, &mut seen);
        // The reader may be first.
        ledger.read(0, 0, 2, (8, 1), 9000, &mut seen);
        ledger.acknowledged(0, Some(2), (8, 1), &due, &mut seen);
        assert!(ledger.verdict(false).ok && ledger.caught_up(0, 0));
        assert_eq!((seen.all.len(), seen.all.max()), (3, 8));

        ledger.acknowledged(0, Some(3), (9, 1), &due, &mut seen);
        let lost = ledger.verdict(false);
        assert!(!lost.ok && !ledger.caught_up(0, 0), "{lost:?}");
        assert!(
            lost.differences.iter().any(|line| line.contains("4 records acknowledged, 3 read")),
            "{lost:?}"
        );
        ledger.read(0, 0, 3, (10, 1), 9000, &mut seen);
        let changed = ledger.verdict(false).differences.join("; ");
        assert!(
            changed.contains("sums of CRCs differ") && changed.contains("not those acknowledged"),
            "{changed}"
        );
    }

    #[test]
    fn a_batch_at_another_offset_is_seen() {
        let mut seen = track();
        let ledger = Ledger::new(1, 1);
        for (offset, crc) in [(0, 1), (1, 2)] {
            ledger.acknowledged(0, Some(offset), (crc, 1), &Due::Together(0), &mut seen);
            ledger.read(0, 0, 1 - offset, (crc, 1), 10, &mut seen);
        }
        assert!(!ledger.verdict(false).ok);
    }

    #[test]
    fn each_group_must_read_everything() {
        let mut seen = track();
        let ledger = Ledger::new(1, 2);
        ledger.acknowledged(0, Some(0), (7, 1), &Due::Each(vec![3000].into()), &mut seen);
        ledger.read(0, 0, 0, (7, 1), 5000, &mut seen);
        assert!(!ledger.verdict(false).ok);
        ledger.read(1, 0, 0, (7, 1), 6000, &mut seen);
        assert!(ledger.verdict(false).ok);
    }
}
