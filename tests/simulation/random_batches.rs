//! Record batches by seed: tiny to larger than the bypass, plain and idempotent, in every codec.

use bytes::Bytes;
use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{
    BatchBuilder, BatchHeader, end_txn_batch, set_base_offset_and_epoch, set_log_append_time,
};
use millrace::runtime::sim::Random;

/// Producers with an id from here on write transactions.
pub const FIRST_TRANSACTIONAL: i64 = 2000;

/// A batch as a producer made it, and what a reader must find in it.
#[derive(Clone)]
pub struct MadeBatch {
    pub bytes: Vec<u8>,
    /// Timestamp of each record.
    pub timestamps: Vec<i64>,
    pub producer: Option<Producing>,
    pub transaction: Option<Transaction>,
}

/// A batch's part in a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transaction {
    Data { producer: i64 },
    Marker { producer: i64, commit: bool },
}

/// Who produced a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Producing {
    pub id: i64,
    pub epoch: i16,
    pub base_sequence: i32,
    pub last_sequence: i32,
}

/// A batch in the model of a log: as it must be stored.
#[derive(Clone)]
pub struct StoredBatch {
    pub base: i64,
    pub last: i64,
    pub epoch: i32,
    pub bytes: Bytes,
    pub timestamps: Vec<i64>,
    pub producer: Option<Producing>,
    pub transaction: Option<Transaction>,
}

impl MadeBatch {
    /// About `target` bytes with times from `now_ms` on.
    pub fn new(random: &mut Random, target: usize, now_ms: i64, producer: Option<(i64, i16, i32)>) -> Self {
        let codec = match random.below(if target < 20_000 { 12 } else { 100 }) {
            0 => Codec::Lz4,
            1 => Codec::Snappy,
            2 if target < 4_000 => Codec::Zstd,
            3 if target < 1_000 => Codec::Gzip,
            _ => Codec::None,
        };
        let mut builder = BatchBuilder::new(codec);
        let records = if target < 300 { 1 } else { 1 + random.index(8) };
        let mut timestamps = Vec::with_capacity(records);
        for number in 0..records {
            let mut value = vec![0; (target / records).saturating_sub(20).max(1)];
            fill(random, &mut value);
            let timestamp_ms = now_ms + random.below(20) as i64 - 10;
            timestamps.push(timestamp_ms);
            let key = [number as u8; 3];
            builder.append(timestamp_ms, (number % 2 == 0).then_some(&key[..]), Some(&value), &[]);
        }
        let mut producing = None;
        if let Some((id, epoch, base_sequence)) = producer {
            builder = builder.producer(id, epoch, base_sequence);
            let last_sequence = base_sequence + records as i32 - 1;
            producing = Some(Producing { id, epoch, base_sequence, last_sequence });
        }
        let transactional = producer.filter(|(id, ..)| *id >= FIRST_TRANSACTIONAL).map(|(id, ..)| id);
        builder = builder.transactional(transactional.is_some());
        let transaction = transactional.map(|producer| Transaction::Data { producer });
        Self { bytes: builder.build().unwrap(), timestamps, producer: producing, transaction }
    }

    /// The marker that ends a transaction.
    pub fn marker(producer: i64, commit: bool, now_ms: i64) -> Self {
        Self {
            bytes: end_txn_batch(0, 0, now_ms, producer, 0, 1, commit).unwrap(),
            timestamps: vec![now_ms],
            producer: None,
            transaction: Some(Transaction::Marker { producer, commit }),
        }
    }

    /// As it must be stored at `base` by a leader of `epoch`.
    pub fn stored(mut self, base: i64, epoch: i32, log_append_time_ms: Option<i64>) -> StoredBatch {
        set_base_offset_and_epoch(&mut self.bytes, base, epoch).unwrap();
        if let Some(now_ms) = log_append_time_ms {
            set_log_append_time(&mut self.bytes, now_ms).unwrap();
            self.timestamps.fill(now_ms);
        }
        let header = BatchHeader::parse(&self.bytes).unwrap();
        StoredBatch {
            base,
            last: header.last_offset(),
            epoch,
            bytes: self.bytes.into(),
            timestamps: self.timestamps,
            producer: self.producer,
            transaction: self.transaction,
        }
    }
}

fn fill(random: &mut Random, bytes: &mut [u8]) {
    // Half noise, half runs, so that codecs have something to do.
    for chunk in bytes.chunks_mut(64) {
        let word = random.next_u64().to_le_bytes();
        let noisy = word[0] & 1 == 0;
        for (index, byte) in chunk.iter_mut().enumerate() {
            *byte = if noisy { word[index % 8].wrapping_add(index as u8) } else { word[1] };
        }
    }
}

/// Sizes of batches: mostly tiny, a few around a block, few large.
pub fn size(random: &mut Random, largest: u64) -> usize {
    let most = match random.below(100) {
        0..55 => 400,
        55..80 => 3_000,
        80..92 => 9_000,
        92..98 => 40_000,
        _ => largest,
    };
    random.range(80..most.max(81)) as usize
}
