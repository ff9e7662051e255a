//! DeleteRecords: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 21 (DeleteRecords), versions 0 to 2, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsRequest<'a> {
    /// Array of [`DeleteRecordsTopic`], versions 0 to 2.
    pub topics: Vec<DeleteRecordsTopic<'a>>,
    /// Int32, versions 0 to 2.
    pub timeout_ms: i32,
}

impl<'a> Element<'a> for DeleteRecordsRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topics: reader.array(version, flexible)?, timeout_ms: reader.i32()? };
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
        writer.array(&self.topics, version, flexible)?;
        writer.i32(self.timeout_ms);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DeleteRecordsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsTopic<'a> {
    /// String, versions 0 to 2.
    pub name: &'a str,
    /// Array of [`DeleteRecordsPartition`], versions 0 to 2.
    pub partitions: Vec<DeleteRecordsPartition>,
}

impl<'a> Element<'a> for DeleteRecordsTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DeleteRecordsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsPartition {
    /// Int32, versions 0 to 2.
    pub partition_index: i32,
    /// Int64, versions 0 to 2.
    pub offset: i64,
}

impl<'a> Element<'a> for DeleteRecordsPartition {
    const MIN_LEN: usize = 12;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { partition_index: reader.i32()?, offset: reader.i64()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 12;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.offset);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteRecordsRequest<'a> {
    const NAME: &'static str = "DeleteRecordsRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for DeleteRecordsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(21);
    type Response<'r> = DeleteRecordsResponse<'r>;
}

/// Response of API key 21 (DeleteRecords), versions 0 to 2, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsResponse<'a> {
    /// Int32, versions 0 to 2.
    pub throttle_time_ms: i32,
    /// Array of [`DeleteRecordsTopicResult`], versions 0 to 2.
    pub topics: Vec<DeleteRecordsTopicResult<'a>>,
}

impl<'a> Element<'a> for DeleteRecordsResponse<'a> {
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

/// Part of [`DeleteRecordsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsTopicResult<'a> {
    /// String, versions 0 to 2.
    pub name: &'a str,
    /// Array of [`DeleteRecordsPartitionResult`], versions 0 to 2.
    pub partitions: Vec<DeleteRecordsPartitionResult>,
}

impl<'a> Element<'a> for DeleteRecordsTopicResult<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DeleteRecordsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteRecordsPartitionResult {
    /// Int32, versions 0 to 2.
    pub partition_index: i32,
    /// Int64, versions 0 to 2.
    pub low_watermark: i64,
    /// Int16, versions 0 to 2.
    pub error_code: i16,
}

impl<'a> Element<'a> for DeleteRecordsPartitionResult {
    const MIN_LEN: usize = 14;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { partition_index: reader.i32()?, low_watermark: reader.i64()?, error_code: reader.i16()? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 14;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.low_watermark);
        writer.i16(self.error_code);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DeleteRecordsResponse<'a> {
    const NAME: &'static str = "DeleteRecordsResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 2;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for DeleteRecordsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(21);
}
