//! LeaderChangeMessage.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{DecodeError, Element, EncodeError, Message, Reader, Size, Uuid, Writer};

/// Data without a number of its own, versions 0 to 1, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeaderChangeMessage {
    /// Int16, versions 0 to 1.
    pub version: i16,
    /// Int32, versions 0 to 1.
    pub leader_id: i32,
    /// Array of [`Voter`], versions 0 to 1.
    pub voters: Vec<Voter>,
    /// Array of [`Voter`], versions 0 to 1.
    pub granting_voters: Vec<Voter>,
}

impl<'a> Element<'a> for LeaderChangeMessage {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            version: reader.i16()?,
            leader_id: reader.i32()?,
            voters: reader.array(version, flexible)?,
            granting_voters: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.array(Some(&self.voters[..]), version, flexible);
        size.array(Some(&self.granting_voters[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.version);
        writer.i32(self.leader_id);
        writer.array(&self.voters, version, flexible)?;
        writer.array(&self.granting_voters, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`LeaderChangeMessage`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Voter {
    /// Int32, versions 0 to 1.
    pub voter_id: i32,
    /// Uuid, version 1, refused elsewhere.
    pub voter_directory_id: Uuid,
}

impl<'a> Element<'a> for Voter {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, version: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self {
            voter_id: reader.i32()?,
            voter_directory_id: if version >= 1 { reader.uuid()? } else { Uuid::ZERO },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, _: bool) {
        size.bytes += 4;
        if version >= 1 {
            size.bytes += 16;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.voter_id);
        if version >= 1 {
            writer.uuid(self.voter_directory_id);
        } else if self.voter_directory_id != Uuid::ZERO {
            return Err(EncodeError::UnsupportedField { field: "Voter.VoterDirectoryId", version });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for LeaderChangeMessage {
    const NAME: &'static str = "LeaderChangeMessage";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 0;
}
