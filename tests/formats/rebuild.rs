//! Everything beside the logs is derived from them: indexes, snapshots and leader epochs, made again from Kafka's
//! `.log` files, are Kafka's files byte for byte.

use std::collections::BTreeSet;
use std::path::Path;

use millrace::log::index::OffsetIndex;
use millrace::log::index_builder::{BatchMark, IndexBuilder};
use millrace::log::leader_epochs::LeaderEpochs;
use millrace::log::segment_name::{FileKind, SegmentFile};
use millrace::log::time_index::TimeIndex;
use millrace::log::transaction_index::TransactionIndex;
use millrace::partition::producer_snapshot;
use millrace::partition::producer_state::{EndMarker, ProducerLimits, ProducerStates};
use millrace::protocol::record_batch::{Batch, batches};

use crate::{kafka, read};

/// When the broker was started for the second time.
const RESTARTED_MS: i64 = 1_795_966_990_000;

/// A partition's history, walked as the broker that wrote it lived it.
struct Walk<'a> {
    directory: &'a Path,
    interval_bytes: u32,
    /// Where the log ended when the broker stopped cleanly and was started again.
    restarts: &'a [i64],
    producers: ProducerStates,
    epochs: LeaderEpochs,
    /// End offsets of the snapshots that were compared.
    snapshots: BTreeSet<i64>,
}

impl<'a> Walk<'a> {
    fn new(directory: &'a Path, interval_bytes: u32, restarts: &'a [i64]) -> Self {
        let producers = ProducerStates::new(ProducerLimits {
            producer_id_expiration_ms: 86_400_000,
            max_producers: 100,
            max_transaction_timeout_ms: 900_000,
            verify_transactions: false,
        });
        Self {
            directory,
            interval_bytes,
            restarts,
            producers,
            epochs: LeaderEpochs::new(),
            snapshots: BTreeSet::new(),
        }
    }

    fn file(&self, kind: FileKind, base_offset: i64) -> Option<Vec<u8>> {
        let path = self.directory.join(SegmentFile::live(kind, base_offset).name());
        path.exists().then(|| read(&path))
    }

    fn run(mut self) -> Vec<i64> {
        let mut bases: Vec<i64> = std::fs::read_dir(self.directory)
            .unwrap()
            .filter_map(|entry| SegmentFile::parse(entry.unwrap().file_name().to_str().unwrap()))
            .filter(|file| *file == SegmentFile::live(FileKind::Log, file.base_offset))
            .map(|file| file.base_offset)
            .collect();
        bases.sort_unstable();
        for base_offset in &bases {
            self.check_snapshot();
            self.segment(*base_offset);
        }
        self.check_snapshot();
        let mut kafkas = LeaderEpochs::parse(&read(&self.directory.join("leader-epoch-checkpoint"))).unwrap();
        // A leader notes its epoch at once, whether or not it will write in it.
        kafkas.truncate_from_end(self.producers.end_offset());
        assert_eq!(self.epochs.encode(), kafkas.encode());
        self.snapshots.into_iter().collect()
    }

    fn segment(&mut self, base_offset: i64) {
        let log = self.file(FileKind::Log, base_offset).unwrap();
        let mut indexes = IndexBuilder::new(base_offset, self.interval_bytes);
        let mut aborted = TransactionIndex::new(base_offset);
        let mut position = 0;
        for batch in batches(&log).map(Result::unwrap) {
            batch.verify_crc().unwrap();
            if self.restarts.contains(&self.producers.end_offset()) {
                indexes = self.restart(indexes);
            }
            indexes.append(position, BatchMark::from(&batch.header)).unwrap();
            position += u32::try_from(batch.bytes.len()).unwrap();
            self.note(&batch, &mut aborted);
        }
        assert_eq!(position as usize, log.len(), "nothing is left at the end");
        indexes.close().unwrap();
        let place = format!("{} segment {base_offset}", self.directory.display());
        let (offset_index, time_index) = indexes.into_indexes();
        assert_eq!(
            offset_index.as_bytes(),
            self.file(FileKind::OffsetIndex, base_offset).unwrap(),
            "{place}"
        );
        assert_eq!(time_index.as_bytes(), self.file(FileKind::TimeIndex, base_offset).unwrap(), "{place}");
        let transactions = self.file(FileKind::TransactionIndex, base_offset).unwrap_or_default();
        assert_eq!(aborted.as_bytes(), transactions, "{place}");
        offset_index.view().check_order(log.len() as u64).unwrap();
        time_index.view().check_order(self.producers.end_offset()).unwrap();
    }

    fn note(&mut self, batch: &Batch<'_>, aborted: &mut TransactionIndex) {
        let header = &batch.header;
        self.epochs.assign(header.leader_epoch, header.base_offset).unwrap();
        let marker = EndMarker::of(batch).unwrap();
        let completed = self.producers.replay(header, marker);
        if let Some(transaction) = completed.and_then(|completed| completed.aborted_transaction()) {
            aborted.append(transaction).unwrap();
        }
    }

    /// A clean stop in the middle of a segment, and what the next start reads.
    fn restart(&mut self, mut indexes: IndexBuilder) -> IndexBuilder {
        self.check_snapshot();
        let end_offset = self.producers.end_offset();
        let entries = producer_snapshot::decode(&self.producers.snapshot()).unwrap();
        self.producers.load(&entries, end_offset, RESTARTED_MS);
        indexes.close().unwrap();
        let (offset_index, time_index) = indexes.into_indexes();
        let base_offset = offset_index.base_offset();
        IndexBuilder::resume(
            OffsetIndex::from_bytes(base_offset, offset_index.as_bytes()).unwrap(),
            TimeIndex::from_bytes(base_offset, time_index.as_bytes()).unwrap(),
            self.interval_bytes,
        )
    }

    /// Compares with Kafka's snapshot of this moment, if there is one. Kafka's order is that of a hash map.
    fn check_snapshot(&mut self) {
        let end_offset = self.producers.end_offset();
        let Some(bytes) = self.file(FileKind::ProducerSnapshot, end_offset) else { return };
        let mut entries = producer_snapshot::decode(&bytes).unwrap();
        assert_eq!(producer_snapshot::encode(entries.clone().into_iter()), bytes, "snapshot {end_offset}");
        entries.sort_unstable_by_key(|entry| entry.producer_id);
        let ours = producer_snapshot::decode(&self.producers.snapshot()).unwrap();
        assert_eq!(ours, entries, "snapshot {end_offset} of {}", self.directory.display());
        self.snapshots.insert(end_offset);
    }
}

#[test]
fn a_partition_with_every_codec_and_late_records() {
    assert_eq!(Walk::new(&kafka("fixture-0"), 200, &[99]).run(), [90, 99, 189, 198]);
}

#[test]
fn a_partition_with_transactions_and_a_restart_in_the_middle_of_a_segment() {
    assert_eq!(Walk::new(&kafka("transactions-0"), 200, &[41]).run(), [7, 41, 48, 81]);
}

/// For a directory of any size: `KAFKA_PARTITION=.../topic-0 KAFKA_INTERVAL_BYTES=4096 cargo test --test formats --
/// --ignored`.
#[test]
#[ignore = "needs a partition that Kafka wrote, in KAFKA_PARTITION"]
fn a_partition_named_by_the_environment() {
    let directory = std::env::var("KAFKA_PARTITION").unwrap();
    let interval_bytes = std::env::var("KAFKA_INTERVAL_BYTES").map_or(4096, |text| text.parse().unwrap());
    Walk::new(Path::new(&directory), interval_bytes, &[]).run();
}
