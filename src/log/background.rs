//! What a shard's logs do by themselves: idle tails sealed, retention, checkpoints, the watch on free space.
//!
//! Tasks of the log manager, on its shard; they end when the manager stops. Each works through the logs one after the
//! other, so that background work never floods the device.

use std::rc::{Rc, Weak};
use std::time::Duration;

use super::bulk::{Aim, write_together};
use super::directory::Directory;
use super::log::{Log, LogInner};
use super::manager::ManagerInner;

/// Idle tails sealed with one flush.
const SEALED_TOGETHER: usize = 128;
const BUSY_PAUSE: Duration = Duration::from_millis(20);
const DISK_WATCH: Duration = Duration::from_secs(1);

pub(super) fn start(manager: &Rc<ManagerInner>) {
    let runtime = manager.shard.runtime.clone();
    let tail_idle = manager.shard.settings.tail_idle_seal_ms;
    every(manager, Duration::from_millis((tail_idle / 4).max(10)), seal_idle);
    let retention = manager.shard.settings.retention_check_interval_ms;
    every(manager, Duration::from_millis(retention.max(10)), retain);
    every(manager, DISK_WATCH, watch_disks);
    super::compaction::task::start(manager);
    for directory in &manager.directories {
        let directory = directory.clone();
        runtime.spawn(async move { checkpoint_oldest(&directory).await }).detach();
    }
}

/// Runs `work` at every `interval` as long as the manager is there.
fn every<F: Future<Output = ()> + 'static>(
    manager: &Rc<ManagerInner>,
    interval: Duration,
    work: impl Fn(Rc<ManagerInner>) -> F + 'static,
) {
    let runtime = manager.shard.runtime.clone();
    let manager = Rc::downgrade(manager);
    let timer = runtime.clone();
    runtime
        .spawn(async move {
            loop {
                timer.sleep(interval).await;
                let Some(manager) = Weak::upgrade(&manager) else { return };
                if manager.shard.stopping.get() {
                    return;
                }
                work(manager).await;
            }
        })
        .detach();
}

async fn seal_idle(manager: Rc<ManagerInner>) {
    for directory in &manager.directories {
        if directory.offline().is_some() {
            continue;
        }
        let idle = |log: &Log| Rc::ptr_eq(&log.0.directory, directory) && log.0.is_idle() && log.0.can_seal();
        let idle: Vec<_> = manager.all().into_iter().filter(idle).map(|log| log.0).collect();
        for part in idle.chunks(SEALED_TOGETHER) {
            if write_together(directory, part.to_vec(), Aim::Seal).await.is_err() {
                break;
            }
        }
    }
}

impl LogInner {
    /// Whether the active segment has something to seal, and all of it is stated.
    fn can_seal(&self) -> bool {
        let active = self.active();
        let end = active.end.get();
        // An empty segment nobody spoke of has nothing to seal but a file to make: not for idle partitions.
        let untouched = end.position == 0 && active.base_offset == 0;
        !untouched
            && !active.sealed.get()
            && !self.is_gone()
            && active.stated.get() == end
            && !active.statement_due.get()
    }
}

async fn retain(manager: Rc<ManagerInner>) {
    for log in manager.all() {
        if log.0.is_gone() {
            continue;
        }
        let now_ms = manager.shard.runtime.wall_clock_ms();
        if let Err(error) = log.apply_retention(now_ms).await {
            tracing::warn!(%error, topic = %log.0.topic, partition = log.partition(), "retention failed");
        }
        log.with_producers(|producers| producers.remove_expired(now_ms));
        manager.shard.runtime.yield_now().await;
    }
}

async fn watch_disks(manager: Rc<ManagerInner>) {
    manager.look_at_disks().await;
}

impl Directory {
    /// Asks for the free bytes; with too few of them appends are refused, and taken again when there are more.
    pub(super) async fn look_at_disk(&self) {
        if self.offline().is_some() {
            return;
        }
        let Ok((free, total)) = self.shard.runtime.free_bytes(&self.path).await else { return };
        self.free_bytes.set(free);
        self.total_bytes.set(total);
        self.taken_bytes.set(0);
        self.unwritten_bytes.set(self.count_unwritten());
        let reserve = self.shard.settings.disk_reserve_bytes.min(total / 8);
        self.reserve_bytes.set(reserve);
        let full = if self.full.get() { free < reserve + reserve / 8 } else { free < reserve };
        if self.full.replace(full) != full {
            tracing::warn!(directory = %self.path.display(), free, full, "free space of a log directory");
        }
    }
}

async fn checkpoint_oldest(directory: &Rc<Directory>) {
    loop {
        let due = directory.checkpoint_due.wait();
        if directory.offline().is_some() || directory.shard.stopping.get() {
            return;
        }
        let limit = directory.shard.settings.unscanned_bytes / 2;
        while directory.unscanned_bytes.get() > limit {
            let oldest = directory.unscanned.borrow_mut().pop_front();
            let Some(log) = oldest else { break };
            let Some(log) = log.upgrade() else { continue };
            let bytes = log.unscanned_bytes.get();
            directory.clear_unscanned(&log);
            if let Ok(false) = log.checkpoint().await {
                // It is being changed: later.
                directory.add_unscanned(&log, bytes);
                directory.shard.runtime.sleep(BUSY_PAUSE).await;
            }
            if directory.offline().is_some() || directory.shard.stopping.get() {
                return;
            }
        }
        due.await;
    }
}
