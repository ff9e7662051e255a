//! Metadata record RemoveTopicRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
};

/// Record of type 9 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RemoveTopicRecord {
    /// Uuid, version 0.
    pub topic_id: Uuid,
}

impl<'a> Element<'a> for RemoveTopicRecord {
    const MIN_LEN: usize = 17;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { topic_id: reader.uuid()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 16;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.uuid(self.topic_id);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for RemoveTopicRecord {
    const NAME: &'static str = "RemoveTopicRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for RemoveTopicRecord {
    const RECORD_TYPE: i16 = 9;
}
