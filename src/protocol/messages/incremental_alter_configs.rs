//! IncrementalAlterConfigs: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 44 (IncrementalAlterConfigs), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncrementalAlterConfigsRequest<'a> {
    /// Array of [`AlterConfigsResource`], versions 0 to 1.
    pub resources: Vec<AlterConfigsResource<'a>>,
    /// Bool, versions 0 to 1.
    pub validate_only: bool,
}

impl<'a> Element<'a> for IncrementalAlterConfigsRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { resources: reader.array(version, flexible)?, validate_only: reader.bool()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.array(Some(&self.resources[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.resources, version, flexible)?;
        writer.bool(self.validate_only);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`IncrementalAlterConfigsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterConfigsResource<'a> {
    /// Int8, versions 0 to 1.
    pub resource_type: i8,
    /// String, versions 0 to 1.
    pub resource_name: &'a str,
    /// Array of [`AlterableConfig`], versions 0 to 1.
    pub configs: Vec<AlterableConfig<'a>>,
}

impl<'a> Element<'a> for AlterConfigsResource<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            resource_type: reader.i8()?,
            resource_name: reader.string(flexible)?,
            configs: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.resource_name), flexible);
        size.array(Some(&self.configs[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i8(self.resource_type);
        writer.string(self.resource_name, flexible)?;
        writer.array(&self.configs, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`IncrementalAlterConfigsRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlterableConfig<'a> {
    /// String, versions 0 to 1.
    pub name: &'a str,
    /// Int8, versions 0 to 1.
    pub config_operation: i8,
    /// String, versions 0 to 1, nullable, default Some("").
    pub value: Option<&'a str>,
}

impl Default for AlterableConfig<'_> {
    fn default() -> Self {
        Self { name: "", config_operation: 0, value: Some("") }
    }
}

impl<'a> Element<'a> for AlterableConfig<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            config_operation: reader.i8()?,
            value: reader.nullable_string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.name), flexible);
        size.string(self.value, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i8(self.config_operation);
        writer.nullable_string(self.value, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for IncrementalAlterConfigsRequest<'a> {
    const NAME: &'static str = "IncrementalAlterConfigsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Request<'a> for IncrementalAlterConfigsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(44);
    type Response<'r> = IncrementalAlterConfigsResponse<'r>;
}

/// Response of API key 44 (IncrementalAlterConfigs), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncrementalAlterConfigsResponse<'a> {
    /// Int32, versions 0 to 1.
    pub throttle_time_ms: i32,
    /// Array of [`AlterConfigsResourceResponse`], versions 0 to 1.
    pub responses: Vec<AlterConfigsResourceResponse<'a>>,
}

impl<'a> Element<'a> for IncrementalAlterConfigsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, responses: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.responses[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.responses, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`IncrementalAlterConfigsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlterConfigsResourceResponse<'a> {
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Int8, versions 0 to 1.
    pub resource_type: i8,
    /// String, versions 0 to 1.
    pub resource_name: &'a str,
}

impl Default for AlterConfigsResourceResponse<'_> {
    fn default() -> Self {
        Self { error_code: 0, error_message: Some(""), resource_type: 0, resource_name: "" }
    }
}

impl<'a> Element<'a> for AlterConfigsResourceResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            resource_type: reader.i8()?,
            resource_name: reader.string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 3;
        size.string(self.error_message, flexible);
        size.string(Some(self.resource_name), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.i8(self.resource_type);
        writer.string(self.resource_name, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for IncrementalAlterConfigsResponse<'a> {
    const NAME: &'static str = "IncrementalAlterConfigsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Response<'a> for IncrementalAlterConfigsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(44);
}
