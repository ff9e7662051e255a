//! What shards ask of each other. Everything here is owned and crosses threads.
//!
//! A request is answered within the time of a flush; what may take longer (waiting fetches, groups) is accepted at once,
//! and its result comes back as a request of its own. So long waits never use up the bounded queues.

use std::sync::Arc;

use bytes::Bytes;
use smallvec::SmallVec;

use super::start::Opening;
use crate::admin::ShardSample;
use crate::controller::{ControllerReply, ControllerRequest, MetadataDelta, MetadataImage};
use crate::coordinator::{GroupAnswer, GroupCommand, GroupSummary};
use crate::log::{LogError, StopReport};
use crate::partition::{
    Accepted, ActiveProducer, AppendFailure, EpochEnd, FetchItem, FetchedPartition, Isolation, ListedOffset,
    OffsetQuery,
};
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::ShardId;

/// One partition's batch of a Produce request.
#[derive(Debug)]
pub struct ProduceItem {
    /// The topic.
    pub topic_id: Uuid,
    /// The partition.
    pub partition: i32,
    /// The batch, a range of the frame.
    pub records: Bytes,
}

/// The results of appends, in their order. Most requests have one: it crosses without memory of its own, which the
/// other shard would have to give back.
pub type ProduceResults = SmallVec<[Result<Accepted, AppendFailure>; 1]>;

/// The batches of a Produce request that belong to one shard.
#[derive(Debug)]
pub struct ProduceBatch {
    /// The batches.
    pub items: SmallVec<[ProduceItem; 1]>,
    /// Version of the Produce request.
    pub produce_version: i16,
    /// 0: answer before the flush; 1 and -1: after it.
    pub acks: i16,
}

/// The partitions of a fetch that belong to one shard.
#[derive(Debug)]
pub struct FetchBatch {
    /// The partitions, in order.
    pub items: Vec<FetchItem>,
    /// Bytes for all of them.
    pub max_bytes: u32,
    /// Up to where.
    pub isolation: Isolation,
}

/// A question about one partition.
#[derive(Clone, Debug)]
pub enum PartitionQuery {
    /// ListOffsets.
    Offset(OffsetQuery),
    /// OffsetForLeaderEpoch.
    EpochEnd {
        /// The epoch in which the client believes the leader to be, or -1.
        current_leader_epoch: i32,
        /// The epoch asked about.
        leader_epoch: i32,
    },
    /// DeleteRecords before this offset; -1: the high watermark.
    DeleteRecords(i64),
    /// DescribeProducers.
    Producers,
    /// AlterReplicaLogDirs: bring it into this log directory.
    Relocate(Uuid),
}

/// The answer to a [`PartitionQuery`].
#[derive(Clone, Debug)]
pub enum PartitionAnswer {
    /// ListOffsets.
    Offset(ListedOffset),
    /// OffsetForLeaderEpoch.
    EpochEnd(EpochEnd),
    /// DeleteRecords: the new log start.
    DeleteRecords(Result<i64, ErrorCode>),
    /// DescribeProducers.
    Producers(Result<Vec<ActiveProducer>, ErrorCode>),
    /// AlterReplicaLogDirs: whether it is on its way, or there.
    Relocate(ErrorCode),
}

/// A request to a group's coordinator.
#[derive(Debug)]
pub struct GroupCall {
    /// Partition of the offsets topic that keeps the group.
    pub partition: i32,
    /// What is asked.
    pub command: GroupCommand,
}

/// The size of one partition's log.
#[derive(Clone, Debug)]
pub struct LogSize {
    /// The log directory.
    pub directory: Uuid,
    /// The topic's name.
    pub topic: Arc<str>,
    /// The partition.
    pub partition: i32,
    /// Bytes in its segments.
    pub bytes: u64,
    /// How many offsets a copy on its way to another log directory is behind; None for the log itself.
    pub copy_behind: Option<i64>,
}

/// A request from shard to shard. What is large and rare is in a box: all requests take as much of the queues as the
/// largest.
#[derive(Debug)]
pub enum ShardRequest {
    /// Append batches.
    Produce(ProduceBatch),
    /// Read partitions, without waiting.
    Fetch(FetchBatch),
    /// Tell the sender, by [`ShardRequest::Wake`], when one of these partitions gets more than the high watermark given.
    Watch {
        /// The sender.
        from: ShardId,
        /// The sender's number for the fetch.
        token: u64,
        /// Topic id, partition, high watermark seen.
        partitions: Vec<(Uuid, i32, i64)>,
    },
    /// The fetch waits no longer.
    Unwatch {
        /// The sender.
        from: ShardId,
        /// The sender's number for the fetch.
        token: u64,
    },
    /// These fetches of the receiver have something to read.
    Wake(Vec<u64>),
    /// Questions about partitions.
    Query(Vec<(Uuid, i32, PartitionQuery)>),
    /// Ask a group's coordinator; the answer comes by [`ShardRequest::GroupDone`].
    Group {
        /// The sender.
        from: ShardId,
        /// The sender's number for the call.
        token: u64,
        /// The call.
        call: Box<GroupCall>,
    },
    /// The answer to a group call of the receiver.
    GroupDone {
        /// The receiver's number for the call.
        token: u64,
        /// The answer.
        answer: Box<GroupAnswer>,
    },
    /// The groups that the receiver coordinates.
    ListGroups,
    /// The sizes of the receiver's logs.
    LogSizes,
    /// The receiver's metrics.
    Sample,
    /// To shard 0: a request to the controller, answered when every shard has its effects.
    Controller(ControllerRequest),
    /// Make the logs that are new in this delta; answered with [`ShardReply::Prepared`].
    Prepare(Arc<MetadataImage>, Arc<MetadataDelta>),
    /// Let the image be seen, then let deleted partitions go.
    Publish(Arc<MetadataImage>, Arc<MetadataDelta>),
    /// A log directory failed on the sender's shard, for this reason: it is offline everywhere.
    DirectoryFailed(Uuid, Arc<str>),
    /// Open the log engine and what stands on it.
    Open(Box<Opening>),
    /// Open the listeners.
    Listen,
    /// Take no more connections, answer what is in flight, close.
    StopServing,
    /// Flush and close the logs.
    StopLogs,
    /// The thread may end.
    End,
}

/// The answer to a [`ShardRequest`].
#[derive(Debug)]
pub enum ShardReply {
    /// To [`ShardRequest::Produce`], in the order of its items.
    Produced(ProduceResults),
    /// To [`ShardRequest::Fetch`], in the order of its items.
    Fetched(Vec<FetchedPartition>),
    /// To [`ShardRequest::Query`], in its order; None: no such partition here.
    Answers(Vec<Option<PartitionAnswer>>),
    /// To [`ShardRequest::ListGroups`].
    Groups(Vec<GroupSummary>),
    /// To [`ShardRequest::LogSizes`].
    LogSizes(Vec<LogSize>),
    /// To [`ShardRequest::Sample`].
    Sample(Box<ShardSample>),
    /// To [`ShardRequest::Controller`].
    Controlled(ControllerReply),
    /// To [`ShardRequest::Open`].
    Opened(Result<(), LogError>),
    /// To [`ShardRequest::Listen`]: the error, if it could not.
    Listening(Result<(), String>),
    /// To [`ShardRequest::StopLogs`].
    Stopped(Box<StopReport>),
    /// Whether all logs that are new could be made.
    Prepared(bool),
    /// Taken.
    Done,
}
