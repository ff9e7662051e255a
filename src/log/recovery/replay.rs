//! What a partition's journal entries come to: for each segment the bytes that may be missing in its file and where
//! it ends, which files are of a history that was cut off, where the log starts. Pure.
//!
//! Entries are applied in their order, truncations included (law 3). The newest statement about a segment is its
//! durable end (law 5).

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::log::journal::format::{Entry, Kind};

/// What the journal says about a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentPlan {
    /// Bytes by position; where they overlap they are the same.
    pub pieces: BTreeMap<u64, Bytes>,
    /// The durable end.
    pub end: u64,
    /// The log end offset there.
    pub end_offset: i64,
    /// Up to here the file is durable.
    pub flushed: u64,
    /// The file is exact as it stands, if it is there: compaction may have replaced it since the entries about it.
    pub is_exact: bool,
}

/// What the journal says about a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Segments it speaks of, by base offset.
    pub segments: BTreeMap<i64, SegmentPlan>,
    /// Files of segments from this base offset on, that the plan does not speak of, are of a history cut off.
    pub gone_from: Option<i64>,
    /// The log start.
    pub log_start: Option<i64>,
    /// The log was emptied and begins here.
    pub restart: Option<i64>,
    /// The log was deleted.
    pub deleted: bool,
    /// Something was cut: indexes on disk may be of what is gone.
    pub was_cut: bool,
    /// The lowest offset of a cut: snapshots and epochs above may be of what is gone.
    pub cut_from: Option<i64>,
}

impl Plan {
    /// Applies the next entry. With `skip_truncations` (a planted fault) cuts are not replayed.
    pub fn apply(&mut self, entry: &Entry, data: &Bytes, skip_truncations: bool) {
        match entry.kind {
            Kind::Append => {
                let segment = self.segments.entry(entry.base_offset).or_default();
                segment.is_exact = false;
                segment.end = entry.position + data.len() as u64;
                segment.end_offset = entry.end_offset;
                segment.flushed = segment.flushed.max(entry.flushed);
                segment.pieces.insert(entry.position, data.clone());
            }
            Kind::Extent | Kind::Move | Kind::Seal => {
                let segment = self.segments.entry(entry.base_offset).or_default();
                segment.is_exact = false;
                segment.end = entry.position;
                segment.end_offset = entry.end_offset;
                segment.flushed = segment.flushed.max(entry.flushed);
            }
            Kind::Truncate if skip_truncations => {}
            Kind::Truncate => self.truncate(entry.base_offset, entry.position, entry.end_offset),
            Kind::Restart => {
                self.segments.clear();
                self.gone_from = Some(i64::MIN);
                self.restart = Some(entry.end_offset);
                self.log_start = Some(entry.end_offset);
                self.was_cut = true;
                self.cut_from = Some(i64::MIN);
                let begun = SegmentPlan { end_offset: entry.end_offset, ..SegmentPlan::default() };
                self.segments.insert(entry.end_offset, begun);
            }
            Kind::LogStart => {
                self.log_start =
                    Some(self.log_start.map_or(entry.end_offset, |old| old.max(entry.end_offset)));
            }
            Kind::Delete => self.deleted = true,
            Kind::Compact => {
                // They stay in the plan: the files are of this history.
                let range = entry.base_offset..entry.end_offset.max(entry.base_offset);
                for (_, segment) in self.segments.range_mut(range) {
                    *segment = SegmentPlan { is_exact: true, ..SegmentPlan::default() };
                }
            }
        }
    }

    fn truncate(&mut self, base_offset: i64, position: u64, end_offset: i64) {
        self.was_cut = true;
        self.cut_from = Some(self.cut_from.map_or(end_offset, |old| old.min(end_offset)));
        let keeps = position > 0;
        let gone_from = if keeps { base_offset + 1 } else { base_offset };
        self.segments.retain(|base, _| *base < gone_from);
        self.gone_from = Some(self.gone_from.map_or(gone_from, |old| old.min(gone_from)));
        if keeps {
            let segment = self.segments.entry(base_offset).or_default();
            segment.is_exact = false;
            segment.end = position;
            segment.end_offset = end_offset;
            segment.flushed = segment.flushed.min(position);
            segment.pieces.retain(|start, _| *start < position);
            for (start, bytes) in &mut segment.pieces {
                let most = (position - start) as usize;
                bytes.truncate(most);
            }
        }
        // The log goes on in a new segment; until that is spoken of, this says where it ends, which may be behind the
        // last batch.
        let begun = SegmentPlan { end_offset, ..SegmentPlan::default() };
        self.segments.entry(end_offset).or_insert(begun);
    }

    /// Whether the file of the segment at `base_offset` is of a history that was cut off.
    #[must_use]
    pub fn is_gone(&self, base_offset: i64) -> bool {
        self.gone_from.is_some_and(|from| base_offset >= from) && !self.segments.contains_key(&base_offset)
    }
}

impl SegmentPlan {
    /// Where the pieces that reach the end without a gap begin; the end itself without any.
    #[must_use]
    pub fn covered_from(&self) -> u64 {
        let (mut run_start, mut run_end) = (self.end, 0);
        for (start, bytes) in &self.pieces {
            let piece_end = start + bytes.len() as u64;
            if *start > run_end || run_start == self.end {
                run_start = *start;
            }
            run_end = run_end.max(piece_end);
        }
        if run_end >= self.end { run_start } else { self.end }
    }

    /// The `len` bytes at `position`, which pieces hold.
    #[must_use]
    pub fn copy(&self, position: u64, len: u64) -> Bytes {
        let mut bytes = vec![0; len as usize];
        self.fill(position, &mut bytes);
        bytes.into()
    }

    /// Copies the bytes at `position..` that pieces hold into `target`; later pieces win.
    pub fn fill(&self, position: u64, target: &mut [u8]) {
        let end = position + target.len() as u64;
        for (start, bytes) in self.pieces.range(..end) {
            let piece_end = start + bytes.len() as u64;
            let (from, to) = (position.max(*start), end.min(piece_end));
            if from >= to {
                continue;
            }
            let source = bytes.get((from - start) as usize..(to - start) as usize);
            let target = target.get_mut((from - position) as usize..(to - position) as usize);
            if let (Some(source), Some(target)) = (source, target) {
                target.copy_from_slice(source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::journal::format::Identity;
    use crate::protocol::Uuid;

    fn entry(kind: Kind, base_offset: i64, position: u64, end_offset: i64) -> Entry {
        let identity = Identity { topic_id: Uuid::ONE, partition: 0, incarnation: 1 };
        Entry { kind, identity, owner_epoch: 0, base_offset, position, end_offset, flushed: 0 }
    }

    fn bytes(fill: u8, len: usize) -> Bytes {
        vec![fill; len].into()
    }

    #[test]
    fn carried_blocks_join_what_follows() {
        let mut plan = Plan::default();
        plan.apply(&entry(Kind::Append, 0, 0, 3), &bytes(1, 5000), false);
        plan.apply(&entry(Kind::Append, 0, 4096, 3), &bytes(1, 904), false);
        plan.apply(&entry(Kind::Append, 0, 5000, 9), &bytes(2, 100), false);
        let segment = &plan.segments[&0];
        assert_eq!((segment.end, segment.end_offset, segment.covered_from()), (5100, 9, 0));
        let mut target = [0; 300];
        segment.fill(4900, &mut target);
        assert!(
            target[..100].iter().all(|byte| *byte == 1) && target[100..200].iter().all(|byte| *byte == 2)
        );
    }

    #[test]
    fn a_cut_is_replayed_in_its_place() {
        let mut plan = Plan::default();
        plan.apply(&entry(Kind::Append, 0, 0, 3), &bytes(1, 300), false);
        plan.apply(&entry(Kind::Append, 0, 300, 6), &bytes(1, 300), false);
        plan.apply(&entry(Kind::Append, 6, 0, 8), &bytes(1, 50), false);
        plan.apply(&entry(Kind::Truncate, 0, 300, 3), &Bytes::new(), false);
        assert!(plan.is_gone(6) && !plan.is_gone(0));
        plan.apply(&entry(Kind::Append, 3, 0, 4), &bytes(2, 80), false);
        assert_eq!(plan.segments.len(), 2);
        assert_eq!((plan.segments[&0].end, plan.segments[&3].end), (300, 80));
        assert!(plan.is_gone(6));
    }

    #[test]
    fn what_was_compacted_stands_in_its_file_and_can_be_cut() {
        let mut plan = Plan::default();
        plan.apply(&entry(Kind::Truncate, 0, 0, 0), &Bytes::new(), false);
        for base in [0, 3, 6] {
            plan.apply(&entry(Kind::Append, base, 0, base + 3), &bytes(1, 300), false);
        }
        plan.apply(&entry(Kind::Compact, 0, 0, 6), &Bytes::new(), false);
        assert!(plan.segments[&0].is_exact && plan.segments[&3].is_exact && !plan.segments[&6].is_exact);
        assert!(plan.segments[&0].pieces.is_empty());
        assert!(!plan.is_gone(0) && !plan.is_gone(3), "files of the history as it is");
        plan.apply(&entry(Kind::Truncate, 0, 120, 2), &Bytes::new(), false);
        assert_eq!((plan.segments[&0].end, plan.segments[&0].is_exact), (120, false));
        assert!(plan.is_gone(3) && plan.is_gone(6));
    }

    #[test]
    fn a_segment_cut_to_nothing_begins_again() {
        let mut plan = Plan::default();
        plan.apply(&entry(Kind::Append, 5, 0, 9), &bytes(1, 300), false);
        plan.apply(&entry(Kind::Truncate, 5, 0, 5), &Bytes::new(), false);
        assert_eq!(plan.segments[&5], SegmentPlan { end_offset: 5, ..SegmentPlan::default() });
        plan.apply(&entry(Kind::Append, 5, 0, 6), &bytes(2, 70), false);
        assert_eq!((plan.segments[&5].end, plan.segments[&5].pieces.len()), (70, 1));
    }
}
