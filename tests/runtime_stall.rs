//! A shard must never stand still while there is work: the worst case for a lost wake-up, for a while.
//!
//! Two shards, glommio preempting at 100 us, four connections. Each round all four send a few requests in an open
//! loop, wait for the replies, and pause, for times chosen around those at which a shard falls asleep; so nothing
//! else comes that would wake a shard which has missed something. A request crosses to the other shard, waits there
//! for a flushed write and comes back: sockets, bells, disk completions and timers all have to wake a shard.
//!
//! Fails when a reply takes over 100 ms for which the host cannot answer: threads on the same CPUs and on the same
//! disk measure for how long it let them wait, and that is taken off.
//!
//! MILLRACE_STALL_SECONDS (5) says how long; MILLRACE_STALL_HEARTBEAT=off takes the second line away;
//! MILLRACE_STALL_SLEEP=glommio lets shards sleep in glommio's loop; MILLRACE_STALL_PREEMPT_US (100) is glommio's timer.

#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes, BytesMut};
use millrace::runtime::file::File;
use millrace::runtime::platform::{Counters, RawStream};
use millrace::runtime::shards::{Options, ShardContext, Sleep, reserve_address, start_shards};
use millrace::runtime::topology::{CpuSet, Plan, Settings};
use millrace::runtime::{AlignedBuf, BLOCK, Mesh, OpenMode, Port, Runtime};

const CONNECTIONS: usize = 4;
const REQUEST: usize = 64;
const STALL: Duration = Duration::from_millis(100);
/// Waiting that the host is charged with.
const GAP: Duration = Duration::from_millis(1);

/// Times at which the host let a thread wait.
type Gaps = Arc<Mutex<Vec<(Instant, Instant)>>>;

fn note(gaps: &Gaps, begin: Instant, expected: Duration) {
    let end = Instant::now();
    if end - begin > expected + GAP {
        let mut gaps = gaps.lock().unwrap();
        gaps.push((begin + expected, end));
    }
}

fn watch_cpu(cpu: usize, gaps: Gaps, stop: Arc<AtomicBool>) {
    CpuSet::from_iter([cpu]).pin_thread().unwrap();
    while !stop.load(Ordering::Relaxed) {
        let begin = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        note(&gaps, begin, Duration::from_millis(1));
    }
}

/// As a shard's flushed write, on a shard's CPU, but with nothing of ours between the kernel and the clock.
fn watch_disk(cpu: usize, path: &Path, gaps: Gaps, stop: Arc<AtomicBool>) {
    CpuSet::from_iter([cpu]).pin_thread().unwrap();
    let mut options = std::fs::OpenOptions::new();
    let file =
        options.write(true).create(true).truncate(true).custom_flags(libc::O_DIRECT).open(path).unwrap();
    let block = AlignedBuf::zeroed(BLOCK);
    let mut ring = io_uring::IoUring::new(4).unwrap();
    while !stop.load(Ordering::Relaxed) {
        let begin = Instant::now();
        let fd = io_uring::types::Fd(file.as_raw_fd());
        let write =
            io_uring::opcode::Write::new(fd, block.as_ptr(), BLOCK as u32).rw_flags(libc::RWF_DSYNC).build();
        // SAFETY: the block outlives the operation, which is awaited.
        unsafe { ring.submission().push(&write).unwrap() };
        ring.submit_and_wait(1).unwrap();
        assert_eq!(ring.completion().next().unwrap().result(), BLOCK as i32);
        note(&gaps, begin, Duration::ZERO);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long the host was away in the time from `begin` to `end`.
fn excused(gaps: &[Gaps], begin: Instant, end: Instant) -> Duration {
    let mut sum = Duration::ZERO;
    for gaps in gaps {
        // In the order of time, without overlaps.
        let gaps = gaps.lock().unwrap();
        let first = gaps.partition_point(|(_, to)| *to < begin);
        for (from, to) in gaps[first..].iter().take_while(|(from, _)| *from < end) {
            sum += (*to).min(end).saturating_duration_since((*from).max(begin));
        }
    }
    sum
}

async fn serve(runtime: Runtime, stream: Rc<dyn RawStream>, port: Port<u64, u64>, requests: Arc<AtomicU64>) {
    let mut buffer = BytesMut::with_capacity(4096);
    loop {
        let (count, back) = stream.read(buffer).await;
        buffer = back;
        match count {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        while buffer.len() >= REQUEST {
            buffer.advance(REQUEST);
            let number = requests.fetch_add(1, Ordering::Relaxed);
            let to = (number % u64::from(port.shards())) as u16;
            let (stream, port) = (stream.clone(), port.clone());
            let answering = async move {
                assert_eq!(port.call(to, number).await, Some(number));
                let reply = Bytes::copy_from_slice(&number.to_be_bytes());
                assert_eq!(stream.try_write(&[reply]).unwrap(), 8);
            };
            runtime.spawn(answering).detach();
        }
        buffer.reserve(4096);
    }
}

async fn shard(context: ShardContext, shared: Shared) -> Counters {
    let runtime = context.runtime;
    let path = shared.folder.join(format!("shard-{}", context.id));
    let file = File::open(&runtime, &path, OpenMode::DirectNew).await.unwrap();
    file.write_all_at(0, vec![AlignedBuf::zeroed(64 * BLOCK).freeze(64 * BLOCK)], true).await.unwrap();
    let port = Port::open(&runtime, shared.mesh, context.id);
    let (serving, answering, own) = (port.clone(), port.clone(), runtime.clone());
    let served = runtime.spawn(async move {
        serving
            .serve(|request, to| {
                let (file, port, runtime) = (file.clone(), answering.clone(), own.clone());
                own.spawn(async move {
                    if request % 3 == 0 {
                        // A timer has to wake it, too.
                        runtime.sleep(Duration::from_micros(request % 7 * 500)).await;
                    }
                    let block = AlignedBuf::zeroed(BLOCK).freeze(BLOCK);
                    file.write_all_at(request % 64 * BLOCK as u64, vec![block], true).await.unwrap();
                    port.reply(to, request);
                })
                .detach();
            })
            .await;
    });
    let listener = runtime.listen(shared.address).unwrap();
    let own = runtime.clone();
    let accepted = runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (port, requests, runtime) = (port.clone(), shared.requests.clone(), own.clone());
            own.spawn(serve(runtime, stream, port, requests)).detach();
        }
    });
    shared.ready.wait();
    while !shared.stop.load(Ordering::Relaxed) {
        // Long, so that it does not help a shard that sleeps too well.
        runtime.sleep(Duration::from_secs(1)).await;
    }
    drop((served, accepted));
    runtime.counters()
}

#[derive(Clone)]
struct Shared {
    folder: PathBuf,
    address: SocketAddr,
    mesh: Arc<Mesh<u64, u64>>,
    requests: Arc<AtomicU64>,
    ready: Arc<Barrier>,
    stop: Arc<AtomicBool>,
}

/// One round's orders for a connection.
#[derive(Clone, Copy)]
struct Burst {
    count: usize,
    spacing: Duration,
}

/// Sends bursts; gives begin and end of what took over [`STALL`], and the longest time.
fn client(
    address: SocketAddr,
    orders: Receiver<Burst>,
    done: &Barrier,
) -> (Vec<(Instant, Instant)>, Duration) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (mut slow, mut longest) = (Vec::new(), Duration::ZERO);
    for burst in orders {
        let mut begins = Vec::new();
        for _ in 0..burst.count {
            begins.push(Instant::now());
            stream.write_all(&[7; REQUEST]).unwrap();
            if !burst.spacing.is_zero() {
                std::thread::sleep(burst.spacing);
            }
        }
        for begin in begins {
            let mut reply = [0; 8];
            if let Err(error) = stream.read_exact(&mut reply) {
                // The other threads would wait for this one for ever.
                eprintln!("a shard stands still: a reply did not come within 20 s: {error}");
                std::process::exit(1);
            }
            let end = Instant::now();
            longest = longest.max(end - begin);
            if end - begin > STALL {
                slow.push((begin, end));
            }
        }
        done.wait();
    }
    (slow, longest)
}

#[test]
fn a_shard_never_stands_still() {
    let seconds =
        std::env::var("MILLRACE_STALL_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let no_heartbeat = std::env::var("MILLRACE_STALL_HEARTBEAT").is_ok_and(|text| text == "off");
    let in_glommio = std::env::var("MILLRACE_STALL_SLEEP").is_ok_and(|text| text == "glommio");
    let heartbeat = Options::default().heartbeat.filter(|_| !no_heartbeat);
    let sleep = if in_glommio { Sleep::Glommio } else { Sleep::Ring };
    let preempt =
        std::env::var("MILLRACE_STALL_PREEMPT_US").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let preempt_timer = Duration::from_micros(preempt);
    let options = Options { sleep, heartbeat, preempt_timer, ..Options::default() };

    let mut plan = Plan::detect(&Settings::default()).unwrap();
    plan.cpus = plan.cpus.iter().cycle().take(2).copied().collect();
    plan.nodes.resize(2, 0);
    let reserved = reserve_address("127.0.0.1:0".parse().unwrap()).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let shared = Shared {
        folder: folder.path().to_owned(),
        address: reserved.address(),
        mesh: Mesh::new(2, 64),
        requests: Arc::default(),
        ready: Arc::new(Barrier::new(3)),
        stop: Arc::default(),
    };
    let for_shards = shared.clone();
    let running = start_shards(&plan, options, move |context| shard(context, for_shards.clone())).unwrap();
    shared.ready.wait();

    let watching = Arc::new(AtomicBool::new(false));
    let mut gaps: Vec<Gaps> = Vec::new();
    let mut watchers = Vec::new();
    for cpu in plan.cpus.clone() {
        let (own, stop) = (Gaps::default(), watching.clone());
        gaps.push(own.clone());
        watchers.push(std::thread::spawn(move || watch_cpu(cpu, own, stop)));
        let (own, stop) = (Gaps::default(), watching.clone());
        let path = folder.path().join(format!("watched-{}", gaps.len()));
        gaps.push(own.clone());
        watchers.push(std::thread::spawn(move || watch_disk(cpu, &path, own, stop)));
    }

    let done = Arc::new(Barrier::new(CONNECTIONS + 1));
    let clients: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (orders, taken) = channel();
            let (address, done) = (shared.address, done.clone());
            (orders, std::thread::spawn(move || client(address, taken, &done)))
        })
        .collect();

    // Pauses around the times at which a shard blocks for a millisecond, and falls asleep after two.
    const PAUSES_US: [u64; 16] = [
        0, 50, 200, 900, 1_000, 1_100, 1_900, 1_990, 2_000, 2_010, 2_050, 2_200, 3_000, 4_100, 10_000,
        130_000,
    ];
    const SPACINGS_US: [u64; 6] = [0, 0, 20, 200, 1_000, 2_050];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let begin = Instant::now();
    let mut rounds = 0u64;
    while begin.elapsed() < Duration::from_secs(seconds) {
        rounds += 1;
        for (orders, _) in &clients {
            let count = [0, 1, 1, 2, 5, 10][random(6)];
            let spacing = Duration::from_micros(SPACINGS_US[random(SPACINGS_US.len())]);
            orders.send(Burst { count, spacing }).unwrap();
        }
        done.wait();
        let most = if random(20) == 0 { PAUSES_US.len() } else { PAUSES_US.len() - 1 };
        let pause = PAUSES_US[random(most)] + random(30) as u64;
        std::thread::sleep(Duration::from_micros(pause));
    }
    let (mut slow, mut longest) = (Vec::new(), Duration::ZERO);
    for (orders, client) in clients {
        drop(orders);
        let (of_client, longest_of_client) = client.join().unwrap();
        slow.extend(of_client);
        longest = longest.max(longest_of_client);
    }
    // A gap under way now is noted before it is asked for.
    std::thread::sleep(Duration::from_millis(20));
    watching.store(true, Ordering::Relaxed);
    for watcher in watchers {
        watcher.join().unwrap();
    }
    shared.stop.store(true, Ordering::Relaxed);
    let counters = running.join().unwrap();
    let ours: Vec<_> = slow
        .iter()
        .map(|(begin, end)| (*end - *begin, excused(&gaps, *begin, *end)))
        .filter(|(took, excused)| *took > *excused + STALL)
        .collect();
    let sum = |of: fn(&Counters) -> u64| counters.iter().map(of).sum::<u64>();
    println!(
        "{rounds} rounds, {} requests in {seconds} s; longest {longest:?}, {} over {STALL:?} of which {} are not the \
         host's; fell asleep {} times, saved by the heartbeat {} times",
        shared.requests.load(Ordering::Relaxed),
        slow.len(),
        ours.len(),
        sum(|counters| counters.sleeps),
        sum(|counters| counters.saved_by_heartbeat),
    );
    assert!(ours.is_empty(), "stalls, and what the host can answer for: {ours:?}");
    assert!(in_glommio || sum(|counters| counters.saved_by_heartbeat) == 0, "a shard did not hear its bell");
}
