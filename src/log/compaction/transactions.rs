//! Transactions on the way of a cleaning pass: which batches were aborted, which markers are still needed. Pure.
//!
//! Kafka's rules (CleanedTransactionMetadata): records of aborted transactions go; a marker goes when no batch of its
//! transaction was met any more, and not before its own delete horizon; an abort whose batches were met stays in the
//! cleaned segment's transaction index.

use std::collections::{BTreeMap, BTreeSet};

use crate::log::transaction_index::AbortedTransaction;
use crate::protocol::record_batch::{Batch, BatchError, ControlType};

/// More than any control record needs; they are never compressed.
const CONTROL_LIMIT_BYTES: usize = 64 << 10;

struct Aborted {
    transaction: AbortedTransaction,
    /// Whether a batch of it was met.
    met: bool,
}

/// What was met so far; batches come in the order of the log.
#[derive(Default)]
pub(crate) struct Transactions {
    /// Aborted ones that were not reached yet, by first offset and producer.
    ahead: BTreeMap<(i64, i64), AbortedTransaction>,
    /// By producer.
    aborted: BTreeMap<i64, Aborted>,
    /// Producers with batches of a transaction that was not aborted.
    committed: BTreeSet<i64>,
    /// Aborts whose markers were met and whose batches were still there.
    kept: Vec<AbortedTransaction>,
}

impl Transactions {
    /// Tells of transactions that were aborted, as the log's indexes know them.
    pub(crate) fn add_aborted(&mut self, transactions: impl IntoIterator<Item = AbortedTransaction>) {
        for transaction in transactions {
            self.ahead.insert((transaction.first_offset, transaction.producer_id), transaction);
        }
    }

    /// Notes a batch; whether its records may go: of a data batch because its transaction was aborted, of a marker
    /// because nothing of its transaction was met.
    pub(crate) fn on_batch(&mut self, batch: &Batch<'_>) -> Result<bool, BatchError> {
        let header = &batch.header;
        self.reach(header.last_offset());
        if header.attributes.is_control() {
            return self.on_control(batch);
        }
        if !header.attributes.is_transactional() {
            return Ok(false);
        }
        match self.aborted.get_mut(&header.producer_id) {
            Some(aborted) => {
                aborted.met = true;
                Ok(true)
            }
            None => {
                self.committed.insert(header.producer_id);
                Ok(false)
            }
        }
    }

    /// The aborts for the cleaned segment's index since the last call.
    pub(crate) fn take_kept(&mut self) -> Vec<AbortedTransaction> {
        std::mem::take(&mut self.kept)
    }

    fn on_control(&mut self, batch: &Batch<'_>) -> Result<bool, BatchError> {
        let producer = batch.header.producer_id;
        let mut scratch = Vec::new();
        let Some(record) = batch.records(CONTROL_LIMIT_BYTES, &mut scratch)?.next() else {
            // Cleaned before.
            return Ok(true);
        };
        Ok(match ControlType::from_key(record?.key.unwrap_or_default()) {
            Ok(ControlType::Abort) => match self.aborted.remove(&producer) {
                Some(aborted) if aborted.met => {
                    self.kept.push(aborted.transaction);
                    false
                }
                _ => true,
            },
            Ok(ControlType::Commit) => !self.committed.remove(&producer),
            _ => false,
        })
    }

    fn reach(&mut self, offset: i64) {
        while let Some(entry) = self.ahead.first_entry() {
            if entry.key().0 > offset {
                return;
            }
            let transaction = entry.remove();
            self.aborted.entry(transaction.producer_id).or_insert(Aborted { transaction, met: false });
        }
    }
}
