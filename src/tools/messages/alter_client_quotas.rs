//! AlterClientQuotas: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 49 (AlterClientQuotas), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterClientQuotasRequest<'a> {
    /// Array of [`EntryData`], versions 0 to 1.
    pub entries: Vec<EntryData<'a>>,
    /// Bool, versions 0 to 1.
    pub validate_only: bool,
}

impl<'a> Element<'a> for AlterClientQuotasRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { entries: reader.array(version, flexible)?, validate_only: reader.bool()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 1;
        size.array(Some(&self.entries[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.entries, version, flexible)?;
        writer.bool(self.validate_only);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterClientQuotasRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryData<'a> {
    /// Array of [`EntityData`], versions 0 to 1.
    pub entity: Vec<EntityData<'a>>,
    /// Array of [`OpData`], versions 0 to 1.
    pub ops: Vec<OpData<'a>>,
}

impl<'a> Element<'a> for EntryData<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { entity: reader.array(version, flexible)?, ops: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.entity[..]), version, flexible);
        size.array(Some(&self.ops[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.entity, version, flexible)?;
        writer.array(&self.ops, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterClientQuotasRequest`].
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

/// Part of [`AlterClientQuotasRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpData<'a> {
    /// String, versions 0 to 1.
    pub key: &'a str,
    /// Float64, versions 0 to 1, default 0.0.
    pub value: f64,
    /// Bool, versions 0 to 1.
    pub remove: bool,
}

impl<'a> Element<'a> for OpData<'a> {
    const MIN_LEN: usize = 11;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { key: reader.string(flexible)?, value: reader.f64()?, remove: reader.bool()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 9;
        size.string(Some(self.key), flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.key, flexible)?;
        writer.f64(self.value);
        writer.bool(self.remove);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for AlterClientQuotasRequest<'a> {
    const NAME: &'static str = "AlterClientQuotasRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Request<'a> for AlterClientQuotasRequest<'a> {
    const API_KEY: ApiKey = ApiKey(49);
    type Response<'r> = AlterClientQuotasResponse<'r>;
}

/// Response of API key 49 (AlterClientQuotas), versions 0 to 1, flexible from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlterClientQuotasResponse<'a> {
    /// Int32, versions 0 to 1.
    pub throttle_time_ms: i32,
    /// Array of [`ResponseEntryData`], versions 0 to 1.
    pub entries: Vec<ResponseEntryData<'a>>,
}

impl<'a> Element<'a> for AlterClientQuotasResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, entries: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.entries[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.entries, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterClientQuotasResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseEntryData<'a> {
    /// Int16, versions 0 to 1.
    pub error_code: i16,
    /// String, versions 0 to 1, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Array of [`ResponseEntityData`], versions 0 to 1.
    pub entity: Vec<ResponseEntityData<'a>>,
}

impl Default for ResponseEntryData<'_> {
    fn default() -> Self {
        Self { error_code: 0, error_message: Some(""), entity: Vec::new() }
    }
}

impl<'a> Element<'a> for ResponseEntryData<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            entity: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(self.error_message, flexible);
        size.array(Some(&self.entity[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.entity, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`AlterClientQuotasResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseEntityData<'a> {
    /// String, versions 0 to 1.
    pub entity_type: &'a str,
    /// String, versions 0 to 1, nullable, default Some("").
    pub entity_name: Option<&'a str>,
}

impl Default for ResponseEntityData<'_> {
    fn default() -> Self {
        Self { entity_type: "", entity_name: Some("") }
    }
}

impl<'a> Element<'a> for ResponseEntityData<'a> {
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

impl<'a> Message<'a> for AlterClientQuotasResponse<'a> {
    const NAME: &'static str = "AlterClientQuotasResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 1;
    const FLEXIBLE_FROM: i16 = 1;
}

impl<'a> Response<'a> for AlterClientQuotasResponse<'a> {
    const API_KEY: ApiKey = ApiKey(49);
}
