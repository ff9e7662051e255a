//! ListConfigResources: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 74 (ListConfigResources), versions 0 to 1, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListConfigResourcesRequest {
    /// Array of int8, version 1, refused elsewhere.
    pub resource_types: Vec<i8>,
}

impl<'a> Element<'a> for ListConfigResourcesRequest {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { resource_types: if version >= 1 { reader.array(version, flexible)? } else { Vec::new() } };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        if version >= 1 {
            size.array(Some(&self.resource_types[..]), version, flexible);
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 1 {
            writer.array(&self.resource_types, version, flexible)?;
        } else if !self.resource_types.is_empty() {
            return Err(EncodeError::UnsupportedField {
                field: "ListConfigResourcesRequest.ResourceTypes",
                version,
            });
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ListConfigResourcesRequest {
    const NAME: &'static str = "ListConfigResourcesRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for ListConfigResourcesRequest {
    const API_KEY: ApiKey = ApiKey(74);
    type Response<'r> = ListConfigResourcesResponse<'r>;
}

/// Response of API key 74 (ListConfigResources), versions 0 to 1, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListConfigResourcesResponse<'a> {
    /// Int32, versions 0 to 1.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// Array of [`ConfigResource`], versions 0 to 1.
    pub config_resources: Vec<ConfigResource<'a>>,
}

impl<'a> Element<'a> for ListConfigResourcesResponse<'a> {
    const MIN_LEN: usize = 8;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            config_resources: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.array(Some(&self.config_resources[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.array(&self.config_resources, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`ListConfigResourcesResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigResource<'a> {
    /// String, versions 0 to 1.
    pub resource_name: &'a str,
    /// Int8, version 1, default 16, ignorable.
    pub resource_type: i8,
}

impl Default for ConfigResource<'_> {
    fn default() -> Self {
        Self { resource_name: "", resource_type: 16 }
    }
}

impl<'a> Element<'a> for ConfigResource<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            resource_name: reader.string(flexible)?,
            resource_type: if version >= 1 { reader.i8()? } else { 16 },
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.resource_name), flexible);
        if version >= 1 {
            size.bytes += 1;
        }
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.resource_name, flexible)?;
        if version >= 1 {
            writer.i8(self.resource_type);
        }
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for ListConfigResourcesResponse<'a> {
    const NAME: &'static str = "ListConfigResourcesResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for ListConfigResourcesResponse<'a> {
    const API_KEY: ApiKey = ApiKey(74);
}
