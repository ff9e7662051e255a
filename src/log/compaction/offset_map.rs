//! The last offset of each key of a log's dirty part. Pure.
//!
//! Keys are known by 128 bits of a hash with a secret drawn for the pass, as Kafka knows them by theirs: two keys with the
//! same bits would be taken for one. Memory: at most the bytes given, also while the table grows; when it is full the
//! pass ends there and the next one goes on.

use std::hash::{DefaultHasher, Hasher};

/// A key, as the map knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyHash(u64, u64);

#[derive(Clone, Copy)]
struct Slot {
    key: KeyHash,
    /// -1 for a free slot.
    offset: i64,
}

const FREE: Slot = Slot { key: KeyHash(0, 0), offset: -1 };
const SLOT_BYTES: u64 = size_of::<Slot>() as u64;
const LEAST_SLOTS: usize = 8;

/// See the module.
pub(crate) struct OffsetMap {
    slots: Vec<Slot>,
    used: usize,
    most_slots: usize,
    load_factor: f64,
    secret: [u64; 2],
    /// The last offset that the map speaks of: records above are not judged by it.
    pub(crate) latest_offset: i64,
}

impl OffsetMap {
    /// A map of at most `limit_bytes`, filled to `load_factor` at most.
    pub(crate) fn new(limit_bytes: u64, load_factor: f64, secret: [u64; 2]) -> Self {
        // While it grows for the last time the table of half the size is there too.
        let most = usize::try_from(limit_bytes / SLOT_BYTES * 2 / 3).unwrap_or(usize::MAX).max(LEAST_SLOTS);
        let mut first = most;
        while first / 2 >= LEAST_SLOTS {
            first /= 2;
        }
        Self {
            slots: vec![FREE; first],
            used: 0,
            most_slots: most,
            load_factor: load_factor.clamp(0.1, 0.95),
            secret,
            latest_offset: -1,
        }
    }

    /// What the map knows a key by.
    pub(crate) fn hash(&self, key: &[u8]) -> KeyHash {
        let [first, second] = self.secret.map(|secret| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(secret);
            hasher.write(key);
            hasher.finish()
        });
        KeyHash(first, second)
    }

    /// Notes that the key was written at `offset`, behind everything noted so far. False when the map is full.
    pub(crate) fn put(&mut self, key: KeyHash, offset: i64) -> bool {
        let at = self.find(key);
        if let Some(slot) = self.slots.get_mut(at).filter(|slot| slot.offset >= 0) {
            slot.offset = offset;
            return true;
        }
        if self.used >= self.room() {
            if !self.grow() {
                return false;
            }
            return self.put(key, offset);
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Slot { key, offset };
            self.used += 1;
        }
        true
    }

    /// The last offset of a key.
    pub(crate) fn get(&self, key: KeyHash) -> Option<i64> {
        self.slots.get(self.find(key)).map(|slot| slot.offset).filter(|offset| *offset >= 0)
    }

    /// Keys in the map.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    fn room(&self) -> usize {
        (self.slots.len() as f64 * self.load_factor) as usize
    }

    /// The slot of `key`, or the free one where it would go: there always is a free one.
    fn find(&self, key: KeyHash) -> usize {
        let count = self.slots.len();
        let mut at = ((u128::from(key.0) * count as u128) >> 64) as usize;
        loop {
            match self.slots.get(at) {
                Some(slot) if slot.offset >= 0 && slot.key != key => at += 1,
                Some(_) => return at,
                None => at = 0,
            }
        }
    }

    fn grow(&mut self) -> bool {
        let larger = (self.slots.len() * 2 + 1).min(self.most_slots);
        if larger <= self.slots.len() {
            return false;
        }
        let old = std::mem::replace(&mut self.slots, vec![FREE; larger]);
        for slot in old.into_iter().filter(|slot| slot.offset >= 0) {
            let at = self.find(slot.key);
            if let Some(place) = self.slots.get_mut(at) {
                *place = slot;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_last_offset_of_each_key_is_known_while_the_table_grows() {
        let mut map = OffsetMap::new(1 << 20, 0.9, [1, 2]);
        let mut expected = BTreeMap::new();
        for offset in 0..40_000i64 {
            let key = (offset * 7919 % 12_345).to_be_bytes();
            let hash = map.hash(&key);
            assert!(map.put(hash, offset));
            expected.insert(key, offset);
        }
        assert_eq!(map.len(), expected.len());
        for (key, offset) in expected {
            assert_eq!(map.get(map.hash(&key)), Some(offset));
        }
        assert_eq!(map.get(map.hash(b"never")), None);
    }

    #[test]
    fn a_full_map_takes_known_keys_only_and_stays_within_its_bytes() {
        for limit in [0, 10_000, 100_000, 1 << 20] {
            let mut map = OffsetMap::new(limit, 0.9, [3, 4]);
            let mut number = 0u64;
            while map.put(map.hash(&number.to_be_bytes()), 1) {
                number += 1;
            }
            assert!(number > 0);
            let bytes = (map.slots.len() + map.slots.len() / 2) as u64 * SLOT_BYTES;
            assert!(bytes <= limit.max(3 * LEAST_SLOTS as u64 * SLOT_BYTES), "{bytes} of {limit}");
            assert!(map.put(map.hash(&0u64.to_be_bytes()), 7));
            assert_eq!(map.get(map.hash(&0u64.to_be_bytes())), Some(7));
        }
    }
}
