//! One shard's start: its log engine, its partitions, its listeners.
//!
//! Shards other than 0 begin as an inbox that knows nothing. Shard 0 recovers the log directories, then *opens* each
//! shard with the partitions that are its own, then publishes the first metadata image, which opens their logs, then has
//! all listen.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::failures::tell_of_failures;
use super::log_levels::LogLevels;
use super::messages::{ShardReply, ShardRequest};
use super::shard::{Services, Shard};
use crate::api::ApiService;
use crate::config::Config;
use crate::controller::MetadataImage;
use crate::coordinator::{Coordinator, GroupRules};
use crate::log::{LogDirectory, LogError, LogManager, RecoveredPartition};
use crate::net::{
    Acceptor, ConnectionLimits, Connections, ConnectionsSetup, LiveRules, NetCounters, RequestMemory,
    Settings,
};
use crate::partition::{LocalNode, Partitions, ShardTable, log_settings};
use crate::runtime::message::Port;
use crate::runtime::sync::Notify;
use crate::runtime::{Runtime, ShardId, Task};

/// How long requests in flight are given when the broker stops.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// What is the same on all shards.
#[derive(Clone)]
pub(super) struct Common {
    pub config: Arc<Config>,
    pub owners: Arc<ShardTable>,
    pub limits: Arc<ConnectionLimits>,
    pub supported_features: Arc<BTreeMap<String, (i16, i16)>>,
    /// Listener names and addresses.
    pub listen_on: Arc<Vec<(Arc<str>, SocketAddr)>>,
    /// Where the admin listener is, if there is one.
    pub admin: Option<SocketAddr>,
    pub log_levels: Arc<LogLevels>,
    /// Log directories that failed in front of the start, and why.
    pub failed_directories: Arc<Vec<(PathBuf, String)>>,
}

/// What a shard is opened with.
#[derive(Debug)]
pub struct Opening {
    /// The log directories, all of which have their ids.
    pub directories: Vec<LogDirectory>,
    /// The partitions of this shard that recovery has found.
    pub recovered: Vec<RecoveredPartition>,
    /// Partitions of the metadata up to this offset were made before.
    pub made_offset: i64,
}

/// A shard that serves, with what only its start and stop need.
pub(super) struct ShardParts {
    pub shard: Rc<Shard>,
    common: Common,
    connections: Rc<Connections>,
    acceptors: RefCell<Vec<Acceptor>>,
    tasks: RefCell<Vec<Task<()>>>,
}

/// A shard before and while it serves.
pub(super) struct Stage {
    pub runtime: Runtime,
    pub id: ShardId,
    pub port: Port<ShardRequest, ShardReply>,
    pub common: Common,
    pub parts: RefCell<Option<Rc<ShardParts>>>,
    /// Set when the shard's thread may end.
    pub end: RefCell<bool>,
    pub ended: Notify,
}

impl Stage {
    pub(super) fn new(
        runtime: Runtime,
        id: ShardId,
        port: Port<ShardRequest, ShardReply>,
        common: Common,
    ) -> Rc<Self> {
        Rc::new(Self {
            runtime,
            id,
            port,
            common,
            parts: RefCell::new(None),
            end: RefCell::new(false),
            ended: Notify::default(),
        })
    }

    /// Opens the shard.
    pub(super) async fn open(&self, opening: Opening) -> Result<Rc<ShardParts>, LogError> {
        let config = &self.common.config;
        let logs = LogManager::open(
            &self.runtime,
            self.id,
            log_settings(config, self.port.shards()),
            opening.directories,
        )
        .await?;
        let parts = ShardParts::new(self, logs, opening.recovered, opening.made_offset);
        *self.parts.borrow_mut() = Some(parts.clone());
        Ok(parts)
    }

    /// Lets the shard's thread end.
    pub(super) fn let_go(&self) {
        *self.end.borrow_mut() = true;
        self.ended.notify();
    }

    /// Ends when the shard's thread may end.
    pub(super) async fn until_let_go(&self) {
        while !*self.end.borrow() {
            self.ended.wait().await;
        }
    }
}

/// Gathers the wake-ups for other shards that one event causes, and sends one message to each.
fn remote_wakes(runtime: &Runtime, port: &Port<ShardRequest, ShardReply>) -> Rc<dyn Fn(ShardId, u64)> {
    let pending: Rc<RefCell<BTreeMap<ShardId, Vec<u64>>>> = Rc::default();
    let (runtime, port) = (runtime.clone(), port.clone());
    Rc::new(move |shard, token| {
        let mut tokens = pending.borrow_mut();
        let tokens = tokens.entry(shard).or_default();
        tokens.push(token);
        if tokens.len() == 1 {
            let (pending, port) = (pending.clone(), port.clone());
            let send = async move {
                let tokens = pending.borrow_mut().remove(&shard).unwrap_or_default();
                drop(port.send(shard, ShardRequest::Wake(tokens)).await);
            };
            runtime.spawn(send).detach();
        }
    })
}

impl ShardParts {
    fn new(
        stage: &Stage,
        logs: LogManager,
        recovered: Vec<RecoveredPartition>,
        made_offset: i64,
    ) -> Rc<Self> {
        let (runtime, common) = (&stage.runtime, &stage.common);
        let config = &common.config;
        let node = LocalNode { node_id: config.node_id, shard: stage.id, owners: common.owners.clone() };
        let wake_remote = remote_wakes(runtime, &stage.port);
        let partitions = Rc::new(Partitions::new(runtime, node, logs, recovered, made_offset, wake_remote));
        let rules = GroupRules::from_config(config);
        let coordinator =
            Coordinator::new(runtime, partitions.clone(), rules, stage.id, common.owners.clone());
        let net = Rc::new(NetCounters::default());
        let rules = LiveRules::new(&config.network);
        let request_memory = RequestMemory::new(config.shards.request_bytes);
        let services = Services {
            runtime: runtime.clone(),
            id: stage.id,
            config: config.clone(),
            owners: common.owners.clone(),
            port: stage.port.clone(),
            partitions,
            coordinator: coordinator.clone(),
            supported_features: common.supported_features.clone(),
            log_levels: common.log_levels.clone(),
            net: net.clone(),
            connection_rules: rules.clone(),
            request_memory: request_memory.clone(),
        };
        let shard = Shard::new(services, &MetadataImage::default());
        let settings = Settings {
            request_max_bytes: config.network.request_max_bytes,
            requests_in_flight: config.network.requests_in_flight,
            read_buffer_bytes: config.network.read_buffer_bytes,
            unsent_bytes: config.network.unsent_bytes,
            sendfile_slice_bytes: config.network.sendfile_slice_bytes,
        };
        let setup = ConnectionsSetup {
            service: ApiService::new(shard.clone()),
            settings,
            counters: net,
            request_memory,
            limits: common.limits.clone(),
            rules,
            max_open: config.shards.connections,
            stalled_response_bytes: config.shards.tail_cache_bytes / 4,
            stalled: Duration::from_millis(config.network.stalled_ms),
        };
        let connections = Connections::new(runtime, setup);
        let mut tasks = vec![
            runtime.spawn(coordinator.clone().keep_deadlines()),
            runtime.spawn(coordinator.expire_offsets()),
            runtime.spawn(tell_of_failures(shard.clone())),
            runtime.spawn(connections.clone().close_stalled()),
        ];
        if let Some(idle_ms) = config.network.idle_ms {
            tasks.push(runtime.spawn(connections.clone().close_idle(Duration::from_millis(idle_ms))));
        }
        Rc::new(Self {
            shard,
            common: common.clone(),
            connections,
            acceptors: RefCell::default(),
            tasks: RefCell::new(tasks),
        })
    }

    /// Opens the listeners of this shard.
    pub(super) async fn listen(&self) -> std::io::Result<()> {
        // All shards have made their journals by now: free space is without them from the first append on.
        self.shard.partitions.logs().look_at_disks().await;
        for (name, address) in self.common.listen_on.iter() {
            let acceptor =
                Acceptor::open(&self.shard.runtime, name.clone(), *address, self.connections.clone())?;
            self.acceptors.borrow_mut().push(acceptor);
        }
        Ok(())
    }

    /// Opens the admin listener, on shard 0.
    pub(super) fn listen_for_admin(&self) -> std::io::Result<()> {
        if let Some(address) = self.common.admin {
            let (address, task) = super::admin::listen(&self.shard, address)?;
            self.tasks.borrow_mut().push(task);
            println!("admin http://{address}");
        }
        Ok(())
    }

    /// Takes no more connections, answers what is in flight, closes.
    pub(super) async fn stop_serving(&self) {
        self.shard.stopping.set(true);
        self.acceptors.borrow_mut().clear();
        self.shard.partitions.end_waits();
        self.connections.stop(STOP_GRACE).await;
        self.tasks.borrow_mut().clear();
    }
}
