//! F06: what was damaged on its way is refused, and what was damaged at rest is never given out as good.

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use millrace::protocol::codec::Codec;
use millrace::protocol::record_batch::batches;

use crate::broker::Broker;
use crate::client::{create_topic, list_offset};
use crate::raw::{Limits, Raw, batch, batch_with, now_ms};

const CORRUPT_MESSAGE: i16 = 2;
/// From here on the CRC covers a batch; the CRC itself stands in front.
const COVERED_FROM: usize = 21;
const CRC_AT: usize = 17;

pub fn flipped_bits_are_refused(address: &str) {
    let mut client = Raw::connect(address);
    create_topic(&mut client, "f06", 2, &[]);
    let mut next = 0;
    for codec in [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
        let good = batch_with(codec, &[(now_ms(), b"first"), (now_ms(), b"second")]);
        // Every byte of the checksum and of what it covers: attributes, counts, times, producer, records.
        for at in (CRC_AT..COVERED_FROM).chain(COVERED_FROM..good.len()) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            let results = client.produce(&[("f06", 0, &bad)]);
            assert_eq!(results, [(CORRUPT_MESSAGE, -1)], "{codec:?}, byte {at}");
        }
        assert_eq!(list_offset(&mut client, "f06", 0, -1), (0, -1, next), "the log's end has not moved");
        // On the same socket; and in one request the good one beside the bad one.
        let mut bad = good.clone();
        bad[good.len() - 1] ^= 0x80;
        let results = client.produce(&[("f06", 0, &good), ("f06", 1, &bad)]);
        assert_eq!(results, [(0, next), (CORRUPT_MESSAGE, -1)], "{codec:?}");
        next += 2;
    }
    assert_eq!(list_offset(&mut client, "f06", 1, -1), (0, -1, 0));
}

#[test]
fn f06_flipped_bits_are_refused_and_the_connection_goes_on() {
    flipped_bits_are_refused(Broker::start(&[]).address());
}

fn segment(directory: &Path, partition: &str) -> PathBuf {
    directory.join("data").join(partition).join("00000000000000000000.log")
}

/// Whether anything given out would pass for records that are not those that were written.
fn gives_out_what_was_not_written(records: &[u8], written: &[Vec<u8>]) -> bool {
    batches(records).map_while(Result::ok).any(|batch| {
        let same = |original: &Vec<u8>| original[COVERED_FROM..] == batch.bytes[COVERED_FROM..];
        batch.verify_crc().is_ok() && !written.iter().any(same)
    })
}

#[test]
fn f06_bits_that_rot_on_disk_are_never_given_out_as_good() {
    let broker = Broker::start(&[]);
    let mut client = Raw::connect(broker.address());
    create_topic(&mut client, "rotten", 1, &[]);
    create_topic(&mut client, "sound", 1, &[]);
    let written: Vec<Vec<u8>> =
        (0..6u8).map(|number| batch(&[&[number; 300], &[number ^ 0x55; 300]])).collect();
    for records in &written {
        let codes: Vec<i16> =
            client.produce(&[("rotten", 0, records), ("sound", 0, records)]).iter().map(|r| r.0).collect();
        assert_eq!(codes, [0, 0]);
    }
    let mut left = broker.stop();
    let path = segment(left.0.path(), "rotten-0");
    let intact = std::fs::read(&path).expect("the segment");
    let size = written[0].len();
    let mut sound_end = 12;
    // In the second batch: its offset, length, epoch, magic, checksum, attributes, count, and its records. The first
    // start follows a clean stop, which reads no segment; the others follow a kill.
    for within in [70, 7, 9, 11, 15, 16, 18, 22, 58, size - 1] {
        let file = std::fs::OpenOptions::new().write(true).open(&path).expect("the segment");
        let at = (size + within) as u64;
        file.write_all_at(&[intact[size + within] ^ 0x10], at).expect("damaged");
        file.sync_all().expect("on disk");
        let broker = Broker::again(left);
        let mut client = Raw::connect(broker.address());
        for offset in 0..12 {
            let (code, _, records) = client.fetch("rotten", 0, offset, Limits::default());
            assert!(
                code != 0 || !gives_out_what_was_not_written(&records, &written),
                "byte {within} of the second batch, fetch from {offset}"
            );
        }
        // Nobody else suffers, and the broker lives.
        let (code, end, _) = client.fetch("sound", 0, 0, Limits::default());
        assert_eq!((code, end), (0, sound_end));
        assert_eq!(client.produce(&[("sound", 0, &written[0])]), [(0, sound_end)]);
        sound_end += 2;
        left = broker.kill();
        let now = std::fs::read(&path).expect("the segment");
        assert!(now.len() >= intact.len(), "byte {within}: what was damaged was cut off");
        file.write_all_at(&intact, 0).expect("mended");
    }
    let broker = Broker::again(left);
    let mut client = Raw::connect(broker.address());
    let (code, end, records) = client.fetch("rotten", 0, 0, Limits::default());
    assert_eq!((code, end, records.len()), (0, 12, written.iter().map(Vec::len).sum()), "all of it is back");
}
