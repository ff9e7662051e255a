//! CreatePartitions: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 37 (CreatePartitions), versions 0 to 3, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatePartitionsRequest<'a> {
    /// Array of [`CreatePartitionsTopic`], versions 0 to 3.
    pub topics: Vec<CreatePartitionsTopic<'a>>,
    /// Int32, versions 0 to 3.
    pub timeout_ms: i32,
    /// Bool, versions 0 to 3.
    pub validate_only: bool,
}

impl<'a> Element<'a> for CreatePartitionsRequest<'a> {
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

/// Part of [`CreatePartitionsRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct CreatePartitionsTopic<'a> {
    /// String, versions 0 to 3.
    pub name: &'a str,
    /// Int32, versions 0 to 3.
    pub count: i32,
    /// Array of [`CreatePartitionsAssignment`], versions 0 to 3, nullable, default Some(Vec::new()).
    pub assignments: Option<Vec<CreatePartitionsAssignment>>,
}

impl Default for CreatePartitionsTopic<'_> {
    fn default() -> Self {
        Self { name: "", count: 0, assignments: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for CreatePartitionsTopic<'a> {
    const MIN_LEN: usize = 7;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            count: reader.i32()?,
            assignments: reader.nullable_array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.string(Some(self.name), flexible);
        size.array(self.assignments.as_deref(), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i32(self.count);
        writer.nullable_array(self.assignments.as_deref(), version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`CreatePartitionsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatePartitionsAssignment {
    /// Array of int32, versions 0 to 3.
    pub broker_ids: Vec<i32>,
}

impl<'a> Element<'a> for CreatePartitionsAssignment {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { broker_ids: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.broker_ids[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.broker_ids, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for CreatePartitionsRequest<'a> {
    const NAME: &'static str = "CreatePartitionsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 3;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for CreatePartitionsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(37);
    type Response<'r> = CreatePartitionsResponse<'r>;
}

/// Response of API key 37 (CreatePartitions), versions 0 to 3, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatePartitionsResponse<'a> {
    /// Int32, versions 0 to 3.
    pub throttle_time_ms: i32,
    /// Array of [`CreatePartitionsTopicResult`], versions 0 to 3.
    pub results: Vec<CreatePartitionsTopicResult<'a>>,
}

impl<'a> Element<'a> for CreatePartitionsResponse<'a> {
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

/// Part of [`CreatePartitionsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatePartitionsTopicResult<'a> {
    /// String, versions 0 to 3.
    pub name: &'a str,
    /// Int16, versions 0 to 3.
    pub error_code: i16,
    /// String, versions 0 to 3, nullable, default None.
    pub error_message: Option<&'a str>,
}

impl<'a> Element<'a> for CreatePartitionsTopicResult<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            name: reader.string(flexible)?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.name), flexible);
        size.string(self.error_message, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for CreatePartitionsResponse<'a> {
    const NAME: &'static str = "CreatePartitionsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 3;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for CreatePartitionsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(37);
}
