//! The steps of a start, for all log directories; see the module above.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::apply::{self, ApplyError};
use super::discover::{self, Listing, PartitionOnDisk};
use super::load::{self, Known};
use super::replacements::Replacements;
use super::replay::Plan;
use super::types::{InterruptedMove, LogDirectory, RecoveredPartition, Recovery, RecoveryStatistics};
use crate::log::checkpoint_file::{
    CLEANER_FILE, LOG_START_FILE, OffsetCheckpoint, RECOVERY_POINT_FILE, REPLICATION_FILE,
};
use crate::log::incarnation::{self, Incarnation};
use crate::log::journal::format::{Entry, Kind};
use crate::log::journal::reader::{self, JournalFault};
use crate::log::meta_properties::{self, MetaProperties};
use crate::log::settings::{LogSettings, Sabotage};
use crate::protocol::Uuid;
use crate::runtime::sync::Budget;
use crate::runtime::{File, OpenMode, Runtime};

/// Partitions worked on at the same time.
const AT_ONCE: u64 = 32;

type LogKey = ([u8; 16], i32);

/// A log's entries, in order.
type Entries = BTreeMap<LogKey, Vec<(Entry, bytes::Bytes)>>;

/// Why a directory cannot be used.
#[derive(Debug, thiserror::Error)]
enum DirectoryError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Journal(#[from] JournalFault),
    #[error("{0}")]
    Properties(String),
}

/// Brings every log directory to its durable end. Nothing else may use the directories meanwhile.
pub async fn recover(runtime: &Runtime, paths: &[PathBuf], settings: &LogSettings) -> Recovery {
    let mut recovery = Recovery { was_clean: true, ..Recovery::default() };
    for path in paths {
        let mut directory = LogDirectory {
            path: path.clone(),
            id: Uuid::ZERO,
            cluster_id: None,
            node_id: None,
            offline: None,
        };
        let mut found = Recovery::default();
        let result = directory_steps(runtime, &mut directory, settings, &mut found).await;
        if let Err(error) = result {
            tracing::error!(directory = %path.display(), %error, "log directory is offline");
            let reason: Arc<str> = error.to_string().into();
            directory.offline = Some(reason.clone());
            for partition in &mut found.partitions {
                partition.offline = Some(reason.clone());
            }
            found.was_clean = false;
            found.leftovers.clear();
        }
        recovery.was_clean &= found.was_clean;
        recovery.partitions.append(&mut found.partitions);
        recovery.orphans.append(&mut found.orphans);
        recovery.leftovers.append(&mut found.leftovers);
        recovery.interrupted_moves.append(&mut found.interrupted_moves);
        add(&mut recovery.statistics, &found.statistics);
        recovery.directories.push(directory);
    }
    recovery
}

fn add(sum: &mut RecoveryStatistics, more: &RecoveryStatistics) {
    sum.journals += more.journals;
    sum.groups += more.groups;
    sum.entries += more.entries;
    sum.written_bytes += more.written_bytes;
    sum.scanned_bytes += more.scanned_bytes;
    sum.orphan_entries += more.orphan_entries;
}

async fn directory_steps(
    runtime: &Runtime,
    directory: &mut LogDirectory,
    settings: &LogSettings,
    found: &mut Recovery,
) -> Result<(), DirectoryError> {
    let path = directory.path.clone();
    let began_ns = runtime.now_ns();
    let since_ms = || (runtime.now_ns() - began_ns) / 1_000_000;
    if runtime.path_info(&path).await?.is_none() {
        runtime.make_directory(&path).await?;
    }
    let listing = discover::list(runtime, &path).await?;
    // What is seen after a kill need not be durable yet. It is before anything is done upon it: else a power cut in the
    // middle of this start leaves what it did without what it did it for.
    for journal in &listing.journals {
        File::open(runtime, journal, OpenMode::Read).await?.sync_data().await?;
    }
    runtime.sync_filesystem(&path).await?;
    read_properties(runtime, directory).await?;
    // A mark beside journals is not believed: a clean stop removes them first.
    found.was_clean = listing.clean_mark.is_some() && listing.journals.is_empty();
    let starts = checkpoint(runtime, &path, LOG_START_FILE).await?;
    let watermarks = checkpoint(runtime, &path, REPLICATION_FILE).await?;
    let ends = checkpoint(runtime, &path, RECOVERY_POINT_FILE).await?;
    let cleaned = match found.was_clean && listing.has_cleaner_checkpoint {
        true => checkpoint(runtime, &path, CLEANER_FILE).await?,
        false => OffsetCheckpoint::new(),
    };
    let on_disk = discover_all(runtime, &listing).await?;
    let durable_ms = since_ms();
    let (entries, lenient) = read_journals(runtime, &listing, settings, &mut found.statistics).await?;
    let journals_ms = since_ms();
    let mut plans = plans(entries, &on_disk, settings);
    let context = Rc::new(Context {
        runtime: runtime.clone(),
        settings: settings.clone(),
        directory: directory.id,
        was_clean: found.was_clean,
        lenient,
        starts,
        watermarks,
        ends,
        cleaned,
        replacements: Replacements::default(),
    });
    let slots = Budget::new(AT_ONCE);
    let mut tasks = Vec::new();
    for partition in on_disk {
        let key = partition.topic_id.map(|id| (id.0, partition.partition));
        let plan = key.and_then(|key| plans.remove(&key)).unwrap_or_default();
        let permit = slots.acquire(1).await;
        let context = context.clone();
        tasks.push(runtime.spawn(async move {
            let result = recover_partition(&context, partition, plan).await;
            drop(permit);
            result
        }));
    }
    for task in tasks {
        if let Some((partition, written)) = task.await? {
            found.statistics.written_bytes += written;
            found.statistics.scanned_bytes += partition.unscanned_bytes;
            found.partitions.push(partition);
        }
    }
    keep_orphans(runtime, &listing, &path, plans, found).await?;
    for (path, partition) in &listing.future {
        if let (Some(topic_id), _) = discover::identity(runtime, path).await? {
            let directory = directory.id;
            found.interrupted_moves.push(InterruptedMove { topic_id, partition: *partition, directory });
        }
    }
    found.leftovers.extend(listing.deleted.iter().cloned());
    found.leftovers.extend(listing.future.iter().map(|(path, _)| path.clone()));
    let partitions_ms = since_ms();
    finish_directory(runtime, &path, &listing, &context.replacements).await?;
    let statistics = &found.statistics;
    tracing::info!(
        directory = %path.display(),
        clean = found.was_clean,
        groups = statistics.groups,
        written_bytes = statistics.written_bytes,
        scanned_bytes = statistics.scanned_bytes,
        flushed_after_ms = durable_ms,
        journals_after_ms = journals_ms,
        partitions_after_ms = partitions_ms,
        took_ms = since_ms(),
        "log directory recovered"
    );
    Ok(())
}

async fn read_properties(runtime: &Runtime, directory: &mut LogDirectory) -> Result<(), DirectoryError> {
    let content = runtime.read_file(&directory.path.join(meta_properties::FILE_NAME)).await?;
    let Some(content) = content else { return Ok(()) };
    let properties =
        MetaProperties::parse(&content).map_err(|error| DirectoryError::Properties(error.to_string()))?;
    directory.id = properties.directory_id.unwrap_or(Uuid::ZERO);
    directory.cluster_id = Some(properties.cluster_id);
    directory.node_id = Some(properties.node_id);
    Ok(())
}

async fn checkpoint(runtime: &Runtime, path: &Path, name: &str) -> Result<OffsetCheckpoint, DirectoryError> {
    let Some(content) = runtime.read_file(&path.join(name)).await? else {
        return Ok(OffsetCheckpoint::new());
    };
    Ok(OffsetCheckpoint::parse(&content).unwrap_or_else(|error| {
        tracing::warn!(%error, name, "a checkpoint file is unreadable");
        OffsetCheckpoint::new()
    }))
}

async fn discover_all(runtime: &Runtime, listing: &Listing) -> Result<Vec<PartitionOnDisk>, DirectoryError> {
    let slots = Budget::new(AT_ONCE);
    let mut tasks = Vec::new();
    for (path, topic, partition) in listing.live.clone() {
        let permit = slots.acquire(1).await;
        let runtime = runtime.clone();
        let spawner = runtime.clone();
        tasks.push(spawner.spawn(async move {
            let found = discover::partition(&runtime, path, topic, partition).await;
            drop(permit);
            found
        }));
    }
    let mut all = Vec::with_capacity(tasks.len());
    for task in tasks {
        all.push(task.await?);
    }
    Ok(all)
}

async fn read_journals(
    runtime: &Runtime,
    listing: &Listing,
    settings: &LogSettings,
    statistics: &mut RecoveryStatistics,
) -> Result<(Entries, bool), DirectoryError> {
    let mut entries = Entries::new();
    let mut lenient = false;
    let confuse_laps = settings.sabotaged(Sabotage::JournalLapConfused);
    let mut reads = Vec::new();
    for path in listing.journals.clone() {
        let own = runtime.clone();
        reads.push(runtime.spawn(async move { reader::read(&own, &path, confuse_laps).await }));
    }
    for read in reads {
        statistics.journals += 1;
        let contents = read.await?;
        lenient |= contents.unflushed;
        for group in contents.groups {
            statistics.groups += 1;
            let mut at = 0;
            for _ in 0..group.header.entries {
                let rest = group.body.get(at..).unwrap_or_default();
                let (entry, data, _) = Entry::decode(rest)
                    .map_err(|error| JournalFault::Corrupt(format!("an entry of a whole group: {error}")))?;
                let start = at + crate::log::journal::format::ENTRY_HEADER_BYTES;
                at = start + data.len();
                let key = (entry.identity.topic_id.0, entry.identity.partition);
                entries.entry(key).or_default().push((entry, group.body.slice(start..at)));
                statistics.entries += 1;
            }
        }
    }
    Ok((entries, lenient))
}

/// What the entries come to, by log. What is of another incarnation or an earlier owner is skipped (laws 4 and 7).
fn plans(entries: Entries, on_disk: &[PartitionOnDisk], settings: &LogSettings) -> BTreeMap<LogKey, Plan> {
    let mut disk = BTreeMap::new();
    for partition in on_disk {
        if let Some(id) = partition.topic_id {
            disk.insert((id.0, partition.partition), (partition.incarnation, partition.owner_epoch));
        }
    }
    let any_incarnation = settings.sabotaged(Sabotage::StaleIncarnationAccepted);
    let skip_truncations = settings.sabotaged(Sabotage::TruncationNotReplayed);
    let mut plans = BTreeMap::new();
    for (key, list) in entries {
        let known = disk.get(&key);
        // Without a directory the newest entries' incarnation counts.
        let incarnation = match known {
            Some((incarnation, _)) => *incarnation,
            None => list.last().map(|(entry, _)| entry.identity.incarnation),
        };
        let is_of_log = |entry: &Entry| any_incarnation || Some(entry.identity.incarnation) == incarnation;
        let on_disk_owner = known.map_or(0, |(_, owner)| *owner);
        let newest =
            list.iter().filter(|(entry, _)| is_of_log(entry)).map(|(entry, _)| entry.owner_epoch).max();
        let owner = newest.unwrap_or(0).max(on_disk_owner);
        let mut plan = Plan::default();
        for (entry, data) in &list {
            if is_of_log(entry) && entry.owner_epoch == owner {
                plan.apply(entry, data, skip_truncations);
            }
        }
        if known.is_some() && list.iter().any(|(entry, _)| entry.kind == Kind::Delete && is_of_log(entry)) {
            // The directory's rename was durable before this entry: it can only be of another one.
            plan = Plan::default();
        }
        plans.insert(key, plan);
    }
    plans
}

struct Context {
    runtime: Runtime,
    settings: LogSettings,
    directory: Uuid,
    was_clean: bool,
    lenient: bool,
    starts: OffsetCheckpoint,
    watermarks: OffsetCheckpoint,
    ends: OffsetCheckpoint,
    cleaned: OffsetCheckpoint,
    replacements: Replacements,
}

async fn recover_partition(
    context: &Context,
    mut on_disk: PartitionOnDisk,
    mut plan: Plan,
) -> std::io::Result<Option<(RecoveredPartition, u64)>> {
    let runtime = &context.runtime;
    let from_kafka = on_disk.incarnation.is_none();
    if !on_disk.has_data && (on_disk.topic_id.is_none() || from_kafka) && plan.segments.is_empty() {
        // Killed while it was made: nobody was told that it exists.
        runtime.remove_directory(&on_disk.path).await?;
        return Ok(None);
    }
    for file in &on_disk.leftovers {
        runtime.remove_file(file).await?;
    }
    if from_kafka {
        let incarnation = runtime.random_u64();
        let content = Incarnation(incarnation).encode();
        // Ours only when all of this is durable: until then its end is one that nobody promised.
        context.replacements.stage(runtime, on_disk.path.join(incarnation::FILE_NAME), content).await?;
        on_disk.incarnation = Some(incarnation);
    }
    let (topic, partition) = (on_disk.topic.clone(), on_disk.partition);
    let end = context.ends.get(&topic, partition).filter(|_| context.was_clean);
    let known = Known {
        directory: context.directory,
        clean_end: end,
        log_start: context
            .starts
            .get(&topic, partition)
            .filter(|_| context.was_clean)
            .max(on_disk.log_start)
            .filter(|_| plan.restart.is_none()),
        high_watermark: context.watermarks.get(&topic, partition).filter(|_| context.was_clean),
        cleaned_to: context.cleaned.get(&topic, partition),
        lenient: context.lenient || (from_kafka && !context.was_clean),
    };
    let applied = apply::apply(runtime, &mut on_disk, &mut plan, known.lenient).await;
    let (written, fault) = match applied {
        Ok(written) => (written, None),
        Err(ApplyError::Io(error)) => return Err(error),
        Err(ApplyError::Corrupt(fault)) => (0, Some(fault)),
    };
    let replacements = &context.replacements;
    let mut recovered = load::load(runtime, &context.settings, &on_disk, &plan, known, replacements).await?;
    if let Some(fault) = fault {
        recovered.offline = Some(fault.into());
    }
    Ok(Some((recovered, written)))
}

/// Entries of logs without a directory are set aside, never dropped (law 10).
async fn keep_orphans(
    runtime: &Runtime,
    listing: &Listing,
    path: &Path,
    mut plans: BTreeMap<LogKey, Plan>,
    found: &mut Recovery,
) -> Result<(), DirectoryError> {
    plans.retain(|_, plan| !plan.deleted && plan.segments.values().any(|segment| !segment.pieces.is_empty()));
    if plans.is_empty() {
        return Ok(());
    }
    for deleted in &listing.deleted {
        let (topic_id, _) = discover::identity(runtime, deleted).await?;
        plans.retain(|(id, _), _| topic_id.is_none_or(|topic_id| topic_id.0 != *id));
    }
    for ((topic_id, partition), mut plan) in plans {
        let name =
            format!("millrace-orphan-{}-{partition}.{:032x}-stray", hex(&topic_id), runtime.random_u64());
        let target = path.join(name);
        tracing::error!(directory = %target.display(), "journal entries without a directory are set aside");
        runtime.make_directory(&target).await?;
        let mut on_disk =
            discover::partition(runtime, target.clone(), "millrace-orphan".to_owned(), partition).await?;
        found.statistics.orphan_entries += 1;
        // What the journal let go of earlier is lost with the directory: what there is stands at its place.
        match apply::apply(runtime, &mut on_disk, &mut plan, true).await {
            Ok(_) | Err(ApplyError::Corrupt(_)) => found.orphans.push(target),
            Err(ApplyError::Io(error)) => return Err(error.into()),
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes everything durable, and only then lets the journals go.
async fn finish_directory(
    runtime: &Runtime,
    path: &Path,
    listing: &Listing,
    replacements: &Replacements,
) -> Result<(), DirectoryError> {
    if listing.journals.is_empty() && listing.clean_mark.is_none() && replacements.is_empty() {
        return Ok(());
    }
    runtime.sync_filesystem(path).await?;
    if !replacements.is_empty() {
        replacements.place(runtime).await?;
        runtime.sync_filesystem(path).await?;
    }
    // What the mark stood for holds from here on without it: log starts are in files of the partitions.
    if let Some(mark) = &listing.clean_mark {
        runtime.remove_file(mark).await?;
    }
    for journal in &listing.journals {
        runtime.remove_file(journal).await?;
    }
    runtime.sync_directory(path).await?;
    Ok(())
}
