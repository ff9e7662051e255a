//! What a tool holds of a consumer: records one by one, in the order of their partitions.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::chunk::ConsumerRecord;
use super::fetcher::{Fetcher, Trouble};
use super::group::Group;
use super::settings::{ConsumerSettings, OffsetReset};
use super::{TopicPartition, offsets};
use crate::tools::client::blocking::Topics;
use crate::tools::client::{Client, ClientError};
use crate::tools::topic_filter::TopicFilter;
use crate::tools::{client_settings, log};

/// Longest wait without looking at the group and the clock.
const LOOK: Duration = Duration::from_millis(100);

/// What is read.
#[derive(Clone, Debug)]
pub enum Source {
    /// Topics, shared with the group.
    Topics(Vec<String>),
    /// Topics that a filter lets through, shared with the group.
    Filter(TopicFilter),
    /// One partition, from an offset: see [`super::offsets`] for the negative ones.
    Partition {
        /// Its topic.
        topic: String,
        /// Its number.
        partition: i32,
        /// An offset, -2 for the first, -1 for the end.
        offset: i64,
    },
    /// Every partition that a topic has, each from its end on.
    WholeTopic(String),
}

/// Records that one batch of them has at most: `max.poll.records` as its default is.
const BATCH_RECORDS: usize = 500;

/// What happened to a member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupEvent {
    /// It gave these partitions up, to join again.
    Revoked(Vec<TopicPartition>),
    /// It was assigned these.
    Assigned(Vec<TopicPartition>),
}

/// See the module.
pub struct Consumer {
    settings: Arc<ConsumerSettings>,
    source: Source,
    client: Client,
    fetcher: Fetcher,
    group: Option<Group>,
    stop: Arc<AtomicBool>,
    assigned: Vec<TopicPartition>,
    events: Vec<(Instant, GroupEvent)>,
    /// Offsets behind what was given to the tool, of partitions that are assigned.
    consumed: BTreeMap<TopicPartition, i64>,
    /// What of it is committed.
    committed: BTreeMap<TopicPartition, i64>,
    records: VecDeque<ConsumerRecord>,
    next_commit: Instant,
    next_refresh: Instant,
    next_look: Instant,
}

impl Consumer {
    /// No connection is made yet. The consumer stops waiting soon after `stop` is raised.
    ///
    /// # Errors
    /// [`ClientError::Config`].
    pub fn new(
        settings: ConsumerSettings,
        source: Source,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, ClientError> {
        let client_id = "console-consumer";
        let mut client = client_settings::client(&settings.client, client_id)?;
        client.stop_at(Some(Arc::clone(&stop)));
        let network = client_settings::network(&settings.client, client_id, 30_000)?;
        let settings = Arc::new(settings);
        let group = match source {
            Source::Partition { .. } | Source::WholeTopic(_) => None,
            _ if settings.group_id.is_empty() => {
                return Err(ClientError::Config("a group.id is needed to subscribe to topics".to_owned()));
            }
            _ => Some(Group::new(Arc::clone(&settings))?),
        };
        let now = Instant::now();
        Ok(Self {
            fetcher: Fetcher::new(network, Arc::clone(&settings)),
            settings,
            source,
            client,
            group,
            stop,
            assigned: Vec::new(),
            events: Vec::new(),
            consumed: BTreeMap::new(),
            committed: BTreeMap::new(),
            records: VecDeque::new(),
            next_commit: now,
            next_refresh: now,
            next_look: now,
        })
    }

    /// The next record; `None` when there is none until `deadline`.
    ///
    /// # Errors
    /// [`ClientError::Interrupted`] after the stop, or what does not pass by trying again.
    pub fn next(&mut self, deadline: Option<Instant>) -> Result<Option<ConsumerRecord>, ClientError> {
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return Err(ClientError::Interrupted);
            }
            let now = Instant::now();
            if now >= self.next_look {
                self.look_around(now)?;
                self.next_look = now + LOOK;
            }
            if self.records.is_empty() {
                self.fetcher.next_batch(&mut self.records)?;
            }
            if let Some(record) = self.records.pop_front() {
                self.consumed.insert((Arc::clone(&record.topic), record.partition), record.offset + 1);
                return Ok(Some(record));
            }
            let left = deadline.map_or(LOOK, |end| end.saturating_duration_since(now));
            if left.is_zero() {
                return Ok(None);
            }
            self.fetcher.poll(self.client.cluster(), left.min(LOOK))?;
        }
    }

    /// The next record with those behind it that are here already, a few hundred at most: between them the group gives
    /// nothing to anybody else. Empty when there is none until `deadline`.
    ///
    /// # Errors
    /// See [`Consumer::next`].
    pub fn next_batch(&mut self, deadline: Option<Instant>) -> Result<Vec<ConsumerRecord>, ClientError> {
        let mut batch: Vec<ConsumerRecord> = self.next(deadline)?.into_iter().collect();
        while !batch.is_empty() && batch.len() < BATCH_RECORDS {
            if self.records.is_empty() && !self.fetcher.next_batch(&mut self.records)? {
                break;
            }
            let Some(record) = self.records.pop_front() else { continue };
            self.consumed.insert((Arc::clone(&record.topic), record.partition), record.offset + 1);
            batch.push(record);
        }
        Ok(batch)
    }

    /// Waits until it is known where each partition starts; true if that is so at the deadline.
    ///
    /// # Errors
    /// See [`Consumer::next`].
    pub fn settle(&mut self, deadline: Instant) -> Result<bool, ClientError> {
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return Err(ClientError::Interrupted);
            }
            let now = Instant::now();
            self.look_around(now)?;
            if !self.assigned.is_empty() && self.fetcher.without_position(&self.assigned).is_empty() {
                return Ok(true);
            }
            if now >= deadline {
                return Ok(false);
            }
            std::thread::sleep(self.settings.retry_backoff.min(LOOK));
        }
    }

    /// What happened in the group since the last time, and when.
    pub fn take_events(&mut self) -> Vec<(Instant, GroupEvent)> {
        std::mem::take(&mut self.events)
    }

    /// The partitions that are read now.
    pub fn assigned(&self) -> &[TopicPartition] {
        &self.assigned
    }

    /// Commits these positions; without a group, or when it does not know this member any more, nothing is committed.
    ///
    /// # Errors
    /// What the coordinator answers, after as many tries as the client's time allows.
    pub fn commit_positions(&mut self, positions: &BTreeMap<TopicPartition, i64>) -> Result<(), ClientError> {
        let Some(group) = &mut self.group else { return Ok(()) };
        if !positions.is_empty() {
            self.client.retry(|client| group.commit(client, positions))?;
            self.committed.extend(positions.iter().map(|(at, offset)| (at.clone(), *offset)));
        }
        Ok(())
    }

    /// Everything that is due besides fetching.
    fn look_around(&mut self, now: Instant) -> Result<(), ClientError> {
        if now >= self.next_refresh {
            self.refresh()?;
        }
        self.follow_group()?;
        if let Some(interval) = self.settings.auto_commit
            && now >= self.next_commit
        {
            self.next_commit = now + interval;
            if let Err(error) = self.commit() {
                log::warn_rarely(&format!("Offset commit failed: {error}"));
            }
        }
        self.heed_trouble(now)?;
        self.find_positions()
    }

    fn refresh(&mut self) -> Result<(), ClientError> {
        let named: Vec<String> = match &self.source {
            Source::Topics(topics) => topics.clone(),
            Source::Partition { topic, .. } | Source::WholeTopic(topic) => vec![topic.clone()],
            Source::Filter(_) => Vec::new(),
        };
        let before = self.subscription();
        if named.is_empty() {
            self.client.refresh(Topics::All, false)?;
        } else {
            let names: Vec<&str> = named.iter().map(String::as_str).collect();
            self.client.refresh(Topics::Named(&names), true)?;
        }
        let mut pause = self.settings.metadata_max_age;
        for (topic, code) in &self.client.cluster().topic_errors {
            log::warn_rarely(&format!("The metadata say: {{{topic}={code}}}"));
            if !code.is_retriable() {
                return Err(ClientError::Broker {
                    code: *code,
                    message: Some(format!("{code} for {topic}")),
                });
            }
            pause = self.settings.retry_backoff;
        }
        self.next_refresh = Instant::now() + pause;
        let after = self.subscription();
        if let Some(group) = &mut self.group {
            group.check_metadata(&self.client);
            if before != after {
                group.rejoin();
            }
        }
        Ok(())
    }

    /// Names of the topics that are subscribed to now.
    fn subscription(&self) -> Vec<String> {
        match &self.source {
            Source::Topics(topics) => topics.clone(),
            Source::Filter(filter) => {
                let names = self.client.cluster().topics.keys();
                let internal = self.settings.exclude_internal;
                names.filter(|name| filter.allows(name, internal)).map(ToString::to_string).collect()
            }
            Source::Partition { topic, .. } | Source::WholeTopic(topic) => vec![topic.clone()],
        }
    }

    fn follow_group(&mut self) -> Result<(), ClientError> {
        let Some(group) = &mut self.group else {
            if self.assigned.is_empty() {
                self.assigned = match &self.source {
                    Source::Partition { topic, partition, .. } => vec![(topic.as_str().into(), *partition)],
                    Source::WholeTopic(topic) => {
                        let known = self.client.cluster().topics.get(topic.as_str());
                        let partitions = known.into_iter().flat_map(|topic| &topic.partitions);
                        partitions.map(|partition| (topic.as_str().into(), partition.index)).collect()
                    }
                    Source::Topics(_) | Source::Filter(_) => Vec::new(),
                };
            }
            return Ok(());
        };
        if !group.must_rejoin(&mut self.client) {
            return Ok(());
        }
        // Give everything up first: another member may get it.
        if self.settings.auto_commit.is_some()
            && !self.assigned.is_empty()
            && let Err(error) = self.commit()
        {
            log::warn(&format!("Offset commit before a rebalance failed: {error}"));
        }
        self.fetcher.clear();
        self.records.clear();
        let revoked = std::mem::take(&mut self.assigned);
        if !revoked.is_empty() {
            self.events.push((Instant::now(), GroupEvent::Revoked(revoked)));
        }
        self.consumed.clear();
        self.committed.clear();
        let topics = self.subscription();
        if let Some(group) = &mut self.group {
            self.assigned = group.join(&mut self.client, &topics)?;
            self.events.push((Instant::now(), GroupEvent::Assigned(self.assigned.clone())));
        }
        let unknown: Vec<&str> = self
            .assigned
            .iter()
            .map(|(topic, _)| &**topic)
            .filter(|topic| !self.client.cluster().topics.contains_key(*topic))
            .collect();
        if !unknown.is_empty() {
            self.client.refresh(Topics::Named(&unknown), false)?;
        }
        Ok(())
    }

    fn heed_trouble(&mut self, now: Instant) -> Result<(), ClientError> {
        for trouble in self.fetcher.take_trouble() {
            match trouble {
                Trouble::Metadata => {
                    self.next_refresh = self.next_refresh.min(now + self.settings.retry_backoff)
                }
                Trouble::Fatal(error) => return Err(error),
                Trouble::OutOfRange((topic, partition)) => {
                    if self.settings.reset == OffsetReset::None {
                        return Err(ClientError::Config(format!(
                            "Fetch position of {topic}-{partition} is out of range, and auto.offset.reset is none"
                        )));
                    }
                    log::warn(&format!(
                        "Fetch position of {topic}-{partition} is out of range, resetting offset"
                    ));
                    self.source.forget_offset(self.settings.reset);
                }
            }
        }
        Ok(())
    }

    /// Positions for partitions without one: committed, or where the reset policy says.
    fn find_positions(&mut self) -> Result<(), ClientError> {
        let missing: Vec<TopicPartition> =
            self.fetcher.without_position(&self.assigned).into_iter().cloned().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut found = BTreeMap::new();
        if let Source::Partition { offset, .. } = self.source
            && offset >= 0
        {
            found.extend(missing.iter().map(|partition| (partition.clone(), offset)));
        }
        if let Some(group) = &mut self.group {
            // After an offset out of range the commit is of no use.
            let fresh: Vec<_> =
                missing.iter().filter(|at| !self.consumed.contains_key(*at)).cloned().collect();
            if !fresh.is_empty() {
                found = self.client.retry(|client| group.committed(client, &fresh))?;
                self.committed.extend(found.iter().map(|(partition, offset)| (partition.clone(), *offset)));
            }
        }
        let timestamp = match (&self.source, self.settings.reset) {
            (Source::Partition { offset, .. }, _) => *offset,
            (Source::WholeTopic(_), _) => offsets::LATEST,
            (_, OffsetReset::Earliest) => offsets::EARLIEST,
            (_, OffsetReset::Latest) => offsets::LATEST,
            (_, OffsetReset::None) => {
                let without: Vec<_> =
                    missing.iter().filter(|partition| !found.contains_key(*partition)).collect();
                if let Some((topic, partition)) = without.first() {
                    return Err(ClientError::Config(format!(
                        "Undefined offset with no reset policy for partition {topic}-{partition}"
                    )));
                }
                offsets::LATEST
            }
        };
        let ask: Vec<_> =
            missing.iter().filter(|at| !found.contains_key(*at)).map(|at| (at.clone(), timestamp)).collect();
        let listed = offsets::list(&mut self.client, &ask, self.settings.committed_only)?;
        if listed.len() < ask.len() {
            self.next_refresh = self.next_refresh.min(Instant::now() + self.settings.retry_backoff);
        }
        for (partition, offset) in found.into_iter().chain(listed) {
            self.consumed.insert(partition.clone(), offset);
            self.fetcher.seek(partition, offset);
        }
        Ok(())
    }

    /// Commits what was given to the tool.
    fn commit(&mut self) -> Result<(), ClientError> {
        let Some(group) = self.group.as_mut().filter(|group| group.may_commit()) else { return Ok(()) };
        let new: BTreeMap<TopicPartition, i64> = self
            .consumed
            .iter()
            .filter(|(partition, offset)| self.committed.get(*partition) != Some(*offset))
            .map(|(partition, offset)| (partition.clone(), *offset))
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        group.commit(&mut self.client, &new)?;
        self.committed.extend(new);
        Ok(())
    }

    /// Commits if that is on, and leaves the group.
    pub fn close(&mut self) {
        self.client.stop_at(None);
        if self.settings.auto_commit.is_some()
            && let Err(error) = self.commit()
        {
            log::warn(&format!("Offset commit failed: {error}"));
        }
        if let Some(mut group) = self.group.take() {
            group.close(&mut self.client);
        }
    }
}

impl Source {
    /// After an offset out of range, a partition starts where the reset policy says.
    fn forget_offset(&mut self, reset: OffsetReset) {
        if let Self::Partition { offset, .. } = self {
            *offset = if reset == OffsetReset::Earliest { offsets::EARLIEST } else { offsets::LATEST };
        }
    }
}
