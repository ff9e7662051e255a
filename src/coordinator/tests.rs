//! Scenarios of groups, without I/O and with a clock of their own.

use bytes::Bytes;

use super::command::{
    CommitOffset, GroupAnswer, JoinAnswer, JoinCommand, LeavingMember, SyncAnswer, SyncCommand,
};
use super::group::{Answers, Group, State};
use super::rules::GroupRules;
use crate::protocol::ErrorCode;

const RULES: GroupRules = GroupRules {
    min_session_timeout_ms: 6_000,
    max_session_timeout_ms: 1_800_000,
    initial_rebalance_delay_ms: 3_000,
    max_size: 3,
    max_offset_metadata_bytes: 4096,
    offsets_retention_ms: 60_000,
    offsets_check_interval_ms: 1_000,
};

/// A group with its clock, and who has been answered.
struct World {
    group: Group,
    now_ms: i64,
    next_token: u64,
    answers: Answers,
}

fn command(member_id: &str, instance_id: Option<&str>) -> JoinCommand {
    JoinCommand {
        member_id: member_id.into(),
        instance_id: instance_id.map(str::to_owned),
        client_id: "client".into(),
        client_host: "/127.0.0.1".into(),
        session_timeout_ms: 10_000,
        rebalance_timeout_ms: 60_000,
        protocol_type: "consumer".into(),
        protocols: vec![("range".into(), Bytes::from_static(b"topics"))],
        needs_known_id: true,
        can_skip_assignment: true,
    }
}

impl World {
    fn new() -> Self {
        Self { group: Group::new("g".into(), 0), now_ms: 0, next_token: 0, answers: Vec::new() }
    }

    fn token(&mut self) -> u64 {
        self.next_token += 1;
        self.next_token
    }

    fn join_with(&mut self, command: &JoinCommand) -> u64 {
        let token = self.token();
        let new_id = |stem: &str| format!("{stem}-{token}");
        self.group.join(command, token, self.now_ms, &RULES, new_id, &mut self.answers);
        token
    }

    /// Asks for an id, then joins with it: the id and the waiting request.
    fn join(&mut self) -> (String, u64) {
        let first = self.join_with(&command("", None));
        let GroupAnswer::Join(answer) = self.answer(first).expect("an id") else { panic!("not a join") };
        assert_eq!(answer.code, ErrorCode::MEMBER_ID_REQUIRED);
        let token = self.join_with(&command(&answer.member_id, None));
        (answer.member_id, token)
    }

    fn answer(&mut self, token: u64) -> Option<GroupAnswer> {
        let place = self.answers.iter().position(|(known, _)| *known == token)?;
        Some(self.answers.remove(place).1)
    }

    fn joined(&mut self, token: u64) -> JoinAnswer {
        match self.answer(token) {
            Some(GroupAnswer::Join(answer)) => answer,
            other => panic!("{other:?}"),
        }
    }

    fn sync(&mut self, member_id: &str, generation: i32, parts: &[(&str, &'static [u8])]) -> u64 {
        let token = self.token();
        let assignments = parts.iter().map(|(id, part)| ((*id).to_owned(), Bytes::from_static(part)));
        let command = SyncCommand {
            member_id: member_id.into(),
            instance_id: None,
            generation,
            protocol_type: Some("consumer".into()),
            protocol: Some("range".into()),
            assignments: assignments.collect(),
        };
        self.group.sync(command, token, self.now_ms, &mut self.answers);
        token
    }

    fn synced(&mut self, token: u64) -> SyncAnswer {
        match self.answer(token) {
            Some(GroupAnswer::Sync(answer)) => answer,
            other => panic!("{other:?}"),
        }
    }

    /// Lets time pass, stopping at each deadline on the way.
    fn pass(&mut self, ms: i64) {
        let end_ms = self.now_ms + ms;
        while let Some(at_ms) = self.group.next_deadline_ms().filter(|at_ms| *at_ms <= end_ms) {
            self.now_ms = self.now_ms.max(at_ms);
            self.group.tick(self.now_ms, RULES.initial_rebalance_delay_ms, &mut self.answers);
        }
        self.now_ms = end_ms;
    }

    fn heartbeat(&mut self, member_id: &str, generation: i32) -> ErrorCode {
        self.group.heartbeat(member_id, None, generation, self.now_ms)
    }

    /// Two members in a stable group: the leader's id, the other's.
    fn two() -> (Self, String, String) {
        let mut world = Self::new();
        let (first, first_join) = world.join();
        let (second, second_join) = world.join();
        world.pass(6_000);
        let (first_join, second_join) = (world.joined(first_join), world.joined(second_join));
        let leader = first_join.leader.clone();
        assert_eq!(leader, first);
        assert_eq!((first_join.members.len(), second_join.members.len()), (2, 0));
        let waiting = world.sync(&second, 1, &[]);
        assert_eq!(world.answer(waiting), None, "it waits for the leader");
        let assigning = world.sync(&first, 1, &[(&first, b"1"), (&second, b"2")]);
        assert_eq!(world.synced(assigning).assignment, "1");
        assert_eq!(world.synced(waiting).assignment, "2");
        assert_eq!(world.group.state, State::Stable);
        (world, first, second)
    }
}

#[test]
fn a_new_group_waits_for_more_members_and_then_assigns() {
    let (mut world, first, second) = World::two();
    assert_eq!(world.heartbeat(&first, 1), ErrorCode::NONE);
    assert_eq!(world.heartbeat(&second, 0), ErrorCode::ILLEGAL_GENERATION);
    assert_eq!(world.heartbeat("nobody", 1), ErrorCode::UNKNOWN_MEMBER_ID);
}

#[test]
fn the_first_join_is_held_for_the_delay_and_no_longer_when_nobody_comes() {
    let mut world = World::new();
    let (_, join) = world.join();
    world.pass(2_999);
    assert_eq!(world.answer(join), None);
    // It joined after the delay began, so the delay is given once more, then nobody has come.
    world.pass(3_002);
    assert_eq!(world.joined(join).generation, 1);
}

#[test]
fn a_member_that_is_silent_is_taken_out_and_the_others_rebalance() {
    let (mut world, first, second) = World::two();
    world.pass(6_000);
    assert_eq!(world.heartbeat(&second, 1), ErrorCode::NONE);
    world.pass(6_000);
    assert_eq!(world.group.state, State::PreparingRebalance);
    assert_eq!(world.heartbeat(&second, 1), ErrorCode::REBALANCE_IN_PROGRESS);
    assert_eq!(world.heartbeat(&first, 1), ErrorCode::UNKNOWN_MEMBER_ID);
    let again = world.join_with(&command(&second, None));
    let answer = world.joined(again);
    assert_eq!((answer.generation, answer.leader == second, answer.members.len()), (2, true, 1));
}

#[test]
fn f16_members_that_die_while_they_join_leave_an_empty_group() {
    let mut world = World::new();
    for _ in 0..3 {
        world.join();
    }
    // Their connections are gone: nobody reads the answers, nobody syncs.
    world.pass(6_000 + 60_000 + 10_000);
    assert_eq!((world.group.state, world.group.members.len()), (State::Empty, 0));
    let (_, join) = world.join();
    world.pass(6_001);
    assert_eq!(world.joined(join).members.len(), 1);
}

#[test]
fn ids_that_were_given_and_not_used_do_not_hold_up_a_group() {
    let mut world = World::new();
    world.join_with(&command("", None));
    let (_, join) = world.join();
    world.pass(13_000);
    assert_eq!(world.joined(join).members.len(), 1);
}

#[test]
fn who_leaves_starts_a_rebalance_at_once() {
    let (mut world, first, second) = World::two();
    let leaving = |id: &str| LeavingMember { member_id: id.into(), instance_id: None };
    let codes = world.group.leave(&[leaving(&first), leaving("nobody")], world.now_ms, &mut world.answers);
    assert_eq!(codes, [ErrorCode::NONE, ErrorCode::UNKNOWN_MEMBER_ID]);
    assert_eq!(world.group.state, State::PreparingRebalance);
    let again = world.join_with(&command(&second, None));
    assert_eq!(world.joined(again).generation, 2);
    let codes = world.group.leave(&[leaving(&second)], world.now_ms, &mut world.answers);
    assert_eq!(codes, [ErrorCode::NONE]);
    assert_eq!(world.group.state, State::Empty);
    assert!(world.group.must_store);
}

#[test]
fn a_static_member_comes_back_without_a_rebalance_and_fences_its_old_self() {
    let mut world = World::new();
    let join = world.join_with(&command("", Some("one")));
    world.pass(6_001);
    let old = world.joined(join).member_id;
    let assigning = world.sync(&old, 1, &[]);
    // Sync without its instance id: known by its member id.
    assert_eq!(world.synced(assigning).code, ErrorCode::NONE);
    let back = world.join_with(&command("", Some("one")));
    let answer = world.joined(back);
    assert_eq!((answer.code, answer.generation, answer.skip_assignment), (ErrorCode::NONE, 1, true));
    assert_ne!(answer.member_id, old);
    assert_eq!(world.group.state, State::Stable);
    let now_ms = world.now_ms;
    assert_eq!(world.group.heartbeat(&old, Some("one"), 1, now_ms), ErrorCode::FENCED_INSTANCE_ID);
    assert_eq!(world.group.heartbeat(&answer.member_id, Some("one"), 1, now_ms), ErrorCode::NONE);
}

#[test]
fn what_cannot_join_is_told_why() {
    let (mut world, _, _) = World::two();
    let mut code = |command: JoinCommand| {
        let token = world.join_with(&command);
        world.joined(token).code
    };
    let quick = JoinCommand { session_timeout_ms: 5_999, ..command("", None) };
    assert_eq!(code(quick), ErrorCode::INVALID_SESSION_TIMEOUT);
    let other = JoinCommand { protocols: vec![("sticky".into(), Bytes::new())], ..command("", None) };
    assert_eq!(code(other), ErrorCode::INCONSISTENT_GROUP_PROTOCOL);
    let connect = JoinCommand { protocol_type: "connect".into(), ..command("", None) };
    assert_eq!(code(connect), ErrorCode::INCONSISTENT_GROUP_PROTOCOL);
    assert_eq!(code(command("nobody", None)), ErrorCode::UNKNOWN_MEMBER_ID);
    assert_eq!(code(command("", None)), ErrorCode::MEMBER_ID_REQUIRED);
    assert_eq!(code(command("", None)), ErrorCode::GROUP_MAX_SIZE_REACHED);
}

#[test]
fn offsets_are_taken_from_members_of_this_generation_and_from_others_while_it_is_empty() {
    let mut empty = Group::new("g".into(), 0);
    assert_eq!(empty.check_commit("", None, -1, 0), Ok(()));
    let (mut world, first, _) = World::two();
    let now_ms = world.now_ms;
    assert_eq!(world.group.check_commit("", None, -1, now_ms), Err(ErrorCode::UNKNOWN_MEMBER_ID));
    assert_eq!(world.group.check_commit(&first, None, 0, now_ms), Err(ErrorCode::ILLEGAL_GENERATION));
    assert_eq!(world.group.check_commit(&first, None, 1, now_ms), Ok(()));
}

/// A subscription to the topic "read".
const READS: &[u8] = b"\0\0\0\0\0\x01\0\x04read";
const RETENTION_MS: i64 = 60_000;

impl World {
    fn keep(&mut self, topic: &str, retention_ms: Option<i64>) {
        let offset = CommitOffset {
            topic: topic.into(),
            partition: 0,
            offset: 1,
            leader_epoch: -1,
            metadata: String::new(),
            retention_ms,
        };
        self.group.commit(vec![offset], self.now_ms);
    }

    /// Topics whose offsets are over, and whether the group is.
    fn expired(&self) -> (Vec<String>, bool) {
        let expired = self.group.expired(self.now_ms, RETENTION_MS);
        expired.map_or_else(Default::default, |expired| {
            let topics = expired.offsets.iter().map(|((topic, _), _)| topic.to_string());
            (topics.collect(), expired.whole_group)
        })
    }
}

#[test]
fn f14_offsets_of_who_only_keeps_them_here_are_over_by_their_commit() {
    let mut world = World::new();
    world.keep("old", None);
    world.pass(RETENTION_MS - 1);
    world.keep("new", None);
    assert_eq!(world.expired(), (vec![], false));
    world.pass(1);
    assert_eq!(world.expired(), (vec!["old".into()], false));
    world.keep("old", None);
    assert_eq!(world.expired(), (vec![], false), "committed again");
    world.pass(RETENTION_MS);
    assert_eq!(world.expired(), (vec!["new".into(), "old".into()], true));
}

#[test]
fn f14_a_group_keeps_its_offsets_while_it_lives_and_as_long_as_is_set_once_it_is_empty() {
    let mut world = World::new();
    let joining = JoinCommand {
        protocols: vec![("range".into(), Bytes::from_static(READS))],
        session_timeout_ms: 1_800_000,
        ..command("", Some("one"))
    };
    let join = world.join_with(&joining);
    world.pass(6_001);
    let member = world.joined(join).member_id;
    let assigning = world.sync(&member, 1, &[]);
    assert_eq!(world.synced(assigning).code, ErrorCode::NONE);
    world.keep("read", None);
    world.keep("not-read", None);
    world.pass(RETENTION_MS * 10);
    // It commits nothing and lives: what it reads stays, what it stopped reading goes by the commit.
    assert_eq!(world.group.state, State::Stable);
    assert_eq!(world.expired(), (vec!["not-read".into()], false));
    let leaving = LeavingMember { member_id: member, instance_id: Some("one".into()) };
    world.group.leave(&[leaving], world.now_ms, &mut world.answers);
    assert_eq!(world.group.state, State::Empty);
    // From here on all of it counts from when the group became empty.
    world.pass(RETENTION_MS - 1);
    assert_eq!(world.expired(), (vec![], false));
    world.pass(1);
    assert_eq!(world.expired(), (vec!["not-read".into(), "read".into()], true));
    // What is being stored is not over, nor is a group for which somebody holds an id.
    world.group.begin_commit(&[("read".into(), 0)]);
    assert_eq!(world.expired(), (vec!["not-read".into()], false));
    world.group.end_commit(&[("read".into(), 0)]);
    world.join_with(&command("", None));
    assert_eq!(world.expired(), (vec!["not-read".into(), "read".into()], false));
}

#[test]
fn f14_a_commit_may_say_how_long_it_is_kept() {
    let mut world = World::new();
    world.keep("short", Some(10));
    world.keep("long", Some(RETENTION_MS * 3));
    world.pass(10);
    assert_eq!(world.expired(), (vec!["short".into()], false));
    world.pass(RETENTION_MS * 2);
    assert_eq!(world.expired(), (vec!["short".into()], false));
    world.pass(RETENTION_MS);
    assert_eq!(world.expired(), (vec!["long".into(), "short".into()], true));
}

#[test]
fn a_group_without_members_and_offsets_is_over_at_once() {
    assert_eq!(World::new().expired(), (vec![], true));
}
