//! Reads a partition of the offsets topic whole, when this shard comes to own it.

use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::{Bytes, BytesMut};

use super::group::Group;
use super::records::{Loaded, load};
use crate::log::{LogError, Part};
use crate::partition::Partition;
use crate::protocol::record_batch::batches;
use crate::runtime::platform::{Operation, Outcome};
use crate::runtime::{AlignedBuf, FileHandle, Runtime};

/// Bytes that one step reads.
const STEP_BYTES: u32 = 1 << 20;

/// The most that one batch may decompress to.
const DECOMPRESSED_LIMIT: usize = 64 << 20;

/// Why a partition's groups cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("offset {0}: {1}")]
    Record(i64, String),
}

/// All groups of a partition.
pub(super) async fn load_groups(
    runtime: &Runtime,
    partition: &Rc<Partition>,
) -> Result<BTreeMap<String, Group>, LoadError> {
    let log = partition.log();
    let end = log.log_end_offset();
    let mut groups = BTreeMap::new();
    let mut next = log.log_start_offset();
    let mut scratch = Vec::new();
    while next < end {
        let read = log.read(next, STEP_BYTES, end, true).await?;
        let bytes = join(runtime, read.parts).await?;
        let before = next;
        for batch in batches(&bytes) {
            let batch = batch.map_err(|error| LoadError::Record(next, error.to_string()))?;
            if batch.header.next_offset() <= next {
                continue;
            }
            next = batch.header.next_offset();
            if batch.header.attributes.is_control() {
                continue;
            }
            let base = batch.header.base_offset;
            let records = batch
                .records(DECOMPRESSED_LIMIT, &mut scratch)
                .map_err(|error| LoadError::Record(base, error.to_string()))?;
            for record in records {
                let record = record.map_err(|error| LoadError::Record(base, error.to_string()))?;
                let Some(key) = record.key else { continue };
                match load(key, record.value, runtime.wall_clock_ms()) {
                    Ok(loaded) => apply(&mut groups, loaded, runtime.wall_clock_ms()),
                    // Kept from taking the whole coordinator down; it is said, and the rest is served.
                    Err(error) => {
                        tracing::error!(offset = base, %error, "a stored group record is passed over")
                    }
                }
            }
        }
        if next == before {
            // Nothing whole was read: a hole that compaction left behind the last batch.
            break;
        }
        runtime.yield_now().await;
    }
    Ok(groups)
}

fn apply(groups: &mut BTreeMap<String, Group>, loaded: Loaded, now_ms: i64) {
    match loaded {
        Loaded::Offset { group, topic, partition, committed } => {
            let group = groups.entry(group.clone()).or_insert_with(|| Group::new(group, now_ms));
            match committed {
                Some(committed) => group.offsets.insert((topic, partition), committed),
                None => group.offsets.remove(&(topic, partition)),
            };
        }
        Loaded::Group { name, group: Some(mut group) } => {
            if let Some(before) = groups.remove(&name) {
                group.offsets = before.offsets;
            }
            groups.insert(name, *group);
        }
        Loaded::Group { name, group: None } => {
            groups.remove(&name);
        }
        Loaded::Other => {}
    }
}

async fn join(runtime: &Runtime, parts: Vec<Part>) -> Result<Bytes, LoadError> {
    let mut whole = BytesMut::new();
    for part in parts {
        match part {
            Part::Memory(bytes) => whole.extend_from_slice(&bytes),
            Part::File { file, position, len, .. } => {
                read_range(runtime, &file, position, len, &mut whole).await?
            }
        }
    }
    Ok(whole.freeze())
}

async fn read_range(
    runtime: &Runtime,
    file: &FileHandle,
    mut position: u64,
    mut left: u64,
    whole: &mut BytesMut,
) -> Result<(), LoadError> {
    while left > 0 {
        let buffer = AlignedBuf::zeroed(usize::try_from(left).unwrap_or(usize::MAX));
        let read = runtime.submit(Operation::Read { file: file.clone(), position, buffer }).await?;
        let Outcome::Read(count, buffer) = read else {
            return Err(std::io::Error::other("the platform answered to another operation").into());
        };
        let got = buffer.get(..count.min(left as usize)).unwrap_or_default();
        if got.is_empty() {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
        whole.extend_from_slice(got);
        position += got.len() as u64;
        left -= got.len() as u64;
    }
    Ok(())
}
