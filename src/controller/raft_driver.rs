//! Drives the Raft state machine on shard 0: it alone touches the node, writes what Raft wants durable, and hands out
//! what is committed, in order.
//!
//! Raft itself does no I/O. Durable before it counts: term and vote in the file `quorum-state`, entries in the metadata
//! log. Time comes as ticks and election timeouts are drawn here, from the shard's random numbers, so that a run can be
//! repeated from its seed. Messages to other voters would leave where `process` has them in hand, in a codec of our own;
//! with one voter there are none.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bytes::Bytes;
use raft::eraftpb::{Entry, HardState};
use raft::{Config, RawNode, StateRole};
use thiserror::Error;

use crate::protocol::record_batch::BatchError;
use crate::protocol::{DecodeError, EncodeError, Uuid};
use crate::runtime::Runtime;

use super::batch_log::{BatchLog, BatchLogError, Room};
use super::control::{ControlRecords, leader_batch};
use super::image::Endpoint;
use super::quorum_state::QuorumState;
use super::raft_log::{Position, RaftLog, entry_of};
use super::raft_logger;

/// Ticks without a leader before an election: from this many to twice as many, drawn anew for each term.
const ELECTION_TICKS: usize = 10;
/// Bytes read from the log at once when it is replayed.
const REPLAY_READ_BYTES: u32 = 1 << 20;
/// Room for the batch with which a term begins.
const LEADER_BATCH_BYTES: usize = 4 << 10;
/// The commit index is written down after so many entries, which bounds what a start holds in memory.
const COMMIT_NOTED_EVERY: u64 = 1_024;

/// What stops the driver. Nothing is tried again: the log's writer is in an unknown state.
#[derive(Debug, Error)]
pub enum DriverError {
    /// The metadata log.
    #[error(transparent)]
    Log(#[from] BatchLogError),
    /// The file of term and vote.
    #[error("{path}: {error}")]
    QuorumState {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Raft.
    #[error("the consensus failed: {0}")]
    Raft(#[from] raft::Error),
    /// A batch in the log.
    #[error("a batch of the metadata log is damaged: {0}")]
    Batch(#[from] BatchError),
    /// A control record in the log.
    #[error("a control record of the metadata log cannot be read: {0}")]
    Decode(#[from] DecodeError),
    /// A control record of ours.
    #[error("a control record cannot be written: {0}")]
    Encode(#[from] EncodeError),
    /// The log is not what it must be.
    #[error("the metadata log is not in order: {0}")]
    Disorder(String),
}

/// Who this voter is.
#[derive(Clone, Debug)]
pub struct Voter {
    /// Node id.
    pub node_id: i32,
    /// Id of the log directory that holds the metadata log.
    pub directory_id: Uuid,
    /// Where other controllers reach it.
    pub endpoints: Vec<Endpoint>,
}

/// A committed batch.
#[derive(Clone, Debug)]
pub struct Committed {
    /// Offset of its first record.
    pub base_offset: i64,
    /// Its leader epoch, the Raft term.
    pub epoch: i32,
    /// The batch; its own base offset and epoch may not be set.
    pub batch: Bytes,
}

/// The driver.
pub struct RaftDriver {
    runtime: Runtime,
    log: Rc<dyn BatchLog>,
    node: RawNode<RaftLog>,
    voter: Voter,
    state_path: PathBuf,
    state: QuorumState,
    /// What the log says of the voters.
    control: ControlRecords,
    /// Batches of empty entries, which hold no data, until they are committed.
    leader_batches: VecDeque<(u64, Bytes)>,
    term_seen: u64,
    /// Room for what was proposed and is not appended yet.
    room: Vec<Room>,
}

/// Raft's ids start at 1, Kafka's at 0.
fn raft_id(node_id: i32) -> u64 {
    u64::try_from(node_id).map_or(0, |id| id + 1)
}

fn node_id(raft_id: u64) -> i32 {
    raft_id.checked_sub(1).and_then(|id| i32::try_from(id).ok()).unwrap_or(-1)
}

fn epoch_of(term: u64) -> i32 {
    i32::try_from(term).unwrap_or(i32::MAX)
}

impl RaftDriver {
    /// Reads term, vote and the whole log, and gives every batch known to be committed to `apply`.
    ///
    /// # Errors
    /// [`DriverError`] when something cannot be read or is not in order, or what `apply` gives.
    pub async fn open<E: From<DriverError>>(
        runtime: &Runtime,
        log: Rc<dyn BatchLog>,
        voter: Voter,
        state_path: PathBuf,
        mut apply: impl FnMut(Committed) -> Result<(), E>,
    ) -> Result<Self, E> {
        let state = read_state(runtime, &state_path).await?;
        let own_id = raft_id(voter.node_id);
        let mut raft_log = RaftLog::new(vec![own_id], HardState::default());
        let mut control = ControlRecords::default();
        // Entries beyond the commit index that is written down: the quorum decides about them.
        let mut undecided = VecDeque::<(Entry, Position, Bytes)>::new();
        let mut offset = log.start_offset();
        if offset != 0 {
            let text = format!("it starts at offset {offset}, and there is no snapshot");
            return Err(DriverError::Disorder(text).into());
        }
        while offset < log.end_offset() {
            let batches = log.read(offset, REPLAY_READ_BYTES).await.map_err(DriverError::Log)?;
            if batches.is_empty() {
                let text = format!("nothing can be read at offset {offset}");
                return Err(DriverError::Disorder(text).into());
            }
            for batch in batches {
                let index = raft_log.last() + undecided.len() as u64 + 1;
                let (entry, position) = entry_of(index, batch.clone()).map_err(DriverError::Batch)?;
                let end = check_order(&batch, offset, &raft_log, &undecided)?;
                control.read(&batch)?;
                if undecided.is_empty() && index <= state.commit_index {
                    raft_log.restore(position);
                    apply(committed(position, batch))?;
                } else {
                    undecided.push_back((entry, position, batch));
                }
                offset = end;
            }
            // Alone, a durable entry is a committed one.
            if control.is_only_voter(voter.node_id) {
                for (_, position, batch) in undecided.drain(..) {
                    raft_log.restore(position);
                    apply(committed(position, batch))?;
                }
            }
            runtime.yield_now().await;
        }
        let applied = raft_log.last();
        let last_epoch = undecided.back().map(|(_, position, _)| position.epoch);
        let last_epoch =
            last_epoch.or_else(|| raft_log.position(applied).map(|position| position.epoch)).unwrap_or(0);
        let mut leader_batches = VecDeque::new();
        for (entry, position, batch) in undecided {
            if entry.data.is_empty() {
                leader_batches.push_back((entry.index, batch));
            }
            raft_log.push(entry, position);
        }
        let term = u64::try_from(state.leader_epoch.max(last_epoch)).unwrap_or(0);
        // A vote counts only in the term that it was given in.
        let vote = if state.leader_epoch >= last_epoch { raft_id(state.voted_id) } else { 0 };
        let hard_state = HardState { term, vote, commit: applied, ..HardState::default() };
        raft_log.set_hard_state(hard_state);
        let config = Config {
            election_tick: ELECTION_TICKS,
            heartbeat_tick: 1,
            check_quorum: true,
            pre_vote: true,
            applied,
            ..Config::new(own_id)
        };
        let node = RawNode::new(&config, raft_log, &raft_logger::logger()).map_err(DriverError::Raft)?;
        let mut driver = Self {
            runtime: runtime.clone(),
            log,
            node,
            voter,
            state_path,
            state,
            control,
            leader_batches,
            term_seen: term,
            room: Vec::new(),
        };
        driver.draw_election_timeout();
        Ok(driver)
    }

    /// Whether there is nobody else to ask.
    #[must_use]
    pub fn is_only_voter(&self) -> bool {
        self.node.raft.prs().conf().voters().ids().iter().eq([raft_id(self.voter.node_id)])
    }

    /// Whether this node leads.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.node.raft.state == StateRole::Leader
    }

    /// The term.
    #[must_use]
    pub fn epoch(&self) -> i32 {
        epoch_of(self.node.raft.term)
    }

    /// The offset that the next batch will get.
    #[must_use]
    pub fn end_offset(&self) -> i64 {
        self.log.end_offset()
    }

    /// Stands for election at once.
    ///
    /// # Errors
    /// [`DriverError`] of Raft or of the log.
    pub async fn campaign(&mut self) -> Result<(), DriverError> {
        self.room.push(self.log.room(LEADER_BATCH_BYTES).await?);
        Ok(self.node.campaign()?)
    }

    /// One unit of time has passed.
    pub fn tick(&mut self) {
        self.node.tick();
    }

    /// Adds a batch to what the next [`RaftDriver::process`] appends, when there is room for it.
    ///
    /// # Errors
    /// [`BatchLogError::Full`] when there is no room: then nothing has happened. [`DriverError::Raft`] when this node
    /// does not lead.
    pub async fn propose(&mut self, batch: Vec<u8>) -> Result<(), DriverError> {
        assert!(!batch.is_empty(), "an empty proposal would be taken for the start of a term");
        let room = self.log.room(batch.len()).await?;
        self.node.propose(Vec::new(), batch)?;
        self.room.push(room);
        Ok(())
    }

    /// Does all that Raft wants done, and gives what was committed by it, in order.
    ///
    /// # Errors
    /// [`DriverError`]; the driver must not be used again.
    pub async fn process(&mut self) -> Result<Vec<Committed>, DriverError> {
        let mut committed = Vec::new();
        while self.node.has_ready() {
            let mut ready = self.node.ready();
            // Messages to other voters leave here: at once what a leader says, the rest only when all below is durable.
            debug_assert!(ready.messages().is_empty() && ready.persisted_messages().is_empty());
            let entries = ready.take_committed_entries();
            self.hand_out(entries, &mut committed)?;
            if let Some(hard_state) = ready.hs().cloned() {
                self.keep(hard_state).await?;
            }
            let entries = ready.take_entries();
            self.append(entries).await?;
            let mut light = self.node.advance_append(ready);
            debug_assert!(light.messages().is_empty());
            self.hand_out(light.take_committed_entries(), &mut committed)?;
            // What is handed out is applied in memory before the next turn; after a crash it is read from the log.
            self.node.advance_apply();
            let applied = self.node.raft.raft_log.applied();
            self.node.mut_store().applied_to(applied);
            self.draw_election_timeout();
        }
        if self.node.raft.raft_log.applied() >= self.state.commit_index + COMMIT_NOTED_EVERY {
            self.note_commit().await?;
        }
        Ok(committed)
    }

    /// Writes down how far is committed, so that the next start need not ask.
    ///
    /// # Errors
    /// [`DriverError::QuorumState`].
    pub async fn note_commit(&mut self) -> Result<(), DriverError> {
        let commit_index = self.node.raft.raft_log.applied();
        if commit_index == self.state.commit_index {
            return Ok(());
        }
        let state = QuorumState { commit_index, ..self.state.clone() };
        self.write_state(state).await
    }

    /// Makes term and vote durable if they changed; the commit index alone is not worth a flush.
    async fn keep(&mut self, hard_state: HardState) -> Result<(), DriverError> {
        let known = self.node.store().hard_state();
        let durable = known.term == hard_state.term && known.vote == hard_state.vote;
        if !durable {
            let leader = self.node.raft.leader_id;
            let state = QuorumState {
                leader_id: node_id(leader),
                leader_epoch: epoch_of(hard_state.term),
                voted_id: node_id(hard_state.vote),
                voted_directory_id: self.directory_of(hard_state.vote).to_string(),
                commit_index: self.node.raft.raft_log.applied(),
                ..QuorumState::default()
            };
            self.write_state(state).await?;
        }
        self.node.mut_store().set_hard_state(hard_state);
        Ok(())
    }

    fn directory_of(&self, vote: u64) -> Uuid {
        match node_id(vote) {
            own if own == self.voter.node_id => self.voter.directory_id,
            other => self.control.directory_of(other),
        }
    }

    async fn write_state(&mut self, state: QuorumState) -> Result<(), DriverError> {
        let written = self.runtime.replace_file(&self.state_path, state.to_bytes()).await;
        written.map_err(|error| DriverError::QuorumState { path: self.state_path.clone(), error })?;
        self.state = state;
        Ok(())
    }

    /// Appends Raft's entries to the log and waits until they are durable.
    async fn append(&mut self, entries: Vec<Entry>) -> Result<(), DriverError> {
        let Some(first) = entries.first() else { return Ok(()) };
        if first.index <= self.node.store().last() {
            let index = first.index;
            let position = self.node.store().position(index).ok_or_else(|| {
                DriverError::Disorder(format!("entry {index} to replace is not in the log"))
            })?;
            self.log.truncate_to(position.base_offset).await?;
            self.node.mut_store().truncate_from(index);
            self.leader_batches.retain(|(held, _)| *held < index);
        }
        if self.room.is_empty() {
            // Entries of another leader: nobody has asked for room for them yet.
            let bytes = entries.iter().map(|entry| entry.data.len()).sum();
            self.room.push(self.log.room(bytes).await?);
        }
        let now_ms = self.runtime.wall_clock_ms();
        for entry in entries {
            let epoch = epoch_of(entry.term);
            let batch = if entry.data.is_empty() {
                let batch = Bytes::from(self.leader_batch(epoch)?);
                self.control.read(&batch)?;
                self.leader_batches.push_back((entry.index, batch.clone()));
                batch
            } else {
                entry.data.clone()
            };
            let base_offset = self.log.append(&batch, epoch, now_ms)?;
            self.node.mut_store().push(entry, Position { base_offset, epoch });
        }
        self.room.clear();
        Ok(self.log.durable(self.log.end_offset()).await?)
    }

    /// The batch of the empty entry that starts a term of this node; in a new log, or when this voter's directory or
    /// endpoints changed, it names the voters as well.
    fn leader_batch(&self, epoch: i32) -> Result<Vec<u8>, DriverError> {
        let stated = self.control.states(&self.voter);
        leader_batch(epoch, self.runtime.wall_clock_ms(), &self.voter, !stated)
    }

    fn hand_out(&mut self, entries: Vec<Entry>, committed: &mut Vec<Committed>) -> Result<(), DriverError> {
        for entry in entries {
            let position = self.node.store().position(entry.index).ok_or_else(|| {
                DriverError::Disorder(format!("committed entry {} is not in the log", entry.index))
            })?;
            let batch = if entry.data.is_empty() {
                match self.leader_batches.pop_front() {
                    Some((index, batch)) if index == entry.index => batch,
                    _ => {
                        let text = format!("the batch of the empty entry {} is not held", entry.index);
                        return Err(DriverError::Disorder(text));
                    }
                }
            } else {
                entry.data
            };
            committed.push(self::committed(position, batch));
        }
        Ok(())
    }

    /// Draws this term's election timeout, instead of the one that the library drew from the thread's own generator.
    fn draw_election_timeout(&mut self) {
        let term = self.node.raft.term;
        if term != self.term_seen || self.node.raft.election_elapsed == 0 {
            self.term_seen = term;
            let drawn = self.runtime.random_u64() % ELECTION_TICKS as u64;
            self.node.raft.set_randomized_election_timeout(ELECTION_TICKS + drawn as usize);
        }
    }
}

fn committed(position: Position, batch: Bytes) -> Committed {
    Committed { base_offset: position.base_offset, epoch: position.epoch, batch }
}

/// Checks that `batch` follows what came before, and gives the offset after it.
fn check_order(
    batch: &[u8],
    offset: i64,
    raft_log: &RaftLog,
    undecided: &VecDeque<(Entry, Position, Bytes)>,
) -> Result<i64, DriverError> {
    let batch = crate::protocol::record_batch::Batch::parse(batch)?;
    batch.verify_crc()?;
    let before = undecided.back().map(|(_, position, _)| *position);
    let before = before.or_else(|| raft_log.position(raft_log.last()));
    let header = batch.header;
    if header.base_offset != offset || before.is_some_and(|before| before.epoch > header.leader_epoch) {
        return Err(DriverError::Disorder(format!(
            "a batch of offset {} and epoch {} stands at offset {offset}",
            header.base_offset, header.leader_epoch
        )));
    }
    Ok(header.next_offset())
}

async fn read_state(runtime: &Runtime, path: &Path) -> Result<QuorumState, DriverError> {
    let fail = |error: io::Error| DriverError::QuorumState { path: path.to_path_buf(), error };
    match runtime.read_file(path).await.map_err(fail)? {
        None => Ok(QuorumState::default()),
        Some(content) => QuorumState::parse(&content).map_err(|error| fail(io::Error::other(error))),
    }
}
