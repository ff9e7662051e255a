//! DeleteGroups: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 42 (DeleteGroups), versions 0 to 3, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteGroupsRequest<'a> {
    /// Array of string, versions 0 to 3.
    pub groups_names: Vec<&'a str>,
}

impl<'a> Element<'a> for DeleteGroupsRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { groups_names: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.groups_names[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.groups_names, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteGroupsRequest<'a> {
    const NAME: &'static str = "DeleteGroupsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 3;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for DeleteGroupsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(42);
    type Response<'r> = DeleteGroupsResponse<'r>;
}

/// Response of API key 42 (DeleteGroups), versions 0 to 3, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteGroupsResponse<'a> {
    /// Int32, versions 0 to 3.
    pub throttle_time_ms: i32,
    /// Array of [`DeletableGroupResult`], versions 0 to 3.
    pub results: Vec<DeletableGroupResult<'a>>,
}

impl<'a> Element<'a> for DeleteGroupsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, results: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.results[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.results, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DeleteGroupsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeletableGroupResult<'a> {
    /// String, versions 0 to 3.
    pub group_id: &'a str,
    /// Int16, versions 0 to 3.
    pub error_code: i16,
    /// String, version 3, nullable, default None, ignorable.
    pub error_message: Option<&'a str>,
}

impl<'a> Element<'a> for DeletableGroupResult<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            error_code: reader.i16()?,
            error_message: if version >= 3 { reader.nullable_string(flexible)? } else { None },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.group_id), flexible);
        if version >= 3 {
            size.string(self.error_message, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.i16(self.error_code);
        if version >= 3 {
            writer.nullable_string(self.error_message, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteGroupsResponse<'a> {
    const NAME: &'static str = "DeleteGroupsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 3;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for DeleteGroupsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(42);
}
