//! Random sequences of requests, with crashes between: what was answered is there, what is replayed is the same.

use std::cell::RefCell;
use std::rc::Rc;

use super::support::*;
use crate::controller::*;
use crate::runtime::Runtime;
use crate::runtime::sim::Random;

fn name(random: &mut Random) -> String {
    format!("t{}", random.below(12))
}

fn request(random: &mut Random, image: &MetadataImage) -> ControllerRequest {
    let some = |random: &mut Random| 1 + random.below(3) as usize;
    match random.below(10) {
        0..=3 => {
            let topics = (0..some(random))
                .map(|_| NewTopic {
                    configs: if random.below(2) == 0 {
                        vec![("retention.ms".into(), Some(random.below(1_000).to_string()))]
                    } else {
                        Vec::new()
                    },
                    ..topic(&name(random), random.below(5) as i32 - 1)
                })
                .collect();
            ControllerRequest::CreateTopics { topics, validate_only: random.below(8) == 0 }
        }
        4 | 5 => {
            let topics = (0..some(random))
                .map(|_| {
                    let name = name(random);
                    match image.topics.by_name(&name) {
                        Some(topic) if random.below(2) == 0 => TopicSelector::Id(topic.id),
                        _ => TopicSelector::Name(name),
                    }
                })
                .collect();
            ControllerRequest::DeleteTopics { topics }
        }
        6 => {
            let topics =
                vec![MorePartitions { name: name(random), count: random.below(8) as i32, assignments: None }];
            ControllerRequest::CreatePartitions { topics, validate_only: false }
        }
        7 | 8 => {
            let (resource_type, resource_name) =
                if random.below(3) == 0 { (4, "1".to_owned()) } else { (2, name(random)) };
            let config = if resource_type == 4 { "log.cleaner.threads" } else { "segment.ms" };
            let op = ConfigOp {
                name: config.into(),
                op: random.below(2) as i8,
                value: Some((1 + random.below(9)).to_string()),
            };
            ControllerRequest::IncrementalAlterConfigs {
                resources: vec![AlterConfigs { resource_type, resource_name, ops: vec![op] }],
                validate_only: false,
            }
        }
        _ => ControllerRequest::AllocateProducerIds {
            broker_id: 1,
            broker_epoch: image.broker(1).unwrap().epoch,
        },
    }
}

/// One sequence; gives the image at its end.
async fn run(runtime: &Runtime, random: &mut Random, state: &Rc<LogState>) {
    let mut controller = start(runtime, state).await.unwrap();
    let mut follower = follow(&controller);
    for _ in 0..random.below(30) {
        if random.below(10) == 0 {
            let before = controller.image();
            state.crash();
            controller = start(runtime, state).await.unwrap();
            same_but_for_the_start(&before, &controller.image());
            follower = follow(&controller);
            continue;
        }
        let image = controller.image();
        let tasks: Vec<_> = (0..1 + random.below(4))
            .map(|_| {
                let (controller, request) = (controller.clone(), request(random, &image));
                runtime.spawn(async move { controller.handle(request).await })
            })
            .collect();
        for task in tasks {
            let reply = task.await;
            assert!(!matches!(reply.response, ControllerResponse::Failed(_)), "{reply:?}");
            assert!(reply.offset <= controller.image().offset);
        }
        assert_eq!(*follower.borrow(), Follower::of(&controller.image()));
        check_topic_configs(&controller.image());
    }
}

fn follow(controller: &Controller) -> Rc<RefCell<Follower>> {
    let follower = Rc::new(RefCell::new(Follower::default()));
    let following = follower.clone();
    controller.subscribe(Box::new(move |_, delta| following.borrow_mut().follow(&delta)));
    follower
}

/// A start changes the broker's registration and raises every leader epoch by one, and nothing else.
fn same_but_for_the_start(before: &MetadataImage, after: &MetadataImage) {
    assert_eq!(before.cluster_id, after.cluster_id);
    assert_eq!(before.configs, after.configs);
    assert_eq!(before.features, after.features);
    assert_eq!(before.next_producer_id, after.next_producer_id);
    assert_eq!(before.topics.len(), after.topics.len());
    assert_eq!(before.topics.partition_count(), after.topics.partition_count());
    for (old, new) in before.topics.iter().zip(after.topics.iter()) {
        assert_eq!((&old.name, old.id), (&new.name, new.id));
        for (old, new) in old.partitions.iter().zip(&new.partitions) {
            let mut expected = PartitionImage::clone(old);
            expected.leader_epoch += 1;
            expected.partition_epoch += 1;
            assert_eq!(expected, **new);
        }
    }
}

#[test]
fn a_thousand_random_sequences() {
    for seed in 0..1_000 {
        let world = world(seed);
        let runtime = world.add_shard();
        let mut random = world.random();
        let state = Rc::new(LogState::default());
        let shard = runtime.clone();
        world.block_on(&runtime, async move { run(&shard, &mut random, &state).await });
    }
}
