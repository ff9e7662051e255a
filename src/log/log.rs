//! One partition's log, on the shard that owns it: its state, what can be asked of it without waiting, its life.
//!
//! What happens to a log is in files of its own: `append`, `read`, `roll`, `seal`, `truncate`, `retention`,
//! `index_files`, `life`. Order of its offsets, asserted where they move:
//! `log_start <= durable_end <= log_end`. Memory is bounded by the shard's budget, files by retention.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::acknowledge::Unacknowledged;
use super::directory::Directory;
use super::error::LogError;
use super::gather::Due;
use super::journal::format::{Identity, Kind};
use super::leader_epochs::{EndOffset, EpochEntry, LeaderEpochs};
use super::lock::Lock;
use super::segment::{Mark, Segment};
use super::settings::LogConfig;
use super::shard::Shard;
use crate::partition::producer_state::ProducerStates;
use crate::protocol::Uuid;
use crate::runtime::sync::{Notify, oneshot};

/// The state of a log; see the module.
pub struct LogInner {
    pub(super) shard: Rc<Shard>,
    pub(super) directory: Rc<Directory>,
    pub(super) identity: Identity,
    pub(super) topic: Arc<str>,
    pub(super) path: RefCell<PathBuf>,
    pub(super) owner_epoch: Cell<u32>,
    pub(super) config: Cell<LogConfig>,
    /// All segments by base offset; the last one is appended to. Never empty.
    pub(super) segments: RefCell<VecDeque<Rc<Segment>>>,
    /// Those whose bytes the journal holds, by base offset.
    pub(super) unsealed: RefCell<VecDeque<Rc<Segment>>>,
    pub(super) log_start: Cell<i64>,
    /// Base offset of the first segment on the disk, for certain.
    pub(super) durable_first_base: Cell<i64>,
    /// What the partition's log start file says.
    pub(super) log_start_on_disk: Cell<Option<i64>>,
    pub(super) durable_end: Cell<i64>,
    pub(super) high_watermark: Cell<i64>,
    pub(super) epochs: RefCell<LeaderEpochs>,
    pub(super) epochs_on_disk: RefCell<Vec<EpochEntry>>,
    pub(super) producers: RefCell<ProducerStates>,
    /// Producer snapshots on disk, by offset.
    pub(super) snapshots: RefCell<BTreeSet<i64>>,
    pub(super) error: RefCell<Option<LogError>>,
    /// A truncation, move or deletion is under way.
    pub(super) busy: Cell<bool>,
    /// A cut was put into the journal and is not done yet: nothing of the old history may follow it there.
    pub(super) cutting: Cell<bool>,
    /// The group with that cut.
    pub(super) cut_sequence: Cell<u64>,
    /// Statements of a higher log start under way.
    pub(super) raising: Cell<u32>,
    /// Records below were cleaned; None when none was.
    pub(super) cleaned_to: Cell<Option<i64>>,
    /// A cleaning pass works on it: who changes the log waits for its end, which comes soon.
    pub(super) cleaning: Cell<bool>,
    /// Cleaning met bytes that it cannot read: it leaves the log alone until the next start.
    pub(super) uncleanable: Cell<bool>,
    /// Counts changes of the set of segments that a read under way must notice: cuts, deletions, compaction.
    pub(super) generation: Cell<u64>,
    /// Counts replacements of segments by compacted ones.
    pub(super) compactions: Cell<u64>,
    pub(super) reservations: Cell<u32>,
    /// In the journal's queue.
    pub(super) queued: Cell<bool>,
    pub(super) dues: RefCell<VecDeque<Due>>,
    /// The group that states the log start; 0 for none.
    pub(super) log_start_sequence: Cell<u64>,
    /// The log start as the newest entry states it that was put into a group.
    pub(super) log_start_stated: Cell<i64>,
    /// First sequence of the newest journal region that lists this log.
    pub(super) listed_region: Cell<u64>,
    pub(super) unscanned_bytes: Cell<u64>,
    pub(super) last_append_ms: Cell<i64>,
    pub(super) roll_jitter_ms: Cell<i64>,
    /// Who waits for the durable end.
    pub(super) unacknowledged: Unacknowledged,
    /// The durable end or the log start moved, or the log ended.
    pub(super) appended: Notify,
    /// A write ended: what tasks of the engine wait for.
    pub(super) changed: Notify,
    /// Held by who writes the segments' files or changes the set of segments.
    pub(super) io: Lock,
    /// Held by who writes the files beside them.
    pub(super) files: Lock,
    pub(super) hints: RefCell<[super::lookup::Hint; 4]>,
    pub(super) next_hint: Cell<usize>,
}

impl LogInner {
    /// The segment that is appended to.
    pub(super) fn active(&self) -> Rc<Segment> {
        match self.segments.borrow().back() {
            Some(segment) => segment.clone(),
            None => panic!("a log always has a segment"),
        }
    }

    pub(super) fn log_end_offset(&self) -> i64 {
        self.active().end.get().offset
    }

    pub(super) fn check(&self) -> Result<(), LogError> {
        self.error.borrow().clone().map_or(Ok(()), Err)
    }

    /// Whether the log is deleted, moved or offline.
    pub(super) fn is_gone(&self) -> bool {
        self.error.borrow().is_some()
    }

    /// Ends the log for its users; the first reason stays.
    pub(super) fn set_error(&self, error: LogError) {
        let error = self.error.borrow_mut().get_or_insert(error).clone();
        self.unacknowledged.fail(&error);
        // Whoever waits for a statement learns that it will not come.
        self.dues.borrow_mut().clear();
        self.appended.notify();
        self.changed.notify();
    }

    /// Passes an I/O result on; an error takes the log directory offline, unless it is only that the files of a log
    /// that ended are not where they were.
    pub(super) fn guard_io<T>(&self, what: &str, result: std::io::Result<T>) -> Result<T, LogError> {
        if let Err(error) = &result
            && error.kind() == std::io::ErrorKind::NotFound
        {
            self.check()?;
        }
        self.directory.guard_io(what, result)
    }

    /// Waits until `condition`, which some task of the engine brings about, or the log has an error.
    pub(super) async fn wait_changed(&self, condition: impl Fn() -> bool) -> Result<(), LogError> {
        loop {
            if condition() {
                return Ok(());
            }
            self.check()?;
            self.changed.wait().await;
        }
    }

    /// Tells the journal that there is something to say.
    pub(super) fn enqueue(self: &Rc<Self>) {
        if !self.queued.get()
            && let Ok(journal) = self.directory.journal()
        {
            journal.enqueue(self);
        }
    }

    /// Puts a statement into the journal and waits until it is durable, which may take until the cleaner has made room:
    /// the log's `io` lock is not held meanwhile.
    pub(super) async fn state(
        self: &Rc<Self>,
        kind: Kind,
        base_offset: i64,
        end: Mark,
    ) -> Result<(), LogError> {
        self.say(kind, base_offset, end, false).await
    }

    /// States the log start again, in front of what users wait for; durable when it ends.
    pub(super) async fn state_log_start_again(self: &Rc<Self>) -> Result<(), LogError> {
        // Whatever it is by then: a higher one, or an emptied log, may be stated in front of this.
        self.say(Kind::LogStart, 0, Mark { position: 0, offset: i64::MIN }, true).await
    }

    async fn say(
        self: &Rc<Self>,
        kind: Kind,
        base_offset: i64,
        end: Mark,
        frees_room: bool,
    ) -> Result<(), LogError> {
        let journal = self.directory.journal()?;
        let (done, stated) = oneshot();
        let due = Due { frees_room, kind, base_offset, end, done };
        if frees_room {
            self.dues.borrow_mut().push_front(due);
        } else {
            self.dues.borrow_mut().push_back(due);
        }
        journal.enqueue_urgent(self);
        match stated.await {
            Some(()) => Ok(()),
            None => Err(self.error.borrow().clone().unwrap_or(LogError::Closed)),
        }
    }

    /// Waits until everything appended so far is stated as durable in the journal.
    pub(super) async fn settle(self: &Rc<Self>) -> Result<(), LogError> {
        loop {
            let open: Vec<_> = self.unsealed.borrow().iter().cloned().collect();
            let unsettled = open.iter().any(|segment| {
                !segment.sealed.get()
                    && !segment.dropped.get()
                    && (segment.stated.get().position < segment.end.get().position
                        || segment.bypass_running.get())
            });
            if !unsettled {
                return Ok(());
            }
            self.check()?;
            let changed = self.changed.wait();
            self.enqueue();
            changed.await;
        }
    }

    /// The same, and every open segment has been spoken of, so that it can be sealed.
    pub(super) async fn settle_to_seal(self: &Rc<Self>) -> Result<(), LogError> {
        self.settle().await?;
        self.enqueue();
        self.wait_changed(|| self.unsealed.borrow().iter().all(|segment| segment.is_spoken_of())).await
    }

    /// Waits until no cleaning pass works on the log.
    pub(super) async fn cleaning_ended(&self) {
        while self.cleaning.get() {
            self.changed.wait().await;
        }
    }

    /// What retention and compaction may touch: below the high watermark.
    pub(super) fn deletable_end(&self) -> i64 {
        self.high_watermark.get().min(self.durable_end.get())
    }
}

/// A handle of one partition's log. Clones are the same log; stays on its shard.
#[derive(Clone)]
pub struct Log(pub(super) Rc<LogInner>);

/// What is told of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    /// Its first offset, or where it begins.
    pub base_offset: i64,
    /// The offset behind its last one.
    pub end_offset: i64,
    /// Bytes of records.
    pub size_bytes: u64,
    /// The largest timestamp, when known; -1 otherwise.
    pub largest_timestamp_ms: i64,
    /// Whether its file is exact.
    pub sealed: bool,
}

impl Log {
    /// The topic's name.
    #[must_use]
    pub fn topic(&self) -> Arc<str> {
        self.0.topic.clone()
    }

    /// The topic's id.
    #[must_use]
    pub fn topic_id(&self) -> Uuid {
        self.0.identity.topic_id
    }

    /// The partition.
    #[must_use]
    pub fn partition(&self) -> i32 {
        self.0.identity.partition
    }

    /// The id of the log directory.
    #[must_use]
    pub fn directory(&self) -> Uuid {
        self.0.directory.id
    }

    /// The partition's directory.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.0.path.borrow().clone()
    }

    /// The first offset that can be read.
    #[must_use]
    pub fn log_start_offset(&self) -> i64 {
        self.0.log_start.get()
    }

    /// The offset of the next record.
    #[must_use]
    pub fn log_end_offset(&self) -> i64 {
        self.0.log_end_offset()
    }

    /// Records below are durable, in the sense of the durability level.
    #[must_use]
    pub fn durable_end_offset(&self) -> i64 {
        self.0.durable_end.get()
    }

    /// Why the log takes nothing any more, if so.
    #[must_use]
    pub fn error(&self) -> Option<LogError> {
        self.0.error.borrow().clone()
    }

    /// Rung when the durable end or the log start moved, or the log ended.
    #[must_use]
    pub fn appended(&self) -> &Notify {
        &self.0.appended
    }

    /// How often segments were replaced by compacted ones: what is read before one and after it does not belong together.
    #[must_use]
    pub fn compactions(&self) -> u64 {
        self.0.compactions.get()
    }

    /// Ends when everything appended so far is durable.
    pub async fn flush(&self) -> Result<(), LogError> {
        self.durable(self.log_end_offset()).await
    }

    /// What the topic's configuration says.
    #[must_use]
    pub fn config(&self) -> LogConfig {
        self.0.config.get()
    }

    /// Changes it; takes effect with the next append, roll or retention.
    pub fn set_config(&self, config: LogConfig) {
        self.0.config.set(config);
        if let Some(builder) = self.0.active().builder.borrow_mut().as_mut() {
            builder.set_interval_bytes(config.index_interval_bytes);
        }
    }

    /// Bounds what retention deletes and tells the producer state which transactions are decided.
    pub fn set_high_watermark(&self, high_watermark: i64) {
        // Also when it is where it was: a transaction may have ended below since, after a cut.
        self.0.high_watermark.set(high_watermark);
        self.0.producers.borrow_mut().on_high_watermark(high_watermark);
    }

    /// Bytes of all segments.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.0.segments.borrow().iter().map(|segment| segment.end.get().position).sum()
    }

    /// All segments, the oldest first.
    #[must_use]
    pub fn segments(&self) -> Vec<SegmentInfo> {
        let segments = self.0.segments.borrow();
        segments
            .iter()
            .map(|segment| {
                let end = segment.end.get();
                let known = segment.builder.borrow().as_ref().map(|builder| builder.largest_timestamp());
                let largest = known.or(segment.largest_timestamp.get());
                SegmentInfo {
                    base_offset: segment.base_offset,
                    end_offset: end.offset,
                    size_bytes: end.position,
                    largest_timestamp_ms: largest.map_or(-1, |largest| largest.timestamp_ms),
                    sealed: segment.sealed.get(),
                }
            })
            .collect()
    }

    /// Runs `work` with the producer state. Check and append in one turn, with no await between.
    pub fn with_producers<R>(&self, work: impl FnOnce(&mut ProducerStates) -> R) -> R {
        work(&mut self.0.producers.borrow_mut())
    }

    /// The first offset of the oldest open transaction.
    #[must_use]
    pub fn first_unstable_offset(&self) -> Option<i64> {
        self.0.producers.borrow().first_unstable_offset()
    }

    /// The end of `epoch` in this log (KIP-101, KIP-320).
    #[must_use]
    pub fn end_offset_for_epoch(&self, epoch: i32) -> EndOffset {
        self.0.epochs.borrow().end_offset_for(epoch, self.log_end_offset())
    }

    /// The latest leader epoch in the log.
    #[must_use]
    pub fn latest_epoch(&self) -> Option<i32> {
        self.0.epochs.borrow().latest().map(|entry| entry.epoch)
    }

    /// The first leader epoch in the log.
    #[must_use]
    pub fn earliest_epoch_entry(&self) -> Option<EpochEntry> {
        self.0.epochs.borrow().earliest()
    }

    /// The leader epoch of the record at `offset`.
    #[must_use]
    pub fn epoch_for_offset(&self, offset: i64) -> Option<i32> {
        self.0.epochs.borrow().epoch_for_offset(offset)
    }
}
