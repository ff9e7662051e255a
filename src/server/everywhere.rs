//! Questions that every shard has a part of the answer to.

use super::inbox::log_sizes;
use super::messages::{LogSize, ShardReply, ShardRequest};
use super::metadata::to_others;
use super::shard::Shard;
use crate::coordinator::GroupSummary;

/// The sizes of all logs of the broker, in no order.
pub async fn log_sizes_everywhere(shard: &Shard) -> Vec<LogSize> {
    let asked = to_others(shard, || ShardRequest::LogSizes).await;
    let mut all = log_sizes(shard);
    for answer in asked {
        if let Some(ShardReply::LogSizes(theirs)) = answer.await {
            all.extend(theirs);
        }
    }
    all
}

/// All groups of the broker, in no order.
pub async fn groups_everywhere(shard: &Shard) -> Vec<GroupSummary> {
    let asked = to_others(shard, || ShardRequest::ListGroups).await;
    let mut all = shard.coordinator.list();
    for answer in asked {
        if let Some(ShardReply::Groups(theirs)) = answer.await {
            all.extend(theirs);
        }
    }
    all
}
