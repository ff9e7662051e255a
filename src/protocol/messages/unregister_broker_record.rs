//! Metadata record UnregisterBrokerRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 1 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnregisterBrokerRecord {
    /// Int32, version 0.
    pub broker_id: i32,
    /// Int64, version 0.
    pub broker_epoch: i64,
}

impl<'a> Element<'a> for UnregisterBrokerRecord {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { broker_id: reader.i32()?, broker_epoch: reader.i64()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 12;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.broker_id);
        writer.i64(self.broker_epoch);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for UnregisterBrokerRecord {
    const NAME: &'static str = "UnregisterBrokerRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for UnregisterBrokerRecord {
    const RECORD_TYPE: i16 = 1;
}
