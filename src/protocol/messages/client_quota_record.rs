//! Metadata record ClientQuotaRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Writer,
};

/// Record of type 14 of the metadata log, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientQuotaRecord<'a> {
    /// Array of [`EntityData`], version 0.
    pub entity: Vec<EntityData<'a>>,
    /// String, version 0.
    pub key: &'a str,
    /// Float64, version 0, default 0.0.
    pub value: f64,
    /// Bool, version 0.
    pub remove: bool,
}

impl<'a> Element<'a> for ClientQuotaRecord<'a> {
    const MIN_LEN: usize = 12;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            entity: reader.array(version, flexible)?,
            key: reader.string(flexible)?,
            value: reader.f64()?,
            remove: reader.bool()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 9;
        size.array(Some(&self.entity[..]), version, flexible);
        size.string(Some(self.key), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.entity, version, flexible)?;
        writer.string(self.key, flexible)?;
        writer.f64(self.value);
        writer.bool(self.remove);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ClientQuotaRecord`].
#[derive(Clone, Debug, PartialEq)]
pub struct EntityData<'a> {
    /// String, version 0.
    pub entity_type: &'a str,
    /// String, version 0, nullable, default Some("").
    pub entity_name: Option<&'a str>,
}

impl Default for EntityData<'_> {
    fn default() -> Self {
        Self { entity_type: "", entity_name: Some("") }
    }
}

impl<'a> Element<'a> for EntityData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { entity_type: reader.string(flexible)?, entity_name: reader.nullable_string(flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.entity_type), flexible);
        size.string(self.entity_name, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.entity_type, flexible)?;
        writer.nullable_string(self.entity_name, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ClientQuotaRecord<'a> {
    const NAME: &'static str = "ClientQuotaRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for ClientQuotaRecord<'a> {
    const RECORD_TYPE: i16 = 14;
}
