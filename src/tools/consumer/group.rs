//! A member of a classic group: joins with the range assignor, takes over its partitions, commits, leaves.
//!
//! All calls block; they belong to the tool's thread. Before it joins again, the member gives up all partitions
//! ("eager"): the caller commits first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::heartbeat::{Heartbeat, Membership, leave};
use super::range::{Member, assign};
use super::settings::ConsumerSettings;
use super::{TopicPartition, embedded};
use crate::protocol::ErrorCode;
use crate::protocol::messages::join_group::JoinGroupRequestProtocol;
use crate::protocol::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};
use crate::protocol::messages::offset_fetch::{
    OffsetFetchRequestGroup, OffsetFetchRequestTopic, OffsetFetchRequestTopics,
};
use crate::protocol::messages::sync_group::SyncGroupRequestAssignment;
use crate::protocol::messages::{
    JoinGroupRequest, JoinGroupResponse, OffsetCommitRequest, OffsetCommitResponse, OffsetFetchRequest,
    OffsetFetchResponse, SyncGroupRequest, SyncGroupResponse,
};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Address, Client, ClientError, Node};
use crate::tools::log;

const PROTOCOL_TYPE: &str = "consumer";
const PROTOCOL_NAME: &str = "range";
/// From this version on OffsetCommit and OffsetFetch name topics by their ids.
const BY_TOPIC_ID: i16 = 10;
/// How long an answer to JoinGroup may come after the rebalance has timed out.
const JOIN_MARGIN: Duration = Duration::from_secs(5);

/// See the module.
pub(super) struct Group {
    settings: Arc<ConsumerSettings>,
    heartbeat: Heartbeat,
    coordinator: Option<i32>,
    member_id: String,
    generation: i32,
    joined: bool,
    /// Partition counts that the assignment was made of, if this member made it.
    leads: Option<BTreeMap<String, i32>>,
}

impl Group {
    pub(super) fn new(settings: Arc<ConsumerSettings>) -> Result<Self, ClientError> {
        let heartbeat = Heartbeat::start(&settings)?;
        let (coordinator, member_id) = (None, String::new());
        Ok(Self { settings, heartbeat, coordinator, member_id, generation: -1, joined: false, leads: None })
    }

    /// Whether the group still knows this member: until it joins again, it may commit what it was assigned.
    pub(super) fn may_commit(&self) -> bool {
        self.generation >= 0 && !self.member_id.is_empty()
    }

    /// Heeds what the heartbeats found out; true if the member must join again.
    pub(super) fn must_rejoin(&mut self, client: &mut Client) -> bool {
        match self.heartbeat.polled() {
            None | Some(ErrorCode::NONE) => {}
            Some(code @ (ErrorCode::COORDINATOR_NOT_AVAILABLE | ErrorCode::NOT_COORDINATOR)) => {
                log::warn_rarely(&format!(
                    "The coordinator of group {} is lost: {code}",
                    self.settings.group_id
                ));
                self.coordinator = None;
            }
            Some(code) => self.lost(code),
        }
        if self.joined && self.coordinator.is_none() {
            // The membership may have survived: another coordinator goes on with it.
            match self.node(client) {
                Ok(node) => self.beat(client.address(node)),
                Err(error) => log::warn_rarely(&error.to_string()),
            }
        }
        !self.joined
    }

    /// Has heartbeats sent to this coordinator.
    fn beat(&self, coordinator: Option<Address>) {
        let (generation, member_id) = (self.generation, self.member_id.clone());
        self.heartbeat.set(coordinator.map(|coordinator| Membership { coordinator, generation, member_id }));
    }

    fn lost(&mut self, code: ErrorCode) {
        self.joined = false;
        match code {
            ErrorCode::UNKNOWN_MEMBER_ID => {
                self.member_id.clear();
                self.generation = -1;
            }
            ErrorCode::ILLEGAL_GENERATION => self.generation = -1,
            _ => {}
        }
    }

    /// Partition counts changed that the leader's assignment was made of.
    pub(super) fn check_metadata(&mut self, client: &Client) {
        let Some(counts) = &self.leads else { return };
        let count =
            |topic: &str| client.cluster().topics.get(topic).map_or(0, |topic| topic.partitions.len() as i32);
        if counts.iter().any(|(topic, before)| count(topic) != *before) {
            self.joined = false;
        }
    }

    /// Makes the member join again at the next occasion.
    pub(super) fn rejoin(&mut self) {
        self.joined = false;
    }

    fn node(&mut self, client: &mut Client) -> Result<Node, ClientError> {
        let id = match self.coordinator {
            Some(id) => id,
            None => client.find_group_coordinator(&self.settings.group_id)?,
        };
        self.coordinator = Some(id);
        Ok(Node::Coordinator(id))
    }

    /// Joins the group, and gives the partitions that this member gets.
    ///
    /// # Errors
    /// What does not pass by trying again.
    pub(super) fn join(
        &mut self,
        client: &mut Client,
        topics: &[String],
    ) -> Result<Vec<TopicPartition>, ClientError> {
        self.heartbeat.set(None);
        self.joined = false;
        loop {
            match self.try_join(client, topics) {
                Ok(partitions) => return Ok(partitions),
                Err(error) => self.after_failure(error)?,
            }
        }
    }

    /// Decides whether to try again.
    fn after_failure(&mut self, error: ClientError) -> Result<(), ClientError> {
        let pause = match error.code() {
            // The new member id was taken over.
            Some(ErrorCode::MEMBER_ID_REQUIRED) => return Ok(()),
            Some(code @ (ErrorCode::UNKNOWN_MEMBER_ID | ErrorCode::ILLEGAL_GENERATION)) => {
                self.lost(code);
                return Ok(());
            }
            Some(ErrorCode::REBALANCE_IN_PROGRESS) => Duration::ZERO,
            _ if error.is_retriable() => {
                log::warn_rarely(&format!("Joining group {} failed: {error}", self.settings.group_id));
                self.coordinator = None;
                self.settings.retry_backoff
            }
            _ => return Err(error),
        };
        std::thread::sleep(pause);
        Ok(())
    }

    fn try_join(
        &mut self,
        client: &mut Client,
        topics: &[String],
    ) -> Result<Vec<TopicPartition>, ClientError> {
        let node = self.node(client)?;
        let settings = Arc::clone(&self.settings);
        let metadata = embedded::subscription(topics)?;
        let version = client.version::<JoinGroupRequest<'_>>(node, i16::MAX)?;
        let request = JoinGroupRequest {
            group_id: &settings.group_id,
            session_timeout_ms: settings.session_timeout.as_millis() as i32,
            rebalance_timeout_ms: settings.max_poll_interval.as_millis() as i32,
            member_id: &self.member_id,
            group_instance_id: settings.instance_id.as_deref(),
            protocol_type: PROTOCOL_TYPE,
            protocols: vec![JoinGroupRequestProtocol { name: PROTOCOL_NAME, metadata: &metadata }],
            reason: None,
        };
        let timeout = settings.max_poll_interval + JOIN_MARGIN;
        let answer = client.call_node(node, &request, version, Some(timeout))?;
        let response = answer.decode::<JoinGroupResponse<'_>>()?;
        if !response.member_id.is_empty() {
            self.member_id = response.member_id.to_owned();
        }
        ClientError::check(response.error_code, None)?;
        self.generation = response.generation_id;
        self.leads = None;
        let assignments = if response.leader == self.member_id && !response.skip_assignment {
            self.assignments(client, &response)?
        } else {
            Vec::new()
        };
        self.sync(client, node, &assignments)
    }

    /// As the leader: who gets what, as bytes.
    fn assignments(
        &mut self,
        client: &mut Client,
        response: &JoinGroupResponse<'_>,
    ) -> Result<Vec<(String, Vec<u8>)>, ClientError> {
        let members = response
            .members
            .iter()
            .map(|member| {
                Ok(Member {
                    id: member.member_id.to_owned(),
                    instance_id: member.group_instance_id.map(str::to_owned),
                    topics: embedded::subscribed_topics(member.metadata)?,
                })
            })
            .collect::<Result<Vec<_>, ClientError>>()?;
        let mut topics: Vec<&str> =
            members.iter().flat_map(|member| &member.topics).map(String::as_str).collect();
        topics.sort_unstable();
        topics.dedup();
        client.refresh(Topics::Named(&topics), true)?;
        let known = &client.cluster().topics;
        let count = |topic: &str| known.get(topic).map(|topic| topic.partitions.len() as i32);
        let assigned = assign(&members, count);
        self.leads =
            Some(topics.iter().map(|topic| ((*topic).to_owned(), count(topic).unwrap_or(0))).collect());
        let bytes =
            |(member, list): (String, Vec<TopicPartition>)| Ok((member, embedded::assignment(&list)?));
        assigned.into_iter().map(bytes).collect()
    }

    fn sync(
        &mut self,
        client: &mut Client,
        node: Node,
        assignments: &[(String, Vec<u8>)],
    ) -> Result<Vec<TopicPartition>, ClientError> {
        let settings = Arc::clone(&self.settings);
        let request = SyncGroupRequest {
            group_id: &settings.group_id,
            generation_id: self.generation,
            member_id: &self.member_id,
            group_instance_id: settings.instance_id.as_deref(),
            protocol_type: Some(PROTOCOL_TYPE),
            protocol_name: Some(PROTOCOL_NAME),
            assignments: assignments
                .iter()
                .map(|(member_id, assignment)| SyncGroupRequestAssignment { member_id, assignment })
                .collect(),
        };
        let timeout = settings.max_poll_interval + JOIN_MARGIN;
        let answer = client.call_node(node, &request, i16::MAX, Some(timeout))?;
        let response = answer.decode::<SyncGroupResponse<'_>>()?;
        ClientError::check(response.error_code, None)?;
        let partitions = embedded::assigned(response.assignment)?;
        self.joined = true;
        self.beat(client.address(node));
        Ok(partitions)
    }

    /// Commits positions.
    ///
    /// # Errors
    /// The first one. If the group went on without this member, it joins again at the next occasion.
    pub(super) fn commit(
        &mut self,
        client: &mut Client,
        positions: &BTreeMap<TopicPartition, i64>,
    ) -> Result<(), ClientError> {
        let node = self.node(client)?;
        let settings = Arc::clone(&self.settings);
        let mut topics: Vec<OffsetCommitRequestTopic<'_>> = Vec::new();
        for ((topic, partition), offset) in positions {
            if topics.last().is_none_or(|last| last.name != &**topic) {
                topics.push(OffsetCommitRequestTopic { name: topic, ..Default::default() });
            }
            let partition = OffsetCommitRequestPartition {
                partition_index: *partition,
                committed_offset: *offset,
                committed_leader_epoch: -1,
                committed_metadata: Some(""),
            };
            topics.last_mut().map(|last| last.partitions.push(partition)).unwrap_or_default();
        }
        let request = OffsetCommitRequest {
            group_id: &settings.group_id,
            generation_id_or_member_epoch: self.generation,
            member_id: &self.member_id,
            group_instance_id: settings.instance_id.as_deref(),
            topics,
            ..Default::default()
        };
        let answer = client.call_node(node, &request, BY_TOPIC_ID - 1, None)?;
        let response = answer.decode::<OffsetCommitResponse<'_>>()?;
        for partition in response.topics.iter().flat_map(|topic| &topic.partitions) {
            let code = ErrorCode(partition.error_code);
            match code {
                ErrorCode::NOT_COORDINATOR | ErrorCode::COORDINATOR_NOT_AVAILABLE => self.coordinator = None,
                ErrorCode::UNKNOWN_MEMBER_ID
                | ErrorCode::ILLEGAL_GENERATION
                | ErrorCode::REBALANCE_IN_PROGRESS => {
                    self.lost(code);
                }
                _ => {}
            }
            ClientError::check(partition.error_code, None)?;
        }
        Ok(())
    }

    /// The committed offsets of partitions; those without one are left out.
    ///
    /// # Errors
    /// The first one.
    pub(super) fn committed(
        &mut self,
        client: &mut Client,
        partitions: &[TopicPartition],
    ) -> Result<BTreeMap<TopicPartition, i64>, ClientError> {
        let node = self.node(client)?;
        let settings = Arc::clone(&self.settings);
        let mut by_topic: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
        for (topic, partition) in partitions {
            by_topic.entry(topic).or_default().push(*partition);
        }
        let version = client.version::<OffsetFetchRequest<'_>>(node, BY_TOPIC_ID - 1)?;
        let stable = settings.committed_only && version >= 7;
        let mut request = OffsetFetchRequest { require_stable: stable, ..Default::default() };
        if version >= 8 {
            let topic = |(name, partition_indexes)| OffsetFetchRequestTopics {
                name,
                partition_indexes,
                ..Default::default()
            };
            request.groups = vec![OffsetFetchRequestGroup {
                group_id: &settings.group_id,
                topics: Some(by_topic.into_iter().map(topic).collect()),
                ..Default::default()
            }];
        } else {
            let topic = |(name, partition_indexes)| OffsetFetchRequestTopic { name, partition_indexes };
            request.group_id = &settings.group_id;
            request.topics = Some(by_topic.into_iter().map(topic).collect());
        }
        let answer = client.call_node(node, &request, version, None)?;
        let result = offsets_in(&answer.decode::<OffsetFetchResponse<'_>>()?);
        if let Err(error) = &result
            && matches!(error.code(), Some(ErrorCode::NOT_COORDINATOR | ErrorCode::COORDINATOR_NOT_AVAILABLE))
        {
            self.coordinator = None;
        }
        result
    }

    /// Leaves the group, unless it is a static member, whose place stays its own.
    pub(super) fn close(&mut self, client: &mut Client) {
        self.heartbeat.set(None);
        if self.member_id.is_empty() || self.settings.instance_id.is_some() {
            return;
        }
        let Some(id) = self.coordinator else { return };
        if let Err(error) = leave(client, Node::Coordinator(id), &self.settings.group_id, &self.member_id) {
            log::warn(&format!("Leaving the group {} failed: {error}", self.settings.group_id));
        }
        self.member_id.clear();
        self.joined = false;
    }
}

fn offsets_in(response: &OffsetFetchResponse<'_>) -> Result<BTreeMap<TopicPartition, i64>, ClientError> {
    let mut offsets = BTreeMap::new();
    let mut keep = |topic: &str, partition: i32, offset: i64, code: i16| {
        ClientError::check(code, None)?;
        if offset >= 0 {
            offsets.insert((Arc::from(topic), partition), offset);
        }
        Ok::<_, ClientError>(())
    };
    ClientError::check(response.error_code, None)?;
    for topic in &response.topics {
        for found in &topic.partitions {
            keep(topic.name, found.partition_index, found.committed_offset, found.error_code)?;
        }
    }
    for group in &response.groups {
        ClientError::check(group.error_code, None)?;
        for topic in &group.topics {
            for found in &topic.partitions {
                keep(topic.name, found.partition_index, found.committed_offset, found.error_code)?;
            }
        }
    }
    Ok(offsets)
}
