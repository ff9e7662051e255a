//! Which part of a log is dirty, how much of it may be cleaned, and how segments are grouped. Pure; Kafka's rules
//! (LogCleanerManager.cleanableOffsets, LogToClean, Cleaner.groupSegmentsBySize).

/// A segment, as the choice sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SegmentFacts {
    pub(crate) base_offset: i64,
    /// Where the next segment begins.
    pub(crate) end_offset: i64,
    pub(crate) bytes: u64,
    /// Its file is exact and it is not appended to.
    pub(crate) sealed: bool,
    /// A producer snapshot of its base offset is on disk.
    pub(crate) has_snapshot: bool,
    /// The largest timestamp, milliseconds; looked at only with a least lag.
    pub(crate) largest_timestamp_ms: i64,
    /// That of its first batch; looked at only with a largest lag.
    pub(crate) first_timestamp_ms: i64,
}

/// What a topic's configuration demands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Demands {
    pub(crate) min_dirty_ratio: f64,
    pub(crate) min_lag_ms: i64,
    pub(crate) max_lag_ms: i64,
}

/// What could be cleaned of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cleanable {
    pub(crate) first_dirty_offset: i64,
    /// A segment's base offset, above the last segment that takes part.
    pub(crate) first_uncleanable_offset: i64,
    pub(crate) clean_bytes: u64,
    pub(crate) cleanable_bytes: u64,
    /// Something has waited longer than `max.compaction.lag.ms`.
    pub(crate) overdue: bool,
}

impl Cleanable {
    /// Looks at a log's segments, the active one last. `cleaned_to` is where the last pass ended, `stable_end` what is
    /// decided and replicated.
    pub(crate) fn of(
        segments: &[SegmentFacts],
        log_start: i64,
        cleaned_to: Option<i64>,
        stable_end: i64,
        demands: &Demands,
        now_ms: i64,
    ) -> Self {
        let log_end = segments.last().map_or(log_start, |last| last.end_offset.max(last.base_offset));
        // Where nothing is known, or what is known cannot be of this log, all of it is dirty.
        let first_dirty_offset =
            cleaned_to.filter(|offset| (log_start..=log_end).contains(offset)).unwrap_or(log_start);
        let (active, closed) = match segments.split_last() {
            Some((active, closed)) => (active.base_offset, closed),
            None => (log_start, segments),
        };
        // From the one that holds the first dirty offset on.
        let dirty = || closed.iter().filter(|segment| segment.end_offset > first_dirty_offset);
        let too_young = |segment: &&SegmentFacts| {
            demands.min_lag_ms > 0 && segment.largest_timestamp_ms > now_ms.saturating_sub(demands.min_lag_ms)
        };
        let young = dirty().find(too_young).map(|segment| segment.base_offset);
        let unsealed = closed.iter().find(|segment| !segment.sealed).map(|segment| segment.base_offset);
        let bound = stable_end.min(young.unwrap_or(i64::MAX)).min(unsealed.unwrap_or(i64::MAX));
        // Whole segments only: the one that holds the bound stays out.
        let most = closed
            .iter()
            .find(|segment| segment.end_offset > bound)
            .map_or(active, |segment| segment.base_offset);
        // And up to a snapshot: of a producer only the last batch stays, and when that is cut off later, what it did
        // before stands there. A roll makes one; where none is, the next roll's is waited for.
        let first_uncleanable_offset = segments
            .iter()
            .rev()
            .find(|segment| segment.base_offset <= most && segment.has_snapshot)
            .or(segments.first())
            .map_or(log_start, |segment| segment.base_offset);
        let bytes = |from: i64, to: i64| -> u64 {
            let within = closed.iter().filter(|s| s.end_offset > from && s.base_offset < to);
            within.map(|segment| segment.bytes).sum()
        };
        let cleanable_bytes = bytes(first_dirty_offset, first_uncleanable_offset);
        let clean = closed.iter().filter(|segment| segment.end_offset <= first_dirty_offset);
        let lag_ms = demands.max_lag_ms.max(demands.min_lag_ms);
        let overdue = dirty()
            .map(|segment| segment.first_timestamp_ms)
            .filter(|timestamp| *timestamp > 0)
            .min()
            .is_some_and(|oldest| lag_ms < i64::MAX && oldest < now_ms.saturating_sub(lag_ms));
        Self {
            first_dirty_offset,
            first_uncleanable_offset,
            clean_bytes: clean.map(|segment| segment.bytes).sum(),
            cleanable_bytes,
            overdue,
        }
    }

    /// Which part of what is there is dirty and may be cleaned.
    pub(crate) fn ratio(&self) -> f64 {
        let total = self.clean_bytes + self.cleanable_bytes;
        if total == 0 { 0.0 } else { self.cleanable_bytes as f64 / total as f64 }
    }

    /// Whether it is worth a pass now.
    pub(crate) fn is_due(&self, demands: &Demands) -> bool {
        self.cleanable_bytes > 0 && (self.overdue || self.ratio() > demands.min_dirty_ratio)
    }
}

/// Bytes of a segment's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) base_offset: i64,
    pub(crate) end_offset: i64,
    pub(crate) log: u64,
    pub(crate) offset_index: u64,
    pub(crate) time_index: u64,
}

/// Groups segments, each to become one: as many as fit its file, its indexes and their offsets of 32 bits. Gives how
/// many segments each group has.
pub(crate) fn groups(segments: &[Sizes], most_log: u64, most_index: u64) -> Vec<usize> {
    let mut counts = Vec::new();
    let mut current: Option<(Sizes, usize)> = None;
    for segment in segments {
        current = match current {
            Some((sum, count))
                if sum.log + segment.log <= most_log
                    && sum.offset_index + segment.offset_index <= most_index
                    && sum.time_index + segment.time_index <= most_index
                    && (segment.log == 0
                        || segment.end_offset - 1 - sum.base_offset <= i64::from(i32::MAX)) =>
            {
                let sum = Sizes {
                    log: sum.log + segment.log,
                    offset_index: sum.offset_index + segment.offset_index,
                    time_index: sum.time_index + segment.time_index,
                    ..sum
                };
                Some((sum, count + 1))
            }
            other => {
                counts.extend(other.map(|(_, count)| count));
                Some((*segment, 1))
            }
        };
    }
    counts.extend(current.map(|(_, count)| count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const DEMANDS: Demands = Demands { min_dirty_ratio: 0.5, min_lag_ms: 0, max_lag_ms: i64::MAX };

    /// Segments of ten offsets and 100 bytes each, with times an hour apart; the last is active.
    fn segments(count: i64) -> Vec<SegmentFacts> {
        (0..count)
            .map(|number| SegmentFacts {
                base_offset: number * 10,
                end_offset: number * 10 + 10,
                bytes: 100,
                sealed: number + 1 < count,
                has_snapshot: number > 0,
                largest_timestamp_ms: (number + 1) * HOUR,
                first_timestamp_ms: number * HOUR + 1,
            })
            .collect()
    }

    #[test]
    fn all_but_the_active_segment_is_cleaned_from_where_the_last_pass_ended() {
        let all = segments(5);
        let new = Cleanable::of(&all, 0, None, 50, &DEMANDS, 10 * HOUR);
        assert_eq!((new.first_dirty_offset, new.first_uncleanable_offset), (0, 40));
        assert_eq!((new.clean_bytes, new.cleanable_bytes), (0, 400));
        assert!(new.is_due(&DEMANDS));
        let half = Cleanable::of(&all, 0, Some(20), 50, &DEMANDS, 10 * HOUR);
        assert_eq!((half.clean_bytes, half.cleanable_bytes, half.ratio()), (200, 200, 0.5));
        assert!(!half.is_due(&DEMANDS), "the ratio must be above the least one");
        let done = Cleanable::of(&all, 0, Some(40), 50, &DEMANDS, 10 * HOUR);
        assert_eq!(done.cleanable_bytes, 0);
        assert!(!done.is_due(&Demands { min_dirty_ratio: 0.0, ..DEMANDS }));
        for strange in [-5, 7, 51] {
            let reset = Cleanable::of(&all, 10, Some(strange), 50, &DEMANDS, 10 * HOUR);
            assert_eq!(reset.first_dirty_offset, 10);
        }
    }

    #[test]
    fn what_is_undecided_or_young_or_being_sealed_stays_out() {
        let all = segments(5);
        let undecided = Cleanable::of(&all, 0, None, 25, &DEMANDS, 10 * HOUR);
        assert_eq!(undecided.first_uncleanable_offset, 20);
        let demands = Demands { min_lag_ms: HOUR, ..DEMANDS };
        let young = Cleanable::of(&all, 0, None, 50, &demands, 3 * HOUR);
        assert_eq!(young.first_uncleanable_offset, 20, "written less than an hour ago");
        let mut rolled = all;
        rolled[3].sealed = false;
        assert_eq!(Cleanable::of(&rolled, 0, None, 50, &DEMANDS, HOUR).first_uncleanable_offset, 30);
        rolled[3].has_snapshot = false;
        assert_eq!(Cleanable::of(&rolled, 0, None, 50, &DEMANDS, HOUR).first_uncleanable_offset, 20);
        let unsnapped: Vec<_> =
            segments(5).into_iter().map(|one| SegmentFacts { has_snapshot: false, ..one }).collect();
        assert_eq!(Cleanable::of(&unsnapped, 0, None, 50, &DEMANDS, HOUR).cleanable_bytes, 0);
        assert_eq!(Cleanable::of(&segments(1), 0, None, 10, &DEMANDS, HOUR).cleanable_bytes, 0);
        assert_eq!(Cleanable::of(&[], 0, None, 10, &DEMANDS, HOUR).cleanable_bytes, 0);
    }

    #[test]
    fn what_has_waited_too_long_is_due_whatever_the_ratio() {
        let demands = Demands { min_dirty_ratio: 1.0, max_lag_ms: 2 * HOUR, ..DEMANDS };
        let all = segments(5);
        let at = |now_ms| Cleanable::of(&all, 0, Some(30), 50, &demands, now_ms);
        assert!(!at(5 * HOUR).is_due(&demands));
        assert!(at(5 * HOUR + 2).is_due(&demands));
    }

    #[test]
    fn groups_keep_to_the_size_of_a_segment_and_of_its_indexes() {
        let of =
            |log: u64, index: u64| Sizes { log, offset_index: index, time_index: index, ..Sizes::default() };
        let all: Vec<_> = [40, 40, 40, 100, 10, 0]
            .into_iter()
            .enumerate()
            .map(|(number, log)| Sizes {
                base_offset: number as i64 * 10,
                end_offset: number as i64 * 10 + 10,
                ..of(log, 8)
            })
            .collect();
        assert_eq!(groups(&all, 100, 1000), [2, 1, 1, 2]);
        assert_eq!(groups(&all, 1000, 24), [3, 3]);
        assert_eq!(groups(&all, 1000, 1000), [6]);
        assert_eq!(groups(&[], 1000, 1000), [0usize; 0]);
        let far = [
            Sizes { base_offset: 0, end_offset: 10, ..of(1, 8) },
            Sizes { base_offset: 10, end_offset: 1 << 31, ..of(1, 8) },
            Sizes { base_offset: 1 << 31, end_offset: (1 << 31) + 1, ..of(1, 8) },
            Sizes { base_offset: (1 << 31) + 1, end_offset: (1 << 31) + 2, ..of(0, 0) },
        ];
        assert_eq!(groups(&far, 1000, 1000), [2, 2], "offsets of an index have 31 bits");
    }
}
