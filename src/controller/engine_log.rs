//! The metadata log in the log engine: the partition `__cluster_metadata-0`, like any other on disk.

use std::rc::Rc;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use crate::log::{Log, LogConfig, LogError, Part, PartitionSpec, ReadParts};
use crate::protocol::Uuid;
use crate::protocol::record_batch::batches;
use crate::runtime::platform::{LocalFuture, Operation, Outcome};
use crate::runtime::{AlignedBuf, FileHandle, Runtime};

use super::batch_log::{BatchLog, BatchLogError, Room};

/// The topic of the metadata log.
pub const METADATA_TOPIC: &str = "__cluster_metadata";

/// The partition as the log engine is to make it in the log directory `directory`: nothing in it expires.
#[must_use]
pub fn metadata_partition(directory: Uuid) -> PartitionSpec {
    let config =
        LogConfig { retention_ms: None, retention_bytes: None, delete: false, ..LogConfig::default() };
    PartitionSpec {
        topic: Arc::from(METADATA_TOPIC),
        topic_id: Uuid::METADATA_TOPIC,
        partition: 0,
        directory,
        config,
    }
}

/// The metadata log over its partition. The engine's durability is that of all partitions of the shard; only with
/// `flush` is what is committed never lost.
pub struct EngineLog {
    runtime: Runtime,
    log: Log,
}

impl EngineLog {
    /// Takes the partition, which nobody else may append to.
    #[must_use]
    pub fn open(runtime: &Runtime, log: Log) -> Rc<dyn BatchLog> {
        Rc::new(Self { runtime: runtime.clone(), log })
    }
}

fn failed(error: LogError) -> BatchLogError {
    match error {
        LogError::DiskFull => BatchLogError::Full,
        other => BatchLogError::Failed(other.to_string()),
    }
}

impl BatchLog for EngineLog {
    fn start_offset(&self) -> i64 {
        self.log.log_start_offset()
    }

    fn end_offset(&self) -> i64 {
        self.log.log_end_offset()
    }

    fn room(&self, bytes: usize) -> LocalFuture<Result<Room, BatchLogError>> {
        let log = self.log.clone();
        Box::pin(async move {
            let reservation = match log.try_reserve(bytes) {
                Some(reservation) => reservation,
                None => log.reserve(bytes).await.map_err(failed)?,
            };
            Ok(Box::new(reservation) as Room)
        })
    }

    fn append(&self, batch: &[u8], leader_epoch: i32, now_ms: i64) -> Result<i64, BatchLogError> {
        let appended = self.log.append_as_leader(batch, leader_epoch, now_ms);
        // Room was held: whatever goes wrong now is not the disk's fullness.
        appended
            .map(|appended| appended.first_offset)
            .map_err(|error| BatchLogError::Failed(error.to_string()))
    }

    fn durable(&self, end_offset: i64) -> LocalFuture<Result<(), BatchLogError>> {
        let log = self.log.clone();
        Box::pin(async move {
            log.durable(end_offset).await.map_err(|error| BatchLogError::Failed(error.to_string()))
        })
    }

    fn read(&self, offset: i64, max_bytes: u32) -> LocalFuture<Result<Vec<Bytes>, BatchLogError>> {
        let (runtime, log) = (self.runtime.clone(), self.log.clone());
        Box::pin(async move {
            let found = log.read(offset, max_bytes, i64::MAX, true).await.map_err(failed)?;
            let bytes = in_memory(&runtime, found).await?;
            split(&bytes)
        })
    }

    fn truncate_to(&self, end_offset: i64) -> LocalFuture<Result<(), BatchLogError>> {
        let log = self.log.clone();
        Box::pin(async move { log.truncate_to(end_offset).await.map_err(failed) })
    }
}

/// What was read, as one piece of memory.
async fn in_memory(runtime: &Runtime, found: ReadParts) -> Result<Bytes, BatchLogError> {
    let len = usize::try_from(found.bytes).map_err(|error| BatchLogError::Failed(error.to_string()))?;
    let mut joined = BytesMut::with_capacity(len);
    for part in found.parts {
        match part {
            Part::Memory(bytes) => joined.extend_from_slice(&bytes),
            Part::File { file, position, len, .. } => {
                read_file(runtime, &file, position, len, &mut joined).await?
            }
        }
    }
    Ok(joined.freeze())
}

async fn read_file(
    runtime: &Runtime,
    file: &FileHandle,
    mut position: u64,
    mut len: u64,
    joined: &mut BytesMut,
) -> Result<(), BatchLogError> {
    let fail = |text: String| BatchLogError::Failed(text);
    while len > 0 {
        let wanted = usize::try_from(len).map_err(|error| fail(error.to_string()))?;
        let buffer = AlignedBuf::zeroed(wanted);
        let read = runtime.submit(Operation::Read { file: file.clone(), position, buffer }).await;
        match read.map_err(|error| fail(error.to_string()))? {
            Outcome::Read(count, buffer) if count > 0 => {
                joined.extend_from_slice(buffer.get(..count).unwrap_or_default());
                position += count as u64;
                len = len.saturating_sub(count as u64);
            }
            _ => return Err(fail(format!("a segment ends at {position}, {len} bytes too early"))),
        }
    }
    Ok(())
}

fn split(bytes: &Bytes) -> Result<Vec<Bytes>, BatchLogError> {
    let mut parts = Vec::new();
    let mut at = 0;
    for batch in batches(bytes) {
        let batch = batch.map_err(|error| BatchLogError::Failed(error.to_string()))?;
        let end = at + batch.bytes.len();
        parts.push(bytes.slice(at..end));
        at = end;
    }
    Ok(parts)
}
