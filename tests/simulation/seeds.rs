//! Running seeds: many in parallel, one alone, and the line that tells how to repeat one.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace::log::Sabotage;

use crate::lives::{self, Statistics};

/// A number from the environment.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Runs one seed; a panic in the code under test is a failure like any other.
pub fn run_one(seed: u64, sabotage: Option<Sabotage>) -> Result<Statistics, String> {
    contained(|| lives::run(seed, sabotage))
}

/// Makes a panic of `work` an error.
pub fn contained<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()));
            Err(format!("panic: {}", text.unwrap_or_else(|| "without a message".into())))
        }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, |count| count.get())
}

/// What many seeds did together.
pub trait Sum: Default + Send {
    fn add(&mut self, other: Self);
}

/// Runs all seeds on all processors; panics with the first failures and how to repeat them: by `variable`.
pub fn run_all<S: Sum>(
    seeds: Range<u64>,
    variable: &str,
    run: impl Fn(u64) -> Result<S, String> + Sync,
) -> S {
    let next = AtomicU64::new(seeds.start);
    let failures = Mutex::new(Vec::new());
    let sum = Mutex::new(S::default());
    let threads = number("MILLRACE_SIM_THREADS").map_or_else(processors, |count| count as usize);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let failed = failures.lock().unwrap().len();
                    if seed >= seeds.end || failed >= 10 {
                        return;
                    }
                    match contained(|| run(seed)) {
                        Ok(statistics) => sum.lock().unwrap().add(statistics),
                        Err(what) => {
                            eprintln!("seed {seed}: {what}");
                            failures.lock().unwrap().push((seed, what));
                        }
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let list: Vec<_> = failures.iter().map(|(seed, what)| format!("seed {seed}: {what}")).collect();
    assert!(
        list.is_empty(),
        "{} of the seeds failed:\n  {}\nrepeat one alone with {variable}",
        list.len(),
        list.join("\n  ")
    );
    sum.into_inner().unwrap()
}
