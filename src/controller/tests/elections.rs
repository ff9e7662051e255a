//! Elections and reassignments among several brokers, which one node alone never sees.

use std::sync::Arc;

use super::support::rules;
use crate::controller::decide::{Context, Decision, Limits, decide};
use crate::controller::delta::DeltaBuilder;
use crate::controller::replay::replay;
use crate::controller::*;
use crate::protocol::Uuid;

const TOPIC: Uuid = Uuid::from_u128(7);

fn broker(id: i32, fenced: bool) -> BrokerImage {
    BrokerImage {
        id,
        epoch: 1,
        incarnation: Uuid::from_u128(100 + id as u128),
        rack: None,
        fenced,
        in_controlled_shutdown: false,
        endpoints: Vec::new(),
        log_dirs: Vec::new(),
        supported_features: Default::default(),
    }
}

/// Broker 3 is fenced; topic "t" has one partition of this leader.
fn image(replicas: &[i32], isr: &[i32], leader: i32, adding: &[i32]) -> MetadataImage {
    let brokers = [broker(1, false), broker(2, false), broker(3, true)];
    let mut image = MetadataImage {
        brokers: Arc::new(brokers.into_iter().map(|broker| (broker.id, Arc::new(broker))).collect()),
        ..MetadataImage::default()
    };
    image.topics.insert_topic(TopicImage { name: "t".into(), id: TOPIC, partitions: Vec::new() });
    let partition = PartitionImage {
        replicas: replicas.into(),
        isr: isr.into(),
        leader,
        leader_epoch: 4,
        partition_epoch: 4,
        directories: Arc::default(),
        adding_replicas: adding.into(),
        removing_replicas: Arc::default(),
        eligible_leader_replicas: Arc::default(),
        last_known_elr: Arc::default(),
        recovering: false,
        created_offset: 0,
    };
    assert!(image.topics.set_partition(TOPIC, 0, partition).is_ok());
    image
}

fn ask(image: &MetadataImage, request: &ControllerRequest) -> Decision<ControllerResponse> {
    let limits =
        Limits { num_partitions: 1, default_replication_factor: 1, topic_limit: 10, partition_limit: 10 };
    let rules = rules();
    let mut context = Context { image, limits, rules: &*rules, random: &mut || 5 };
    decide(&mut context, request)
}

/// The answer for the partition, and the leader and its epoch afterwards.
fn elect(mut image: MetadataImage, election: Election) -> (String, i32, i32) {
    let topics = Some(vec![("t".to_owned(), vec![0])]);
    let decision = ask(&image, &ControllerRequest::ElectLeaders { election, topics });
    let ControllerResponse::Partitions(outcomes) = decision.response else { panic!("another answer") };
    let result = match &outcomes[0].partitions[0].1 {
        Ok(()) => "elected".to_owned(),
        Err(error) => error.code.name().to_owned(),
    };
    for value in decision.records.iter() {
        replay(&mut image, &mut DeltaBuilder::default(), 0, value).unwrap();
    }
    let partition = image.topics.by_id(TOPIC).unwrap().partition(0).unwrap();
    (result, partition.leader, partition.leader_epoch)
}

#[test]
fn the_preferred_replica_leads_again_if_it_is_in_sync_and_there() {
    use Election::{Preferred, Unclean};
    let told = |result: &str, leader, epoch| (result.to_owned(), leader, epoch);
    assert_eq!(elect(image(&[1, 2], &[1, 2], 1, &[]), Preferred), told("ELECTION_NOT_NEEDED", 1, 4));
    assert_eq!(elect(image(&[1, 2], &[1, 2], 2, &[]), Preferred), told("elected", 1, 5));
    assert_eq!(elect(image(&[1, 2], &[2], 2, &[]), Preferred), told("PREFERRED_LEADER_NOT_AVAILABLE", 2, 4));
    assert_eq!(
        elect(image(&[3, 2], &[3, 2], 2, &[]), Preferred),
        told("PREFERRED_LEADER_NOT_AVAILABLE", 2, 4),
        "it is fenced"
    );
    assert_eq!(elect(image(&[1, 2], &[1, 2], 2, &[]), Unclean), told("ELECTION_NOT_NEEDED", 2, 4));
    assert_eq!(elect(image(&[3, 2], &[3, 2], NO_LEADER, &[]), Unclean), told("elected", 2, 5));
    assert_eq!(
        elect(image(&[3, 2], &[3], NO_LEADER, &[]), Unclean),
        told("ELIGIBLE_LEADERS_NOT_AVAILABLE", NO_LEADER, 4)
    );
}

#[test]
fn all_partitions_together_tell_what_was_done_alone() {
    let all = ControllerRequest::ElectLeaders { election: Election::Preferred, topics: None };
    let told = |image: &MetadataImage| {
        let decision = ask(image, &all);
        let ControllerResponse::Partitions(outcomes) = decision.response else { panic!("another answer") };
        (outcomes[0].partitions.clone(), decision.records.len())
    };
    assert_eq!(told(&image(&[1, 2], &[1, 2], 1, &[])), (vec![], 0));
    assert_eq!(told(&image(&[1, 2], &[1, 2], 2, &[])), (vec![(0, Ok(()))], 1));
}

#[test]
fn replicas_that_would_move_are_refused() {
    let ask_for = |image: &MetadataImage, replicas: Option<&[i32]>, allow_factor_change| {
        let wanted = vec![Reassignment { partition: 0, replicas: replicas.map(<[i32]>::to_vec) }];
        let topics = vec![("t".to_owned(), wanted)];
        let decision = ask(image, &ControllerRequest::AlterReassignments { topics, allow_factor_change });
        assert!(decision.records.is_empty());
        let ControllerResponse::Partitions(outcomes) = decision.response else { panic!("another answer") };
        match &outcomes[0].partitions[0].1 {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.code.name().to_owned(),
        }
    };
    let still = image(&[1, 2], &[1, 2], 1, &[]);
    assert_eq!(ask_for(&still, Some(&[1, 2]), true), "ok");
    assert_eq!(ask_for(&still, Some(&[2, 1]), true), "INVALID_REPLICA_ASSIGNMENT");
    assert_eq!(ask_for(&still, Some(&[1]), false), "INVALID_REPLICATION_FACTOR");
    assert_eq!(ask_for(&still, Some(&[1]), true), "INVALID_REPLICA_ASSIGNMENT");
    assert_eq!(ask_for(&still, None, true), "NO_REASSIGNMENT_IN_PROGRESS");
    let moving = image(&[1, 2], &[1], 1, &[2]);
    assert_eq!(ask_for(&moving, None, true), "INVALID_REPLICA_ASSIGNMENT");
}
