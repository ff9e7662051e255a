//! The group APIs: from the wire to commands for the coordinator that keeps the group, and back.
//!
//! - `membership`: JoinGroup, SyncGroup, Heartbeat, LeaveGroup; `offsets`: OffsetCommit, OffsetFetch; `admin`: ListGroups,
//!   DescribeGroups, DeleteGroups

mod admin;
mod membership;
mod offsets;
mod route;

pub(super) use admin::{delete, describe, list};
pub(super) use membership::{heartbeat, join, leave, sync};
pub(super) use offsets::{commit, fetch};
