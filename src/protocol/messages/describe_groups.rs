//! DescribeGroups: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 15 (DescribeGroups), versions 0 to 6, flexible from 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeGroupsRequest<'a> {
    /// Array of string, versions 0 to 6.
    pub groups: Vec<&'a str>,
    /// Bool, versions 3 to 6, refused elsewhere.
    pub include_authorized_operations: bool,
}

impl<'a> Element<'a> for DescribeGroupsRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            groups: reader.array(version, flexible)?,
            include_authorized_operations: if version >= 3 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.groups[..]), version, flexible);
        if version >= 3 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.groups, version, flexible)?;
        if version >= 3 {
            writer.bool(self.include_authorized_operations);
        } else if self.include_authorized_operations {
            return Err(EncodeError::UnsupportedField {
                field: "DescribeGroupsRequest.IncludeAuthorizedOperations",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeGroupsRequest<'a> {
    const NAME: &'static str = "DescribeGroupsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 5;
}

impl<'a> Request<'a> for DescribeGroupsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(15);
    type Response<'r> = DescribeGroupsResponse<'r>;
}

/// Response of API key 15 (DescribeGroups), versions 0 to 6, flexible from 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeGroupsResponse<'a> {
    /// Int32, versions 1 to 6, ignorable.
    pub throttle_time_ms: i32,
    /// Array of [`DescribedGroup`], versions 0 to 6.
    pub groups: Vec<DescribedGroup<'a>>,
}

impl<'a> Element<'a> for DescribeGroupsResponse<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            groups: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 1 {
            size.bytes += 4;
        }
        size.array(Some(&self.groups[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        writer.array(&self.groups, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeGroupsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedGroup<'a> {
    /// Int16, versions 0 to 6.
    pub error_code: i16,
    /// String, version 6, nullable, default None, refused elsewhere.
    pub error_message: Option<&'a str>,
    /// String, versions 0 to 6.
    pub group_id: &'a str,
    /// String, versions 0 to 6.
    pub group_state: &'a str,
    /// String, versions 0 to 6.
    pub protocol_type: &'a str,
    /// String, versions 0 to 6.
    pub protocol_data: &'a str,
    /// Array of [`DescribedGroupMember`], versions 0 to 6.
    pub members: Vec<DescribedGroupMember<'a>>,
    /// Int32, versions 3 to 6, default i32::MIN, refused elsewhere.
    pub authorized_operations: i32,
}

impl Default for DescribedGroup<'_> {
    fn default() -> Self {
        Self {
            error_code: 0,
            error_message: None,
            group_id: "",
            group_state: "",
            protocol_type: "",
            protocol_data: "",
            members: Vec::new(),
            authorized_operations: i32::MIN,
        }
    }
}

impl<'a> Element<'a> for DescribedGroup<'a> {
    const MIN_LEN: usize = 12;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            error_message: if version >= 6 { reader.nullable_string(flexible)? } else { None },
            group_id: reader.string(flexible)?,
            group_state: reader.string(flexible)?,
            protocol_type: reader.string(flexible)?,
            protocol_data: reader.string(flexible)?,
            members: reader.array(version, flexible)?,
            authorized_operations: if version >= 3 { reader.i32()? } else { i32::MIN },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        if version >= 6 {
            size.string(self.error_message, flexible);
        }
        size.string(Some(self.group_id), flexible);
        size.string(Some(self.group_state), flexible);
        size.string(Some(self.protocol_type), flexible);
        size.string(Some(self.protocol_data), flexible);
        size.array(Some(&self.members[..]), version, flexible);
        if version >= 3 {
            size.bytes += 4;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        if version >= 6 {
            writer.nullable_string(self.error_message, flexible)?;
        } else if self.error_message.is_some() {
            return Err(EncodeError::UnsupportedField { field: "DescribedGroup.ErrorMessage", version });
        }
        writer.string(self.group_id, flexible)?;
        writer.string(self.group_state, flexible)?;
        writer.string(self.protocol_type, flexible)?;
        writer.string(self.protocol_data, flexible)?;
        writer.array(&self.members, version, flexible)?;
        if version >= 3 {
            writer.i32(self.authorized_operations);
        } else if self.authorized_operations != i32::MIN {
            return Err(EncodeError::UnsupportedField {
                field: "DescribedGroup.AuthorizedOperations",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeGroupsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribedGroupMember<'a> {
    /// String, versions 0 to 6.
    pub member_id: &'a str,
    /// String, versions 4 to 6, nullable, default None, ignorable.
    pub group_instance_id: Option<&'a str>,
    /// String, versions 0 to 6.
    pub client_id: &'a str,
    /// String, versions 0 to 6.
    pub client_host: &'a str,
    /// Bytes, versions 0 to 6.
    pub member_metadata: &'a [u8],
    /// Bytes, versions 0 to 6.
    pub member_assignment: &'a [u8],
}

impl<'a> Element<'a> for DescribedGroupMember<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 4 { reader.nullable_string(flexible)? } else { None },
            client_id: reader.string(flexible)?,
            client_host: reader.string(flexible)?,
            member_metadata: reader.bytes(flexible)?,
            member_assignment: reader.bytes(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.member_id), flexible);
        if version >= 4 {
            size.string(self.group_instance_id, flexible);
        }
        size.string(Some(self.client_id), flexible);
        size.string(Some(self.client_host), flexible);
        size.byte_string(Some(self.member_metadata), flexible);
        size.byte_string(Some(self.member_assignment), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.member_id, flexible)?;
        if version >= 4 {
            writer.nullable_string(self.group_instance_id, flexible)?;
        }
        writer.string(self.client_id, flexible)?;
        writer.string(self.client_host, flexible)?;
        writer.bytes(self.member_metadata, flexible)?;
        writer.bytes(self.member_assignment, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeGroupsResponse<'a> {
    const NAME: &'static str = "DescribeGroupsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 5;
}

impl<'a> Response<'a> for DescribeGroupsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(15);
}
