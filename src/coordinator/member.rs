//! One member of a group.

use bytes::Bytes;

use super::command::JoinCommand;

/// The number under which somebody waits for an answer.
pub type Token = u64;

/// A member.
#[derive(Clone, Debug)]
pub struct Member {
    pub member_id: String,
    pub instance_id: Option<String>,
    pub client_id: String,
    pub client_host: String,
    pub session_timeout_ms: i32,
    pub rebalance_timeout_ms: i32,
    pub protocols: Vec<(String, Bytes)>,
    pub assignment: Bytes,
    /// Waits for the join to end.
    pub joining: Option<Token>,
    /// Waits for its assignment.
    pub syncing: Option<Token>,
    /// Has asked for its assignment in this generation.
    pub has_synced: bool,
    /// When it is taken for dead unless it is heard of; not while it waits for an answer of ours.
    pub deadline_ms: i64,
    /// Joins for the first time.
    pub is_new: bool,
}

impl Member {
    pub fn new(member_id: String, command: &JoinCommand, now_ms: i64) -> Self {
        Self {
            member_id,
            instance_id: command.instance_id.clone(),
            client_id: command.client_id.clone(),
            client_host: command.client_host.clone(),
            session_timeout_ms: command.session_timeout_ms,
            rebalance_timeout_ms: command.rebalance_timeout_ms,
            protocols: command.protocols.clone(),
            assignment: Bytes::new(),
            joining: None,
            syncing: None,
            has_synced: false,
            deadline_ms: now_ms + i64::from(command.session_timeout_ms),
            is_new: true,
        }
    }

    /// Takes over what a repeated join says.
    pub fn update(&mut self, command: &JoinCommand) {
        self.client_id.clone_from(&command.client_id);
        self.client_host.clone_from(&command.client_host);
        self.session_timeout_ms = command.session_timeout_ms;
        self.rebalance_timeout_ms = command.rebalance_timeout_ms;
        self.protocols.clone_from(&command.protocols);
    }

    /// It was heard of.
    pub fn heard(&mut self, now_ms: i64) {
        self.deadline_ms = now_ms + i64::from(self.session_timeout_ms);
    }

    /// Whether it waits for an answer of ours, so that its silence says nothing.
    pub fn is_waiting(&self) -> bool {
        self.joining.is_some() || self.syncing.is_some()
    }

    pub fn metadata(&self, protocol: Option<&str>) -> Bytes {
        let found = self.protocols.iter().find(|(name, _)| Some(name.as_str()) == protocol);
        found.map(|(_, metadata)| metadata.clone()).unwrap_or_default()
    }

    pub fn supports(&self, protocol: &str) -> bool {
        self.protocols.iter().any(|(name, _)| name == protocol)
    }
}
