//! One log directory as one shard sees it: its journal, its state, its background budget.
//!
//! A write or flush that failed is never retried: the directory goes offline with all of this shard's logs in it, and
//! the rest goes on. Background writes are bounded by `background_inflight_bytes` (rule 7).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use super::error::LogError;
use super::journal::Journal;
use super::lock::Lock;
use super::log::LogInner;
use super::shard::Shard;
use crate::protocol::Uuid;
use crate::runtime::sync::{Budget, Notify};

/// Topics that the broker writes for itself.
const OWN_TOPICS: [&str; 4] =
    ["__cluster_metadata", "__consumer_offsets", "__transaction_state", "__share_group_state"];

/// See the module.
pub(crate) struct Directory {
    pub(super) shard: Rc<Shard>,
    pub(super) id: Uuid,
    pub(super) path: PathBuf,
    journal: RefCell<Option<Rc<Journal>>>,
    offline: RefCell<Option<Arc<str>>>,
    pub(super) went_offline: Rc<Notify>,
    pub(super) free_bytes: Cell<u64>,
    pub(super) total_bytes: Cell<u64>,
    pub(super) full: Cell<bool>,
    /// What is kept free, and what appends have taken since the last look at the disk.
    pub(super) reserve_bytes: Cell<u64>,
    pub(super) taken_bytes: Cell<u64>,
    /// What was appended and not in a segment yet, at that look.
    pub(super) unwritten_bytes: Cell<u64>,
    /// Bytes of background writes under way.
    pub(super) background: Budget,
    /// Long work on files under way: seals, rolls, checkpoints.
    pub(super) workers: Budget,
    /// Held by who writes many logs' segments together.
    pub(super) bulk: Lock,
    logs: RefCell<Vec<Weak<LogInner>>>,
    /// Logs with bytes that a start after a crash would scan, oldest first, and how many bytes in all.
    pub(super) unscanned: RefCell<VecDeque<Weak<LogInner>>>,
    pub(super) unscanned_bytes: Cell<u64>,
    pub(super) checkpoint_due: Notify,
    /// Zeroing is allowed again from this time on, nanoseconds.
    pub(super) zeroing_free_at_ns: Cell<u64>,
}

impl Directory {
    pub(super) fn new(shard: Rc<Shard>, id: Uuid, path: PathBuf, went_offline: Rc<Notify>) -> Rc<Self> {
        let background = Budget::new(shard.settings.background_inflight_bytes);
        Rc::new(Self {
            shard,
            id,
            path,
            journal: RefCell::new(None),
            offline: RefCell::new(None),
            went_offline,
            free_bytes: Cell::new(u64::MAX),
            total_bytes: Cell::new(0),
            full: Cell::new(false),
            reserve_bytes: Cell::new(0),
            taken_bytes: Cell::new(0),
            unwritten_bytes: Cell::new(0),
            background,
            workers: Budget::new(8),
            bulk: Lock::default(),
            logs: RefCell::default(),
            unscanned: RefCell::default(),
            unscanned_bytes: Cell::new(0),
            checkpoint_due: Notify::default(),
            zeroing_free_at_ns: Cell::new(0),
        })
    }

    pub(super) fn set_journal(&self, journal: Rc<Journal>) {
        *self.journal.borrow_mut() = Some(journal);
    }

    /// The journal, unless the directory is offline.
    pub(super) fn journal(&self) -> Result<Rc<Journal>, LogError> {
        if let Some(reason) = self.offline() {
            return Err(LogError::Storage(reason));
        }
        self.journal.borrow().clone().ok_or(LogError::NoSuchDirectory)
    }

    /// Why it is offline, if it is.
    pub(super) fn offline(&self) -> Option<Arc<str>> {
        self.offline.borrow().clone()
    }

    /// An error if it is offline.
    pub(super) fn check(&self) -> Result<(), LogError> {
        self.offline().map_or(Ok(()), |reason| Err(LogError::Storage(reason)))
    }

    /// Whether a log of `topic` takes no records for want of space. The broker's own topics go on into the reserve: it is
    /// by their records that topics are deleted and groups commit what they have read.
    pub(super) fn is_full_for(&self, topic: &str) -> bool {
        let reserve = self.reserve_bytes.get();
        let left = self.left_bytes();
        if OWN_TOPICS.contains(&topic) { left < reserve / 4 } else { self.full.get() || left < reserve / 2 }
    }

    /// What is free, less what this shard knows to be coming: its tails, and what it took since the last look. Others are
    /// taken to have taken as much.
    fn left_bytes(&self) -> u64 {
        let taken = self.taken_bytes.get().saturating_mul(self.shard.settings.disk_shards);
        self.free_bytes.get().saturating_sub(taken).saturating_sub(self.unwritten_bytes.get())
    }

    /// Notes that `bytes` of the disk will be used.
    pub(super) fn take(&self, bytes: u64) {
        self.taken_bytes.set(self.taken_bytes.get().saturating_add(bytes));
    }

    /// Whether `bytes` may be taken ahead of need: only where there is plenty, never out of the reserve.
    pub(super) fn has_plenty(&self, bytes: u64) -> bool {
        let spare = self.left_bytes().saturating_sub(self.reserve_bytes.get());
        bytes <= spare / self.shard.settings.disk_shards.max(1) / 16
    }

    /// Bytes of this shard's logs here that no segment has yet.
    pub(super) fn count_unwritten(&self) -> u64 {
        let logs = self.logs.borrow();
        let unwritten = |log: Rc<LogInner>| {
            let unsealed = log.unsealed.borrow();
            unsealed.iter().map(|s| s.end.get().position.saturating_sub(s.written.get())).sum::<u64>()
        };
        logs.iter().filter_map(Weak::upgrade).map(unwritten).sum()
    }

    pub(super) fn register(&self, log: &Rc<LogInner>) {
        let mut logs = self.logs.borrow_mut();
        if logs.len() == logs.capacity() {
            logs.retain(|log| log.strong_count() > 0);
        }
        logs.push(Rc::downgrade(log));
    }

    /// Takes the directory offline for good (until the next start) and tells everyone who waits.
    pub(super) fn fail(&self, error: &LogError) {
        if self.offline.borrow().is_some() {
            return;
        }
        let reason: Arc<str> = match error {
            LogError::Storage(reason) => reason.clone(),
            other => other.to_string().into(),
        };
        tracing::error!(directory = %self.path.display(), %reason, "log directory goes offline");
        *self.offline.borrow_mut() = Some(reason.clone());
        let logs: Vec<_> = self.logs.borrow().iter().filter_map(Weak::upgrade).collect();
        for log in logs {
            log.set_error(LogError::Storage(reason.clone()));
        }
        let journal = self.journal.borrow().clone();
        if let Some(journal) = journal {
            journal.stop();
        }
        self.went_offline.notify();
        self.shard.room.notify();
        self.checkpoint_due.notify();
    }

    /// Passes a result on; a storage error takes the directory offline first (laws 1 and 14).
    pub(super) fn guard<T>(&self, result: Result<T, LogError>) -> Result<T, LogError> {
        if let Err(error @ LogError::Storage(_)) = &result {
            self.fail(error);
        }
        result
    }

    /// The same for an I/O result, with what was done. What succeeds after something failed counts for nothing: the
    /// file system reports a lost page once, and the next flush of the same file says that all is well.
    pub(super) fn guard_io<T>(&self, what: &str, result: std::io::Result<T>) -> Result<T, LogError> {
        match result {
            Ok(value) => self.check().map(|()| value),
            Err(error) => {
                let error = LogError::io(what, &error);
                self.fail(&error);
                Err(error)
            }
        }
    }

    /// Notes bytes that a start after a crash would scan.
    pub(super) fn add_unscanned(&self, log: &Rc<LogInner>, bytes: u64) {
        if log.unscanned_bytes.get() == 0 {
            self.unscanned.borrow_mut().push_back(Rc::downgrade(log));
        }
        log.unscanned_bytes.set(log.unscanned_bytes.get() + bytes);
        self.unscanned_bytes.set(self.unscanned_bytes.get() + bytes);
        if self.unscanned_bytes.get() > self.shard.settings.unscanned_bytes {
            self.checkpoint_due.notify();
        }
    }

    /// The log's bytes are in its checkpoint now.
    pub(super) fn clear_unscanned(&self, log: &LogInner) {
        let bytes = log.unscanned_bytes.replace(0);
        self.unscanned_bytes.set(self.unscanned_bytes.get().saturating_sub(bytes));
    }
}
