//! The group APIs: from the wire to commands for the coordinator that keeps the group, and back.
//!
//! - `membership`: JoinGroup, SyncGroup, Heartbeat, LeaveGroup; `offsets`: OffsetCommit, OffsetFetch; `offset_delete`:
//!   OffsetDelete; `admin`: ListGroups, DescribeGroups, DeleteGroups

mod admin;
mod membership;
mod offset_delete;
mod offsets;
mod route;

pub(super) use admin::{delete, describe, list};
pub(super) use membership::{heartbeat, join, leave, sync};
pub(super) use offset_delete::delete_offsets;
pub(super) use offsets::{commit, fetch};
