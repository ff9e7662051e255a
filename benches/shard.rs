//! What a request costs in the runtime alone: a small produce-like request over a socket to one shard, a flushed
//! write of 4 KiB shared by those who wait, a reply.
//!
//! `cargo bench --bench shard` prints, for one and for 16 connections in a closed loop and for an open loop at
//! 2,000/s, latency, CPU of the shard's thread and entries into its ring for each request. `-- glommio` lets the shard
//! sleep in glommio's loop instead of in its ring.

#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use hdrhistogram::Histogram;
use millrace::runtime::file::File;
use millrace::runtime::shards::{Options, ShardContext, Sleep, reserve_address, start_shards};
use millrace::runtime::sync::Notify;
use millrace::runtime::topology::{Plan, Settings};
use millrace::runtime::{AlignedBuf, BLOCK, OpenMode, Runtime};
use rustix::time::{ClockId, clock_gettime};

const REQUEST: usize = 1100;
const REPLY: usize = 60;

/// One write at a time, for all who came before it began: the journal's shape.
struct Journal {
    file: File,
    gathered: Cell<u64>,
    durable: Cell<u64>,
    work: Notify,
    done: Notify,
}

impl Journal {
    async fn append(&self) {
        let mine = self.gathered.get() + 1;
        self.gathered.set(mine);
        self.work.notify();
        while self.durable.get() < mine {
            self.done.wait().await;
        }
    }

    async fn run(&self) {
        let mut position = 0;
        loop {
            let waiting = self.work.wait();
            let upto = self.gathered.get();
            if upto == self.durable.get() {
                waiting.await;
                continue;
            }
            let group = AlignedBuf::zeroed(BLOCK).freeze(BLOCK);
            self.file.write_all_at(position, vec![group], true).await.unwrap();
            position = (position + BLOCK as u64) % (64 << 20);
            self.durable.set(upto);
            self.done.notify();
        }
    }
}

async fn serve(stream: Rc<dyn millrace::runtime::platform::RawStream>, journal: Rc<Journal>) {
    let reply = Bytes::from(vec![0u8; REPLY]);
    let mut buffer = BytesMut::with_capacity(16 << 10);
    loop {
        while buffer.len() < REQUEST {
            let (count, back) = stream.read(buffer).await;
            buffer = back;
            match count {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        buffer.clear();
        journal.append().await;
        if stream.try_write(std::slice::from_ref(&reply)).is_err() {
            return;
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Used {
    cpu_ns: u64,
    enters: u64,
    polls: u64,
    sleeps: u64,
    saved: u64,
}

fn used(runtime: &Runtime) -> Used {
    let cpu = clock_gettime(ClockId::ThreadCPUTime);
    let counters = runtime.counters();
    Used {
        cpu_ns: cpu.tv_sec as u64 * 1_000_000_000 + cpu.tv_nsec as u64,
        enters: counters.enters,
        polls: counters.polls,
        sleeps: counters.sleeps,
        saved: counters.saved_by_heartbeat,
    }
}

/// Sends requests until told to stop; with `every`, one at each tick of an open loop.
fn client(address: SocketAddr, every: Option<Duration>, stop: &AtomicBool) -> Histogram<u64> {
    let mut histogram = Histogram::new(3).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let (request, mut reply) = (vec![1u8; REQUEST], [0u8; REPLY]);
    let mut next = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let mut begin = Instant::now();
        if let Some(every) = every {
            next += every;
            std::thread::sleep(next.saturating_duration_since(begin));
            begin = next;
        }
        stream.write_all(&request).unwrap();
        stream.read_exact(&mut reply).unwrap();
        histogram.record(begin.elapsed().as_nanos() as u64).unwrap();
    }
    histogram
}

fn main() {
    let in_glommio = std::env::args().any(|argument| argument == "glommio");
    let seconds = std::env::var("SECONDS_EACH").ok().and_then(|text| text.parse().ok()).unwrap_or(3u64);
    let sleep = if in_glommio { Sleep::Glommio } else { Sleep::Ring };
    let plan = Plan::detect(&Settings { cpus: Some("0".to_owned()), ..Settings::default() }).unwrap();
    let reserved = reserve_address("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = reserved.address();
    let folder = tempfile::tempdir_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap();
    let path = folder.path().join("journal");
    let (ask, asks) = channel::<Option<std::sync::mpsc::Sender<Used>>>();
    let asks = Arc::new(std::sync::Mutex::new(asks));
    let (started, starts) = channel();
    let options = Options { sleep, ..Options::default() };
    let running = start_shards(&plan, options, move |context: ShardContext| {
        let (path, asks, started) = (path.clone(), asks.clone(), started.clone());
        async move {
            let runtime = context.runtime;
            let file = File::open(&runtime, &path, OpenMode::DirectNew).await.unwrap();
            for chunk in 0..64u64 {
                let zeros = AlignedBuf::zeroed(1 << 20).freeze(1 << 20);
                file.write_all_at(chunk << 20, vec![zeros], false).await.unwrap();
            }
            file.sync_all().await.unwrap();
            let journal = Rc::new(Journal {
                file,
                gathered: Cell::new(0),
                durable: Cell::new(0),
                work: Notify::default(),
                done: Notify::default(),
            });
            let writer = journal.clone();
            let writing = runtime.spawn(async move { writer.run().await });
            let listener = runtime.listen(address).unwrap();
            let tasks = Rc::new(RefCell::new(Vec::new()));
            let (own, kept) = (runtime.clone(), tasks.clone());
            let accepting = runtime.spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    kept.borrow_mut().push(own.spawn(serve(stream, journal.clone())));
                }
            });
            started.send(runtime.bell()).unwrap();
            std::future::poll_fn(|context| {
                runtime.on_ring(context);
                while let Ok(asked) = asks.lock().unwrap().try_recv() {
                    match asked {
                        Some(answer) => answer.send(used(&runtime)).unwrap(),
                        None => return Poll::Ready(()),
                    }
                }
                Poll::Pending
            })
            .await;
            drop((writing, accepting, tasks));
        }
    })
    .unwrap();
    let bell = starts.recv().unwrap();
    let question = || {
        let (answer, answers) = channel();
        ask.send(Some(answer)).unwrap();
        bell.ring();
        answers.recv().unwrap()
    };
    println!(
        "{:<28} {:>9} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7}",
        "", "per s", "p50 us", "p99 us", "CPU us", "enters", "polls", "sleeps"
    );
    for (name, connections, rate) in [
        ("1 connection", 1, None),
        ("16 connections", 16, None),
        ("open loop, 4 at 2,000/s", 4, Some(2_000)),
        ("open loop, 1 at 100/s", 1, Some(100)),
        ("idle", 0, None),
    ] {
        let stop = Arc::new(AtomicBool::new(false));
        let every = rate.map(|rate: u32| Duration::from_secs(connections as u64) / rate);
        let clients: Vec<_> = (0..connections)
            .map(|_| {
                let stop = stop.clone();
                std::thread::spawn(move || client(address, every, &stop))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let before = question();
        let begin = Instant::now();
        std::thread::sleep(Duration::from_secs(seconds));
        let after = question();
        let took = begin.elapsed().as_secs_f64();
        stop.store(true, Ordering::Relaxed);
        let mut all = Histogram::<u64>::new(3).unwrap();
        for client in clients {
            all.add(client.join().unwrap()).unwrap();
        }
        let count = (all.len() as f64 * took / (took + 0.35)).max(1.0);
        let each = |after: u64, before: u64| (after - before) as f64 / count;
        if connections == 0 {
            let share = (after.cpu_ns - before.cpu_ns) as f64 / took / 1e7;
            println!("{name:<28} {share:>9.3} % of a core");
            continue;
        }
        println!(
            "{name:<28} {:>9.0} {:>8.0} {:>8.0} {:>8.1} {:>7.2} {:>7.2} {:>7.2}{}",
            count / took,
            all.value_at_quantile(0.5) as f64 / 1e3,
            all.value_at_quantile(0.99) as f64 / 1e3,
            each(after.cpu_ns, before.cpu_ns) / 1e3,
            each(after.enters, before.enters),
            each(after.polls, before.polls),
            each(after.sleeps, before.sleeps),
            if after.saved > before.saved { "  the heartbeat saved it" } else { "" },
        );
    }
    ask.send(None).unwrap();
    bell.ring();
    running.join().unwrap();
}
