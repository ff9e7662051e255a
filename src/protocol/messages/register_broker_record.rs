//! Metadata record RegisterBrokerRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, MetadataMessage, Reader, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Record of type 0 of the metadata log, versions 0 to 4, flexible from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterBrokerRecord<'a> {
    /// Int32, versions 0 to 4.
    pub broker_id: i32,
    /// Bool, versions 2 to 4, refused elsewhere.
    pub is_migrating_zk_broker: bool,
    /// Uuid, versions 0 to 4.
    pub incarnation_id: Uuid,
    /// Int64, versions 0 to 4.
    pub broker_epoch: i64,
    /// Array of [`BrokerEndpoint`], versions 0 to 4.
    pub end_points: Vec<BrokerEndpoint<'a>>,
    /// Array of [`BrokerFeature`], versions 0 to 4.
    pub features: Vec<BrokerFeature<'a>>,
    /// String, versions 0 to 4, nullable, default Some("").
    pub rack: Option<&'a str>,
    /// Bool, versions 0 to 4, default true.
    pub fenced: bool,
    /// Bool, versions 1 to 4, refused elsewhere.
    pub in_controlled_shutdown: bool,
    /// Array of uuid, versions 3 to 4, tag 0, refused elsewhere.
    pub log_dirs: Vec<Uuid>,
    /// Array of uuid, version 4, tag 1, nullable, default None, refused elsewhere.
    pub cordoned_log_dirs: Option<Vec<Uuid>>,
}

impl Default for RegisterBrokerRecord<'_> {
    fn default() -> Self {
        Self {
            broker_id: 0,
            is_migrating_zk_broker: false,
            incarnation_id: Uuid::ZERO,
            broker_epoch: 0,
            end_points: Vec::new(),
            features: Vec::new(),
            rack: Some(""),
            fenced: true,
            in_controlled_shutdown: false,
            log_dirs: Vec::new(),
            cordoned_log_dirs: None,
        }
    }
}

impl<'a> Element<'a> for RegisterBrokerRecord<'a> {
    const MIN_LEN: usize = 33;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            broker_id: reader.i32()?,
            is_migrating_zk_broker: if version >= 2 { reader.bool()? } else { false },
            incarnation_id: reader.uuid()?,
            broker_epoch: reader.i64()?,
            end_points: reader.array(version, flexible)?,
            features: reader.array(version, flexible)?,
            rack: reader.nullable_string(flexible)?,
            fenced: reader.bool()?,
            in_controlled_shutdown: if version >= 1 { reader.bool()? } else { false },
            log_dirs: Vec::new(),
            cordoned_log_dirs: None,
        };
        reader.tagged_fields(|tag, reader| {
            match tag {
                0 if version >= 3 => message.log_dirs = reader.array(version, flexible)?,
                1 if version >= 4 => message.cordoned_log_dirs = reader.nullable_array(version, flexible)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 29;
        if version >= 2 {
            size.bytes += 1;
        }
        size.array(Some(&self.end_points[..]), version, flexible);
        size.array(Some(&self.features[..]), version, flexible);
        size.string(self.rack, flexible);
        if version >= 1 {
            size.bytes += 1;
        }
        let mut tags = 0u32;
        if version >= 3 && !self.log_dirs.is_empty() {
            tags += 1;
            size.tagged(0, |size| {
                size.array(Some(&self.log_dirs[..]), version, flexible);
            });
        }
        if version >= 4 && self.cordoned_log_dirs.is_some() {
            tags += 1;
            size.tagged(1, |size| {
                size.array(self.cordoned_log_dirs.as_deref(), version, flexible);
            });
        }
        size.bytes += unsigned_varint_len(tags);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.broker_id);
        if version >= 2 {
            writer.bool(self.is_migrating_zk_broker);
        } else if self.is_migrating_zk_broker {
            return Err(EncodeError::UnsupportedField {
                field: "RegisterBrokerRecord.IsMigratingZkBroker",
                version,
            });
        }
        writer.uuid(self.incarnation_id);
        writer.i64(self.broker_epoch);
        writer.array(&self.end_points, version, flexible)?;
        writer.array(&self.features, version, flexible)?;
        writer.nullable_string(self.rack, flexible)?;
        writer.bool(self.fenced);
        if version >= 1 {
            writer.bool(self.in_controlled_shutdown);
        } else if self.in_controlled_shutdown {
            return Err(EncodeError::UnsupportedField {
                field: "RegisterBrokerRecord.InControlledShutdown",
                version,
            });
        }
        if version < 3 && !self.log_dirs.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "RegisterBrokerRecord.LogDirs", version });
        }
        if version < 4 && self.cordoned_log_dirs.is_some() {
            return Err(EncodeError::UnsupportedField {
                field: "RegisterBrokerRecord.CordonedLogDirs",
                version,
            });
        }
        let mut tags = 0u32;
        if version >= 3 && !self.log_dirs.is_empty() {
            tags += 1;
        }
        if version >= 4 && self.cordoned_log_dirs.is_some() {
            tags += 1;
        }
        writer.unsigned_varint(tags);
        if version >= 3 && !self.log_dirs.is_empty() {
            writer.tag(
                0,
                Size::of(|size| {
                    size.array(Some(&self.log_dirs[..]), version, flexible);
                }),
            );
            writer.array(&self.log_dirs, version, flexible)?;
        }
        if version >= 4 && self.cordoned_log_dirs.is_some() {
            writer.tag(
                1,
                Size::of(|size| {
                    size.array(self.cordoned_log_dirs.as_deref(), version, flexible);
                }),
            );
            writer.nullable_array(self.cordoned_log_dirs.as_deref(), version, flexible)?;
        }
        Ok(())
    }
}

/// Part of [`RegisterBrokerRecord`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrokerEndpoint<'a> {
    /// String, versions 0 to 4.
    pub name: &'a str,
    /// String, versions 0 to 4.
    pub host: &'a str,
    /// Uint16, versions 0 to 4.
    pub port: u16,
    /// Int16, versions 0 to 4.
    pub security_protocol: i16,
}

impl<'a> Element<'a> for BrokerEndpoint<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            host: reader.string(flexible)?,
            port: reader.u16()?,
            security_protocol: reader.i16()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.name), flexible);
        size.string(Some(self.host), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.string(self.host, flexible)?;
        writer.u16(self.port);
        writer.i16(self.security_protocol);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`RegisterBrokerRecord`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrokerFeature<'a> {
    /// String, versions 0 to 4.
    pub name: &'a str,
    /// Int16, versions 0 to 4.
    pub min_supported_version: i16,
    /// Int16, versions 0 to 4.
    pub max_supported_version: i16,
}

impl<'a> Element<'a> for BrokerFeature<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            min_supported_version: reader.i16()?,
            max_supported_version: reader.i16()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.name), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i16(self.min_supported_version);
        writer.i16(self.max_supported_version);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for RegisterBrokerRecord<'a> {
    const NAME: &'static str = "RegisterBrokerRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> MetadataMessage<'a> for RegisterBrokerRecord<'a> {
    const RECORD_TYPE: i16 = 0;
}
