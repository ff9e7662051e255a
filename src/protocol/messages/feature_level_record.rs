//! Metadata record FeatureLevelRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 12 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureLevelRecord<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Int16, version 0.
    pub feature_level: i16,
}

impl<'a> Element<'a> for FeatureLevelRecord<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, feature_level: reader.i16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i16(self.feature_level);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for FeatureLevelRecord<'a> {
    const NAME: &'static str = "FeatureLevelRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for FeatureLevelRecord<'a> {
    const RECORD_TYPE: i16 = 12;
}
