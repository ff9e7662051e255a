//! All logs of one shard: opened, made, found, deleted, moved away and in, stopped.
//!
//! One per shard; clones are the same. Logs are found by topic id and partition. Making many partitions costs one flush
//! of the file system (`create`), a deleted one is renamed and the rename flushed before another of the same name
//! can be made (law 4).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::counters::LogCounters;
use super::directory::Directory;
use super::error::LogError;
use super::journal::file as journal_file;
use super::log::{Log, LogInner};
use super::recovery::LogDirectory;
use super::settings::{CleanerSettings, LogSettings};
use super::shard::Shard;
use crate::protocol::Uuid;
use crate::runtime::sync::Notify;
use crate::runtime::{Runtime, ShardId};

/// How logs are found.
pub(super) type Key = ([u8; 16], i32);

/// See the module.
pub(crate) struct ManagerInner {
    pub(super) shard: Rc<Shard>,
    pub(super) directories: Vec<Rc<Directory>>,
    pub(super) logs: RefCell<BTreeMap<Key, Rc<LogInner>>>,
    went_offline: Rc<Notify>,
    /// Logs being made, moved or deleted: a stop waits for them.
    changes: Cell<u32>,
    changed: Notify,
}

/// A change of the set of logs is under way.
pub(super) struct Change(Rc<ManagerInner>);

impl Drop for Change {
    fn drop(&mut self) {
        self.0.changes.set(self.0.changes.get() - 1);
        self.0.changed.notify();
    }
}

/// All logs of one shard. Clones are the same.
#[derive(Clone)]
pub struct LogManager(pub(super) Rc<ManagerInner>);

/// What is told of a log directory.
#[derive(Clone, Debug)]
pub struct DirectoryState {
    /// The directory id.
    pub id: Uuid,
    /// Its path.
    pub path: PathBuf,
    /// Why it is offline, if it is.
    pub offline: Option<Arc<str>>,
    /// Free bytes of its file system.
    pub free_bytes: u64,
    /// Bytes of its file system.
    pub total_bytes: u64,
    /// Whether appends are refused for want of space.
    pub full: bool,
    /// This shard's logs in it.
    pub logs: usize,
}

impl Drop for ManagerInner {
    fn drop(&mut self) {
        // The journals' queues hold logs, which hold their directory, which holds its journal.
        for directory in &self.directories {
            if let Ok(journal) = directory.journal() {
                journal.stop();
            }
        }
    }
}

impl ManagerInner {
    /// Begins a change of the set of logs; refused when the engine stops.
    pub(super) fn begin_change(self: &Rc<Self>) -> Result<Change, LogError> {
        if self.shard.stopping.get() {
            return Err(LogError::Closed);
        }
        self.changes.set(self.changes.get() + 1);
        Ok(Change(self.clone()))
    }

    /// Ends when no change is under way.
    pub(super) async fn no_changes(&self) {
        while self.changes.get() > 0 {
            self.changed.wait().await;
        }
    }

    pub(super) fn all(&self) -> Vec<Log> {
        self.logs.borrow().values().cloned().map(Log).collect()
    }

    pub(super) fn directory(&self, id: Uuid) -> Result<Rc<Directory>, LogError> {
        self.directories.iter().find(|directory| directory.id == id).cloned().ok_or(LogError::NoSuchDirectory)
    }

    pub(super) async fn look_at_disks(&self) {
        for directory in &self.directories {
            directory.look_at_disk().await;
        }
    }
}

impl LogManager {
    /// Opens the engine of `shard`: makes its journal in each directory that is online. A directory where that fails
    /// goes offline, the others go on.
    pub async fn open(
        runtime: &Runtime,
        shard: ShardId,
        settings: LogSettings,
        directories: Vec<LogDirectory>,
    ) -> Result<Self, LogError> {
        let shard = Shard::new(runtime.clone(), shard, settings);
        let went_offline = Rc::new(Notify::default());
        let mut opened = Vec::new();
        for directory in directories {
            let offline = directory.offline.clone();
            let directory = Directory::new(shard.clone(), directory.id, directory.path, went_offline.clone());
            match offline {
                Some(reason) => directory.fail(&LogError::Storage(reason)),
                None => {
                    directory.look_at_disk().await;
                    match journal_file::create(&directory).await {
                        Ok(journal) => {
                            journal.start();
                            directory.set_journal(journal);
                        }
                        Err(error) => directory.fail(&error),
                    }
                }
            }
            opened.push(directory);
        }
        let manager = Rc::new(ManagerInner {
            shard,
            directories: opened,
            logs: RefCell::default(),
            went_offline,
            changes: Cell::new(0),
            changed: Notify::default(),
        });
        super::background::start(&manager);
        Ok(Self(manager))
    }

    /// The log of a partition, if it is on this shard.
    #[must_use]
    pub fn get(&self, topic_id: Uuid, partition: i32) -> Option<Log> {
        self.0.logs.borrow().get(&(topic_id.0, partition)).cloned().map(Log)
    }

    /// Looks at the free space of all log directories, as happens each second: a start does it once the journals of all
    /// shards are made.
    pub async fn look_at_disks(&self) {
        self.0.look_at_disks().await;
    }

    /// All logs of this shard.
    #[must_use]
    pub fn logs(&self) -> Vec<Log> {
        self.0.all()
    }

    /// The log directories as this shard sees them.
    #[must_use]
    pub fn directories(&self) -> Vec<DirectoryState> {
        let logs = self.0.logs.borrow();
        let state = |directory: &Rc<Directory>| DirectoryState {
            id: directory.id,
            path: directory.path.clone(),
            offline: directory.offline(),
            free_bytes: directory.free_bytes.get(),
            total_bytes: directory.total_bytes.get(),
            full: directory.full.get(),
            logs: logs.values().filter(|log| Rc::ptr_eq(&log.directory, directory)).count(),
        };
        self.0.directories.iter().map(state).collect()
    }

    /// Takes a directory offline here, for what happened elsewhere: on another shard, or to who sends its files.
    pub fn take_offline(&self, directory: Uuid, reason: &str) {
        if let Ok(directory) = self.0.directory(directory) {
            directory.fail(&LogError::Storage(reason.into()));
        }
    }

    /// Rung when a directory went offline.
    #[must_use]
    pub fn directory_offline(&self) -> &Notify {
        &self.0.went_offline
    }

    /// What this shard's engine has done.
    #[must_use]
    pub fn counters(&self) -> LogCounters {
        self.0.shard.counters.get()
    }

    /// Changes how compacted topics are cleaned; a pause of the cleaner ends.
    pub fn set_cleaner(&self, settings: CleanerSettings) {
        let shard = &self.0.shard;
        if shard.cleaner.replace(settings) != settings {
            shard.cleaner_changed.notify();
        }
    }

    /// Changes `producer.id.expiration.ms` for all logs, those to come included.
    pub fn set_producer_id_expiration_ms(&self, expiration_ms: i64) {
        let shard = &self.0.shard;
        if shard.producer_id_expiration_ms.replace(expiration_ms) != expiration_ms {
            let limits = shard.producer_limits();
            self.0.all().iter().for_each(|log| log.with_producers(|producers| producers.set_limits(limits)));
        }
    }

    /// Segments whose files are open for readers, and for writing.
    #[must_use]
    pub fn open_files(&self) -> (u64, u64) {
        let logs = self.0.logs.borrow();
        let mut open = (0, 0);
        for log in logs.values() {
            for segment in log.segments.borrow().iter() {
                open.0 += u64::from(segment.reader.borrow().is_some());
                open.1 += u64::from(segment.writer.borrow().is_some());
            }
        }
        open
    }

    /// Bytes of memory in tails, caches and group buffers.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.0.shard.pool.used_bytes()
    }

    /// Bytes of memory that the pool holds from the system.
    #[must_use]
    pub fn resident_bytes(&self) -> u64 {
        self.0.shard.pool.resident_bytes()
    }
}
