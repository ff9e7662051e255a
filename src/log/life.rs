//! A log's life on a shard: made, opened, deleted, moved to another shard, stopped.
//!
//! Laws kept here: the incarnation is durable before the first entry, a deletion's rename before anything of the same
//! name is made (4); a move hands over a sealed log and begins the new journal's history under the next owner epoch,
//! durably, before it serves (7); a directory that is missing is never made anew (10).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::acknowledge::Unacknowledged;
use super::directory::Directory;
use super::error::LogError;
use super::incarnation::{self, Incarnation};
use super::index_files::write_whole;
use super::journal::format::{Identity, Kind};
use super::leader_epochs::LeaderEpochs;
use super::lock::Lock;
use super::log::{Log, LogInner};
use super::manager::LogManager;
use super::partition_metadata::{self, PartitionMetadata};
use super::recovery::discover::{LOG_START_FILE, OWNER_FILE, encode_log_start, encode_owner};
use super::recovery::leftovers::remove_deleted;
use super::recovery::types::{RecoveredPartition, RecoveredSegment};
use super::segment::{Mark, Segment};
use super::segment_name::{DirectoryState, PartitionDirectory, partition_directory, unique_suffix};
use super::settings::LogConfig;
use crate::partition::producer_state::ProducerStates;
use crate::protocol::Uuid;
use crate::runtime::Runtime;
use crate::runtime::sync::{Budget, Notify};

/// A partition to be made.
#[derive(Clone, Debug)]
pub struct PartitionSpec {
    /// The topic's name.
    pub topic: Arc<str>,
    /// The topic's id.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The log directory's id.
    pub directory: Uuid,
    /// What the topic's configuration says.
    pub config: LogConfig,
}

/// A log between two shards. May cross them.
#[derive(Clone, Debug)]
pub struct MovedLog {
    state: RecoveredPartition,
    config: LogConfig,
    high_watermark: i64,
    producers: ProducerStates,
}

/// A partition's directory, made: the log directory, the path, the incarnation.
type MadeFiles = (Rc<Directory>, PathBuf, u64);

impl LogManager {
    /// Makes partitions; they are durable when it ends.
    pub async fn create(&self, specs: Vec<PartitionSpec>) -> Vec<Result<Log, LogError>> {
        let _change = match self.0.begin_change() {
            Ok(change) => change,
            Err(error) => return specs.iter().map(|_| Err(error.clone())).collect(),
        };
        let runtime = self.0.shard.runtime.clone();
        let slots = Budget::new(32);
        let mut tasks = Vec::new();
        for spec in specs {
            let permit = slots.acquire(1).await;
            let manager = self.clone();
            tasks.push(runtime.spawn(async move {
                let made = manager.make_files(&spec).await;
                drop(permit);
                (spec, made)
            }));
        }
        let mut made = Vec::new();
        for task in tasks {
            made.push(task.await);
        }
        let mut synced: BTreeMap<[u8; 16], Result<(), LogError>> = BTreeMap::new();
        for (spec, result) in &made {
            let Ok((directory, _, _)) = result else { continue };
            if let std::collections::btree_map::Entry::Vacant(place) = synced.entry(spec.directory.0) {
                let result = runtime.sync_filesystem(&directory.path).await;
                place.insert(directory.guard_io("making partitions", result));
            }
        }
        let finish = |(spec, result): (PartitionSpec, Result<MadeFiles, LogError>)| {
            let (directory, path, incarnation) = result?;
            synced.get(&spec.directory.0).cloned().unwrap_or(Err(LogError::NoSuchDirectory))?;
            let state = RecoveredPartition {
                topic: spec.topic.to_string(),
                topic_id: spec.topic_id,
                partition: spec.partition,
                directory: spec.directory,
                log_start_offset: 0,
                log_end_offset: 0,
                high_watermark: None,
                offline: None,
                path,
                incarnation,
                owner_epoch: 0,
                segments: Vec::new(),
                epochs: LeaderEpochs::new(),
                epochs_on_disk: Vec::new(),
                producers: Vec::new(),
                snapshots: Vec::new(),
                unscanned_bytes: 0,
                log_start_on_disk: None,
                cleaned_to: None,
            };
            self.add(directory, state, spec.config)
        };
        made.into_iter().map(finish).collect()
    }

    async fn make_files(&self, spec: &PartitionSpec) -> Result<(Rc<Directory>, PathBuf, u64), LogError> {
        let directory = self.0.directory(spec.directory)?;
        directory.check()?;
        if self.get(spec.topic_id, spec.partition).is_some() {
            return Err(LogError::Exists);
        }
        let runtime = &self.0.shard.runtime;
        let path = directory.path.join(partition_directory(&spec.topic, spec.partition));
        let what = "making a partition";
        match runtime.make_directory(&path).await {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(LogError::Exists),
            other => directory.guard_io(what, other)?,
        }
        let incarnation = runtime.random_u64();
        let metadata = PartitionMetadata { topic_id: spec.topic_id }.encode();
        let written = write_whole(runtime, &path.join(partition_metadata::FILE_NAME), metadata, false).await;
        directory.guard_io(what, written)?;
        let content = Incarnation(incarnation).encode();
        let written = write_whole(runtime, &path.join(incarnation::FILE_NAME), content, false).await;
        directory.guard_io(what, written)?;
        Ok((directory, path, incarnation))
    }

    /// Opens a partition that recovery found. Reads nothing.
    pub fn open_existing(&self, partition: RecoveredPartition, config: LogConfig) -> Result<Log, LogError> {
        let directory = self.0.directory(partition.directory)?;
        self.add(directory, partition, config)
    }

    pub(super) fn add(
        &self,
        directory: Rc<Directory>,
        state: RecoveredPartition,
        config: LogConfig,
    ) -> Result<Log, LogError> {
        let key = (state.topic_id.0, state.partition);
        if self.0.logs.borrow().contains_key(&key) {
            return Err(LogError::Exists);
        }
        let offline = state.offline.clone();
        let log = build(&directory, state, config);
        directory.register(&log);
        if let Some(reason) = directory.offline().or(offline) {
            log.set_error(LogError::Storage(reason));
        }
        self.0.logs.borrow_mut().insert(key, log.clone());
        Ok(Log(log))
    }

    /// Deletes a partition: its directory is renamed, durably, when it ends, and removed after the topic's delay.
    pub async fn delete(&self, topic_id: Uuid, partition: i32) -> Result<(), LogError> {
        let _change = self.0.begin_change()?;
        let log = self.get(topic_id, partition).ok_or(LogError::Closed)?.0;
        self.remove(&log).await
    }

    /// Ends a log and removes its directory, as [`LogManager::delete`] does.
    pub(super) async fn remove(&self, log: &Rc<LogInner>) -> Result<(), LogError> {
        log.set_error(LogError::Closed);
        // A read under way looks again, and learns it.
        log.generation.set(log.generation.get() + 1);
        log.cleaning_ended().await;
        let io = log.io.acquire().await;
        let files = log.files.acquire().await;
        for segment in log.segments.borrow().iter() {
            segment.dropped.set(true);
            if segment.zeroing.get().is_some() {
                segment.zeroing.set(Some(0));
            }
            *segment.writer.borrow_mut() = None;
            *segment.reader.borrow_mut() = None;
        }
        let runtime = &self.0.shard.runtime;
        let old = log.path.borrow().clone();
        let state = DirectoryState::Deleted { unique: random_suffix(runtime) };
        let name = PartitionDirectory::live(&log.topic, log.identity.partition).with_state(state).name();
        let new = log.directory.path.join(name);
        let what = "deleting a partition";
        let renamed = runtime.rename(&old, &new).await;
        log.directory.guard_io(what, renamed)?;
        log.directory.guard_io(what, runtime.sync_directory(&log.directory.path).await)?;
        *log.path.borrow_mut() = new.clone();
        // One that has moved to another log directory is there under the same key.
        self.0.logs.borrow_mut().retain(|_, known| !Rc::ptr_eq(known, log));
        drop((io, files));
        // So that a start after a crash does not take the entries for those of a lost directory (law 10).
        log.state(Kind::Delete, 0, Mark { position: 0, offset: 0 }).await?;
        let delay = Duration::from_millis(log.config.get().file_delete_delay_ms);
        let runtime = runtime.clone();
        let spawner = runtime.clone();
        spawner
            .spawn(async move {
                runtime.sleep(delay).await;
                remove_deleted(&runtime, &new).await;
            })
            .detach();
        Ok(())
    }

    /// Takes a log off this shard: sealed, with everything durable. Here it answers `Closed` from then on.
    pub async fn export(&self, topic_id: Uuid, partition: i32) -> Result<MovedLog, LogError> {
        let _change = self.0.begin_change()?;
        let log = self.get(topic_id, partition).ok_or(LogError::Closed)?.0;
        let busy = log.begin_change().await?;
        log.seal_all().await?;
        // Who still writes files of the log, as after a roll, has ended.
        let io = log.io.acquire().await;
        let moved = MovedLog {
            state: log.sealed_state(),
            config: log.config.get(),
            high_watermark: log.high_watermark.get(),
            producers: log.producers.borrow().clone(),
        };
        drop(busy);
        log.set_error(LogError::Closed);
        drop(io);
        self.0.logs.borrow_mut().remove(&(topic_id.0, partition));
        Ok(moved)
    }

    /// Takes a log from another shard; its new history is durable here when it ends (law 7).
    pub async fn import(&self, mut moved: MovedLog) -> Result<Log, LogError> {
        let _change = self.0.begin_change()?;
        let directory = self.0.directory(moved.state.directory)?;
        directory.check()?;
        let state = &mut moved.state;
        let first_base = state.segments.first().map_or(0, |segment| segment.base_offset);
        if state.log_start_offset != first_base && state.log_start_on_disk != Some(state.log_start_offset) {
            // The old journal's word for it ends with the owner epoch.
            let path = state.path.join(LOG_START_FILE);
            let content = encode_log_start(state.log_start_offset).into();
            let written = self.0.shard.runtime.replace_file(&path, content).await;
            directory.guard_io("moving a partition", written)?;
            state.log_start_on_disk = Some(state.log_start_offset);
        }
        moved.state.owner_epoch += 1;
        let owner = encode_owner(moved.state.owner_epoch);
        let written =
            self.0.shard.runtime.replace_file(&moved.state.path.join(OWNER_FILE), owner.into()).await;
        directory.guard_io("moving a partition", written)?;
        let log = self.add(directory, moved.state, moved.config)?;
        log.0.goes_on_with(moved.high_watermark, moved.producers);
        log.0.begin_history().await?;
        Ok(log)
    }
}

/// What makes the name of a directory unique.
pub(super) fn random_suffix(runtime: &Runtime) -> String {
    unique_suffix(u128::from(runtime.random_u64()) << 64 | u128::from(runtime.random_u64()))
}

impl LogInner {
    /// Takes what a log that has moved knew in memory alone: the high watermark, and of the producers also which
    /// transactions ended above it and which are being verified.
    pub(super) fn goes_on_with(&self, high_watermark: i64, mut producers: ProducerStates) {
        self.high_watermark.set(high_watermark);
        producers.set_limits(self.shard.producer_limits());
        self.producers.replace(producers);
    }

    /// Begins what this journal tells of a log that comes from another one, durably (law 7).
    pub(super) async fn begin_history(self: &Rc<Self>) -> Result<(), LogError> {
        let active = self.active();
        self.state(Kind::Move, active.base_offset, active.end.get()).await?;
        let offset = self.log_start.get();
        if self.durable_first_base.get() != offset {
            self.state(Kind::LogStart, 0, Mark { position: 0, offset }).await?;
        }
        Ok(())
    }

    /// Everything durable, every segment sealed, all files beside them written. Appends are refused already.
    pub(super) async fn seal_all(self: &Rc<Self>) -> Result<(), LogError> {
        loop {
            self.wait_changed(|| self.reservations.get() == 0).await?;
            self.settle_to_seal().await?;
            let open: Vec<_> = self.unsealed.borrow().iter().cloned().collect();
            let lock = self.io.acquire().await;
            let mut all = true;
            for segment in open {
                if segment.is_untouched() {
                    continue;
                }
                all &= self.seal_segment(&segment, &lock).await?;
            }
            drop(lock);
            if all {
                break;
            }
            self.shard.runtime.yield_now().await;
        }
        self.write_indexes_behind().await?;
        self.write_epochs().await?;
        let start = self.log_start.get();
        if start != self.durable_first_base.get() && self.log_start_on_disk.get() != Some(start) {
            // The journals end with the process, and nothing else of the partition's own says it.
            self.write_log_start(start).await?;
        }
        let offset = self.log_end_offset();
        let snapshot = self.producers.borrow().snapshot();
        self.write_snapshot(offset, snapshot).await?;
        self.remove_snapshots_before(offset).await
    }

    pub(super) fn sealed_state(&self) -> RecoveredPartition {
        let segments = self.segments.borrow();
        let named = segments.iter().filter(|segment| segment.named.get());
        let recovered = |segment: &Rc<Segment>| RecoveredSegment {
            base_offset: segment.base_offset,
            len: segment.end.get().position,
            end_offset: segment.end.get().offset,
            modified_ms: segment.modified_ms.get(),
            builder: segment.builder.borrow().clone(),
            transactions: segment.transactions.borrow().clone(),
        };
        RecoveredPartition {
            topic: self.topic.to_string(),
            topic_id: self.identity.topic_id,
            partition: self.identity.partition,
            directory: self.directory.id,
            log_start_offset: self.log_start.get(),
            log_end_offset: self.log_end_offset(),
            high_watermark: None,
            offline: None,
            path: self.path.borrow().clone(),
            incarnation: self.identity.incarnation,
            owner_epoch: self.owner_epoch.get(),
            segments: named.map(recovered).collect(),
            epochs: self.epochs.borrow().clone(),
            epochs_on_disk: self.epochs_on_disk.borrow().clone(),
            // A snapshot would not have all of it: see `goes_on_with`.
            producers: Vec::new(),
            snapshots: self.snapshots.borrow().iter().copied().collect(),
            unscanned_bytes: 0,
            log_start_on_disk: self.log_start_on_disk.get(),
            cleaned_to: self.cleaned_to.get(),
        }
    }
}

/// A log in memory, from its sealed state.
fn build(directory: &Rc<Directory>, state: RecoveredPartition, config: LogConfig) -> Rc<LogInner> {
    let shard = directory.shard.clone();
    let now_ms = shard.runtime.wall_clock_ms();
    let mut producers = ProducerStates::new(shard.producer_limits());
    producers.load(&state.producers, state.log_end_offset, now_ms);
    let mut segments = VecDeque::new();
    for segment in state.segments {
        let end = Mark { position: segment.len, offset: segment.end_offset };
        let built = Segment::sealed(segment.base_offset, end, segment.modified_ms);
        if let Some(mut builder) = segment.builder {
            builder.set_interval_bytes(config.index_interval_bytes);
            built.checkpointed.set(0);
            built.largest_timestamp.set(Some(builder.largest_timestamp()));
            *built.builder.borrow_mut() = Some(builder);
        }
        *built.transactions.borrow_mut() = segment.transactions;
        segments.push_back(built);
    }
    let mut unsealed = VecDeque::new();
    if segments.is_empty() {
        let first = Segment::new(state.log_end_offset, config.index_interval_bytes, now_ms);
        first.statement_due.set(state.log_end_offset > 0);
        segments.push_back(first.clone());
        unsealed.push_back(first);
    }
    let first_base = segments.front().map_or(0, |segment| segment.base_offset);
    let log = Rc::new(LogInner {
        identity: Identity {
            topic_id: state.topic_id,
            partition: state.partition,
            incarnation: state.incarnation,
        },
        topic: state.topic.into(),
        path: RefCell::new(state.path),
        owner_epoch: Cell::new(state.owner_epoch),
        config: Cell::new(config),
        segments: RefCell::new(segments),
        unsealed: RefCell::new(unsealed),
        log_start: Cell::new(state.log_start_offset),
        durable_first_base: Cell::new(first_base),
        log_start_on_disk: Cell::new(state.log_start_on_disk),
        durable_end: Cell::new(state.log_end_offset),
        high_watermark: Cell::new(i64::MAX),
        epochs: RefCell::new(state.epochs),
        epochs_on_disk: RefCell::new(state.epochs_on_disk),
        producers: RefCell::new(producers),
        snapshots: RefCell::new(state.snapshots.into_iter().collect::<BTreeSet<_>>()),
        error: RefCell::new(None),
        busy: Cell::new(false),
        cutting: Cell::new(false),
        cut_sequence: Cell::new(0),
        raising: Cell::new(0),
        cleaned_to: Cell::new(state.cleaned_to),
        cleaning: Cell::new(false),
        uncleanable: Cell::new(false),
        generation: Cell::new(0),
        compactions: Cell::new(0),
        reservations: Cell::new(0),
        queued: Cell::new(false),
        dues: RefCell::default(),
        log_start_sequence: Cell::new(0),
        log_start_stated: Cell::new(state.log_start_offset),
        listed_region: Cell::new(0),
        unscanned_bytes: Cell::new(0),
        last_append_ms: Cell::new(now_ms),
        roll_jitter_ms: Cell::new(0),
        unacknowledged: Unacknowledged::default(),
        appended: Notify::default(),
        changed: Notify::default(),
        io: Lock::default(),
        files: Lock::default(),
        hints: RefCell::default(),
        next_hint: Cell::new(0),
        shard,
        directory: directory.clone(),
    });
    log.roll_jitter_ms.set(log.random_jitter_ms());
    if state.unscanned_bytes > 0 {
        directory.add_unscanned(&log, state.unscanned_bytes);
    }
    if log.active().statement_due.get() {
        log.enqueue();
    }
    log
}
