//! Reading: from an offset to slices of chunks and ranges of files, which the connection sends; nothing is copied.
//!
//! A read begins at the batch that holds the offset and ends at a batch boundary. Bytes above what is `written` come
//! from memory, where the tail is; below, from memory while the cache holds them, else as a range of the file. A
//! part stays valid whatever happens to the log: memory is counted, and a file's descriptor outlives its name.

use std::rc::Rc;

use bytes::Bytes;

use super::error::LogError;
use super::log::{Log, LogInner};
use super::lookup::{Blocked, Found, Window};
use super::segment::Segment;
use crate::protocol::Uuid;
use crate::runtime::FileHandle;

/// A stretch of a response.
#[derive(Clone, Debug)]
pub enum Part {
    /// Bytes in memory.
    Memory(Bytes),
    /// A range of a file, opened for reading through the page cache.
    File {
        /// The file.
        file: FileHandle,
        /// The log directory that holds it: offline when it cannot be read (law 14).
        directory: Uuid,
        /// Where the range begins.
        position: u64,
        /// Its length in bytes.
        len: u64,
    },
}

/// What a read found.
#[derive(Clone, Debug, Default)]
pub struct ReadParts {
    /// One behind the other they are whole batches, the first of which holds the offset asked for.
    pub parts: Vec<Part>,
    /// Bytes in all parts.
    pub bytes: u64,
    /// The log start offset.
    pub log_start_offset: i64,
    /// The offset behind the parts, when it is known.
    pub next_offset: Option<i64>,
}

#[derive(Clone, Copy)]
struct Ask {
    offset: i64,
    max_bytes: u64,
    upper: i64,
    at_least_one: bool,
}

/// A range of one segment, in whole batches.
struct Range {
    start: u64,
    end: u64,
    next_offset: Option<i64>,
}

impl Log {
    /// Reads batches from the one that holds `offset`, up to `max_bytes` and below `upper_bound_offset`; with
    /// `at_least_one` the first batch comes also when it is larger.
    pub async fn read(
        &self,
        offset: i64,
        max_bytes: u32,
        upper_bound_offset: i64,
        at_least_one: bool,
    ) -> Result<ReadParts, LogError> {
        loop {
            let generation = self.0.generation.get();
            if let Some(result) = self.try_read(offset, max_bytes, upper_bound_offset, at_least_one) {
                return result;
            }
            let ask = self.0.ask(offset, max_bytes, upper_bound_offset, at_least_one)?;
            let result = self.0.read_parts(ask).await;
            if self.0.generation.get() == generation {
                return result;
            }
            // A cut or a deletion came between: what was found may be gone, and hints taken on the way may be wrong.
            *self.0.hints.borrow_mut() = Default::default();
        }
    }

    /// The same when everything it takes is in memory; None otherwise.
    #[must_use]
    pub fn try_read(
        &self,
        offset: i64,
        max_bytes: u32,
        upper_bound_offset: i64,
        at_least_one: bool,
    ) -> Option<Result<ReadParts, LogError>> {
        let log = &self.0;
        let ask = match log.ask(offset, max_bytes, upper_bound_offset, at_least_one) {
            Ok(ask) => ask,
            Err(error) => return Some(Err(error)),
        };
        if ask.offset >= ask.upper {
            return Some(Ok(log.nothing()));
        }
        let segment = log.segment_at(log.segment_index(ask.offset))?;
        let memory = segment.memory_start();
        let start = log.walk_start(&segment, ask.offset)?;
        if start < memory {
            return None;
        }
        let found = LogInner::walk_in_memory(&segment, start, ask.offset).ok()??;
        let range = match log.range_in_memory(&segment, found, ask) {
            Ok(range) => range,
            Err(Blocked::Read) => return None,
            Err(Blocked::Corrupt(at)) => return Some(Err(log.corrupt(&segment, at))),
        };
        Some(Ok(log.memory_parts(&segment, &range)))
    }

    /// About how many bytes lie between two offsets, up to `limit`: exact within an index interval at either end.
    #[must_use]
    pub fn bytes_between(&self, from_offset: i64, upper_bound_offset: i64, limit: u64) -> u64 {
        let log = &self.0;
        let upper = upper_bound_offset.min(log.log_end_offset());
        if from_offset >= upper {
            return 0;
        }
        let (first, last) = (log.segment_index(from_offset), log.segment_index(upper));
        let mut sum = 0;
        for index in first..=last {
            let Some(segment) = log.segment_at(index) else { break };
            let end = segment.end.get();
            let near = |offset: i64| log.walk_start(&segment, offset).unwrap_or(0);
            let from = if index == first { near(from_offset) } else { 0 };
            let to = if upper >= end.offset { end.position } else { near(upper) };
            // At least something: the offsets differ.
            sum += to.saturating_sub(from).max(1);
            if sum >= limit {
                return limit;
            }
        }
        sum
    }
}

impl LogInner {
    async fn read_parts(&self, ask: Ask) -> Result<ReadParts, LogError> {
        let mut next = self.segment_holding(ask.offset);
        while let Some(segment) = next {
            if segment.base_offset >= ask.upper && segment.base_offset > ask.offset {
                break;
            }
            if let Some(found) = self.locate(&segment, ask.offset).await? {
                if found.header.base_offset >= ask.upper {
                    break;
                }
                let range = self.range(&segment, found, ask).await?;
                return self.parts(&segment, range).await;
            }
            // Compaction leaves holes: what follows stands in a later segment.
            next = self.segment_behind(&segment);
        }
        Ok(self.nothing())
    }

    fn ask(
        &self,
        offset: i64,
        max_bytes: u32,
        upper_bound_offset: i64,
        at_least_one: bool,
    ) -> Result<Ask, LogError> {
        self.check()?;
        let log_end = self.log_end_offset();
        if offset < self.log_start.get() || offset > log_end {
            return Err(self.out_of_range());
        }
        Ok(Ask {
            offset,
            max_bytes: u64::from(max_bytes),
            upper: upper_bound_offset.min(log_end),
            at_least_one,
        })
    }

    fn nothing(&self) -> ReadParts {
        ReadParts { log_start_offset: self.log_start.get(), ..ReadParts::default() }
    }

    /// The last batch boundary that the index knows above `start` and at or below `limit`.
    fn boundary(segment: &Segment, start: u64, limit: u64) -> Option<u64> {
        let builder = segment.builder.borrow();
        let view = builder.as_ref()?.offset_index().view();
        // The first entry at or above the limit; the one before it is the last below.
        let (mut low, mut high) = (0, view.len());
        while low < high {
            let middle = (low + high) / 2;
            if view.entry(middle).is_some_and(|entry| u64::from(entry.position) <= limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let position = u64::from(view.entry(low.checked_sub(1)?)?.position);
        (position > start).then_some(position)
    }

    /// Where the batches below `upper` end in this segment.
    fn upper_in_memory(&self, segment: &Segment, from: Found, upper: i64) -> Result<u64, Blocked> {
        let end = segment.end.get();
        if upper >= end.offset {
            return Ok(end.position);
        }
        let start = self.walk_start(segment, upper).unwrap_or(from.position).max(from.position);
        Ok(Self::walk_in_memory(segment, start, upper)?.map_or(end.position, |found| found.position))
    }

    fn range_in_memory(&self, segment: &Segment, found: Found, ask: Ask) -> Result<Range, Blocked> {
        let start = found.position;
        let stop = self.upper_in_memory(segment, found, ask.upper)?;
        if stop <= start {
            return Ok(Range { start, end: start, next_offset: None });
        }
        let limit = start + ask.max_bytes;
        let end = segment.end.get();
        if stop <= limit {
            let next = if stop == end.position { end.offset } else { ask.upper };
            return Ok(Range { start, end: stop, next_offset: Some(next) });
        }
        // Headers are walked from the last boundary that the index knows; in memory that costs nanoseconds.
        let mut at = Self::boundary(segment, start, limit).unwrap_or(start);
        let mut next_offset = found.header.base_offset;
        loop {
            let header = Self::header_in_memory(segment, at)?;
            let batch_end = at + header.size_bytes() as u64;
            next_offset = if at == start { next_offset } else { header.base_offset };
            let wanted = batch_end <= limit || (at == start && ask.at_least_one);
            if !wanted || batch_end > stop {
                return Ok(Range { start, end: at, next_offset: Some(next_offset) });
            }
            at = batch_end;
            next_offset = header.next_offset();
            if at >= stop || at >= limit {
                return Ok(Range { start, end: at, next_offset: Some(next_offset) });
            }
        }
    }

    async fn range(&self, segment: &Rc<Segment>, found: Found, ask: Ask) -> Result<Range, LogError> {
        let start = found.position;
        let end = segment.end.get();
        let stop = if ask.upper >= end.offset {
            end.position
        } else {
            self.locate(segment, ask.upper).await?.map_or(end.position, |upper| upper.position)
        };
        if stop <= start {
            return Ok(Range { start, end: start, next_offset: None });
        }
        let limit = start + ask.max_bytes;
        if stop <= limit {
            let next = if stop == end.position { end.offset } else { ask.upper };
            return Ok(Range { start, end: stop, next_offset: Some(next) });
        }
        if let Some(boundary) = Self::boundary(segment, start, limit) {
            return Ok(Range { start, end: boundary, next_offset: None });
        }
        // Less than an index interval is asked for, or the batch is larger than one.
        let mut at = found.end();
        if at > limit && !ask.at_least_one {
            return Ok(Range { start, end: start, next_offset: None });
        }
        let mut next_offset = found.header.next_offset();
        let mut window = Window::default();
        while at < stop {
            let header = self.header_at(segment, at, &mut window).await?;
            if at + header.size_bytes() as u64 > limit {
                break;
            }
            at += header.size_bytes() as u64;
            next_offset = header.next_offset();
        }
        Ok(Range { start, end: at, next_offset: Some(next_offset) })
    }

    fn memory_parts(&self, segment: &Segment, range: &Range) -> ReadParts {
        let mut found = self.nothing();
        if range.end > range.start {
            let mut parts = Vec::with_capacity(2);
            segment.chain.borrow().share(range.start, range.end, &mut parts);
            found.parts.extend(parts.into_iter().map(Part::Memory));
            found.bytes = range.end - range.start;
            self.note_hint(segment.base_offset, range.end, range.next_offset);
        }
        found.next_offset = range.next_offset;
        found
    }

    async fn parts(&self, segment: &Rc<Segment>, range: Range) -> Result<ReadParts, LogError> {
        if range.end <= range.start {
            return Ok(self.nothing());
        }
        // Cut off while the range was looked up, or while the file is opened: the caller starts over.
        let is_cut = || segment.dropped.get() || range.end > segment.end.get().position;
        if !is_cut() && range.start >= segment.memory_start() {
            return Ok(self.memory_parts(segment, &range));
        }
        let file = if is_cut() { None } else { Some(self.reader(segment).await?) };
        let Some(file) = file.filter(|_| !is_cut()) else {
            self.check()?;
            return Ok(self.nothing());
        };
        // Memory may have been let go meanwhile, never what the file does not hold.
        let memory = segment.memory_start();
        let file_end = range.end.min(memory);
        let mut found = self.nothing();
        let mut at = range.start;
        if at < file_end {
            assert!(file_end <= segment.written.get(), "what is not in memory is in the file (law 9)");
            found.parts.push(Part::File {
                file: file.handle().clone(),
                directory: self.directory.id,
                position: at,
                len: file_end - at,
            });
            at = file_end;
        }
        if at < range.end {
            let mut parts = Vec::new();
            segment.chain.borrow().share(at, range.end, &mut parts);
            found.parts.extend(parts.into_iter().map(Part::Memory));
        }
        found.bytes = range.end - range.start;
        found.next_offset = range.next_offset;
        self.note_hint(segment.base_offset, range.end, range.next_offset);
        Ok(found)
    }
}
