//! The transaction index of a segment (`<base offset>.txnindex`): the transactions whose abort marker is in it.
//!
//! Owns the bytes of the entries and nothing else; no I/O. Entries rise by last offset. Readers at `read_committed`
//! learn from it which batches to leave out (KIP-98). A segment without an aborted transaction has no such file. The
//! number of entries is bounded by the markers that fit a segment.

use super::index::{IndexError, not_rising};

/// Bytes of one entry: version (16 bits), producer id, first, last and last stable offset (64 bits each), big-endian.
pub const ENTRY_BYTES: usize = 34;

/// The only version of an entry.
const VERSION: i16 = 0;

/// A transaction that was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedTransaction {
    /// Whose transaction it was.
    pub producer_id: i64,
    /// The offset of its first record in the partition.
    pub first_offset: i64,
    /// The offset of the abort marker.
    pub last_offset: i64,
    /// The last stable offset right after the marker.
    pub last_stable_offset: i64,
}

impl AbortedTransaction {
    fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut entry = [0; ENTRY_BYTES];
        let (version, fields) = entry.split_at_mut(2);
        version.copy_from_slice(&VERSION.to_be_bytes());
        let values = [self.producer_id, self.first_offset, self.last_offset, self.last_stable_offset];
        for (field, value) in fields.as_chunks_mut::<8>().0.iter_mut().zip(values) {
            *field = value.to_be_bytes();
        }
        entry
    }

    fn parse(entry: &[u8; ENTRY_BYTES]) -> Self {
        let mut fields = entry.get(2..).unwrap_or_default().as_chunks::<8>().0.iter();
        let mut next = || fields.next().map_or(0, |field| i64::from_be_bytes(*field));
        let (producer_id, first_offset, last_offset, last_stable_offset) = (next(), next(), next(), next());
        Self { producer_id, first_offset, last_offset, last_stable_offset }
    }
}

/// Look-ups over the bytes of a transaction index.
#[derive(Clone, Copy, Debug)]
pub struct TransactionIndexView<'a> {
    base_offset: i64,
    entries: &'a [[u8; ENTRY_BYTES]],
    length: usize,
}

impl<'a> TransactionIndexView<'a> {
    /// A view of a file's bytes; bytes after the last whole entry are not looked at.
    pub fn new(base_offset: i64, bytes: &'a [u8]) -> Self {
        let (entries, _) = bytes.as_chunks();
        Self { base_offset, entries, length: bytes.len() }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The last entry.
    pub fn last(&self) -> Option<AbortedTransaction> {
        self.entries.last().map(AbortedTransaction::parse)
    }

    /// All entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = AbortedTransaction> + use<'a> {
        self.entries.iter().map(AbortedTransaction::parse)
    }

    /// Adds to `found` what overlaps with a fetch from `fetch_offset` to `upper_bound_offset` (not included). `true`
    /// means that no later segment can have more, so the search ends.
    pub fn collect(
        &self,
        fetch_offset: i64,
        upper_bound_offset: i64,
        found: &mut Vec<AbortedTransaction>,
    ) -> bool {
        for transaction in self.iter() {
            if transaction.last_offset >= fetch_offset && transaction.first_offset < upper_bound_offset {
                found.push(transaction);
            }
            // What is aborted after this was not begun before the last stable offset of this moment.
            if transaction.last_stable_offset >= upper_bound_offset {
                return true;
            }
        }
        false
    }

    /// Whole entries of the known version, rising, none that ends before the segment.
    pub fn sanity_check(&self) -> Result<(), IndexError> {
        if !self.length.is_multiple_of(ENTRY_BYTES) {
            return Err(IndexError::Length { length: self.length as u64, entry_bytes: ENTRY_BYTES as u64 });
        }
        let mut previous = None;
        for (number, (bytes, transaction)) in self.entries.iter().zip(self.iter()).enumerate() {
            let [v0, v1, ..] = *bytes;
            let version = i16::from_be_bytes([v0, v1]);
            if version != VERSION {
                return Err(IndexError::Version { entry: number, version });
            }
            let last_offset = transaction.last_offset;
            if last_offset < self.base_offset {
                return Err(IndexError::LastBelowBase { last_offset, base_offset: self.base_offset });
            }
            match previous {
                Some(previous) if last_offset <= previous => {
                    return Err(not_rising(number, last_offset, previous));
                }
                _ => previous = Some(last_offset),
            }
        }
        Ok(())
    }
}

/// The transaction index of a segment that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionIndex {
    base_offset: i64,
    bytes: Vec<u8>,
}

impl TransactionIndex {
    /// The empty index of a segment.
    pub fn new(base_offset: i64) -> Self {
        Self { base_offset, bytes: Vec::new() }
    }

    /// The index in a file's bytes, checked.
    pub fn from_bytes(base_offset: i64, bytes: &[u8]) -> Result<Self, IndexError> {
        TransactionIndexView::new(base_offset, bytes).sanity_check()?;
        Ok(Self { base_offset, bytes: bytes.to_vec() })
    }

    /// Look-ups.
    pub fn view(&self) -> TransactionIndexView<'_> {
        TransactionIndexView::new(self.base_offset, &self.bytes)
    }

    /// Adds a transaction whose abort marker was just appended. Markers rise.
    pub fn append(&mut self, transaction: AbortedTransaction) -> Result<(), IndexError> {
        if let Some(last) = self.view().last().filter(|l| l.last_offset >= transaction.last_offset) {
            return Err(not_rising(self.len(), transaction.last_offset, last.last_offset));
        }
        self.bytes.extend_from_slice(&transaction.encode());
        Ok(())
    }

    /// Removes the transactions whose marker is at or above `offset`.
    pub fn truncate_to(&mut self, offset: i64) {
        let kept = self.view().iter().take_while(|transaction| transaction.last_offset < offset).count();
        self.bytes.truncate(kept * ENTRY_BYTES);
    }

    /// All entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = AbortedTransaction> + use<'_> {
        self.view().iter()
    }

    /// As [`TransactionIndexView::collect`].
    pub fn collect(
        &self,
        fetch_offset: i64,
        upper_bound_offset: i64,
        found: &mut Vec<AbortedTransaction>,
    ) -> bool {
        self.view().collect(fetch_offset, upper_bound_offset, found)
    }

    /// The bytes of the file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY_BYTES
    }

    /// Whether there is no entry: then there is no file either.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aborted(
        producer_id: i64,
        first_offset: i64,
        last_offset: i64,
        last_stable_offset: i64,
    ) -> AbortedTransaction {
        AbortedTransaction { producer_id, first_offset, last_offset, last_stable_offset }
    }

    fn index() -> TransactionIndex {
        let mut index = TransactionIndex::new(0);
        // Kafka's own example: producers 0 to 2 interleaved.
        for transaction in
            [aborted(0, 0, 10, 2), aborted(1, 5, 15, 16), aborted(2, 18, 35, 25), aborted(3, 32, 50, 40)]
        {
            index.append(transaction).unwrap();
        }
        index
    }

    fn collect(index: &TransactionIndex, from: i64, to: i64) -> (Vec<i64>, bool) {
        let mut found = Vec::new();
        let complete = index.collect(from, to, &mut found);
        (found.iter().map(|transaction| transaction.producer_id).collect(), complete)
    }

    #[test]
    fn a_fetch_gets_the_transactions_that_overlap_with_it() {
        let index = index();
        assert_eq!(collect(&index, 0, 100), (vec![0, 1, 2, 3], false));
        assert_eq!(collect(&index, 0, 32), (vec![0, 1, 2], true));
        assert_eq!(collect(&index, 0, 35), (vec![0, 1, 2, 3], true));
        assert_eq!(collect(&index, 10, 35), (vec![0, 1, 2, 3], true));
        assert_eq!(collect(&index, 11, 35), (vec![1, 2, 3], true));
        assert_eq!(collect(&index, 20, 41), (vec![2, 3], false));
    }

    #[test]
    fn entries_rise_and_truncation_goes_by_the_marker() {
        let mut index = index();
        assert_eq!(index.append(aborted(4, 40, 50, 51)), Err(not_rising(4, 50, 50)));
        index.truncate_to(51);
        assert_eq!(index.len(), 4);
        index.truncate_to(35);
        assert_eq!(index.iter().map(|t| t.last_offset).collect::<Vec<_>>(), [10, 15]);
        index.append(aborted(4, 20, 30, 31)).unwrap();
        index.truncate_to(0);
        assert!(index.is_empty());
    }

    #[test]
    fn a_torn_or_strange_file_is_found() {
        let index = index();
        assert_eq!(TransactionIndex::from_bytes(0, index.as_bytes()), Ok(index.clone()));
        let torn = &index.as_bytes()[..index.as_bytes().len() - 1];
        assert!(matches!(TransactionIndex::from_bytes(0, torn), Err(IndexError::Length { .. })));
        assert!(matches!(
            TransactionIndex::from_bytes(11, index.as_bytes()),
            Err(IndexError::LastBelowBase { last_offset: 10, base_offset: 11 })
        ));
        let mut newer = index.as_bytes().to_vec();
        newer[ENTRY_BYTES + 1] = 1;
        let error = TransactionIndex::from_bytes(0, &newer).unwrap_err();
        assert_eq!(error, IndexError::Version { entry: 1, version: 1 });
    }
}
