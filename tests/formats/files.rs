//! The small files: Kafka's are understood, and written again they are the same bytes.

use millrace::log::checkpoint_file::OffsetCheckpoint;
use millrace::log::clean_shutdown::CleanShutdown;
use millrace::log::leader_epochs::LeaderEpochs;
use millrace::log::meta_properties::MetaProperties;
use millrace::log::partition_metadata::PartitionMetadata;
use millrace::log::segment_name::{PartitionDirectory, SegmentFile};

use crate::{kafka, read};

#[test]
fn meta_properties() {
    let bytes = read(&kafka("meta.properties"));
    let properties = MetaProperties::parse(&bytes).unwrap();
    assert_eq!(properties.cluster_id, "7ZyLDtPQEdnCrSECDj5STg");
    assert_eq!(properties.node_id, 1);
    let formatted_ms = 1_795_966_688_000; // Sun Nov 29 15:38:08 UTC 2026
    assert_eq!(String::from_utf8(properties.encode(formatted_ms)), String::from_utf8(bytes));
}

#[test]
fn partition_metadata() {
    for partition in ["fixture-0", "transactions-0"] {
        let bytes = read(&kafka(partition).join("partition.metadata"));
        assert_eq!(PartitionMetadata::parse(&bytes).unwrap().encode(), bytes);
    }
}

#[test]
fn clean_shutdown() {
    let bytes = read(&kafka(".kafka_cleanshutdown"));
    let stop = CleanShutdown::parse(&bytes).unwrap();
    assert_eq!(stop.broker_epoch, 667);
    assert_eq!(stop.encode(), bytes);
}

#[test]
fn leader_epochs() {
    for partition in ["fixture-0", "transactions-0"] {
        let bytes = read(&kafka(partition).join("leader-epoch-checkpoint"));
        let epochs = LeaderEpochs::parse(&bytes).unwrap();
        assert_eq!(epochs.entries().len(), 2);
        assert_eq!(epochs.encode(), bytes);
    }
}

#[test]
fn checkpoints_hold_the_same_lines_and_ours_are_sorted() {
    for name in [
        "recovery-point-offset-checkpoint",
        "replication-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint",
    ] {
        let bytes = read(&kafka(name));
        let checkpoint = OffsetCheckpoint::parse(&bytes).unwrap();
        let lines = |bytes: &[u8]| {
            let mut lines: Vec<_> =
                String::from_utf8(bytes.to_vec()).unwrap().lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        if !bytes.is_empty() {
            assert_eq!(lines(&checkpoint.encode()), lines(&bytes), "{name}");
        }
    }
    let recovery = OffsetCheckpoint::parse(&read(&kafka("recovery-point-offset-checkpoint"))).unwrap();
    assert_eq!(recovery.get("fixture", 0), Some(198));
    assert_eq!(recovery.get("odd.topic_name-1", 2), Some(1));
    assert_eq!(recovery.len(), 10);
}

#[test]
fn names_of_directories_and_segments_come_back() {
    let mut segments = 0;
    for entry in
        std::fs::read_dir(kafka("")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        let name = entry.file_name().into_string().unwrap();
        assert_eq!(PartitionDirectory::parse(&name).unwrap().name(), name);
        for file in std::fs::read_dir(entry.path()).unwrap().map(Result::unwrap) {
            let name = file.file_name().into_string().unwrap();
            if let Some(segment) = SegmentFile::parse(&name) {
                assert_eq!(segment.name(), name);
                segments += 1;
            }
        }
    }
    assert!(segments > 25, "{segments}");
}
