//! Appending the batches of a Produce request that belong to this shard, in order, whoever sent it.
//!
//! Usually everything is appended in the call itself. When the log has no room just now (its budgets), the rest waits:
//! a connection of this shard stops reading then, and requests from other shards queue up in one lane, in the order of
//! their arrival, which the bounded message queues push back.
//!
//! The flush that covers an append is awaited without a task: the log tells [`Produced`], and the last of its appends
//! wakes the connection or answers the other shard.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::messages::{ProduceBatch, ProduceResults, ShardReply, ShardRequest};
use super::shard::Shard;
use crate::log::{Acknowledged, LogError};
use crate::partition::{AppendFailure, AppendRules};
use crate::protocol::ErrorCode;
use crate::runtime::Port;
use crate::runtime::message::ReplyTo;

/// A batch of appends under way.
pub struct AppendProgress {
    batch: ProduceBatch,
    produced: Rc<Produced>,
}

/// The results of a batch of appends.
struct Produced {
    results: RefCell<ProduceResults>,
    /// Appends that wait for their flush, and one more until all are appended.
    left: Cell<usize>,
    end: RefCell<End>,
}

/// Who learns of the results.
enum End {
    /// Nobody yet.
    Open,
    /// A task of this shard.
    Task(Waker),
    /// Another shard.
    Shard(Port<ShardRequest, ShardReply>, ReplyTo),
}

impl AppendProgress {
    /// Nothing appended yet.
    #[must_use]
    pub fn new(batch: ProduceBatch) -> Self {
        let results = RefCell::new(ProduceResults::with_capacity(batch.items.len()));
        let produced = Rc::new(Produced { results, left: Cell::new(1), end: RefCell::new(End::Open) });
        Self { batch, produced }
    }

    fn appended(&self) -> usize {
        self.produced.results.borrow().len()
    }

    /// Appends as far as there is room; true when nothing is left.
    pub fn advance(&mut self, shard: &Shard) -> bool {
        let rules = AppendRules {
            produce_version: self.batch.produce_version,
            acks_all: self.batch.acks == -1,
            now_ms: shard.runtime.wall_clock_ms(),
        };
        let mut number = self.appended();
        while let Some(item) = self.batch.items.get(number) {
            let Some(partition) = shard.partitions.get(item.topic_id, item.partition) else {
                let failure = shard.why_not_here(item.topic_id, item.partition).into();
                self.produced.results.borrow_mut().push(Err(failure));
                number += 1;
                continue;
            };
            let Some(_room) = partition.log().try_reserve(item.records.len()) else { return false };
            let result = partition.append(&item.records, rules, &mut shard.scratch.borrow_mut());
            let end_offset = result.as_ref().ok().map(|accepted| accepted.end_offset);
            self.produced.results.borrow_mut().push(result);
            if let Some(end_offset) = end_offset.filter(|_| self.batch.acks != 0) {
                self.produced.left.set(self.produced.left.get() + 1);
                partition.log().when_durable(end_offset, number as u32, self.produced.clone());
            }
            number += 1;
        }
        // The frame is not needed while the flush is awaited.
        self.batch.items.clear();
        true
    }

    /// Appends everything, waiting for room.
    pub async fn finish(&mut self, shard: &Shard) {
        while !self.advance(shard) {
            let Some(item) = self.batch.items.get(self.appended()) else { return };
            let Some(partition) = shard.partitions.get(item.topic_id, item.partition) else { continue };
            // Room, then everything at once again. It is given back in between, and can only go to another append.
            if let Err(error) = partition.log().reserve(item.records.len()).await {
                if shard.partitions.has_moved(&partition) {
                    continue;
                }
                self.produced.results.borrow_mut().push(Err(AppendFailure::from(&error)));
            }
        }
    }

    /// Waits for the flush that covers each append (not with acks=0).
    #[must_use]
    pub fn settle(self) -> Settling {
        self.produced.one_less();
        Settling(self.produced)
    }

    /// Answers another shard when the flush has covered each append.
    fn answer(self, shard: &Shard, reply: ReplyTo) {
        self.produced.end.replace(End::Shard(shard.port.clone(), reply));
        self.produced.one_less();
    }
}

impl Produced {
    fn one_less(&self) {
        self.left.set(self.left.get() - 1);
        if self.left.get() > 0 {
            return;
        }
        match self.end.replace(End::Open) {
            End::Open => {}
            End::Task(waker) => waker.wake(),
            End::Shard(port, reply) => port.reply(reply, ShardReply::Produced(self.results.take())),
        }
    }
}

impl Acknowledged for Produced {
    fn acknowledged(&self, item: u32, result: Result<(), LogError>) {
        if let Err(error) = result
            && let Some(place) = self.results.borrow_mut().get_mut(item as usize)
        {
            *place = Err(AppendFailure::from(&error));
        }
        self.one_less();
    }
}

/// Ends with the results when the flush has covered each append.
pub struct Settling(Rc<Produced>);

impl Drop for Settling {
    fn drop(&mut self) {
        // The log tells it all the same; the task need not be kept for that.
        self.0.end.replace(End::Open);
    }
}

impl Future for Settling {
    type Output = ProduceResults;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<ProduceResults> {
        if self.0.left.get() == 0 {
            return Poll::Ready(self.0.results.take());
        }
        self.0.end.replace(End::Task(context.waker().clone()));
        Poll::Pending
    }
}

/// Appends what waited for room, for other shards.
#[derive(Default)]
pub struct ProduceLane {
    /// The front is taken out while it is appended, its place stays.
    waiting: RefCell<VecDeque<(Option<AppendProgress>, ReplyTo)>>,
}

impl ProduceLane {
    /// Takes a batch from another shard. Batches are appended in the order of the calls.
    pub fn take(&self, shard: &Rc<Shard>, batch: ProduceBatch, reply: ReplyTo) {
        let mut progress = AppendProgress::new(batch);
        let mut waiting = self.waiting.borrow_mut();
        if waiting.is_empty() && progress.advance(shard) {
            drop(waiting);
            progress.answer(shard, reply);
            return;
        }
        waiting.push_back((Some(progress), reply));
        if waiting.len() == 1 {
            shard.runtime.spawn(drain(shard.clone())).detach();
        }
    }
}

async fn drain(shard: Rc<Shard>) {
    loop {
        // Its place in the lane stays while it waits, so that what comes later queues behind it.
        let front = shard.produce_lane.waiting.borrow_mut().front_mut().and_then(|(front, _)| front.take());
        let Some(mut progress) = front else { return };
        progress.finish(&shard).await;
        let place = shard.produce_lane.waiting.borrow_mut().pop_front();
        if let Some((_, reply)) = place {
            progress.answer(&shard, reply);
        }
    }
}

/// The code of an append whose shard is gone.
#[must_use]
pub fn shard_gone() -> AppendFailure {
    ErrorCode::NOT_LEADER_OR_FOLLOWER.into()
}
