//! Reading the partitions of a fetch from their owners, all in parallel, and waiting until there is enough.
//!
//! The wait ends with an append to one of the partitions, wherever it is owned, or with the client's limit of time; then
//! everything is read again.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use super::handle::Limits;
use crate::partition::{FetchItem, FetchWait, FetchedPartition, WaitTarget};
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::ShardId;
use crate::server::{FetchBatch, Shard, ShardReply, ShardRequest};

/// What was read, in the order of the request.
pub(super) type Gathered = Vec<FetchedPartition>;

pub(super) async fn gather(
    shard: &Rc<Shard>,
    limits: Limits,
    items: &[Result<FetchItem, ErrorCode>],
) -> Gathered {
    let deadline_ns = shard.runtime.now_ns() + u64::from(limits.max_wait_ms) * 1_000_000;
    loop {
        let gathered = read_all(shard, limits, items).await;
        let bytes: u64 = gathered.iter().map(|fetched| fetched.bytes).sum();
        let must_answer = bytes >= limits.min_bytes
            || items.is_empty()
            || shard.stopping.get()
            || gathered.iter().any(|fetched| !fetched.code.is_none() || fetched.diverging.is_some());
        let now_ns = shard.runtime.now_ns();
        if must_answer || now_ns >= deadline_ns {
            return gathered;
        }
        let watched: Vec<(Uuid, i32, i64)> = items
            .iter()
            .zip(&gathered)
            .filter_map(|(item, fetched)| {
                let item = item.as_ref().ok()?;
                Some((item.topic_id, item.partition, fetched.high_watermark))
            })
            .collect();
        // What was read too little of is not held while waiting: it would pin memory for nothing.
        let nothing = (bytes == 0).then_some(gathered);
        let fired = wait(shard, &watched, Duration::from_nanos(deadline_ns - now_ns)).await;
        if let Some(gathered) = nothing.filter(|_| !fired && !shard.stopping.get()) {
            // Nothing has come to any of them: reading thousands again would find the same.
            return gathered;
        }
    }
}

/// Waits until one of the partitions has more than was seen of it, or `limit` has passed; true for the first.
async fn wait(shard: &Rc<Shard>, watched: &[(Uuid, i32, i64)], limit: Duration) -> bool {
    let wait = FetchWait::new(WaitTarget::Here);
    let mut by_owner: BTreeMap<ShardId, Vec<(Uuid, i32, i64)>> = BTreeMap::new();
    for &(topic_id, partition, seen) in watched {
        by_owner
            .entry(shard.owners.owner(topic_id, partition))
            .or_default()
            .push((topic_id, partition, seen));
    }
    if let Some(mine) = by_owner.remove(&shard.id) {
        shard.watch_here(&wait, &mine);
    }
    let _elsewhere = if by_owner.is_empty() {
        None
    } else {
        let token = shard.next_token();
        shard.remember_wait(token, &wait);
        let guard = Elsewhere { shard: shard.clone(), token, owners: by_owner.keys().copied().collect() };
        for (owner, partitions) in by_owner {
            let watch = ShardRequest::Watch { from: shard.id, token, partitions };
            drop(shard.port.send(owner, watch).await);
        }
        Some(guard)
    };
    shard.runtime.timeout(limit, wait.fired()).await.is_some()
}

/// A wait that other shards know of: they are told when it ends, however it ends.
struct Elsewhere {
    shard: Rc<Shard>,
    token: u64,
    owners: Vec<ShardId>,
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        self.shard.forget_wait(self.token);
        let (shard, token) = (self.shard.clone(), self.token);
        let owners = std::mem::take(&mut self.owners);
        let runtime = self.shard.runtime.clone();
        let tell = async move {
            for owner in owners {
                let unwatch = ShardRequest::Unwatch { from: shard.id, token };
                drop(shard.port.send(owner, unwatch).await);
            }
        };
        runtime.spawn(tell).detach();
    }
}

async fn read_all(shard: &Rc<Shard>, limits: Limits, items: &[Result<FetchItem, ErrorCode>]) -> Gathered {
    let mut gathered: Vec<Option<FetchedPartition>> = Vec::with_capacity(items.len());
    let mut by_owner: BTreeMap<ShardId, (Vec<usize>, Vec<FetchItem>)> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        match item {
            Err(code) => gathered.push(Some(FetchedPartition::failed(*code))),
            Ok(item) => {
                let (places, theirs) =
                    by_owner.entry(shard.owners.owner(item.topic_id, item.partition)).or_default();
                places.push(place);
                theirs.push(*item);
                gathered.push(None);
            }
        }
    }
    let batch = |items| FetchBatch { items, max_bytes: limits.max_bytes, isolation: limits.isolation };
    let mine = by_owner.remove(&shard.id);
    let mut sent = Vec::with_capacity(by_owner.len());
    for (owner, (places, theirs)) in by_owner {
        sent.push((places, shard.port.send(owner, ShardRequest::Fetch(batch(theirs))).await));
    }
    let mut fill = |places: Vec<usize>, fetched: Vec<FetchedPartition>| {
        for (place, fetched) in places.into_iter().zip(fetched) {
            if let Some(slot) = gathered.get_mut(place) {
                *slot = Some(fetched);
            }
        }
    };
    if let Some((places, mine)) = mine {
        fill(places, shard.fetch_here(&batch(mine)).await);
    }
    let many = !sent.is_empty();
    for (places, reply) in sent {
        if let Some(ShardReply::Fetched(fetched)) = reply.await {
            fill(places, fetched);
        }
    }
    let missing = || FetchedPartition::failed(ErrorCode::NOT_LEADER_OR_FOLLOWER);
    let mut gathered: Gathered =
        gathered.into_iter().map(|fetched| fetched.unwrap_or_else(missing)).collect();
    if many {
        keep_within(&mut gathered, items, limits.max_bytes);
    }
    gathered
}

/// Every owner was given the whole limit: drops what is too much of it together. The first records are kept whatever
/// their size, so that a reader is never stuck (KIP-74); what is dropped has its turn in a later request.
fn keep_within(gathered: &mut Gathered, items: &[Result<FetchItem, ErrorCode>], max_bytes: u32) {
    let mut left = u64::from(max_bytes);
    let mut first = true;
    for (fetched, item) in gathered.iter_mut().zip(items) {
        if fetched.bytes == 0 {
            continue;
        }
        let own_limit = item.as_ref().map_or(0, |item| u64::from(item.max_bytes));
        if !first && (fetched.bytes > left || fetched.bytes > own_limit) {
            fetched.parts.clear();
            fetched.bytes = 0;
            fetched.aborted.clear();
            continue;
        }
        first = false;
        left = left.saturating_sub(fetched.bytes);
    }
}
