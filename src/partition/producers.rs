//! The producers that a partition knows, for people (KIP-664).

use super::leader::Partition;
use crate::protocol::ErrorCode;

/// One producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveProducer {
    /// Its id.
    pub id: i64,
    /// Its epoch.
    pub epoch: i16,
    /// The sequence of its last record, or -1.
    pub last_sequence: i32,
    /// The time of its last batch, or -1.
    pub last_timestamp_ms: i64,
    /// The epoch of the transaction coordinator that wrote its last marker, or -1.
    pub coordinator_epoch: i32,
    /// Where its open transaction begins.
    pub transaction_first_offset: Option<i64>,
}

impl Partition {
    /// The producers whose state is kept, by id.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER when this broker does not lead.
    pub fn active_producers(&self) -> Result<Vec<ActiveProducer>, ErrorCode> {
        self.check_leader(-1)?;
        Ok(self.log().with_producers(|producers| {
            let known = producers.iter().map(|(id, entry)| ActiveProducer {
                id,
                epoch: entry.producer_epoch(),
                last_sequence: entry.last_sequence(),
                last_timestamp_ms: entry.last_timestamp_ms(),
                coordinator_epoch: entry.coordinator_epoch(),
                transaction_first_offset: entry.transaction_first_offset(),
            });
            known.collect()
        }))
    }
}
