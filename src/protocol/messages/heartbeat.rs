//! Heartbeat: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 12 (Heartbeat), versions 0 to 4, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeartbeatRequest<'a> {
    /// String, versions 0 to 4.
    pub group_id: &'a str,
    /// Int32, versions 0 to 4.
    pub generation_id: i32,
    /// String, versions 0 to 4.
    pub member_id: &'a str,
    /// String, versions 3 to 4, nullable, default None, refused elsewhere.
    pub group_instance_id: Option<&'a str>,
}

impl<'a> Element<'a> for HeartbeatRequest<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            group_id: reader.string(flexible)?,
            generation_id: reader.i32()?,
            member_id: reader.string(flexible)?,
            group_instance_id: if version >= 3 { reader.nullable_string(flexible)? } else { None },
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
            return Err(EncodeError::UnsupportedField { field: "HeartbeatRequest.GroupInstanceId", version });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for HeartbeatRequest<'a> {
    const NAME: &'static str = "HeartbeatRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for HeartbeatRequest<'a> {
    const API_KEY: ApiKey = ApiKey(12);
    type Response<'r> = HeartbeatResponse;
}

/// Response of API key 12 (Heartbeat), versions 0 to 4, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeartbeatResponse {
    /// Int32, versions 1 to 4, ignorable.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 4.
    pub error_code: i16,
}

impl<'a> Element<'a> for HeartbeatResponse {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: if version >= 1 { reader.i32()? } else { 0 },
            error_code: reader.i16()?,
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
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.i32(self.throttle_time_ms);
        }
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for HeartbeatResponse {
    const NAME: &'static str = "HeartbeatResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for HeartbeatResponse {
    const API_KEY: ApiKey = ApiKey(12);
}
