//! DescribeConfigs: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 32 (DescribeConfigs), versions 1 to 4, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeConfigsRequest<'a> {
    /// Array of [`DescribeConfigsResource`], versions 1 to 4.
    pub resources: Vec<DescribeConfigsResource<'a>>,
    /// Bool, versions 1 to 4.
    pub include_synonyms: bool,
    /// Bool, versions 3 to 4, refused elsewhere.
    pub include_documentation: bool,
}

impl<'a> Element<'a> for DescribeConfigsRequest<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            resources: reader.array(version, flexible)?,
            include_synonyms: reader.bool()?,
            include_documentation: if version >= 3 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.array(Some(&self.resources[..]), version, flexible);
        if version >= 3 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.resources, version, flexible)?;
        writer.bool(self.include_synonyms);
        if version >= 3 {
            writer.bool(self.include_documentation);
        } else if self.include_documentation {
            return Err(EncodeError::UnsupportedField {
                field: "DescribeConfigsRequest.IncludeDocumentation",
                version,
            });
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeConfigsRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeConfigsResource<'a> {
    /// Int8, versions 1 to 4.
    pub resource_type: i8,
    /// String, versions 1 to 4.
    pub resource_name: &'a str,
    /// Array of string, versions 1 to 4, nullable, default Some(Vec::new()).
    pub configuration_keys: Option<Vec<&'a str>>,
}

impl Default for DescribeConfigsResource<'_> {
    fn default() -> Self {
        Self { resource_type: 0, resource_name: "", configuration_keys: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for DescribeConfigsResource<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            resource_type: reader.i8()?,
            resource_name: reader.string(flexible)?,
            configuration_keys: reader.nullable_array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.resource_name), flexible);
        size.array(self.configuration_keys.as_deref(), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i8(self.resource_type);
        writer.string(self.resource_name, flexible)?;
        writer.nullable_array(self.configuration_keys.as_deref(), version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeConfigsRequest<'a> {
    const NAME: &'static str = "DescribeConfigsRequest";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for DescribeConfigsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(32);
    type Response<'r> = DescribeConfigsResponse<'r>;
}

/// Response of API key 32 (DescribeConfigs), versions 1 to 4, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeConfigsResponse<'a> {
    /// Int32, versions 1 to 4.
    pub throttle_time_ms: i32,
    /// Array of [`DescribeConfigsResult`], versions 1 to 4.
    pub results: Vec<DescribeConfigsResult<'a>>,
}

impl<'a> Element<'a> for DescribeConfigsResponse<'a> {
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

/// Part of [`DescribeConfigsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeConfigsResult<'a> {
    /// Int16, versions 1 to 4.
    pub error_code: i16,
    /// String, versions 1 to 4, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Int8, versions 1 to 4.
    pub resource_type: i8,
    /// String, versions 1 to 4.
    pub resource_name: &'a str,
    /// Array of [`DescribeConfigsResourceResult`], versions 1 to 4.
    pub configs: Vec<DescribeConfigsResourceResult<'a>>,
}

impl Default for DescribeConfigsResult<'_> {
    fn default() -> Self {
        Self {
            error_code: 0,
            error_message: Some(""),
            resource_type: 0,
            resource_name: "",
            configs: Vec::new(),
        }
    }
}

impl<'a> Element<'a> for DescribeConfigsResult<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
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
        size.bytes += 3;
        size.string(self.error_message, flexible);
        size.string(Some(self.resource_name), flexible);
        size.array(Some(&self.configs[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.i8(self.resource_type);
        writer.string(self.resource_name, flexible)?;
        writer.array(&self.configs, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeConfigsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeConfigsResourceResult<'a> {
    /// String, versions 1 to 4.
    pub name: &'a str,
    /// String, versions 1 to 4, nullable, default Some("").
    pub value: Option<&'a str>,
    /// Bool, versions 1 to 4.
    pub read_only: bool,
    /// Int8, versions 1 to 4, default -1.
    pub config_source: i8,
    /// Bool, versions 1 to 4.
    pub is_sensitive: bool,
    /// Array of [`DescribeConfigsSynonym`], versions 1 to 4.
    pub synonyms: Vec<DescribeConfigsSynonym<'a>>,
    /// Int8, versions 3 to 4, ignorable.
    pub config_type: i8,
    /// String, versions 3 to 4, nullable in 1 to 4, default Some(""), ignorable.
    pub documentation: Option<&'a str>,
}

impl Default for DescribeConfigsResourceResult<'_> {
    fn default() -> Self {
        Self {
            name: "",
            value: Some(""),
            read_only: false,
            config_source: -1,
            is_sensitive: false,
            synonyms: Vec::new(),
            config_type: 0,
            documentation: Some(""),
        }
    }
}

impl<'a> Element<'a> for DescribeConfigsResourceResult<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            value: reader.nullable_string(flexible)?,
            read_only: reader.bool()?,
            config_source: reader.i8()?,
            is_sensitive: reader.bool()?,
            synonyms: reader.array(version, flexible)?,
            config_type: if version >= 3 { reader.i8()? } else { 0 },
            documentation: if version >= 3 { reader.nullable_string(flexible)? } else { Some("") },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 3;
        size.string(Some(self.name), flexible);
        size.string(self.value, flexible);
        size.array(Some(&self.synonyms[..]), version, flexible);
        if version >= 3 {
            size.bytes += 1;
        }
        if version >= 3 {
            size.string(self.documentation, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.nullable_string(self.value, flexible)?;
        writer.bool(self.read_only);
        writer.i8(self.config_source);
        writer.bool(self.is_sensitive);
        writer.array(&self.synonyms, version, flexible)?;
        if version >= 3 {
            writer.i8(self.config_type);
        }
        if version >= 3 {
            writer.nullable_string(self.documentation, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeConfigsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeConfigsSynonym<'a> {
    /// String, versions 1 to 4.
    pub name: &'a str,
    /// String, versions 1 to 4, nullable, default Some("").
    pub value: Option<&'a str>,
    /// Int8, versions 1 to 4.
    pub source: i8,
}

impl Default for DescribeConfigsSynonym<'_> {
    fn default() -> Self {
        Self { name: "", value: Some(""), source: 0 }
    }
}

impl<'a> Element<'a> for DescribeConfigsSynonym<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            value: reader.nullable_string(flexible)?,
            source: reader.i8()?,
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
        writer.nullable_string(self.value, flexible)?;
        writer.i8(self.source);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeConfigsResponse<'a> {
    const NAME: &'static str = "DescribeConfigsResponse";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 4;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for DescribeConfigsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(32);
}
