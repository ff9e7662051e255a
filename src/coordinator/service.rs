//! The groups of one shard: loads them, runs their requests and deadlines, stores what must be kept.
//!
//! One partition of the offsets topic is loaded before any of its groups is served. What a request changes is stored, and
//! flushed, before it is answered; the memory follows the log. All of a group's requests run on this shard, in turn.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ahash::AHashMap;

use super::command::{
    CommitOffset, GroupAnswer, GroupDescription, GroupRequest, GroupSummary, JoinAnswer, SyncAnswer,
};
use super::group::{Answers, Group};
use super::load::load_groups;
use super::member::Token;
use super::offsets::{fetched, unknown_group};
use super::records::{self, Stored};
use super::rules::GroupRules;
use crate::controller::{MetadataDelta, MetadataImage, TopicImage};
use crate::partition::{Partition, Partitions, ShardTable};
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::sync::{Notify, Sender, oneshot};
use crate::runtime::{Runtime, ShardId};
use crate::server::GroupCall;

/// The topic that keeps groups.
const OFFSETS_TOPIC: &str = "__consumer_offsets";

/// The groups of a partition, by name.
pub(super) type Groups = BTreeMap<String, Group>;

enum Slot {
    Loading,
    Loaded(Groups),
    Failed,
}

/// The coordinator of a shard.
pub struct Coordinator {
    pub(super) runtime: Runtime,
    partitions: Rc<Partitions>,
    pub(super) rules: GroupRules,
    shard: ShardId,
    owners: Arc<ShardTable>,
    topic_id: Cell<Option<Uuid>>,
    slots: RefCell<AHashMap<i32, Slot>>,
    waiting: RefCell<AHashMap<Token, Sender<GroupAnswer>>>,
    next_token: Cell<Token>,
    /// The earliest deadline may have changed.
    deadlines_changed: Notify,
    /// Offsets were stored, or could not be.
    pub(super) commits_ended: Notify,
}

impl Coordinator {
    /// A coordinator without groups. Its deadlines are kept by [`Coordinator::keep_deadlines`].
    #[must_use]
    pub fn new(
        runtime: &Runtime,
        partitions: Rc<Partitions>,
        rules: GroupRules,
        shard: ShardId,
        owners: Arc<ShardTable>,
    ) -> Rc<Self> {
        Rc::new(Self {
            runtime: runtime.clone(),
            partitions,
            rules,
            shard,
            owners,
            topic_id: Cell::new(None),
            slots: RefCell::default(),
            waiting: RefCell::default(),
            next_token: Cell::new(0),
            deadlines_changed: Notify::default(),
            commits_ended: Notify::default(),
        })
    }

    /// Takes over what a new image says: partitions of the offsets topic to load, topics whose offsets go.
    pub fn on_metadata(self: &Rc<Self>, image: &MetadataImage, delta: &MetadataDelta) {
        match image.topics.by_name(OFFSETS_TOPIC) {
            Some(topic) => self.take_partitions(topic),
            None => {
                self.topic_id.set(None);
                self.slots.borrow_mut().clear();
            }
        }
        for topic in &delta.deleted_topics {
            let coordinator = self.clone();
            let name = topic.name.clone();
            self.runtime.spawn(async move { coordinator.forget_topic(&name).await }).detach();
        }
    }

    fn take_partitions(self: &Rc<Self>, topic: &TopicImage) {
        if self.topic_id.replace(Some(topic.id)) != Some(topic.id) {
            self.slots.borrow_mut().clear();
        }
        for index in 0..topic.partitions.len() as i32 {
            let mine = self.owners.owner(topic.id, index) == self.shard;
            if !mine || self.slots.borrow().contains_key(&index) {
                continue;
            }
            let Some(partition) = self.partitions.get(topic.id, index) else { continue };
            if partition.log().log_end_offset() == partition.log().log_start_offset() {
                self.slots.borrow_mut().insert(index, Slot::Loaded(BTreeMap::new()));
                continue;
            }
            self.slots.borrow_mut().insert(index, Slot::Loading);
            let coordinator = self.clone();
            self.runtime.spawn(async move { coordinator.load(index, partition).await }).detach();
        }
    }

    async fn load(&self, index: i32, partition: Rc<Partition>) {
        let slot = match load_groups(&self.runtime, &partition).await {
            Ok(groups) => {
                tracing::info!(partition = index, groups = groups.len(), "groups loaded");
                Slot::Loaded(groups)
            }
            Err(error) => {
                tracing::error!(partition = index, %error, "the groups of this partition cannot be loaded");
                Slot::Failed
            }
        };
        self.slots.borrow_mut().insert(index, slot);
        self.deadlines_changed.notify();
    }

    /// The partitions whose groups are served.
    pub(super) fn loaded(&self) -> Vec<i32> {
        let slots = self.slots.borrow();
        slots.iter().filter(|(_, slot)| matches!(slot, Slot::Loaded(_))).map(|(index, _)| *index).collect()
    }

    /// Does something with the groups of a partition, if they can be served now.
    pub(super) fn with_groups<R>(
        &self,
        partition: i32,
        work: impl FnOnce(&mut Groups) -> R,
    ) -> Result<R, ErrorCode> {
        match self.slots.borrow_mut().get_mut(&partition) {
            Some(Slot::Loaded(groups)) => Ok(work(groups)),
            Some(Slot::Loading) => Err(ErrorCode::COORDINATOR_LOAD_IN_PROGRESS),
            Some(Slot::Failed) => Err(ErrorCode::COORDINATOR_NOT_AVAILABLE),
            None => Err(ErrorCode::NOT_COORDINATOR),
        }
    }

    /// Runs a request; ends with its answer.
    pub async fn call(self: &Rc<Self>, call: GroupCall) -> GroupAnswer {
        let name = call.command.group;
        let now_ms = self.runtime.wall_clock_ms();
        let result = match call.command.request {
            GroupRequest::Commit { member_id, instance_id, generation, version, offsets } => {
                let who = (member_id.as_str(), instance_id.as_deref(), generation, version);
                self.commit(call.partition, &name, who, offsets).await
            }
            GroupRequest::Offsets(asked) => self.with_groups(call.partition, |groups| {
                GroupAnswer::Offsets(match groups.get(&name) {
                    Some(group) => group.fetch_offsets(asked),
                    None => asked.unwrap_or_default().into_iter().map(|place| fetched(place, None)).collect(),
                })
            }),
            GroupRequest::Describe => self.with_groups(call.partition, |groups| {
                GroupAnswer::Described(groups.get(&name).map_or_else(no_such_group, Group::describe))
            }),
            GroupRequest::Delete => self.delete(call.partition, &name).await,
            GroupRequest::DeleteOffsets(places) => self.delete_offsets(call.partition, &name, places).await,
            GroupRequest::Heartbeat { member_id, instance_id, generation } => {
                self.with_groups(call.partition, |groups| {
                    GroupAnswer::Code(groups.get_mut(&name).map_or(ErrorCode::UNKNOWN_MEMBER_ID, |group| {
                        group.heartbeat(&member_id, instance_id.as_deref(), generation, now_ms)
                    }))
                })
            }
            request => self.change(call.partition, name, request).await,
        };
        result.unwrap_or_else(GroupAnswer::failed)
    }

    /// Join, sync, leave: what may change members.
    async fn change(
        self: &Rc<Self>,
        partition: i32,
        name: String,
        request: GroupRequest,
    ) -> Result<GroupAnswer, ErrorCode> {
        let now_ms = self.runtime.wall_clock_ms();
        let token = self.next_token.replace(self.next_token.get() + 1);
        let (sender, receiver) = oneshot();
        let mut answers: Answers = Vec::new();
        let rules = self.rules;
        self.with_groups(partition, |groups| match request {
            GroupRequest::Join(command) => {
                let may_make = command.member_id.is_empty() && command.instance_id.is_none()
                    || command.instance_id.is_some() && command.member_id.is_empty();
                if !groups.contains_key(&name) && !may_make {
                    let failed = JoinAnswer::failed(ErrorCode::UNKNOWN_MEMBER_ID, &command.member_id);
                    answers.push((token, GroupAnswer::Join(failed)));
                    return;
                }
                let group = groups.entry(name.clone()).or_insert_with(|| Group::new(name.clone(), now_ms));
                let random = (self.runtime.random_u64(), self.runtime.random_u64());
                let new_id = |stem: &str| format!("{stem}-{}", uuid_text(random));
                group.join(&command, token, now_ms, &rules, new_id, &mut answers);
            }
            GroupRequest::Sync(command) => match groups.get_mut(&name) {
                Some(group) => group.sync(command, token, now_ms, &mut answers),
                None => {
                    let failed = SyncAnswer::failed(ErrorCode::UNKNOWN_MEMBER_ID);
                    answers.push((token, GroupAnswer::Sync(failed)));
                }
            },
            GroupRequest::Leave(leaving) => {
                let codes = match groups.get_mut(&name) {
                    Some(group) => group.leave(&leaving, now_ms, &mut answers),
                    None => vec![ErrorCode::UNKNOWN_MEMBER_ID; leaving.len()],
                };
                answers.push((token, GroupAnswer::Left(codes)));
            }
            _ => {}
        })?;
        self.waiting.borrow_mut().insert(token, sender);
        self.settle(partition, &name, answers).await;
        self.deadlines_changed.notify();
        Ok(receiver.await.unwrap_or_else(|| GroupAnswer::failed(ErrorCode::COORDINATOR_NOT_AVAILABLE)))
    }

    /// Stores the group if it must be, then lets the answers go.
    async fn settle(self: &Rc<Self>, partition: i32, name: &str, answers: Answers) {
        let record = self.with_groups(partition, |groups| {
            let group = groups.get_mut(name)?;
            std::mem::take(&mut group.must_store).then(|| records::members(group))
        });
        let stored = match record {
            Ok(Some(Ok(record))) => self.store(partition, vec![record]).await,
            Ok(Some(Err(error))) => {
                tracing::error!(group = name, %error, "a group cannot be encoded");
                Err(ErrorCode::UNKNOWN_SERVER_ERROR)
            }
            _ => Ok(()),
        };
        for (token, answer) in answers {
            let Some(sender) = self.waiting.borrow_mut().remove(&token) else { continue };
            sender.send(match (&stored, answer) {
                (Err(code), GroupAnswer::Sync(_)) => GroupAnswer::Sync(SyncAnswer::failed(*code)),
                (_, answer) => answer,
            });
        }
    }

    /// Appends records to a partition of the offsets topic; ends when they are flushed.
    async fn store(&self, partition: i32, records: Vec<Stored>) -> Result<(), ErrorCode> {
        self.store_if(partition, records, |_| true).await.map(drop)
    }

    /// [`Coordinator::store`], if the groups are still so that these records are right: nothing comes between `holds` and
    /// the append. Whether it was so.
    pub(super) async fn store_if(
        &self,
        index: i32,
        records: Vec<Stored>,
        holds: impl FnOnce(&Groups) -> bool,
    ) -> Result<bool, ErrorCode> {
        let topic_id = self.topic_id.get().ok_or(ErrorCode::NOT_COORDINATOR)?;
        let partition = self.partitions.get(topic_id, index).ok_or(ErrorCode::NOT_COORDINATOR)?;
        let now_ms = self.runtime.wall_clock_ms();
        let batch = records::batch(&records, now_ms).map_err(|error| {
            tracing::error!(%error, "group records cannot be stored");
            ErrorCode::UNKNOWN_SERVER_ERROR
        })?;
        let unavailable = |error: &crate::log::LogError| {
            tracing::error!(%error, "group records cannot be stored");
            ErrorCode::COORDINATOR_NOT_AVAILABLE
        };
        let _room = partition.log().reserve(batch.len()).await.map_err(|error| unavailable(&error))?;
        if !self.with_groups(index, |groups| holds(groups))? {
            return Ok(false);
        }
        let accepted = partition.append_own(&batch, now_ms).map_err(|failure| match failure.code {
            ErrorCode::NOT_LEADER_OR_FOLLOWER => ErrorCode::NOT_COORDINATOR,
            _ => ErrorCode::COORDINATOR_NOT_AVAILABLE,
        })?;
        partition.log().durable(accepted.end_offset).await.map_err(|error| unavailable(&error))?;
        Ok(true)
    }

    async fn commit(
        &self,
        partition: i32,
        name: &str,
        (member_id, instance_id, generation, version): (&str, Option<&str>, i32, i16),
        offsets: Vec<CommitOffset>,
    ) -> Result<GroupAnswer, ErrorCode> {
        let now_ms = self.runtime.wall_clock_ms();
        let limit = self.rules.max_offset_metadata_bytes;
        let code_of = |offset: &CommitOffset| {
            if offset.metadata.len() > limit { ErrorCode::OFFSET_METADATA_TOO_LARGE } else { ErrorCode::NONE }
        };
        let mut codes: Vec<ErrorCode> = offsets.iter().map(code_of).collect();
        let taken: Vec<CommitOffset> =
            offsets.into_iter().filter(|offset| code_of(offset).is_none()).collect();
        let places: Vec<_> = taken.iter().map(|offset| (offset.topic.clone(), offset.partition)).collect();
        self.with_groups(partition, |groups| {
            match groups.get_mut(name) {
                Some(group) => group.check_commit(member_id, instance_id, generation, now_ms)?,
                None if generation < 0 => {}
                None => return Err(unknown_group(version)),
            }
            let group = groups.entry(name.to_owned()).or_insert_with(|| Group::new(name.to_owned(), now_ms));
            group.begin_commit(&places);
            Ok(())
        })??;
        if taken.is_empty() {
            return Ok(GroupAnswer::Committed(codes));
        }
        let encoded: Result<Vec<Stored>, _> =
            taken.iter().map(|offset| records::offset(name, offset, now_ms)).collect();
        let stored = match encoded {
            Ok(records) => self.store(partition, records).await,
            Err(_) => Err(ErrorCode::INVALID_COMMIT_OFFSET_SIZE),
        };
        let ended = self.with_groups(partition, |groups| {
            if let Some(group) = groups.get_mut(name) {
                group.end_commit(&places);
            }
            if stored.is_ok() {
                let new = || Group::new(name.to_owned(), now_ms);
                groups.entry(name.to_owned()).or_insert_with(new).commit(taken, now_ms);
            }
        });
        self.commits_ended.notify();
        ended?;
        if let Err(code) = stored {
            codes.iter_mut().filter(|known| known.is_none()).for_each(|known| *known = code);
        }
        Ok(GroupAnswer::Committed(codes))
    }

    /// The groups of this shard.
    #[must_use]
    pub fn list(&self) -> Vec<GroupSummary> {
        let slots = self.slots.borrow();
        let loaded = slots.values().filter_map(|slot| match slot {
            Slot::Loaded(groups) => Some(groups),
            _ => None,
        });
        loaded.flat_map(|groups| groups.values().map(Group::summary)).collect()
    }

    /// Whether any partition of this shard is still being loaded.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        self.slots.borrow().values().any(|slot| matches!(slot, Slot::Loading))
    }

    fn next_deadline_ms(&self) -> Option<i64> {
        let slots = self.slots.borrow();
        let loaded = slots.values().filter_map(|slot| match slot {
            Slot::Loaded(groups) => Some(groups),
            _ => None,
        });
        loaded.flat_map(|groups| groups.values().filter_map(Group::next_deadline_ms)).min()
    }

    /// Keeps the groups' deadlines, for ever.
    pub async fn keep_deadlines(self: Rc<Self>) {
        loop {
            let changed = self.deadlines_changed.wait();
            match self.next_deadline_ms() {
                None => changed.await,
                Some(at_ms) => {
                    let wait_ms = at_ms.saturating_sub(self.runtime.wall_clock_ms()).max(0);
                    let wait = Duration::from_millis(u64::try_from(wait_ms).unwrap_or_default());
                    if self.runtime.timeout(wait, changed).await.is_none() {
                        self.tick().await;
                    }
                }
            }
        }
    }

    async fn tick(self: &Rc<Self>) {
        let now_ms = self.runtime.wall_clock_ms();
        let mut due: Vec<(i32, String, Answers)> = Vec::new();
        for (&partition, slot) in self.slots.borrow_mut().iter_mut() {
            let Slot::Loaded(groups) = slot else { continue };
            for group in groups.values_mut() {
                if group.next_deadline_ms().is_some_and(|at_ms| at_ms <= now_ms) {
                    let mut answers = Answers::new();
                    group.tick(now_ms, self.rules.initial_rebalance_delay_ms, &mut answers);
                    due.push((partition, group.name.clone(), answers));
                }
            }
        }
        for (partition, name, answers) in due {
            let coordinator = self.clone();
            self.runtime.spawn(async move { coordinator.settle(partition, &name, answers).await }).detach();
        }
    }
}

fn no_such_group() -> GroupDescription {
    GroupDescription {
        code: ErrorCode::GROUP_ID_NOT_FOUND,
        state: "Dead",
        protocol_type: String::new(),
        protocol: String::new(),
        members: Vec::new(),
    }
}

/// Random bits in the form of a UUID, as Kafka's member ids have it.
fn uuid_text((high, low): (u64, u64)) -> String {
    let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0x0fff);
    let (d, e) = ((low >> 48) & 0x3fff | 0x8000, low & 0xffff_ffff_ffff);
    format!("{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{e:012x}")
}
