//! One shard on the real platform: logs are appended to, sealed, truncated, rolled and zeroed ahead by direct I/O while
//! readers send the same segments through the page cache under memory pressure. Every byte that arrives is compared.
//!
//! MILLRACE_STRESS_SECONDS (5 unless set; tests/run sets 60). The seed is printed; MILLRACE_SEED repeats the choices.

#![allow(missing_docs, clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use millrace::log::{Log, LogConfig, LogError, LogManager, LogSettings, Part, PartitionSpec, recover};
use millrace::protocol::Uuid;
use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{BatchBuilder, batches};
use millrace::runtime::Runtime;
use millrace::runtime::platform::RawStream;
use millrace::runtime::shards::run_one;

const LOGS: usize = 4;
const READERS_PER_LOG: usize = 3;
/// Of a batch.
const MOST_RECORDS: i64 = 6;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }
}

/// What was written at an offset, each time it was given (a truncation gives it again).
#[derive(Default)]
struct Written {
    records: RefCell<HashSet<(i64, u64)>>,
    /// Where the log was cut, noted before each cut; and how many cuts have ended.
    cuts: RefCell<Vec<i64>>,
    cuts_ended: Cell<usize>,
}

impl Written {
    /// The lowest cut below `end` that was under way or has begun since `ended` of them had ended. What lies above goes
    /// while it is sent.
    fn lowest_cut_since(&self, ended: usize, end: i64) -> Option<i64> {
        self.cuts.borrow().iter().skip(ended).copied().filter(|cut| *cut < end).min()
    }
}

#[derive(Default)]
struct Totals {
    appends: Cell<u64>,
    truncations: Cell<u64>,
    rolls: Cell<u64>,
    pauses: Cell<u64>,
    reads: Cell<u64>,
    cut_reads: Cell<u64>,
    memory_bytes: Cell<u64>,
    file_bytes: Cell<u64>,
}

fn add(cell: &Cell<u64>, amount: u64) {
    cell.set(cell.get() + amount);
}

/// The value of a record: its offset, a number of its own, and bytes that follow from both.
fn value_of(offset: i64, number: u64, len: usize) -> Vec<u8> {
    let mut value = Vec::with_capacity(len.max(16));
    value.extend_from_slice(&offset.to_be_bytes());
    value.extend_from_slice(&number.to_be_bytes());
    let mut random = Random(((offset as u64) << 32 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    while value.len() < len {
        value.extend_from_slice(&random.next().to_le_bytes());
    }
    value
}

async fn write(
    runtime: Runtime,
    log: Log,
    written: Rc<Written>,
    totals: Rc<Totals>,
    stop: Rc<Cell<bool>>,
    seed: u64,
) {
    let mut random = Random(seed | 1);
    while !stop.get() {
        match random.below(400) {
            // Long enough to be sealed for idleness.
            0 => {
                runtime.sleep(Duration::from_millis(60 + random.below(60))).await;
                add(&totals.pauses, 1);
            }
            1..=3 => {
                log.roll().unwrap();
                add(&totals.rolls, 1);
            }
            4..=5 => {
                let (start, end) = (log.log_start_offset(), log.log_end_offset());
                let back = random.below(200.min((end - start) as u64 + 1)) as i64;
                written.cuts.borrow_mut().push(end - back);
                log.truncate_to(end - back).await.unwrap();
                written.cuts_ended.set(written.cuts.borrow().len());
                add(&totals.truncations, 1);
            }
            _ => {
                let records = 1 + random.below(MOST_RECORDS as u64);
                let base = log.log_end_offset();
                let mut builder = BatchBuilder::new(Codec::None);
                for delta in 0..records {
                    let len = match random.below(50) {
                        0 => 40_000 + random.below(150_000),
                        1..=5 => 3_000 + random.below(9_000),
                        _ => 16 + random.below(300),
                    };
                    let offset = base + delta as i64;
                    let number = random.next();
                    written.records.borrow_mut().insert((offset, number));
                    builder.append(
                        1_700_000_000_000,
                        None,
                        Some(&value_of(offset, number, len as usize)),
                        &[],
                    );
                }
                let batch = builder.build().unwrap();
                let _room = log.reserve(batch.len()).await.unwrap();
                assert_eq!(log.log_end_offset(), base, "only this task appends");
                let appended = log.append_as_leader(&batch, 1, 1_700_000_000_000).unwrap();
                if random.below(3) > 0 {
                    log.durable(appended.last_offset + 1).await.unwrap();
                }
                add(&totals.appends, 1);
            }
        }
    }
    log.flush().await.unwrap();
}

/// Sends parts as a connection does: memory by writes, cached file ranges by sendfile, cold ones by splice. Where a file ends
/// because `is_cut`, zeros go instead, so that the other side has its bytes.
async fn send(
    runtime: &Runtime,
    stream: &Rc<dyn RawStream>,
    mut parts: VecDeque<Part>,
    is_cut: impl Fn() -> bool,
) -> std::io::Result<()> {
    while let Some(part) = parts.pop_front() {
        match part {
            Part::Memory(mut bytes) => {
                while !bytes.is_empty() {
                    match stream.try_write(&[bytes.clone()]) {
                        Ok(sent) => bytes = bytes.slice(sent..),
                        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                            stream.writable().await?
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
            Part::File { file, mut position, mut len, .. } => {
                while len > 0 {
                    let slice = len.min(256 << 10);
                    let sent = if runtime.cached_bytes(&file, position, slice) >= slice {
                        match stream.try_send_file(&file, position, slice as usize) {
                            Ok(sent) => sent,
                            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                                stream.writable().await?;
                                continue;
                            }
                            Err(error) => return Err(error),
                        }
                    } else {
                        stream.splice_file(&file, position, slice as usize).await?
                    };
                    if sent == 0 {
                        assert!(is_cut(), "a segment ended {len} bytes before what a read had promised");
                        parts.push_front(Part::Memory(vec![0; len as usize].into()));
                        break;
                    }
                    position += sent as u64;
                    len -= sent as u64;
                }
            }
        }
    }
    Ok(())
}

async fn receive(stream: &Rc<dyn RawStream>, bytes: usize) -> std::io::Result<Bytes> {
    let mut buffer = BytesMut::with_capacity(bytes);
    while buffer.len() < bytes {
        buffer.reserve(64 << 10);
        let (read, back) = stream.read(buffer).await;
        buffer = back;
        assert!(read? > 0, "the sending side closed");
    }
    Ok(buffer.split_to(bytes).freeze())
}

async fn read(
    runtime: Runtime,
    log: Log,
    written: Rc<Written>,
    totals: Rc<Totals>,
    stop: Rc<Cell<bool>>,
    seed: u64,
) {
    let mut random = Random(seed | 1);
    let listener = runtime.listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let sending = runtime.connect(listener.local_addr().unwrap()).await.unwrap();
    let (receiving, _) = listener.accept().await.unwrap();
    let mut scratch = Vec::new();
    while !stop.get() {
        let (start, end) = (log.log_start_offset(), log.durable_end_offset());
        let cuts_ended = written.cuts_ended.get();
        if end <= start {
            runtime.sleep(Duration::from_millis(1)).await;
            continue;
        }
        // Half near the end, where blocks are still being written, half anywhere.
        let span = (end - start) as u64;
        let offset = if random.below(2) == 0 {
            end - 1 - random.below(span.min(300)) as i64
        } else {
            start + random.below(span) as i64
        };
        let found = match log.read(offset, 16_384 + random.below(400_000) as u32, end, true).await {
            Ok(found) => found,
            // Truncated meanwhile.
            Err(LogError::OffsetOutOfRange { .. } | LogError::Busy) => continue,
            Err(error) => panic!("read at {offset}: {error}"),
        };
        let bytes = found.bytes as usize;
        for part in &found.parts {
            match part {
                Part::Memory(part) => add(&totals.memory_bytes, part.len() as u64),
                Part::File { len, .. } => add(&totals.file_bytes, *len),
            }
        }
        let task = {
            let (runtime, sending, written) = (runtime.clone(), sending.clone(), written.clone());
            runtime.clone().spawn(async move {
                let is_cut = || written.lowest_cut_since(cuts_ended, end).is_some();
                send(&runtime, &sending, found.parts.into(), is_cut).await
            })
        };
        let received = receive(&receiving, bytes).await.unwrap();
        task.await.unwrap();
        let lowest_cut = written.lowest_cut_since(cuts_ended, end);
        if lowest_cut.is_some() {
            add(&totals.cut_reads, 1);
        }
        let mut next_offset = offset;
        for batch in batches(&received) {
            if lowest_cut.is_some_and(|cut| next_offset + MOST_RECORDS > cut) {
                break;
            }
            let batch = batch.unwrap_or_else(|error| panic!("at offset {offset}: {error}"));
            batch.verify_crc().unwrap_or_else(|error| panic!("batch {}: {error}", batch.header.base_offset));
            next_offset = batch.header.next_offset();
            for record in batch.records(1 << 30, &mut scratch).unwrap() {
                let record = record.unwrap();
                let at = batch.header.base_offset + i64::from(record.offset_delta);
                let value = record.value.unwrap();
                let number = u64::from_be_bytes(*value[8..].first_chunk().unwrap());
                assert!(
                    written.records.borrow().contains(&(at, number)),
                    "what is at {at} was never written there"
                );
                assert!(value == value_of(at, number, value.len()), "other bytes at {at}");
            }
        }
        add(&totals.reads, 1);
        runtime.yield_now().await;
    }
}

/// Keeps the page cache short: in a memory cgroup of its own where that can be had, and by dropping caches.
struct Pressure {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
    group: Option<PathBuf>,
}

impl Pressure {
    fn start() -> Self {
        let group = PathBuf::from(format!("/sys/fs/cgroup/memory/millrace-stress-{}", std::process::id()));
        let limited = std::fs::create_dir(&group).is_ok()
            && std::fs::write(group.join("memory.limit_in_bytes"), "268435456").is_ok()
            && std::fs::write(group.join("cgroup.procs"), std::process::id().to_string()).is_ok();
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut drops = 0u64;
            while !told.load(Ordering::Relaxed) {
                if std::fs::write("/proc/sys/vm/drop_caches", "1").is_ok() {
                    drops += 1;
                }
                std::thread::park_timeout(Duration::from_millis(100));
            }
            eprintln!("caches dropped {drops} times; memory cgroup of 256 MiB: {limited}");
        });
        Self { stop, thread: Some(thread), group: limited.then_some(group) }
    }
}

impl Drop for Pressure {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        if let Some(group) = &self.group {
            let _ = std::fs::write("/sys/fs/cgroup/memory/cgroup.procs", std::process::id().to_string());
            let _ = std::fs::remove_dir(group);
        }
    }
}

#[test]
fn readers_never_see_other_bytes_than_were_written() {
    let seconds =
        std::env::var("MILLRACE_STRESS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let seed: u64 =
        std::env::var("MILLRACE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| {
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64
        });
    eprintln!("stress: MILLRACE_SEED={seed}, {seconds} s");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().to_owned();
    let _pressure = Pressure::start();
    run_one(move |runtime| async move {
        let settings = LogSettings {
            tail_idle_seal_ms: 30,
            tail_cache_bytes: 4 << 20,
            journal_bytes: 16 << 20,
            zero_ahead_bytes: 1 << 20,
            ..LogSettings::default()
        };
        let recovery = recover(&runtime, &[path], &settings).await;
        let mut directories = recovery.directories;
        for directory in &mut directories {
            directory.format(&runtime, "stress-cluster", 1).await.unwrap();
        }
        let directory = directories[0].id;
        let manager = LogManager::open(&runtime, 0, settings, directories).await.unwrap();
        let config = LogConfig { segment_bytes: 3 << 20, ..LogConfig::default() };
        let specs = (0..LOGS as i32)
            .map(|partition| PartitionSpec {
                topic: "stress".into(),
                topic_id: Uuid([7; 16]),
                partition,
                directory,
                config,
            })
            .collect();
        let logs: Vec<Log> = manager.create(specs).await.into_iter().map(|log| log.unwrap()).collect();
        let totals = Rc::new(Totals::default());
        let stop = Rc::new(Cell::new(false));
        let mut tasks = Vec::new();
        for (index, log) in logs.iter().enumerate() {
            log.assign_epoch(1, 0).await.unwrap();
            let written = Rc::new(Written::default());
            let seed = seed.wrapping_add(index as u64 * 1000);
            tasks.push(runtime.spawn(write(
                runtime.clone(),
                log.clone(),
                written.clone(),
                totals.clone(),
                stop.clone(),
                seed,
            )));
            for reader in 0..READERS_PER_LOG {
                let seed = seed.wrapping_add(reader as u64 + 1);
                tasks.push(runtime.spawn(read(
                    runtime.clone(),
                    log.clone(),
                    written.clone(),
                    totals.clone(),
                    stop.clone(),
                    seed,
                )));
            }
        }
        runtime.sleep(Duration::from_secs(seconds)).await;
        stop.set(true);
        for task in tasks {
            task.await;
        }
        let counters = manager.counters();
        eprintln!(
            "{} appends, {} truncations, {} rolls, {} pauses; {} reads ({} beside a cut), {} MB from memory, {} MB from files; {} seals, {} MB zeroed",
            totals.appends.get(),
            totals.truncations.get(),
            totals.rolls.get(),
            totals.pauses.get(),
            totals.reads.get(),
            totals.cut_reads.get(),
            totals.memory_bytes.get() / 1_000_000,
            totals.file_bytes.get() / 1_000_000,
            counters.seals,
            counters.zeroed_bytes / 1_000_000,
        );
        assert!(totals.reads.get() > 0 && totals.appends.get() > 0);
        assert!(totals.file_bytes.get() > 0, "nothing was read from a file");
        manager.shutdown().await;
    });
}
