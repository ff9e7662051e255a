//! The log engine on a simulated disk against a plain model: every seed is a few lives of a broker process with
//! crashes between (and in the middle of recovery), and afterwards nothing that was acknowledged may be missing.
//!
//! Compaction has seeds of its own (`compaction`): `MILLRACE_SIM_COMPACTION_SEEDS` how many (100),
//! `MILLRACE_SIM_COMPACTION_SEED` one alone.
//!
//! `MILLRACE_SIM_SEEDS` how many seeds (100), `MILLRACE_SIM_FIRST` the first of both kinds (0), `MILLRACE_SIM_SEED` one
//! alone, and with it `MILLRACE_SIM_LOG` a filter for its log (`trace` tells every operation of the disk and of the
//! harness).

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

/// The seeds of `MILLRACE_SIM_SEED` alone, with a log if one is asked for, or of `MILLRACE_SIM_FIRST` and `count`.
fn seeds(one: &str, count: &str) -> std::ops::Range<u64> {
    if let Some(seed) = number(one) {
        if let Ok(filter) = std::env::var("MILLRACE_SIM_LOG") {
            let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).without_time();
            log.with_writer(std::io::stderr).init();
        }
        return seed..seed + 1;
    }
    let first = number("MILLRACE_SIM_FIRST").unwrap_or(0);
    first..first + number(count).unwrap_or(100)
}

#[test]
fn what_was_acknowledged_survives() {
    let seeds = seeds("MILLRACE_SIM_SEED", "MILLRACE_SIM_SEEDS");
    let sum = run_all(seeds.clone(), "MILLRACE_SIM_SEED", |seed| lives::run(seed, None));
    println!("seeds {seeds:?}: {sum:?}");
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
    let seeds = seeds("MILLRACE_SIM_COMPACTION_SEED", "MILLRACE_SIM_COMPACTION_SEEDS");
    let sum = run_all(seeds.clone(), "MILLRACE_SIM_COMPACTION_SEED", |seed| compaction::run(seed, None));
    println!("compaction seeds {seeds:?}: {sum:?}");
    let count = seeds.end - seeds.start;
    assert!(count == 1 || sum.replaced > count, "next to nothing was compacted: {sum:?}");
}
