//! JoinGroup.

use super::command::{GroupAnswer, JoinAnswer, JoinCommand};
use super::group::{Answers, Group, NEW_MEMBER_TIMEOUT_MS, State};
use super::member::{Member, Token};
use super::rules::GroupRules;
use crate::protocol::ErrorCode;

impl Group {
    /// JoinGroup: answered when the join ends, or at once when nothing changes. `new_id` makes an id for a member.
    pub fn join(
        &mut self,
        command: &JoinCommand,
        token: Token,
        now_ms: i64,
        rules: &GroupRules,
        new_id: impl FnOnce(&str) -> String,
        answers: &mut Answers,
    ) {
        let known = self.find_joiner(command);
        let checked = self.check_join(command, rules, matches!(known, Ok(Some(_))));
        let known = match known.and_then(|known| checked.map(|()| known)) {
            Ok(known) => known,
            Err(code) => {
                answers.push((token, GroupAnswer::Join(JoinAnswer::failed(code, &command.member_id))));
                return;
            }
        };
        match known {
            Some(member_id) => self.join_again(&member_id, command, token, now_ms, answers),
            None => self.join_first(command, token, now_ms, rules, new_id, answers),
        }
    }

    /// The member that joins, if it is one already.
    fn find_joiner(&self, command: &JoinCommand) -> Result<Option<String>, ErrorCode> {
        match (&command.instance_id, command.member_id.as_str()) {
            // A static member that has lost its id takes its old place.
            (Some(instance), "") => Ok(self.instances.get(instance).cloned()),
            (None, "") => Ok(None),
            (None, member_id) if self.pending.contains_key(member_id) => Ok(None),
            (instance, member_id) => self.find(member_id, instance.as_deref()).map(Some),
        }
    }

    fn check_join(&self, command: &JoinCommand, rules: &GroupRules, is_known: bool) -> Result<(), ErrorCode> {
        let timeouts = rules.min_session_timeout_ms..=rules.max_session_timeout_ms;
        if !timeouts.contains(&command.session_timeout_ms) {
            return Err(ErrorCode::INVALID_SESSION_TIMEOUT);
        }
        if !self.accepts(&command.protocol_type, &command.protocols) {
            return Err(ErrorCode::INCONSISTENT_GROUP_PROTOCOL);
        }
        let counted = self.members.len() + self.pending.len();
        let has_place = is_known || self.pending.contains_key(&command.member_id);
        if !has_place && counted >= rules.max_size {
            return Err(ErrorCode::GROUP_MAX_SIZE_REACHED);
        }
        Ok(())
    }

    fn join_first(
        &mut self,
        command: &JoinCommand,
        token: Token,
        now_ms: i64,
        rules: &GroupRules,
        new_id: impl FnOnce(&str) -> String,
        answers: &mut Answers,
    ) {
        let was_pending = self.pending.remove(&command.member_id).is_some();
        let member_id = if was_pending {
            command.member_id.clone()
        } else {
            new_id(command.instance_id.as_deref().unwrap_or(&command.client_id))
        };
        if !was_pending && command.needs_known_id && command.instance_id.is_none() {
            self.pending.insert(member_id.clone(), now_ms + i64::from(command.session_timeout_ms));
            let answer = JoinAnswer::failed(ErrorCode::MEMBER_ID_REQUIRED, &member_id);
            answers.push((token, GroupAnswer::Join(answer)));
            return;
        }
        if self.members.is_empty() {
            self.protocol_type = Some(command.protocol_type.clone());
        }
        let mut member = Member::new(member_id.clone(), command, now_ms);
        member.joining = Some(token);
        if let Some(instance) = &command.instance_id {
            self.instances.insert(instance.clone(), member_id.clone());
        }
        self.members.insert(member_id.clone(), member);
        self.leader.get_or_insert(member_id);
        self.joined_since_delay = true;
        match self.state {
            State::PreparingRebalance => {
                self.stretch_join(command, now_ms);
                self.end_join_if_all_are_here(now_ms, answers);
            }
            _ => self.prepare_rebalance(now_ms, rules.initial_rebalance_delay_ms, answers),
        }
    }

    /// A member with a longer rebalance timeout lets the join of a new group wait longer.
    fn stretch_join(&mut self, command: &JoinCommand, now_ms: i64) {
        let timeout_ms = i64::from(command.rebalance_timeout_ms).min(NEW_MEMBER_TIMEOUT_MS);
        if self.first_join_ms.is_some() {
            self.join_deadline_ms = self.join_deadline_ms.max(Some(now_ms + timeout_ms));
        }
    }

    fn join_again(
        &mut self,
        member_id: &str,
        command: &JoinCommand,
        token: Token,
        now_ms: i64,
        answers: &mut Answers,
    ) {
        let returns = command.instance_id.is_some() && command.member_id.is_empty();
        let is_leader = self.leader.as_deref() == Some(member_id);
        let Some(member) = self.members.get_mut(member_id) else { return };
        let same_protocols = member.protocols == command.protocols;
        member.update(command);
        member.heard(now_ms);
        if returns {
            self.return_of_static(member_id, is_leader, same_protocols, command, token, now_ms, answers);
            return;
        }
        match self.state {
            // A repeated join of the current generation is answered as it was.
            State::CompletingRebalance if same_protocols => {
                let answer = self.joined(member_id, false);
                answers.push((token, GroupAnswer::Join(answer)));
            }
            State::Stable if same_protocols && !is_leader => {
                let answer = self.joined(member_id, false);
                answers.push((token, GroupAnswer::Join(answer)));
            }
            State::PreparingRebalance => {
                self.wait_for_join(member_id, token, answers);
                self.end_join_if_all_are_here(now_ms, answers);
            }
            _ => {
                self.wait_for_join(member_id, token, answers);
                self.prepare_rebalance(now_ms, 0, answers);
            }
        }
    }

    /// A static member is back without its id (KIP-345): it goes on under a new id in its old place, and who still uses
    /// the old one is fenced. A stable group goes on without a rebalance.
    #[allow(clippy::too_many_arguments)]
    fn return_of_static(
        &mut self,
        old_id: &str,
        is_leader: bool,
        same_protocols: bool,
        command: &JoinCommand,
        token: Token,
        now_ms: i64,
        answers: &mut Answers,
    ) {
        let Some(mut member) = self.members.remove(old_id) else { return };
        let fenced = ErrorCode::FENCED_INSTANCE_ID;
        if let Some(token) = member.joining.take() {
            answers.push((token, GroupAnswer::Join(JoinAnswer::failed(fenced, old_id))));
        }
        if let Some(token) = member.syncing.take() {
            answers.push((token, GroupAnswer::Sync(super::command::SyncAnswer::failed(fenced))));
        }
        // The old id with a mark that rises keeps ids readable and never repeats one.
        let new_id = next_id_of(old_id);
        member.member_id.clone_from(&new_id);
        if let Some(instance) = &command.instance_id {
            self.instances.insert(instance.clone(), new_id.clone());
        }
        self.members.insert(new_id.clone(), member);
        if is_leader {
            self.leader = Some(new_id.clone());
        }
        match self.state {
            State::Stable if same_protocols && (!is_leader || command.can_skip_assignment) => {
                self.must_store = true;
                let answer = self.joined(&new_id, is_leader);
                answers.push((token, GroupAnswer::Join(answer)));
            }
            State::PreparingRebalance => {
                self.wait_for_join(&new_id, token, answers);
                self.end_join_if_all_are_here(now_ms, answers);
            }
            _ => {
                self.wait_for_join(&new_id, token, answers);
                self.prepare_rebalance(now_ms, 0, answers);
            }
        }
    }

    fn wait_for_join(&mut self, member_id: &str, token: Token, answers: &mut Answers) {
        let Some(member) = self.members.get_mut(member_id) else { return };
        // The same member asks again, mostly on a new connection: the old request is over.
        if let Some(old) = member.joining.replace(token) {
            let code = ErrorCode::REBALANCE_IN_PROGRESS;
            answers.push((old, GroupAnswer::Join(JoinAnswer::failed(code, member_id))));
        }
    }
}

fn next_id_of(old_id: &str) -> String {
    match old_id.rsplit_once('~') {
        Some((stem, count)) => match count.parse::<u64>() {
            Ok(count) => format!("{stem}~{}", count.wrapping_add(1)),
            Err(_) => format!("{old_id}~1"),
        },
        None => format!("{old_id}~1"),
    }
}
