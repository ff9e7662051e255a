//! GroupMetadataKey and GroupMetadataValue.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::wire::{
    CoordinatorKey, DecodeError, Element, EncodeError, Message, Reader, Size, Writer,
};

/// Key of type 2 in a coordinator's log, version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupMetadataKey<'a> {
    /// String, version 0.
    pub group: &'a str,
}

impl<'a> Element<'a> for GroupMetadataKey<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self { group: reader.string(flexible)? })
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.group), flexible);
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group, flexible)?;
        Ok(())
    }
}

impl<'a> Message<'a> for GroupMetadataKey<'a> {
    const NAME: &'static str = "GroupMetadataKey";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}

impl<'a> CoordinatorKey<'a> for GroupMetadataKey<'a> {
    const RECORD_TYPE: i16 = 2;
}

/// Value of type 2 in a coordinator's log, versions 0 to 4, flexible from 4.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMetadataValue<'a> {
    /// String, versions 0 to 4.
    pub protocol_type: &'a str,
    /// Int32, versions 0 to 4.
    pub generation: i32,
    /// String, versions 0 to 4, nullable, default Some("").
    pub protocol: Option<&'a str>,
    /// String, versions 0 to 4, nullable, default Some("").
    pub leader: Option<&'a str>,
    /// Int64, versions 2 to 4, default -1, ignorable.
    pub current_state_timestamp: i64,
    /// Array of [`MemberMetadata`], versions 0 to 4.
    pub members: Vec<MemberMetadata<'a>>,
}

impl Default for GroupMetadataValue<'_> {
    fn default() -> Self {
        Self {
            protocol_type: "",
            generation: 0,
            protocol: Some(""),
            leader: Some(""),
            current_state_timestamp: -1,
            members: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for GroupMetadataValue<'a> {
    const MIN_LEN: usize = 14;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            protocol_type: reader.string(flexible)?,
            generation: reader.i32()?,
            protocol: reader.nullable_string(flexible)?,
            leader: reader.nullable_string(flexible)?,
            current_state_timestamp: if version >= 2 { reader.i64()? } else { -1 },
            members: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.protocol_type), flexible);
        size.string(self.protocol, flexible);
        size.string(self.leader, flexible);
        if version >= 2 {
            size.bytes += 8;
        }
        size.array(Some(&self.members[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.protocol_type, flexible)?;
        writer.i32(self.generation);
        writer.nullable_string(self.protocol, flexible)?;
        writer.nullable_string(self.leader, flexible)?;
        if version >= 2 {
            writer.i64(self.current_state_timestamp);
        }
        writer.array(&self.members, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`GroupMetadataValue`].
#[derive(Clone, Debug, PartialEq)]
pub struct MemberMetadata<'a> {
    /// String, versions 0 to 4.
    pub member_id: &'a str,
    /// String, versions 3 to 4, nullable, default None, ignorable.
    pub group_instance_id: Option<&'a str>,
    /// String, versions 0 to 4.
    pub client_id: &'a str,
    /// String, versions 0 to 4.
    pub client_host: &'a str,
    /// Int32, versions 1 to 4, default -1, ignorable.
    pub rebalance_timeout: i32,
    /// Int32, versions 0 to 4.
    pub session_timeout: i32,
    /// Bytes, versions 0 to 4.
    pub subscription: &'a [u8],
    /// Bytes, versions 0 to 4.
    pub assignment: &'a [u8],
}

impl Default for MemberMetadata<'_> {
    fn default() -> Self {
        Self {
            member_id: "",
            group_instance_id: None,
            client_id: "",
            client_host: "",
            rebalance_timeout: -1,
            session_timeout: 0,
            subscription: &[],
            assignment: &[],
        }
    }
}

impl<'a> Element<'a> for MemberMetadata<'a> {
    const MIN_LEN: usize = 15;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 3 { reader.nullable_string(flexible)? } else { None },
            client_id: reader.string(flexible)?,
            client_host: reader.string(flexible)?,
            rebalance_timeout: if version >= 1 { reader.i32()? } else { -1 },
            session_timeout: reader.i32()?,
            subscription: reader.bytes(flexible)?,
            assignment: reader.bytes(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.member_id), flexible);
        if version >= 3 {
            size.string(self.group_instance_id, flexible);
        }
        size.string(Some(self.client_id), flexible);
        size.string(Some(self.client_host), flexible);
        if version >= 1 {
            size.bytes += 4;
        }
        size.byte_string(Some(self.subscription), flexible);
        size.byte_string(Some(self.assignment), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        if version >= 3 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        }
        writer.string(self.client_id, flexible)?;
        writer.string(self.client_host, flexible)?;
        if version >= 1 {
            writer.i32(self.rebalance_timeout);
        }
        writer.i32(self.session_timeout);
        writer.bytes(self.subscription, flexible)?;
        writer.bytes(self.assignment, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for GroupMetadataValue<'a> {
    const NAME: &'static str = "GroupMetadataValue";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}
