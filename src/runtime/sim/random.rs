//! The simulator's only source of chance: xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64.

use std::ops::Range;

/// Mixes `value` into `state`; the step of splitmix64, used for trace hashes too.
#[must_use]
pub fn mix(state: u64, value: u64) -> u64 {
    let mut word = state.rotate_left(23) ^ value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A seeded generator. The same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// A generator from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = [0; 4];
        let mut word = seed;
        for slot in &mut state {
            word = mix(word, 0x6d69_6c6c_7261_6365);
            *slot = word;
        }
        Self(state)
    }

    /// Another generator that does not depend on how much is drawn from this one later.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::new(self.next_u64())
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// An index below `n`; 0 when `n` is 0.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// A number of `range`; its start when it is empty.
    pub fn range(&mut self, range: Range<u64>) -> u64 {
        range.start + self.below(range.end.saturating_sub(range.start))
    }

    /// True with `probability` (0 to 1).
    pub fn chance(&mut self, probability: f64) -> bool {
        // Drawn in every case, so that changing one probability does not shift what follows.
        let drawn = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        drawn < probability
    }

    /// One of `items`; None when there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.index(items.len()))
    }

    /// Puts `items` in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_repeat_by_seed_and_stay_in_range() {
        let (mut one, mut two, mut other) = (Random::new(7), Random::new(7), Random::new(8));
        let mut differs = false;
        for _ in 0..1000 {
            let drawn = one.range(10..20);
            assert!((10..20).contains(&drawn));
            assert_eq!(drawn, two.range(10..20));
            differs |= drawn != other.range(10..20);
        }
        assert!(differs);
        assert_eq!(one.below(0), 0);
    }

    #[test]
    fn chance_is_near_its_probability() {
        let mut random = Random::new(1);
        let hits = (0..10_000).filter(|_| random.chance(0.25)).count();
        assert!((2_300..2_700).contains(&hits), "{hits}");
        assert!(!random.chance(0.0));
        assert!(random.chance(1.0));
    }
}
