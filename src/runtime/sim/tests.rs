//! The rules of the simulated world, each as a scenario.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};

use super::super::{AlignedBuf, File, Mesh, OpenMode, Port, Runtime};
use super::*;

const MIB: u64 = 1 << 20;

fn world(seed: u64) -> (World, Runtime) {
    let world = World::new(seed, Faults::none());
    world.disk().mount(Path::new("/d"), 16 * MIB);
    let runtime = world.add_shard();
    (world, runtime)
}

fn block(byte: u8, count: usize) -> Bytes {
    let mut buffer = AlignedBuf::zeroed(4096 * count);
    buffer.fill(byte);
    let len = buffer.len();
    buffer.freeze(len)
}

fn path(name: &str) -> PathBuf {
    Path::new("/d").join(name)
}

/// Makes `/d/f` of `blocks` blocks of `byte`, everything durable.
async fn make_durable(runtime: &Runtime, byte: u8, blocks: usize) -> File {
    let file = File::open(runtime, &path("f"), OpenMode::DirectNew).await.unwrap();
    file.write_all_at(0, vec![block(byte, blocks)], true).await.unwrap();
    runtime.sync_directory(Path::new("/d")).await.unwrap();
    file
}

#[test]
fn a_write_is_volatile_until_a_flush_that_was_asked_for_after_it() {
    let mut survived = 0;
    for seed in 0..40 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 1).await;
            file.write_all_at(0, vec![block(2, 1)], false).await.unwrap();
        });
        assert_eq!(world.disk().read(&path("f")).unwrap()[0], 2);
        assert_eq!(world.disk().read_durable(&path("f")).unwrap()[0], 1);
        assert!(!world.disk().is_durable(&path("f")));
        world.crash();
        survived += usize::from(world.disk().read(&path("f")).unwrap()[0] == 2);
    }
    assert!((5..35).contains(&survived), "{survived}");
    for seed in 0..10 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 1).await;
            file.write_all_at(0, vec![block(2, 1)], false).await.unwrap();
            file.sync_data().await.unwrap();
        });
        assert!(world.disk().is_durable(&path("f")));
        world.crash();
        assert_eq!(world.disk().read(&path("f")).unwrap(), block(2, 1));
    }
}

#[test]
fn a_flush_under_way_does_not_cover_a_write_that_completes_meanwhile() {
    let mut lost = 0;
    for seed in 0..60 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 1).await;
            let (other, flushing) = (file.clone(), file.clone());
            let flush = runtime.spawn(async move { flushing.sync_data().await });
            let write = runtime.spawn(async move { other.write_all_at(0, vec![block(2, 1)], false).await });
            write.await.unwrap();
            flush.await.unwrap();
        });
        world.crash();
        lost += usize::from(world.disk().read(&path("f")).unwrap()[0] == 1);
    }
    assert!(lost > 5, "{lost}");
}

#[test]
fn a_durable_write_covers_its_own_bytes_and_no_other_file() {
    let mut lost = 0;
    for seed in 0..40 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 2).await;
            let other = File::open(&runtime, &path("other"), OpenMode::DirectNew).await.unwrap();
            runtime.sync_directory(Path::new("/d")).await.unwrap();
            file.write_all_at(4096, vec![block(2, 1)], false).await.unwrap();
            file.write_all_at(0, vec![block(3, 1)], true).await.unwrap();
            other.write_all_at(0, vec![block(4, 1)], true).await.unwrap();
        });
        world.crash();
        let bytes = world.disk().read(&path("f")).unwrap();
        assert!(bytes[..4096].iter().all(|byte| *byte == 3));
        assert_eq!(world.disk().read(&path("other")).unwrap(), block(4, 1));
        lost += usize::from(bytes[4096] == 1);
    }
    assert!(lost > 5, "{lost}");
}

#[test]
fn writes_under_way_at_a_power_cut_are_torn() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let (world, runtime) = world(seed);
        let inner = runtime.clone();
        let file = world.block_on(&runtime, async move { make_durable(&inner, 1, 1).await });
        let _task = runtime.spawn(async move { file.write_all_at(0, vec![block(2, 1)], true).await });
        world.interrupt_after_operations(1);
        assert_eq!(world.run_for(Duration::from_secs(1)), Stopped::Interrupted);
        world.crash();
        let bytes = world.disk().read(&path("f")).unwrap();
        seen.insert(bytes.chunks(512).map(|sector| sector[0]).collect::<Vec<_>>());
    }
    assert!(seen.contains(&vec![1; 8]) && seen.contains(&vec![2; 8]) && seen.len() > 4, "{seen:?}");
}

#[test]
fn a_new_name_is_lost_without_a_flush_of_its_directory() {
    let (mut lost, mut kept) = (0, 0);
    for seed in 0..40 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = File::open(&runtime, &path("f"), OpenMode::DirectNew).await.unwrap();
            file.write_all_at(0, vec![block(2, 1)], true).await.unwrap();
            file.sync_all().await.unwrap();
        });
        assert_eq!(world.disk().read_durable(&path("f")), None);
        world.crash();
        match world.disk().read(&path("f")) {
            None => lost += 1,
            Some(bytes) => {
                assert_eq!(bytes, block(2, 1));
                kept += 1;
            }
        }
    }
    assert!(lost > 3 && kept > 3, "{lost} {kept}");
}

#[test]
fn syncfs_covers_one_device_and_everything_on_it() {
    let (mut lost, seeds) = (0, 30);
    for seed in 0..seeds {
        let (world, runtime) = world(seed);
        world.disk().mount(Path::new("/e"), MIB);
        world.block_on(&runtime.clone(), async move {
            runtime.make_directory(Path::new("/d/x")).await.unwrap();
            for name in ["/d/x/f", "/e/f"] {
                let file = File::open(&runtime, Path::new(name), OpenMode::Buffered).await.unwrap();
                file.write_all_at(0, vec![Bytes::from_static(b"hello")], false).await.unwrap();
            }
            runtime.sync_filesystem(Path::new("/d/x")).await.unwrap();
        });
        world.crash();
        assert_eq!(world.disk().read(Path::new("/d/x/f")).unwrap(), b"hello");
        lost += usize::from(world.disk().read(Path::new("/e/f")).as_deref() != Some(b"hello"));
    }
    assert!(lost > 5 && lost < seeds as usize, "{lost}");
}

#[test]
fn direct_io_that_is_not_aligned_is_refused() {
    let (world, runtime) = world(1);
    world.block_on(&runtime.clone(), async move {
        let file = make_durable(&runtime, 1, 1).await;
        let errno = |result: io::Result<()>| result.unwrap_err().raw_os_error();
        assert_eq!(errno(file.write_all_at(512, vec![block(2, 1)], false).await), Some(libc::EINVAL));
        assert_eq!(
            errno(file.write_all_at(0, vec![block(2, 1).slice(..512)], false).await),
            Some(libc::EINVAL)
        );
        let moved = block(2, 2).slice(512..4608);
        assert_eq!(errno(file.write_all_at(0, vec![moved], false).await), Some(libc::EINVAL));
        assert!(file.read_at(512, 4096).await.is_err());
        let (count, _) = file.read_at(0, 8192).await.unwrap();
        assert_eq!(count, 4096);
    });
}

#[test]
#[should_panic(expected = "no defined order")]
fn overlapping_writes_under_way_are_a_bug() {
    let (world, runtime) = world(1);
    world.block_on(&runtime.clone(), async move {
        let file = make_durable(&runtime, 1, 2).await;
        let (one, two) = (file.clone(), file);
        let first = runtime.spawn(async move { one.write_all_at(0, vec![block(2, 2)], false).await });
        let second = runtime.spawn(async move { two.write_all_at(4096, vec![block(3, 1)], false).await });
        first.await.unwrap();
        second.await.unwrap();
    });
}

#[test]
#[should_panic(expected = "no defined order")]
fn a_cut_below_a_write_under_way_is_a_bug() {
    let (world, runtime) = world(1);
    world.block_on(&runtime.clone(), async move {
        let file = make_durable(&runtime, 1, 2).await;
        let (one, two) = (file.clone(), file);
        let first = runtime.spawn(async move { one.write_all_at(4096, vec![block(2, 1)], false).await });
        let second = runtime.spawn(async move { two.set_len(4096 + 100).await });
        first.await.unwrap();
        second.await.unwrap();
    });
}

#[test]
fn a_full_device_takes_part_and_then_nothing() {
    let (world, runtime) = world(1);
    world.disk().mount(Path::new("/small"), 3 * 4096);
    world.block_on(&runtime.clone(), async move {
        let file = File::open(&runtime, Path::new("/small/f"), OpenMode::DirectNew).await.unwrap();
        file.allocate(0, 8192).await.unwrap();
        assert_eq!(runtime.free_bytes(Path::new("/small")).await.unwrap(), (4096, 3 * 4096));
        assert_eq!(file.allocate(0, 16384).await.unwrap_err().raw_os_error(), Some(libc::ENOSPC));
        let error = file.write_all_at(0, vec![block(1, 4)], false).await.unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOSPC));
        assert_eq!(file.len().await.unwrap(), 3 * 4096);
        file.write_all_at(0, vec![block(2, 3)], false).await.unwrap();
        drop(file);
        runtime.remove_file(Path::new("/small/f")).await.unwrap();
        runtime.sync_directory(Path::new("/small")).await.unwrap();
    });
    assert_eq!(world.disk().used_bytes(Path::new("/small")), 0);
}

#[test]
fn scripted_faults_strike_once_and_where_they_should() {
    let (world, runtime) = world(1);
    let rule = |operation, nth, effect| Rule { operation, path_contains: "/f".into(), nth, effect };
    let disk = world.disk();
    let inner = runtime.clone();
    let file = world.block_on(&runtime, async move { make_durable(&inner, 1, 4).await });
    disk.script(rule(OperationKind::Write, 2, Effect::Error(libc::EIO)));
    disk.script(rule(OperationKind::Sync, 1, Effect::Lie));
    disk.script(rule(OperationKind::Read, 1, Effect::Short));
    disk.script(rule(OperationKind::Read, 3, Effect::Slow(Duration::from_secs(7))));
    let clock = runtime.clone();
    world.block_on(&runtime, async move {
        file.write_all_at(0, vec![block(2, 1)], false).await.unwrap();
        assert!(file.write_all_at(0, vec![block(2, 1)], false).await.is_err());
        file.write_all_at(0, vec![block(3, 1)], false).await.unwrap();
        file.sync_data().await.unwrap();
        let (count, bytes) = file.read_at(0, 4 * 4096).await.unwrap();
        assert_eq!((count, bytes[0], bytes[4 * 4096 - 1]), (4 * 4096, 3, 1));
        let before = clock.now_ns();
        file.read_at(0, 4096).await.unwrap();
        assert!(clock.now_ns() - before >= 7_000_000_000);
    });
    assert_eq!(disk.scripted(), 0);
    assert!(!disk.is_durable(&path("f")), "the flush lied");
}

#[test]
fn after_a_failed_flush_a_later_one_may_not_save_the_bytes() {
    let mut lost = 0;
    for seed in 0..60 {
        let (world, runtime) = world(seed);
        let fault = Rule {
            operation: OperationKind::Sync,
            path_contains: "/f".into(),
            nth: 1,
            effect: Effect::Error(libc::EIO),
        };
        world.disk().script(fault);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 1).await;
            file.write_all_at(0, vec![block(2, 1)], false).await.unwrap();
            assert!(file.sync_data().await.is_err());
            file.sync_data().await.unwrap();
        });
        world.crash();
        lost += usize::from(world.disk().read(&path("f")).unwrap()[0] == 1);
    }
    assert!((5..55).contains(&lost), "{lost}");
}

#[test]
fn a_failed_device_fails_and_the_others_go_on() {
    let (world, runtime) = world(1);
    world.disk().mount(Path::new("/e"), MIB);
    world.disk().fail_device(Path::new("/e"));
    world.block_on(&runtime.clone(), async move {
        make_durable(&runtime, 1, 1).await;
        let error = File::open(&runtime, Path::new("/e/f"), OpenMode::Buffered).await.err().unwrap();
        assert_eq!(error.raw_os_error(), Some(libc::EIO));
    });
}

#[test]
fn short_transfers_are_continued() {
    let faults = Faults { short_read: 0.5, short_write: 0.5, ..Faults::none() };
    let world = World::new(3, faults);
    world.disk().mount(Path::new("/d"), 16 * MIB);
    let runtime = world.add_shard();
    world.block_on(&runtime.clone(), async move {
        let file = make_durable(&runtime, 7, 30).await;
        let (count, bytes) = file.read_at(0, 30 * 4096).await.unwrap();
        assert_eq!(count, 30 * 4096);
        assert!(bytes.iter().all(|byte| *byte == 7));
        runtime.replace_file(&path("small"), Bytes::from(vec![9; 777])).await.unwrap();
        assert_eq!(runtime.read_file(&path("small")).await.unwrap().unwrap(), vec![9; 777]);
    });
    assert!(world.disk().is_durable(&path("f")) && world.disk().is_durable(&path("small")));
}

#[test]
fn replace_file_leaves_the_old_or_the_new_content() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..80 {
        let (world, runtime) = world(seed);
        let inner = runtime.clone();
        world.block_on(&runtime, async move {
            inner.replace_file(&path("small"), Bytes::from_static(b"old")).await.unwrap();
        });
        let _task = runtime.spawn({
            let runtime = runtime.clone();
            async move { runtime.replace_file(&path("small"), Bytes::from_static(b"new content")).await }
        });
        world.interrupt_after_operations(1 + seed % 8);
        world.run_for(Duration::from_secs(1));
        world.crash();
        seen.insert(world.disk().read(&path("small")).unwrap());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [b"new content".to_vec(), b"old".to_vec()]);
}

#[test]
fn a_crash_drops_every_task_and_silences_the_platform() {
    struct Noisy(Rc<Cell<u32>>, Runtime);
    impl Drop for Noisy {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            self.1.spawn(async { panic!("nothing runs after a crash") }).detach();
        }
    }
    let (world, runtime) = world(5);
    let dropped = Rc::new(Cell::new(0));
    for sleep_ms in [0, 10, 1_000_000] {
        let (noisy, clock) = (Noisy(dropped.clone(), runtime.clone()), runtime.clone());
        runtime
            .spawn(async move {
                clock.sleep(Duration::from_millis(sleep_ms)).await;
                clock.path_info(Path::new("/d")).await.unwrap();
                let _noisy = noisy;
                std::future::pending::<()>().await;
            })
            .detach();
    }
    world.run_for(Duration::from_millis(100));
    assert_eq!(dropped.get(), 0);
    world.crash();
    assert_eq!(dropped.get(), 3);
    drop(runtime.submit(super::super::platform::Operation::List { path: "/d".into() }));
    assert_eq!(world.run_for(Duration::from_secs(1)), Stopped::Idle);
    let next = world.add_shard();
    assert_eq!(world.block_on(&next, async { 7 }), 7);
}

#[test]
fn sigkill_keeps_what_the_kernel_took() {
    for seed in 0..20 {
        let (world, runtime) = world(seed);
        world.block_on(&runtime.clone(), async move {
            let file = make_durable(&runtime, 1, 1).await;
            file.write_all_at(0, vec![block(2, 1)], false).await.unwrap();
        });
        world.kill();
        assert_eq!(world.disk().read(&path("f")).unwrap(), block(2, 1));
        assert!(!world.disk().is_durable(&path("f")));
        assert_eq!(world.disk().open_files(), 0);
    }
}

#[test]
fn time_goes_to_the_next_event_and_timers_fire_in_order() {
    let (world, runtime) = world(1);
    let fired = Rc::new(RefCell::new(Vec::new()));
    for seconds in [30, 10, 20] {
        let (clock, fired) = (runtime.clone(), fired.clone());
        runtime
            .spawn(async move {
                clock.sleep(Duration::from_secs(seconds)).await;
                fired.borrow_mut().push(seconds);
            })
            .detach();
    }
    assert_eq!(world.run_for(Duration::from_secs(25)), Stopped::Limit);
    assert_eq!(*fired.borrow(), [10, 20]);
    assert_eq!(world.run_until(Duration::from_secs(25), || fired.borrow().len() == 3), Stopped::Done);
    assert_eq!(world.run_for(Duration::from_secs(25)), Stopped::Idle);
    let (clock, waiting) = (runtime.clone(), std::future::pending::<()>());
    let ended = world.block_on(&runtime, async move { clock.timeout(Duration::from_secs(1), waiting).await });
    assert_eq!(ended, None);
    // A timeout that did not fire leaves nothing behind.
    let clock = runtime.clone();
    let ended =
        world.block_on(&runtime, async move { clock.timeout(Duration::from_secs(1), async { 5 }).await });
    assert_eq!((ended, world.run_for(Duration::from_secs(2))), (Some(5), Stopped::Idle));
}

#[test]
fn shards_talk_through_their_bells() {
    let world = World::new(9, Faults::none());
    let runtimes: Vec<_> = (0..3).map(|_| world.add_shard()).collect();
    let mesh = Mesh::<u64, u64>::new(3, 4);
    let ports: Vec<_> = runtimes
        .iter()
        .enumerate()
        .map(|(id, runtime)| Port::open(runtime, mesh.clone(), id as u16))
        .collect();
    for (runtime, port) in runtimes.iter().zip(&ports) {
        let (port, answering) = (port.clone(), port.clone());
        runtime
            .spawn(async move { port.serve(move |request, to| answering.reply(to, request + 1)).await })
            .detach();
    }
    let port = ports[0].clone();
    let sum = world.block_on(&runtimes[0], async move {
        let mut sum = 0;
        for round in 0..50 {
            sum += port.call(1 + (round % 2) as u16, round).await.unwrap();
        }
        sum
    });
    assert_eq!(sum, (1..=50).sum::<u64>());
}

#[test]
fn a_request_that_finds_room_is_sent_at_once_and_never_before_who_waits() {
    let world = World::new(11, Faults::none());
    let (here, there) = (world.add_shard(), world.add_shard());
    let mesh = Mesh::<u64, u64>::new(2, 2);
    let (port, other) = (Port::open(&here, mesh.clone(), 0), Port::open(&there, mesh, 1));
    let arrived = Rc::new(RefCell::new(Vec::new()));
    let (serving, seen) = (port.clone(), arrived.clone());
    here.spawn(async move { serving.serve(|_, _| {}).await }).detach();
    let sent: Vec<_> = (0..2).map(|number| port.try_send(1, number).ok().unwrap()).collect();
    assert_eq!(port.try_send(1, 9).err(), Some(9), "the queue is full");
    let waiting = port.clone();
    let third = here.spawn(async move { waiting.call(1, 2).await });
    world.run_for(Duration::from_millis(1));
    let answering = other.clone();
    let serve = async move {
        other
            .serve(move |request, to| {
                seen.borrow_mut().push(request);
                answering.reply(to, request);
            })
            .await;
    };
    there.spawn(serve).detach();
    let answers = world.block_on(&here, async move {
        let mut answers = Vec::new();
        for one in sent {
            answers.extend(one.await);
        }
        answers.extend(third.await);
        answers
    });
    assert_eq!((answers, &*arrived.borrow()), (vec![0, 1, 2], &vec![0, 1, 2]));
    assert!(port.try_send(1, 3).is_ok(), "all places were given back");
}

#[test]
fn long_work_runs_in_place_and_a_panic_in_it_is_no_result() {
    let (world, runtime) = world(1);
    let inner = runtime.clone();
    assert_eq!(world.block_on(&runtime, async move { inner.offload(|| 6 * 7).await }), Some(42));
    let inner = runtime.clone();
    let failed = async move { inner.offload(|| -> u32 { panic!("expected in this test") }).await };
    assert_eq!(world.block_on(&runtime, failed), None);
}

fn address(port: u16) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1], port))
}

#[test]
fn bytes_arrive_in_order_through_small_buffers() {
    let world = World::new(4, Faults::mild());
    let (server, client) = (world.add_shard(), world.add_shard());
    let listener = server.listen(address(9092)).unwrap();
    let wanted: Vec<u8> = (0..300_000u32).map(|number| (number * 7) as u8).collect();
    let sent = Bytes::from(wanted.clone());
    let would_block = Rc::new(Cell::new(false));
    let seen = would_block.clone();
    let sender = client.clone();
    client
        .spawn(async move {
            let stream = sender.connect(address(9092)).await.unwrap();
            let mut rest = sent;
            while !rest.is_empty() {
                match stream.try_write(std::slice::from_ref(&rest)) {
                    Ok(count) => rest = rest.slice(count..),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        seen.set(true);
                        stream.writable().await.unwrap();
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        })
        .detach();
    let received = world.block_on(&server, async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut received = Vec::new();
        loop {
            let (count, buffer) = stream.read(BytesMut::with_capacity(4096)).await;
            if count.unwrap() == 0 {
                return received;
            }
            received.extend_from_slice(&buffer);
        }
    });
    assert!(received == wanted);
    assert!(would_block.get());
}

#[test]
fn files_are_sent_from_the_disk() {
    let (world, runtime) = world(6);
    let client = world.add_shard();
    let listener = runtime.listen(address(9092)).unwrap();
    let inner = runtime.clone();
    runtime
        .spawn(async move {
            let written = make_durable(&inner, 3, 4).await;
            let file = File::open(&inner, &path("f"), OpenMode::Read).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let mut sent = 0;
            while sent < 16384 {
                sent += stream.splice_file(file.handle(), sent as u64, 16384 - sent).await.unwrap();
            }
            if stream.try_send_file(file.handle(), 0, 100).is_ok() {
                stream.writable().await.unwrap();
            }
            drop(written);
        })
        .detach();
    let reading = client.clone();
    let received = world.block_on(&client, async move {
        reading.sleep(Duration::from_millis(50)).await;
        let stream = reading.connect(address(9092)).await.unwrap();
        let mut received = Vec::new();
        loop {
            let (count, buffer) = stream.read(BytesMut::with_capacity(1000)).await;
            if count.unwrap() == 0 {
                return received;
            }
            received.extend_from_slice(&buffer);
        }
    });
    assert!(received.len() > 16384 && received.iter().all(|byte| *byte == 3));
}

#[test]
fn a_dead_machine_resets_its_connections_and_nobody_listens() {
    let world = World::new(2, Faults::none());
    let other = world.add_machine();
    let (server, client) = (other.add_shard(), world.add_shard());
    let listener = server.listen(address(1)).unwrap();
    server
        .spawn(async move {
            let _stream = listener.accept().await;
            std::future::pending::<()>().await;
        })
        .detach();
    let connecting = client.clone();
    let stream = world.block_on(&client, async move { connecting.connect(address(1)).await.unwrap() });
    world.run_for(Duration::from_millis(10));
    other.crash();
    let result = world.block_on(&client, async move { stream.read(BytesMut::with_capacity(10)).await.0 });
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    let connecting = client.clone();
    let result = world.block_on(&client, async move { connecting.connect(address(1)).await.map(|_| ()) });
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
}

fn busy_trace(seed: u64) -> u64 {
    let world = World::new(seed, Faults::mild());
    world.disk().mount(Path::new("/d"), 16 * MIB);
    for shard in 0..3 {
        let runtime = world.add_shard();
        let inner = runtime.clone();
        runtime
            .spawn(async move {
                let name = path(&format!("f{shard}"));
                let file = File::open(&inner, &name, OpenMode::DirectNew).await.unwrap();
                for round in 0..10 {
                    let part = block(inner.random_u64() as u8, 2);
                    file.write_all_at(round * 8192, vec![part], round % 2 == 0).await.unwrap();
                    inner.sleep(Duration::from_micros(inner.random_u64() % 500)).await;
                    file.read_at(0, 8192).await.unwrap();
                }
                file.sync_all().await.unwrap();
                inner.list(Path::new("/d")).await.unwrap();
            })
            .detach();
    }
    world.run_for(Duration::from_millis(20));
    world.crash();
    world.trace_hash()
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let traces: Vec<_> = (0..20).map(busy_trace).collect();
    assert_eq!(traces, (0..20).map(busy_trace).collect::<Vec<_>>());
    let distinct: std::collections::BTreeSet<_> = traces.iter().collect();
    assert_eq!(distinct.len(), traces.len());
}

#[test]
fn a_finished_world_leaves_no_task_behind() {
    let kept = Rc::new(());
    let weak = Rc::downgrade(&kept);
    {
        let (world, runtime) = world(1);
        let cycle = runtime.clone();
        runtime
            .spawn(async move {
                let _kept = kept;
                cycle.sleep(Duration::from_secs(3600)).await;
            })
            .detach();
        world.run_for(Duration::from_secs(1));
    }
    assert!(weak.upgrade().is_none());
}
