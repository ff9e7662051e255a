//! What a log must be: a plain list of batches, and what a crash may do to it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use millrace::log::Log;
use millrace::protocol::Uuid;

use crate::random_batches::{StoredBatch, Transaction};

/// Where a partition stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its creation was not acknowledged yet.
    Creating,
    Live,
    /// Its deletion was not acknowledged yet.
    Deleting,
    Deleted,
}

/// One partition: its log by the model, and the log itself while it is open.
pub struct Partition {
    pub topic: Arc<str>,
    pub id: Uuid,
    pub number: i32,
    pub directory: Cell<usize>,
    pub shard: Cell<usize>,
    pub standing: Cell<Standing>,
    pub log: RefCell<Option<Log>>,
    pub state: RefCell<State>,
    /// Counts truncations, deletions and closings: readers under way at one are not judged.
    pub generation: Cell<u64>,
    /// A fault was injected that may have taken this log offline.
    pub excused: Cell<bool>,
}

/// The model of a log.
#[derive(Clone, Default)]
pub struct State {
    pub batches: Vec<StoredBatch>,
    /// The log start offset that was acknowledged.
    pub start: i64,
    /// A deletion of records under way, up to here.
    pub start_pending: Option<i64>,
    /// Retention may move the start.
    pub retention: bool,
    /// The offset of the next record.
    pub end: i64,
    /// Records below were acknowledged.
    pub acked: i64,
    /// A truncation under way, to here.
    pub cut_pending: Option<i64>,
    /// A truncation of everything under way, to go on here.
    pub restart_pending: Option<i64>,
    /// The current leader epoch.
    pub epoch: i32,
    /// Where the last truncation ended, which may be in the middle of a removed batch.
    pub cut_end: i64,
}

/// What the model says to a log that was opened.
pub type Verdict = Result<(), String>;

impl Partition {
    pub fn new(topic: Arc<str>, id: Uuid, number: i32, directory: usize, shard: usize) -> Rc<Self> {
        Rc::new(Self {
            topic,
            id,
            number,
            directory: Cell::new(directory),
            shard: Cell::new(shard),
            standing: Cell::new(Standing::Creating),
            log: RefCell::new(None),
            state: RefCell::new(State::default()),
            generation: Cell::new(0),
            excused: Cell::new(false),
        })
    }

    pub fn name(&self) -> String {
        format!("{}-{} ({})", self.topic, self.number, self.id)
    }

    pub fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
    }

    pub fn ack(&self, end: i64, generation: u64) {
        let mut state = self.state.borrow_mut();
        if self.generation.get() == generation {
            state.acked = state.acked.max(end);
        }
    }

    /// Notes what the log has shown to be durable: consumers may have seen it.
    pub fn observe(&self) -> Verdict {
        let Some(log) = self.log.borrow().clone() else { return Ok(()) };
        if log.error().is_some() {
            return Ok(());
        }
        let mut state = self.state.borrow_mut();
        if state.is_being_cut() {
            return Ok(());
        }
        let (start, durable, end) = (log.log_start_offset(), log.durable_end_offset(), log.log_end_offset());
        if !(start <= durable && durable <= end) {
            return Err(format!(
                "offsets out of order in {}: start {start}, durable {durable}, end {end}",
                self.name()
            ));
        }
        if end != state.end {
            return Err(format!("{} ends at {end}, the model at {}", self.name(), state.end));
        }
        // A cut within a batch leaves offsets that no record has: what counts are records.
        let shown = state.batches.iter().rev().find(|batch| batch.last < durable);
        let shown = shown.map_or(0, |batch| batch.last + 1);
        state.acked = state.acked.max(shown);
        Ok(())
    }

    /// Judges the log found after a restart, and makes the model what is there now. With `lossless`, nothing that was
    /// appended may be missing (a clean stop); with `lossy`, nothing is promised but order and content (durability
    /// below `flush`).
    pub fn accept(&self, start: i64, end: i64, lossless: bool, lossy: bool) -> Verdict {
        let mut state = self.state.borrow_mut();
        let name = self.name();
        if let Some(at) = state.restart_pending.take() {
            if start == at && end == at {
                *state = State { epoch: state.epoch, retention: state.retention, ..State::default() };
                state.start_at(at);
                return Ok(());
            }
        }
        let cut = state.cut_pending.take();
        let start_pending = state.start_pending.take();
        let mut promised = if lossless { state.end } else { state.acked };
        if lossy {
            promised = state.start;
        }
        if let Some(cut) = cut {
            promised = promised.min(cut);
        }
        // What counts are records: a cut within a batch leaves offsets that none has.
        let kept = state.batches.iter().rev().find(|batch| batch.last < promised);
        let promised = kept.map_or(0, |batch| batch.last + 1);
        if end < promised {
            return Err(format!(
                "acknowledged records are lost in {name}: it ends at {end}, acknowledged up to {promised}"
            ));
        }
        if end > state.end {
            return Err(format!("{name} ends at {end}, offsets were given only up to {}", state.end));
        }
        let boundary = end == state.end
            || Some(end) == cut
            || end == state.cut_end
            || state.batches.iter().any(|batch| batch.last + 1 == end || batch.base == end);
        if !boundary && end != start {
            return Err(format!("{name} ends at {end}, within a batch"));
        }
        let newest = start_pending.unwrap_or(state.start).max(state.start);
        // A log cut to nothing may begin where it goes on.
        let mut kept = state.batches.iter().filter(|batch| batch.last < end);
        let nothing_between = kept.all(|batch| batch.last < state.start || batch.base >= start);
        let allowed = nothing_between
            || start == state.start
            || Some(start) == start_pending
            || (state.retention && start >= state.start);
        if start < state.start && !lossy {
            return Err(format!("the log start of {name} went back: {start}, acknowledged {}", state.start));
        }
        if !allowed && !lossy {
            return Err(format!("{name} starts at {start}, allowed are {} and {newest}", state.start));
        }
        if start > end {
            return Err(format!("{name} starts at {start}, behind its end {end}"));
        }
        state.batches.retain(|batch| batch.last < end);
        state.start = start;
        state.end = end;
        state.cut_end = end;
        // As in `cut`.
        let left = state.batches.last().map_or(start, |batch| batch.last + 1);
        state.acked = end.min(left.max(start));
        Ok(())
    }
}

impl State {
    pub fn start_at(&mut self, offset: i64) {
        self.batches.clear();
        self.start = offset;
        self.end = offset;
        self.acked = offset;
        self.cut_end = offset;
    }

    pub fn push(&mut self, batch: StoredBatch) {
        self.end = batch.last + 1;
        self.batches.push(batch);
    }

    /// Whether a truncation is under way.
    pub fn is_being_cut(&self) -> bool {
        self.cut_pending.is_some() || self.restart_pending.is_some()
    }

    /// A truncation to `offset` is done.
    pub fn cut(&mut self, offset: i64) {
        self.batches.retain(|batch| batch.last < offset);
        self.end = self.end.min(offset);
        // As in Kafka the end of what is left counts after a restart, when the cut was within a batch.
        let left = self.batches.last().map_or(self.start, |batch| batch.last + 1);
        self.acked = self.acked.min(offset).min(left.max(self.start));
        self.cut_end = self.end;
    }

    /// The stored bytes from the batch that holds `offset` on, of batches that begin below `upper`; and the length of
    /// the first.
    pub fn stream(&self, offset: i64, upper: i64, limit: usize) -> (Vec<u8>, usize) {
        let from = self.batches.partition_point(|batch| batch.last < offset);
        let mut bytes = Vec::new();
        let mut first = 0;
        for batch in self.batches.iter().skip(from).take_while(|batch| batch.base < upper) {
            if first == 0 {
                first = batch.bytes.len();
            }
            bytes.extend_from_slice(&batch.bytes);
            if bytes.len() > limit && bytes.len() > first {
                break;
            }
        }
        (bytes, first)
    }

    /// The first record at or above `start` with a timestamp of at least `timestamp_ms`.
    pub fn record_at(&self, start: i64, timestamp_ms: i64) -> Option<(i64, i64)> {
        let from = self.batches.partition_point(|batch| batch.last < start);
        for batch in self.batches.iter().skip(from) {
            for (delta, timestamp) in batch.timestamps.iter().enumerate() {
                if *timestamp >= timestamp_ms && batch.base + delta as i64 >= start {
                    return Some((batch.base + delta as i64, *timestamp));
                }
            }
        }
        None
    }

    /// Open transactions by producer with their first offset, and the aborted ones: producer, first and last offset.
    pub fn transactions(&self) -> (BTreeMap<i64, i64>, Vec<(i64, i64, i64)>) {
        let (mut open, mut aborted) = (BTreeMap::new(), Vec::new());
        for batch in &self.batches {
            match batch.transaction {
                Some(Transaction::Data { producer }) => {
                    open.entry(producer).or_insert(batch.base);
                }
                Some(Transaction::Marker { producer, commit }) => {
                    let first = open.remove(&producer);
                    if let Some(first) = first.filter(|_| !commit) {
                        aborted.push((producer, first, batch.last));
                    }
                }
                None => {}
            }
        }
        (open, aborted)
    }

    pub fn epoch_at(&self, offset: i64) -> Option<i32> {
        let from = self.batches.partition_point(|batch| batch.last < offset);
        self.batches.get(from).map(|batch| batch.epoch)
    }

    /// Whether the last batch of a producer lies below the log start, which retention may have raised unseen.
    pub fn is_forgotten(&self, producer: i64, log_start: i64) -> bool {
        let of = |batch: &&StoredBatch| batch.producer.is_some_and(|its| its.id == producer);
        self.batches.iter().rev().find(of).is_none_or(|batch| batch.base < self.start.max(log_start))
    }

    /// The sequence that a producer's next batch must have.
    pub fn next_sequence(&self, producer: i64) -> i32 {
        let of = |batch: &&StoredBatch| batch.producer.is_some_and(|its| its.id == producer);
        self.batches
            .iter()
            .rev()
            .find(of)
            .and_then(|batch| batch.producer)
            .map_or(0, |its| its.last_sequence + 1)
    }
}
