//! What a clean stop must leave on the disk: exact segments, indexes that agree with them, epochs.

use std::path::Path;

use millrace::log::index::OffsetIndexView;
use millrace::log::leader_epochs::LeaderEpochs;
use millrace::log::time_index::TimeIndexView;
use millrace::runtime::sim::Disk;

use crate::model::Partition;

/// Checks the files of a partition after a clean stop.
pub fn check(disk: &Disk, log_directory: &Path, partition: &Partition) -> Result<(), String> {
    let directory = log_directory.join(format!("{}-{}", partition.topic, partition.number));
    let name = directory.display().to_string();
    let mut bases: Vec<i64> = disk
        .names_in(&directory)
        .iter()
        .filter_map(|name| name.strip_suffix(".log").and_then(|base| base.parse().ok()))
        .collect();
    bases.sort_unstable();
    let state = partition.state.borrow();
    if bases.is_empty() {
        if state.end == 0 {
            // Nothing was ever appended: no file is needed to say so.
            return Ok(());
        }
        return Err(format!("{name} holds no segment after a clean stop"));
    }
    let start = partition.log.borrow().as_ref().map_or(0, |log| log.log_start_offset()).max(state.start);
    for (number, base) in bases.iter().enumerate() {
        let next = bases.get(number + 1).copied().unwrap_or(i64::MAX);
        if next <= start {
            // A deleted segment whose name came back: below the log start nobody reads it.
            continue;
        }
        let file = |suffix: &str| directory.join(format!("{base:020}.{suffix}"));
        let log = disk.read(&file("log")).unwrap_or_default();
        let batches: Vec<_> =
            state.batches.iter().filter(|batch| batch.base >= *base && batch.base < next).collect();
        let expected: Vec<u8> = batches.iter().flat_map(|batch| batch.bytes.iter().copied()).collect();
        if *base < start && log.len() != expected.len() {
            // Below the log start, one may know more than the other.
            let above = batches.iter().filter(|batch| batch.last >= start);
            let above: Vec<u8> = above.flat_map(|batch| batch.bytes.iter().copied()).collect();
            if log.ends_with(&above) {
                continue;
            }
        }
        if log != expected {
            let differs = log.iter().zip(&expected).position(|(got, wanted)| got != wanted);
            return Err(format!(
                "{name}/{base:020}.log has {} bytes after a clean stop instead of {}, they differ at {differs:?}",
                log.len(),
                expected.len()
            ));
        }
        let mut positions = Vec::new();
        let (mut position, mut largest) = (0, i64::MIN);
        for batch in &batches {
            largest = largest.max(batch.timestamps.iter().copied().max().unwrap_or(i64::MIN));
            positions.push((position as u32, batch.last, largest));
            position += batch.bytes.len();
        }
        let index = disk.read(&file("index")).unwrap_or_default();
        let view = OffsetIndexView::new(*base, &index);
        if let Err(error) = view.sanity_check().and_then(|()| view.check_order(log.len() as u64)) {
            let entries: Vec<_> = view.iter().collect();
            return Err(format!(
                "{name}/{base:020}.index: {error}: {entries:?}, {:?}",
                partition.log.borrow().as_ref().map(|log| log.segments())
            ));
        }
        for entry in view.iter() {
            if !positions
                .iter()
                .any(|(position, last, _)| *position == entry.position && *last == entry.offset)
            {
                return Err(format!("{name}/{base:020}.index says {entry:?}, no batch is there"));
            }
        }
        let times = disk.read(&file("timeindex")).unwrap_or_default();
        let view = TimeIndexView::new(*base, &times);
        for entry in view.iter() {
            let known = positions
                .iter()
                .any(|(_, last, largest)| *last >= entry.offset && *largest == entry.timestamp_ms);
            if !known {
                return Err(format!("{name}/{base:020}.timeindex says {entry:?}, no batch has it"));
            }
        }
    }
    let text = disk.read(&directory.join("leader-epoch-checkpoint")).unwrap_or_default();
    let epochs = LeaderEpochs::parse(&text).map_err(|error| format!("{name}: leader epochs: {error}"))?;
    for batch in state.batches.iter().filter(|batch| batch.base >= start) {
        if epochs.epoch_for_offset(batch.base) != Some(batch.epoch) {
            return Err(format!(
                "{name}: the epoch file gives offset {} another epoch than {}: {:?}",
                batch.base,
                batch.epoch,
                epochs.entries()
            ));
        }
    }
    Ok(())
}
