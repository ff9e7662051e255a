//! DescribeLogDirs: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 35 (DescribeLogDirs), versions 1 to 5, flexible from 2.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeLogDirsRequest<'a> {
    /// Array of [`DescribableLogDirTopic`], versions 1 to 5, nullable, default Some(Vec::new()).
    pub topics: Option<Vec<DescribableLogDirTopic<'a>>>,
}

impl Default for DescribeLogDirsRequest<'_> {
    fn default() -> Self {
        Self { topics: Some(Vec::new()) }
    }
}

impl<'a> Element<'a> for DescribeLogDirsRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topics: reader.nullable_array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(self.topics.as_deref(), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.nullable_array(self.topics.as_deref(), version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeLogDirsRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribableLogDirTopic<'a> {
    /// String, versions 1 to 5.
    pub topic: &'a str,
    /// Array of int32, versions 1 to 5.
    pub partitions: Vec<i32>,
}

impl<'a> Element<'a> for DescribableLogDirTopic<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topic: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.topic), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.topic, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeLogDirsRequest<'a> {
    const NAME: &'static str = "DescribeLogDirsRequest";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Request<'a> for DescribeLogDirsRequest<'a> {
    const API_KEY: ApiKey = ApiKey(35);
    type Response<'r> = DescribeLogDirsResponse<'r>;
}

/// Response of API key 35 (DescribeLogDirs), versions 1 to 5, flexible from 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeLogDirsResponse<'a> {
    /// Int32, versions 1 to 5.
    pub throttle_time_ms: i32,
    /// Int16, versions 3 to 5, ignorable.
    pub error_code: i16,
    /// Array of [`DescribeLogDirsResult`], versions 1 to 5.
    pub results: Vec<DescribeLogDirsResult<'a>>,
}

impl<'a> Element<'a> for DescribeLogDirsResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            throttle_time_ms: reader.i32()?,
            error_code: if version >= 3 { reader.i16()? } else { 0 },
            results: reader.array(version, flexible)?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        if version >= 3 {
            size.bytes += 2;
        }
        size.array(Some(&self.results[..]), version, flexible);
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        if version >= 3 {
            writer.i16(self.error_code);
        }
        writer.array(&self.results, version, flexible)?;
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeLogDirsResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeLogDirsResult<'a> {
    /// Int16, versions 1 to 5.
    pub error_code: i16,
    /// String, versions 1 to 5.
    pub log_dir: &'a str,
    /// Array of [`DescribeLogDirsTopic`], versions 1 to 5.
    pub topics: Vec<DescribeLogDirsTopic<'a>>,
    /// Int64, versions 4 to 5, default -1, ignorable.
    pub total_bytes: i64,
    /// Int64, versions 4 to 5, default -1, ignorable.
    pub usable_bytes: i64,
    /// Bool, version 5, ignorable.
    pub is_cordoned: bool,
}

impl Default for DescribeLogDirsResult<'_> {
    fn default() -> Self {
        Self {
            error_code: 0,
            log_dir: "",
            topics: Vec::new(),
            total_bytes: -1,
            usable_bytes: -1,
            is_cordoned: false,
        }
    }
}

impl<'a> Element<'a> for DescribeLogDirsResult<'a> {
    const MIN_LEN: usize = 5;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            error_code: reader.i16()?,
            log_dir: reader.string(flexible)?,
            topics: reader.array(version, flexible)?,
            total_bytes: if version >= 4 { reader.i64()? } else { -1 },
            usable_bytes: if version >= 4 { reader.i64()? } else { -1 },
            is_cordoned: if version >= 5 { reader.bool()? } else { false },
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 2;
        size.string(Some(self.log_dir), flexible);
        size.array(Some(&self.topics[..]), version, flexible);
        if version >= 4 {
            size.bytes += 8;
        }
        if version >= 4 {
            size.bytes += 8;
        }
        if version >= 5 {
            size.bytes += 1;
        }
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.string(self.log_dir, flexible)?;
        writer.array(&self.topics, version, flexible)?;
        if version >= 4 {
            writer.i64(self.total_bytes);
        }
        if version >= 4 {
            writer.i64(self.usable_bytes);
        }
        if version >= 5 {
            writer.bool(self.is_cordoned);
        }
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

/// Part of [`DescribeLogDirsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeLogDirsTopic<'a> {
    /// String, versions 1 to 5.
    pub name: &'a str,
    /// Array of [`DescribeLogDirsPartition`], versions 1 to 5.
    pub partitions: Vec<DescribeLogDirsPartition>,
}

impl<'a> Element<'a> for DescribeLogDirsTopic<'a> {
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

/// Part of [`DescribeLogDirsResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeLogDirsPartition {
    /// Int32, versions 1 to 5.
    pub partition_index: i32,
    /// Int64, versions 1 to 5.
    pub partition_size: i64,
    /// Int64, versions 1 to 5.
    pub offset_lag: i64,
    /// Bool, versions 1 to 5.
    pub is_future_key: bool,
}

impl<'a> Element<'a> for DescribeLogDirsPartition {
    const MIN_LEN: usize = 21;

    fn read(reader: &mut Reader<'a>, _: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            partition_size: reader.i64()?,
            offset_lag: reader.i64()?,
            is_future_key: reader.bool()?,
        };
        if flexible {
            reader.skip_tagged_fields()?;
        }
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, flexible: bool) {
        size.bytes += 21;
        if flexible {
            size.bytes += 1;
        }
    }

    fn write(&self, writer: &mut Writer, _: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i64(self.partition_size);
        writer.i64(self.offset_lag);
        writer.bool(self.is_future_key);
        if flexible {
            writer.unsigned_varint(0);
        }
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeLogDirsResponse<'a> {
    const NAME: &'static str = "DescribeLogDirsResponse";
    const MIN_VERSION: i16 = 1;
    const MAX_VERSION: i16 = 5;
    const FLEXIBLE_FROM: i16 = 2;
}

impl<'a> Response<'a> for DescribeLogDirsResponse<'a> {
    const API_KEY: ApiKey = ApiKey(35);
}
