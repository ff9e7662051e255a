//! Fetch sessions: the partitions that a client wants, kept between its requests (KIP-227).
//!
//! A session belongs to the shard of its connection; a client that comes back on another shard is told that its session is
//! not known and makes a new one, as after a broker's restart. Bound: the shard's part of
//! `max.incremental.fetch.session.cache.slots`; a full cache gives up the session that was used least recently, if that
//! was over two minutes ago, else the new one is not made.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use ahash::AHashMap;

use crate::partition::FetchedPartition;
use crate::protocol::{ErrorCode, Uuid};
use crate::runtime::Runtime;

/// The session epoch of a request that wants no session.
const SESSIONLESS: i32 = -1;
/// The session epoch of a request that wants a new one.
const NEW: i32 = 0;

/// Time after which an unused session may be given up for another, in nanoseconds.
const EVICTABLE_AFTER_NS: u64 = 120_000_000_000;

/// A partition, as its client names it: by id, or by name before version 13.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TopicKey {
    Id(Uuid),
    Name(Arc<str>),
}

/// What a client wants of one partition.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub topic: TopicKey,
    pub partition: i32,
    pub fetch_offset: i64,
    pub max_bytes: i32,
    pub current_leader_epoch: i32,
    pub last_fetched_epoch: i32,
}

/// What the client was told last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    high_watermark: i64,
    log_start_offset: i64,
}

struct Entry {
    wanted: Wanted,
    told: Option<Told>,
    turn: u64,
}

struct Session {
    epoch: i32,
    partitions: AHashMap<(TopicKey, i32), Entry>,
    /// The partitions by turn: those that got records go to the back, so that each has its turn.
    order: BTreeMap<u64, (TopicKey, i32)>,
    next_turn: u64,
    used_ns: u64,
}

impl Session {
    fn new(now_ns: u64) -> Self {
        Self { epoch: 1, partitions: AHashMap::new(), order: BTreeMap::new(), next_turn: 0, used_ns: now_ns }
    }

    fn put(&mut self, wanted: Wanted) {
        let key = (wanted.topic.clone(), wanted.partition);
        if let Some(entry) = self.partitions.get_mut(&key) {
            entry.wanted = wanted;
            return;
        }
        let turn = self.next_turn;
        self.next_turn += 1;
        self.order.insert(turn, key.clone());
        self.partitions.insert(key, Entry { wanted, told: None, turn });
    }

    fn remove(&mut self, key: &(TopicKey, i32)) {
        if let Some(entry) = self.partitions.remove(key) {
            self.order.remove(&entry.turn);
        }
    }

    fn move_to_back(&mut self, key: &(TopicKey, i32)) {
        if let Some(entry) = self.partitions.get_mut(key) {
            self.order.remove(&entry.turn);
            entry.turn = self.next_turn;
            self.order.insert(self.next_turn, key.clone());
            self.next_turn += 1;
        }
    }

    fn wanted(&self) -> Vec<Wanted> {
        self.order.values().filter_map(|key| Some(self.partitions.get(key)?.wanted.clone())).collect()
    }
}

/// How a request stands to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everything is answered; the response's session id is this one (0: none).
    Full(i32),
    /// Only what changed is answered.
    Incremental(i32),
}

impl Mode {
    pub(super) fn session_id(self) -> i32 {
        match self {
            Self::Full(id) | Self::Incremental(id) => id,
        }
    }
}

/// The sessions of a shard.
pub struct FetchSessions {
    runtime: Runtime,
    slots: usize,
    sessions: RefCell<AHashMap<i32, Session>>,
    evictions: Cell<u64>,
}

impl FetchSessions {
    /// No sessions; at most `slots`.
    #[must_use]
    pub fn new(slots: usize, runtime: Runtime) -> Self {
        Self { runtime, slots, sessions: RefCell::default(), evictions: Cell::new(0) }
    }

    /// Sessions open now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sessions.borrow().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sessions given up for others since the start.
    #[must_use]
    pub fn evictions(&self) -> u64 {
        self.evictions.get()
    }

    /// Takes up a request: what it wants now, and how it is answered.
    pub(super) fn begin(
        &self,
        session_id: i32,
        session_epoch: i32,
        named: Vec<Wanted>,
        forgotten: &[(TopicKey, i32)],
    ) -> Result<(Mode, Vec<Wanted>), ErrorCode> {
        let mut sessions = self.sessions.borrow_mut();
        if session_epoch == SESSIONLESS || session_epoch == NEW {
            sessions.remove(&session_id);
            if session_epoch == SESSIONLESS || !self.make_room(&mut sessions) {
                return Ok((Mode::Full(0), named));
            }
            let id = self.unused_id(&sessions);
            let mut session = Session::new(self.runtime.now_ns());
            named.iter().cloned().for_each(|wanted| session.put(wanted));
            sessions.insert(id, session);
            return Ok((Mode::Full(id), named));
        }
        let Some(session) = sessions.get_mut(&session_id) else {
            return Err(ErrorCode::FETCH_SESSION_ID_NOT_FOUND);
        };
        if session.epoch != session_epoch {
            return Err(ErrorCode::INVALID_FETCH_SESSION_EPOCH);
        }
        session.epoch = if session.epoch == i32::MAX { 1 } else { session.epoch + 1 };
        session.used_ns = self.runtime.now_ns();
        named.into_iter().for_each(|wanted| session.put(wanted));
        forgotten.iter().for_each(|key| session.remove(key));
        Ok((Mode::Incremental(session_id), session.wanted()))
    }

    /// Which of the partitions that were read the client must hear of, and remembers what it is told.
    pub(super) fn tell(&self, mode: Mode, wanted: &[Wanted], fetched: &[FetchedPartition]) -> Vec<bool> {
        let mut sessions = self.sessions.borrow_mut();
        let Some(session) = sessions.get_mut(&mode.session_id()) else { return vec![true; wanted.len()] };
        let mut tell = Vec::with_capacity(wanted.len());
        for (wanted, fetched) in wanted.iter().zip(fetched) {
            let key = (wanted.topic.clone(), wanted.partition);
            let now =
                Told { high_watermark: fetched.high_watermark, log_start_offset: fetched.log_start_offset };
            let mut told_before = None;
            if let Some(entry) = session.partitions.get_mut(&key) {
                // After an error everything is told again.
                told_before =
                    if fetched.code.is_none() { entry.told.replace(now) } else { entry.told.take() };
            }
            let news = fetched.bytes > 0
                || !fetched.code.is_none()
                || fetched.diverging.is_some()
                || told_before != Some(now);
            if fetched.bytes > 0 {
                session.move_to_back(&key);
            }
            tell.push(news || matches!(mode, Mode::Full(_)));
        }
        tell
    }

    fn make_room(&self, sessions: &mut AHashMap<i32, Session>) -> bool {
        if sessions.len() < self.slots {
            return true;
        }
        let oldest =
            sessions.iter().min_by_key(|(_, session)| session.used_ns).map(|(id, s)| (*id, s.used_ns));
        match oldest {
            Some((id, used_ns)) if self.runtime.now_ns().saturating_sub(used_ns) > EVICTABLE_AFTER_NS => {
                sessions.remove(&id);
                self.evictions.set(self.evictions.get() + 1);
                true
            }
            _ => false,
        }
    }

    fn unused_id(&self, sessions: &AHashMap<i32, Session>) -> i32 {
        loop {
            let id = (self.runtime.random_u64() >> 33) as i32;
            if id > 0 && !sessions.contains_key(&id) {
                return id;
            }
        }
    }
}
