//! What a handler answers: bytes in memory and ranges of files, in the order in which they go out.

use bytes::{Bytes, BytesMut};

use crate::protocol::{Hole, Uuid};
use crate::runtime::FileHandle;

/// A piece of a reply.
#[derive(Clone, Debug)]
pub enum Part {
    /// Bytes in memory, shared with whoever else reads them.
    Memory(Bytes),
    /// A range of a file whose bytes never change.
    File {
        /// The open file.
        handle: FileHandle,
        /// The log directory that holds it.
        directory: Uuid,
        /// Where the range begins, in bytes.
        position: u64,
        /// Its length, in bytes.
        len: u64,
    },
}

impl Part {
    /// Bytes that this part puts on the wire.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { len, .. } => *len,
        }
    }

    /// Whether it puts nothing on the wire.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A whole reply, size prefix included.
#[derive(Debug)]
pub enum Reply {
    /// The request asks for none (acks=0).
    None,
    /// One piece of memory: all but fetches.
    Bytes(Bytes),
    /// Several pieces.
    Parts(Vec<Part>),
}

impl Reply {
    /// Joins an encoded response with what belongs into its holes, one list of parts for each hole, in order.
    ///
    /// The parts of a hole must have as many bytes as the hole: the size prefix has counted them.
    #[must_use]
    pub fn assemble(head: BytesMut, holes: &[Hole], fillings: Vec<Vec<Part>>) -> Self {
        let head = head.freeze();
        if holes.is_empty() {
            return Self::Bytes(head);
        }
        assert_eq!(holes.len(), fillings.len(), "a response has as many fillings as holes");
        let mut parts = Vec::with_capacity(holes.len() * 2 + 1);
        let mut from = 0;
        for (&(at, len), filling) in holes.iter().zip(fillings) {
            if at > from {
                parts.push(Part::Memory(head.slice(from..at)));
                from = at;
            }
            let filled: u64 = filling.iter().map(Part::len).sum();
            assert_eq!(filled, u64::from(len), "a hole is filled exactly");
            parts.extend(filling);
        }
        if head.len() > from {
            parts.push(Part::Memory(head.slice(from..)));
        }
        Self::Parts(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(reply: Reply) -> Vec<u8> {
        let Reply::Parts(parts) = reply else { panic!("no parts") };
        parts
            .into_iter()
            .flat_map(|part| match part {
                Part::Memory(bytes) => bytes.to_vec(),
                Part::File { .. } => panic!("no file here"),
            })
            .collect()
    }

    #[test]
    fn holes_are_filled_where_they_lie() {
        let memory = |text: &'static str| Part::Memory(Bytes::from_static(text.as_bytes()));
        let reply = Reply::assemble(
            BytesMut::from(&b"headtail"[..]),
            &[(4, 5), (4, 0), (8, 3)],
            vec![vec![memory("one"), memory("12")], vec![], vec![memory("end")]],
        );
        assert_eq!(flat(reply), b"headone12tailend");
    }
}
