//! Random histories against a model: appends, truncations, deletions, moves, idleness, stops, kills and power cuts
//! at any operation. What was acknowledged is there, what is there was appended, in order, byte for byte.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use super::bench::*;
use crate::log::*;
use crate::runtime::Runtime;
use crate::runtime::sim::{Faults, Random, World};

#[derive(Clone, Default, Debug)]
struct Model {
    exists: bool,
    /// Every batch appended: base offset, next offset, fill byte, bytes of a value.
    batches: Vec<(i64, i64, u8, usize)>,
    acked: i64,
    start: i64,
    /// A start that was asked for, and may have come about.
    start_asked: i64,
    /// A truncation that was asked for, and may have come about: the model it would leave.
    truncating: Option<i64>,
    deleting: bool,
    creating: bool,
}

impl Model {
    fn end(&self) -> i64 {
        self.batches.last().map_or(self.start_asked.max(self.start), |batch| batch.1)
    }

    fn cut(&mut self, offset: i64) {
        self.batches.retain(|batch| batch.1 <= offset);
        self.acked = self.acked.min(offset);
    }
}

type Models = Rc<RefCell<BTreeMap<u8, Model>>>;

async fn work(runtime: Runtime, manager: LogManager, models: Models, mut random: Random, steps: u64) {
    for _ in 0..steps {
        let number = random.below(4) as u8;
        let log = manager.get(topic_id(number), 0);
        let Some(log) = log else {
            models.borrow_mut().entry(number).or_default().creating = true;
            make(&manager, number).await;
            *models.borrow_mut().entry(number).or_default() = Model { exists: true, ..Model::default() };
            continue;
        };
        assert!(log.error().is_none(), "{:?}", log.error());
        let truncates = random.chance(0.3);
        match random.below(100) {
            0..=69 => {
                for _ in 0..=random.below(6) {
                    let bytes = match random.below(10) {
                        0 => random.below(60_000),
                        1..=3 => random.below(8_000),
                        _ => random.below(400),
                    } as usize;
                    let (records, fill) = (1 + random.below(3) as usize, random.below(256) as u8);
                    let base = log.log_end_offset();
                    // Known to the model before it happens: a crash may come at any await.
                    let next = base + records as i64;
                    let records = batch(runtime.wall_clock_ms(), records, bytes, fill);
                    let room = log.reserve(records.len()).await.unwrap();
                    models.borrow_mut().get_mut(&number).unwrap().batches.push((base, next, fill, bytes));
                    let appended = log.append_as_leader(&records, 1, runtime.wall_clock_ms()).unwrap();
                    drop(room);
                    assert_eq!(appended.last_offset + 1, next);
                }
                if random.chance(0.7) {
                    let end = log.log_end_offset();
                    log.durable(end).await.unwrap();
                    let mut models = models.borrow_mut();
                    let model = models.get_mut(&number).unwrap();
                    model.acked = model.acked.max(end);
                }
            }
            70..=74 => runtime.sleep(Duration::from_millis(random.below(5_000))).await,
            75..=79 => {
                let offset =
                    random.range(log.log_start_offset() as u64..log.durable_end_offset() as u64 + 1) as i64;
                models.borrow_mut().get_mut(&number).unwrap().start_asked = offset;
                let start = log.delete_records_before(offset).await.unwrap();
                assert!(start >= offset);
                let mut models = models.borrow_mut();
                let model = models.get_mut(&number).unwrap();
                model.start = model.start.max(offset);
            }
            80..=84 if truncates => {
                let range = {
                    let models = models.borrow();
                    let model = &models[&number];
                    let boundaries: Vec<i64> = model
                        .batches
                        .iter()
                        .map(|batch| batch.0)
                        .filter(|base| *base >= model.start)
                        .collect();
                    boundaries
                };
                if range.is_empty() {
                    continue;
                }
                let offset = range[random.index(range.len())];
                {
                    let mut models = models.borrow_mut();
                    let model = models.get_mut(&number).unwrap();
                    model.truncating = Some(offset);
                }
                log.truncate_to(offset).await.unwrap();
                assert_eq!(log.log_end_offset(), offset);
                let mut models = models.borrow_mut();
                let model = models.get_mut(&number).unwrap();
                model.cut(offset);
                model.truncating = None;
            }
            85..=87 => log.roll().unwrap(),
            88 => {
                models.borrow_mut().get_mut(&number).unwrap().deleting = true;
                manager.delete(topic_id(number), 0).await.unwrap();
                *models.borrow_mut().get_mut(&number).unwrap() = Model::default();
            }
            89..=91 => {
                let moved = manager.export(topic_id(number), 0).await.unwrap();
                manager.import(moved).await.unwrap();
                let mut models = models.borrow_mut();
                let model = models.get_mut(&number).unwrap();
                model.acked = model.end();
            }
            _ => {
                let start = log.log_start_offset();
                let upper = log.log_end_offset();
                if upper > start {
                    let from = random.range(start as u64..upper as u64) as i64;
                    let max = random.below(50_000) as u32;
                    let found = log.read(from, max, upper, true).await.unwrap();
                    assert!(found.bytes > 0);
                }
            }
        }
    }
}

/// Checks every partition against the model, and lets the model go on from what is there.
async fn check(runtime: Runtime, manager: LogManager, models: Models, seed: u64) {
    let numbers: Vec<u8> = models.borrow().keys().copied().collect();
    for number in numbers {
        let mut model = models.borrow()[&number].clone();
        let at = format!("seed {seed}, topic {number}");
        let Some(log) = manager.get(topic_id(number), 0) else {
            assert!(!model.exists || model.deleting, "{at}: partition is lost");
            models.borrow_mut().insert(number, Model::default());
            continue;
        };
        if !model.exists {
            assert!(model.creating, "{at}: partition came back");
            model = Model { exists: true, ..Model::default() };
        }
        assert!(log.error().is_none(), "{at}: {:?}", log.error());
        let end = log.log_end_offset();
        if let Some(offset) = model.truncating.take()
            && end <= offset
        {
            model.cut(offset);
        }
        assert!(end >= model.acked, "{at}: acknowledged {}, found {end}", model.acked);
        let start = log.log_start_offset();
        assert!(
            start >= model.start && start <= model.start.max(model.start_asked),
            "{at}: start {start} of {model:?}"
        );
        model.cut(end);
        assert_eq!(model.batches.last().map_or(end, |batch| batch.1), end, "{at}: ends between batches");
        model.start = start;
        model.start_asked = start;
        model.acked = end;
        model.deleting = false;
        let found = read_all(&runtime, &log, end, 20_000).await.unwrap();
        let expected: Vec<_> = model.batches.iter().filter(|batch| batch.1 > start).cloned().collect();
        assert_eq!(found.len(), expected.len(), "{at}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!((found.0, found.1), (expected.0, expected.1), "{at}");
            let values = found.2.iter().filter(|byte| **byte == expected.2).count();
            assert!(values >= expected.3 * (found.1 - found.0) as usize, "{at}: other bytes at {}", found.0);
        }
        models.borrow_mut().insert(number, model);
    }
}

fn history(seed: u64, settings: LogSettings, faults: Faults) {
    let world = World::new(seed, faults);
    world.disk().mount(Path::new(DISK), 256 << 20);
    let mut random = world.random();
    let models: Models = Rc::default();
    for life in 0..8 {
        let runtime = world.add_shard();
        if random.chance(0.8) {
            // Also during recovery.
            let most = if random.chance(0.3) { 60 } else { 1500 };
            world.interrupt_after_operations(1 + random.below(most));
        }
        let stop_cleanly = random.chance(0.4);
        let (rt, settings, models_now, fork) =
            (runtime.clone(), settings.clone(), models.clone(), random.fork());
        let mut fork_for_steps = random.fork();
        let steps = 5 + fork_for_steps.below(120);
        let result = world.try_block_on(&runtime, Duration::from_secs(3600), async move {
            let (manager, recovery) = start(&rt, &settings).await;
            if life > 0 {
                check(rt.clone(), manager.clone(), models_now.clone(), seed).await;
            }
            work(rt.clone(), manager.clone(), models_now.clone(), fork, steps).await;
            if stop_cleanly {
                stop(&manager, &recovery, &rt).await;
            }
        });
        if let Err(stopped) = result {
            assert_eq!(stopped, crate::runtime::sim::Stopped::Interrupted, "seed {seed}: the engine hangs");
        }
        world.do_not_interrupt();
        drop(runtime);
        if random.chance(0.5) { world.kill() } else { drop(world.crash()) }
    }
}

fn seeds() -> std::ops::Range<u64> {
    let first: u64 = std::env::var("HISTORY_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let count: u64 = std::env::var("HISTORY_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    first..first + count
}

#[test]
fn histories_with_power_cuts() {
    for seed in seeds() {
        let mut settings = small_settings();
        if seed % 3 == 1 {
            settings.journal_groups_in_flight = 2;
        }
        if seed % 5 == 2 {
            settings.zero_ahead_bytes = 0;
        }
        history(seed, settings, if seed % 2 == 0 { Faults::none() } else { Faults::mild() });
    }
}
