//! Keys and values of the records: random letters, lines of a file, or numbers.

use crate::tools::output::say;
use crate::tools::random::Random;

/// Where values come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Payload {
    /// Random capital letters, so many bytes.
    Random(usize),
    /// One of these, chosen at random.
    Lines(Vec<Vec<u8>>),
    /// The record's number, as text.
    Monotonic,
}

/// Where keys come from; see Kafka's `--key-distribution`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// No keys.
    None,
    /// Numbers below this, one after the other.
    Range(u32),
    /// Numbers below this, at random.
    Random(u32),
}

impl Payload {
    /// Writes the value of record number `index` into `out`, which is overwritten.
    pub(super) fn fill(&self, index: u64, random: &mut Random, out: &mut Vec<u8>) {
        match self {
            Self::Random(bytes) => {
                out.resize(*bytes, 0);
                for chunk in out.chunks_mut(8) {
                    for (letter, byte) in chunk.iter_mut().zip(random.next_u64().to_le_bytes()) {
                        // 256 numbers to 26 letters: evenly enough for a payload.
                        *letter = b'A' + ((u16::from(byte) * 26) >> 8) as u8;
                    }
                }
            }
            Self::Lines(lines) => {
                out.clear();
                if let Some(line) = lines.get(random.below(lines.len())) {
                    out.extend_from_slice(line);
                }
            }
            Self::Monotonic => {
                out.clear();
                out.extend_from_slice(index.to_string().as_bytes());
            }
        }
    }

    /// The lines of a file, apart by `delimiter`; an empty one at the end does not count.
    pub(super) fn from_file(path: &str, delimiter: &str) -> Result<Self, String> {
        say!("Reading payloads from: {path}");
        let text = std::fs::read_to_string(path)
            .ok()
            .filter(|text| !text.is_empty())
            .ok_or_else(|| "File does not exist or empty file provided.".to_owned())?;
        // The shell hands a line feed on as a backslash and an n.
        let delimiter = delimiter.replace("\\n", "\n").replace("\\t", "\t");
        let mut lines: Vec<Vec<u8>> = if delimiter.is_empty() {
            vec![text.into_bytes()]
        } else {
            text.split(delimiter.as_str()).map(|line| line.as_bytes().to_vec()).collect()
        };
        while lines.len() > 1 && lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        say!("Number of records read: {}", lines.len());
        Ok(Self::Lines(lines))
    }
}

impl Keys {
    /// The key of record number `index`: four bytes.
    pub(super) fn key(self, index: u64, random: &mut Random) -> Option<[u8; 4]> {
        let number = match self {
            Self::None => return None,
            Self::Range(range) => (index % u64::from(range)) as u32,
            Self::Random(range) => random.below(range as usize) as u32,
        };
        Some(number.to_be_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_payloads_are_letters_and_repeat_with_their_seed() {
        let fill = |seed| {
            let mut out = Vec::new();
            Payload::Random(100).fill(0, &mut Random::seeded(seed), &mut out);
            out
        };
        let payload = fill(0);
        assert!(payload.len() == 100 && payload.iter().all(u8::is_ascii_uppercase));
        assert!(payload == fill(0) && payload != fill(1));
    }

    #[test]
    fn numbers_and_keys_count_up() {
        let mut out = b"x".to_vec();
        Payload::Monotonic.fill(42, &mut Random::seeded(0), &mut out);
        assert_eq!(out, b"42");
        assert_eq!(Keys::Range(5).key(7, &mut Random::seeded(0)), Some([0, 0, 0, 2]));
        assert_eq!(Keys::None.key(7, &mut Random::seeded(0)), None);
    }
}
