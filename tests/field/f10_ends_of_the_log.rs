//! F10: what ListOffsets says where there is nothing to find, and of the ends of a log.

use millrace::protocol::codec::Codec;
use millrace::protocol::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use millrace::protocol::messages::{DeleteRecordsRequest, DeleteRecordsResponse};

use crate::broker::Broker;
use crate::client::{create_topic, list_offset, list_offset_at, list_offset_isolated};
use crate::raw::{Raw, batch_with, now_ms};

const OFFSET_OUT_OF_RANGE: i16 = 1;
const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
const UNSUPPORTED_VERSION: i16 = 35;
const LATEST: i64 = -1;
const EARLIEST: i64 = -2;
const MAX_TIMESTAMP: i64 = -3;
const EARLIEST_LOCAL: i64 = -4;

fn delete_before(client: &mut Raw, topic: &str, offset: i64) -> (i16, i64) {
    let partitions = vec![DeleteRecordsPartition { partition_index: 0, offset }];
    let topics = vec![DeleteRecordsTopic { name: topic, partitions }];
    let request = DeleteRecordsRequest { topics, timeout_ms: 10_000 };
    let response: DeleteRecordsResponse<'_> = client.ask(2, &request);
    let partition = &response.topics[0].partitions[0];
    (partition.error_code, partition.low_watermark)
}

pub fn ends_are_told_and_no_match_is_no_error(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f10", 1, &[]);
    let now = now_ms();
    // An empty log.
    for (asked, offset) in [(LATEST, 0), (EARLIEST, 0), (MAX_TIMESTAMP, -1), (0, -1), (now, -1)] {
        assert_eq!(list_offset(&mut client, "f10", 0, asked), (0, -1, offset), "{asked} of an empty log");
    }
    let records = [(now, &b"a"[..]), (now - 5, b"b")];
    client.produce(&[("f10", 0, &batch_with(Codec::None, &records))]);
    client.produce(&[("f10", 0, &batch_with(Codec::Lz4, &records))]);
    // No match: no error, no offset, no time; in every version.
    for version in 1..=11 {
        for later in [now + 1, now + 3_600_000, i64::MAX] {
            let found = list_offset_at(version, &mut client, "f10", 0, later);
            assert_eq!(found, (0, -1, -1), "version {version}, {later}");
        }
        assert_eq!(list_offset_at(version, &mut client, "f10", 0, LATEST), (0, -1, 4), "version {version}");
        assert_eq!(list_offset_at(version, &mut client, "f10", 0, EARLIEST), (0, -1, 0), "version {version}");
        assert_eq!(list_offset_at(version, &mut client, "f10", 0, now - 9), (0, now, 0), "version {version}");
    }
    assert_eq!(list_offset(&mut client, "f10", 0, MAX_TIMESTAMP), (0, now, 0));
    // Questions that the version does not know, or nobody.
    assert_eq!(list_offset_at(6, &mut client, "f10", 0, MAX_TIMESTAMP).0, UNSUPPORTED_VERSION);
    assert_eq!(list_offset_at(7, &mut client, "f10", 0, EARLIEST_LOCAL).0, UNSUPPORTED_VERSION);
    assert_eq!(list_offset_at(8, &mut client, "f10", 0, EARLIEST_LOCAL), (0, -1, 0));
    for nobody in [-7, -100, i64::MIN] {
        assert_eq!(list_offset_at(10, &mut client, "f10", 0, nobody).0, UNSUPPORTED_VERSION, "{nobody}");
    }
    assert_eq!(list_offset(&mut client, "f10", 9, LATEST), (UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
    assert_eq!(list_offset(&mut client, "f10-none", 0, LATEST), (UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
    // Without transactions what is committed ends where the log ends.
    for isolation in [0, 1] {
        assert_eq!(list_offset_isolated(4, &mut client, "f10", 0, LATEST, isolation), (0, -1, 4));
        assert_eq!(list_offset_isolated(4, &mut client, "f10", 0, now - 9, isolation), (0, now, 0));
    }
    // A log that was trimmed begins where it was told to.
    assert_eq!(delete_before(&mut client, "f10", 5), (OFFSET_OUT_OF_RANGE, -1));
    assert_eq!(delete_before(&mut client, "f10", 3), (0, 3));
    assert_eq!(list_offset(&mut client, "f10", 0, EARLIEST), (0, -1, 3));
    assert_eq!(list_offset(&mut client, "f10", 0, now - 9), (0, now - 5, 3));
    assert_eq!(list_offset(&mut client, "f10", 0, now - 4), (0, -1, -1), "what is left is older");
    assert_eq!(delete_before(&mut client, "f10", -1), (0, 4));
    for (asked, offset) in [(LATEST, 4), (EARLIEST, 4), (0, -1), (now - 9, -1)] {
        assert_eq!(list_offset(&mut client, "f10", 0, asked), (0, -1, offset), "{asked} of an emptied log");
    }
}

#[test]
fn f10_no_match_is_no_error_and_the_ends_are_told() {
    ends_are_told_and_no_match_is_no_error(Broker::start(&[]).address());
}

#[test]
fn f10_a_trimmed_log_begins_there_after_a_restart() {
    for clean in [true, false] {
        let broker = Broker::start(&[]);
        let mut client = Raw::connect(broker.address());
        create_topic(&mut client, "t", 1, &[]);
        let now = now_ms();
        let records = [(now - 3, &b"a"[..]), (now - 2, b"b"), (now - 1, b"c")];
        client.produce(&[("t", 0, &batch_with(Codec::Zstd, &records))]);
        assert_eq!(delete_before(&mut client, "t", 2), (0, 2));
        let broker = Broker::again(if clean { broker.stop() } else { broker.kill() });
        let mut client = Raw::connect(broker.address());
        assert_eq!(list_offset(&mut client, "t", 0, EARLIEST), (0, -1, 2));
        assert_eq!(list_offset(&mut client, "t", 0, LATEST), (0, -1, 3));
        assert_eq!(list_offset(&mut client, "t", 0, now - 3), (0, now - 1, 2));
    }
}
