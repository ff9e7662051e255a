//! Metadata record BrokerRegistrationChangeRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Record of type 17 of the metadata log, versions 0 to 3, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrokerRegistrationChangeRecord {
    /// Int32, versions 0 to 3.
    pub broker_id: i32,
    /// Int64, versions 0 to 3.
    pub broker_epoch: i64,
    /// Int8, versions 0 to 3, tag 0.
    pub fenced: i8,
    /// Int8, versions 1 to 3, tag 1, refused elsewhere.
    pub in_controlled_shutdown: i8,
    /// Array of uuid, versions 2 to 3, tag 2, refused elsewhere.
    pub log_dirs: Vec<Uuid>,
    /// Array of uuid, version 3, tag 3, nullable, default None, refused elsewhere.
    pub cordoned_log_dirs: Option<Vec<Uuid>>,
}

impl<'a> Element<'a> for BrokerRegistrationChangeRecord {
    const MIN_LEN: usize = 13;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            broker_id: reader.i32()?,
            broker_epoch: reader.i64()?,
            fenced: 0,
            in_controlled_shutdown: 0,
            log_dirs: Vec::new(),
            cordoned_log_dirs: None,
        };
        reader.tagged_fields(|tag, reader| {
            match tag {
                0 => message.fenced = reader.i8()?,
                1 if version >= 1 => message.in_controlled_shutdown = reader.i8()?,
                2 if version >= 2 => message.log_dirs = reader.array(version, flexible)?,
                3 if version >= 3 => message.cordoned_log_dirs = reader.nullable_array(version, flexible)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 12;
        let mut tags = 0u32;
        if self.fenced != 0 {
            tags += 1;
            size.tagged(0, |size| {
                size.bytes += 1;
            });
        }
        if version >= 1 && self.in_controlled_shutdown != 0 {
            tags += 1;
            size.tagged(1, |size| {
                size.bytes += 1;
            });
        }
        if version >= 2 && !self.log_dirs.is_empty() {
            tags += 1;
            size.tagged(2, |size| {
                size.array(Some(&self.log_dirs[..]), version, flexible);
            });
        }
        if version >= 3 && self.cordoned_log_dirs.is_some() {
            tags += 1;
            size.tagged(3, |size| {
                size.array(self.cordoned_log_dirs.as_deref(), version, flexible);
            });
        }
        size.bytes += unsigned_varint_len(tags);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.broker_id);
        writer.i64(self.broker_epoch);
        if version < 1 && self.in_controlled_shutdown != 0 {
            return Err(EncodeError::UnsupportedField {
                field: "BrokerRegistrationChangeRecord.InControlledShutdown",
                version,
            });
        }
        if version < 2 && !self.log_dirs.is_empty() {
            return Err(EncodeError::UnsupportedField {
                field: "BrokerRegistrationChangeRecord.LogDirs",
                version,
            });
        }
        if version < 3 && self.cordoned_log_dirs.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "BrokerRegistrationChangeRecord.CordonedLogDirs",
                version,
            });
        }
        let mut tags = 0u32;
        if self.fenced != 0 {
            tags += 1;
        }
        if version >= 1 && self.in_controlled_shutdown != 0 {
            tags += 1;
        }
        if version >= 2 && !self.log_dirs.is_empty() {
            tags += 1;
        }
        if version >= 3 && self.cordoned_log_dirs.is_some() {
            tags += 1;
        }
        writer.unsigned_varint(tags);
        if self.fenced != 0 {
            writer.tag(
                0,
                Size::of(|size| {
                    size.bytes += 1;
                }),
            );
            writer.i8(self.fenced);
        }
        if version >= 1 && self.in_controlled_shutdown != 0 {
            writer.tag(
                1,
                Size::of(|size| {
                    size.bytes += 1;
                }),
            );
            writer.i8(self.in_controlled_shutdown);
        }
        if version >= 2 && !self.log_dirs.is_empty() {
            writer.tag(
                2,
                Size::of(|size| {
                    size.array(Some(&self.log_dirs[..]), version, flexible);
                }),
            );
            writer.array(&self.log_dirs, version, flexible)?;
        }
        if version >= 3 && self.cordoned_log_dirs.is_some() {
            writer.tag(
                3,
                Size::of(|size| {
                    size.array(self.cordoned_log_dirs.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.cordoned_log_dirs.as_deref(), version, flexible)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for BrokerRegistrationChangeRecord {
    const NAME: &'static str = "BrokerRegistrationChangeRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 3;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for BrokerRegistrationChangeRecord {
    const RECORD_TYPE: i16 = 17;
}
