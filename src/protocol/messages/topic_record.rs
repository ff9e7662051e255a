//! Metadata record TopicRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
};

/// Record of type 2 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicRecord<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Uuid, version 0.
    pub topic_id: Uuid,
}

impl<'a> Element<'a> for TopicRecord<'a> {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, topic_id: reader.uuid()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 16;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.uuid(self.topic_id);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for TopicRecord<'a> {
    const NAME: &'static str = "TopicRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for TopicRecord<'a> {
    const RECORD_TYPE: i16 = 2;
}
