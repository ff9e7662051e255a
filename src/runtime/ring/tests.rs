use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};

use super::super::buffer::{AlignedBuf, BLOCK};
use super::super::executor::Task;
use super::super::file::File;
use super::super::platform::{OpenMode, RawStream};
use super::super::shards::{OnPanic, Options, ShardError, Sleep, run_one, run_one_with, start_shards};
use super::super::topology::Plan;
use super::super::{Mesh, Port, Runtime};

fn folder() -> tempfile::TempDir {
    // Beside the test, not in /tmp, which may be a file system without direct I/O.
    tempfile::tempdir_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap()
}

fn block(byte: u8, len: usize) -> Bytes {
    let mut buffer = AlignedBuf::zeroed(len);
    buffer.fill(byte);
    buffer.freeze(len)
}

/// Runs a scenario in both ways to sleep.
fn in_both<F: Future<Output = ()> + 'static>(scenario: fn(Runtime, PathBuf) -> F) {
    for sleep in [Sleep::Glommio, Sleep::Ring] {
        let folder = folder();
        let path = folder.path().to_owned();
        let options = Options { on_panic: OnPanic::Propagate, sleep, ..Options::default() };
        run_one_with(options, move |runtime| scenario(runtime, path));
    }
}

async fn pair(runtime: &Runtime) -> (Rc<dyn RawStream>, Rc<dyn RawStream>) {
    let listener = runtime.listen("[::]:0".parse().unwrap()).unwrap();
    let port = listener.local_addr().unwrap().port();
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let client = runtime.connect(address).await.unwrap();
    let (server, peer) = listener.accept().await.unwrap();
    assert_eq!(peer, client.local_addr());
    assert_eq!(server.peer_addr(), peer);
    (client, server)
}

async fn send_all(stream: &Rc<dyn RawStream>, mut bytes: Bytes) {
    use bytes::Buf;
    while !bytes.is_empty() {
        match stream.try_write(&[bytes.clone()]) {
            Ok(count) => bytes.advance(count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.writable().await.unwrap(),
            Err(error) => panic!("{error}"),
        }
    }
}

async fn receive(stream: &Rc<dyn RawStream>, len: usize) -> BytesMut {
    let mut buffer = BytesMut::with_capacity(len);
    while buffer.len() < len {
        let (result, back) = stream.read(buffer).await;
        buffer = back;
        if result.unwrap() == 0 {
            break;
        }
    }
    buffer
}

#[test]
fn files_are_written_read_and_flushed() {
    in_both(|runtime, path| async move {
        let name = path.join("segment");
        let file = File::open(&runtime, &name, OpenMode::DirectNew).await.unwrap();
        assert!(File::open(&runtime, &name, OpenMode::DirectNew).await.is_err());
        file.allocate(0, 1 << 20).await.unwrap();
        assert_eq!(file.len().await.unwrap(), 0);
        file.write_all_at(0, vec![block(1, BLOCK), block(2, 2 * BLOCK)], true).await.unwrap();
        file.write_all_at(3 * BLOCK as u64, vec![block(3, BLOCK)], false).await.unwrap();
        file.sync_data().await.unwrap();
        assert_eq!(file.len().await.unwrap(), 4 * BLOCK as u64);
        file.set_len(3 * BLOCK as u64 + 100).await.unwrap();
        file.sync_all().await.unwrap();
        let (filled, buffer) = file.read_at(0, 8 * BLOCK).await.unwrap();
        assert_eq!(filled, 3 * BLOCK + 100);
        assert_eq!((buffer[0], buffer[BLOCK], buffer[3 * BLOCK]), (1, 2, 3));
        let (filled, _) = file.read_at(1 << 20, BLOCK).await.unwrap();
        assert_eq!(filled, 0);
    });
}

#[test]
fn a_write_of_many_small_parts_is_whole() {
    in_both(|runtime, path| async move {
        let file = File::open(&runtime, &path.join("parts"), OpenMode::DirectNew).await.unwrap();
        let parts: Vec<Bytes> = (0..3000u32).map(|n| Bytes::from(vec![n as u8; BLOCK / 2])).collect();
        let expected: Vec<u8> = parts.iter().flatten().copied().collect();
        file.write_all_at(0, parts, true).await.unwrap();
        let (filled, buffer) = file.read_at(0, expected.len()).await.unwrap();
        assert_eq!(filled, expected.len());
        assert!(buffer[..] == expected[..]);
        file.write_all_at(0, Vec::new(), true).await.unwrap();
    });
}

#[test]
fn paths_are_made_listed_renamed_removed() {
    in_both(|runtime, path| async move {
        let folder = path.join("topic-0");
        runtime.make_directory(&folder).await.unwrap();
        assert_eq!(runtime.make_directory(&folder).await.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        runtime.replace_file(&folder.join("a"), Bytes::from_static(b"one")).await.unwrap();
        runtime.replace_file(&folder.join("a"), Bytes::from_static(b"two")).await.unwrap();
        assert_eq!(runtime.read_file(&folder.join("a")).await.unwrap().unwrap(), b"two");
        assert!(runtime.read_file(&folder.join("b")).await.unwrap().is_none());
        runtime.rename(&folder.join("a"), &folder.join("b")).await.unwrap();
        let names: Vec<_> =
            runtime.list(&folder).await.unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["b"]);
        let info = runtime.path_info(&folder.join("b")).await.unwrap().unwrap();
        assert_eq!((info.len, info.is_directory), (3, false));
        assert!((info.modified_ms - runtime.wall_clock_ms()).abs() < 60_000);
        runtime.sync_directory(&folder).await.unwrap();
        runtime.sync_filesystem(&path).await.unwrap();
        let (free, total) = runtime.free_bytes(&path).await.unwrap();
        assert!(free > 0 && free <= total);
        runtime.remove_directory(&folder).await.unwrap();
        assert!(runtime.path_info(&folder).await.unwrap().is_none());
    });
}

#[test]
fn timers_fire_in_order_and_timeouts_leave_nothing() {
    in_both(|runtime, _| async move {
        let order = Rc::new(RefCell::new(Vec::new()));
        let mut tasks = Vec::new();
        for ms in [30u64, 5, 15, 1] {
            let (runtime, order) = (runtime.clone(), order.clone());
            tasks.push(runtime.clone().spawn(async move {
                let start = Instant::now();
                runtime.sleep(Duration::from_millis(ms)).await;
                assert!(start.elapsed() >= Duration::from_millis(ms));
                order.borrow_mut().push(ms);
            }));
        }
        for task in tasks {
            task.await;
        }
        assert_eq!(*order.borrow(), [1, 5, 15, 30]);
        let never = std::future::pending::<()>();
        assert!(runtime.timeout(Duration::from_millis(3), never).await.is_none());
        assert_eq!(runtime.timeout(Duration::from_secs(3600), async { 7 }).await, Some(7));
    });
}

#[test]
fn sockets_carry_much_both_ways() {
    in_both(|runtime, _| async move {
        let (client, server) = pair(&runtime).await;
        let data: Bytes = (0..3_000_000u32).map(|n| (n * 7) as u8).collect::<Vec<_>>().into();
        let sending = {
            let data = data.clone();
            runtime.spawn(async move {
                send_all(&client, data).await;
                client
            })
        };
        let got = receive(&server, data.len()).await;
        assert!(got == data);
        let client = sending.await;
        server.try_write(&[Bytes::from_static(b"ab"), Bytes::new(), Bytes::from_static(b"cd")]).unwrap();
        assert_eq!(receive(&client, 4).await, b"abcd"[..]);
        client.shutdown();
        assert_eq!(receive(&server, 1).await.len(), 0);
    });
}

#[test]
fn a_dropped_read_loses_nothing() {
    in_both(|runtime, _| async move {
        let (client, server) = pair(&runtime).await;
        for round in 0..50u8 {
            let read = server.read(BytesMut::with_capacity(64));
            if round % 2 == 0 {
                // Cancelled while it waits, and bytes come right after.
                assert!(runtime.timeout(Duration::from_micros(200), read).await.is_none());
                send_all(&client, Bytes::from(vec![round; 3])).await;
            } else {
                // Bytes come while it waits, and it is dropped before it is polled again.
                let mut read = read;
                assert!(futures_lite::future::poll_once(&mut read).await.is_none());
                send_all(&client, Bytes::from(vec![round; 3])).await;
                runtime.sleep(Duration::from_micros(300)).await;
                drop(read);
            }
            assert_eq!(receive(&server, 3).await, [round; 3][..]);
        }
    });
}

#[test]
fn a_dropped_stream_closes() {
    in_both(|runtime, _| async move {
        let (client, server) = pair(&runtime).await;
        let mut read = client.read(BytesMut::with_capacity(16));
        assert!(futures_lite::future::poll_once(&mut read).await.is_none());
        drop((read, client));
        assert_eq!(receive(&server, 1).await.len(), 0);
    });
}

#[test]
fn connecting_to_nobody_fails() {
    in_both(|runtime, _| async move {
        let reserved = super::super::shards::reserve_address("127.0.0.1:0".parse().unwrap()).unwrap();
        let error = runtime.connect(reserved.address()).await.err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    });
}

#[test]
fn ranges_of_files_are_sent() {
    in_both(|runtime, path| async move {
        let name = path.join("range");
        let len = 2 << 20;
        let content: Bytes = (0..len as u32).map(|n| (n >> 8) as u8 ^ n as u8).collect::<Vec<_>>().into();
        let file = File::open(&runtime, &name, OpenMode::Buffered).await.unwrap();
        file.write_all_at(0, vec![content.clone()], false).await.unwrap();
        let file = File::open(&runtime, &name, OpenMode::Read).await.unwrap();
        let cached = runtime.cached_bytes(file.handle(), 0, len as u64);
        assert!(cached == 0 || cached == len as u64, "{cached}");
        runtime.read_ahead(file.handle(), 0, len as u64);
        for splice in [false, true] {
            let (client, server) = pair(&runtime).await;
            let (from, to) = (12_345usize, len - 777);
            let expected = content.slice(from..to);
            let reading = runtime.spawn(async move { receive(&client, to - from).await });
            let mut position = from;
            while position < to {
                let left = to - position;
                let sent = if splice {
                    server.splice_file(file.handle(), position as u64, left).await
                } else {
                    server.try_send_file(file.handle(), position as u64, left)
                };
                match sent {
                    Ok(0) => panic!("the file ended early"),
                    Ok(count) => position += count,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        server.writable().await.unwrap();
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(reading.await == expected);
            // Past the end there is nothing.
            assert_eq!(server.splice_file(file.handle(), len as u64, 10).await.unwrap(), 0);
        }
    });
}

#[test]
fn cold_ranges_are_known_and_read_ahead() {
    in_both(|runtime, path| async move {
        let len = 4 << 20;
        let file = File::open(&runtime, &path.join("cold"), OpenMode::Buffered).await.unwrap();
        file.write_all_at(0, vec![Bytes::from(vec![1; len])], false).await.unwrap();
        file.sync_all().await.unwrap();
        let cached = |runtime: &Runtime| runtime.cached_bytes(file.handle(), 0, len as u64);
        if cached(&runtime) == 0 {
            return; // This kernel cannot say (before Linux 6.5).
        }
        let descriptor = file.handle().0.descriptor.as_ref().unwrap();
        rustix::fs::fadvise(descriptor, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        assert_eq!(cached(&runtime), 0);
        let (client, server) = pair(&runtime).await;
        let sent = server.splice_file(file.handle(), 100, 5000).await.unwrap();
        assert!(sent > 0);
        assert_eq!(receive(&client, sent).await, vec![1; sent][..]);
        runtime.read_ahead(file.handle(), 0, len as u64);
        let mut waits = 0;
        while cached(&runtime) < len as u64 / 2 {
            waits += 1;
            assert!(waits < 500, "nothing was read ahead");
            runtime.sleep(Duration::from_millis(10)).await;
        }
    });
}

#[test]
fn connections_that_nobody_accepts_wait_in_the_kernel() {
    in_both(|runtime, _| async move {
        let listener = runtime.listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let mut clients = vec![runtime.connect(address).await.unwrap()];
        let mut servers = vec![listener.accept().await.unwrap().0];
        for _ in 0..300 {
            clients.push(runtime.connect(address).await.unwrap());
        }
        runtime.sleep(Duration::from_millis(10)).await;
        while servers.len() < clients.len() {
            servers.push(listener.accept().await.unwrap().0);
        }
        for (number, client) in clients.iter().enumerate() {
            client.try_write(&[Bytes::from(vec![number as u8])]).unwrap();
        }
        for (client, server) in clients.iter().zip(&servers) {
            assert_eq!(client.local_addr(), server.peer_addr());
            assert_eq!(receive(server, 1).await.len(), 1);
        }
        let more = runtime.timeout(Duration::from_millis(5), listener.accept()).await;
        assert!(more.is_none());
    });
}

#[test]
fn out_of_descriptors_an_accept_fails_and_recovers() {
    use super::super::child::{in_child, is_child};
    if !is_child() {
        let output = in_child("runtime::ring::tests::out_of_descriptors_an_accept_fails_and_recovers");
        assert!(output.status.success(), "{output:?}");
        return;
    }
    let limit = |soft: u64| {
        let limit = libc::rlimit { rlim_cur: soft, rlim_max: 1000 };
        // SAFETY: the place is a valid rlimit.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
    };
    limit(1000);
    run_one(move |runtime| async move {
        let listener = runtime.listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let (client, other) =
            (runtime.connect(address).await.unwrap(), runtime.connect(address).await.unwrap());
        // The next free number is the limit.
        let next = rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 0).unwrap();
        limit(std::os::fd::AsRawFd::as_raw_fd(&next) as u64);
        drop(next);
        let error = listener.accept().await.err().unwrap();
        assert_eq!(error.raw_os_error(), Some(libc::EMFILE));
        limit(1000);
        for client in [client, other] {
            assert_eq!(listener.accept().await.unwrap().1, client.local_addr());
        }
    });
}

#[test]
fn a_splice_to_a_slow_peer_holds_no_pipe() {
    in_both(|runtime, path| async move {
        let name = path.join("cold");
        let file = File::open(&runtime, &name, OpenMode::Buffered).await.unwrap();
        file.write_all_at(0, vec![Bytes::from(vec![5; 8 << 20])], false).await.unwrap();
        let mut slow = Vec::new();
        for _ in 0..20 {
            let (client, server) = pair(&runtime).await;
            let handle = file.handle().clone();
            let task = runtime.spawn(async move {
                let mut position = 0;
                while position < 8 << 20 {
                    position += server.splice_file(&handle, position, 8 << 20).await.unwrap() as u64;
                }
            });
            slow.push((client, task));
        }
        runtime.sleep(Duration::from_millis(50)).await;
        let (client, server) = pair(&runtime).await;
        let sent = runtime.timeout(Duration::from_secs(5), server.splice_file(file.handle(), 0, 1000)).await;
        assert_eq!(sent.unwrap().unwrap(), 1000);
        assert_eq!(receive(&client, 1000).await.len(), 1000);
        for (client, task) in slow {
            assert_eq!(receive(&client, 8 << 20).await.len(), 8 << 20);
            task.await;
        }
    });
}

/// A task that ends with the next ring of the bell after its first turn, and whether it has heard it.
fn listener(runtime: &Runtime) -> (Task<()>, Rc<Cell<bool>>) {
    let heard = Rc::new(Cell::new(false));
    let (listening, flag, mut first) = (runtime.clone(), heard.clone(), true);
    let waiting = runtime.spawn(std::future::poll_fn(move |context| {
        if !first {
            flag.set(true);
            return std::task::Poll::Ready(());
        }
        first = false;
        listening.on_ring(context);
        std::task::Poll::Pending
    }));
    (waiting, heard)
}

#[test]
fn a_bell_wakes_from_any_depth() {
    in_both(|runtime, _| async move {
        for pause_us in [0u64, 100, 1_500, 4_000, 20_000] {
            let bell = runtime.bell();
            let (waiting, rung) = listener(&runtime);
            runtime.yield_now().await;
            let thread = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(pause_us));
                bell.ring();
                Instant::now()
            });
            waiting.await;
            let woken = Instant::now();
            assert!(rung.get());
            assert!(woken.duration_since(thread.join().unwrap()) < Duration::from_millis(90));
        }
        assert_eq!(runtime.counters().saved_by_heartbeat, 0);
    });
}

#[test]
fn long_work_lets_what_comes_meanwhile_go_first() {
    in_both(|runtime, _| async move {
        for _ in 0..10 {
            let (waiting, heard) = listener(&runtime);
            runtime.yield_now().await;
            runtime.bell().ring();
            let mut turn = std::pin::pin!(runtime.yield_now());
            std::future::poll_fn(|context| {
                assert!(turn.as_mut().poll(context).is_pending());
                assert!(turn.as_mut().poll(context).is_pending(), "something else of the task was woken");
                std::task::Poll::Ready(())
            })
            .await;
            turn.await;
            assert!(heard.get(), "the long work had its next turn before a ring of the bell was heard");
            waiting.await;
        }
    });
}

#[test]
fn offloaded_work_answers_and_its_panic_is_none() {
    in_both(|runtime, _| async move {
        assert_eq!(runtime.offload(|| 6 * 7).await, Some(42));
        assert_eq!(runtime.offload(|| -> u32 { panic!("offloaded") }).await, None);
        let many: Vec<_> = (0..1000u32)
            .map(|n| {
                let runtime = runtime.clone();
                runtime.clone().spawn(async move { runtime.offload(move || n).await })
            })
            .collect();
        for (n, task) in many.into_iter().enumerate() {
            assert_eq!(task.await, Some(n as u32));
        }
        let caught = super::super::catch_panic(async { panic!("in a task") }).await;
        let error: Result<(), _> = caught;
        assert!(error.unwrap_err().message.contains("in a task"));
    });
}

#[test]
fn more_operations_than_places_all_end() {
    in_both(|runtime, path| async move {
        let file = File::open(&runtime, &path.join("many"), OpenMode::DirectNew).await.unwrap();
        file.write_all_at(0, vec![block(9, 64 * BLOCK)], false).await.unwrap();
        let reads: Vec<_> = (0..5000u64)
            .map(|n| {
                let file = file.clone();
                runtime.spawn(async move { file.read_at(n % 64 * BLOCK as u64, BLOCK).await.unwrap().0 })
            })
            .collect();
        for read in reads {
            assert_eq!(read.await, BLOCK);
        }
        assert!(runtime.counters().completions >= 5000);
    });
}

#[test]
fn a_shard_stops_with_everything_under_way() {
    in_both(|runtime, path| async move {
        let file = File::open(&runtime, &path.join("stop"), OpenMode::DirectNew).await.unwrap();
        for n in 0..200u64 {
            let file = file.clone();
            runtime
                .spawn(async move {
                    let _ = file.write_all_at(n * BLOCK as u64, vec![block(1, BLOCK)], true).await;
                })
                .detach();
        }
        let listener = runtime.listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let (client, server) = pair(&runtime).await;
        runtime.spawn(async move { listener.accept().await.map(|_| ()) }).detach();
        runtime.spawn(async move { server.read(BytesMut::with_capacity(10)).await.0 }).detach();
        let (own, bell) = (runtime.clone(), runtime.clone());
        runtime.spawn(async move { own.sleep(Duration::from_secs(1000)).await }).detach();
        runtime
            .spawn(async move {
                let _client = client;
                std::future::poll_fn(|context| {
                    bell.on_ring(context);
                    std::task::Poll::<()>::Pending
                })
                .await;
            })
            .detach();
        let slow = runtime.clone();
        runtime
            .spawn(async move { slow.offload(|| std::thread::sleep(Duration::from_millis(30))).await })
            .detach();
        runtime.yield_now().await;
    });
}

#[test]
fn shards_talk_over_a_mesh() {
    let mesh = Mesh::<u64, u64>::new(2, 16);
    let running = start_shards(&Plan::unpinned(2), Options::default(), move |context| {
        let mesh = mesh.clone();
        async move {
            let port = Port::open(&context.runtime, mesh, context.id);
            let (serving, handling) = (port.clone(), port.clone());
            let task = context.runtime.spawn(async move {
                serving.serve(|request, to| handling.reply(to, request + 1)).await;
            });
            // Until the other end is open, too.
            context.runtime.sleep(Duration::from_millis(20)).await;
            let other = 1 - context.id;
            let calls: Vec<_> = (0..2000u64)
                .map(|n| {
                    let port = port.clone();
                    context.runtime.spawn(async move { port.call(other, n).await })
                })
                .collect();
            for (n, call) in calls.into_iter().enumerate() {
                assert_eq!(call.await, Some(n as u64 + 1));
            }
            for n in 0..20 {
                context.runtime.sleep(Duration::from_millis(3)).await;
                assert_eq!(port.call(other, n).await, Some(n + 1));
            }
            context.runtime.sleep(Duration::from_millis(100)).await;
            drop(task);
            context.runtime.counters().bell_calls
        }
    });
    let calls = running.unwrap().join().unwrap();
    assert!(calls.iter().all(|calls| *calls > 0 && *calls < 2000), "{calls:?}");
}

#[test]
fn shards_share_a_port() {
    let reserved = super::super::shards::reserve_address("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = reserved.address();
    assert_ne!(address.port(), 0);
    let running = start_shards(&Plan::unpinned(2), Options::default(), move |context| async move {
        let listener = context.runtime.listen(address).unwrap();
        let accepted = Rc::new(Cell::new(0u32));
        let count = accepted.clone();
        let task = context.runtime.spawn(async move {
            while listener.accept().await.is_ok() {
                count.set(count.get() + 1);
            }
        });
        context.runtime.sleep(Duration::from_millis(30)).await;
        let mut open = Vec::new();
        for _ in 0..50 {
            open.push(context.runtime.connect(address).await.unwrap());
        }
        context.runtime.sleep(Duration::from_millis(50)).await;
        drop(task);
        accepted.get()
    });
    // Somebody listens there now: a second process would be told so.
    std::thread::sleep(Duration::from_millis(15));
    assert!(super::super::shards::reserve_address(address).is_err());
    let counts = running.unwrap().join().unwrap();
    assert_eq!(counts.iter().sum::<u32>(), 100);
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

#[test]
fn a_shard_that_cannot_start_stops_the_others() {
    let mut plan = Plan::unpinned(2);
    plan.cpus = vec![0, 1000];
    plan.pinned = true;
    let started = start_shards(&plan, Options::default(), |_| async {});
    match started.map(|_| ()) {
        Err(ShardError::Start { shard: 1, cause }) => assert!(cause.contains("CPU 1000"), "{cause}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_panic_can_propagate() {
    let options = Options { on_panic: OnPanic::Propagate, ..Options::default() };
    let running = start_shards(&Plan::unpinned(1), options, |context| async move {
        let _ = context.runtime.spawn(async { panic!("core") }).await;
    });
    match running.unwrap().join() {
        Err(ShardError::Panicked { shard: 0, message }) => assert_eq!(message, "core"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_numbers_differ() {
    let numbers = run_one(|runtime| async move { [runtime.random_u64(), runtime.random_u64()] });
    let others = run_one(|runtime| async move { [runtime.random_u64(), runtime.random_u64()] });
    assert_ne!(numbers[0], numbers[1]);
    assert_ne!(numbers, others);
}
