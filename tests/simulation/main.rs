//! The log engine on a simulated disk against a plain model: every seed is a few lives of a broker process with
//! crashes between (and in the middle of recovery), and afterwards nothing that was acknowledged may be missing.
//!
//! Compaction has seeds of its own (`compaction`): `MILLRACE_SIM_COMPACTION_SEEDS` how many (100),
//! `MILLRACE_SIM_COMPACTION_SEED` one alone.
//!
//! `MILLRACE_SIM_SEEDS` how many seeds (100), `MILLRACE_SIM_FIRST` the first (0), `MILLRACE_SIM_SEED` one alone, and
//! with it `MILLRACE_SIM_LOG` a filter for its log (`trace` tells every operation of the disk and of the harness).

#![allow(
    clippy::unwrap_used,
    clippy::collapsible_if,
    clippy::match_like_matches_macro,
    clippy::cloned_ref_to_slice_refs,
    clippy::single_match
)]

mod actor;
mod compaction;
mod compare;
mod files;
mod lives;
mod model;
mod plan;
mod planted;
mod random_batches;
mod seeds;

use seeds::{number, run_all, run_one};

#[test]
fn what_was_acknowledged_survives() {
    if let Some(seed) = number("MILLRACE_SIM_SEED") {
        if let Ok(filter) = std::env::var("MILLRACE_SIM_LOG") {
            let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).without_time();
            log.with_writer(std::io::stderr).init();
        }
        let statistics = run_one(seed, None).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        println!("seed {seed}: {statistics:?}");
        return;
    }
    let first = number("MILLRACE_SIM_FIRST").unwrap_or(0);
    let count = number("MILLRACE_SIM_SEEDS").unwrap_or(100);
    let statistics = run_all(first..first + count);
    println!("{count} seeds from {first}: {statistics:?}");
}

#[test]
fn a_seed_repeats_exactly() {
    for seed in 0..4 {
        let (one, two) = (run_one(seed, None).unwrap(), run_one(seed, None).unwrap());
        assert_eq!(one.trace, two.trace, "seed {seed} ran differently the second time");
    }
}

#[test]
fn compaction_loses_nothing_and_brings_nothing_back() {
    let one = number("MILLRACE_SIM_COMPACTION_SEED");
    if let (Some(_), Ok(filter)) = (one, std::env::var("MILLRACE_SIM_LOG")) {
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).without_time();
        log.with_writer(std::io::stderr).init();
    }
    let count = number("MILLRACE_SIM_COMPACTION_SEEDS").unwrap_or(100);
    let seeds = one.map_or(0..count, |seed| seed..seed + 1);
    let (mut sum, mut failures) = (compaction::Statistics::default(), Vec::new());
    for seed in seeds.clone() {
        match seeds::contained(|| compaction::run(seed, None)) {
            Ok(statistics) => {
                sum.lives += statistics.lives;
                sum.broken_recoveries += statistics.broken_recoveries;
                sum.passes += statistics.passes;
                sum.replaced += statistics.replaced;
                sum.records += statistics.records;
            }
            Err(what) => failures.push(format!("seed {seed}: {what}")),
        }
        if failures.len() >= 10 {
            break;
        }
    }
    println!("{seeds:?}: {sum:?}");
    assert!(
        failures.is_empty(),
        "{} of the seeds failed:\n  {}\nrepeat one with MILLRACE_SIM_COMPACTION_SEED",
        failures.len(),
        failures.join("\n  ")
    );
    assert!(one.is_some() || sum.replaced > seeds.end, "next to nothing was compacted: {sum:?}");
}
