//! Random numbers for choices that need no secrecy: partitions, payloads, group names.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A xorshift generator (Marsaglia 2003, with a multiplication behind it).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Seeded by the operating system.
    pub fn new() -> Self {
        Self::seeded(RandomState::new().build_hasher().finish())
    }

    /// The same numbers for the same seed.
    pub fn seeded(seed: u64) -> Self {
        // Zero is the one state it never leaves; the multiplication spreads small seeds.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        // The high half: good enough for choices, without a division by the whole range.
        ((self.next_u64() >> 32).wrapping_mul(bound as u64) >> 32) as usize
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}
