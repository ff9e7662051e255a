//! What a message between two shards costs: a request to the other shard and its reply.
//!
//! `cargo bench --bench message` prints round trips with 1, 16 and 256 under way, and with a pause of 5 ms before
//! each (both shards asleep): latency, CPU of both shards' threads and wake-ups for each round trip.

#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use millrace::runtime::shards::{Options, ShardContext, start_shards};
use millrace::runtime::topology::{Plan, Settings};
use millrace::runtime::{Mesh, Port, Runtime};
use rustix::time::{ClockId, clock_gettime};

#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    under_way: usize,
    pause: Duration,
}

const CASES: [Case; 4] = [
    Case { name: "1 under way", under_way: 1, pause: Duration::ZERO },
    Case { name: "16 under way", under_way: 16, pause: Duration::ZERO },
    Case { name: "256 under way", under_way: 256, pause: Duration::ZERO },
    Case { name: "1, asleep before", under_way: 1, pause: Duration::from_millis(5) },
];

#[derive(Clone, Copy, Debug)]
struct Used {
    cpu_ns: u64,
    wakes: u64,
    enters: u64,
}

fn used(runtime: &Runtime) -> Used {
    let cpu = clock_gettime(ClockId::ThreadCPUTime);
    let counters = runtime.counters();
    Used {
        cpu_ns: cpu.tv_sec as u64 * 1_000_000_000 + cpu.tv_nsec as u64,
        wakes: counters.bell_calls,
        enters: counters.enters,
    }
}

/// What the other shard has used since its last answer to the request 0.
async fn measure(port: &Port<u64, Used>, runtime: &Runtime, case: Case) {
    let time: u64 = std::env::var("SECONDS_EACH").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let histogram = Rc::new(RefCell::new(Histogram::<u64>::new(3).unwrap()));
    let stop = Rc::new(Cell::new(false));
    let other = port.call(1, 0).await.unwrap();
    let own = used(runtime);
    let begin = Instant::now();
    let tasks: Vec<_> = (0..case.under_way)
        .map(|_| {
            let (port, runtime) = (port.clone(), runtime.clone());
            let (histogram, stop) = (histogram.clone(), stop.clone());
            runtime.clone().spawn(async move {
                while !stop.get() {
                    if !case.pause.is_zero() {
                        runtime.sleep(case.pause).await;
                    }
                    let begin = runtime.now_ns();
                    port.call(1, 1).await.unwrap();
                    histogram.borrow_mut().record(runtime.now_ns() - begin).unwrap();
                }
            })
        })
        .collect();
    runtime.sleep(Duration::from_secs(time)).await;
    stop.set(true);
    for task in tasks {
        task.await;
    }
    let took = begin.elapsed().as_secs_f64();
    let own_after = used(runtime);
    let other_after = port.call(1, 0).await.unwrap();
    let histogram = histogram.borrow();
    let count = histogram.len() as f64;
    let sum =
        |of: fn(&Used) -> u64| (of(&own_after) - of(&own) + of(&other_after) - of(&other)) as f64 / count;
    println!(
        "{:<18} {:>9.0} {:>8.1} {:>8.1} {:>8.2} {:>8.2} {:>8.2}",
        case.name,
        count / took,
        histogram.value_at_quantile(0.5) as f64 / 1e3,
        histogram.value_at_quantile(0.99) as f64 / 1e3,
        sum(|used| used.cpu_ns) / 1e3,
        sum(|used| used.wakes),
        sum(|used| used.enters),
    );
}

fn main() {
    let mut plan = Plan::detect(&Settings::default()).unwrap();
    assert!(plan.cpus.len() >= 2, "two CPUs are needed");
    plan.cpus.truncate(2);
    println!(
        "{:<18} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "per s", "p50 us", "p99 us", "CPU us", "wakes", "enters"
    );
    let mesh = Mesh::<u64, Used>::new(2, 1024);
    let ready = Arc::new(Barrier::new(2));
    let running = start_shards(&plan, Options::default(), move |context: ShardContext| {
        let (mesh, ready) = (mesh.clone(), ready.clone());
        async move {
            let ShardContext { runtime, id, .. } = context;
            let port = Port::open(&runtime, mesh, id);
            ready.wait();
            let (serving, answering, own) = (port.clone(), port.clone(), runtime.clone());
            let finished = Rc::new(millrace::runtime::sync::Notify::default());
            let (over, end) = (Rc::new(Cell::new(false)), finished.clone());
            let ended = over.clone();
            let nothing = Used { cpu_ns: 0, wakes: 0, enters: 0 };
            let task = runtime.spawn(async move {
                serving
                    .serve(|request, to| {
                        answering.reply(to, if request == 0 { used(&own) } else { nothing });
                        if request == u64::MAX {
                            ended.set(true);
                            end.notify();
                        }
                    })
                    .await;
            });
            if id == 0 {
                for case in CASES {
                    measure(&port, &runtime, case).await;
                }
                port.call(1, u64::MAX).await;
            } else {
                while !over.get() {
                    finished.wait().await;
                }
            }
            drop(task);
        }
    });
    running.unwrap().join().unwrap();
}
