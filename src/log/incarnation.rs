//! `millrace.incarnation` of a partition's directory: which life of the log the directory holds.
//!
//! A log gets a fresh number when it is created, durable in its directory before the first append. Every journal entry
//! carries it, so that an entry of a deleted or replaced log is never applied to its successor (law 4 of the log).
//! Kafka ignores the file.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The file's name in the partition's directory.
pub const FILE_NAME: &str = "millrace.incarnation";

const HEADER: &str = "version: 0\nincarnation: ";

/// A file that holds no incarnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a millrace.incarnation of version 0: two lines, the second 16 hexadecimal digits")]
pub struct IncarnationError;

/// The number of one life of a log; random, so never one that the journal has seen of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Incarnation(pub u64);

impl Incarnation {
    /// Parses the file.
    pub fn parse(bytes: &[u8]) -> Result<Self, IncarnationError> {
        let text = str::from_utf8(bytes).map_err(|_| IncarnationError)?;
        text.strip_prefix(HEADER).and_then(|rest| rest.strip_suffix('\n')).ok_or(IncarnationError)?.parse()
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        format!("{HEADER}{self}\n").into_bytes()
    }
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Incarnation {
    type Err = IncarnationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !digits {
            return Err(IncarnationError);
        }
        u64::from_str_radix(text, 16).map(Self).map_err(|_| IncarnationError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read_back() {
        let incarnation = Incarnation(0x00ab_cdef_0123_4567);
        assert_eq!(incarnation.encode(), b"version: 0\nincarnation: 00abcdef01234567\n");
        assert_eq!(Incarnation::parse(&incarnation.encode()), Ok(incarnation));
    }

    #[test]
    fn a_torn_file_is_no_incarnation() {
        let whole = Incarnation(7).encode();
        for length in 0..whole.len() {
            assert_eq!(Incarnation::parse(&whole[..length]), Err(IncarnationError), "{length} bytes");
        }
        assert!(Incarnation::parse(b"version: 1\nincarnation: 0000000000000007\n").is_err());
        assert!(Incarnation::parse(b"version: 0\nincarnation: +000000000000007\n").is_err());
    }
}
