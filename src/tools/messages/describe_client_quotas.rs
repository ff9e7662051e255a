//! DescribeClientQuotas: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 48 (DescribeClientQuotas), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeClientQuotasRequest<'a> {
    /// Array of [`ComponentData`], versions 0 to 1.
    pub components: Vec<ComponentData<'a>>,
    /// Bool, versions 0 to 1.
    pub strict: bool,
}

impl<'a> Element<'a> for DescribeClientQuotasRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { components: reader.array(version, flexible)?, strict: reader.bool()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.array(Some(&self.components[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.components, version, flexible)?;
        writer.bool(self.strict);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeClientQuotasRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentData<'a> {
    /// String, versions 0 to 1.
    pub entity_type: &'a str,
    /// Int8, versions 0 to 1.
    pub match_type: i8,
    /// String, versions 0 to 1, nullable, default Some("").
    pub r#match: Option<&'a str>,
}

impl Default for ComponentData<'_> {
    fn default() -> Self {
        Self { entity_type: "", match_type: 0, r#match: Some("") }
    }
}

impl<'a> Element<'a> for ComponentData<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            entity_type: reader.string(flexible)?,
            match_type: reader.i8()?,
            r#match: reader.nullable_string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 1;
        size.string(Some(self.entity_type), flexible);
        size.string(self.r#match, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.entity_type, flexible)?;
        writer.i8(self.match_type);
        writer.nullable_string(self.r#match, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeClientQuotasRequest<'a> {
    const NAME: &'static str = "DescribeClientQuotasRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Request<'a> for DescribeClientQuotasRequest<'a> {
    const API_KEY: ApiKey = ApiKey(48);
    type Response<'r> = DescribeClientQuotasResponse<'r>;
}

/// Response of API key 48 (DescribeClientQuotas), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeClientQuotasResponse<'a> {
    /// Int32, versions 0 to 1.
    pub throttle_time_ms: i32,
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`EntryData`], versions 0 to 1, nullable, default Some(Vec::new()).
    pub entries: Option<Vec<EntryData<'a>>>,
}

impl Default for DescribeClientQuotasResponse<'_> {
    fn default() -> Self {
        Self { throttle_time_ms: 0, error_code: 0, error_message: Some(""), entries: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for DescribeClientQuotasResponse<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            entries: reader.nullable_array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        size.array(self.entries.as_deref(), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.nullable_array(self.entries.as_deref(), version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeClientQuotasResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryData<'a> {
    /// Array of [`EntityData`], versions 0 to 1.
    pub entity: Vec<EntityData<'a>>,
    /// Array of [`ValueData`], versions 0 to 1.
    pub values: Vec<ValueData<'a>>,
}

impl<'a> Element<'a> for EntryData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { entity: reader.array(version, flexible)?, values: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.entity[..]), version, flexible);
        size.array(Some(&self.values[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.entity, version, flexible)?;
        writer.array(&self.values, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeClientQuotasResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct EntityData<'a> {
    /// String, versions 0 to 1.
    pub entity_type: &'a str,
    /// String, versions 0 to 1, nullable, default Some("").
    pub entity_name: Option<&'a str>,
}

impl Default for EntityData<'_> {
    fn default() -> Self {
        Self { entity_type: "", entity_name: Some("") }
    }
}

impl<'a> Element<'a> for EntityData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { entity_type: reader.string(flexible)?, entity_name: reader.nullable_string(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.entity_type), flexible);
        size.string(self.entity_name, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.entity_type, flexible)?;
        writer.nullable_string(self.entity_name, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeClientQuotasResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueData<'a> {
    /// String, versions 0 to 1.
    pub key: &'a str,
    /// Float64, versions 0 to 1, default 0.0.
    pub value: f64,
}

impl<'a> Element<'a> for ValueData<'a> {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { key: reader.string(flexible)?, value: reader.f64()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 8;
        size.string(Some(self.key), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.key, flexible)?;
        writer.f64(self.value);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeClientQuotasResponse<'a> {
    const NAME: &'static str = "DescribeClientQuotasResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Response<'a> for DescribeClientQuotasResponse<'a> {
    const API_KEY: ApiKey = ApiKey(48);
}
