//! An ordered map whose copies share what they have in common: sorted entries in small chunks, each behind an `Arc`.
//!
//! A copy costs one `Arc`; the first change after it copies the list of chunks (one pointer for some 64 entries) and
//! one chunk, further changes only chunks not copied yet. Immutable copies may be read from any shard. Holds no hash,
//! so its order is the same in every run.

use std::borrow::Borrow;
use std::sync::Arc;

/// A chunk over this many entries is split.
const SPLIT: usize = 128;
/// Two neighbours that together hold at most this many entries are joined.
const JOIN: usize = 48;

type Chunk<K, V> = Arc<Vec<(K, V)>>;

/// The map.
#[derive(Debug)]
pub struct PersistentMap<K, V> {
    chunks: Arc<Vec<Chunk<K, V>>>,
    len: usize,
}

impl<K, V> Clone for PersistentMap<K, V> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), len: self.len }
    }
}

impl<K, V> Default for PersistentMap<K, V> {
    fn default() -> Self {
        Self { chunks: Arc::new(Vec::new()), len: 0 }
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for PersistentMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K, V> PersistentMap<K, V> {
    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All entries in order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().map(|(key, value)| (key, value)))
    }

    /// All values in order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Clone, V: Clone> PersistentMap<K, V> {
    /// The chunk in which `key` is or would be: the last one that starts at or below it.
    fn chunk_of<Q: Ord + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        self.chunks
            .partition_point(|chunk| chunk.first().is_some_and(|(first, _)| first.borrow() <= key))
            .saturating_sub(1)
    }

    /// The value of `key`.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let chunk = self.chunks.get(self.chunk_of(key))?;
        let at = chunk.binary_search_by(|(present, _)| present.borrow().cmp(key)).ok()?;
        chunk.get(at).map(|(_, value)| value)
    }

    /// The value of `key`, to be changed in place. Copies its chunk if another map shares it.
    #[must_use]
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at_chunk = self.chunk_of(key);
        let chunk = self.chunks.get(at_chunk)?;
        let at = chunk.binary_search_by(|(present, _)| present.borrow().cmp(key)).ok()?;
        let chunk = Arc::make_mut(&mut self.chunks).get_mut(at_chunk)?;
        Arc::make_mut(chunk).get_mut(at).map(|(_, value)| value)
    }

    /// Sets the value of `key` and gives the former one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let at_chunk = self.chunk_of(&key);
        let chunks = Arc::make_mut(&mut self.chunks);
        let Some(shared) = chunks.get_mut(at_chunk) else {
            chunks.push(Arc::new(vec![(key, value)]));
            self.len += 1;
            return None;
        };
        let chunk = Arc::make_mut(shared);
        match chunk.binary_search_by(|(present, _)| present.cmp(&key)) {
            Ok(at) => chunk.get_mut(at).map(|(_, present)| std::mem::replace(present, value)),
            Err(at) => {
                chunk.insert(at, (key, value));
                self.len += 1;
                if chunk.len() > SPLIT {
                    let upper = chunk.split_off(SPLIT / 2);
                    chunks.insert(at_chunk + 1, Arc::new(upper));
                }
                None
            }
        }
    }

    /// Removes `key` and gives its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at_chunk = self.chunk_of(key);
        let at =
            self.chunks.get(at_chunk)?.binary_search_by(|(present, _)| present.borrow().cmp(key)).ok()?;
        let chunks = Arc::make_mut(&mut self.chunks);
        let (_, value) = Arc::make_mut(chunks.get_mut(at_chunk)?).remove(at);
        self.len -= 1;
        Self::join(chunks, at_chunk);
        Some(value)
    }

    /// Keeps chunks from becoming many and small: an empty one goes, a small one joins its neighbour.
    fn join(chunks: &mut Vec<Chunk<K, V>>, at: usize) {
        let len_at = |at: usize| chunks.get(at).map(|chunk| chunk.len());
        let Some(len) = len_at(at) else { return };
        if len == 0 {
            chunks.remove(at);
            return;
        }
        let left = match (at.checked_sub(1).and_then(len_at), len_at(at + 1)) {
            (Some(before), _) if before + len <= JOIN => at - 1,
            (_, Some(after)) if len + after <= JOIN => at,
            _ => return,
        };
        let right = chunks.remove(left + 1);
        if let Some(chunk) = chunks.get_mut(left) {
            Arc::make_mut(chunk).extend(right.iter().cloned());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn behaves_like_a_btree_and_copies_stay_as_they_were() {
        let mut map = PersistentMap::<u32, u32>::default();
        let mut model = BTreeMap::new();
        let mut copies = Vec::new();
        let mut state = 12345_u32;
        for step in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = state >> 22;
            // Growing first, shrinking later.
            if (state >> 8) % 20_000 > step {
                assert_eq!(map.insert(key, step), model.insert(key, step));
            } else {
                assert_eq!(map.remove(&key), model.remove(&key));
            }
            if let Some(value) = map.get_mut(&(key ^ 1)) {
                *value += 1;
                *model.get_mut(&(key ^ 1)).unwrap() += 1;
            }
            if step % 1_000 == 0 {
                copies.push((map.clone(), model.clone()));
            }
            assert_eq!(map.get(&key), model.get(&key));
            assert_eq!(map.len(), model.len());
        }
        copies.push((map, model));
        for (map, model) in copies {
            assert!(map.iter().eq(model.iter()));
            assert!(map.chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= SPLIT));
        }
    }
}
