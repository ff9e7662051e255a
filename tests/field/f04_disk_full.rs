//! F04: before a disk is full, produce is refused with a code that clients retry, all else goes on, and when there is
//! room again the broker takes records without a restart. Needs root and loop devices.

use std::collections::BTreeSet;

use millrace::protocol::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use millrace::protocol::messages::{
    DeleteRecordsRequest, DeleteRecordsResponse, DeleteTopicsRequest, DeleteTopicsResponse,
    DescribeLogDirsRequest, DescribeLogDirsResponse,
};
use millrace::protocol::record_batch::batches;

use crate::broker::Broker;
use crate::client::{create_topic, list_offset, until};
use crate::kafka::{Kafka, SETTINGS};
use crate::raw::{Limits, Raw, batch};
use crate::volume::Volume;

const VOLUME_BYTES: u64 = 256 << 20;
const RECORD_BYTES: usize = 500_000;
/// Less than what a full disk has left, which is an eighth of it.
const STEP_BYTES: usize = 12 << 20;
const KAFKA_STORAGE_ERROR: i16 = 56;

fn volume(folder: &std::path::Path) -> Option<Volume> {
    match Volume::create(folder, "ext4", VOLUME_BYTES) {
        Ok(volume) => Some(volume),
        Err(why) => {
            eprintln!("skipped: no ext4 on a loop device here: {why}");
            None
        }
    }
}

fn value(number: usize) -> Vec<u8> {
    let mut value = format!("{number:08}").into_bytes();
    value.resize(RECORD_BYTES, number as u8);
    value
}

/// Free bytes as the broker has seen them last.
fn seen_free(client: &mut Raw) -> i64 {
    let response: DescribeLogDirsResponse<'_> = client.ask(4, &DescribeLogDirsRequest { topics: None });
    response.results[0].usable_bytes
}

/// Produces to a topic until it is refused: how many records were taken, and the code. No faster than the broker looks at
/// its disk, unless it is to be `hasty`.
fn fill(client: &mut Raw, topic: &str, first: usize, hasty: bool) -> (usize, i16) {
    let (mut seen, mut since) = (seen_free(client), 0);
    for number in first.. {
        let (code, offset) = client.produce(&[(topic, 0, &batch(&[&value(number)]))])[0];
        if code != 0 {
            return (number - first, code);
        }
        assert_eq!(offset, number as i64);
        assert!(
            ((number + 1) * RECORD_BYTES) as u64 <= VOLUME_BYTES,
            "more was taken than there is room for"
        );
        since += RECORD_BYTES;
        if since > STEP_BYTES && !hasty {
            seen =
                until("the broker looks at its disk", || Some(seen_free(client)).filter(|now| *now != seen));
            since = 0;
        }
    }
    unreachable!()
}

/// The offsets of a topic from its start, each record checked.
fn read_all(client: &mut Raw, topic: &str) -> Vec<i64> {
    let mut offset = list_offset(client, topic, 0, -2).2;
    let mut found = Vec::new();
    let mut scratch = Vec::new();
    loop {
        let limits = Limits { partition_max_bytes: 4 << 20, ..Limits::default() };
        let (code, end, records) = client.fetch(topic, 0, offset, limits);
        assert_eq!(code, 0, "fetch at {offset}");
        for batch in batches(&records).map_while(Result::ok) {
            batch.verify_crc().expect("sound bytes");
            let record =
                batch.records(64 << 20, &mut scratch).expect("records").next().expect("one").expect("sound");
            assert_eq!(record.value, Some(&value(batch.header.base_offset as usize)[..]));
            found.push(batch.header.base_offset);
            offset = batch.header.next_offset();
        }
        if offset == end {
            return found;
        }
        assert!(!records.is_empty(), "nothing at {offset} of {end}");
    }
}

fn delete_before(client: &mut Raw, topic: &str, offset: i64) -> (i16, i64) {
    let partitions = vec![DeleteRecordsPartition { partition_index: 0, offset }];
    let topics = vec![DeleteRecordsTopic { name: topic, partitions }];
    let response: DeleteRecordsResponse<'_> =
        client.ask(2, &DeleteRecordsRequest { topics, timeout_ms: 30_000 });
    (response.topics[0].partitions[0].error_code, response.topics[0].partitions[0].low_watermark)
}

fn delete_topic(client: &mut Raw, name: &str) -> i16 {
    let request = DeleteTopicsRequest { topic_names: vec![name], timeout_ms: 30_000, ..Default::default() };
    let response: DeleteTopicsResponse<'_> = client.ask(5, &request);
    response.responses[0].error_code
}

fn small_broker(volume: &Volume) -> Broker {
    let data = format!("log.dirs={}", volume.mount.join("data").display());
    Broker::start(&[
        data.as_str(),
        "millrace.log.journal_bytes=16777216",
        "log.segment.bytes=16777216",
        "log.segment.delete.delay.ms=0",
        "log.retention.check.interval.ms=500",
    ])
}

#[test]
fn f04_a_full_disk_refuses_records_and_recovers_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let Some(volume) = volume(folder.path()) else { return };
    let broker = small_broker(&volume);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "kept", 1, &[]);
    create_topic(&mut client, "doomed", 1, &[]);
    for number in 0..40 {
        assert_eq!(client.produce(&[("doomed", 0, &batch(&[&value(number)]))])[0].0, 0);
    }
    let (taken, code) = fill(&mut client, "kept", 0, false);
    assert_eq!(code, KAFKA_STORAGE_ERROR, "a code that clients retry");
    assert!(taken > 50, "{taken} records of {RECORD_BYTES} bytes fitted");
    // Each partition of a request is told. (Another shard may learn of it a moment later, and a look at the disk may find
    // that there was a little more room than was thought.)
    until("both are refused", || {
        let [kept, doomed] =
            ["kept", "doomed"].map(|topic| list_offset(&mut client, topic, 0, -1).2 as usize);
        let (kept, doomed) = (batch(&[&value(kept)]), batch(&[&value(doomed)]));
        let results = client.produce(&[("kept", 0, &kept), ("doomed", 0, &doomed)]);
        assert!(results.iter().all(|(code, _)| [0, KAFKA_STORAGE_ERROR].contains(code)), "{results:?}");
        results.iter().all(|(code, _)| *code == KAFKA_STORAGE_ERROR).then_some(())
    });

    // All that was taken is read, and what frees room works.
    let taken = list_offset(&mut client, "kept", 0, -1).2 as usize;
    assert_eq!(read_all(&mut client, "kept"), (0..taken as i64).collect::<Vec<_>>());
    assert!(read_all(&mut client, "doomed").len() >= 40);
    let start = taken as i64 / 2;
    assert_eq!(delete_before(&mut client, "kept", start), (0, start));
    until("records are taken again", || {
        let (code, offset) = client.produce(&[("kept", 0, &batch(&[&value(taken)]))])[0];
        assert!(code == 0 || code == KAFKA_STORAGE_ERROR, "code {code}");
        (code == 0).then(|| assert_eq!(offset, taken as i64))
    });
    // Again and again.
    let (more, code) = fill(&mut client, "kept", taken + 1, false);
    assert_eq!(code, KAFKA_STORAGE_ERROR);
    let end = (taken + 1 + more) as i64;
    assert_eq!(read_all(&mut client, "kept"), (start..end).collect::<Vec<_>>());
    // It restarts with the disk full, after a clean stop and after a kill.
    let broker = Broker::again(broker.stop());
    assert_eq!(read_all(&mut Raw::connect(broker.address()), "kept"), (start..end).collect::<Vec<_>>());
    let broker = Broker::again(broker.kill());
    let mut client = Raw::connect(broker.address());
    let found: BTreeSet<i64> = read_all(&mut client, "kept").into_iter().collect();
    assert!((start..end).all(|offset| found.contains(&offset)));
    assert_eq!(delete_before(&mut client, "kept", end), (0, end));
    until("records are taken again", || {
        (client.produce(&[("kept", 0, &batch(&[&value(end as usize)]))])[0].0 == 0).then_some(())
    });
    broker.stop();
}

#[test]
fn f04_a_topic_is_deleted_while_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let Some(volume) = volume(folder.path()) else { return };
    let broker = small_broker(&volume);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "doomed", 1, &[]);
    assert_eq!(fill(&mut client, "doomed", 0, false).1, KAFKA_STORAGE_ERROR);
    assert_eq!(delete_topic(&mut client, "doomed"), 0);
    client.create_topic("next", 1, &[]);
    until("a new topic takes records", || {
        (client.produce(&[("next", 0, &batch(&[&value(0)]))])[0].0 == 0).then_some(())
    });
}

#[test]
fn f04_a_disk_that_fills_at_once_is_only_full() {
    let folder = tempfile::tempdir().unwrap();
    let Some(volume) = volume(folder.path()) else { return };
    let broker = small_broker(&volume);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "kept", 1, &[]);
    let (taken, code) = fill(&mut client, "kept", 0, true);
    assert_eq!(code, KAFKA_STORAGE_ERROR);
    let end = taken as i64;
    assert_eq!(delete_before(&mut client, "kept", end), (0, end));
    until("records are taken again", || {
        (client.produce(&[("kept", 0, &batch(&[&value(taken)]))])[0].0 == 0).then_some(())
    });
}

/// For the table: what Apache Kafka does there. It says so and nothing else.
#[test]
fn f04_beside_kafka() {
    let folder = tempfile::tempdir().unwrap();
    let Some(volume) = volume(folder.path()) else { return };
    let config = format!("{SETTINGS}\nlog.segment.bytes=16777216");
    let kafka = match Kafka::start_in(&volume.mount.join("kafka"), &config) {
        Ok(kafka) => kafka,
        Err(why) => {
            eprintln!("skipped: beside Apache Kafka: {why}");
            return;
        }
    };
    let mut client = Raw::connect(&kafka.address);
    create_topic(&mut client, "kept", 1, &[]);
    let mut taken = 0;
    let code = loop {
        client.send(9, &crate::raw::produce_request(-1, &[("kept", 0, &batch(&[&value(taken)]))]));
        let Some(frame) = client.receive() else { break None };
        let (_, response): (i32, millrace::protocol::messages::ProduceResponse<'_>) =
            millrace::protocol::decode_response(&frame, 9).expect("Produce");
        let code = response.responses[0].partition_responses[0].error_code;
        if code != 0 {
            break Some(code);
        }
        taken += 1;
    };
    let begin = std::time::Instant::now();
    while kafka.runs() && begin.elapsed() < std::time::Duration::from_secs(10) {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let runs = if kafka.runs() { "still runs" } else { "has ended" };
    eprintln!("Apache Kafka on a full disk: {taken} records taken, then code {code:?}; the process {runs}");
}
