//! Recovery on a real disk: the broker's process is killed, and file systems are cut off, under load. What was
//! acknowledged is there afterwards, once, in order, byte for byte, and an idempotent producer that repeats what it is
//! in doubt about finds it stored exactly once.
//!
//! Rounds come from MILLRACE_KILLS, MILLRACE_CUTS and MILLRACE_MOVE_KILLS (3 each unless set; tests/run sets what CI asks for). The seed is
//! printed; MILLRACE_SEED repeats a run's choices (not its timing).

#![allow(missing_docs, clippy::unwrap_used, clippy::should_implement_trait, clippy::explicit_counter_loop)]

mod broker;
mod client;
mod failing_disks;
mod kills;
mod load;
mod relocations;
mod volume;
mod volumes;

/// Numbers that are the same for the same seed.
pub struct Random(u64);

impl Random {
    /// From MILLRACE_SEED or the clock; prints it.
    pub fn seeded(test: &str) -> Self {
        let seed =
            std::env::var("MILLRACE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| {
                std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64
            });
        eprintln!("{test}: MILLRACE_SEED={seed}");
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// Rounds from the environment.
pub fn rounds(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
