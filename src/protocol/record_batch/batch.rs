//! Batches inside a range of bytes.

use super::header::{
    ATTRIBUTES_AT, BatchError, BatchHeader, HEADER_LEN, LENGTH_AT, LOG_OVERHEAD, MAGIC, MAGIC_AT,
};
use super::record::RecordIter;
use crate::protocol::codec::{Codec, decompress};

/// A whole batch in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch<'a> {
    /// Its header.
    pub header: BatchHeader,
    /// All its bytes, header included.
    pub bytes: &'a [u8],
}

impl<'a> Batch<'a> {
    /// The batch that `bytes` start with; what follows it is left out.
    ///
    /// # Errors
    /// See [`BatchHeader::parse`]; [`BatchError::Incomplete`] if the batch is cut.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, BatchError> {
        let header = BatchHeader::parse(bytes)?;
        let needed = header.size_bytes();
        match bytes.get(..needed) {
            Some(bytes) => Ok(Self { header, bytes }),
            None => Err(BatchError::Incomplete { needed, have: bytes.len() }),
        }
    }

    /// Compares the CRC with the bytes.
    ///
    /// # Errors
    /// [`BatchError::CrcMismatch`].
    pub fn verify_crc(&self) -> Result<(), BatchError> {
        let computed = crc32c::crc32c(self.bytes.get(ATTRIBUTES_AT..).unwrap_or_default());
        if computed == self.header.crc {
            Ok(())
        } else {
            Err(BatchError::CrcMismatch { stated: self.header.crc, computed })
        }
    }

    /// What follows the header: the records as they are stored, thus maybe compressed.
    pub fn stored_records(&self) -> &'a [u8] {
        self.bytes.get(HEADER_LEN..).unwrap_or_default()
    }

    /// The records. They borrow from the batch if it is not compressed, else from `scratch`, which is overwritten with
    /// at most `limit_bytes` of decompressed records.
    ///
    /// # Errors
    /// [`BatchError::UnknownCodec`] or [`BatchError::Codec`].
    pub fn records<'b>(
        &self,
        limit_bytes: usize,
        scratch: &'b mut Vec<u8>,
    ) -> Result<RecordIter<'b>, BatchError>
    where
        'a: 'b,
    {
        let records = match self.header.codec()? {
            Codec::None => self.stored_records(),
            codec => {
                scratch.clear();
                decompress(codec, self.stored_records(), limit_bytes, scratch)?;
                scratch
            }
        };
        Ok(RecordIter::new(records, self.header.record_count))
    }
}

/// The batches that follow each other in `bytes`. A last batch that is cut ends the iteration without an error, as a
/// fetch may end inside one; an error ends it as well.
pub fn batches(bytes: &[u8]) -> Batches<'_> {
    Batches { rest: bytes, consumed: 0, failed: false }
}

/// See [`batches`].
#[derive(Clone, Debug)]
pub struct Batches<'a> {
    rest: &'a [u8],
    consumed: usize,
    failed: bool,
}

impl Batches<'_> {
    /// Bytes of the whole batches given out so far.
    pub fn consumed(&self) -> usize {
        self.consumed
    }
}

impl<'a> Iterator for Batches<'a> {
    type Item = Result<Batch<'a>, BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let result = whole_batch(self.rest)?;
        match &result {
            Ok(batch) => {
                self.consumed += batch.bytes.len();
                self.rest = self.rest.get(batch.bytes.len()..).unwrap_or_default();
            }
            Err(_) => self.failed = true,
        }
        Some(result)
    }
}

/// The batch that `bytes` start with; `None` if they end inside it. Format and length are judged as soon as their
/// fields are there, before it is known whether the batch is whole.
fn whole_batch(bytes: &[u8]) -> Option<Result<Batch<'_>, BatchError>> {
    let length = i32::from_be_bytes(*bytes.get(LENGTH_AT..)?.first_chunk()?);
    let magic = *bytes.get(MAGIC_AT)? as i8;
    if magic != MAGIC {
        return Some(Err(BatchError::UnsupportedMagic(magic)));
    }
    let Ok(size) = usize::try_from(length).map(|length| length + LOG_OVERHEAD) else {
        return Some(Err(BatchError::InvalidLength(length)));
    };
    if size < HEADER_LEN {
        return Some(Err(BatchError::InvalidLength(length)));
    }
    bytes.get(..size).map(Batch::parse)
}

#[cfg(test)]
mod tests {
    use super::super::BatchBuilder;
    use super::*;

    fn batch(values: &[&str]) -> Vec<u8> {
        let mut builder = BatchBuilder::new(Codec::None);
        for value in values {
            builder.append(1, None, Some(value.as_bytes()), &[]);
        }
        builder.build().unwrap()
    }

    #[test]
    fn batches_follow_each_other_and_a_cut_one_ends_it() {
        let (first, second) = (batch(&["a", "b"]), batch(&["c"]));
        let all = [&first[..], &second[..]].concat();
        for end in 0..=all.len() {
            let mut found = batches(&all[..end]);
            let count = found.by_ref().map(Result::unwrap).count();
            let whole = if end == all.len() { 2 } else { usize::from(end >= first.len()) };
            assert_eq!(count, whole, "cut at {end}");
            let consumed = [0, first.len(), all.len()];
            assert_eq!(found.consumed(), consumed[whole]);
        }
    }

    #[test]
    fn a_bad_length_or_magic_is_an_error_and_ends_it() {
        let good = batch(&["a"]);
        let mut bad = [&good[..], &good[..]].concat();
        bad[good.len() + LENGTH_AT..good.len() + LENGTH_AT + 4].copy_from_slice(&(-5i32).to_be_bytes());
        let mut found = batches(&bad);
        assert!(found.next().unwrap().is_ok());
        assert_eq!(found.next(), Some(Err(BatchError::InvalidLength(-5))));
        assert_eq!(found.next(), None);
        bad[MAGIC_AT] = 1;
        assert_eq!(batches(&bad).next(), Some(Err(BatchError::UnsupportedMagic(1))));
    }

    #[test]
    fn every_flipped_bit_under_the_crc_is_found() {
        let mut bytes = batch(&["hello"]);
        assert_eq!(Batch::parse(&bytes).unwrap().verify_crc(), Ok(()));
        for at in ATTRIBUTES_AT..bytes.len() {
            bytes[at] ^= 4;
            assert!(Batch::parse(&bytes).unwrap().verify_crc().is_err(), "at {at}");
            bytes[at] ^= 4;
        }
    }
}
