//! Which shard owns a partition. Immutable, shared by all shards; nothing on disk depends on it.

use std::collections::BTreeMap;

use crate::protocol::Uuid;
use crate::runtime::ShardId;

/// The owners of all partitions: a function of topic id and partition, and the exceptions that were moved.
#[derive(Clone, Debug)]
pub struct ShardTable {
    shards: u16,
    moved: BTreeMap<(Uuid, i32), ShardId>,
}

impl ShardTable {
    /// The table of `shards` shards (at least 1), with nothing moved.
    #[must_use]
    pub fn new(shards: u16) -> Self {
        assert!(shards > 0, "there is at least one shard");
        Self { shards, moved: BTreeMap::new() }
    }

    /// The shard that owns a partition: the partitions of one topic go round, beginning anywhere.
    #[must_use]
    pub fn owner(&self, topic_id: Uuid, partition: i32) -> ShardId {
        if topic_id == Uuid::METADATA_TOPIC {
            return 0;
        }
        if let Some(&shard) = self.moved.get(&(topic_id, partition)) {
            return shard;
        }
        let start = topic_id.0.first_chunk::<8>().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let turn = start.wrapping_add(u64::from(partition.unsigned_abs())) % u64::from(self.shards);
        turn as ShardId
    }

    /// The number of shards.
    #[must_use]
    pub fn shards(&self) -> u16 {
        self.shards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_partitions_of_a_topic_are_spread_evenly() {
        let table = ShardTable::new(3);
        for first in [0u8, 7, 255] {
            let mut counts = [0; 3];
            for partition in 0..300 {
                counts[usize::from(table.owner(Uuid([first; 16]), partition))] += 1;
            }
            // Where the numbers wrap around, one shard gets one more.
            assert!(counts.iter().all(|count| (99..=101).contains(count)), "{counts:?}");
        }
    }
}
