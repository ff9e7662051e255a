//! Finding batches: from an offset, a timestamp or a position to the start of a batch, in memory or in a file.
//!
//! The sparse index gives a start, batch headers are walked from there: at most an index interval, from chunks where
//! they hold it, else through the page cache. A few hints per log spare sequential readers the walk.

use std::rc::Rc;

use bytes::Bytes;

use super::error::LogError;
use super::log::LogInner;
use super::segment::Segment;
use super::segment_name::FileKind;
use super::settings::Sabotage;
use crate::protocol::record_batch::{BatchHeader, HEADER_LEN};
use crate::runtime::{BLOCK, File, OpenMode};

/// Read at once while walking headers in a file.
const WALK_READ_BYTES: usize = 8 << 10;
/// Read at once while scanning batches.
const SCAN_READ_BYTES: u64 = 1 << 20;

/// Where a reader stopped: a batch boundary it is likely to ask for next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    pub(super) base_offset: i64,
    pub(super) position: u64,
    /// The offset of the batch there, when known; else the hint is checked by reading its header.
    pub(super) offset: Option<i64>,
}

impl Default for Hint {
    fn default() -> Self {
        Self { base_offset: -1, position: 0, offset: None }
    }
}

/// A batch that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) position: u64,
    pub(super) header: BatchHeader,
}

impl Found {
    pub(super) fn end(&self) -> u64 {
        self.position + self.header.size_bytes() as u64
    }
}

/// A walk that needs a file read, or an error.
pub(super) enum Blocked {
    /// The header is not in memory.
    Read,
    /// The bytes are not a batch.
    Corrupt(u64),
}

impl LogInner {
    /// The index of the segment that holds `offset`, or would.
    pub(super) fn segment_index(&self, offset: i64) -> usize {
        let segments = self.segments.borrow();
        if segments.back().is_some_and(|segment| segment.base_offset <= offset) {
            return segments.len() - 1;
        }
        segments.partition_point(|segment| segment.base_offset <= offset).saturating_sub(1)
    }

    pub(super) fn segment_at(&self, index: usize) -> Option<Rc<Segment>> {
        self.segments.borrow().get(index).cloned()
    }

    /// The segment behind `segment`: found by base offset, because the front may be deleted meanwhile.
    pub(super) fn segment_behind(&self, segment: &Segment) -> Option<Rc<Segment>> {
        let segments = self.segments.borrow();
        let index = segments.partition_point(|other| other.base_offset <= segment.base_offset);
        segments.get(index).cloned()
    }

    /// The segment that holds `offset`, or would.
    pub(super) fn segment_holding(&self, offset: i64) -> Option<Rc<Segment>> {
        self.segment_at(self.segment_index(offset))
    }

    /// Where the walk to `offset` begins; None when the indexes are not loaded.
    pub(super) fn walk_start(&self, segment: &Segment, offset: i64) -> Option<u64> {
        let hints = self.hints.borrow();
        if let Some(hint) =
            hints.iter().find(|hint| hint.offset == Some(offset) && hint.base_offset == segment.base_offset)
        {
            return Some(hint.position);
        }
        let wanted =
            if self.shard.sabotaged(Sabotage::IndexOffByOne) { offset.saturating_add(1) } else { offset };
        let builder = segment.builder.borrow();
        let entry = builder.as_ref()?.offset_index().view().lookup(wanted);
        Some(u64::from(entry.position))
    }

    /// Notes where a reader stopped.
    pub(super) fn note_hint(&self, base_offset: i64, position: u64, offset: Option<i64>) {
        let slot = self.next_hint.get();
        self.next_hint.set((slot + 1) % 4);
        if let Some(place) = self.hints.borrow_mut().get_mut(slot) {
            *place = Hint { base_offset, position, offset };
        }
    }

    /// An unchecked hint between the walk's start and the batch with `offset`, whose own offset must be read.
    fn unchecked_hint(&self, segment: &Segment, from: u64) -> Option<u64> {
        let hints = self.hints.borrow();
        hints
            .iter()
            .filter(|hint| {
                hint.offset.is_none() && hint.base_offset == segment.base_offset && hint.position > from
            })
            .map(|hint| hint.position)
            .min()
    }

    pub(super) fn header_in_memory(segment: &Segment, position: u64) -> Result<BatchHeader, Blocked> {
        match segment.chain.borrow().peek::<HEADER_LEN>(position) {
            Some(bytes) => BatchHeader::parse(&bytes).map_err(|_| Blocked::Corrupt(position)),
            None => Err(Blocked::Read),
        }
    }

    /// Walks from `position` to the first batch whose last offset is at least `offset`; None at the segment's end.
    pub(super) fn walk_in_memory(
        segment: &Segment,
        mut position: u64,
        offset: i64,
    ) -> Result<Option<Found>, Blocked> {
        while position < segment.end.get().position {
            let header = Self::header_in_memory(segment, position)?;
            if header.last_offset() >= offset {
                return Ok(Some(Found { position, header }));
            }
            position += header.size_bytes() as u64;
        }
        Ok(None)
    }

    /// The same, reading from the file where memory does not hold it.
    pub(super) async fn locate(&self, segment: &Rc<Segment>, offset: i64) -> Result<Option<Found>, LogError> {
        let mut start = match self.walk_start(segment, offset) {
            Some(start) => start,
            None => {
                self.load_indexes(segment).await?;
                self.walk_start(segment, offset).unwrap_or(0)
            }
        };
        let mut window = Window::default();
        if let Some(hinted) = self.unchecked_hint(segment, start) {
            let header = self.header_at(segment, hinted, &mut window).await?;
            if header.base_offset <= offset {
                start = hinted;
            }
        }
        let mut position = start;
        while position < segment.end.get().position {
            let header = self.header_at(segment, position, &mut window).await?;
            if header.last_offset() >= offset {
                return Ok(Some(Found { position, header }));
            }
            position += header.size_bytes() as u64;
        }
        Ok(None)
    }

    /// The header of the batch at `position`, which is a batch boundary.
    pub(super) async fn header_at(
        &self,
        segment: &Rc<Segment>,
        position: u64,
        window: &mut Window,
    ) -> Result<BatchHeader, LogError> {
        match Self::header_in_memory(segment, position) {
            Ok(header) => return Ok(header),
            Err(Blocked::Corrupt(at)) => return Err(self.corrupt(segment, at)),
            Err(Blocked::Read) => {}
        }
        if window.get(position, HEADER_LEN).is_none() {
            *window = self.read_window(segment, position, WALK_READ_BYTES as u64).await?;
        }
        let bytes = window.get(position, HEADER_LEN);
        bytes.and_then(|bytes| BatchHeader::parse(&bytes).ok()).ok_or_else(|| self.corrupt(segment, position))
    }

    /// A fault in stored bytes: this partition goes offline, it is never cut (law 5). What a truncation or deletion
    /// took away while it was read is no fault.
    pub(super) fn corrupt(&self, segment: &Segment, position: u64) -> LogError {
        if segment.dropped.get() || self.cutting.get() || position >= segment.end.get().position {
            return LogError::Busy;
        }
        let path = self.file_path(FileKind::Log, segment.base_offset);
        let error = LogError::corrupt(format!("no batch at position {position} of {}", path.display()));
        tracing::error!(%error, "partition is corrupt");
        self.set_error(error.clone());
        error
    }

    /// Reads at least `len` bytes from `position`, or up to the segment's end: from the file below `written`, from
    /// memory above.
    pub(super) async fn read_window(
        &self,
        segment: &Rc<Segment>,
        position: u64,
        len: u64,
    ) -> Result<Window, LogError> {
        let end = (position + len).min(segment.end.get().position);
        let memory = segment.memory_start();
        // What memory holds is taken at once: it may be let go while the file is read.
        let mut held: Vec<Bytes> = Vec::new();
        if end > memory {
            segment.chain.borrow().share(position.max(memory), end, &mut held);
        }
        let mut parts: Vec<Bytes> = Vec::new();
        if position < memory {
            let file_end = end.min(memory);
            let from = position / BLOCK as u64 * BLOCK as u64;
            let until = file_end.next_multiple_of(BLOCK as u64);
            let file = self.reader(segment).await?;
            let read = file.read_at(from, (until - from) as usize).await;
            let (filled, buffer) = self.guard_io("reading a segment", read)?;
            let bytes = buffer.freeze(filled);
            let wanted = (position - from) as usize..(file_end - from) as usize;
            if wanted.end > bytes.len() {
                return Err(self.corrupt(segment, from + bytes.len() as u64));
            }
            parts.push(bytes.slice(wanted));
        }
        parts.append(&mut held);
        let bytes = match parts.as_slice() {
            [one] => one.clone(),
            _ => Bytes::from(parts.concat()),
        };
        Ok(Window { position, bytes })
    }

    /// The segment's file for reading.
    pub(super) async fn reader(&self, segment: &Rc<Segment>) -> Result<File, LogError> {
        segment.used_at.set(self.shard.tick());
        if let Some(file) = segment.reader.borrow().clone() {
            return Ok(file);
        }
        let path = self.file_path(FileKind::Log, segment.base_offset);
        let opened = File::open(&self.shard.runtime, &path, OpenMode::Read).await;
        let file = match opened {
            // Deleted between the look-up and now: the caller looks again.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && segment.dropped.get() => {
                return Err(self.out_of_range());
            }
            other => self.guard_io("opening a segment", other)?,
        };
        if segment.dropped.get() {
            // Another segment may have its name by now: the caller looks again.
            return Err(self.out_of_range());
        }
        if segment.reader.borrow().is_none() {
            *segment.reader.borrow_mut() = Some(file.clone());
            self.shard.opened(segment);
        }
        Ok(file)
    }

    pub(super) fn out_of_range(&self) -> LogError {
        LogError::OffsetOutOfRange { log_start: self.log_start.get(), log_end: self.log_end_offset() }
    }

    /// Calls `visit` with each whole batch between `from`, a batch boundary, and `to`, in order, until it says false.
    pub(super) async fn scan(
        &self,
        segment: &Rc<Segment>,
        from: u64,
        to: u64,
        mut visit: impl FnMut(u64, crate::protocol::record_batch::Batch<'_>) -> bool,
    ) -> Result<(), LogError> {
        let mut position = from;
        let mut step = SCAN_READ_BYTES;
        while position < to {
            let window = self.read_window(segment, position, step).await?;
            let mut found = crate::protocol::record_batch::batches(&window.bytes);
            let mut at = position;
            for batch in found.by_ref() {
                let batch = batch.map_err(|_| self.corrupt(segment, at))?;
                let size = batch.bytes.len() as u64;
                if at >= to || !visit(at, batch) {
                    return Ok(());
                }
                at += size;
            }
            if at == position {
                if window.bytes.len() as u64 >= segment.end.get().position - position {
                    return Err(self.corrupt(segment, at));
                }
                step *= 4;
            }
            position = at;
            self.shard.runtime.yield_now().await;
        }
        Ok(())
    }
}

/// Bytes of a segment that were read.
#[derive(Default)]
pub(super) struct Window {
    position: u64,
    bytes: Bytes,
}

impl Window {
    fn get(&self, position: u64, len: usize) -> Option<Bytes> {
        let from = usize::try_from(position.checked_sub(self.position)?).ok()?;
        (from + len <= self.bytes.len()).then(|| self.bytes.slice(from..from + len))
    }
}
