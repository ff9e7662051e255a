//! The bytes of one file: what a reader sees now, and what a power cut leaves.
//!
//! `live` is what reads give. `durable` is what is certain to survive. Between them stand, for each sector of 512
//! bytes, the versions that were written and not flushed yet, and the lengths the file has had since its length was
//! last made durable. A power cut takes one of the lengths and, for each sector on its own, one of its versions: so
//! writes are reordered, lost and torn at every sector border. A cut (a shorter length) that survives hides all
//! older bytes past it; one that does not survive hides the bytes written past it afterwards.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::super::random::Random;

/// What persists whole or not at all.
pub(super) const SECTOR: u64 = 512;

#[derive(Clone)]
struct Version {
    /// When the write completed.
    sequence: u64,
    /// The sector's bytes; what is missing at its end is zero.
    bytes: Bytes,
    /// Made by a cut, not by a write.
    cut: bool,
}

struct Length {
    sequence: u64,
    len: u64,
}

/// How much of what was not flushed survives a power cut, for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Survival {
    Nothing,
    Everything,
    Mixed,
}

impl Survival {
    pub(super) fn draw(random: &mut Random) -> Self {
        match random.below(10) {
            0..4 => Self::Nothing,
            4..7 => Self::Everything,
            _ => Self::Mixed,
        }
    }
}

/// A file's bytes.
#[derive(Default)]
pub(super) struct Content {
    live: Vec<u8>,
    durable: Vec<u8>,
    allocated: u64,
    unflushed: BTreeMap<u64, Vec<Version>>,
    lengths: Vec<Length>,
    /// An error dropped unflushed bytes that readers still see.
    forgotten: bool,
}

fn put(content: &mut [u8], position: u64, bytes: &[u8]) {
    let start = (position as usize).min(content.len());
    let end = (start + bytes.len()).min(content.len());
    if let (Some(to), Some(from)) = (content.get_mut(start..end), bytes.get(..end - start)) {
        to.copy_from_slice(from);
    }
}

/// Puts a whole sector: bytes that `bytes` lacks become zero.
fn put_sector(content: &mut [u8], sector: u64, bytes: &[u8]) {
    let start = ((sector * SECTOR) as usize).min(content.len());
    let end = (start + SECTOR as usize).min(content.len());
    if let Some(to) = content.get_mut(start..end) {
        let have = bytes.len().min(to.len());
        to.fill(0);
        put(to, 0, bytes.get(..have).unwrap_or_default());
    }
}

impl Content {
    pub(super) fn live(&self) -> &[u8] {
        &self.live
    }

    pub(super) fn durable(&self) -> &[u8] {
        &self.durable
    }

    pub(super) fn len(&self) -> u64 {
        self.live.len() as u64
    }

    /// Bytes of the disk that the file holds.
    pub(super) fn occupied(&self) -> u64 {
        self.allocated.max(self.len()).div_ceil(4096) * 4096
    }

    pub(super) fn allocate(&mut self, end: u64) {
        self.allocated = self.allocated.max(end);
    }

    pub(super) fn is_durable(&self) -> bool {
        self.unflushed.is_empty() && self.lengths.is_empty() && !self.forgotten
    }

    fn live_sector(&self, sector: u64) -> Bytes {
        let start = ((sector * SECTOR) as usize).min(self.live.len());
        let end = (start + SECTOR as usize).min(self.live.len());
        Bytes::copy_from_slice(self.live.get(start..end).unwrap_or_default())
    }

    /// A write of `bytes` completes. With `durable`, its own sectors are durable, and the lengths that they need.
    pub(super) fn write(&mut self, sequence: u64, position: u64, bytes: &Bytes, durable: bool) {
        if bytes.is_empty() {
            return;
        }
        let end = position + bytes.len() as u64;
        if end > self.len() {
            self.live.resize(end as usize, 0);
            self.lengths.push(Length { sequence, len: end });
        }
        put(&mut self.live, position, bytes);
        let sectors = position / SECTOR..end.div_ceil(SECTOR);
        if durable {
            let cut = |versions: &Vec<Version>| versions.iter().any(|version| version.cut);
            let needs_length = end > self.durable.len() as u64
                || self.unflushed.range(sectors.clone()).any(|(_, versions)| cut(versions));
            if needs_length {
                self.commit_lengths(u64::MAX);
            }
        }
        for sector in sectors {
            let from = sector * SECTOR;
            let whole = from >= position && from + SECTOR <= end;
            let value = if whole {
                let start = (from - position) as usize;
                bytes.slice(start..start + SECTOR as usize)
            } else {
                self.live_sector(sector)
            };
            if durable {
                put_sector(&mut self.durable, sector, &value);
                self.unflushed.remove(&sector);
            } else {
                self.unflushed.entry(sector).or_default().push(Version {
                    sequence,
                    bytes: value,
                    cut: false,
                });
            }
        }
    }

    /// Sets the length.
    pub(super) fn set_len(&mut self, sequence: u64, len: u64) {
        let old = self.len();
        if len == old {
            return;
        }
        self.live.resize(len as usize, 0);
        self.lengths.push(Length { sequence, len });
        if len < old {
            self.allocated = self.allocated.min(len);
            for sector in len / SECTOR..old.div_ceil(SECTOR) {
                let bytes = self.live_sector(sector);
                self.unflushed.entry(sector).or_default().push(Version { sequence, bytes, cut: true });
            }
        }
    }

    fn commit_lengths(&mut self, upto: u64) {
        for length in self.lengths.extract_if(.., |length| length.sequence <= upto) {
            self.durable.resize(length.len as usize, 0);
        }
    }

    /// A flush completes that covers everything completed up to `upto`.
    pub(super) fn flush(&mut self, upto: u64) {
        self.commit_lengths(upto);
        let durable = &mut self.durable;
        self.unflushed.retain(|sector, versions| {
            let covered = versions.iter().take_while(|version| version.sequence <= upto).count();
            if let Some(version) = versions.drain(..covered).next_back() {
                put_sector(durable, *sector, &version.bytes);
            }
            !versions.is_empty()
        });
    }

    /// An error: some unflushed bytes are forgotten, though readers still see them.
    pub(super) fn forget_some(&mut self, random: &mut Random) {
        let survival = Survival::draw(random);
        let before = self.unflushed.len();
        self.unflushed.retain(|_, versions| {
            versions.iter().any(|version| version.cut)
                || match survival {
                    Survival::Nothing => false,
                    Survival::Everything => true,
                    Survival::Mixed => random.chance(0.5),
                }
        });
        self.forgotten |= self.unflushed.len() != before;
    }

    /// A power cut.
    pub(super) fn crash(&mut self, random: &mut Random) {
        if self.is_durable() {
            return;
        }
        let survival = Survival::draw(random);
        let kept = match survival {
            Survival::Nothing => 0,
            Survival::Everything => self.lengths.len(),
            Survival::Mixed => random.index(self.lengths.len() + 1),
        };
        // Metadata often survives without the data, and the other way round.
        let data = random.pick(&[0.0, 0.3, 0.5, 0.9, 1.0]).copied().unwrap_or(0.5);
        let known =
            kept.checked_sub(1).and_then(|last| self.lengths.get(last)).map_or(0, |last| last.sequence);
        for length in self.lengths.iter().take(kept) {
            self.durable.resize(length.len as usize, 0);
        }
        for (sector, versions) in &self.unflushed {
            let hidden = versions.iter().position(|version| version.cut && version.sequence > known);
            let visible = versions.get(..hidden.unwrap_or(versions.len())).unwrap_or_default();
            let oldest = visible.iter().rposition(|version| version.cut).unwrap_or(0);
            let candidates = visible.get(oldest..).unwrap_or_default();
            let chosen = match survival {
                Survival::Nothing => None,
                Survival::Everything => candidates.last(),
                Survival::Mixed if random.chance(data) => random.pick(candidates),
                Survival::Mixed => None,
            };
            if let Some(version) = chosen {
                put_sector(&mut self.durable, *sector, &version.bytes);
            }
        }
        self.unflushed.clear();
        self.lengths.clear();
        self.forgotten = false;
        self.live.clone_from(&self.durable);
    }

    /// Replaces everything, live and durable (for tests that tamper with a disk at rest).
    pub(super) fn replace(&mut self, bytes: Vec<u8>) {
        self.live.clone_from(&bytes);
        self.durable = bytes;
        self.unflushed.clear();
        self.lengths.clear();
        self.forgotten = false;
    }

    /// Changes bytes in place, live and durable.
    pub(super) fn tamper(&mut self, position: u64, change: impl Fn(&mut [u8])) {
        for content in [&mut self.live, &mut self.durable] {
            if let Some(rest) = content.get_mut(position as usize..) {
                change(rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(len: usize, byte: u8) -> Bytes {
        Bytes::from(vec![byte; len])
    }

    /// Runs `make` and a crash for many seeds; gives the distinct outcomes.
    fn outcomes(make: impl Fn(&mut Content)) -> std::collections::BTreeSet<Vec<u8>> {
        (0..400)
            .map(|seed| {
                let mut content = Content::default();
                make(&mut content);
                content.crash(&mut Random::new(seed));
                assert_eq!(content.live, content.durable);
                content.live
            })
            .collect()
    }

    #[test]
    fn an_unflushed_write_is_lost_kept_or_torn_at_sectors() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(1024, 1), true);
            content.write(2, 0, &filled(1024, 2), false);
        });
        let sector = |byte: u8| vec![byte; 512];
        for (first, second) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
            assert!(seen.contains(&[sector(first), sector(second)].concat()), "{first} {second}");
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn older_versions_of_a_sector_may_come_back() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(512, 1), true);
            content.write(2, 0, &filled(512, 2), false);
            content.write(3, 0, &filled(512, 3), false);
        });
        assert_eq!(seen.len(), 3);
    }

    #[test]
    fn a_durable_write_covers_only_its_own_bytes() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(512, 1), false);
            content.write(2, 512, &filled(512, 2), true);
        });
        assert!(seen.iter().all(|bytes| bytes.len() == 1024 && bytes[512..] == filled(512, 2)));
        assert!(seen.iter().any(|bytes| bytes[0] == 0), "the first write must be able to get lost");
        assert!(seen.iter().any(|bytes| bytes[0] == 1));
    }

    #[test]
    fn a_flush_covers_what_completed_before_it_was_asked_for() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(512, 1), false);
            content.write(2, 0, &filled(512, 2), false);
            content.flush(1);
        });
        assert_eq!(seen.into_iter().map(|bytes| bytes[0]).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_length_is_old_or_new_until_it_is_flushed() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(100, 1), true);
            content.set_len(2, 50);
        });
        assert_eq!(seen.into_iter().map(|bytes| bytes.len()).collect::<Vec<_>>(), [50, 100]);
        let mut content = Content::default();
        content.write(1, 0, &filled(100, 1), true);
        content.set_len(2, 50);
        content.flush(2);
        content.crash(&mut Random::new(1));
        assert_eq!(content.len(), 50);
    }

    #[test]
    fn bytes_older_than_a_cut_never_come_back_under_it() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(2048, 1), true);
            content.set_len(2, 700);
            content.write(3, 1024, &filled(1024, 3), false);
        });
        for bytes in seen {
            match bytes.len() {
                // The cut is lost, or it survives alone.
                2048 if bytes[700] == 1 => assert!(bytes.iter().all(|byte| *byte == 1)),
                700 => assert!(bytes.iter().all(|byte| *byte == 1)),
                2048 => assert!(bytes[700..].iter().all(|byte| *byte != 1), "old bytes past a cut"),
                other => panic!("length {other}"),
            }
        }
    }

    #[test]
    fn a_durable_write_past_a_cut_makes_the_cut_durable() {
        let seen = outcomes(|content| {
            content.write(1, 0, &filled(2048, 1), true);
            content.set_len(2, 512);
            content.write(3, 1024, &filled(512, 3), true);
        });
        let expected = [filled(512, 1), filled(512, 0), filled(512, 3)].concat();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn forgotten_bytes_are_read_but_do_not_survive_a_later_flush() {
        let lost = (0..100).any(|seed| {
            let mut random = Random::new(seed);
            let mut content = Content::default();
            content.write(1, 0, &filled(512, 1), true);
            content.write(2, 0, &filled(512, 2), false);
            content.forget_some(&mut random);
            content.flush(2);
            assert_eq!(content.live()[0], 2);
            content.crash(&mut random);
            content.live()[0] == 1
        });
        assert!(lost);
    }
}
