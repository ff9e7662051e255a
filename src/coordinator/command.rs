//! What a group is asked and what it answers: owned values, which cross shards.

use std::sync::Arc;

use bytes::Bytes;

use crate::protocol::ErrorCode;

/// JoinGroup.
#[derive(Clone, Debug)]
pub struct JoinCommand {
    /// "" when it has none yet.
    pub member_id: String,
    /// Set for static members (KIP-345).
    pub instance_id: Option<String>,
    /// What the client calls itself.
    pub client_id: String,
    /// Where it comes from.
    pub client_host: String,
    /// In milliseconds.
    pub session_timeout_ms: i32,
    /// In milliseconds.
    pub rebalance_timeout_ms: i32,
    /// "consumer", mostly.
    pub protocol_type: String,
    /// Names and metadata, the preferred first.
    pub protocols: Vec<(String, Bytes)>,
    /// Whether a member without an id is sent back with one first (KIP-394).
    pub needs_known_id: bool,
    /// Whether the reply can say that a leader need not assign (version 9).
    pub can_skip_assignment: bool,
}

/// SyncGroup.
#[derive(Clone, Debug)]
pub struct SyncCommand {
    /// The member.
    pub member_id: String,
    /// Set for static members.
    pub instance_id: Option<String>,
    /// The generation that it joined.
    pub generation: i32,
    /// Checked when given.
    pub protocol_type: Option<String>,
    /// Checked when given.
    pub protocol: Option<String>,
    /// The leader's: member and assignment.
    pub assignments: Vec<(String, Bytes)>,
}

/// A member that leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeavingMember {
    /// May be "" for a static member.
    pub member_id: String,
    /// Set for static members.
    pub instance_id: Option<String>,
}

/// An offset to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitOffset {
    /// The topic's name.
    pub topic: Arc<str>,
    /// The partition.
    pub partition: i32,
    /// The next offset to read.
    pub offset: i64,
    /// The epoch of the last record read, or -1.
    pub leader_epoch: i32,
    /// The client's own words.
    pub metadata: String,
    /// How long it is kept, where the request says so (versions 2 to 4), in milliseconds.
    pub retention_ms: Option<i64>,
}

/// A request to a group.
#[derive(Clone, Debug)]
pub enum GroupRequest {
    /// JoinGroup.
    Join(JoinCommand),
    /// SyncGroup.
    Sync(SyncCommand),
    /// Heartbeat.
    Heartbeat {
        /// The member.
        member_id: String,
        /// Set for static members.
        instance_id: Option<String>,
        /// The generation that it is in.
        generation: i32,
    },
    /// LeaveGroup.
    Leave(Vec<LeavingMember>),
    /// OffsetCommit.
    Commit {
        /// "" from who is no member.
        member_id: String,
        /// Set for static members.
        instance_id: Option<String>,
        /// -1 from who is no member.
        generation: i32,
        /// Version of the request: it decides what an unknown group is answered.
        version: i16,
        /// The offsets.
        offsets: Vec<CommitOffset>,
    },
    /// OffsetFetch; None: all.
    Offsets(Option<Vec<(Arc<str>, i32)>>),
    /// DescribeGroups.
    Describe,
    /// DeleteGroups.
    Delete,
    /// OffsetDelete: topics and partitions.
    DeleteOffsets(Vec<(Arc<str>, i32)>),
}

/// A request with the group that it is for.
#[derive(Clone, Debug)]
pub struct GroupCommand {
    /// The group.
    pub group: String,
    /// The request.
    pub request: GroupRequest,
}

/// A member as the leader hears of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedMember {
    /// The member.
    pub member_id: String,
    /// Set for static members.
    pub instance_id: Option<String>,
    /// Its metadata under the chosen protocol.
    pub metadata: Bytes,
}

/// The answer to JoinGroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinAnswer {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// -1 with an error.
    pub generation: i32,
    /// The group's.
    pub protocol_type: Option<String>,
    /// The chosen one.
    pub protocol: Option<String>,
    /// The leader's member id.
    pub leader: String,
    /// Whether the leader need not assign.
    pub skip_assignment: bool,
    /// The member's own id.
    pub member_id: String,
    /// All members, for the leader alone.
    pub members: Vec<JoinedMember>,
}

impl JoinAnswer {
    /// An error.
    #[must_use]
    pub fn failed(code: ErrorCode, member_id: &str) -> Self {
        Self {
            code,
            generation: -1,
            protocol_type: None,
            protocol: None,
            leader: String::new(),
            skip_assignment: false,
            member_id: member_id.to_owned(),
            members: Vec::new(),
        }
    }
}

/// The answer to SyncGroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncAnswer {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// The group's.
    pub protocol_type: Option<String>,
    /// The chosen one.
    pub protocol: Option<String>,
    /// The member's part.
    pub assignment: Bytes,
}

impl SyncAnswer {
    /// An error.
    #[must_use]
    pub fn failed(code: ErrorCode) -> Self {
        Self { code, protocol_type: None, protocol: None, assignment: Bytes::new() }
    }
}

/// A kept offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedOffset {
    /// The topic's name.
    pub topic: Arc<str>,
    /// The partition.
    pub partition: i32,
    /// -1: none is kept.
    pub offset: i64,
    /// -1: not known.
    pub leader_epoch: i32,
    /// The client's own words.
    pub metadata: String,
}

/// A member, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDescription {
    /// The member.
    pub member_id: String,
    /// Set for static members.
    pub instance_id: Option<String>,
    /// What the client calls itself.
    pub client_id: String,
    /// Where it comes from.
    pub client_host: String,
    /// Its metadata under the chosen protocol.
    pub metadata: Bytes,
    /// Its part.
    pub assignment: Bytes,
}

/// A group, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupDescription {
    /// The error, or NONE.
    pub code: ErrorCode,
    /// Kafka's name of the state.
    pub state: &'static str,
    /// "consumer", mostly.
    pub protocol_type: String,
    /// The chosen protocol, when stable.
    pub protocol: String,
    /// The members.
    pub members: Vec<MemberDescription>,
}

/// A line of ListGroups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSummary {
    /// The group.
    pub group: String,
    /// Its protocol type.
    pub protocol_type: String,
    /// Kafka's name of the state.
    pub state: &'static str,
}

/// The answer to a [`GroupRequest`], of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupAnswer {
    /// JoinGroup.
    Join(JoinAnswer),
    /// SyncGroup.
    Sync(SyncAnswer),
    /// Heartbeat, DeleteGroups, and whatever failed before a group was found.
    Code(ErrorCode),
    /// LeaveGroup: each member's code.
    Left(Vec<ErrorCode>),
    /// OffsetCommit and OffsetDelete: each offset's code.
    Committed(Vec<ErrorCode>),
    /// OffsetFetch.
    Offsets(Vec<FetchedOffset>),
    /// DescribeGroups.
    Described(GroupDescription),
}

impl GroupAnswer {
    /// An error that is not about one part of the request.
    #[must_use]
    pub fn failed(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}
