//! One flush for many logs: thousands of tails are written to their segments, or sealed, with one flush of the file
//! system instead of several flushes of files and directories for each.
//!
//! Used by the cleaner, by what seals idle tails and by the clean stop. The logs' `io` locks are held from the write to
//! the end of the flush (law 1: what a flush covers was completed before it was submitted).

use std::rc::Rc;

use super::chain::block_floor;
use super::directory::Directory;
use super::error::LogError;
use super::lock::Held;
use super::log::LogInner;
use super::seal::SealStep;
use super::segment::{Mark, Segment};
use super::segment_io::After;
use super::settings::Sabotage;
use crate::runtime::sync::Budget;

/// Logs written at the same time.
const AT_ONCE: u64 = 16;
/// Up to so many, each is flushed by itself: a flush of the file system also takes what others left there.
const FEW: usize = 3;

/// What is to be done with the active segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Its whole blocks are in the file, durably.
    Blocks,
    /// It is sealed.
    Seal,
}

struct Staged {
    log: Rc<LogInner>,
    segment: Rc<Segment>,
    /// The end of the seal; None for blocks alone.
    seal: Option<Mark>,
    written: u64,
    _lock: Held,
}

/// Brings the active segments of `logs`, all in `directory`, where `aim` says; gives the bytes written. Logs that
/// cannot take part now are left out.
pub(super) async fn write_together(
    directory: &Rc<Directory>,
    logs: Vec<Rc<LogInner>>,
    aim: Aim,
) -> Result<u64, LogError> {
    // One at a time: two that held some logs' locks would wait for each other's.
    let _alone = directory.bulk.acquire().await;
    let runtime = directory.shard.runtime.clone();
    let slots = Budget::new(AT_ONCE);
    let mut tasks = Vec::new();
    for log in logs {
        let permit = slots.acquire(1).await;
        tasks.push(runtime.spawn(async move {
            let staged = log.stage(aim).await;
            drop(permit);
            staged
        }));
    }
    let mut staged = Vec::new();
    let mut bytes = 0;
    for task in tasks {
        // An error of a log's own leaves that log out; one of the directory shows below.
        if let Ok(Some((one, written))) = task.await {
            staged.push(one);
            bytes += written;
        }
    }
    directory.check()?;
    let few = staged.len() <= FEW;
    if !few && !directory.shard.sabotaged(Sabotage::FlushOfAnotherFile) {
        let flushed = runtime.sync_filesystem(&directory.path).await;
        directory.guard_io("flushing many segments", flushed)?;
    }
    for one in staged {
        one.finish(few).await?;
    }
    Ok(bytes)
}

impl LogInner {
    async fn stage(self: &Rc<Self>, aim: Aim) -> Result<Option<(Staged, u64)>, LogError> {
        let lock = self.io.acquire().await;
        let segment = self.active();
        if self.is_gone() || self.cutting.get() || segment.sealed.get() || segment.dropped.get() {
            return Ok(None);
        }
        let before = segment.written.get();
        let seal = match aim {
            Aim::Blocks => {
                // Only what is durable in the journal: what a truncation may cut off was stated before.
                let upto = block_floor(segment.stated.get().position).max(before);
                if upto == before && segment.flushed.get() == before {
                    return Ok(None);
                }
                self.write_blocks(&segment, upto, true, After::Nothing, &lock).await?;
                None
            }
            Aim::Seal => match self.write_seal(&segment, &lock).await? {
                SealStep::Sealed | SealStep::NotNow => return Ok(None),
                SealStep::Written(end) => Some(end),
            },
        };
        let written = segment.written.get();
        let staged = Staged { log: self.clone(), segment, seal, written, _lock: lock };
        Ok(Some((staged, written - before)))
    }
}

impl Staged {
    async fn finish(self, alone: bool) -> Result<(), LogError> {
        let (log, segment) = (&self.log, &self.segment);
        if alone {
            if let Some(file) = segment.open_writer()
                && !log.shard.sabotaged(Sabotage::FlushOfAnotherFile)
            {
                let flushed =
                    if self.seal.is_some() { file.sync_all().await } else { file.sync_data().await };
                log.guard_io("flushing a segment", flushed)?;
            }
            log.make_name_durable(segment).await?;
        }
        segment.named.set(true);
        segment.flushed.set(segment.flushed.get().max(self.written));
        segment.forget_flushed_pieces();
        if let Some(end) = self.seal {
            log.finish_seal(segment, end);
        }
        log.changed.notify();
        Ok(())
    }
}
