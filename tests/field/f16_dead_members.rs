//! F16: members that die while they join do not keep their group in a rebalance for ever.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use millrace::protocol::messages::join_group::JoinGroupRequestProtocol;
use millrace::protocol::messages::{
    DescribeGroupsRequest, DescribeGroupsResponse, JoinGroupRequest, JoinGroupResponse,
};
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::Message;

use crate::broker::Broker;
use crate::client::{PATIENCE, create_topic, settings, until, wait_for_coordinator};
use crate::raw::{Raw, batch};

const GROUP: &str = "f16";
const MEMBER_ID_REQUIRED: i16 = 79;
const PARTITIONS: i32 = 3;
/// A consumer's subscription to the topic "f16", version 0.
const SUBSCRIPTION: &[u8] = b"\0\0\0\0\0\x01\0\x03f16\xff\xff\xff\xff";

fn join(member_id: &str) -> JoinGroupRequest<'_> {
    JoinGroupRequest {
        group_id: GROUP,
        session_timeout_ms: 15_000,
        rebalance_timeout_ms: 15_000,
        member_id,
        protocol_type: "consumer",
        protocols: vec![JoinGroupRequestProtocol { name: "range", metadata: SUBSCRIPTION }],
        ..Default::default()
    }
}

fn state(client: &mut Raw) -> (String, usize) {
    let request = DescribeGroupsRequest { groups: vec![GROUP], ..Default::default() };
    let response: DescribeGroupsResponse<'_> = client.ask(4, &request);
    let group = &response.groups[0];
    assert_eq!(group.error_code, 0);
    (group.group_state.to_owned(), group.members.len())
}

/// Ten members join and are gone before the join ends: their sockets close, as those of killed processes do.
pub fn members_that_die_while_they_join_leave_an_empty_group(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, GROUP, PARTITIONS, &[]);
    wait_for_coordinator(&mut client, GROUP);
    let members: Vec<Raw> = (0..10)
        .map(|_| {
            let mut member = Raw::connect(address);
            let id = until("an id", || {
                let response: JoinGroupResponse<'_> = member.ask(5, &join(""));
                (response.error_code == MEMBER_ID_REQUIRED).then(|| response.member_id.to_owned())
            });
            member.send(5, &join(&id));
            member
        })
        .collect();
    until("all of them join", || (state(&mut client).1 == 10).then_some(()));
    drop(members);
    let began = Instant::now();
    until("an empty group", || (state(&mut client) == ("Empty".to_owned(), 0)).then_some(()));
    eprintln!("empty {} ms after its members died", began.elapsed().as_millis());

    let pairs = [("group.id", GROUP), ("auto.offset.reset", "earliest")];
    let consumer: BaseConsumer = settings(address, &pairs).create().expect("a consumer");
    consumer.subscribe(&[GROUP]).expect("subscribed");
    for partition in 0..PARTITIONS {
        assert_eq!(client.produce(&[(GROUP, partition, &batch(&[b"v"]))])[0].0, 0);
    }
    let deadline = Instant::now() + PATIENCE;
    let mut read = BTreeSet::new();
    while read.len() < PARTITIONS as usize {
        assert!(Instant::now() < deadline, "the new member reads {read:?} alone");
        if let Some(message) = consumer.poll(Duration::from_millis(100)) {
            read.insert(message.expect("a message").partition());
        }
    }
}

#[test]
fn f16_members_that_die_while_they_join_leave_an_empty_group() {
    members_that_die_while_they_join_leave_an_empty_group(Broker::start(&[]).address());
}
