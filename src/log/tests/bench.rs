//! A machine for tests: small limits, so that everything happens within a few hundred kilobytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::log::*;
use crate::protocol::Uuid;
use crate::protocol::codec::Codec;
use crate::protocol::record_batch::{BatchBuilder, batches};
use crate::runtime::{File, Runtime};

pub(super) const DISK: &str = "/d0";

pub(super) fn small_settings() -> LogSettings {
    LogSettings {
        journal_bytes: 2 << 20,
        journal_start_bytes: 1 << 20,
        journal_live_bytes: 512 << 10,
        journal_group_limit_bytes: 64 << 10,
        bypass_bytes: 16 << 10,
        bypass_alone_bytes: 32 << 10,
        tail_idle_seal_ms: 2_000,
        zero_ahead_bytes: 256 << 10,
        zero_ahead_bytes_per_second: 100 << 20,
        background_inflight_bytes: 64 << 10,
        disk_reserve_bytes: 1 << 20,
        open_segments: 8,
        retention_check_interval_ms: 1_000,
        unscanned_bytes: 256 << 10,
        tail_cache_bytes: 4 << 20,
        ..LogSettings::default()
    }
}

pub(super) fn small_config() -> LogConfig {
    LogConfig {
        segment_bytes: 96 << 10,
        file_delete_delay_ms: 500,
        index_interval_bytes: 1024,
        ..LogConfig::default()
    }
}

pub(super) fn topic_id(number: u8) -> Uuid {
    Uuid([number.wrapping_add(7); 16])
}

/// A batch of `records` records with values of `bytes` bytes.
pub(super) fn batch(timestamp: i64, records: usize, bytes: usize, fill: u8) -> Vec<u8> {
    let mut builder = BatchBuilder::new(Codec::None);
    let value = vec![fill; bytes];
    for number in 0..records {
        builder.append(timestamp + number as i64, None, Some(&value), &[]);
    }
    builder.build().unwrap()
}

/// Recovers and opens everything on one shard.
pub(super) async fn start(runtime: &Runtime, settings: &LogSettings) -> (LogManager, Recovery) {
    start_at(runtime, settings, &[PathBuf::from(DISK)]).await
}

pub(super) async fn start_at(
    runtime: &Runtime,
    settings: &LogSettings,
    paths: &[PathBuf],
) -> (LogManager, Recovery) {
    let mut recovery = recover(runtime, paths, settings).await;
    for directory in &mut recovery.directories {
        if directory.id == Uuid::ZERO && directory.offline.is_none() {
            directory.format(runtime, "cluster", 1).await.unwrap();
        }
    }
    let manager = LogManager::open(runtime, 0, settings.clone(), recovery.directories.clone()).await.unwrap();
    for partition in recovery.partitions.clone() {
        manager.open_existing(partition, small_config()).unwrap();
    }
    (manager, recovery)
}

pub(super) fn spec(manager: &LogManager, number: u8, partition: i32) -> PartitionSpec {
    PartitionSpec {
        topic: Arc::from(format!("topic-{number}")),
        topic_id: topic_id(number),
        partition,
        directory: manager.directories()[0].id,
        config: small_config(),
    }
}

pub(super) async fn make(manager: &LogManager, number: u8) -> Log {
    manager.create(vec![spec(manager, number, 0)]).await.pop().unwrap().unwrap()
}

/// Appends as the leader and gives the offset behind.
pub(super) async fn append(log: &Log, runtime: &Runtime, records: &[u8]) -> Result<i64, LogError> {
    let _room = match log.try_reserve(records.len()) {
        Some(room) => room,
        None => log.reserve(records.len()).await?,
    };
    let appended = log.append_as_leader(records, 1, runtime.wall_clock_ms())?;
    Ok(appended.last_offset + 1)
}

/// Stops cleanly.
pub(super) async fn stop(manager: &LogManager, recovery: &Recovery, runtime: &Runtime) {
    let report = manager.shutdown().await;
    assert!(report.is_clean());
    let mut directories = recovery.directories.clone();
    for (directory, state) in directories.iter_mut().zip(manager.directories()) {
        directory.id = state.id;
    }
    finish_clean_stop(runtime, &directories, vec![report], 1).await.unwrap();
}

/// The bytes of what a read found.
pub(super) async fn bytes_of(runtime: &Runtime, found: &ReadParts, log: &Log, offset: i64) -> Vec<u8> {
    let mut all = Vec::new();
    for part in &found.parts {
        match part {
            Part::Memory(bytes) => all.extend_from_slice(bytes),
            Part::File { position, len, .. } => {
                // The simulator has no sendfile here: the segment that holds the offset is read by its name.
                let segments = log.segments();
                let segment = segments.iter().rev().find(|segment| segment.base_offset <= offset).unwrap();
                let path = log.path().join(format!("{:020}.log", segment.base_offset));
                let bytes = read_range(runtime, &path, *position, *len).await;
                all.extend_from_slice(&bytes);
            }
        }
    }
    assert_eq!(all.len() as u64, found.bytes);
    all
}

async fn read_range(runtime: &Runtime, path: &Path, position: u64, len: u64) -> Vec<u8> {
    let file = File::open(runtime, path, crate::runtime::OpenMode::Read).await.unwrap();
    let (filled, buffer) = file.read_at(position, len as usize).await.unwrap();
    assert_eq!(filled as u64, len, "the file holds what a part says");
    buffer[..filled].to_vec()
}

/// Every batch from the log start to `upper`, as (base offset, next offset, bytes).
pub(super) async fn read_all(
    runtime: &Runtime,
    log: &Log,
    upper: i64,
    max_bytes: u32,
) -> Result<Vec<(i64, i64, Vec<u8>)>, LogError> {
    let mut all: Vec<(i64, i64, Vec<u8>)> = Vec::new();
    let mut offset = log.log_start_offset();
    while offset < upper {
        let found = log.read(offset, max_bytes, upper, true).await?;
        assert!(found.bytes > 0, "nothing at {offset}, below {upper} (end {})", log.log_end_offset());
        let bytes = bytes_of(runtime, &found, log, offset).await;
        let mut iterator = batches(&bytes);
        for batch in iterator.by_ref() {
            let batch = batch.unwrap();
            batch.verify_crc().unwrap();
            assert!(batch.header.last_offset() >= offset, "a read begins at the batch with its offset");
            offset = batch.header.next_offset();
            all.push((batch.header.base_offset, offset, batch.bytes.to_vec()));
        }
        assert_eq!(iterator.consumed(), bytes.len(), "parts are whole batches");
        if let Some(next) = found.next_offset {
            assert_eq!(next, offset);
        }
    }
    Ok(all)
}
