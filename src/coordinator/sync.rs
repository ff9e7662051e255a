//! SyncGroup: the leader brings the assignment, everybody gets their part.

use super::command::{GroupAnswer, SyncAnswer, SyncCommand};
use super::group::{Answers, Group, State};
use super::member::Token;
use crate::protocol::ErrorCode;

impl Group {
    /// SyncGroup: answered when the leader has assigned.
    pub fn sync(&mut self, command: SyncCommand, token: Token, now_ms: i64, answers: &mut Answers) {
        let member_id = match self.check_sync(&command) {
            Ok(member_id) => member_id,
            Err(code) => {
                answers.push((token, GroupAnswer::Sync(SyncAnswer::failed(code))));
                return;
            }
        };
        let is_leader = self.leader.as_deref() == Some(member_id.as_str());
        if let Some(member) = self.members.get_mut(&member_id) {
            member.heard(now_ms);
            member.has_synced = true;
            if self.state == State::CompletingRebalance
                && let Some(old) = member.syncing.replace(token)
            {
                let failed = SyncAnswer::failed(ErrorCode::REBALANCE_IN_PROGRESS);
                answers.push((old, GroupAnswer::Sync(failed)));
            }
        }
        match self.state {
            State::CompletingRebalance if is_leader => self.assign(command, now_ms, answers),
            State::Stable => answers.push((token, GroupAnswer::Sync(self.assigned(&member_id)))),
            _ => {}
        }
    }

    fn check_sync(&self, command: &SyncCommand) -> Result<String, ErrorCode> {
        let member_id = self.find(&command.member_id, command.instance_id.as_deref())?;
        let differs = |asked: &Option<String>, ours: &Option<String>| asked.is_some() && asked != ours;
        if command.generation != self.generation {
            return Err(ErrorCode::ILLEGAL_GENERATION);
        }
        if differs(&command.protocol_type, &self.protocol_type) || differs(&command.protocol, &self.protocol)
        {
            return Err(ErrorCode::INCONSISTENT_GROUP_PROTOCOL);
        }
        match self.state {
            State::Empty => Err(ErrorCode::UNKNOWN_MEMBER_ID),
            State::PreparingRebalance => Err(ErrorCode::REBALANCE_IN_PROGRESS),
            State::CompletingRebalance | State::Stable => Ok(member_id),
        }
    }

    fn assign(&mut self, command: SyncCommand, now_ms: i64, answers: &mut Answers) {
        for member in self.members.values_mut() {
            member.assignment.clear();
        }
        for (member_id, assignment) in command.assignments {
            if let Some(member) = self.members.get_mut(&member_id) {
                member.assignment = assignment;
            }
        }
        self.set_state(State::Stable, now_ms);
        self.must_store = true;
        let waiting: Vec<(String, Token)> = self
            .members
            .values_mut()
            .filter_map(|member| Some((member.member_id.clone(), member.syncing.take()?)))
            .collect();
        for (member_id, token) in waiting {
            if let Some(member) = self.members.get_mut(&member_id) {
                member.heard(now_ms);
            }
            answers.push((token, GroupAnswer::Sync(self.assigned(&member_id))));
        }
    }

    fn assigned(&self, member_id: &str) -> SyncAnswer {
        SyncAnswer {
            code: ErrorCode::NONE,
            protocol_type: self.protocol_type.clone(),
            protocol: self.protocol.clone(),
            assignment: self
                .members
                .get(member_id)
                .map(|member| member.assignment.clone())
                .unwrap_or_default(),
        }
    }
}
