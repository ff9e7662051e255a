//! CreateTopics: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Uuid, Writer,
    unsigned_varint_len,
};

/// Request of API key 19 (CreateTopics), versions 2 to 7, flexible from 5.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTopicsRequest<'a> {
    /// Array of [`CreatableTopic`], versions 2 to 7.
    pub topics: Vec<CreatableTopic<'a>>,
    /// Int32, versions 2 to 7, default 60000.
    pub timeout_ms: i32,
    /// Bool, versions 2 to 7.
    pub validate_only: bool,
}

impl Default for CreateTopicsRequest<'_> {
    fn default() -> Self {
        Self { topics: Vec::new(), timeout_ms: 60000, validate_only: false }
    }
}

impl<'a> Element<'a> for CreateTopicsRequest<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            topics: reader.array(version, flexible)?,
            timeout_ms: reader.i32()?,
            validate_only: reader.bool()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 5;
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.topics, version, flexible)?;
        writer.i32(self.timeout_ms);
        writer.bool(self.validate_only);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`CreateTopicsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatableTopic<'a> {
    /// String, versions 2 to 7.
    pub name: &'a str,
    /// Int32, versions 2 to 7.
    pub num_partitions: i32,
    /// Int16, versions 2 to 7.
    pub replication_factor: i16,
    /// Array of [`CreatableReplicaAssignment`], versions 2 to 7.
    pub assignments: Vec<CreatableReplicaAssignment>,
    /// Array of [`CreatableTopicConfig`], versions 2 to 7.
    pub configs: Vec<CreatableTopicConfig<'a>>,
}

impl<'a> Element<'a> for CreatableTopic<'a> {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            num_partitions: reader.i32()?,
            replication_factor: reader.i16()?,
            assignments: reader.array(version, flexible)?,
            configs: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(Some(self.name), flexible);
        size.array(Some(&self.assignments[..]), version, flexible);
        size.array(Some(&self.configs[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i32(self.num_partitions);
        writer.i16(self.replication_factor);
        writer.array(&self.assignments, version, flexible)?;
        writer.array(&self.configs, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`CreateTopicsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatableReplicaAssignment {
    /// Int32, versions 2 to 7.
    pub partition_index: i32,
    /// Array of int32, versions 2 to 7.
    pub broker_ids: Vec<i32>,
}

impl<'a> Element<'a> for CreatableReplicaAssignment {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { partition_index: reader.i32()?, broker_ids: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.broker_ids[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.array(&self.broker_ids, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`CreateTopicsRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct CreatableTopicConfig<'a> {
    /// String, versions 2 to 7.
    pub name: &'a str,
    /// String, versions 2 to 7, nullable, default Some("").
    pub value: Option<&'a str>,
}

impl Default for CreatableTopicConfig<'_> {
    fn default() -> Self {
        Self { name: "", value: Some("") }
    }
}

impl<'a> Element<'a> for CreatableTopicConfig<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, value: reader.nullable_string(flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.string(self.value, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.nullable_string(self.value, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for CreateTopicsRequest<'a> {
    const NAME: &'static str = "CreateTopicsRequest";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 7;
    const FLEXIBLE_FROM: i16 = 5;
}

impl<'a> Request<'a> for CreateTopicsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(19);
    type Response<'r> = CreateTopicsResponse<'r>;
}

/// Response of API key 19 (CreateTopics), versions 2 to 7, flexible from 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreateTopicsResponse<'a> {
    /// Int32, versions 2 to 7.
    pub throttle_time_ms: i32,
    /// Array of [`CreatableTopicResult`], versions 2 to 7.
    pub topics: Vec<CreatableTopicResult<'a>>,
}

impl<'a> Element<'a> for CreateTopicsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, topics: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.topics[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.topics, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`CreateTopicsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct CreatableTopicResult<'a> {
    /// String, versions 2 to 7.
    pub name: &'a str,
    /// Uuid, version 7, ignorable.
    pub topic_id: Uuid,
    /// Int16, versions 2 to 7.
    pub error_code: i16,
    /// String, versions 2 to 7, nullable, default Some("").
    pub error_message: Option<&'a str>,
    /// Int16, versions 5 to 7, tag 0, ignorable.
    pub topic_config_error_code: i16,
    /// Int32, versions 5 to 7, default -1, ignorable.
    pub num_partitions: i32,
    /// Int16, versions 5 to 7, default -1, ignorable.
    pub replication_factor: i16,
    /// Array of [`CreatableTopicConfigs`], versions 5 to 7, nullable, default Some(Vec::new()), ignorable.
    pub configs: Option<Vec<CreatableTopicConfigs<'a>>>,
}

impl Default for CreatableTopicResult<'_> {
    fn default() -> Self {
        Self {
            name: "",
            topic_id: Uuid::ZERO,
            error_code: 0,
            error_message: Some(""),
            topic_config_error_code: 0,
            num_partitions: -1,
            replication_factor: -1,
            configs: Some(Vec::new()),
        }
    }
}

impl<'a> Element<'a> for CreatableTopicResult<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let mut message = Self {
            name: reader.string(flexible)?,
            topic_id: if version >= 7 { reader.uuid()? } else { Uuid::ZERO },
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            topic_config_error_code: 0,
            num_partitions: if version >= 5 { reader.i32()? } else { -1 },
            replication_factor: if version >= 5 { reader.i16()? } else { -1 },
            configs: if version >= 5 { reader.nullable_array(version, flexible)? } else { Some(Vec::new()) },
        };
        if flexible {
            reader.tagged_fields(|tag, reader| {
                match tag {
                    0 => message.topic_config_error_code = reader.i16()?,
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.name), flexible);
        if version >= 7 {
            size.bytes += 16;
        }
        size.string(self.error_message, flexible);
        if version >= 5 {
            size.bytes += 4;
        }
        if version >= 5 {
            size.bytes += 2;
        }
        if version >= 5 {
            size.array(self.configs.as_deref(), version, flexible);
        }
        if flexible {
            let mut tags = 0u32;
            if self.topic_config_error_code != 0 {
                tags += 1;
                size.tagged(0, |size| {
                    size.bytes += 2;
                });
            }
            size.bytes += unsigned_varint_len(tags);
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        if version >= 7 {
            writer.uuid(self.topic_id);
        }
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        if version >= 5 {
            writer.i32(self.num_partitions);
        }
        if version >= 5 {
            writer.i16(self.replication_factor);
        }
        if version >= 5 {
            writer.nullable_array(self.configs.as_deref(), version, flexible)?;
        }
        if flexible {
            let mut tags = 0u32;
            if self.topic_config_error_code != 0 {
                tags += 1;
            }
            writer.unsigned_varint(tags);
            if self.topic_config_error_code != 0 {
                writer.tag(
                    0,
                    Size::of(|size| {
                        size.bytes += 2;
                    }),
                );
                writer.i16(self.topic_config_error_code);
            }
        }
        Ok(())
    }
}

/// Part of [`CreateTopicsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct CreatableTopicConfigs<'a> {
    /// String, versions 5 to 7.
    pub name: &'a str,
    /// String, versions 5 to 7, nullable, default Some("").
    pub value: Option<&'a str>,
    /// Bool, versions 5 to 7.
    pub read_only: bool,
    /// Int8, versions 5 to 7, default -1.
    pub config_source: i8,
    /// Bool, versions 5 to 7.
    pub is_sensitive: bool,
}

impl Default for CreatableTopicConfigs<'_> {
    fn default() -> Self {
        Self { name: "", value: Some(""), read_only: false, config_source: -1, is_sensitive: false }
    }
}

impl<'a> Element<'a> for CreatableTopicConfigs<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            value: reader.nullable_string(flexible)?,
            read_only: reader.bool()?,
            config_source: reader.i8()?,
            is_sensitive: reader.bool()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 3;
        size.string(Some(self.name), flexible);
        size.string(self.value, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.nullable_string(self.value, flexible)?;
        writer.bool(self.read_only);
        writer.i8(self.config_source);
        writer.bool(self.is_sensitive);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for CreateTopicsResponse<'a> {
    const NAME: &'static str = "CreateTopicsResponse";
    const MIN_VERSION: i16 = 2;
    const MAX_VERSION: i16 = 7;
    const FLEXIBLE_FROM: i16 = 5;
}

impl<'a> Response<'a> for CreateTopicsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(19);
}
