//! JoinGroup: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 11 (JoinGroup), versions 0 to 9, flexible from 6.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinGroupRequest<'a> {
    /// String, versions 0 to 9.
    pub group_id: &'a str,
    /// Int32, versions 0 to 9.
    pub session_timeout_ms: i32,
    /// Int32, versions 1 to 9, default -1, ignorable.
    pub rebalance_timeout_ms: i32,
    /// String, versions 0 to 9.
    pub member_id: &'a str,
    /// String, versions 5 to 9, nullable, default None, refused elsewhere.
    pub group_instance_id: Option<&'a str>,
    /// String, versions 0 to 9.
    pub protocol_type: &'a str,
    /// Array of [`JoinGroupRequestProtocol`], versions 0 to 9.
    pub protocols: Vec<JoinGroupRequestProtocol<'a>>,
    /// String, versions 8 to 9, nullable, default None, ignorable.
    pub reason: Option<&'a str>,
}

impl Default for JoinGroupRequest<'_> {
    fn default() -> Self {
        Self {
            group_id: "",
            session_timeout_ms: 0,
            rebalance_timeout_ms: -1,
            member_id: "",
            group_instance_id: None,
            protocol_type: "",
            protocols: Vec::new(),
            reason: None,
        }
    }
}

impl<'a> Element<'a> for JoinGroupRequest<'a> {
    const MIN_LEN: usize = 14;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            session_timeout_ms: reader.i32()?,
            rebalance_timeout_ms: if version >= 1 { reader.i32()? } else { -1 },
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            protocol_type: reader.string(flexible)?,
            protocols: reader.array(version, flexible)?,
            reason: if version >= 8 { reader.nullable_string(flexible)? } else { None },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.group_id), flexible);
        if version >= 1 {
            size.bytes += 4;
        }
        size.string(Some(self.member_id), flexible);
        if version >= 5 {
            size.string(self.group_instance_id, flexible);
        }
        size.string(Some(self.protocol_type), flexible);
        size.array(Some(&self.protocols[..]), version, flexible);
        if version >= 8 {
            size.string(self.reason, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.i32(self.session_timeout_ms);
        if version >= 1 {
            writer.i32(self.rebalance_timeout_ms);
        }
        writer.string(self.member_id, flexible)?;
        if version >= 5 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        } else if self.group_instance_id.is_some() {
            return Err(EncodeError::UnsupportedField { field: "JoinGroupRequest.GroupInstanceId", version });
        }
        writer.string(self.protocol_type, flexible)?;
        writer.array(&self.protocols, version, flexible)?;
        if version >= 8 {
            writer.nullable_string(self.reason, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`JoinGroupRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JoinGroupRequestProtocol<'a> {
    /// String, versions 0 to 9.
    pub name: &'a str,
    /// Bytes, versions 0 to 9.
    pub metadata: &'a [u8],
}

impl<'a> Element<'a> for JoinGroupRequestProtocol<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, metadata: reader.bytes(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.byte_string(Some(self.metadata), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.bytes(self.metadata, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for JoinGroupRequest<'a> {
    const NAME: &'static str = "JoinGroupRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 9;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Request<'a> for JoinGroupRequest<'a> {
    const API_KEY: ApiKey = ApiKey(11);
    type Response<'r> = JoinGroupResponse<'r>;
}

/// Response of API key 11 (JoinGroup), versions 0 to 9, flexible from 6.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinGroupResponse<'a> {
    /// Int32, versions 2 to 9, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 9.
    pub error_code: i16,
    /// Int32, versions 0 to 9, default -1.
    pub generation_id: i32,
    /// String, versions 7 to 9, nullable, default None, ignorable.
    pub protocol_type: Option<&'a str>,
    /// String, versions 0 to 9, nullable in 7 to 9, default Some("").
    pub protocol_name: Option<&'a str>,
    /// String, versions 0 to 9.
    pub leader: &'a str,
    /// Bool, version 9, refused elsewhere.
    pub skip_assignment: bool,
    /// String, versions 0 to 9.
    pub member_id: &'a str,
    /// Array of [`JoinGroupResponseMember`], versions 0 to 9.
    pub members: Vec<JoinGroupResponseMember<'a>>,
}

impl Default for JoinGroupResponse<'_> {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            generation_id: -1,
            protocol_type: None,
            protocol_name: Some(""),
            leader: "",
            skip_assignment: false,
            member_id: "",
            members: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for JoinGroupResponse<'a> {
    const MIN_LEN: usize = 15;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 2 { reader.i32()? } else { 0 },
            error_code: reader.i16()?,
            generation_id: reader.i32()?,
            protocol_type: if version >= 7 { reader.nullable_string(flexible)? } else { None },
            protocol_name: if version >= 7 {
                reader.nullable_string(flexible)?
            } else {
                Some(reader.string(flexible)?)
            },
            leader: reader.string(flexible)?,
            skip_assignment: if version >= 9 { reader.bool()? } else { false },
            member_id: reader.string(flexible)?,
            members: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        if version >= 2 {
            size.bytes += 4;
        }
        if version >= 7 {
            size.string(self.protocol_type, flexible);
        }
        size.string(self.protocol_name, flexible);
        size.string(Some(self.leader), flexible);
        if version >= 9 {
            size.bytes += 1;
        }
        size.string(Some(self.member_id), flexible);
        size.array(Some(&self.members[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 2 {
            writer.i32(self.throttle_time_ms);
        }
        writer.i16(self.error_code);
        writer.i32(self.generation_id);
        if version >= 7 {
            writer.nullable_string(self.protocol_type, flexible)?;
        }
        if self.protocol_name.is_none() && version < 7 {
            return Err(EncodeError::UnexpectedNull { field: "JoinGroupResponse.ProtocolName", version });
        }
        writer.nullable_string(self.protocol_name, flexible)?;
        writer.string(self.leader, flexible)?;
        if version >= 9 {
            writer.bool(self.skip_assignment);
        } else if self.skip_assignment {
            return Err(EncodeError::UnsupportedField { field: "JoinGroupResponse.SkipAssignment", version });
        }
        writer.string(self.member_id, flexible)?;
        writer.array(&self.members, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`JoinGroupResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JoinGroupResponseMember<'a> {
    /// String, versions 0 to 9.
    pub member_id: &'a str,
    /// String, versions 5 to 9, nullable, default None, ignorable.
    pub group_instance_id: Option<&'a str>,
    /// Bytes, versions 0 to 9.
    pub metadata: &'a [u8],
}

impl<'a> Element<'a> for JoinGroupResponseMember<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 5 { reader.nullable_string(flexible)? } else { None },
            metadata: reader.bytes(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.member_id), flexible);
        if version >= 5 {
            size.string(self.group_instance_id, flexible);
        }
        size.byte_string(Some(self.metadata), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        if version >= 5 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        }
        writer.bytes(self.metadata, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for JoinGroupResponse<'a> {
    const NAME: &'static str = "JoinGroupResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 9;
    const FLEXIBLE_FROM: i16 = 6;
}

impl<'a> Response<'a> for JoinGroupResponse<'a> {
    const API_KEY: ApiKey = ApiKey(11);
}
