//! VotersRecord.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Uuid, Writer};

/// Data without a number of its own, version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VotersRecord<'a> {
    /// Int16, version 0.
    pub version: i16,
    /// Array of [`Voter`], version 0.
    pub voters: Vec<Voter<'a>>,
}

impl<'a> Element<'a> for VotersRecord<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { version: reader.i16()?, voters: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.array(Some(&self.voters[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.version);
        writer.array(&self.voters, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`VotersRecord`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Voter<'a> {
    /// Int32, version 0.
    pub voter_id: i32,
    /// Uuid, version 0.
    pub voter_directory_id: Uuid,
    /// Array of [`Endpoint`], version 0.
    pub endpoints: Vec<Endpoint<'a>>,
    /// [`KRaftVersionFeature`], version 0.
    pub kraft_version_feature: KRaftVersionFeature,
}

impl<'a> Element<'a> for Voter<'a> {
    const MIN_LEN: usize = 27;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            voter_id: reader.i32()?,
            voter_directory_id: reader.uuid()?,
            endpoints: reader.array(version, flexible)?,
            kraft_version_feature: KRaftVersionFeature::read(reader, version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 20;
        size.array(Some(&self.endpoints[..]), version, flexible);
        self.kraft_version_feature.size(size, version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.voter_id);
        writer.uuid(self.voter_directory_id);
        writer.array(&self.endpoints, version, flexible)?;
        self.kraft_version_feature.write(writer, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`VotersRecord`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Endpoint<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// String, version 0.
    pub host: &'a str,
    /// Uint16, version 0.
    pub port: u16,
}

impl<'a> Element<'a> for Endpoint<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, host: reader.string(flexible)?, port: reader.u16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.name), flexible);
        size.string(Some(self.host), flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.string(self.host, flexible)?;
        writer.u16(self.port);
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`VotersRecord`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KRaftVersionFeature {
    /// Int16, version 0.
    pub min_supported_version: i16,
    /// Int16, version 0.
    pub max_supported_version: i16,
}

impl<'a> Element<'a> for KRaftVersionFeature {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self { min_supported_version: reader.i16()?, max_supported_version: reader.i16()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 4;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i16(self.min_supported_version);
        writer.i16(self.max_supported_version);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for VotersRecord<'a> {
    const NAME: &'static str = "VotersRecord";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}
