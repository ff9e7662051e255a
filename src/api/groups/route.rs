//! Which shard keeps a group.

use crate::api::RequestContext;
use crate::api::topics::OFFSETS_TOPIC;
use crate::coordinator::{GroupAnswer, GroupCommand, GroupRequest, partition_of_group};
use crate::protocol::ErrorCode;
use crate::server::GroupCall;

/// Asks the coordinator of `group`.
pub(super) async fn ask(context: &RequestContext, group: &str, request: GroupRequest) -> GroupAnswer {
    let image = context.shard.image();
    let Some(topic) = image.topics.by_name(OFFSETS_TOPIC) else {
        return GroupAnswer::failed(ErrorCode::COORDINATOR_NOT_AVAILABLE);
    };
    let partition = partition_of_group(group, topic.partitions.len());
    let owner = context.shard.owners.owner(topic.id, partition);
    let leader = topic.partition(partition).map_or(-1, |partition| partition.leader);
    if leader != context.shard.config.node_id {
        return GroupAnswer::failed(ErrorCode::NOT_COORDINATOR);
    }
    let command = GroupCommand { group: group.to_owned(), request };
    drop(image);
    context.shard.ask_group(owner, GroupCall { partition, command }).await
}

/// The code of an answer that is of another kind than the request: an error, or a fault of ours.
pub(super) fn code_of(answer: &GroupAnswer) -> ErrorCode {
    match answer {
        GroupAnswer::Code(code) => *code,
        _ => ErrorCode::UNKNOWN_SERVER_ERROR,
    }
}
