//! A small seeded generator, and random values of the types that messages have.

use millrace::protocol::wire::{Records, Uuid};

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    /// A generator for one test: seed 1, so that a run says only what the code does, or the one that `MILLRACE_TEST_SEED`
    /// names, to look further. The seed is printed.
    pub fn for_test(name: &str) -> Self {
        let seed = std::env::var("MILLRACE_TEST_SEED")
            .map_or(1, |seed| seed.parse().expect("MILLRACE_TEST_SEED is a number"));
        println!("{name}: MILLRACE_TEST_SEED={seed}");
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn nullable<T: Random>(&mut self, version: i16) -> Option<T> {
        if self.chance(3) { None } else { Some(T::random(self, version)) }
    }

    /// A number with as many bits as chance gives, so that small and large ones are both frequent.
    fn number(&mut self) -> u64 {
        let bits = self.below(65);
        let value = if bits == 0 { 0 } else { self.next() >> (64 - bits) };
        if self.chance(3) { value.wrapping_neg() } else { value }
    }
}

/// What can be made at random; fields that a version lacks get their defaults.
pub trait Random: Sized {
    fn random(rng: &mut Rng, version: i16) -> Self;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Random for $type {
            fn random(rng: &mut Rng, _: i16) -> Self {
                rng.number() as $type
            }
        }
    )*};
}

numbers!(i8 i16 u16 i32 u32 i64);

impl Random for bool {
    fn random(rng: &mut Rng, _: i16) -> Self {
        rng.chance(2)
    }
}

impl Random for f64 {
    fn random(rng: &mut Rng, _: i16) -> Self {
        rng.number() as f64 / 16.0
    }
}

impl Random for Uuid {
    fn random(rng: &mut Rng, _: i16) -> Self {
        if rng.chance(4) {
            Self::ZERO
        } else {
            Self::from_u128(u128::from(rng.next()) << 64 | u128::from(rng.next()))
        }
    }
}

/// 300 characters: its length takes two bytes as a varint.
const LONG: &str = concat!(
    "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjj",
    "kkkkkkkkkkllllllllllmmmmmmmmmmnnnnnnnnnnooooooooooppppppppppqqqqqqqqqqrrrrrrrrrrssssssssssxxxxxxxxxx",
    "tttttttttt0000000000111111111122222222223333333333444444444455555555556666666666777777777788888888xy",
);

impl Random for &'static str {
    fn random(rng: &mut Rng, _: i16) -> Self {
        rng.pick(&["", "a", "events", "orders.v2_x-1", "grüße", "日本語", "🦀", "\0", LONG])
    }
}

impl Random for &'static [u8] {
    fn random(rng: &mut Rng, _: i16) -> Self {
        let bytes: &[&'static [u8]] = &[b"", &[0], &[0xff; 5], b"metadata", &[7; 127], &[8; 200]];
        rng.pick(bytes)
    }
}

impl Random for Records<'static> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        if rng.chance(4) { Self::Null } else { Self::Slice(Random::random(rng, version)) }
    }
}

impl<T: Random> Random for Vec<T> {
    fn random(rng: &mut Rng, version: i16) -> Self {
        let count = if rng.chance(40) { 130 } else { rng.below(4) };
        // Long arrays only where elements are small: nesting multiplies.
        let count = if size_of::<T>() > 16 { count.min(3) } else { count };
        (0..count).map(|_| T::random(rng, version)).collect()
    }
}
