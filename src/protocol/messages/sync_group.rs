//! SyncGroup: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 14 (SyncGroup), versions 0 to 5, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyncGroupRequest<'a> {
    /// String, versions 0 to 5.
    pub group_id: &'a str,
    /// Int32, versions 0 to 5.
    pub generation_id: i32,
    /// String, versions 0 to 5.
    pub member_id: &'a str,
    /// String, versions 3 to 5, nullable, default None, refused elsewhere.
    pub group_instance_id: Option<&'a str>,
    /// String, version 5, nullable, default None, ignorable.
    pub protocol_type: Option<&'a str>,
    /// String, version 5, nullable, default None, ignorable.
    pub protocol_name: Option<&'a str>,
    /// Array of [`SyncGroupRequestAssignment`], versions 0 to 5.
    pub assignments: Vec<SyncGroupRequestAssignment<'a>>,
}

impl<'a> Element<'a> for SyncGroupRequest<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            generation_id: reader.i32()?,
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 3 { reader.nullable_string(flexible)? } else { None },
            protocol_type: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            protocol_name: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            assignments: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.group_id), flexible);
        size.string(Some(self.member_id), flexible);
        if version >= 3 {
            size.string(self.group_instance_id, flexible);
        }
        if version >= 5 {
            size.string(self.protocol_type, flexible);
        }
        if version >= 5 {
            size.string(self.protocol_name, flexible);
        }
        size.array(Some(&self.assignments[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.i32(self.generation_id);
        writer.string(self.member_id, flexible)?;
        if version >= 3 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        } else if self.group_instance_id.is_some() {
            return Err(EncodeError::UnsupportedField { field: "SyncGroupRequest.GroupInstanceId", version });
        }
        if version >= 5 {
            writer.nullable_string(self.protocol_type, flexible)?;
        }
        if version >= 5 {
            writer.nullable_string(self.protocol_name, flexible)?;
        }
        writer.array(&self.assignments, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`SyncGroupRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyncGroupRequestAssignment<'a> {
    /// String, versions 0 to 5.
    pub member_id: &'a str,
    /// Bytes, versions 0 to 5.
    pub assignment: &'a [u8],
}

impl<'a> Element<'a> for SyncGroupRequestAssignment<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { member_id: reader.string(flexible)?, assignment: reader.bytes(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.member_id), flexible);
        size.byte_string(Some(self.assignment), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        writer.bytes(self.assignment, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for SyncGroupRequest<'a> {
    const NAME: &'static str = "SyncGroupRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for SyncGroupRequest<'a> {
    const API_KEY: ApiKey = ApiKey(14);
    type Response<'r> = SyncGroupResponse<'r>;
}

/// Response of API key 14 (SyncGroup), versions 0 to 5, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyncGroupResponse<'a> {
    /// Int32, versions 1 to 5, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 5.
    pub error_code: i16,
    /// String, version 5, nullable, default None, ignorable.
    pub protocol_type: Option<&'a str>,
    /// String, version 5, nullable, default None, ignorable.
    pub protocol_name: Option<&'a str>,
    /// Bytes, versions 0 to 5.
    pub assignment: &'a [u8],
}

impl<'a> Element<'a> for SyncGroupResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            error_code: reader.i16()?,
            protocol_type: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            protocol_name: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            assignment: reader.bytes(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        if version >= 1 {
            size.bytes += 4;
        }
        if version >= 5 {
            size.string(self.protocol_type, flexible);
        }
        if version >= 5 {
            size.string(self.protocol_name, flexible);
        }
        size.byte_string(Some(self.assignment), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        writer.i16(self.error_code);
        if version >= 5 {
            writer.nullable_string(self.protocol_type, flexible)?;
        }
        if version >= 5 {
            writer.nullable_string(self.protocol_name, flexible)?;
        }
        writer.bytes(self.assignment, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for SyncGroupResponse<'a> {
    const NAME: &'static str = "SyncGroupResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for SyncGroupResponse<'a> {
    const API_KEY: ApiKey = ApiKey(14);
}
