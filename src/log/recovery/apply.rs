//! Writes what the journal says about a partition into its segments, and cuts them to their durable ends.
//!
//! Nothing is flushed here: one flush of the file system follows for all partitions, and until then the journals stay.
//! Done twice it comes to the same.

use std::path::Path;

use super::discover::{PartitionOnDisk, SegmentOnDisk};
use super::replay::{Plan, SegmentPlan};
use crate::log::chain::block_floor;
use crate::log::segment_name::{FileKind, SegmentFile};
use crate::runtime::{AlignedBuf, BLOCK, File, OpenMode, Runtime};

const WRITE_BYTES: u64 = 1 << 20;

/// Why a partition cannot be brought to its durable end.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The log directory failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Bytes below the durable end are missing (law 5).
    #[error("{0}")]
    Corrupt(String),
}

/// Applies `plan` to the partition's files; gives the bytes written. `lenient`: the journal promised nothing.
pub(crate) async fn apply(
    runtime: &Runtime,
    on_disk: &mut PartitionOnDisk,
    plan: &mut Plan,
    lenient: bool,
) -> Result<u64, ApplyError> {
    let gone: Vec<i64> = on_disk.segments.keys().copied().filter(|base| plan.is_gone(*base)).collect();
    for base in gone {
        remove_segment(runtime, &on_disk.path, base).await?;
        on_disk.segments.remove(&base);
    }
    let last = plan.segments.keys().chain(on_disk.segments.keys()).max().copied();
    let log_start = plan.log_start.unwrap_or(0);
    let mut written = 0;
    for (base, segment) in &mut plan.segments {
        if segment.is_exact {
            continue;
        }
        let below_start = segment.end_offset <= log_start && Some(*base) != last;
        let file = on_disk.segments.get(base).copied();
        if below_start && file.is_none() {
            continue;
        }
        let added = apply_segment(runtime, &on_disk.path, *base, segment, file, lenient).await?;
        written += added;
        // What is added was appended after the file's time: when, nobody knows, but not later than now.
        let known = file.filter(|_| added == 0);
        let modified_ms = known.map_or_else(|| runtime.wall_clock_ms(), |file| file.modified_ms);
        on_disk.segments.insert(*base, SegmentOnDisk { len: segment.end, modified_ms });
    }
    plan.segments.retain(|base, _| on_disk.segments.contains_key(base));
    Ok(written)
}

async fn remove_segment(runtime: &Runtime, directory: &Path, base: i64) -> std::io::Result<()> {
    for kind in FileKind::ALL {
        let path = directory.join(SegmentFile::live(kind, base).name());
        if runtime.path_info(&path).await?.is_some() {
            runtime.remove_file(&path).await?;
        }
    }
    Ok(())
}

/// From where on a segment's bytes come from the journal: below, its file has been flushed.
pub(super) fn written_from(plan: &SegmentPlan) -> u64 {
    block_floor(plan.covered_from().max(plan.flushed).min(plan.end))
}

async fn apply_segment(
    runtime: &Runtime,
    directory: &Path,
    base: i64,
    plan: &mut SegmentPlan,
    on_disk: Option<SegmentOnDisk>,
    lenient: bool,
) -> Result<u64, ApplyError> {
    let path = directory.join(SegmentFile::live(FileKind::Log, base).name());
    let len = on_disk.map_or(0, |file| file.len);
    let covered_from = plan.covered_from();
    if len < covered_from {
        let text = format!("{} has {len} bytes, the durable end is {}", path.display(), plan.end);
        if !lenient {
            return Err(ApplyError::Corrupt(text));
        }
        tracing::warn!("{text}; it was not flushed");
        plan.end = len;
        plan.pieces.clear();
    }
    let from = written_from(plan);
    let file = match on_disk {
        Some(_) => File::open(runtime, &path, OpenMode::Direct).await?,
        None => File::open(runtime, &path, OpenMode::DirectNew).await?,
    };
    let mut at = from;
    let mut written = 0;
    while at < plan.end {
        let to = (at + WRITE_BYTES).min(plan.end);
        let padded = (to - at).next_multiple_of(BLOCK as u64) as usize;
        let mut buffer = AlignedBuf::zeroed(padded);
        if at < covered_from {
            // The block that pieces begin inside of: its front is the file's.
            let (filled, block) = file.read_at(at, BLOCK).await?;
            let front = (covered_from - at) as usize;
            match (buffer.get_mut(..front), block.get(..front.min(filled))) {
                (Some(target), Some(source)) if source.len() == front => target.copy_from_slice(source),
                _ => return Err(ApplyError::Corrupt(format!("{} is too short", path.display()))),
            }
        }
        let wanted = (to - at) as usize;
        if let Some(target) = buffer.get_mut(..wanted) {
            plan.fill(at, target);
        }
        file.write_all_at(at, vec![buffer.freeze(padded)], false).await?;
        written += to - at;
        at = to;
    }
    let now = file.len().await?;
    if now != plan.end {
        file.set_len(plan.end).await?;
    }
    Ok(written)
}
