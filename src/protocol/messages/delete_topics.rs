//! DeleteTopics: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
};

/// Request of API key 20 (DeleteTopics), versions 1 to 6, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteTopicsRequest<'a> {
    /// Array of [`DeleteTopicState`], version 6, refused elsewhere.
    pub topics: Vec<DeleteTopicState<'a>>,
    /// Array of string, versions 1 to 5, ignorable.
    pub topic_names: Vec<&'a str>,
    /// Int32, versions 1 to 6.
    pub timeout_ms: i32,
}

impl<'a> Element<'a> for DeleteTopicsRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topics: if version >= 6 { reader.array(version, flexible)? } else { Vec::new() },
            topic_names: if version <= 5 { reader.array(version, flexible)? } else { Vec::new() },
            timeout_ms: reader.i32()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 6 {
            size.array(Some(&self.topics[..]), version, flexible);
        }
        if version <= 5 {
            size.array(Some(&self.topic_names[..]), version, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if version >= 6 {
            writer.array(&self.topics, version, flexible)?;
        } else if !self.topics.is_empty() {
            return Err(EncodeError::UnsupportedField { field: "DeleteTopicsRequest.Topics", version });
        }
        if version <= 5 {
            writer.array(&self.topic_names, version, flexible)?;
        }
        writer.i32(self.timeout_ms);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DeleteTopicsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteTopicState<'a> {
    /// String, version 6, nullable, default None.
    pub name: Option<&'a str>,
    /// Uuid, version 6.
    pub topic_id: Uuid,
}

impl<'a> Element<'a> for DeleteTopicState<'a> {
    const MIN_LEN: usize = 18;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.nullable_string(flexible)?, topic_id: reader.uuid()? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 16;
        size.string(self.name, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.nullable_string(self.name, flexible)?;
        writer.uuid(self.topic_id);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteTopicsRequest<'a> {
    const NAME: &'static str = "DeleteTopicsRequest";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Request<'a> for DeleteTopicsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(20);
    type Response<'r> = DeleteTopicsResponse<'r>;
}

/// Response of API key 20 (DeleteTopics), versions 1 to 6, flexible from 4.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteTopicsResponse<'a> {
    /// Int32, versions 1 to 6.
    pub throttle_time_ms: i32,
    /// Array of [`DeletableTopicResult`], versions 1 to 6.
    pub responses: Vec<DeletableTopicResult<'a>>,
}

impl<'a> Element<'a> for DeleteTopicsResponse<'a> {
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

/// Part of [`DeleteTopicsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DeletableTopicResult<'a> {
    /// String, versions 1 to 6, nullable in 6, default Some("").
    pub name: Option<&'a str>,
    /// Uuid, version 6, ignorable.
    pub topic_id: Uuid,
    /// Int16, versions 1 to 6.
    pub error_code: i16,
    /// String, versions 5 to 6, nullable, default None, ignorable.
    pub error_message: Option<&'a str>,
}

impl Default for DeletableTopicResult<'_> {
    fn default() -> Self {
        Self { name: Some(""), topic_id: Uuid::ZERO, error_code: 0, error_message: None }
    }
}

impl<'a> Element<'a> for DeletableTopicResult<'a> {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: if version >= 6 {
                reader.nullable_string(flexible)?
            } else {
                Some(reader.string(flexible)?)
            },
            topic_id: if version >= 6 { reader.uuid()? } else { Uuid::ZERO },
            error_code: reader.i16()?,
            error_message: if version >= 5 { reader.nullable_string(flexible)? } else { None },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(self.name, flexible);
        if version >= 6 {
            size.bytes += 16;
        }
        if version >= 5 {
            size.string(self.error_message, flexible);
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        if self.name.is_none() && version < 6 {
            return Err(EncodeError::UnexpectedNull { field: "DeletableTopicResult.Name", version });
        }
        writer.nullable_string(self.name, flexible)?;
        if version >= 6 {
            writer.uuid(self.topic_id);
        }
        writer.i16(self.error_code);
        if version >= 5 {
            writer.nullable_string(self.error_message, flexible)?;
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteTopicsResponse<'a> {
    const NAME: &'static str = "DeleteTopicsResponse";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 6;
    const FLEXIBLE_FROM: i16 = 4;
}

impl<'a> Response<'a> for DeleteTopicsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(20);
}
