//! Faults planted in the log engine: the seeds must find each, by what it breaks.

use millrace::log::Sabotage;

use crate::compaction;
use crate::seeds::{contained, run_one};

/// Seeds tried at most for one fault.
const SEEDS: u64 = 1000;

/// Runs seeds with `fault` until one fails, and checks that the failure is what the fault must cause.
fn must_be_caught(fault: Sabotage, expected: &[&str]) {
    for seed in 0..SEEDS {
        if let Err(what) = run_one(seed, Some(fault)) {
            println!("{fault:?} is caught by seed {seed}: {what}");
            assert!(
                expected.iter().any(|text| what.contains(text)),
                "{fault:?} shows itself in an unexpected way, seed {seed}: {what}"
            );
            return;
        }
    }
    panic!("{fault:?} is not caught by {SEEDS} seeds");
}

const LOST: &str = "acknowledged records are lost";
const GONE: &str = "is gone after a restart";
const OFFLINE: &str = "is offline";
const WRONG: &str = "after a restart";
const LOG_START: &str = "the log start of";
/// A directory whose file with the topic's id is empty.
const STRANGE: &str = "was never made";
const CAME_BACK: &str = "offsets were given only up to";

#[test]
fn an_acknowledgement_before_the_flush() {
    must_be_caught(Sabotage::AckBeforeFlush, &[LOST]);
}

#[test]
fn a_write_covered_by_another_files_flush() {
    must_be_caught(Sabotage::FlushOfAnotherFile, &[LOST, OFFLINE, WRONG]);
}

#[test]
fn a_journal_copy_dropped_before_the_segment_has_it() {
    must_be_caught(Sabotage::JournalDroppedBeforeSegment, &[LOST, OFFLINE, WRONG, LOG_START]);
}

#[test]
fn a_truncation_that_is_not_replayed() {
    must_be_caught(Sabotage::TruncationNotReplayed, &[CAME_BACK, OFFLINE, WRONG]);
}

#[test]
fn an_entry_of_a_stale_incarnation() {
    must_be_caught(Sabotage::StaleIncarnationAccepted, &[LOST, CAME_BACK, OFFLINE, WRONG, LOG_START]);
}

#[test]
fn a_lap_of_the_journal_taken_for_another() {
    must_be_caught(Sabotage::JournalLapConfused, &[LOST, CAME_BACK, OFFLINE, WRONG]);
}

#[test]
fn a_name_that_is_not_flushed() {
    must_be_caught(Sabotage::DirectoryNotFlushed, &[LOST, GONE, OFFLINE, WRONG, "starts at"]);
}

#[test]
fn a_compacted_segment_that_is_not_flushed() {
    for seed in 0..SEEDS {
        if contained(|| compaction::run(seed, None)).is_err() {
            continue;
        }
        if let Err(what) = contained(|| compaction::run(seed, Some(Sabotage::CleanedNotFlushed))) {
            println!("an unflushed compacted segment is caught by seed {seed}: {what}");
            let expected =
                ["is lost", "came back", "reading", "was not written", "offline", "after a restart"];
            assert!(expected.iter().any(|text| what.contains(text)), "seed {seed}: {what}");
            return;
        }
    }
    panic!("not caught by {SEEDS} seeds");
}

#[test]
fn a_copy_in_another_log_directory_that_is_not_flushed() {
    must_be_caught(Sabotage::CopyNotFlushed, &[LOST, GONE, OFFLINE, WRONG, LOG_START, STRANGE]);
}

#[test]
fn an_index_that_is_off_by_one() {
    must_be_caught(Sabotage::IndexOffByOne, &[WRONG, "wrong bytes", "too little", "reading all of", "time "]);
}
