//! LeaveGroup: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 13 (LeaveGroup), versions 0 to 5, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeaveGroupRequest<'a> {
    /// String, versions 0 to 5.
    pub group_id: &'a str,
    /// String, versions 0 to 2, refused elsewhere.
    pub member_id: &'a str,
    /// Array of [`MemberIdentity`], versions 3 to 5, refused elsewhere.
    pub members: Vec<MemberIdentity<'a>>,
}

impl<'a> Element<'a> for LeaveGroupRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            member_id: if version <= 2 { reader.string(flexible)? } else { "" },
            members: if version >= 3 { reader.array(version, flexible)? } else { Vec::new() },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.group_id), flexible);
        if version <= 2 {
            size.string(Some(self.member_id), flexible);
        }
        if version >= 3 {
            size.array(Some(&self.members[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        if version <= 2 {
            writer.string(self.member_id, flexible)?;
        } else if !self.member_id.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "LeaveGroupRequest.MemberId", version });
        }
        if version >= 3 {
            writer.array(&self.members, version, flexible)?;
        } else if !self.members.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "LeaveGroupRequest.Members", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`LeaveGroupRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemberIdentity<'a> {
    /// String, versions 3 to 5.
    pub member_id: &'a str,
    /// String, versions 3 to 5, nullable, default None.
    pub group_instance_id: Option<&'a str>,
    /// String, version 5, nullable, default None, ignorable.
    pub reason: Option<&'a str>,
}

impl<'a> Element<'a> for MemberIdentity<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            member_id: reader.string(flexible)?,
            group_instance_id: reader.nullable_string(flexible)?,
            reason: if version >= 5 { reader.nullable_string(flexible)? } else { None },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.member_id), flexible);
        size.string(self.group_instance_id, flexible);
        if version >= 5 {
            size.string(self.reason, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        writer.nullable_string(self.group_instance_id, flexible)?;
        if version >= 5 {
            writer.nullable_string(self.reason, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for LeaveGroupRequest<'a> {
    const NAME: &'static str = "LeaveGroupRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for LeaveGroupRequest<'a> {
    const API_KEY: ApiKey = ApiKey(13);
    type Response<'r> = LeaveGroupResponse<'r>;
}

/// Response of API key 13 (LeaveGroup), versions 0 to 5, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeaveGroupResponse<'a> {
    /// Int32, versions 1 to 5, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 5.
    pub error_code: i16,
    /// Array of [`MemberResponse`], versions 3 to 5, refused elsewhere.
    pub members: Vec<MemberResponse<'a>>,
}

impl<'a> Element<'a> for LeaveGroupResponse<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            error_code: reader.i16()?,
            members: if version >= 3 { reader.array(version, flexible)? } else { Vec::new() },
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
        if version >= 3 {
            size.array(Some(&self.members[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        writer.i16(self.error_code);
        if version >= 3 {
            writer.array(&self.members, version, flexible)?;
        } else if !self.members.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "LeaveGroupResponse.Members", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`LeaveGroupResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct MemberResponse<'a> {
    /// String, versions 3 to 5.
    pub member_id: &'a str,
    /// String, versions 3 to 5, nullable, default Some("").
    pub group_instance_id: Option<&'a str>,
    /// Int16, versions 3 to 5.
    pub error_code: i16,
}

impl Default for MemberResponse<'_> {
    fn default() -> Self {
        Self { member_id: "", group_instance_id: Some(""), error_code: 0 }
    }
}

impl<'a> Element<'a> for MemberResponse<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            member_id: reader.string(flexible)?,
            group_instance_id: reader.nullable_string(flexible)?,
            error_code: reader.i16()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.member_id), flexible);
        size.string(self.group_instance_id, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        writer.nullable_string(self.group_instance_id, flexible)?;
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for LeaveGroupResponse<'a> {
    const NAME: &'static str = "LeaveGroupResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for LeaveGroupResponse<'a> {
    const API_KEY: ApiKey = ApiKey(13);
}
