//! Appending the batches of a Produce request that belong to this shard, in order, whoever sent it.
//!
//! Usually everything is appended in the call itself. When the log has no room just now (its budgets), the rest waits:
//! a connection of this shard stops reading then, and requests from other shards queue up in one lane, in the order of
//! their arrival, which the bounded message queues push back.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::messages::{ProduceBatch, ShardReply};
use super::shard::Shard;
use crate::log::Log;
use crate::partition::{Accepted, AppendFailure, AppendRules};
use crate::protocol::ErrorCode;
use crate::runtime::message::ReplyTo;

/// A batch of appends under way.
pub struct AppendProgress {
    batch: ProduceBatch,
    taken: Vec<(Result<Accepted, AppendFailure>, Option<Log>)>,
}

impl AppendProgress {
    /// Nothing appended yet.
    #[must_use]
    pub fn new(batch: ProduceBatch) -> Self {
        let taken = Vec::with_capacity(batch.items.len());
        Self { batch, taken }
    }

    /// Appends as far as there is room; true when nothing is left.
    pub fn advance(&mut self, shard: &Shard) -> bool {
        let rules = AppendRules {
            produce_version: self.batch.produce_version,
            acks_all: self.batch.acks == -1,
            now_ms: shard.runtime.wall_clock_ms(),
        };
        while let Some(item) = self.batch.items.get(self.taken.len()) {
            let Some(partition) = shard.partitions.get(item.topic_id, item.partition) else {
                self.taken.push((Err(shard.why_not_here(item.topic_id, item.partition).into()), None));
                continue;
            };
            let Some(_room) = partition.log().try_reserve(item.records.len()) else { return false };
            let result = partition.append(&item.records, rules, &mut shard.scratch.borrow_mut());
            let log = result.is_ok().then(|| partition.log().clone());
            self.taken.push((result, log));
        }
        // The frame is not needed while the flush is awaited.
        self.batch.items = Vec::new();
        true
    }

    /// Appends everything, waiting for room.
    pub async fn finish(&mut self, shard: &Shard) {
        while !self.advance(shard) {
            let Some(item) = self.batch.items.get(self.taken.len()) else { return };
            let Some(partition) = shard.partitions.get(item.topic_id, item.partition) else { continue };
            // Room, then everything at once again. It is given back in between, and can only go to another append.
            if let Err(error) = partition.log().reserve(item.records.len()).await {
                if shard.partitions.has_moved(&partition) {
                    continue;
                }
                self.taken.push((Err(AppendFailure::from(&error)), None));
            }
        }
    }

    /// Waits for the flush that covers each append (not with acks=0).
    pub async fn settle(self) -> Vec<Result<Accepted, AppendFailure>> {
        let mut results = Vec::with_capacity(self.taken.len());
        for (result, log) in self.taken {
            let settled = match (result, log) {
                (Ok(accepted), Some(log)) if self.batch.acks != 0 => {
                    match log.durable(accepted.end_offset).await {
                        Ok(()) => Ok(accepted),
                        Err(error) => Err(AppendFailure::from(&error)),
                    }
                }
                (result, _) => result,
            };
            results.push(settled);
        }
        results
    }
}

/// Appends what waited for room, for other shards.
#[derive(Default)]
pub struct ProduceLane {
    waiting: RefCell<VecDeque<(AppendProgress, ReplyTo)>>,
}

impl ProduceLane {
    /// Takes a batch from another shard. Batches are appended in the order of the calls.
    pub fn take(&self, shard: &Rc<Shard>, batch: ProduceBatch, reply: ReplyTo) {
        let mut progress = AppendProgress::new(batch);
        let mut waiting = self.waiting.borrow_mut();
        if waiting.is_empty() && progress.advance(shard) {
            drop(waiting);
            answer(shard, progress, reply);
            return;
        }
        waiting.push_back((progress, reply));
        if waiting.len() == 1 {
            shard.runtime.spawn(drain(shard.clone())).detach();
        }
    }
}

async fn drain(shard: Rc<Shard>) {
    loop {
        // The front stays in the lane while it waits, so that what comes later queues behind it.
        let Some(mut progress) = shard.produce_lane.waiting.borrow_mut().front_mut().map(|(progress, _)| {
            let batch = ProduceBatch { items: Vec::new(), produce_version: 0, acks: 0 };
            std::mem::replace(progress, AppendProgress::new(batch))
        }) else {
            return;
        };
        progress.finish(&shard).await;
        let front = shard.produce_lane.waiting.borrow_mut().pop_front();
        if let Some((_, reply)) = front {
            answer(&shard, progress, reply);
        }
    }
}

fn answer(shard: &Rc<Shard>, progress: AppendProgress, reply: ReplyTo) {
    let port = shard.port.clone();
    shard
        .runtime
        .spawn(async move { port.reply(reply, ShardReply::Produced(progress.settle().await)) })
        .detach();
}

/// The code of an append whose shard is gone.
#[must_use]
pub fn shard_gone() -> AppendFailure {
    ErrorCode::NOT_LEADER_OR_FOLLOWER.into()
}
