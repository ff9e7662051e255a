//! The load and what is known of it: writers that note what was acknowledged, and the check of what is there.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::BatchBuilder;

use crate::Random;
use crate::client::Client;

/// A batch whose fate is not known: sent, and no answer came.
struct InDoubt {
    first: u64,
    count: u64,
    sequence: i32,
}

/// What one writer knows of its partition.
pub struct Writer {
    topic: String,
    partition: i32,
    seed: u64,
    /// The time of all records: producers are forgotten by the time of their last record, so it is not long ago.
    began_ms: i64,
    producer: Option<(i64, i16)>,
    idempotent: bool,
    next: u64,
    sequence: i32,
    /// Acknowledged records: offset to number.
    acknowledged: BTreeMap<i64, u64>,
    /// Numbers sent without an answer, not repeated.
    unknown: BTreeMap<u64, ()>,
    in_doubt: Option<InDoubt>,
}

/// The value of record `number`: its number, then bytes that follow from it.
fn value_of(seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random((seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1);
    // Mostly small; now and then one that goes past the journal.
    let len = match random.below(100) {
        0..=89 => 8 + random.below(300),
        90..=97 => 2_000 + random.below(20_000),
        _ => 60_000 + random.below(200_000),
    };
    let mut value = number.to_be_bytes().to_vec();
    while value.len() < len as usize {
        value.extend_from_slice(&random.next().to_le_bytes());
    }
    value
}

/// One batch of one record.
pub fn single_record(seed: u64) -> Vec<u8> {
    Writer::new("", 0, seed, false).batch(0, 1, 0)
}

impl Writer {
    pub fn new(topic: &str, partition: i32, seed: u64, idempotent: bool) -> Self {
        Self {
            topic: topic.to_owned(),
            partition,
            seed,
            began_ms: std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis()
                as i64,
            producer: None,
            idempotent,
            next: 0,
            sequence: 0,
            acknowledged: BTreeMap::new(),
            unknown: BTreeMap::new(),
            in_doubt: None,
        }
    }

    fn batch(&self, first: u64, count: u64, sequence: i32) -> Vec<u8> {
        let codec = if first % 7 == 3 { Codec::Lz4 } else { Codec::None };
        let mut builder = BatchBuilder::new(codec);
        if let Some((id, epoch)) = self.producer {
            builder = builder.producer(id, epoch, sequence);
        }
        for number in first..first + count {
            builder.append(self.began_ms, None, Some(&value_of(self.seed, number)), &[]);
        }
        builder.build().unwrap()
    }

    /// Writes until told to stop, until `count` is at `most`, or until the broker is gone.
    fn write(&mut self, address: SocketAddr, stop: &AtomicBool, count: &AtomicU64, most: u64) {
        let Ok(mut client) = Client::connect(address) else { return };
        if self.idempotent && self.producer.is_none() {
            let Ok(producer) = client.init_producer_id() else { return };
            self.producer = Some(producer);
        }
        let mut random = Random((self.seed ^ self.next).wrapping_mul(77) | 1);
        while !stop.load(Ordering::Relaxed) && count.load(Ordering::Relaxed) < most {
            let (first, records, sequence) = match &self.in_doubt {
                Some(doubt) => (doubt.first, doubt.count, doubt.sequence),
                None => (self.next, 1 + random.below(8), self.sequence),
            };
            let batch = self.batch(first, records, sequence);
            self.in_doubt = Some(InDoubt { first, count: records, sequence });
            self.next = self.next.max(first + records);
            self.sequence = self.sequence.max(sequence + records as i32);
            match client.produce(&self.topic, self.partition, &batch) {
                Ok((0, base)) => {
                    self.in_doubt = None;
                    for index in 0..records {
                        let before = self.acknowledged.insert(base + index as i64, first + index);
                        assert!(
                            before.is_none() || before == Some(first + index),
                            "{}-{}: offset {} was given twice",
                            self.topic,
                            self.partition,
                            base + index as i64
                        );
                    }
                    count.fetch_add(records, Ordering::Relaxed);
                }
                // An error or silence: the records may be there or not.
                Ok((code, _)) => {
                    assert!(
                        matches!(code, 3 | 5 | 6 | 7 | 56),
                        "{}-{}: produce answered error {code}",
                        self.topic,
                        self.partition
                    );
                    break;
                }
                Err(_) => break,
            }
        }
        // Without idempotence a repetition would be a second copy: leave it in doubt for ever.
        if !self.idempotent
            && let Some(doubt) = self.in_doubt.take()
        {
            for number in doubt.first..doubt.first + doubt.count {
                self.unknown.insert(number, ());
            }
        }
    }

    /// Everything acknowledged is there, once, in order, byte for byte; nothing is there that was not sent.
    pub fn check(&self, client: &mut Client) -> u64 {
        let place = format!("{}-{}", self.topic, self.partition);
        let records =
            client.read_all(&self.topic, self.partition, 0).unwrap_or_else(|e| panic!("{place}: {e}"));
        let mut expected = 0;
        let mut seen = BTreeMap::new();
        let in_doubt = self.in_doubt.as_ref().map_or(0..0, |doubt| doubt.first..doubt.first + doubt.count);
        for record in &records {
            assert_eq!(record.offset, expected, "{place}: offsets do not follow each other");
            expected += 1;
            let number = record.value.first_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes));
            let Some(number) = number else {
                panic!("{place}: the record at {} was never sent", record.offset)
            };
            assert!(
                record.value == value_of(self.seed, number),
                "{place}: other bytes at offset {}",
                record.offset
            );
            let before = seen.insert(number, record.offset);
            assert!(before.is_none(), "{place}: record {number} is at {before:?} and at {}", record.offset);
            let known = self.acknowledged.get(&record.offset) == Some(&number);
            assert!(
                known || self.unknown.contains_key(&number) || in_doubt.contains(&number),
                "{place}: record {number} at {} was acknowledged at {:?}, or never sent; in doubt: {in_doubt:?}",
                record.offset,
                self.acknowledged.iter().find(|(_, known)| **known == number)
            );
        }
        for (offset, number) in &self.acknowledged {
            assert_eq!(
                seen.get(number),
                Some(offset),
                "{place}: acknowledged record {number} is not at {offset}"
            );
        }
        let order: Vec<_> = seen.values().collect();
        assert!(order.is_sorted(), "{place}: records stand in another order than they were sent in");
        records.len() as u64
    }
}

/// All writers of a test.
pub struct Load {
    pub writers: Vec<Writer>,
}

/// A load under way.
pub struct Running {
    threads: Vec<JoinHandle<Writer>>,
    stop: Arc<AtomicBool>,
    pub acknowledged: Arc<AtomicU64>,
}

impl Load {
    /// Two topics of `partitions` partitions; half of the writers are idempotent. Small segments, so that they roll.
    pub fn create(address: SocketAddr, partitions: i32, seed: u64) -> Self {
        let mut client = Client::connect(address).unwrap();
        let mut writers = Vec::new();
        for topic in ["plain", "idempotent"] {
            let code = client.create_topic(topic, partitions, &[("segment.bytes", "1048576")]).unwrap();
            assert_eq!(code, 0, "making topic {topic}");
            for partition in 0..partitions {
                let seed = seed ^ (partition as u64 + 1) << 20 ^ topic.len() as u64;
                writers.push(Writer::new(topic, partition, seed, topic == "idempotent"));
            }
        }
        Self { writers }
    }

    pub fn start(self, address: SocketAddr) -> Running {
        self.start_up_to(u64::MAX, address)
    }

    /// The same, of so many records together.
    pub fn start_up_to(self, most: u64, address: SocketAddr) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        let acknowledged = Arc::new(AtomicU64::new(0));
        let threads = self
            .writers
            .into_iter()
            .map(|mut writer| {
                let (stop, acknowledged) = (stop.clone(), acknowledged.clone());
                std::thread::spawn(move || {
                    writer.write(address, &stop, &acknowledged, most);
                    writer
                })
            })
            .collect();
        Running { threads, stop, acknowledged }
    }

    /// Checks every partition; the number of records.
    pub fn check(&self, address: SocketAddr) -> u64 {
        let mut client = Client::connect(address).unwrap();
        self.writers.iter().map(|writer| writer.check(&mut client)).sum()
    }

    pub fn acknowledged(&self) -> u64 {
        self.writers.iter().map(|writer| writer.acknowledged.len() as u64).sum()
    }
}

impl Running {
    /// Waits for the writers, which end when the broker is gone or (with `stop`) after their request.
    pub fn join(self, stop: bool) -> Load {
        if stop {
            self.stop.store(true, Ordering::Relaxed);
        }
        Load { writers: self.threads.into_iter().map(|thread| thread.join().unwrap()).collect() }
    }

    /// Whether no writer has given up.
    pub fn all_write(&self) -> bool {
        !self.threads.iter().any(JoinHandle::is_finished)
    }

    /// Waits until so many more records were acknowledged.
    pub fn wait_for(&self, records: u64) {
        while self.acknowledged.load(Ordering::Relaxed) < records {
            assert!(!self.threads.iter().all(JoinHandle::is_finished), "all writers have given up");
            std::thread::yield_now();
            std::thread::park_timeout(std::time::Duration::from_millis(1));
        }
    }
}
