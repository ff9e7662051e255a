//! Metadata record NoOpRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 20 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoOpRecord {}

impl<'a> Element<'a> for NoOpRecord {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self {};
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for NoOpRecord {
    const NAME: &'static str = "NoOpRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for NoOpRecord {
    const RECORD_TYPE: i16 = 20;
}
