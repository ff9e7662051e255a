//! One cleaning pass over one log: the keys of its dirty part into a map, then every closed segment up to where the map
//! goes through the filter, group by group, each group replaced by what is left of it.
//!
//! Given up at the next window when the log is cut, moved, deleted or stopped, or is not compacted any more; the groups
//! done by then stay done.

use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;

use super::choice::{Cleanable, Sizes, groups};
use super::cleaned_file::CleanedFile;
use super::complete::{CLEANED_FILE, encode_cleaned_to};
use super::filter::{Filter, LastRecord, MapBuilder, Rules};
use super::offset_map::OffsetMap;
use crate::log::error::LogError;
use crate::log::log::{Log, LogInner};
use crate::log::segment::Segment;
use crate::log::segment_name::FileKind;
use crate::log::transaction_index::AbortedTransaction;
use crate::protocol::record_batch::{BatchError, BatchHeader};
use crate::runtime::{BLOCK, File, OpenMode};

/// Why a pass ended early.
pub(super) enum Stop {
    /// The log is being changed, or there is no room on the disk: another time.
    GivenUp,
    /// The stored bytes cannot be read.
    Unreadable(BatchError),
    /// The log or its directory failed.
    Failed(LogError),
}

impl From<LogError> for Stop {
    fn from(error: LogError) -> Self {
        match error {
            LogError::DiskFull => Self::GivenUp,
            error => Self::Failed(error),
        }
    }
}

impl From<BatchError> for Stop {
    fn from(error: BatchError) -> Self {
        Self::Unreadable(error)
    }
}

/// A pass works on the log as long as it is there.
struct Cleaning(Rc<LogInner>);

impl Drop for Cleaning {
    fn drop(&mut self) {
        self.0.cleaning.set(false);
        self.0.changed.notify();
    }
}

/// Keeps reads and writes to the bytes a second that are allowed.
pub(super) struct Pace {
    free_at_ns: u64,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { free_at_ns: 0 }
    }

    async fn spend(&mut self, log: &LogInner, bytes: u64) {
        let rate = log.shard.cleaner.get().bytes_per_second.max(1);
        let now = log.shard.runtime.now_ns();
        let cost = u128::from(bytes) * 1_000_000_000 / u128::from(rate);
        self.free_at_ns = self.free_at_ns.max(now).saturating_add(u64::try_from(cost).unwrap_or(u64::MAX));
        if self.free_at_ns > now {
            // In steps, so that a stop is noticed.
            let step = Duration::from_millis(50);
            while log.may_clean() && self.free_at_ns > log.shard.runtime.now_ns() {
                let left = self.free_at_ns.saturating_sub(log.shard.runtime.now_ns());
                log.shard.runtime.sleep(step.min(Duration::from_nanos(left))).await;
            }
        } else {
            log.shard.runtime.yield_now().await;
        }
    }
}

/// Cleans what `cleanable` says of a log.
pub(super) async fn clean(log: &Rc<LogInner>, cleanable: Cleanable, pace: &mut Pace) -> Result<(), Stop> {
    if !log.may_clean() || log.cleaning.replace(true) {
        return Err(Stop::GivenUp);
    }
    let _cleaning = Cleaning(log.clone());
    let closed: Vec<Rc<Segment>> = log
        .segments
        .borrow()
        .iter()
        .filter(|segment| segment.base_offset < cleanable.first_uncleanable_offset)
        .cloned()
        .collect();
    let now_ms = log.shard.runtime.wall_clock_ms();
    let (Some(first), Some(last)) = (closed.first(), closed.last()) else { return Ok(()) };
    let aborted = Log(log.clone()).aborted_transactions(first.base_offset, last.end.get().offset).await?;
    let map = log.map_keys(&closed, cleanable.first_dirty_offset, &aborted, pace).await?;
    let end_offset = map.latest_offset + 1;
    if end_offset <= cleanable.first_dirty_offset {
        tracing::warn!(topic = %log.topic, keys = map.len(), "one batch has more keys than the cleaner's buffer");
        log.uncleanable.set(true);
        return Err(Stop::GivenUp);
    }
    let rules = Rules {
        now_ms,
        delete_retention_ms: log.config.get().delete_retention_ms,
        round_end: cleanable.first_uncleanable_offset,
    };
    let mut filter = Filter::new(map, rules);
    filter.transactions.add_aborted(aborted);
    let closed: Vec<_> = closed.into_iter().filter(|segment| segment.base_offset < end_offset).collect();
    let config = log.config.get();
    let mut sizes = Vec::with_capacity(closed.len());
    for segment in &closed {
        sizes.push(log.sizes(segment).await?);
    }
    let mut rest = closed.as_slice();
    for count in groups(&sizes, u64::from(config.segment_bytes), u64::from(config.segment_index_bytes)) {
        let (group, behind) = rest.split_at(count.min(rest.len()));
        rest = behind;
        filter = log.clean_group(group, filter, pace).await?;
    }
    log.write_cleaned_to(end_offset).await?;
    log.shard.counters.with(|counters| counters.cleaning_passes += 1);
    Ok(())
}

impl LogInner {
    /// Whether a pass may go on.
    pub(super) fn may_clean(&self) -> bool {
        !self.is_gone() && !self.busy.get() && !self.shard.stopping.get() && self.config.get().compact
    }

    fn must_clean(&self) -> Result<(), Stop> {
        if self.may_clean() { Ok(()) } else { Err(Stop::GivenUp) }
    }

    async fn map_keys(
        self: &Rc<Self>,
        closed: &[Rc<Segment>],
        first_dirty_offset: i64,
        aborted: &[AbortedTransaction],
        pace: &mut Pace,
    ) -> Result<OffsetMap, Stop> {
        let (runtime, settings) = (&self.shard.runtime, self.shard.cleaner.get());
        let secret = [runtime.random_u64(), runtime.random_u64()];
        let map = OffsetMap::new(settings.map_bytes, settings.load_factor, secret);
        let mut builder = MapBuilder::new(map, first_dirty_offset);
        let dirty: Vec<_> =
            closed.iter().filter(|segment| segment.end.get().offset > first_dirty_offset).collect();
        let from = dirty.first().map_or(first_dirty_offset, |first| first.base_offset);
        let later = aborted.iter().filter(|transaction| transaction.last_offset >= from);
        builder.transactions.add_aborted(later.copied());
        for segment in dirty {
            let mut windows = Windows::open(self, segment).await?;
            while let Some(window) = windows.next().await? {
                let bytes = window.len() as u64;
                let work = move || {
                    let taken = builder.take(&window);
                    (builder, taken)
                };
                let (back, taken) = runtime.offload(work).await.ok_or(Stop::GivenUp)?;
                builder = back;
                windows.took(taken?);
                if builder.full {
                    return Ok(builder.map);
                }
                pace.spend(self, bytes).await;
            }
            builder.reach(segment.end.get().offset);
        }
        Ok(builder.map)
    }

    async fn sizes(&self, segment: &Segment) -> Result<Sizes, LogError> {
        let end = segment.end.get();
        let known = segment.builder.borrow().as_ref().map(|builder| {
            let bytes = |index: &[u8]| index.len() as u64;
            (bytes(builder.offset_index().as_bytes()), bytes(builder.time_index().as_bytes()))
        });
        let (offset_index, time_index) = match known {
            Some(known) => known,
            None => {
                let mut lengths = [0, 0];
                for (length, kind) in lengths.iter_mut().zip([FileKind::OffsetIndex, FileKind::TimeIndex]) {
                    let path = self.file_path(kind, segment.base_offset);
                    let info = self.shard.runtime.path_info(&path).await;
                    *length = self.guard_io("looking at an index", info)?.map_or(0, |info| info.len);
                }
                let [offset_index, time_index] = lengths;
                (offset_index, time_index)
            }
        };
        let base_offset = segment.base_offset;
        Ok(Sizes { base_offset, end_offset: end.offset, log: end.position, offset_index, time_index })
    }

    async fn clean_group(
        self: &Rc<Self>,
        group: &[Rc<Segment>],
        filter: Filter,
        pace: &mut Pace,
    ) -> Result<Filter, Stop> {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(filter) };
        self.must_clean()?;
        let bytes: u64 = group.iter().map(|segment| segment.end.get().position).sum();
        // The copy must fit beside what it replaces; the reserve is halved for it, because space comes back.
        let reserve = self.shard.settings.disk_reserve_bytes.min(self.directory.total_bytes.get() / 8);
        if self.directory.free_bytes.get() < bytes.saturating_add(reserve / 2) {
            tracing::warn!(topic = %self.topic, bytes, "no room on the disk for a compacted segment");
            return Err(Stop::GivenUp);
        }
        let (base, end) = (first.base_offset, last.end.get().offset);
        let result = match CleanedFile::create(self, base, end).await {
            Ok(file) => self.fill(group, filter, file, pace).await,
            Err(error) => Err(error.into()),
        };
        match result {
            Ok((filter, Some(file))) => {
                let cleaned = match file.finish().await {
                    Ok(cleaned) => cleaned,
                    Err(error) => {
                        self.remove_cleaned(base).await;
                        return Err(error.into());
                    }
                };
                if self.replace(group, cleaned).await? {
                    return Ok(filter);
                }
                self.remove_cleaned(base).await;
                Err(Stop::GivenUp)
            }
            Ok((filter, None)) => {
                self.remove_cleaned(base).await;
                Ok(filter)
            }
            Err(stop) => {
                self.remove_cleaned(base).await;
                Err(stop)
            }
        }
    }

    /// Writes what is left of a group. No file comes back when that is the one segment as it was.
    async fn fill(
        self: &Rc<Self>,
        group: &[Rc<Segment>],
        mut filter: Filter,
        mut file: CleanedFile,
        pace: &mut Pace,
    ) -> Result<(Filter, Option<CleanedFile>), Stop> {
        let mut changed = group.len() > 1;
        filter.last_records = self.last_records();
        for segment in group {
            let mut windows = Windows::open(self, segment).await?;
            while let Some(window) = windows.next().await? {
                let bytes = window.len() as u64;
                let work = move || {
                    let left = filter.take(&window);
                    (filter, left)
                };
                let (back, left) = self.shard.runtime.offload(work).await.ok_or(Stop::GivenUp)?;
                filter = back;
                let left = left?;
                windows.took(left.consumed);
                changed |= left.changed;
                file.append(&left).await?;
                pace.spend(self, bytes + left.bytes.len() as u64).await;
            }
        }
        Ok((filter, changed.then_some(file)))
    }

    /// The last batches of the producers that are still known.
    fn last_records(&self) -> std::collections::BTreeMap<i64, LastRecord> {
        let producers = self.producers.borrow();
        let mut last_records = std::collections::BTreeMap::new();
        for (id, entry) in producers.iter() {
            let last_data_offset = entry.batches().last().map(|batch| batch.last_offset);
            last_records.insert(id, LastRecord { last_data_offset, producer_epoch: entry.producer_epoch() });
        }
        last_records
    }

    /// Makes `offset` where the next pass begins, durably.
    pub(super) async fn write_cleaned_to(&self, offset: i64) -> Result<(), LogError> {
        let _files = self.files.acquire().await;
        self.check()?;
        let path = self.path.borrow().join(CLEANED_FILE);
        let written = self.shard.runtime.replace_file(&path, encode_cleaned_to(offset).into()).await;
        self.guard_io("writing where cleaning ended", written)?;
        self.cleaned_to.set(Some(offset));
        Ok(())
    }

    /// What is cut off is not clean when other records take its place.
    pub(in crate::log) async fn lower_cleaned_to(&self, offset: i64) -> Result<(), LogError> {
        if self.cleaned_to.get().is_some_and(|to| to > offset) {
            self.write_cleaned_to(offset).await?;
        }
        Ok(())
    }
}

/// Reads a closed segment in windows that begin with a batch and hold at least one whole.
struct Windows {
    log: Rc<LogInner>,
    segment: Rc<Segment>,
    file: Option<File>,
    position: u64,
    len: u64,
}

impl Windows {
    async fn open(log: &Rc<LogInner>, segment: &Rc<Segment>) -> Result<Self, Stop> {
        log.must_clean()?;
        let len = segment.end.get().position;
        let mut file = None;
        if len > 0 {
            let path = log.file_path(FileKind::Log, segment.base_offset);
            let opened = File::open(&log.shard.runtime, &path, OpenMode::Direct).await;
            if segment.dropped.get() {
                return Err(Stop::GivenUp);
            }
            file = Some(log.guard_io("reading a segment to clean it", opened)?);
        }
        Ok(Self { log: log.clone(), segment: segment.clone(), file, position: 0, len })
    }

    /// Goes on behind the batches that were taken.
    fn took(&mut self, bytes: usize) {
        self.position += bytes as u64;
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Stop> {
        let Some(file) = self.file.clone().filter(|_| self.position < self.len) else { return Ok(None) };
        let mut want = self.log.shard.cleaner.get().window_bytes.max(BLOCK as u64);
        loop {
            self.log.must_clean()?;
            let end = (self.position + want).min(self.len);
            let from = self.position / BLOCK as u64 * BLOCK as u64;
            let until = end.next_multiple_of(BLOCK as u64);
            let permit = self.log.directory.background.acquire(until - from).await;
            let read = file.read_at(from, (until - from) as usize).await;
            drop(permit);
            let (filled, buffer) = self.log.guard_io("reading a segment to clean it", read)?;
            self.log.shard.counters.with(|counters| counters.cleaner_read_bytes += filled as u64);
            let skip = (self.position - from) as usize;
            let until = (end - from) as usize;
            if filled < until {
                return Err(self.cut().into());
            }
            let window = buffer.freeze(filled).slice(skip..until);
            let needed = match BatchHeader::parse(&window) {
                Ok(header) => header.size_bytes() as u64,
                Err(BatchError::Incomplete { needed, .. }) => needed as u64,
                Err(error) => return Err(error.into()),
            };
            if needed <= window.len() as u64 {
                return Ok(Some(window));
            }
            if self.position + needed > self.len {
                return Err(self.cut().into());
            }
            // A batch larger than a window comes alone.
            want = needed;
        }
    }

    fn cut(&self) -> BatchError {
        let have = self.len.saturating_sub(self.position) as usize;
        tracing::warn!(topic = %self.log.topic, base = self.segment.base_offset, "a segment ends within a batch");
        BatchError::Incomplete { needed: have + 1, have }
    }
}
