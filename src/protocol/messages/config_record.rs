//! Metadata record ConfigRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 4 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigRecord<'a> {
    /// Int8, version 0.
    pub resource_type: i8,
    /// String, version 0.
    pub resource_name: &'a str,
    /// String, version 0.
    pub name: &'a str,
    /// String, version 0, nullable, default Some("").
    pub value: Option<&'a str>,
}

impl Default for ConfigRecord<'_> {
    fn default() -> Self {
        Self { resource_type: 0, resource_name: "", name: "", value: Some("") }
    }
}

impl<'a> Element<'a> for ConfigRecord<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            resource_type: reader.i8()?,
            resource_name: reader.string(flexible)?,
            name: reader.string(flexible)?,
            value: reader.nullable_string(flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.resource_name), flexible);
        size.string(Some(self.name), flexible);
        size.string(self.value, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i8(self.resource_type);
        writer.string(self.resource_name, flexible)?;
        writer.string(self.name, flexible)?;
        writer.nullable_string(self.value, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ConfigRecord<'a> {
    const NAME: &'static str = "ConfigRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for ConfigRecord<'a> {
    const RECORD_TYPE: i16 = 4;
}
