//! OffsetCommit (8) and OffsetFetch (9).

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::route::{ask, code_of};
use crate::api::RequestContext;
use crate::controller::{MetadataImage, TopicImage};
use crate::coordinator::{CommitOffset, FetchedOffset, GroupAnswer, GroupRequest};
use crate::net::{Outcome, Step};
use crate::protocol::messages::offset_commit::{
    OffsetCommitRequestTopic, OffsetCommitResponsePartition, OffsetCommitResponseTopic,
};
use crate::protocol::messages::offset_fetch::{
    OffsetFetchResponseGroup, OffsetFetchResponsePartition, OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic, OffsetFetchResponseTopics,
};
use crate::protocol::messages::{
    OffsetCommitRequest, OffsetCommitResponse, OffsetFetchRequest, OffsetFetchResponse,
};
use crate::protocol::{ErrorCode, Uuid};

/// Topics are named by id from this version on, in both requests.
const IDS_FROM: i16 = 10;
/// Several groups in one OffsetFetch, from this version on (KIP-709).
const SEVERAL_GROUPS_FROM: i16 = 8;

pub(in crate::api) fn commit(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(commit_offsets(context, body)))
}

pub(in crate::api) fn fetch(context: RequestContext, body: Bytes) -> Step {
    Step::Later(Box::pin(fetch_offsets(context, body)))
}

fn topic_of<'i>(
    context: &RequestContext,
    image: &'i MetadataImage,
    name: &str,
    id: Uuid,
) -> Result<&'i Arc<TopicImage>, ErrorCode> {
    if context.version >= IDS_FROM {
        image.topics.by_id(id).ok_or(ErrorCode::UNKNOWN_TOPIC_ID)
    } else {
        image.topics.by_name(name).ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)
    }
}

/// The code of each partition, when it does not depend on the group.
fn refusals(
    topic: &Result<&Arc<TopicImage>, ErrorCode>,
    asked: &OffsetCommitRequestTopic<'_>,
) -> Vec<Option<ErrorCode>> {
    let refusal = |index| match topic {
        Err(code) => Some(*code),
        Ok(topic) if topic.partition(index).is_none() => Some(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        Ok(_) => None,
    };
    asked.partitions.iter().map(|partition| refusal(partition.partition_index)).collect()
}

async fn commit_offsets(context: RequestContext, body: Bytes) -> Outcome {
    let request: OffsetCommitRequest<'_> = context.decode(&body)?;
    let image = context.shard.image();
    let mut offsets = Vec::new();
    let mut codes: Vec<Vec<Option<ErrorCode>>> = Vec::with_capacity(request.topics.len());
    for asked in &request.topics {
        let topic = topic_of(&context, &image, asked.name, asked.topic_id);
        let refused = refusals(&topic, asked);
        if let Ok(topic) = topic {
            let taken = asked.partitions.iter().zip(&refused).filter(|(_, refusal)| refusal.is_none());
            offsets.extend(taken.map(|(partition, _)| CommitOffset {
                topic: topic.name.clone(),
                partition: partition.partition_index,
                offset: partition.committed_offset,
                leader_epoch: partition.committed_leader_epoch,
                metadata: partition.committed_metadata.unwrap_or_default().to_owned(),
                retention_ms: Some(request.retention_time_ms).filter(|kept_ms| *kept_ms >= 0),
            }));
        }
        codes.push(refused);
    }
    drop(image);
    let count = offsets.len();
    let taken: Vec<ErrorCode> = if count == 0 {
        Vec::new()
    } else {
        let commit = GroupRequest::Commit {
            member_id: request.member_id.to_owned(),
            instance_id: request.group_instance_id.map(str::to_owned),
            generation: request.generation_id_or_member_epoch,
            version: context.version,
            offsets,
        };
        match ask(&context, request.group_id, commit).await {
            GroupAnswer::Committed(codes) => codes,
            other => vec![code_of(&other); count],
        }
    };
    let mut taken = taken.into_iter();
    let topics = request
        .topics
        .iter()
        .zip(codes)
        .map(|(asked, refused)| {
            let partitions = asked.partitions.iter().zip(refused).map(|(partition, refusal)| {
                let code = refusal.unwrap_or_else(|| taken.next().unwrap_or(ErrorCode::UNKNOWN_SERVER_ERROR));
                OffsetCommitResponsePartition {
                    partition_index: partition.partition_index,
                    error_code: code.into(),
                }
            });
            OffsetCommitResponseTopic {
                name: asked.name,
                topic_id: asked.topic_id,
                partitions: partitions.collect(),
            }
        })
        .collect();
    context.respond(&OffsetCommitResponse { throttle_time_ms: context.throttle_time_ms, topics })
}

/// What one group is asked.
struct Asked<'r> {
    group: &'r str,
    /// None: everything.
    topics: Option<Vec<AskedTopic<'r>>>,
}

struct AskedTopic<'r> {
    name: &'r str,
    id: Uuid,
    partitions: &'r [i32],
}

/// One partition of an answer.
struct Found {
    offset: FetchedOffset,
    code: ErrorCode,
}

/// An answer: topics in the order asked.
struct Answered<'r> {
    group: &'r str,
    code: ErrorCode,
    topics: Vec<(Arc<str>, Uuid, Vec<Found>)>,
}

async fn fetch_offsets(context: RequestContext, body: Bytes) -> Outcome {
    let request: OffsetFetchRequest<'_> = context.decode(&body)?;
    let asked: Vec<Asked<'_>> = if context.version >= SEVERAL_GROUPS_FROM {
        let groups = request.groups.iter().map(|group| Asked {
            group: group.group_id,
            topics: group.topics.as_ref().map(|topics| {
                let each = topics.iter();
                each.map(|t| AskedTopic { name: t.name, id: t.topic_id, partitions: &t.partition_indexes })
                    .collect()
            }),
        });
        groups.collect()
    } else {
        vec![Asked {
            group: request.group_id,
            topics: request.topics.as_ref().map(|topics| {
                let each = topics.iter();
                each.map(|t| AskedTopic { name: t.name, id: Uuid::ZERO, partitions: &t.partition_indexes })
                    .collect()
            }),
        }]
    };
    let mut answered = Vec::with_capacity(asked.len());
    for asked in asked {
        answered.push(answer(&context, asked).await);
    }
    if context.version >= SEVERAL_GROUPS_FROM {
        let groups = answered.iter().map(group_of).collect();
        let response =
            OffsetFetchResponse { throttle_time_ms: context.throttle_time_ms, groups, ..Default::default() };
        return context.respond(&response);
    }
    let Some(only) = answered.first() else {
        return context.respond(&OffsetFetchResponse::default());
    };
    let topics = only.topics.iter().map(|(name, _, found)| OffsetFetchResponseTopic {
        name,
        partitions: found
            .iter()
            .map(|found| OffsetFetchResponsePartition {
                partition_index: found.offset.partition,
                committed_offset: found.offset.offset,
                committed_leader_epoch: found.offset.leader_epoch,
                metadata: Some(&found.offset.metadata),
                // Before version 2 an error of the group can only be told with each partition.
                error_code: if only.code.is_none() { found.code } else { only.code }.into(),
            })
            .collect(),
    });
    let response = OffsetFetchResponse {
        throttle_time_ms: context.throttle_time_ms,
        topics: topics.collect(),
        error_code: only.code.into(),
        ..Default::default()
    };
    context.respond(&response)
}

fn group_of<'a>(answered: &'a Answered<'_>) -> OffsetFetchResponseGroup<'a> {
    // With an error of the whole group nothing is told of its partitions.
    let topics = answered.topics.iter().filter(|_| answered.code.is_none());
    OffsetFetchResponseGroup {
        group_id: answered.group,
        topics: topics
            .map(|(name, id, found)| OffsetFetchResponseTopics {
                name,
                topic_id: *id,
                partitions: found
                    .iter()
                    .map(|found| OffsetFetchResponsePartitions {
                        partition_index: found.offset.partition,
                        committed_offset: found.offset.offset,
                        committed_leader_epoch: found.offset.leader_epoch,
                        metadata: Some(&found.offset.metadata),
                        error_code: found.code.into(),
                    })
                    .collect(),
            })
            .collect(),
        error_code: answered.code.into(),
    }
}

async fn answer<'r>(context: &RequestContext, asked: Asked<'r>) -> Answered<'r> {
    let image = context.shard.image();
    let Some(topics) = asked.topics else {
        let (code, offsets) = match ask(context, asked.group, GroupRequest::Offsets(None)).await {
            GroupAnswer::Offsets(offsets) => (ErrorCode::NONE, offsets),
            other => (code_of(&other), Vec::new()),
        };
        let mut by_topic: BTreeMap<Arc<str>, Vec<Found>> = BTreeMap::new();
        for offset in offsets {
            by_topic.entry(offset.topic.clone()).or_default().push(Found { offset, code: ErrorCode::NONE });
        }
        let topics = by_topic.into_iter().map(|(name, found)| {
            let id = image.topics.by_name(&name).map_or(Uuid::ZERO, |topic| topic.id);
            (name, id, found)
        });
        // A topic that is gone has no id to be named by.
        let topics = topics.filter(|(_, id, _)| context.version < IDS_FROM || *id != Uuid::ZERO).collect();
        return Answered { group: asked.group, code, topics };
    };
    let names: Vec<Result<Arc<str>, ErrorCode>> = topics
        .iter()
        .map(|topic| match (context.version >= IDS_FROM, image.topics.by_id(topic.id)) {
            (false, _) => Ok(topic.name.into()),
            (true, Some(known)) => Ok(known.name.clone()),
            (true, None) => Err(ErrorCode::UNKNOWN_TOPIC_ID),
        })
        .collect();
    let places: Vec<(Arc<str>, i32)> = topics
        .iter()
        .zip(&names)
        .filter_map(|(topic, name)| Some((name.as_ref().ok()?, topic)))
        .flat_map(|(name, topic)| topic.partitions.iter().map(|index| (name.clone(), *index)))
        .collect();
    let (code, offsets) = match ask(context, asked.group, GroupRequest::Offsets(Some(places))).await {
        GroupAnswer::Offsets(offsets) => (ErrorCode::NONE, offsets),
        other => (code_of(&other), Vec::new()),
    };
    let mut offsets = offsets.into_iter();
    let none = |topic: Arc<str>, partition| FetchedOffset {
        topic,
        partition,
        offset: -1,
        leader_epoch: -1,
        metadata: String::new(),
    };
    let topics = topics.iter().zip(names).map(|(topic, name)| {
        let found = topic.partitions.iter().map(|&index| match &name {
            Ok(name) => {
                let offset = offsets.next().unwrap_or_else(|| none(name.clone(), index));
                Found { offset, code: ErrorCode::NONE }
            }
            Err(code) => Found { offset: none("".into(), index), code: *code },
        });
        let found = found.collect();
        (name.unwrap_or_else(|_| "".into()), topic.id, found)
    });
    Answered { group: asked.group, code, topics: topics.collect() }
}
