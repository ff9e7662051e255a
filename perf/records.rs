//! Records made ahead: whole batches whose bytes differ, from which a producer takes the first records it needs.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::{BatchBuilder, HEADER_LEN};
use millrace::tools::producer::partitioner;

use crate::workload::{Content, Keys, Records};

/// Different batches of each set, used in turn.
const VARIANTS: usize = 16;
/// Bytes of batches made ahead of all sets together; beyond it there are fewer variants.
const LIMIT_BYTES: usize = 256 << 20;
/// A file of records is read up to here.
const FILE_LIMIT_BYTES: usize = 64 << 20;

/// Positions in a batch's header that are set when fewer records are taken, or a producer has an id.
const LENGTH_AT: usize = 8;
const CRC_AT: usize = 17;
const ATTRIBUTES_AT: usize = 21;
const LAST_OFFSET_DELTA_AT: usize = 23;
const PRODUCER_ID_AT: usize = 43;
const RECORD_COUNT_AT: usize = 57;

/// One batch made ahead.
pub struct Prepared {
    bytes: Vec<u8>,
    /// Where each record ends, if they are not compressed.
    ends: Vec<usize>,
    records: u32,
    crc: u32,
}

/// What goes on the wire for a batch: its header, perhaps changed, and the records behind it.
pub struct Ready<'a> {
    pub header: Cow<'a, [u8]>,
    pub records: &'a [u8],
    pub count: u32,
    pub crc: u32,
}

impl Ready<'_> {
    pub fn len(&self) -> usize {
        self.header.len() + self.records.len()
    }
}

impl Prepared {
    fn build(codec: Codec, now_ms: i64, records: &[(Option<Vec<u8>>, Vec<u8>)]) -> Result<Self, String> {
        let mut builder = BatchBuilder::new(codec);
        let mut ends = Vec::with_capacity(records.len());
        for (key, value) in records {
            builder.append(now_ms, key.as_deref(), Some(value), &[]);
            ends.push(builder.uncompressed_bytes());
        }
        let bytes = builder.build().map_err(|error| format!("a batch could not be made: {error}"))?;
        if codec != Codec::None {
            ends.clear();
        }
        let crc = bytes.get(CRC_AT..).and_then(|rest| rest.first_chunk::<4>()).copied().unwrap_or_default();
        Ok(Self { bytes, ends, records: records.len() as u32, crc: u32::from_be_bytes(crc) })
    }

    /// The batch with its first `count` records, from a producer (id, epoch, sequence) if there is one.
    pub fn take(&self, count: usize, producer: Option<(i64, i16, i32)>) -> Ready<'_> {
        let whole = self.ends.is_empty() || count >= self.ends.len();
        let end = if whole { self.bytes.len() } else { self.ends[count.max(1) - 1] };
        let (header, records) = self.bytes[..end].split_at(HEADER_LEN);
        if whole && producer.is_none() {
            return Ready { header: Cow::Borrowed(header), records, count: self.records, crc: self.crc };
        }
        let mut header = header.to_vec();
        let count = if whole { self.records } else { count.max(1) as u32 };
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(LENGTH_AT, &((end - LENGTH_AT - 4) as u32).to_be_bytes());
        put(LAST_OFFSET_DELTA_AT, &(count - 1).to_be_bytes());
        put(RECORD_COUNT_AT, &count.to_be_bytes());
        if let Some((id, epoch, sequence)) = producer {
            put(PRODUCER_ID_AT, &id.to_be_bytes());
            put(PRODUCER_ID_AT + 8, &epoch.to_be_bytes());
            put(PRODUCER_ID_AT + 10, &sequence.to_be_bytes());
        }
        let crc = crc32c::crc32c_append(crc32c::crc32c(&header[ATTRIBUTES_AT..]), records);
        header[CRC_AT..CRC_AT + 4].copy_from_slice(&crc.to_be_bytes());
        Ready { header: Cow::Owned(header), records, count, crc }
    }
}

/// All batches of a load.
pub struct Batches {
    /// One set for all partitions, or with keys one for each.
    sets: Vec<Vec<Prepared>>,
    /// With keys: the partition of each key, in the order in which keys come.
    pub key_partitions: Vec<u32>,
    /// Bytes of a whole batch, on average.
    pub batch_bytes: usize,
}

impl Batches {
    pub fn make(records: &Records, partitions: i32, folder: &Path, now_ms: i64) -> Result<Self, String> {
        let lines = records.file.as_ref().map(|file| lines(&folder.join(file))).transpose()?;
        let mut values = Values { state: 0x9e37_79b9_7f4a_7c15, records, lines, next: 0 };
        let (mut sets, mut key_partitions) = (Vec::new(), Vec::new());
        match records.keys {
            Keys::None => {
                let mut variants = variants(records, 1);
                if let Some(lines) = &values.lines {
                    variants = lines.len().div_ceil(records.batch);
                }
                sets.push(set(records, variants, &mut values, now_ms, |_| None)?);
            }
            Keys::RoundRobin => {
                let mut keys = vec![Vec::new(); partitions as usize];
                for number in 0..records.key_count {
                    let key = format!("key-{number:08}").into_bytes();
                    let partition = partitioner::for_key(&key, partitions as usize);
                    key_partitions.push(partition as u32);
                    keys[partition].push(key);
                }
                for mine in &keys {
                    let variants = variants(records, partitions as usize);
                    let key = |at: usize| mine.get(at % mine.len().max(1)).cloned();
                    sets.push(set(records, variants, &mut values, now_ms, key)?);
                }
            }
        }
        let all = || sets.iter().flatten();
        let batch_bytes = all().map(|batch| batch.bytes.len()).sum::<usize>() / all().count().max(1);
        Ok(Self { sets, key_partitions, batch_bytes })
    }

    /// The batch that a partition gets the `turn`th time.
    pub fn get(&self, partition: i32, turn: usize) -> &Prepared {
        let set = if self.sets.len() == 1 { &self.sets[0] } else { &self.sets[partition as usize] };
        &set[turn % set.len()]
    }
}

fn variants(records: &Records, sets: usize) -> usize {
    (LIMIT_BYTES / sets / (records.bytes * records.batch).max(1)).clamp(1, VARIANTS)
}

fn set(
    records: &Records,
    variants: usize,
    values: &mut Values,
    now_ms: i64,
    key: impl Fn(usize) -> Option<Vec<u8>>,
) -> Result<Vec<Prepared>, String> {
    let mut at = 0;
    let mut one = |_| {
        let mut batch = Vec::with_capacity(records.batch);
        for _ in 0..records.batch {
            batch.push((key(at), values.next()));
            at += 1;
        }
        Prepared::build(records.codec, now_ms, &batch)
    };
    (0..variants).map(&mut one).collect()
}

/// The lines of a file of records.
fn lines(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let mut bytes = fs::read(path).map_err(|error| format!("records.file {}: {error}", path.display()))?;
    bytes.truncate(FILE_LIMIT_BYTES);
    let lines: Vec<Vec<u8>> =
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return Err(format!("records.file {}: no line in it", path.display()));
    }
    Ok(lines)
}

/// Makes values, or takes them from a file in turn.
struct Values<'a> {
    state: u64,
    records: &'a Records,
    lines: Option<Vec<Vec<u8>>>,
    next: usize,
}

impl Values<'_> {
    /// xorshift64: quick, and the same in each run.
    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn next(&mut self) -> Vec<u8> {
        self.next += 1;
        if let Some(lines) = &self.lines {
            return lines[(self.next - 1) % lines.len()].clone();
        }
        match self.records.content {
            Content::Letters => (0..self.records.bytes).map(|_| b'a' + (self.random() % 26) as u8).collect(),
            Content::Json => self.json(),
        }
    }

    fn json(&mut self) -> Vec<u8> {
        const KINDS: [&str; 6] = ["view", "click", "cart", "order", "payment", "refund"];
        let mut out = String::with_capacity(self.records.bytes + 64);
        out.push('[');
        while out.len() < self.records.bytes {
            let (number, kind) = (self.random() % 1_000_000, KINDS[(self.random() % 6) as usize]);
            let (user, amount) = (self.random() % 50_000, self.random() % 100_000);
            out.push_str(&format!(
                "{{\"id\":{number},\"event\":\"{kind}\",\"user\":\"user-{user}\",\"amount\":{}.{:02},\"currency\":\"EUR\"}},",
                amount / 100,
                amount % 100
            ));
        }
        out.truncate(self.records.bytes.max(2) - 1);
        out.push(']');
        out.into_bytes()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use millrace::protocol::record_batch::Batch;

    use super::*;

    fn records() -> Records {
        Records { bytes: 20, batch: 5, ..Records::default() }
    }

    fn whole(ready: &Ready<'_>) -> Vec<u8> {
        [&ready.header[..], ready.records].concat()
    }

    #[test]
    fn part_of_a_batch_is_a_batch() {
        let batches = Batches::make(&records(), 1, Path::new("."), 1000).unwrap();
        for (count, producer) in [(1, None), (3, Some((9, 2, 40))), (5, None), (5, Some((9, 2, 41)))] {
            let ready = batches.get(0, 3).take(count, producer);
            let bytes = whole(&ready);
            let batch = Batch::parse(&bytes).unwrap();
            batch.verify_crc().unwrap();
            assert_eq!((batch.bytes.len(), ready.len()), (bytes.len(), bytes.len()));
            assert_eq!((batch.header.crc, batch.header.record_count as usize), (ready.crc, count));
            assert_eq!(batch.header.base_sequence, producer.map_or(-1, |producer| producer.2));
            let mut scratch = Vec::new();
            let values = batch.records(1 << 20, &mut scratch).unwrap().filter_map(Result::ok).count();
            assert_eq!(values, count);
        }
    }

    #[test]
    fn each_key_goes_where_kafkas_clients_send_it() {
        let keyed = Records { keys: Keys::RoundRobin, key_count: 100, ..records() };
        let batches = Batches::make(&keyed, 4, Path::new("."), 1000).unwrap();
        assert_eq!(batches.key_partitions.len(), 100);
        for partition in 0..4 {
            let bytes = whole(&batches.get(partition, 1).take(5, None));
            let mut scratch = Vec::new();
            for record in Batch::parse(&bytes).unwrap().records(1 << 20, &mut scratch).unwrap() {
                let key = record.unwrap().key.unwrap();
                assert_eq!(partitioner::for_key(key, 4), partition as usize);
            }
        }
    }

    #[test]
    fn a_files_lines_are_the_values_and_every_codec_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("r"), "one\ntwo\n\nthree\n").unwrap();
        for codec in Codec::ALL {
            let records = Records { file: Some("r".into()), batch: 2, codec, ..records() };
            let batches = Batches::make(&records, 1, folder.path(), 1000).unwrap();
            let mut seen = Vec::new();
            for turn in 0..2 {
                let bytes = whole(&batches.get(0, turn).take(2, Some((1, 1, 1))));
                let batch = Batch::parse(&bytes).unwrap();
                batch.verify_crc().unwrap();
                let mut scratch = Vec::new();
                for record in batch.records(1 << 20, &mut scratch).unwrap() {
                    seen.push(String::from_utf8(record.unwrap().value.unwrap().to_vec()).unwrap());
                }
            }
            assert_eq!(seen, ["one", "two", "three", "one"]);
        }
    }
}
