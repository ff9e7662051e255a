//! OffsetDelete: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 47 (OffsetDelete), version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteRequest<'a> {
    /// String, version 0.
    pub group_id: &'a str,
    /// Array of [`OffsetDeleteRequestTopic`], version 0.
    pub topics: Vec<OffsetDeleteRequestTopic<'a>>,
}

impl<'a> Element<'a> for OffsetDeleteRequest<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self { group_id: reader.string(flexible)?, topics: reader.array(version, flexible)? })
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.group_id), flexible);
        size.array(Some(&self.topics[..]), version, flexible);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.group_id, flexible)?;
        writer.array(&self.topics, version, flexible)?;
        Ok(())
    }
}

/// Part of [`OffsetDeleteRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteRequestTopic<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of [`OffsetDeleteRequestPartition`], version 0.
    pub partitions: Vec<OffsetDeleteRequestPartition>,
}

impl<'a> Element<'a> for OffsetDeleteRequestTopic<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? })
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        Ok(())
    }
}

/// Part of [`OffsetDeleteRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteRequestPartition {
    /// Int32, version 0.
    pub partition_index: i32,
}

impl<'a> Element<'a> for OffsetDeleteRequestPartition {
    const MIN_LEN: usize = 4;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        Ok(Self { partition_index: reader.i32()? })
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 4;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetDeleteRequest<'a> {
    const NAME: &'static str = "OffsetDeleteRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}

impl<'a> Request<'a> for OffsetDeleteRequest<'a> {
    const API_KEY: ApiKey = ApiKey(47);
    type Response<'r> = OffsetDeleteResponse<'r>;
}

/// Response of API key 47 (OffsetDelete), version 0, never flexible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteResponse<'a> {
    /// Int16, version 0.
    pub error_code: i16,
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Array of [`OffsetDeleteResponseTopic`], version 0.
    pub topics: Vec<OffsetDeleteResponseTopic<'a>>,
}

impl<'a> Element<'a> for OffsetDeleteResponse<'a> {
    const MIN_LEN: usize = 10;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self {
            error_code: reader.i16()?,
            throttle_time_ms: reader.i32()?,
            topics: reader.array(version, flexible)?,
        })
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.array(Some(&self.topics[..]), version, flexible);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i16(self.error_code);
        writer.i32(self.throttle_time_ms);
        writer.array(&self.topics, version, flexible)?;
        Ok(())
    }
}

/// Part of [`OffsetDeleteResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteResponseTopic<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of [`OffsetDeleteResponsePartition`], version 0.
    pub partitions: Vec<OffsetDeleteResponsePartition>,
}

impl<'a> Element<'a> for OffsetDeleteResponseTopic<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        Ok(Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? })
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        Ok(())
    }
}

/// Part of [`OffsetDeleteResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetDeleteResponsePartition {
    /// Int32, version 0.
    pub partition_index: i32,
    /// Int16, version 0.
    pub error_code: i16,
}

impl<'a> Element<'a> for OffsetDeleteResponsePartition {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        Ok(Self { partition_index: reader.i32()?, error_code: reader.i16()? })
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 6;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        Ok(())
    }
}

impl<'a> Message<'a> for OffsetDeleteResponse<'a> {
    const NAME: &'static str = "OffsetDeleteResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = i16::MAX;
}

impl<'a> Response<'a> for OffsetDeleteResponse<'a> {
    const API_KEY: ApiKey = ApiKey(47);
}
