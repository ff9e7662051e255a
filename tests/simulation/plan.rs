//! What a seed means: how many shards and directories, which limits, which faults, how lives end.

use std::path::PathBuf;

use millrace::log::{CleanerSettings, Durability, LogConfig, LogSettings, Sabotage};
use millrace::runtime::sim::{Faults, Random};

/// How a life ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    PowerCut,
    Kill,
    CleanStop,
    /// A clean stop that a power cut interrupts.
    BrokenStop,
}

/// The choices of one seed.
pub struct Plan {
    pub seed: u64,
    pub random: Random,
    pub settings: LogSettings,
    pub faults: Faults,
    pub directories: Vec<PathBuf>,
    pub capacity: u64,
    pub partitions: usize,
    pub lives: usize,
    pub operations: u32,
    /// Errors of the disk may be injected.
    pub disk_errors: bool,
}

fn one_of<T: Copy>(random: &mut Random, items: &[T]) -> T {
    *random.pick(items).unwrap()
}

impl Plan {
    pub fn new(seed: u64, sabotage: Option<Sabotage>) -> Self {
        let mut random = Random::new(seed ^ 0x6d69_6c6c);
        let r = &mut random;
        let journal_bytes = one_of(r, &[256 << 10, 512 << 10, 1 << 20]);
        let durability = match r.below(20) {
            0 => Durability::Write,
            1 => Durability::Memory,
            _ => Durability::Flush,
        };
        let settings = LogSettings {
            durability: if sabotage.is_some() { Durability::Flush } else { durability },
            journal_bytes,
            journal_live_bytes: journal_bytes / one_of(r, &[2, 3, 4]),
            journal_start_bytes: if r.chance(0.5) { journal_bytes } else { 128 << 10 },
            journal_groups_in_flight: 1 + r.index(2),
            journal_group_limit_bytes: one_of(r, &[16 << 10, 64 << 10]),
            journal_group_spacing_us: one_of(r, &[0, 0, 0, 300]),
            bypass_bytes: one_of(r, &[8 << 10, 16 << 10, 64 << 10]),
            bypass_alone_bytes: one_of(r, &[16 << 10, 64 << 10, 128 << 10]),
            tail_idle_seal_ms: one_of(r, &[5, 50, 1_000]),
            zero_ahead_bytes: one_of(r, &[0, 64 << 10, 256 << 10]),
            zero_ahead_bytes_per_second: 300_000_000,
            background_inflight_bytes: one_of(r, &[64 << 10, 512 << 10]),
            disk_reserve_bytes: 1 << 20,
            disk_shards: 1,
            open_segments: one_of(r, &[1, 2, 100]),
            // Not drawn: a draw more would make other histories of all seeds.
            open_writers: if seed % 2 == 1 { 1 } else { 4096 },
            allow_unsafe_filesystem: true,
            retention_check_interval_ms: one_of(r, &[20, 200]),
            checkpoint_interval_ms: one_of(r, &[30, 1_000]),
            unscanned_bytes: one_of(r, &[64 << 10, 1 << 20]),
            tail_cache_bytes: one_of(r, &[1 << 20, 4 << 20]),
            huge_pages: false,
            producer_id_expiration_ms: 86_400_000,
            max_producers: 100,
            max_transaction_timeout_ms: 900_000,
            verify_transactions: false,
            // Compaction has seeds of its own.
            cleaner_enabled: false,
            cleaner: CleanerSettings::default(),
            sabotage,
        };
        let directories = (0..1 + r.index(2)).map(|number| PathBuf::from(format!("/data{number}"))).collect();
        Self {
            seed,
            settings,
            faults: if r.chance(0.5) { Faults::mild() } else { Faults::none() },
            directories,
            capacity: 64 << 20,
            partitions: 1 + r.index(5),
            lives: 2 + r.index(3),
            operations: 20 + r.below(80) as u32,
            disk_errors: sabotage.is_none() && r.chance(0.15),
            random,
        }
    }

    pub fn shards(&mut self) -> usize {
        1 + self.random.index(4)
    }

    /// Below `flush` a power cut may take anything; only ends of the process are tried there.
    pub fn power_cuts(&self) -> bool {
        self.settings.durability == Durability::Flush
    }

    pub fn ending(&mut self) -> Ending {
        let drawn = self.random.below(20);
        if !self.power_cuts() {
            return if drawn < 14 { Ending::Kill } else { Ending::CleanStop };
        }
        match drawn {
            0..10 => Ending::PowerCut,
            10..14 => Ending::Kill,
            14..18 => Ending::CleanStop,
            _ => Ending::BrokenStop,
        }
    }

    /// Whether an acknowledgement outlives a crash of this kind.
    pub fn holds(&self, ending: Ending) -> bool {
        match (self.settings.durability, ending) {
            (Durability::Flush, _) | (_, Ending::CleanStop) => true,
            (Durability::Write, Ending::Kill) => true,
            _ => false,
        }
    }
}

/// A topic's configuration, small enough that segments roll and retention has work.
pub fn config(random: &mut Random) -> LogConfig {
    LogConfig {
        segment_bytes: one_of(random, &[12 << 10, 40 << 10, 200 << 10, 1 << 20]),
        segment_ms: one_of(random, &[100, 60_000, 86_400_000]),
        segment_jitter_ms: 0,
        segment_index_bytes: one_of(random, &[64, 10 << 20]),
        index_interval_bytes: one_of(random, &[0, 1024, 4096]),
        retention_ms: None,
        retention_bytes: random.chance(0.2).then(|| one_of(random, &[0, 50 << 10, 200 << 10])),
        file_delete_delay_ms: one_of(random, &[0, 20, 500]),
        delete: true,
        log_append_time: random.chance(0.1),
        preallocate: random.chance(0.2),
        ..LogConfig::default()
    }
}
