//! The whole life of the broker, as shard 0 leads it.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::error::ServerError;
use super::failures::all_failed;
use super::inbox;
use super::listeners::{endpoints, ready_line};
use super::log_dir_moves;
use super::made::MadeMark;
use super::messages::{ShardReply, ShardRequest};
use super::metadata::{MetadataSource, to_others};
use super::start::{Opening, ShardParts, Stage};
use crate::config::Config;
use crate::controller::engine_log::{EngineLog, METADATA_TOPIC, metadata_partition};
use crate::controller::{Controller, ControllerSettings, Endpoint};
use crate::log::{
    LogDirectory, LogError, RecoveredPartition, Recovery, finish_clean_stop, recover, remove_leftovers,
};
use crate::partition::log_settings;
use crate::protocol::Uuid;
use crate::runtime::signals::Signals;

/// Requests that may wait for the controller.
const CONTROLLER_QUEUE: usize = 1024;

/// Topics of the cluster, at most.
const TOPIC_LIMIT: usize = 1_000_000;

/// Runs one shard until the broker ends. Shard 0 leads; the others serve it.
pub(super) async fn run_shard(stage: Rc<Stage>, signals: Signals) -> Result<(), ServerError> {
    let inbox = stage.runtime.spawn(inbox::serve(stage.clone()));
    let result = if stage.id == 0 {
        let result = lead(&stage, signals).await;
        for answer in to_all_others(&stage, || ShardRequest::End).await {
            let _ = answer.await;
        }
        result
    } else {
        stage.until_let_go().await;
        // The answer to "end" must leave before the ring does.
        stage.runtime.yield_now().await;
        Ok(())
    };
    drop(inbox);
    result
}

async fn to_all_others(
    stage: &Stage,
    mut request: impl FnMut() -> ShardRequest,
) -> Vec<crate::runtime::sync::Receiver<ShardReply>> {
    let mut answers = Vec::new();
    for other in 1..stage.port.shards() {
        answers.push(stage.port.send(other, request()).await);
    }
    answers
}

async fn lead(stage: &Rc<Stage>, signals: Signals) -> Result<(), ServerError> {
    let config = stage.common.config.clone();
    let runtime = &stage.runtime;
    let started_ns = runtime.now_ns();
    let recovery = recover_directories(stage).await;
    let was_clean = recovery.was_clean;
    let interrupted_moves = recovery.interrupted_moves.clone();
    let leftovers = recovery.leftovers.clone();
    let (directories, recovered) = prepare_directories(stage, recovery).await?;
    let metadata = recovered.metadata;
    let made = load_made_mark(stage, &directories, metadata.as_ref()).await?;
    let parts = open_shards(stage, &directories, recovered.by_shard, made.offset()).await?;
    let endpoints = endpoints(&config, &stage.common.listen_on);
    let controller = start_controller(&parts, &directories, metadata, &endpoints).await?;
    let source = MetadataSource::new(controller.clone(), made);
    *parts.shard.metadata_source.borrow_mut() = Some(source.clone());
    source.start(&parts.shard).await;
    listen_everywhere(&parts).await?;
    parts.listen_for_admin().map_err(|error| ServerError::Listen {
        name: "admin".into(),
        address: "shard 0".into(),
        cause: error.to_string(),
    })?;
    let partitions = parts.shard.image().topics.partition_count();
    let took_ms = (runtime.now_ns() - started_ns) / 1_000_000;
    tracing::info!(partitions, was_clean, took_ms, shards = stage.port.shards(), "started");
    println!("{}", ready_line(&endpoints));
    runtime.spawn(remove_leftovers(runtime.clone(), leftovers)).detach();
    log_dir_moves::resume(&parts.shard, interrupted_moves).await;
    let failed = controller.failed();
    let end = futures_lite::future::or(
        async {
            signals.stop_requested(runtime).await;
            Ok(())
        },
        futures_lite::future::or(
            async { Err(ServerError::NoDirectory(all_failed(parts.shard.partitions.logs()).await)) },
            async { Err(ServerError::Controller(failed.await.to_string())) },
        ),
    )
    .await;
    tracing::info!("stopping");
    stop(&parts, &controller, &directories).await?;
    end
}

/// Those that failed in the probe are not touched: a disk that hangs would hold up the rest.
async fn recover_directories(stage: &Stage) -> Recovery {
    let (config, failed) = (&stage.common.config, &stage.common.failed_directories);
    let sound = |path: &&PathBuf| failed.iter().all(|(other, _)| other != *path);
    let paths: Vec<PathBuf> = config.log_dirs.iter().filter(sound).cloned().collect();
    let mut recovery = recover(&stage.runtime, &paths, &log_settings(config, stage.port.shards())).await;
    for (path, reason) in failed.iter() {
        recovery.was_clean = false;
        recovery.directories.push(LogDirectory {
            path: path.clone(),
            id: Uuid::ZERO,
            cluster_id: None,
            node_id: None,
            offline: Some(reason.as_str().into()),
        });
    }
    recovery
}

/// The metadata log, and the other partitions by the shard that owns them.
struct Recovered {
    metadata: Option<RecoveredPartition>,
    by_shard: Vec<Vec<RecoveredPartition>>,
}

async fn prepare_directories(
    stage: &Stage,
    recovery: Recovery,
) -> Result<(Vec<LogDirectory>, Recovered), ServerError> {
    let config = &stage.common.config;
    let mut directories = recovery.directories;
    check_identity(config, &directories)?;
    for directory in directories.iter().filter(|directory| directory.offline.is_some()) {
        let reason = directory.offline.as_deref().unwrap_or_default();
        tracing::error!(path = %directory.path.display(), reason, "log directory is offline");
    }
    let online = directories.iter().filter(|directory| directory.offline.is_none()).count();
    if online == 0 {
        let reasons = directories.iter().filter_map(|directory| directory.offline.as_deref());
        return Err(ServerError::NoDirectory(reasons.collect::<Vec<_>>().join("; ")));
    }
    if !recovery.partitions.iter().any(|partition| partition.topic_id == Uuid::METADATA_TOPIC) {
        check_first_start(&directories, recovery.partitions.len())?;
    }
    // One controller: the cluster's id can be drawn here, the first committed record will say the same.
    let known = directories.iter().find_map(|directory| directory.cluster_id.clone());
    let cluster_id = known.or_else(|| config.cluster_id.clone()).unwrap_or_else(|| new_cluster_id(stage));
    for directory in directories.iter_mut().filter(|d| d.offline.is_none() && d.cluster_id.is_none()) {
        directory.format(&stage.runtime, &cluster_id, config.node_id).await?;
    }
    for orphan in &recovery.orphans {
        tracing::warn!(path = %orphan.display(), "set aside: it belongs to no partition");
    }
    let owners = &stage.common.owners;
    let mut recovered =
        Recovered { metadata: None, by_shard: (0..stage.port.shards()).map(|_| Vec::new()).collect() };
    for partition in recovery.partitions {
        if partition.topic_id == Uuid::METADATA_TOPIC {
            recovered.metadata = Some(partition);
        } else if let Some(theirs) =
            recovered.by_shard.get_mut(usize::from(owners.owner(partition.topic_id, partition.partition)))
        {
            theirs.push(partition);
        }
    }
    Ok((directories, recovered))
}

/// Without a metadata log one is made; a node that had one must not get another, under which all its partitions would
/// be strays. So everything must look like a first start: every directory there, none or all of them formatted (a first
/// start that was cut short), and no partition anywhere.
fn check_first_start(directories: &[LogDirectory], partitions: usize) -> Result<(), ServerError> {
    let formatted = directories.iter().filter(|directory| directory.cluster_id.is_some()).count();
    if formatted == 0 && partitions == 0 {
        return Ok(());
    }
    let Some(suspect) = directories
        .iter()
        .find(|directory| directory.offline.is_some())
        .or_else(|| directories.iter().find(|directory| directory.cluster_id.is_none()))
        .or_else(|| directories.first().filter(|_| partitions > 0))
    else {
        return Ok(());
    };
    let text = format!(
        "the metadata log ({METADATA_TOPIC}-0) is in none of the log directories, though this node ran before: if it \
         was here, mount this directory or bring its content back, or name the directory that holds it in log.dirs"
    );
    Err(ServerError::Directory { path: suspect.path.clone(), text })
}

/// All directories must be this node's, of one cluster.
fn check_identity(config: &Config, directories: &[LogDirectory]) -> Result<(), ServerError> {
    let mut cluster: Option<&str> = config.cluster_id.as_deref();
    for directory in directories {
        let wrong = |text: String| ServerError::Directory { path: directory.path.clone(), text };
        if let Some(node_id) = directory.node_id.filter(|&node_id| node_id != config.node_id) {
            return Err(wrong(format!("it belongs to node {node_id}, this is node {}", config.node_id)));
        }
        match (cluster, directory.cluster_id.as_deref()) {
            (Some(ours), Some(theirs)) if ours != theirs => {
                return Err(wrong(format!("it belongs to cluster {theirs}, this is cluster {ours}")));
            }
            (None, Some(theirs)) => cluster = Some(theirs),
            _ => {}
        }
    }
    Ok(())
}

fn new_cluster_id(stage: &Stage) -> String {
    loop {
        let bits = (u128::from(stage.runtime.random_u64()) << 64) | u128::from(stage.runtime.random_u64());
        if let Some(id) = Uuid::from_random(bits.to_be_bytes()) {
            return id.to_string();
        }
    }
}

/// Beside the metadata log; that is in the first directory online when there is none yet.
async fn load_made_mark(
    stage: &Stage,
    directories: &[LogDirectory],
    metadata: Option<&RecoveredPartition>,
) -> Result<MadeMark, ServerError> {
    let beside = match metadata {
        Some(found) => found.path.clone(),
        None => first_online(directories)?.path.join(format!("{METADATA_TOPIC}-0")),
    };
    let loaded = MadeMark::load(&stage.runtime, &beside).await;
    loaded.map_err(|error| ServerError::Directory { path: beside, text: error.to_string() })
}

fn first_online(directories: &[LogDirectory]) -> Result<&LogDirectory, ServerError> {
    let online = directories.iter().find(|directory| directory.offline.is_none());
    online.ok_or_else(|| ServerError::NoDirectory("none is online".into()))
}

async fn open_shards(
    stage: &Rc<Stage>,
    directories: &[LogDirectory],
    by_shard: Vec<Vec<RecoveredPartition>>,
    made_offset: i64,
) -> Result<Rc<ShardParts>, ServerError> {
    let mut answers = Vec::new();
    let mut mine = Vec::new();
    for (shard, recovered) in by_shard.into_iter().enumerate() {
        if shard == usize::from(stage.id) {
            mine = recovered;
            continue;
        }
        let opening = Box::new(Opening { directories: directories.to_vec(), recovered, made_offset });
        answers.push(stage.port.send(shard as u16, ShardRequest::Open(opening)).await);
    }
    let parts =
        stage.open(Opening { directories: directories.to_vec(), recovered: mine, made_offset }).await?;
    for answer in answers {
        if let Some(ShardReply::Opened(Err(error))) = answer.await {
            return Err(ServerError::Log(error));
        }
    }
    Ok(parts)
}

async fn start_controller(
    parts: &ShardParts,
    directories: &[LogDirectory],
    recovered: Option<RecoveredPartition>,
    endpoints: &[Endpoint],
) -> Result<Controller, ServerError> {
    let shard = &parts.shard;
    let logs = shard.partitions.logs();
    let config = &shard.config;
    let online: Vec<&LogDirectory> =
        directories.iter().filter(|directory| directory.offline.is_none()).collect();
    let first = first_online(directories)?;
    let log = match recovered {
        Some(found) => logs.open_existing(found, metadata_partition(first.id).config)?,
        None => {
            let spec = metadata_partition(first.id);
            logs.create(vec![spec]).await.pop().unwrap_or(Err(LogError::NoSuchDirectory))?
        }
    };
    let holder = online.iter().find(|directory| directory.id == log.directory()).copied().unwrap_or(first);
    let state_dir: PathBuf = holder.path.join(format!("{METADATA_TOPIC}-0"));
    let settings = ControllerSettings {
        node_id: config.node_id,
        cluster_id: holder.cluster_id.clone(),
        state_dir,
        directory_id: holder.id,
        endpoints: endpoints.to_vec(),
        rack: config.rack.clone(),
        controller_endpoints: Vec::new(),
        log_dirs: online.iter().map(|directory| directory.id).collect(),
        supported_features: shard.supported_features().clone(),
        num_partitions: config.topics.num_partitions,
        default_replication_factor: config.topics.default_replication_factor,
        topic_limit: TOPIC_LIMIT,
        partition_limit: config.shards.partitions.saturating_mul(usize::from(shard.port.shards())),
        queue_requests: CONTROLLER_QUEUE,
    };
    let rules = Rc::new(Config::clone(config));
    Controller::start(&shard.runtime, EngineLog::open(&shard.runtime, log), settings, rules)
        .await
        .map_err(|error| ServerError::Controller(error.to_string()))
}

async fn listen_everywhere(parts: &ShardParts) -> Result<(), ServerError> {
    let failed = |cause: String| ServerError::Listen { name: "all".into(), address: "a shard".into(), cause };
    let answers = to_others(&parts.shard, || ShardRequest::Listen).await;
    parts.listen().await.map_err(|error| failed(error.to_string()))?;
    for answer in answers {
        if let Some(ShardReply::Listening(Err(cause))) = answer.await {
            return Err(failed(cause));
        }
    }
    Ok(())
}

/// Listeners and connections first, then the controller, then the logs, and the mark when all went well.
async fn stop(
    parts: &Rc<ShardParts>,
    controller: &Controller,
    directories: &[LogDirectory],
) -> Result<(), ServerError> {
    let shard = &parts.shard;
    let answers = to_others(shard, || ShardRequest::StopServing).await;
    parts.stop_serving().await;
    for answer in answers {
        let _ = answer.await;
    }
    controller.stop().await;
    let answers = to_others(shard, || ShardRequest::StopLogs).await;
    let mut reports = vec![shard.partitions.logs().shutdown().await];
    for answer in answers {
        if let Some(ShardReply::Stopped(report)) = answer.await {
            reports.push(*report);
        }
    }
    let broker_epoch = shard.image().broker(shard.config.node_id).map_or(-1, |broker| broker.epoch);
    finish_clean_stop(&shard.runtime, directories, reports, broker_epoch).await?;
    tracing::info!("stopped");
    Ok(())
}

/// What the broker supports of each feature; those it does not have yet are not listed.
pub(super) fn supported_features() -> Arc<std::collections::BTreeMap<String, (i16, i16)>> {
    Arc::default()
}
