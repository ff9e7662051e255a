//! Which partition a record goes to: by its key, or in turns of about one batch.

use crate::tools::random::Random;

/// The hash of Kafka's default partitioner: murmur2 with its seed.
pub fn murmur2(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut hash = 0x9747_b28c ^ data.len() as u32;
    let mut chunks = data.chunks_exact(4);
    for chunk in &mut chunks {
        let mut word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        word = word.wrapping_mul(M);
        word ^= word >> 24;
        word = word.wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ word;
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        for (at, byte) in rest.iter().enumerate() {
            hash ^= u32::from(*byte) << (8 * at);
        }
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^ hash >> 15
}

/// The partition of a key.
pub fn for_key(key: &[u8], partitions: usize) -> usize {
    (murmur2(key) & 0x7fff_ffff) as usize % partitions.max(1)
}

/// Partitions of records without a key: one until about a batch went to it, then another (KIP-794).
#[derive(Debug)]
pub struct Sticky {
    current: Option<usize>,
    bytes: usize,
    limit: usize,
    random: Random,
}

impl Sticky {
    /// Changes the partition every `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { current: None, bytes: 0, limit: limit.max(1), random: Random::new() }
    }

    /// The partition for a record of `bytes`. `waiting` gives, for each partition that has a leader, its number and the
    /// batches that wait for it: the fewer, the more often it is taken.
    pub fn next(&mut self, bytes: usize, waiting: impl Fn() -> Vec<(usize, usize)>) -> Option<usize> {
        if self.current.is_none() || self.bytes >= self.limit {
            self.current = self.choose(&waiting());
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.current
    }

    fn choose(&mut self, waiting: &[(usize, usize)]) -> Option<usize> {
        let longest = waiting.iter().map(|(_, batches)| *batches).max()?;
        let weight = |batches: usize| longest + 1 - batches;
        let total: usize = waiting.iter().map(|(_, batches)| weight(*batches)).sum();
        let mut at = self.random.below(total);
        for (partition, batches) in waiting {
            if at < weight(*batches) {
                return Some(*partition);
            }
            at -= weight(*batches);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_kafkas_clients() {
        let vectors: [(&str, i32); 6] = [
            ("21", -973_932_308),
            ("foobar", -790_332_482),
            ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            ("abc", 479_470_107),
        ];
        for (text, hash) in vectors {
            assert_eq!(murmur2(text.as_bytes()) as i32, hash, "{text}");
        }
        assert_eq!(for_key(b"abc", 10), 7);
        assert_eq!(for_key(b"", 1), 0);
    }

    #[test]
    fn records_without_a_key_stay_until_the_limit_and_avoid_long_queues() {
        let mut sticky = Sticky::new(100);
        let waiting = || vec![(0, 0), (1, 0), (2, 0)];
        let first = sticky.next(60, waiting).unwrap();
        assert_eq!(sticky.next(60, waiting), Some(first));
        let mut taken = [0; 3];
        for _ in 0..300 {
            taken[sticky.next(100, || vec![(0, 99), (1, 0), (2, 0)]).unwrap()] += 1;
        }
        assert!(taken[0] < 30 && taken[1] > 80 && taken[2] > 80, "{taken:?}");
        assert_eq!(Sticky::new(1).next(1, Vec::new), None);
    }
}
