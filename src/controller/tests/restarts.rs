//! Start, crash, start again.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::support::*;
use crate::controller::control::{Control, control_records};
use crate::controller::*;
use crate::protocol::Uuid;

#[test]
fn a_first_start_founds_the_cluster() {
    let world = world(1);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let image = controller.image();
    assert_eq!(image.cluster_id.len(), 22);
    assert_eq!((image.controller_id, image.controller_epoch), (1, 1));
    assert_eq!(image.features.get("metadata.version"), Some(&33));
    assert_eq!(image.features.get("kraft.version"), Some(&1));
    let broker = image.broker(1).unwrap();
    assert!(image.is_active(1) && broker.epoch > 0 && broker.log_dirs == [DIRECTORY]);
    assert_eq!(broker.endpoint("PLAINTEXT").unwrap().port, 9092);
    // The leader's batch comes first, with the voters; the cluster id is the first record of data.
    let batches = state.batches.borrow();
    let controls = control_records(batches.first().unwrap()).unwrap();
    assert_eq!(controls.first(), Some(&Control::Leader(1)));
    assert_eq!(controls.last(), Some(&Control::Voters(vec![(1, DIRECTORY, Vec::new())])));
    assert_eq!(image.offset + 1, MemoryLog { runtime: runtime.clone(), state: state.clone() }.end_offset());
}

#[test]
fn every_start_raises_epochs_and_keeps_the_rest() {
    let world = world(2);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let reply = ask(&world, &runtime, &controller, create(vec![topic("a", 3), topic("b.c", 1)]));
    let before = controller.image();
    assert_eq!(reply.offset, before.offset);
    assert_eq!(before.topics.partition_count(), 4);
    let file = world.disk().read_durable(Path::new("/data/quorum-state")).unwrap();
    assert!(String::from_utf8(file).unwrap().contains(r#""leaderEpoch":1"#));

    for start_number in 2..5 {
        state.crash();
        let controller = boot(&world, &runtime, &state, settings()).unwrap();
        let image = controller.image();
        assert_eq!(image.cluster_id, before.cluster_id);
        assert_eq!(image.controller_epoch, start_number);
        for topic in image.topics.iter() {
            assert_eq!(before.topics.by_name(&topic.name).unwrap().id, topic.id);
            for partition in &topic.partitions {
                assert_eq!((partition.leader, partition.leader_epoch), (1, start_number - 1));
                assert_eq!(partition.directory_of(1), Some(DIRECTORY));
            }
        }
        let epochs = (image.broker(1).unwrap().epoch, before.broker(1).unwrap().epoch);
        assert!(epochs.0 > epochs.1);
    }
}

#[test]
fn another_clusters_log_is_refused() {
    let world = world(3);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let told = |id: &str| ControllerSettings { cluster_id: Some(id.into()), ..settings() };
    let controller = boot(&world, &runtime, &state, told("one")).unwrap();
    assert_eq!(&*controller.image().cluster_id, "one");
    let error = boot(&world, &runtime, &state, told("two")).err().unwrap();
    assert!(error.to_string().contains("cluster one"), "{error}");
    // A crash before meta.properties was written: the log knows.
    assert_eq!(&*boot(&world, &runtime, &state, settings()).unwrap().image().cluster_id, "one");
}

#[test]
fn a_voter_with_a_new_directory_is_named_anew() {
    let world = world(4);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    boot(&world, &runtime, &state, settings()).unwrap();
    let other = Uuid::from_u128(0xd2);
    let moved = ControllerSettings { directory_id: other, log_dirs: vec![other], ..settings() };
    boot(&world, &runtime, &state, moved).unwrap();
    let voters: Vec<_> = state
        .batches
        .borrow()
        .iter()
        .flat_map(|batch| control_records(batch).unwrap())
        .filter(|control| matches!(control, Control::Voters(_)))
        .collect();
    assert_eq!(voters.len(), 2);
    assert_eq!(voters.last(), Some(&Control::Voters(vec![(1, other, Vec::new())])));
}

#[test]
fn requests_that_wait_together_share_a_flush_and_see_each_other() {
    let world = world(5);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let follower = Rc::new(RefCell::new(Follower::default()));
    let following = follower.clone();
    controller.subscribe(Box::new(move |_, delta| following.borrow_mut().follow(&delta)));
    let flushes = state.flushes.get();
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let controller = controller.clone();
            // Each name is asked for twice; the second must hear that it is there.
            let request = create(vec![topic(&format!("t{}", number / 2), 2)]);
            runtime.spawn(async move { controller.handle(request).await })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        match world.block_on(&runtime, task).response {
            ControllerResponse::CreateTopics(results) => {
                made += results.iter().filter(|topic| topic.result.is_ok()).count();
            }
            other => panic!("{other:?}"),
        }
    }
    let image = controller.image();
    assert_eq!((made, image.topics.len()), (20, 20));
    assert!(state.flushes.get() - flushes <= 5, "{} flushes", state.flushes.get() - flushes);
    assert_eq!(*follower.borrow(), Follower::of(&image));
}

#[test]
fn a_failed_flush_ends_the_controller_and_nothing_is_said_to_be_done() {
    let world = world(6);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let before = controller.image();
    state.fail_flushes.set(true);
    let reply = ask(&world, &runtime, &controller, create(vec![topic("lost", 1)]));
    assert!(matches!(reply.response, ControllerResponse::Failed(_)), "{reply:?}");
    assert_eq!(controller.image(), before);
    let failure = world.block_on(&runtime, controller.failed());
    assert!(failure.to_string().contains("the disk is gone"));
    let reply = ask(&world, &runtime, &controller, create(vec![topic("later", 1)]));
    assert!(matches!(reply.response, ControllerResponse::Failed(_)));

    state.fail_flushes.set(false);
    state.crash();
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    assert!(controller.image().topics.is_empty());
}

#[test]
fn a_full_disk_is_answered_and_passes() {
    let world = world(10);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    state.full.set(true);
    let reply = ask(&world, &runtime, &controller, create(vec![topic("a", 1)]));
    let ControllerResponse::Failed(error) = reply.response else { panic!() };
    assert!(error.code.is_retriable() && error.code.name() == "KAFKA_STORAGE_ERROR");
    // What needs no room is served.
    let reply = ask(&world, &runtime, &controller, create(vec![topic("", 1)]));
    assert!(matches!(reply.response, ControllerResponse::CreateTopics(_)));
    state.full.set(false);
    ask(&world, &runtime, &controller, create(vec![topic("a", 1)]));
    assert_eq!(controller.image().topics.len(), 1);
}

#[test]
fn a_stopped_controller_answers_what_waits_and_refuses_the_rest() {
    let world = world(7);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let waiting = {
        let controller = controller.clone();
        runtime.spawn(async move { controller.handle(create(vec![topic("last", 1)])).await })
    };
    let stopping = {
        let (shard, controller) = (runtime.clone(), controller.clone());
        async move {
            shard.yield_now().await;
            controller.stop().await;
        }
    };
    world.block_on(&runtime, stopping);
    let reply = world.block_on(&runtime, waiting);
    assert!(matches!(reply.response, ControllerResponse::CreateTopics(_)), "{reply:?}");
    let reply = ask(&world, &runtime, &controller, create(vec![topic("no", 1)]));
    let ControllerResponse::Failed(error) = reply.response else { panic!() };
    assert_eq!(error.code.name(), "NOT_CONTROLLER");
    let file = world.disk().read_durable(Path::new("/data/quorum-state")).unwrap();
    let entries = state.batches.borrow().len();
    assert!(String::from_utf8(file).unwrap().contains(&format!(r#""commitIndex":{entries}"#)));
}

#[test]
fn a_damaged_log_is_not_served() {
    let world = world(8);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    boot(&world, &runtime, &state, settings()).unwrap();
    let whole = state.batches.borrow().clone();
    for (at, batch) in whole.iter().enumerate() {
        let mut damaged = batch.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        state.batches.borrow_mut()[at] = damaged.into();
        assert!(boot(&world, &runtime, &state, settings()).is_err());
        *state.batches.borrow_mut() = whole.clone();
    }
    state.batches.borrow_mut().remove(1);
    assert!(boot(&world, &runtime, &state, settings()).is_err());
}

#[test]
fn two_thousand_partitions_in_one_batch() {
    let world = world(9);
    let runtime = world.add_shard();
    let state = Rc::new(LogState::default());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    let batches = state.batches.borrow().len();
    ask(&world, &runtime, &controller, create(vec![topic("wide", 2_000)]));
    assert_eq!(state.batches.borrow().len(), batches + 1);
    assert_eq!(controller.image().topics.by_name("wide").unwrap().partitions.len(), 2_000);
    for _ in 0..6 {
        ask(&world, &runtime, &controller, create(vec![topic(&format!("w{}", runtime.random_u64()), 2_000)]));
    }
    // 14,000 epochs are raised in two batches and one flush.
    let (batches, flushes) = (state.batches.borrow().len(), state.flushes.get());
    let controller = boot(&world, &runtime, &state, settings()).unwrap();
    assert_eq!(state.batches.borrow().len() - batches, 3);
    assert_eq!(state.flushes.get() - flushes, 2);
    assert!(
        controller.image().topics.iter().all(|topic| topic.partitions.iter().all(|p| p.leader_epoch == 1))
    );
}
