//! The controller over the log engine, on the simulated disk: power cuts at any moment, then recovery.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::support::{check_topic_configs, create, rules, settings, topic};
use crate::controller::engine_log::{EngineLog, METADATA_TOPIC, metadata_partition};
use crate::controller::*;
use crate::log::{LogManager, LogSettings, recover};
use crate::protocol::Uuid;
use crate::runtime::Runtime;
use crate::runtime::sim::{Faults, Stopped, World};

const DIRECTORY: &str = "/d0";

fn log_settings() -> LogSettings {
    LogSettings {
        journal_bytes: 4 << 20,
        journal_start_bytes: 4 << 20,
        journal_live_bytes: 2 << 20,
        allow_unsafe_filesystem: true,
        ..LogSettings::default()
    }
}

/// What the server does at start, as far as the controller is concerned.
async fn boot(runtime: &Runtime) -> (LogManager, Controller) {
    let mut recovery = recover(runtime, &[PathBuf::from(DIRECTORY)], &log_settings()).await;
    let directory = recovery.directories.first_mut().unwrap();
    assert_eq!(directory.offline, None);
    if directory.id == Uuid::ZERO {
        // Not written down before the cluster has its id.
        directory.id = Uuid::from_u128(u128::from(runtime.random_u64()) + 100);
    }
    let id = directory.id;
    let manager = LogManager::open(runtime, 0, log_settings(), recovery.directories.clone()).await.unwrap();
    let spec = metadata_partition(id);
    let found = recovery.partitions.into_iter().find(|partition| partition.topic == METADATA_TOPIC);
    let log = match found {
        Some(mut partition) => {
            partition.directory = id; // unknown to recovery after a power cut before meta.properties was written
            manager.open_existing(partition, spec.config).unwrap()
        }
        None => manager.create(vec![spec]).await.into_iter().next().unwrap().unwrap(),
    };
    let directory = recovery.directories.first_mut().unwrap();
    let settings = ControllerSettings {
        cluster_id: directory.cluster_id.clone(),
        state_dir: Path::new(DIRECTORY).join("__cluster_metadata-0"),
        directory_id: id,
        log_dirs: vec![id],
        ..settings()
    };
    let log = EngineLog::open(runtime, log);
    let controller = Controller::start(runtime, log, settings, rules()).await.unwrap();
    directory.format(runtime, &controller.image().cluster_id, 1).await.unwrap();
    (manager, controller)
}

/// What was answered: topics with their ids, and None for a topic that was deleted.
type Answered = Rc<RefCell<BTreeMap<String, Option<Uuid>>>>;

async fn work(runtime: Runtime, life: u64, answered: Answered) {
    let (_manager, controller) = boot(&runtime).await;
    let image = controller.image();
    for (name, id) in answered.borrow().iter() {
        assert_eq!(image.topics.by_name(name).map(|topic| topic.id), *id, "{name}");
    }
    check_topic_configs(&image);
    for number in 0..30 {
        let name = format!("life-{life}-{number}");
        let reply = controller.handle(create(vec![topic(&name, 3)])).await;
        let ControllerResponse::CreateTopics(results) = reply.response else { panic!() };
        let id = results.first().unwrap().result.as_ref().unwrap().id;
        answered.borrow_mut().insert(name.clone(), Some(id));
        if number % 4 == 3 {
            // In doubt until it is answered.
            answered.borrow_mut().remove(&name);
            controller.handle(ControllerRequest::DeleteTopics { topics: vec![TopicSelector::Id(id)] }).await;
            answered.borrow_mut().insert(name, None);
        }
        runtime.sleep(Duration::from_millis(runtime.random_u64() % 20)).await;
    }
}

#[test]
fn what_was_answered_outlives_power_cuts() {
    for seed in 0..40 {
        let world = World::new(seed, Faults::none());
        world.disk().mount(Path::new(DIRECTORY), 256 << 20);
        let answered = Answered::default();
        let mut random = world.random();
        for life in 0..4 {
            let runtime = world.add_shard();
            world.interrupt_after_operations(1 + random.below(200));
            let task = runtime.spawn(work(runtime.clone(), life, answered.clone()));
            let stopped = world.run_until(Duration::from_secs(5), || false);
            assert!(matches!(stopped, Stopped::Interrupted | Stopped::Limit | Stopped::Idle));
            world.crash();
            drop((task, runtime));
        }
        let runtime = world.add_shard();
        let shard = runtime.clone();
        world.interrupt_after_operations(u64::MAX >> 1);
        world.block_on(&runtime, work(shard, 9, answered.clone()));
    }
}
