//! Partitions on their way to other log directories of this broker (AlterReplicaLogDirs, KIP-113).
//!
//! On the shard that owns the partition, one at a time, each in a task of its own: the log engine copies (`log::relocate`),
//! the controller commits where the partition is, the log engine takes the copy. A later request for the same partition
//! ends an earlier one, as in Kafka; moves that a start finds broken off are begun again.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::messages::{LogSize, PartitionAnswer, PartitionQuery};
use super::shard::Shard;
use crate::controller::{ControllerRequest, ControllerResponse};
use crate::log::{InterruptedMove, LogError, Relocation};
use crate::partition::Partition;
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::sync::Budget;

/// The dynamic config of a broker that bounds the bytes that are copied in a second.
const RATE: &str = "replica.alter.log.dirs.io.max.bytes.per.second";

/// The moves of a shard.
pub struct LogDirMoves {
    moves: RefCell<BTreeMap<(Uuid, i32), Rc<Move>>>,
    /// One at a time.
    slot: Budget,
}

struct Move {
    topic: std::sync::Arc<str>,
    partition: i32,
    directory: Uuid,
    /// Where the partition was when this was asked for: an earlier move may be too far to be ended, and is made undone.
    takes_back: bool,
    cancelled: Cell<bool>,
    /// Once its turn has come.
    relocation: RefCell<Option<Rc<Relocation>>>,
}

impl Default for LogDirMoves {
    fn default() -> Self {
        Self { moves: RefCell::default(), slot: Budget::new(1) }
    }
}

impl Move {
    fn cancel(&self) {
        self.cancelled.set(true);
        if let Some(relocation) = &*self.relocation.borrow() {
            relocation.cancel();
        }
    }

    fn copy(&self) -> LogSize {
        let progress = self.relocation.borrow().as_ref().map(|relocation| relocation.progress());
        let (bytes, behind) = progress.unwrap_or_default();
        LogSize {
            directory: self.directory,
            topic: self.topic.clone(),
            partition: self.partition,
            bytes,
            copy_behind: Some(behind),
        }
    }
}

impl LogDirMoves {
    /// The copies under way, as far as they are.
    pub(super) fn copies(&self) -> Vec<LogSize> {
        let moves = self.moves.borrow();
        let begun = moves.values().filter(|one| !one.takes_back || one.relocation.borrow().is_some());
        begun.map(|one| one.copy()).collect()
    }
}

/// Bytes a second that may be copied: what is set on this broker, else on all.
pub(super) fn rate(all: &BTreeMap<String, String>, this: &BTreeMap<String, String>) -> u64 {
    let set = this.get(RATE).or_else(|| all.get(RATE));
    set.and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)
}

/// Has the owners bring partitions into log directories; the codes are in the order of the moves. A move goes on when
/// this ends.
pub async fn begin(shard: &Rc<Shard>, moves: &[(Uuid, i32, Uuid)]) -> Vec<ErrorCode> {
    let queries =
        moves.iter().map(|&(id, index, directory)| (id, index, PartitionQuery::Relocate(directory)));
    let answers = shard.ask(queries.collect()).await;
    let code = |(answer, &(id, index, _)): (Option<PartitionAnswer>, &(Uuid, i32, Uuid))| match answer {
        Some(PartitionAnswer::Relocate(code)) => code,
        _ => shard.why_not_here(id, index),
    };
    answers.into_iter().zip(moves).map(code).collect()
}

/// The same for a partition of this shard.
pub(super) fn begin_here(shard: &Rc<Shard>, partition: &Partition, directory: Uuid) -> ErrorCode {
    if partition.log().error().is_some() {
        return ErrorCode::KAFKA_STORAGE_ERROR;
    }
    let index = partition.index();
    let key = (partition.topic_id(), index);
    let moves = &shard.log_dir_moves.moves;
    let before = moves.borrow().get(&key).cloned();
    let is_there = partition.log().directory() == directory;
    match before {
        Some(before) if before.directory == directory && !before.cancelled.get() => return ErrorCode::NONE,
        Some(before) => before.cancel(),
        None if is_there => return ErrorCode::NONE,
        None => {}
    }
    let one = Rc::new(Move {
        topic: partition.topic().clone(),
        partition: index,
        directory,
        takes_back: is_there,
        cancelled: Cell::new(false),
        relocation: RefCell::new(None),
    });
    moves.borrow_mut().insert(key, one.clone());
    let mover = shard.clone();
    shard
        .runtime
        .spawn(async move {
            let _turn = mover.log_dir_moves.slot.acquire(1).await;
            let began_ns = mover.runtime.now_ns();
            let moved = bring(&mover, key, &one).await;
            let took_ms = (mover.runtime.now_ns() - began_ns) / 1_000_000;
            let topic = &*one.topic;
            match moved {
                Ok(()) => tracing::info!(topic, partition = index, took_ms, "is in another log directory"),
                Err(LogError::Closed) => tracing::info!(topic, partition = index, "a move between log directories ended"),
                Err(error) => {
                    tracing::error!(topic, partition = index, %error, "a move between log directories failed");
                }
            }
            let mut moves = mover.log_dir_moves.moves.borrow_mut();
            if moves.get(&key).is_some_and(|known| Rc::ptr_eq(known, &one)) {
                moves.remove(&key);
            }
        })
        .detach();
    ErrorCode::NONE
}

async fn bring(shard: &Rc<Shard>, (topic_id, index): (Uuid, i32), one: &Move) -> Result<(), LogError> {
    if one.cancelled.get() {
        return Err(LogError::Closed);
    }
    let relocation = match shard.partitions.logs().relocate(topic_id, index, one.directory).await {
        Ok(relocation) => Rc::new(relocation),
        // It is there: an earlier move was ended in time, or was not.
        Err(LogError::Exists) => return Ok(()),
        Err(error) => return Err(error),
    };
    *one.relocation.borrow_mut() = Some(relocation.clone());
    if one.cancelled.get() {
        relocation.cancel();
    }
    let copied = match relocation.copy().await {
        Ok(()) => relocation.settle().await,
        failed => failed,
    };
    one.relocation.borrow_mut().take();
    if let Err(error) = copied {
        if shard.stopping.get() && !one.cancelled.get() {
            // What is copied tells the next start to begin again.
            return Err(error);
        }
        if let Err(left) = relocation.abandon().await {
            tracing::warn!(topic = &*one.topic, partition = index, error = %left, "a part of a copy stays until the next start");
        }
        return Err(error);
    }
    let request = ControllerRequest::AssignDirectory {
        broker_id: shard.config.node_id,
        topic_id,
        partition: index,
        directory: one.directory,
    };
    match shard.ask_controller(request).await.map(|reply| reply.response) {
        Some(ControllerResponse::AssignDirectory(Ok(()))) => {
            relocation.finish(|log| shard.partitions.relocated(log)).await
        }
        Some(ControllerResponse::AssignDirectory(Err(refused)) | ControllerResponse::Failed(refused))
            if refused.code != ErrorCode::UNKNOWN_SERVER_ERROR =>
        {
            tracing::warn!(topic = &*one.topic, partition = index, %refused, "the controller refuses a log directory");
            relocation.abandon().await.and(Err(LogError::Closed))
        }
        other => {
            tracing::error!(
                topic = &*one.topic,
                partition = index,
                ?other,
                "the controller did not say where it is"
            );
            relocation.leave_open();
            Err(LogError::Closed)
        }
    }
}

/// Begins again what the end of the process broke off.
pub(super) async fn resume(shard: &Rc<Shard>, interrupted: Vec<InterruptedMove>) {
    let moves: Vec<_> = interrupted.iter().map(|one| (one.topic_id, one.partition, one.directory)).collect();
    for (one, code) in interrupted.iter().zip(begin(shard, &moves).await) {
        let (id, partition) = (one.topic_id, one.partition);
        tracing::warn!(topic_id = %id, partition, code = code.name(), "a move between log directories begins again");
    }
}
