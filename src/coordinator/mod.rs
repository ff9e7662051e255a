//! Consumer groups: classic groups as Kafka keeps them, with offsets and members stored in `__consumer_offsets`.
//!
//! A group lives on the shard that owns the partition of the offsets topic which its name hashes to. `group` and what is
//! beside it decide, without I/O: time comes in as a number, answers go out as values. `service` runs them: it
//! loads a partition's groups before it serves them, stores what must be kept before it answers, and keeps the deadlines.
//! Bounds: `group.max.size` members a group; members that were given an id but did not join count too.
//!
//! Not here yet: the newer group protocols (consumer, share, streams) are not served.

mod command;
mod expiry;
mod forget;
mod group;
mod join;
mod load;
mod member;
mod offset_delete;
mod offsets;
mod records;
mod rules;
mod service;
mod sync;
#[cfg(test)]
mod tests;

pub use command::{
    CommitOffset, FetchedOffset, GroupAnswer, GroupCommand, GroupDescription, GroupRequest, GroupSummary,
    JoinAnswer, JoinCommand, JoinedMember, LeavingMember, MemberDescription, SyncAnswer, SyncCommand,
};
pub use rules::{GroupRules, partition_of_group};
pub use service::Coordinator;
