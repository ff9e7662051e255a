//! From a partition's files, exact by now, to what its shard needs: end offsets, indexes, epochs, producers.
//!
//! After a clean stop no segment is read. Otherwise what no checkpoint covers is scanned: CRC, offsets and epochs of
//! every batch are checked. A fault there is corruption and takes the partition offline (law 5), unless nobody had
//! promised that the bytes would be there.

use bytes::Bytes;

use super::apply::written_from;
use super::discover::{LOG_START_FILE, PartitionOnDisk, encode_log_start};
use super::replacements::Replacements;
use super::replay::{Plan, SegmentPlan};
use super::types::{RecoveredPartition, RecoveredSegment};
use crate::log::compaction::complete::{CLEANED_FILE, encode_cleaned_to};
use crate::log::index::OffsetIndex;
use crate::log::index_builder::{BatchMark, IndexBuilder};
use crate::log::index_files::{LEADER_EPOCH_FILE, parse_indexes, write_whole};
use crate::log::leader_epochs::{EpochEntry, LeaderEpochs};
use crate::log::segment_name::{FileKind, SegmentFile};
use crate::log::settings::LogSettings;
use crate::log::time_index::TimeIndex;
use crate::log::transaction_index::TransactionIndex;
use crate::partition::producer_snapshot;
use crate::partition::producer_state::{EndMarker, ProducerLimits, ProducerStates};
use crate::protocol::Uuid;
use crate::protocol::record_batch::{Batch, batches};
use crate::runtime::{BLOCK, File, OpenMode, Runtime};

const READ_BYTES: u64 = 1 << 20;
/// Index interval while scanning; the topic's own is not known here.
const INTERVAL_BYTES: u32 = 4096;

/// What is known from outside the partition's directory.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    pub(crate) directory: Uuid,
    /// The clean stop's log end offset.
    pub(crate) clean_end: Option<i64>,
    pub(crate) log_start: Option<i64>,
    pub(crate) high_watermark: Option<i64>,
    /// Where cleaning had come, by the log directory's checkpoint.
    pub(crate) cleaned_to: Option<i64>,
    /// Faults at the end are cut: nothing was promised.
    pub(crate) lenient: bool,
}

/// Limits of the producer state, from the settings.
pub(crate) fn producer_limits(settings: &LogSettings) -> ProducerLimits {
    ProducerLimits {
        producer_id_expiration_ms: settings.producer_id_expiration_ms,
        max_producers: settings.max_producers,
        max_transaction_timeout_ms: settings.max_transaction_timeout_ms,
        verify_transactions: settings.verify_transactions,
    }
}

struct Loader<'a> {
    runtime: &'a Runtime,
    on_disk: &'a PartitionOnDisk,
    lenient: bool,
    epochs: LeaderEpochs,
    producers: ProducerStates,
    next_offset: i64,
    last_epoch: i32,
    scanned: u64,
    /// Segments whose index files on disk are not a beginning of what the scan found.
    stale: Vec<i64>,
}

/// How a scan ended.
enum Scanned {
    Whole,
    /// Bytes from here on are not batches.
    Fault(u64, String),
}

/// Where the bytes of a segment are scanned.
enum Source<'a> {
    File(File),
    Journal(&'a SegmentPlan),
}

/// Loads a partition.
pub(crate) async fn load(
    runtime: &Runtime,
    settings: &LogSettings,
    on_disk: &PartitionOnDisk,
    plan: &Plan,
    known: Known,
    replacements: &Replacements,
) -> std::io::Result<RecoveredPartition> {
    let path = &on_disk.path;
    let epochs = match on_disk.has_epochs {
        true => {
            let bytes = runtime.read_file(&path.join(LEADER_EPOCH_FILE)).await?.unwrap_or_default();
            LeaderEpochs::parse(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, directory = %path.display(), "leader epochs are unreadable");
                LeaderEpochs::new()
            })
        }
        false => LeaderEpochs::new(),
    };
    let on_file = epochs.entries().to_vec();
    let first_base = on_disk.segments.keys().next().copied();
    let log_start = known.log_start.into_iter().chain(plan.log_start).chain(first_base).max().unwrap_or(0);
    let mut recovered = RecoveredPartition {
        topic: on_disk.topic.clone(),
        topic_id: on_disk.topic_id.unwrap_or(Uuid::ZERO),
        partition: on_disk.partition,
        directory: known.directory,
        log_start_offset: log_start,
        log_end_offset: log_start,
        high_watermark: known.high_watermark,
        offline: None,
        path: path.clone(),
        incarnation: on_disk.incarnation.unwrap_or(0),
        owner_epoch: on_disk.owner_epoch,
        segments: Vec::new(),
        epochs: LeaderEpochs::new(),
        epochs_on_disk: Vec::new(),
        producers: Vec::new(),
        snapshots: Vec::new(),
        unscanned_bytes: 0,
        log_start_on_disk: on_disk.log_start,
        cleaned_to: None,
    };
    let bases: Vec<i64> = on_disk.segments.keys().copied().collect();
    for (number, base) in bases.iter().enumerate() {
        let Some(file) = on_disk.segments.get(base) else { continue };
        recovered.segments.push(RecoveredSegment {
            base_offset: *base,
            len: file.len,
            end_offset: bases.get(number + 1).copied().unwrap_or(*base),
            modified_ms: file.modified_ms,
            builder: None,
            transactions: None,
        });
    }
    let mut epochs = epochs;
    if let Some(cut) = plan.cut_from {
        // What the new history has is found again by the scan, which begins at or below the cut.
        if cut < 0 {
            epochs.clear();
        } else {
            epochs.truncate_from_end(cut);
        }
    }
    let mut loader = Loader {
        runtime,
        on_disk,
        lenient: known.lenient,
        epochs,
        producers: ProducerStates::new(producer_limits(settings)),
        next_offset: log_start,
        last_epoch: -1,
        scanned: 0,
        stale: Vec::new(),
    };
    let result = loader.run(&mut recovered, plan, known.clean_end).await?;
    if let Err(fault) = result {
        tracing::error!(directory = %path.display(), fault, "partition is corrupt");
        recovered.offline = Some(fault.into());
    }
    recovered.unscanned_bytes = loader.scanned;
    let end = recovered.log_end_offset;
    loader.epochs.truncate_from_end(end);
    loader.epochs.truncate_from_start(recovered.log_start_offset);
    recovered.epochs = loader.epochs;
    recovered.producers = producer_snapshot::decode(&loader.producers.snapshot()).unwrap_or_default();
    for snapshot in &on_disk.snapshots {
        // Above a cut it may be of what was cut off: its name's removal was not durable.
        if *snapshot > end || plan.cut_from.is_some_and(|cut| *snapshot > cut) {
            let file = path.join(SegmentFile::live(FileKind::ProducerSnapshot, *snapshot).name());
            // It may have gone with a segment that was cut off.
            if runtime.path_info(&file).await?.is_some() {
                runtime.remove_file(&file).await?;
            }
        } else {
            recovered.snapshots.push(*snapshot);
        }
    }
    let says = recovered.segments.first().map_or(0, |segment| segment.base_offset);
    let wanted = (recovered.log_start_offset != says || on_disk.log_start.is_some_and(|old| old > says))
        .then_some(recovered.log_start_offset);
    if wanted.is_some() && on_disk.log_start != wanted {
        write_whole(runtime, &path.join(LOG_START_FILE), encode_log_start(recovered.log_start_offset), false)
            .await?;
        recovered.log_start_on_disk = wanted;
    }
    if recovered.offline.is_none() {
        // What stands on the disk may be of bytes that were cut off or did not survive: the next start would trust it
        // as soon as the log is long enough again.
        let stale = std::mem::take(&mut loader.stale);
        rewrite_index_files(runtime, &recovered, |base| plan.was_cut || stale.contains(&base)).await?;
    }
    recovered.cleaned_to = on_disk.cleaned_to.or(known.cleaned_to);
    if let Some(cut) = plan.cut_from {
        recovered.cleaned_to = recovered.cleaned_to.map(|to| to.min(cut));
    }
    recovered.cleaned_to = recovered.cleaned_to.filter(|to| (log_start..=end).contains(to));
    if on_disk.cleaned_to.is_some() && on_disk.cleaned_to != recovered.cleaned_to {
        // What is cut off is not clean when other records take its place.
        let content = encode_cleaned_to(recovered.cleaned_to.unwrap_or(log_start));
        replacements.stage(runtime, path.join(CLEANED_FILE), content).await?;
    }
    // Epochs that the scan found are added by the next checkpoint, and found again until then. What is of a history that
    // was cut off must go now: nobody will know it for that once the journal has gone.
    let is_gone = |entry: &EpochEntry| {
        let counts = entry.start_offset >= log_start || plan.cut_from.is_some();
        counts && !recovered.epochs.entries().contains(entry)
    };
    if recovered.offline.is_none() && on_file.iter().any(is_gone) {
        // In one step: a torn file would lose the epochs below the producer snapshot that the next start trusts.
        let content = recovered.epochs.encode();
        replacements.stage(runtime, path.join(LEADER_EPOCH_FILE), content).await?;
        recovered.epochs_on_disk = recovered.epochs.entries().to_vec();
    } else {
        recovered.epochs_on_disk = on_file;
    }
    Ok(recovered)
}

async fn rewrite_index_files(
    runtime: &Runtime,
    recovered: &RecoveredPartition,
    wanted: impl Fn(i64) -> bool,
) -> std::io::Result<()> {
    for segment in recovered.segments.iter().filter(|segment| wanted(segment.base_offset)) {
        let Some(builder) = &segment.builder else { continue };
        let aborted = segment.transactions.as_ref().map_or(&[][..], |index| index.as_bytes());
        let contents = [
            (FileKind::OffsetIndex, builder.offset_index().as_bytes()),
            (FileKind::TimeIndex, builder.time_index().as_bytes()),
            (FileKind::TransactionIndex, aborted),
        ];
        for (kind, content) in contents {
            let path = recovered.path.join(SegmentFile::live(kind, segment.base_offset).name());
            if kind == FileKind::TransactionIndex
                && content.is_empty()
                && runtime.path_info(&path).await?.is_none()
            {
                continue;
            }
            write_whole(runtime, &path, content.to_vec(), true).await?;
        }
    }
    Ok(())
}

impl Loader<'_> {
    async fn run(
        &mut self,
        recovered: &mut RecoveredPartition,
        plan: &Plan,
        clean_end: Option<i64>,
    ) -> std::io::Result<Result<(), String>> {
        let now_ms = self.runtime.wall_clock_ms();
        let stated = recovered.segments.last().and_then(|last| {
            let said = plan.segments.get(&last.base_offset).filter(|segment| !segment.is_exact);
            said.map(|segment| segment.end_offset).or(clean_end)
        });
        let log_start = recovered.log_start_offset;
        if recovered.segments.is_empty() {
            recovered.log_end_offset = clean_end.unwrap_or(log_start).max(log_start);
            self.producers.clear(recovered.log_end_offset);
            return Ok(Ok(()));
        }
        // The newest snapshot that is whole and not ahead of the log.
        let mut snapshot = None;
        for offset in self.on_disk.snapshots.iter().rev() {
            if plan.cut_from.is_some_and(|cut| *offset > cut) {
                continue;
            }
            if stated.is_some_and(|end| *offset > end) || *offset < log_start {
                continue;
            }
            let name = SegmentFile::live(FileKind::ProducerSnapshot, *offset).name();
            let bytes = self.runtime.read_file(&self.on_disk.path.join(name)).await?.unwrap_or_default();
            if let Ok(entries) = producer_snapshot::decode(&bytes) {
                snapshot = Some((*offset, entries));
                break;
            }
        }
        let mut scan_from = log_start;
        self.producers.clear(log_start);
        if let Some((offset, entries)) = &snapshot {
            self.producers.load(entries, *offset, now_ms);
            scan_from = *offset;
        }
        if let Some(end) = clean_end
            && scan_from >= end
        {
            // Stopped cleanly, with a snapshot at the end: nothing is read.
            return Ok(self.finish(recovered, end));
        }
        let first = recovered.segments.partition_point(|segment| segment.base_offset <= scan_from);
        let first = first.saturating_sub(1);
        let count = recovered.segments.len();
        for number in 0..count {
            let Some(segment) = recovered.segments.get_mut(number) else { break };
            let written = plan.segments.get(&segment.base_offset).filter(|said| !said.is_exact);
            // Below the snapshot indexes and epochs were flushed in front of it, and the journal has made good what the
            // file lacked. Without flushes it may lack what nobody promised.
            let uncertain = self.lenient && written.is_some();
            // What was cut has index entries of what is gone in its files.
            let was_cut = plan.was_cut && written.is_some_and(|said| said.end > 0);
            if number < first && !uncertain && !was_cut {
                continue;
            }
            let is_last = number + 1 == count;
            self.next_offset = segment.base_offset;
            let wanted_from = if number == first { scan_from } else { segment.base_offset };
            // Below a snapshot the index files are whole: they were flushed in front of it. Without one they may be torn.
            let trusts_indexes = snapshot.is_some();
            let end =
                self.scan_segment(segment, wanted_from, number >= first, trusts_indexes, written).await?;
            if let Scanned::Fault(at, fault) = end {
                if !(self.lenient && is_last) {
                    return Ok(Err(fault));
                }
                let name = SegmentFile::live(FileKind::Log, segment.base_offset).name();
                let file = File::open(self.runtime, &self.on_disk.path.join(name), OpenMode::Direct).await?;
                tracing::warn!(fault, at, "an end that nobody promised is cut");
                file.set_len(at).await?;
                segment.len = at;
                segment.end_offset = self.next_offset;
                self.stale.push(segment.base_offset);
                return Ok(self.finish(recovered, self.next_offset));
            }
            if is_last {
                segment.end_offset = self.next_offset;
            }
        }
        let scanned_end = self.next_offset;
        let end = match stated {
            Some(end) if end < scanned_end => {
                return Ok(Err(format!("the log ends at {scanned_end}, the journal says {end}")));
            }
            Some(end) => end,
            None => scanned_end,
        };
        Ok(self.finish(recovered, end))
    }

    fn finish(&mut self, recovered: &mut RecoveredPartition, end: i64) -> Result<(), String> {
        let end = end.max(recovered.log_start_offset);
        recovered.log_end_offset = end;
        if let Some(last) = recovered.segments.last_mut() {
            last.end_offset = end;
        }
        self.producers.set_end_offset(end);
        self.producers.on_log_start_offset(recovered.log_start_offset);
        Ok(())
    }

    /// Scans a segment from the batch with `from` to its end, completing its indexes on the way. If all of that was written
    /// into its file a moment ago, from the journal, it is scanned as it is in memory.
    async fn scan_segment(
        &mut self,
        segment: &mut RecoveredSegment,
        from: i64,
        note_state: bool,
        trusts_indexes: bool,
        written: Option<&SegmentPlan>,
    ) -> std::io::Result<Scanned> {
        let base = segment.base_offset;
        let path = |kind| self.on_disk.path.join(SegmentFile::live(kind, base).name());
        let offsets = self.read_beside(FileKind::OffsetIndex, base).await?;
        let times = self.read_beside(FileKind::TimeIndex, base).await?;
        let aborted = self.read_beside(FileKind::TransactionIndex, base).await?;
        let parsed = parse_indexes(base, segment.len, offsets.as_deref(), times.as_deref());
        let on_disk = (offsets, times);
        let (mut offsets, mut times) = match parsed {
            Some(indexes) if trusts_indexes => indexes,
            _ => (OffsetIndex::new(base), TimeIndex::new(base)),
        };
        let mut transactions = aborted
            .as_ref()
            .and_then(|bytes| TransactionIndex::from_bytes(base, bytes).ok())
            .unwrap_or_else(|| TransactionIndex::new(base));
        if segment.len == 0 {
            // Cut to nothing: files of its name may be of what stood there.
            (offsets, times) = (OffsetIndex::new(base), TimeIndex::new(base));
            transactions = TransactionIndex::new(base);
        }
        if note_state {
            // What ends behind is found again, if it is still there.
            transactions.truncate_to(from);
        }
        // Without the snapshot's own entry the scan begins at the entry before it; entries behind are made again.
        let entry = offsets.view().lookup(from);
        let start = u64::from(entry.position);
        offsets.truncate_to(entry.offset.max(base));
        let in_memory = |said: &SegmentPlan| {
            said.end == segment.len && said.covered_from().max(written_from(said)) <= start
        };
        let source = match written.filter(|said| in_memory(said)) {
            Some(said) => Source::Journal(said),
            None => Source::File(File::open(self.runtime, &path(FileKind::Log), OpenMode::Read).await?),
        };
        let mut builder: Option<IndexBuilder> = None;
        let mut position = start;
        let mut step = READ_BYTES;
        while position < segment.len {
            let len = step.min(segment.len - position);
            let window = match &source {
                Source::File(file) => read(file, position, len).await?,
                Source::Journal(said) => said.copy(position, len),
            };
            let mut found = batches(&window);
            let before = position;
            for batch in found.by_ref() {
                let checked = batch
                    .map_err(|error| error.to_string())
                    .and_then(|batch| self.check(&batch).map(|()| batch));
                let batch = match checked {
                    Ok(batch) => batch,
                    Err(fault) => {
                        let fault =
                            format!("{}: {fault} at position {position}", path(FileKind::Log).display());
                        self.take_indexes(segment, builder, transactions);
                        return Ok(Scanned::Fault(position, fault));
                    }
                };
                let builder = builder.get_or_insert_with(|| {
                    times.truncate_to(batch.header.base_offset);
                    let times = std::mem::replace(&mut times, TimeIndex::new(base));
                    let offsets = std::mem::replace(&mut offsets, OffsetIndex::new(base));
                    IndexBuilder::resume(offsets, times, INTERVAL_BYTES)
                });
                let at = u32::try_from(position).unwrap_or(u32::MAX);
                let _ = builder.append(at, BatchMark::from(&batch.header));
                if note_state && batch.header.last_offset() >= from {
                    self.note(&batch, &mut transactions);
                }
                self.next_offset = batch.header.next_offset();
                position += batch.bytes.len() as u64;
            }
            self.scanned += position - before;
            if position == before {
                if window.len() as u64 >= segment.len - position {
                    let fault =
                        format!("{}: a cut batch at position {position}", path(FileKind::Log).display());
                    self.take_indexes(segment, builder, transactions);
                    return Ok(Scanned::Fault(position, fault));
                }
                step *= 4;
            }
            self.runtime.yield_now().await;
        }
        // The file may tell of what a cut took away, if the process ended before it was written again.
        transactions.truncate_to(self.next_offset);
        let mut builder = builder.unwrap_or_else(|| IndexBuilder::resume(offsets, times, INTERVAL_BYTES));
        // As every index file has it: the last entry is the largest timestamp so far.
        let _ = builder.close();
        let differs = |file: Option<&[u8]>, found: &[u8]| file.is_some_and(|bytes| !found.starts_with(bytes));
        if differs(on_disk.0.as_deref(), builder.offset_index().as_bytes())
            || differs(on_disk.1.as_deref(), builder.time_index().as_bytes())
            || differs(aborted.as_deref(), transactions.as_bytes())
        {
            self.stale.push(base);
        }
        self.take_indexes(segment, Some(builder), transactions);
        Ok(Scanned::Whole)
    }

    /// A file beside the segment at `base`, if the listing has it.
    async fn read_beside(&self, kind: FileKind, base: i64) -> std::io::Result<Option<Vec<u8>>> {
        if !self.on_disk.indexes.contains(&(base, kind)) {
            return Ok(None);
        }
        self.runtime.read_file(&self.on_disk.path.join(SegmentFile::live(kind, base).name())).await
    }

    fn take_indexes(
        &self,
        segment: &mut RecoveredSegment,
        builder: Option<IndexBuilder>,
        transactions: TransactionIndex,
    ) {
        segment.builder = builder;
        segment.transactions = Some(transactions);
    }

    /// A batch's CRC covers neither its base offset nor its epoch: both are checked against what precedes (law 5).
    fn check(&mut self, batch: &Batch<'_>) -> Result<(), String> {
        let header = &batch.header;
        if header.base_offset < self.next_offset && header.last_offset() < self.next_offset {
            return Err(format!("offset {} after {}", header.base_offset, self.next_offset));
        }
        if header.leader_epoch < self.last_epoch && header.leader_epoch >= 0 {
            return Err(format!("epoch {} after {}", header.leader_epoch, self.last_epoch));
        }
        batch.verify_crc().map_err(|error| error.to_string())?;
        self.last_epoch = self.last_epoch.max(header.leader_epoch);
        Ok(())
    }

    fn note(&mut self, batch: &Batch<'_>, transactions: &mut TransactionIndex) {
        let header = &batch.header;
        if header.leader_epoch >= 0
            && self.epochs.latest().is_none_or(|latest| latest.epoch < header.leader_epoch)
        {
            let _ = self.epochs.assign(header.leader_epoch, header.base_offset);
        }
        let marker = EndMarker::of(batch).ok().flatten();
        let completed = self.producers.replay(header, marker);
        if let Some(aborted) = completed.and_then(|completed| completed.aborted_transaction())
            && let Err(error) = transactions.append(aborted)
        {
            tracing::warn!(%error, "aborted transaction not noted");
        }
    }
}

async fn read(file: &File, position: u64, len: u64) -> std::io::Result<Bytes> {
    let from = position / BLOCK as u64 * BLOCK as u64;
    let until = (position + len).next_multiple_of(BLOCK as u64);
    let (filled, buffer) = file.read_at(from, (until - from) as usize).await?;
    let skip = ((position - from) as usize).min(filled);
    let end = (skip + len as usize).min(filled);
    Ok(buffer.freeze(filled).slice(skip..end))
}
