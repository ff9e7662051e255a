//! DescribeQuorum (55): who votes in the quorum of controllers and how far each has come (KIP-595, KIP-836, KIP-853).

use bytes::Bytes;

use super::context::RequestContext;
use crate::controller::MetadataImage;
use crate::net::Step;
use crate::protocol::messages::describe_quorum::{
    Listener, Node, ReplicaState, ResponsePartitionData, ResponseTopicData,
};
use crate::protocol::messages::{DescribeQuorumRequest, DescribeQuorumResponse};
use crate::protocol::{ErrorCode, Uuid};

/// The topic of the metadata log, which has one partition.
const METADATA_TOPIC: &str = "__cluster_metadata";
/// Voters' log directories are told from this version on.
const DIRECTORIES_FROM: i16 = 2;
/// Voters' listeners are told from this version on.
const NODES_FROM: i16 = 2;

pub(super) fn handle(context: RequestContext, body: Bytes) -> Step {
    let request: DescribeQuorumRequest<'_> = match context.decode(&body) {
        Ok(request) => request,
        Err(reason) => return Step::Done(Err(reason)),
    };
    if !asks_for_the_metadata(&request) {
        return context.done(&unknown(&request));
    }
    let image = context.shard.image();
    let partition = partition_of(&image, context.version, context.shard.runtime.wall_clock_ms());
    let voters = image.voters.iter().filter(|_| context.version >= NODES_FROM);
    let nodes = voters.map(|voter| Node {
        node_id: voter.id,
        listeners: voter
            .endpoints
            .iter()
            .map(|endpoint| Listener { name: &endpoint.name, host: &endpoint.host, port: endpoint.port })
            .collect(),
    });
    context.done(&DescribeQuorumResponse {
        topics: vec![ResponseTopicData { topic_name: METADATA_TOPIC, partitions: vec![partition] }],
        nodes: nodes.collect(),
        ..Default::default()
    })
}

fn asks_for_the_metadata(request: &DescribeQuorumRequest<'_>) -> bool {
    let [topic] = request.topics.as_slice() else { return false };
    let [partition] = topic.partitions.as_slice() else { return false };
    topic.topic_name == METADATA_TOPIC && partition.partition_index == 0
}

fn unknown<'r>(request: &DescribeQuorumRequest<'r>) -> DescribeQuorumResponse<'r> {
    let partition_of = |partition_index| ResponsePartitionData {
        partition_index,
        error_code: ErrorCode::UNKNOWN_TOPIC_OR_PARTITION.into(),
        error_message: Some("This server does not host this topic-partition."),
        ..Default::default()
    };
    let topics = request.topics.iter().map(|topic| ResponseTopicData {
        topic_name: topic.topic_name,
        partitions: topic.partitions.iter().map(|asked| partition_of(asked.partition_index)).collect(),
    });
    DescribeQuorumResponse { topics: topics.collect(), ..Default::default() }
}

/// What is in the image is committed, and this node has the only vote: its log ends where the image does.
fn partition_of(image: &MetadataImage, version: i16, now_ms: i64) -> ResponsePartitionData<'static> {
    let end_offset = image.offset + 1;
    let voters = image.voters.iter().map(|voter| ReplicaState {
        replica_id: voter.id,
        replica_directory_id: if version >= DIRECTORIES_FROM { voter.directory } else { Uuid::ZERO },
        log_end_offset: end_offset,
        last_fetch_timestamp: now_ms,
        last_caught_up_timestamp: now_ms,
    });
    ResponsePartitionData {
        leader_id: image.controller_id,
        leader_epoch: image.controller_epoch,
        high_watermark: end_offset,
        current_voters: voters.collect(),
        ..Default::default()
    }
}
