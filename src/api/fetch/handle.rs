//! From a Fetch request to its response.

use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;

use super::gather::{Gathered, gather};
use super::respond::{respond, respond_error};
use super::session::{TopicKey, Wanted};
use crate::api::RequestContext;
use crate::controller::MetadataImage;
use crate::net::{CloseReason, Outcome, Step};
use crate::partition::{FetchItem, Isolation};
use crate::protocol::ErrorCode;
use crate::protocol::messages::FetchRequest;

/// Topics are named by id from this version on.
pub(super) const IDS_FROM: i16 = 13;

/// Partitions whose topics are looked up before other tasks have their turn.
const NAMES_TURN: usize = 1024;

/// What a request says beside its partitions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub max_wait_ms: u32,
    pub min_bytes: u64,
    pub max_bytes: u32,
    pub isolation: Isolation,
}

/// A request, owned: the frame is let go.
struct Asked {
    limits: Limits,
    session_id: i32,
    session_epoch: i32,
    named: Vec<Wanted>,
    forgotten: Vec<(TopicKey, i32)>,
    from_replica: bool,
}

pub(in crate::api) fn handle(context: RequestContext, body: Bytes) -> Step {
    match read(&context, &body) {
        Ok(asked) => Step::Later(Box::pin(fetch(context, asked))),
        Err(reason) => Step::Done(Err(reason)),
    }
}

fn read(context: &RequestContext, body: &Bytes) -> Result<Asked, CloseReason> {
    let request: FetchRequest<'_> = context.decode(body)?;
    let most = context.shard.config.network.fetch_max_bytes;
    let key = |id, name: &str| {
        if context.version >= IDS_FROM { TopicKey::Id(id) } else { TopicKey::Name(Arc::from(name)) }
    };
    let mut named = Vec::new();
    for topic in &request.topics {
        let topic_key = key(topic.topic_id, topic.topic);
        named.extend(topic.partitions.iter().map(|partition| Wanted {
            topic: topic_key.clone(),
            partition: partition.partition,
            fetch_offset: partition.fetch_offset,
            max_bytes: partition.partition_max_bytes,
            current_leader_epoch: partition.current_leader_epoch,
            last_fetched_epoch: partition.last_fetched_epoch,
        }));
    }
    let mut forgotten = Vec::new();
    for topic in &request.forgotten_topics_data {
        let topic_key = key(topic.topic_id, topic.topic);
        forgotten.extend(topic.partitions.iter().map(|&partition| (topic_key.clone(), partition)));
    }
    let at_least_0 = |value: i32| u32::try_from(value).unwrap_or_default();
    Ok(Asked {
        limits: Limits {
            max_wait_ms: at_least_0(request.max_wait_ms),
            min_bytes: u64::from(at_least_0(request.min_bytes)),
            max_bytes: at_least_0(request.max_bytes.min(most)),
            isolation: if request.isolation_level == 1 {
                Isolation::ReadCommitted
            } else {
                Isolation::ReadUncommitted
            },
        },
        session_id: request.session_id,
        session_epoch: request.session_epoch,
        named,
        forgotten,
        from_replica: request.replica_id >= 0 || request.replica_state.replica_id >= 0,
    })
}

async fn fetch(context: RequestContext, asked: Asked) -> Outcome {
    if asked.from_replica {
        // Nobody follows a single node; a follower's fetch would have to move the high watermark.
        return respond_error(&context, ErrorCode::NOT_LEADER_OR_FOLLOWER);
    }
    let sessions = &context.shard.sessions;
    let begun = sessions.begin(asked.session_id, asked.session_epoch, asked.named, &asked.forgotten);
    let (mode, wanted) = match begun {
        Ok(begun) => begun,
        Err(code) => return respond_error(&context, code),
    };
    let image = context.shard.image();
    let mut items: Vec<Result<FetchItem, ErrorCode>> = Vec::with_capacity(wanted.len());
    for part in wanted.chunks(NAMES_TURN) {
        if !items.is_empty() {
            context.shard.runtime.yield_now().await;
        }
        items.extend(part.iter().map(|wanted| item_of(&image, wanted)));
    }
    drop(image);
    let gathered: Gathered = gather(&context.shard, asked.limits, &items).await;
    let image: Rc<MetadataImage> = context.shard.image();
    let tell = sessions.tell(mode, &wanted, &gathered);
    respond(&context, &image, mode.session_id(), &wanted, gathered, &tell)
}

fn item_of(image: &MetadataImage, wanted: &Wanted) -> Result<FetchItem, ErrorCode> {
    let topic_id = match &wanted.topic {
        TopicKey::Id(id) => image.topics.by_id(*id).ok_or(ErrorCode::UNKNOWN_TOPIC_ID)?.id,
        TopicKey::Name(name) => image.topics.by_name(name).ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)?.id,
    };
    Ok(FetchItem {
        topic_id,
        partition: wanted.partition,
        fetch_offset: wanted.fetch_offset,
        max_bytes: u32::try_from(wanted.max_bytes).unwrap_or_default(),
        current_leader_epoch: wanted.current_leader_epoch,
        last_fetched_epoch: wanted.last_fetched_epoch,
    })
}
