//! F14: offsets that nobody needs go in their time, and never those of a group that lives: counted is from when a group
//! became empty, or from the commit of who only keeps offsets (KIP-211).

use std::time::{Duration, Instant};

use millrace::protocol::messages::{
    ListGroupsRequest, ListGroupsResponse, OffsetCommitRequest, OffsetCommitResponse,
};
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};

use crate::broker::Broker;
use crate::client::{PATIENCE, create_topic, settings, until, wait_for_coordinator};
use crate::kafka::Kafka;
use crate::raw::{Raw, batch, offset_commit};

/// The least that can be set is a minute.
const SETTINGS: [&str; 2] = ["offsets.retention.minutes=1", "offsets.retention.check.interval.ms=200"];
const RETENTION: Duration = Duration::from_secs(60);
/// When a member leaves, after its commit.
const LEAVES_AFTER: Duration = Duration::from_secs(8);
const QUICK: &str = "group.initial.rebalance.delay.ms=0";
const TOPIC: &str = "f14";

/// Commits offset 1 as who is no member; `retention_ms` -1 leaves the time to the broker.
fn keep(client: &mut Raw, group: &str, retention_ms: i64) {
    let request =
        OffsetCommitRequest { retention_time_ms: retention_ms, ..offset_commit(group, TOPIC, 0, 1) };
    until("an offset that is kept", || {
        let response: OffsetCommitResponse<'_> = client.ask(4, &request);
        (response.topics[0].partitions[0].error_code == 0).then_some(())
    });
}

/// The offset that a group has; -1: none.
fn kept(client: &mut Raw, group: &str) -> i64 {
    until("an answer", || {
        client.committed(group, TOPIC, &[0]).ok().and_then(|offsets| offsets.first().copied())
    })
}

fn groups(client: &mut Raw) -> Vec<String> {
    let response: ListGroupsResponse<'_> = client.ask(4, &ListGroupsRequest::default());
    assert_eq!(response.error_code, 0);
    let mut names: Vec<String> = response.groups.iter().map(|group| group.group_id.to_owned()).collect();
    names.sort();
    names
}

/// A member that has read all of the topic and committed it.
fn member(address: &str, group: &str) -> BaseConsumer {
    let pairs = [("group.id", group), ("auto.offset.reset", "earliest"), ("enable.auto.commit", "false")];
    let consumer: BaseConsumer = settings(address, &pairs).create().expect("a consumer");
    consumer.subscribe(&[TOPIC]).expect("subscribed");
    let deadline = Instant::now() + PATIENCE;
    let mut read = 0;
    while read < 3 {
        assert!(Instant::now() < deadline, "{group} has read {read}");
        if let Some(message) = consumer.poll(Duration::from_millis(100)) {
            message.expect("a message");
            read += 1;
        }
    }
    consumer.commit_consumer_state(CommitMode::Sync).expect("committed");
    consumer
}

/// How long offsets were kept.
#[derive(Debug)]
struct Kept {
    /// From when its group became empty.
    by_an_empty_group: Duration,
    /// From its commit, by who is no member.
    alone: Duration,
}

/// Groups of every kind, until those that nobody needs are gone.
fn watch(address: &str) -> Kept {
    let mut client = Raw::connect(address);
    create_topic(&mut client, TOPIC, 1, &[]);
    for _ in 0..3 {
        assert_eq!(client.produce(&[(TOPIC, 0, &batch(&[b"v"]))])[0].0, 0);
    }
    wait_for_coordinator(&mut client, "f14");
    let live = member(address, "f14-live");
    let leaving = member(address, "f14-gone");
    keep(&mut client, "f14-kept", -1);
    let committed = Instant::now();
    keep(&mut client, "f14-short", 1);
    until("its own time is over", || (kept(&mut client, "f14-short") == -1).then_some(()));
    // It leaves a while after its commit: that is what counts.
    while committed.elapsed() < LEAVES_AFTER {
        live.poll(Duration::from_millis(100));
        leaving.poll(Duration::from_millis(100));
    }
    drop(leaving);
    let left = Instant::now();
    for (group, offset) in [("f14-live", 3), ("f14-gone", 3), ("f14-kept", 1)] {
        assert_eq!(kept(&mut client, group), offset, "{group}");
    }
    let deadline = left + RETENTION + PATIENCE;
    let (mut by_an_empty_group, mut alone) = (None, None);
    while by_an_empty_group.is_none() || alone.is_none() {
        assert!(Instant::now() < deadline, "offsets are kept for ever");
        // The member polls, as members do, and commits nothing.
        live.poll(Duration::from_millis(200));
        if alone.is_none() && kept(&mut client, "f14-kept") == -1 {
            alone = Some(committed.elapsed());
        }
        if by_an_empty_group.is_none() && kept(&mut client, "f14-gone") == -1 {
            by_an_empty_group = Some(left.elapsed());
        }
    }
    assert_eq!(kept(&mut client, "f14-live"), 3, "a group that lives keeps its offsets");
    until("the groups go with their offsets", || (groups(&mut client) == ["f14-live"]).then_some(()));
    Kept { by_an_empty_group: by_an_empty_group.unwrap(), alone: alone.unwrap() }
}

#[test]
fn f14_offsets_of_empty_groups_go_and_those_of_a_live_one_stay() {
    // Beside each other: most of it is waiting.
    let (ours, theirs) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| {
            let kafka = Kafka::start(&[&SETTINGS[..], &[QUICK]].concat().join("\n"));
            kafka.map(|kafka| watch(&kafka.address))
        });
        let broker = Broker::start(&[SETTINGS[0], SETTINGS[1], QUICK]);
        let ours = watch(broker.address());
        let early = Duration::from_secs(1);
        assert!(ours.by_an_empty_group + early >= RETENTION, "gone too early: {ours:?}");
        assert!(ours.alone + early >= RETENTION, "gone too early: {ours:?}");
        // They are gone from the log too, and what stays is there.
        let broker = Broker::again(broker.kill());
        let mut client = Raw::connect(broker.address());
        for (group, offset) in [("f14-live", 3), ("f14-gone", -1), ("f14-kept", -1), ("f14-short", -1)] {
            assert_eq!(kept(&mut client, group), offset, "{group} after a restart");
        }
        assert_eq!(groups(&mut client), ["f14-live"]);
        (ours, theirs.join().expect("Apache Kafka does the same"))
    });
    match theirs {
        Ok(theirs) => eprintln!("kept by ours: {ours:?}, by Kafka: {theirs:?}"),
        Err(why) => eprintln!("skipped: beside Apache Kafka: {why}"),
    }
}
