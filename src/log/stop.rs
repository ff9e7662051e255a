//! A shard's part of a clean stop: everything durable, every segment sealed, the files beside them written.
//!
//! Logs are stopped in parts, each with three flushes of the file system: what was written, its names, then the
//! producer snapshots, which the next start trusts for everything below them.

use std::rc::Rc;

use super::bulk::{Aim, write_together};
use super::directory::Directory;
use super::error::LogError;
use super::log::LogInner;
use super::manager::LogManager;
use super::recovery::clean_stop::{StopReport, StoppedLog};
use super::truncate::Busy;

/// Logs stopped together.
const STOPPED_TOGETHER: usize = 256;

impl LogManager {
    /// Stops cleanly: everything durable and sealed, snapshots and indexes written. Appends end with `Closed`.
    pub async fn shutdown(&self) -> StopReport {
        let shard = &self.0.shard;
        shard.stopping.set(true);
        shard.room.notify();
        self.0.no_changes().await;
        let mut report = StopReport::default();
        for directory in &self.0.directories {
            let logs = self.logs().into_iter().map(|log| log.0);
            let logs: Vec<_> = logs.filter(|log| Rc::ptr_eq(&log.directory, directory)).collect();
            let mut clean = directory.offline().is_none();
            for part in logs.chunks(STOPPED_TOGETHER) {
                if !clean {
                    break;
                }
                if let Err(error) = stop_together(directory, part).await {
                    tracing::warn!(%error, directory = %directory.path.display(), "not stopped cleanly");
                    clean = false;
                }
            }
            for log in &logs {
                // A log that failed by itself leaves the others their clean stop, unless the journal holds some of it.
                clean &= log.error.borrow().is_none() || log.unsealed.borrow().is_empty();
                if log.error.borrow().is_none() {
                    report.logs.push(StoppedLog {
                        directory: directory.id,
                        topic: log.topic.to_string(),
                        partition: log.identity.partition,
                        log_start: log.log_start.get(),
                        log_end: log.log_end_offset(),
                        high_watermark: log.deletable_end(),
                        cleaned_to: log.cleaned_to.get(),
                    });
                }
                log.set_error(LogError::Closed);
            }
            if !clean || directory.offline().is_some() {
                report.unclean.push(directory.path.clone());
            }
            if let Ok(journal) = directory.journal() {
                journal.stop();
            }
            directory.checkpoint_due.notify();
        }
        self.0.logs.borrow_mut().clear();
        report
    }
}

async fn stop_together(directory: &Rc<Directory>, logs: &[Rc<LogInner>]) -> Result<(), LogError> {
    let runtime = &directory.shard.runtime;
    let mut tasks = Vec::new();
    for log in logs.iter().filter(|log| !log.is_gone()) {
        let log = log.clone();
        tasks.push(runtime.spawn(async move {
            let busy = log.settle_for_good().await?;
            Ok::<_, LogError>((log, busy))
        }));
    }
    let mut settled: Vec<(Rc<LogInner>, Busy)> = Vec::new();
    for task in tasks {
        match task.await {
            Ok(one) => settled.push(one),
            // A log of its own that failed is looked at by the caller.
            Err(error) => tracing::debug!(%error, "a log does not stop"),
        }
    }
    directory.check()?;
    loop {
        let open = settled.iter().map(|(log, _)| log);
        let open: Vec<_> = open.filter(|log| !log.is_gone() && !log.is_all_sealed()).cloned().collect();
        if open.is_empty() {
            break;
        }
        write_together(directory, open, Aim::Seal).await?;
        runtime.yield_now().await;
    }
    let mut tasks = Vec::new();
    for (log, _) in settled.iter().filter(|(log, _)| !log.is_gone()) {
        let log = log.clone();
        tasks.push(runtime.spawn(async move {
            let staged = log.stage_files().await?;
            Ok::<_, LogError>((log, staged))
        }));
    }
    let mut staged = Vec::new();
    for task in tasks {
        staged.push(task.await?);
    }
    let flush = async || {
        let flushed = runtime.sync_filesystem(&directory.path).await;
        directory.guard_io("stopping cleanly", flushed)
    };
    flush().await?;
    let mut stopped = Vec::new();
    for (log, files) in staged {
        log.place_files(files).await?;
        stopped.push(log);
    }
    flush().await?;
    for log in &stopped {
        log.place_snapshot().await?;
    }
    flush().await?;
    for log in &stopped {
        log.remove_snapshots_before(log.log_end_offset()).await?;
    }
    Ok(())
}

impl LogInner {
    /// Refuses appends and waits until everything is stated and all rolled segments are sealed.
    async fn settle_for_good(self: &Rc<Self>) -> Result<Busy, LogError> {
        let busy = self.begin_change().await?;
        self.wait_changed(|| self.reservations.get() == 0).await?;
        self.settle_to_seal().await?;
        self.wait_changed(|| self.unsealed.borrow().len() <= 1).await?;
        Ok(busy)
    }

    fn is_all_sealed(&self) -> bool {
        self.unsealed.borrow().iter().all(|segment| segment.is_untouched())
    }
}
