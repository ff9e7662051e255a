//! Metadata record ProducerIdsRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 15 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducerIdsRecord {
    /// Int32, version 0.
    pub broker_id: i32,
    /// Int64, version 0, default -1.
    pub broker_epoch: i64,
    /// Int64, version 0.
    pub next_producer_id: i64,
}

impl Default for ProducerIdsRecord {
    fn default() -> Self {
        Self { broker_id: 0, broker_epoch: -1, next_producer_id: 0 }
    }
}

impl<'a> Element<'a> for ProducerIdsRecord {
    const MIN_LEN: usize = 21;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message =
            Self { broker_id: reader.i32()?, broker_epoch: reader.i64()?, next_producer_id: reader.i64()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 20;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.broker_id);
        writer.i64(self.broker_epoch);
        writer.i64(self.next_producer_id);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ProducerIdsRecord {
    const NAME: &'static str = "ProducerIdsRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for ProducerIdsRecord {
    const RECORD_TYPE: i16 = 15;
}
