//! The controller: takes requests in order, decides them, commits what they lead to, publishes the result, answers.
//!
//! Lives on shard 0. One task owns the Raft driver and the state machine; requests wait for it in a queue of bounded
//! length. Requests that wait at the same time are decided one after the other, each on what the ones before it will
//! have made, and share a batch and its flush. An answer is given when its records are durable, replayed and
//! published. When the metadata log fails, nothing is served any more and the process has to stop.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::record_batch::BatchError;
use crate::protocol::{EncodeError, ErrorCode, Uuid};
use crate::runtime::Runtime;
use crate::runtime::sync::{Budget, Notify, Permit, Sender, oneshot};

use super::batch_log::{BatchLog, BatchLogError};
use super::decide::{ConfigRules, Context, Registration, decide, first_records, start_records};
use super::delta::MetadataDelta;
use super::image::MetadataImage;
use super::machine::{Machine, foresee};
use super::quorum_state::QUORUM_STATE_FILE;
use super::raft_driver::{DriverError, RaftDriver};
use super::records::{MAX_RECORDS_PER_REQUEST, METADATA_VERSION, METADATA_VERSION_FEATURE, RecordList};
use super::replay::ReplayError;
use super::request::{ApiError, ControllerReply, ControllerRequest, ControllerResponse};
use super::settings::ControllerSettings;

/// Bytes of records that requests share a batch up to.
const BATCH_BYTES: usize = 1 << 20;
/// One unit of Raft's time.
const TICK: Duration = Duration::from_millis(100);

/// Why the controller does not start, or stopped.
#[derive(Debug, Error)]
pub enum ControllerError {
    /// The consensus or its log.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A committed record.
    #[error("offset {offset} of the metadata log: {error}")]
    Replay {
        /// Offset of the record.
        offset: i64,
        /// What is wrong with it.
        error: ReplayError,
    },
    /// A record of ours.
    #[error("a metadata record cannot be written: {0}")]
    Encode(#[from] EncodeError),
    /// The metadata log is that of another cluster.
    #[error("the metadata log belongs to cluster {logged}, but this node was told {told}")]
    ClusterIdMismatch {
        /// In the log.
        logged: String,
        /// In meta.properties or in the config.
        told: String,
    },
    /// The metadata log was written by something newer.
    #[error("the metadata log is of metadata version {0}, which is not supported")]
    MetadataVersion(i16),
    /// This node was not elected though it has the only vote.
    #[error("the controller was not elected")]
    NotElected,
}

impl ControllerError {
    pub(super) fn damaged(error: BatchError) -> Self {
        Self::Driver(DriverError::Batch(error))
    }
}

/// Gets every published image with what changed; must not block.
pub type Subscriber = Box<dyn Fn(Arc<MetadataImage>, Arc<MetadataDelta>)>;

struct Waiting {
    request: ControllerRequest,
    reply: Sender<ControllerReply>,
    _room: Permit,
}

struct Shared {
    settings: ControllerSettings,
    rules: RefCell<Rc<dyn ConfigRules>>,
    image: RefCell<Arc<MetadataImage>>,
    subscribers: RefCell<Vec<Subscriber>>,
    queue: RefCell<VecDeque<Waiting>>,
    room: Budget,
    arrived: Notify,
    stopping: Cell<bool>,
    ended: Cell<bool>,
    failure: RefCell<Option<Rc<ControllerError>>>,
    changed: Notify,
}

/// The controller. Clones are the same one; stays on its shard.
#[derive(Clone)]
pub struct Controller(Rc<Shared>);

impl Controller {
    /// Replays the metadata log, is elected, and commits what a start commits: at the first start the cluster id and
    /// the metadata version, then the registration of this broker and a new leader epoch of every partition it leads.
    /// When it returns, [`Controller::image`] is complete.
    ///
    /// # Errors
    /// [`ControllerError`]: the node must not serve.
    pub async fn start(
        runtime: &Runtime,
        log: Rc<dyn BatchLog>,
        settings: ControllerSettings,
        rules: Rc<dyn ConfigRules>,
    ) -> Result<Self, ControllerError> {
        let mut machine = Machine::default();
        let state_path = settings.state_dir.join(QUORUM_STATE_FILE);
        let driver = RaftDriver::open(runtime, log, settings.voter(), state_path, |committed| {
            machine.apply(&committed)
        })
        .await?;
        let mut core = Core { runtime: runtime.clone(), driver, machine };
        core.be_elected().await?;
        core.found_cluster(&settings).await?;
        core.register(&settings).await?;

        let (image, _) = core.machine.take();
        let shared = Rc::new(Shared {
            room: Budget::new(settings.queue_requests.max(1) as u64),
            settings,
            rules: RefCell::new(rules),
            image: RefCell::new(image),
            subscribers: RefCell::default(),
            queue: RefCell::default(),
            arrived: Notify::default(),
            stopping: Cell::new(false),
            ended: Cell::new(false),
            failure: RefCell::default(),
            changed: Notify::default(),
        });
        let controller = Self(shared);
        runtime.spawn(controller.clone().run(core)).detach();
        Ok(controller)
    }

    /// The newest published image.
    #[must_use]
    pub fn image(&self) -> Arc<MetadataImage> {
        self.0.image.borrow().clone()
    }

    /// Calls `subscriber` now with everything, and then with every published change, in order.
    pub fn subscribe(&self, subscriber: Subscriber) {
        let image = self.image();
        let delta = Arc::new(MetadataDelta::everything(&image));
        subscriber(image, delta);
        self.0.subscribers.borrow_mut().push(subscriber);
    }

    /// Serves a request, in the order of the calls. Waits while the queue is full.
    pub async fn handle(&self, request: ControllerRequest) -> ControllerReply {
        let room = self.0.room.acquire(1).await;
        if self.0.stopping.get() || self.0.ended.get() {
            return self.refusal();
        }
        let (reply, answer) = oneshot();
        self.0.queue.borrow_mut().push_back(Waiting { request, reply, _room: room });
        self.0.arrived.notify();
        match answer.await {
            Some(reply) => reply,
            None => self.refusal(),
        }
    }

    fn refusal(&self) -> ControllerReply {
        let error = match &*self.0.failure.borrow() {
            Some(failure) => ApiError::new(ErrorCode::UNKNOWN_SERVER_ERROR, failure.to_string()),
            None => ApiError { code: ErrorCode::NOT_CONTROLLER, message: None },
        };
        ControllerReply { offset: self.image().offset, response: ControllerResponse::Failed(error) }
    }

    /// Uses other rules of configs from now on: a broker config that is a default of topics has changed.
    pub fn update_rules(&self, rules: Rc<dyn ConfigRules>) {
        *self.0.rules.borrow_mut() = rules;
    }

    /// Ends when the metadata log failed: then the process must stop.
    pub fn failed(&self) -> impl Future<Output = Rc<ControllerError>> + use<> {
        let shared = self.0.clone();
        async move {
            loop {
                let changed = shared.changed.wait();
                if let Some(failure) = &*shared.failure.borrow() {
                    return failure.clone();
                }
                changed.await;
            }
        }
    }

    /// Finishes what waits, then takes nothing any more.
    pub async fn stop(&self) {
        self.0.stopping.set(true);
        self.0.arrived.notify();
        while !self.0.ended.get() {
            self.0.changed.wait().await;
        }
    }

    /// The task: until it is told to stop, or the log fails.
    async fn run(self, mut core: Core) {
        let result = self.serve(&mut core).await;
        let result = match result {
            Ok(()) => core.driver.note_commit().await.map_err(ControllerError::from),
            failed => failed,
        };
        if let Err(error) = result {
            tracing::error!("the controller stops: {error}");
            *self.0.failure.borrow_mut() = Some(Rc::new(error));
        }
        self.0.ended.set(true);
        // Dropped unanswered, each of them is refused by its caller.
        self.0.queue.take();
        self.0.changed.notify();
    }

    async fn serve(&self, core: &mut Core) -> Result<(), ControllerError> {
        loop {
            let arrived = self.0.arrived.wait();
            if !self.0.queue.borrow().is_empty() {
                self.serve_waiting(core).await?;
            } else if self.0.stopping.get() {
                return Ok(());
            } else if core.driver.is_only_voter() {
                arrived.await;
            } else if core.runtime.timeout(TICK, arrived).await.is_none() {
                core.driver.tick();
                core.process().await?;
                self.publish(core);
            }
        }
    }

    /// Decides requests that wait, as many as fit into a batch, commits, publishes and answers.
    async fn serve_waiting(&self, core: &mut Core) -> Result<(), ControllerError> {
        let mut records = RecordList::default();
        let mut replies = Vec::new();
        let mut image = core.machine.image().clone();
        loop {
            let fits = records.len() < MAX_RECORDS_PER_REQUEST && records.size_bytes() < BATCH_BYTES;
            let Some(waiting) = fits.then(|| self.0.queue.borrow_mut().pop_front()).flatten() else { break };
            let decision = {
                let rules = self.0.rules.borrow().clone();
                let mut random = || core.runtime.random_u64();
                let mut context = Context {
                    image: &image,
                    limits: self.0.settings.limits(),
                    rules: &*rules,
                    random: &mut random,
                };
                decide(&mut context, &waiting.request)
            };
            let more = !self.0.queue.borrow().is_empty();
            if more && !decision.records.is_empty() {
                foresee(&mut image, decision.records.iter())
                    .map_err(|error| ControllerError::Replay { offset: image.offset, error })?;
            }
            records.append(decision.records);
            replies.push((waiting, decision.response));
        }
        if !records.is_empty() {
            match core.propose(&records).await {
                Ok(()) => {}
                Err(ControllerError::Driver(DriverError::Log(error @ BatchLogError::Full))) => {
                    let error = ApiError::new(ErrorCode::KAFKA_STORAGE_ERROR, error.to_string());
                    let offset = core.machine.image().offset;
                    for (waiting, _) in replies {
                        let response = ControllerResponse::Failed(error.clone());
                        waiting.reply.send(ControllerReply { offset, response });
                    }
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
            core.process().await?;
            self.publish(core);
        }
        let offset = core.machine.image().offset;
        for (waiting, response) in replies {
            waiting.reply.send(ControllerReply { offset, response });
        }
        Ok(())
    }

    fn publish(&self, core: &mut Core) {
        if core.machine.image().offset == self.image().offset {
            return;
        }
        let (image, delta) = core.machine.take();
        *self.0.image.borrow_mut() = image.clone();
        for subscriber in &*self.0.subscribers.borrow() {
            subscriber(image.clone(), delta.clone());
        }
    }
}

/// What the controller's task owns.
struct Core {
    runtime: Runtime,
    driver: RaftDriver,
    machine: Machine,
}

impl Core {
    async fn be_elected(&mut self) -> Result<(), ControllerError> {
        if self.driver.is_only_voter() {
            self.driver.campaign().await?;
        }
        self.process().await?;
        if self.driver.is_leader() { Ok(()) } else { Err(ControllerError::NotElected) }
    }

    /// Does what Raft wants and applies what was committed.
    async fn process(&mut self) -> Result<(), ControllerError> {
        for committed in self.driver.process().await? {
            self.machine.apply(&committed)?;
        }
        Ok(())
    }

    async fn commit(&mut self, records: &RecordList) -> Result<(), ControllerError> {
        self.propose(records).await?;
        self.process().await
    }

    async fn propose(&mut self, records: &RecordList) -> Result<(), ControllerError> {
        let batch = records.batch(self.runtime.wall_clock_ms()).map_err(ControllerError::damaged)?;
        Ok(self.driver.propose(batch).await?)
    }

    fn new_id(&self) -> Uuid {
        loop {
            let [high, low] = [self.runtime.random_u64(), self.runtime.random_u64()].map(u128::from);
            if let Some(id) = Uuid::from_random((high << 64 | low).to_be_bytes()) {
                return id;
            }
        }
    }

    /// Gives a new cluster its id, or checks that this is the cluster it should be.
    async fn found_cluster(&mut self, settings: &ControllerSettings) -> Result<(), ControllerError> {
        let logged = self.machine.image().cluster_id.clone();
        if logged.is_empty() {
            let id = settings.cluster_id.clone().unwrap_or_else(|| self.new_id().to_string());
            self.commit(&first_records(&id)?).await?;
        } else if let Some(told) = settings.cluster_id.as_deref().filter(|told| **told != *logged) {
            return Err(ControllerError::ClusterIdMismatch {
                logged: logged.to_string(),
                told: told.to_owned(),
            });
        }
        let level = self.machine.image().features.get(METADATA_VERSION_FEATURE).copied().unwrap_or(0);
        if level > METADATA_VERSION {
            return Err(ControllerError::MetadataVersion(level));
        }
        Ok(())
    }

    /// Registers this broker and raises the leader epochs.
    async fn register(&mut self, settings: &ControllerSettings) -> Result<(), ControllerError> {
        let registration = Registration {
            node_id: settings.node_id,
            incarnation: self.new_id(),
            endpoints: &settings.endpoints,
            rack: settings.rack.as_deref(),
            log_dirs: &settings.log_dirs,
            supported_features: &settings.supported_features,
        };
        let batches = start_records(self.machine.image(), &registration, self.driver.end_offset())?;
        for records in &batches {
            self.propose(records).await?;
        }
        self.process().await
    }
}
