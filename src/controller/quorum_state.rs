//! The file `quorum-state` beside the metadata log: term and vote, which must outlive a crash, in Kafka's form
//! (QuorumStateData of KIP-595, version 1 of KIP-853) with one field more, the commit index, which Kafka's reader skips.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::protocol::Uuid;

/// Name of the file.
pub const QUORUM_STATE_FILE: &str = "quorum-state";

const NONE: i32 = -1;

/// What the file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuorumState {
    /// Leader of the epoch; -1 when not known.
    #[serde(default = "none")]
    pub leader_id: i32,
    /// Term of Raft.
    pub leader_epoch: i32,
    /// Whom this node voted for in it; -1 nobody.
    #[serde(default = "none")]
    pub voted_id: i32,
    /// The directory id of that voter.
    #[serde(default = "no_directory")]
    pub voted_directory_id: String,
    /// Version of the form.
    #[serde(rename = "data_version", default)]
    pub data_version: i16,
    /// A lower bound of the index that was committed.
    #[serde(default)]
    pub commit_index: u64,
}

fn none() -> i32 {
    NONE
}

fn no_directory() -> String {
    Uuid::ZERO.to_string()
}

impl Default for QuorumState {
    fn default() -> Self {
        Self {
            leader_id: NONE,
            leader_epoch: 0,
            voted_id: NONE,
            voted_directory_id: no_directory(),
            data_version: 1,
            commit_index: 0,
        }
    }
}

impl QuorumState {
    /// Reads the file's content.
    ///
    /// # Errors
    /// When it is not what Kafka or we write.
    pub fn parse(content: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(content)
    }

    /// The file's content.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        serde_json::to_vec(self).unwrap_or_default().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_kafka_writes() {
        let written = br#"{"leaderId":1,"leaderEpoch":5,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}"#;
        let state = QuorumState::parse(written).unwrap();
        assert_eq!(state, QuorumState { leader_id: 1, leader_epoch: 5, ..QuorumState::default() });
        assert_eq!(QuorumState::parse(&state.to_bytes()).unwrap(), state);
        let old = br#"{"clusterId":"","leaderId":3,"leaderEpoch":2,"votedId":3,"appliedOffset":0,"currentVoters":[],"data_version":0}"#;
        assert_eq!(QuorumState::parse(old).unwrap().voted_id, 3);
        assert!(QuorumState::parse(b"{").is_err());
    }
}
