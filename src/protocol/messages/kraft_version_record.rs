//! KRaftVersionRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Writer};

/// Data without a number of its own, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KRaftVersionRecord {
    /// Int16, version 0.
    pub version: i16,
    /// Int16, version 0.
    pub kraft_version: i16,
}

impl<'a> Element<'a> for KRaftVersionRecord {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { version: reader.i16()?, kraft_version: reader.i16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 4;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i16(self.version);
        writer.i16(self.kraft_version);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for KRaftVersionRecord {
    const NAME: &'static str = "KRaftVersionRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}
