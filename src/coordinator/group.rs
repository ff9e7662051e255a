//! The state of one group, and what does not belong to one request: deadlines, rebalances, members going.
//!
//! States: Empty -> PreparingRebalance (members join) -> CompletingRebalance (the leader assigns) -> Stable, and back to
//! PreparingRebalance whenever the members or their protocols change. Pure: time comes in, answers go out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::command::{
    GroupAnswer, GroupDescription, GroupSummary, JoinAnswer, JoinedMember, LeavingMember, MemberDescription,
    SyncAnswer,
};
use super::member::{Member, Token};
use crate::protocol::ErrorCode;

/// Kafka's states of a classic group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Empty,
    PreparingRebalance,
    CompletingRebalance,
    Stable,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "Empty",
            Self::PreparingRebalance => "PreparingRebalance",
            Self::CompletingRebalance => "CompletingRebalance",
            Self::Stable => "Stable",
        }
    }
}

/// A kept offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    pub offset: i64,
    pub leader_epoch: i32,
    pub metadata: String,
    pub commit_timestamp_ms: i64,
    /// When it is over, if the commit said so.
    pub expire_timestamp_ms: Option<i64>,
}

/// Answers that are ready, with whom they go to.
pub type Answers = Vec<(Token, GroupAnswer)>;

/// The longest wait for a member that joins for the first time and does not come back (Kafka's).
pub(super) const NEW_MEMBER_TIMEOUT_MS: i64 = 5 * 60_000;

/// One group.
#[derive(Debug)]
pub struct Group {
    pub name: String,
    pub state: State,
    pub generation: i32,
    pub protocol_type: Option<String>,
    pub protocol: Option<String>,
    pub leader: Option<String>,
    pub members: BTreeMap<String, Member>,
    /// Static members by instance id.
    pub instances: BTreeMap<String, String>,
    /// Ids that were given to clients which have not joined with them yet, and until when they may.
    pub pending: BTreeMap<String, i64>,
    pub offsets: BTreeMap<(Arc<str>, i32), Committed>,
    /// Offsets that are being stored, and how many times.
    pub committing: BTreeMap<(Arc<str>, i32), usize>,
    /// When the join ends, at the latest.
    pub join_deadline_ms: Option<i64>,
    /// A new group waits until here for more members; moved on while some come, up to `join_deadline_ms`.
    pub first_join_ms: Option<i64>,
    pub joined_since_delay: bool,
    /// When members that have not asked for their assignment are taken for dead.
    pub sync_deadline_ms: Option<i64>,
    /// -1: an old record of the group did not say.
    pub state_since_ms: i64,
    /// Members and generation must be stored before answers leave.
    pub must_store: bool,
}

impl Group {
    pub fn new(name: String, now_ms: i64) -> Self {
        Self {
            name,
            state: State::Empty,
            generation: 0,
            protocol_type: None,
            protocol: None,
            leader: None,
            members: BTreeMap::new(),
            instances: BTreeMap::new(),
            pending: BTreeMap::new(),
            offsets: BTreeMap::new(),
            committing: BTreeMap::new(),
            join_deadline_ms: None,
            first_join_ms: None,
            joined_since_delay: false,
            sync_deadline_ms: None,
            state_since_ms: now_ms,
            must_store: false,
        }
    }

    pub(super) fn set_state(&mut self, state: State, now_ms: i64) {
        self.state = state;
        self.state_since_ms = now_ms;
    }

    /// The earliest time at which [`Group::tick`] has something to do.
    pub fn next_deadline_ms(&self) -> Option<i64> {
        let members =
            self.members.values().filter(|member| !member.is_waiting()).map(|member| member.deadline_ms);
        let pending = self.pending.values().copied();
        let phases = [self.join_deadline_ms, self.first_join_ms, self.sync_deadline_ms];
        members.chain(pending).chain(phases.into_iter().flatten()).min()
    }

    /// Does what time has brought.
    pub fn tick(&mut self, now_ms: i64, initial_delay_ms: i64, answers: &mut Answers) {
        self.pending.retain(|_, deadline_ms| *deadline_ms > now_ms);
        if self.sync_deadline_ms.is_some_and(|deadline_ms| deadline_ms <= now_ms) {
            self.sync_deadline_ms = None;
            let missing: Vec<String> =
                self.members.values().filter(|m| !m.has_synced).map(|m| m.member_id.clone()).collect();
            missing.iter().for_each(|member_id| self.remove_member(member_id, now_ms, answers));
        }
        let dead: Vec<String> = self
            .members
            .values()
            .filter(|member| !member.is_waiting() && member.deadline_ms <= now_ms)
            .map(|member| member.member_id.clone())
            .collect();
        dead.iter().for_each(|member_id| self.remove_member(member_id, now_ms, answers));
        if self.first_join_ms.is_some_and(|at_ms| at_ms <= now_ms) {
            let left_ms = self.join_deadline_ms.map_or(0, |deadline_ms| deadline_ms - now_ms);
            if std::mem::take(&mut self.joined_since_delay) && left_ms > 0 {
                self.first_join_ms = Some(now_ms + initial_delay_ms.min(left_ms));
            } else {
                self.first_join_ms = None;
                self.end_join(now_ms, answers);
            }
        } else if self.join_deadline_ms.is_some_and(|deadline_ms| deadline_ms <= now_ms) {
            self.end_join(now_ms, answers);
        } else {
            self.end_join_if_all_are_here(now_ms, answers);
        }
    }

    /// Starts a rebalance: who waits for an assignment joins again.
    pub(super) fn prepare_rebalance(&mut self, now_ms: i64, initial_delay_ms: i64, answers: &mut Answers) {
        for member in self.members.values_mut() {
            if let Some(token) = member.syncing.take() {
                answers
                    .push((token, GroupAnswer::Sync(SyncAnswer::failed(ErrorCode::REBALANCE_IN_PROGRESS))));
            }
            member.has_synced = false;
            member.heard(now_ms);
        }
        self.sync_deadline_ms = None;
        let was_empty = self.state == State::Empty;
        self.set_state(State::PreparingRebalance, now_ms);
        let timeout_ms = self.members.values().map(|m| i64::from(m.rebalance_timeout_ms)).max().unwrap_or(0);
        self.join_deadline_ms = Some(now_ms + timeout_ms);
        self.first_join_ms =
            (was_empty && initial_delay_ms > 0).then(|| now_ms + initial_delay_ms.min(timeout_ms));
        self.joined_since_delay = false;
        self.end_join_if_all_are_here(now_ms, answers);
    }

    pub(super) fn end_join_if_all_are_here(&mut self, now_ms: i64, answers: &mut Answers) {
        let all_here =
            self.pending.is_empty() && self.members.values().all(|member| member.joining.is_some());
        if self.state == State::PreparingRebalance && self.first_join_ms.is_none() && all_here {
            self.end_join(now_ms, answers);
        }
    }

    /// The join ends with those who are here.
    fn end_join(&mut self, now_ms: i64, answers: &mut Answers) {
        if self.state != State::PreparingRebalance {
            return;
        }
        self.join_deadline_ms = None;
        self.first_join_ms = None;
        // Static members are given their session time to come back; others must join again to stay.
        let gone: Vec<String> = self
            .members
            .values()
            .filter(|member| member.joining.is_none() && member.instance_id.is_none())
            .map(|member| member.member_id.clone())
            .collect();
        for member_id in &gone {
            self.forget_member(member_id);
        }
        self.generation = if self.generation == i32::MAX { 1 } else { self.generation + 1 };
        self.must_store = true;
        if self.members.values().all(|member| member.joining.is_none()) && self.members.is_empty() {
            self.protocol = None;
            self.leader = None;
            self.set_state(State::Empty, now_ms);
            return;
        }
        self.protocol = self.choose_protocol();
        self.choose_leader();
        self.set_state(State::CompletingRebalance, now_ms);
        // Stored with the assignment, not before.
        self.must_store = false;
        let timeout_ms = self.members.values().map(|m| i64::from(m.rebalance_timeout_ms)).max().unwrap_or(0);
        self.sync_deadline_ms = Some(now_ms + timeout_ms);
        let ids: Vec<String> = self.members.keys().cloned().collect();
        for member_id in ids {
            let answer = self.joined(&member_id, false);
            let Some(member) = self.members.get_mut(&member_id) else { continue };
            member.is_new = false;
            member.has_synced = false;
            member.heard(now_ms);
            if let Some(token) = member.joining.take() {
                answers.push((token, GroupAnswer::Join(answer)));
            }
        }
    }

    fn choose_leader(&mut self) {
        let is_here = |id: &String| self.members.get(id).is_some_and(|member| member.joining.is_some());
        if !self.leader.as_ref().is_some_and(is_here) {
            let here = self.members.values().find(|member| member.joining.is_some());
            self.leader =
                here.or_else(|| self.members.values().next()).map(|member| member.member_id.clone());
        }
    }

    /// The protocol that most members prefer among those that all have.
    fn choose_protocol(&self) -> Option<String> {
        let candidates = self.common_protocols();
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for member in self.members.values() {
            let vote = member.protocols.iter().find(|(name, _)| candidates.contains(name.as_str()));
            if let Some((name, _)) = vote {
                *votes.entry(name).or_default() += 1;
            }
        }
        votes.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name.to_owned())
    }

    fn common_protocols(&self) -> BTreeSet<&str> {
        let mut members = self.members.values();
        let Some(first) = members.next() else { return BTreeSet::new() };
        let mut common: BTreeSet<&str> = first.protocols.iter().map(|(name, _)| name.as_str()).collect();
        for member in members {
            common.retain(|name| member.supports(name));
        }
        common
    }

    /// Whether somebody with these protocols can be a member.
    pub(super) fn accepts(&self, protocol_type: &str, protocols: &[(String, bytes::Bytes)]) -> bool {
        if protocol_type.is_empty() || protocols.is_empty() {
            return false;
        }
        if self.members.is_empty() {
            return true;
        }
        let common = self.common_protocols();
        self.protocol_type.as_deref() == Some(protocol_type)
            && protocols.iter().any(|(name, _)| common.contains(name.as_str()))
    }

    /// What a member that is in the current generation is told about it.
    pub(super) fn joined(&self, member_id: &str, skip_assignment: bool) -> JoinAnswer {
        let is_leader = self.leader.as_deref() == Some(member_id);
        let members = self.members.values().filter(|_| is_leader).map(|member| JoinedMember {
            member_id: member.member_id.clone(),
            instance_id: member.instance_id.clone(),
            metadata: member.metadata(self.protocol.as_deref()),
        });
        JoinAnswer {
            code: ErrorCode::NONE,
            generation: self.generation,
            protocol_type: self.protocol_type.clone(),
            protocol: self.protocol.clone(),
            leader: self.leader.clone().unwrap_or_default(),
            skip_assignment,
            member_id: member_id.to_owned(),
            members: members.collect(),
        }
    }

    /// Takes a member out, and starts what follows from it.
    pub(super) fn remove_member(&mut self, member_id: &str, now_ms: i64, answers: &mut Answers) {
        let Some(member) = self.forget_member(member_id) else { return };
        let unknown = ErrorCode::UNKNOWN_MEMBER_ID;
        if let Some(token) = member.joining {
            answers.push((token, GroupAnswer::Join(JoinAnswer::failed(unknown, member_id))));
        }
        if let Some(token) = member.syncing {
            answers.push((token, GroupAnswer::Sync(SyncAnswer::failed(unknown))));
        }
        match self.state {
            State::Stable | State::CompletingRebalance => self.prepare_rebalance(now_ms, 0, answers),
            State::PreparingRebalance => self.end_join_if_all_are_here(now_ms, answers),
            State::Empty => {}
        }
    }

    fn forget_member(&mut self, member_id: &str) -> Option<Member> {
        let member = self.members.remove(member_id)?;
        if let Some(instance) = &member.instance_id {
            self.instances.remove(instance);
        }
        if self.leader.as_deref() == Some(member_id) {
            self.leader = self.members.keys().next().cloned();
        }
        Some(member)
    }

    /// The member that a request names, by its id and, for static members, its instance.
    pub(super) fn find(&self, member_id: &str, instance_id: Option<&str>) -> Result<String, ErrorCode> {
        if let Some(instance) = instance_id {
            return match self.instances.get(instance) {
                None => Err(ErrorCode::UNKNOWN_MEMBER_ID),
                Some(known) if known != member_id => Err(ErrorCode::FENCED_INSTANCE_ID),
                Some(known) => Ok(known.clone()),
            };
        }
        if self.members.contains_key(member_id) {
            Ok(member_id.to_owned())
        } else {
            Err(ErrorCode::UNKNOWN_MEMBER_ID)
        }
    }

    /// Heartbeat.
    pub fn heartbeat(
        &mut self,
        member_id: &str,
        instance_id: Option<&str>,
        generation: i32,
        now_ms: i64,
    ) -> ErrorCode {
        let member_id = match self.find(member_id, instance_id) {
            Ok(member_id) => member_id,
            Err(code) => return code,
        };
        if generation != self.generation {
            return ErrorCode::ILLEGAL_GENERATION;
        }
        if let Some(member) = self.members.get_mut(&member_id) {
            member.heard(now_ms);
        }
        match self.state {
            State::Empty => ErrorCode::UNKNOWN_MEMBER_ID,
            State::PreparingRebalance => ErrorCode::REBALANCE_IN_PROGRESS,
            State::CompletingRebalance | State::Stable => ErrorCode::NONE,
        }
    }

    /// LeaveGroup: each member's code.
    pub fn leave(&mut self, leaving: &[LeavingMember], now_ms: i64, answers: &mut Answers) -> Vec<ErrorCode> {
        let mut codes = Vec::with_capacity(leaving.len());
        for who in leaving {
            if who.instance_id.is_none() && self.pending.remove(&who.member_id).is_some() {
                codes.push(ErrorCode::NONE);
                continue;
            }
            // An admin may name a static member by its instance alone.
            let by_instance = who.instance_id.as_ref().filter(|_| who.member_id.is_empty());
            let found = match by_instance.and_then(|instance| self.instances.get(instance)) {
                Some(member_id) => Ok(member_id.clone()),
                None => self.find(&who.member_id, who.instance_id.as_deref()),
            };
            match found {
                Ok(member_id) => {
                    self.remove_member(&member_id, now_ms, answers);
                    codes.push(ErrorCode::NONE);
                }
                Err(code) => codes.push(code),
            }
        }
        self.end_join_if_all_are_here(now_ms, answers);
        codes
    }

    pub fn describe(&self) -> GroupDescription {
        let stable = self.state == State::Stable;
        let protocol = self.protocol.as_deref().filter(|_| stable);
        let members = self.members.values().map(|member| MemberDescription {
            member_id: member.member_id.clone(),
            instance_id: member.instance_id.clone(),
            client_id: member.client_id.clone(),
            client_host: member.client_host.clone(),
            metadata: member.metadata(protocol),
            assignment: if stable { member.assignment.clone() } else { bytes::Bytes::new() },
        });
        GroupDescription {
            code: ErrorCode::NONE,
            state: self.state.name(),
            protocol_type: self.protocol_type.clone().unwrap_or_default(),
            protocol: protocol.unwrap_or_default().to_owned(),
            members: members.collect(),
        }
    }

    pub fn summary(&self) -> GroupSummary {
        GroupSummary {
            group: self.name.clone(),
            protocol_type: self.protocol_type.clone().unwrap_or_default(),
            state: self.state.name(),
        }
    }
}
