//! DescribeProducers: request and response.
// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.

use crate::protocol::api_key::ApiKey;
use crate::protocol::wire::{
    DecodeError, Element, EncodeError, Message, Reader, Request, Response, Size, Writer,
};

/// Request of API key 61 (DescribeProducers), version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeProducersRequest<'a> {
    /// Array of [`TopicRequest`], version 0.
    pub topics: Vec<TopicRequest<'a>>,
}

impl<'a> Element<'a> for DescribeProducersRequest<'a> {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { topics: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.array(&self.topics, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeProducersRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicRequest<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of int32, version 0.
    pub partition_indexes: Vec<i32>,
}

impl<'a> Element<'a> for TopicRequest<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message =
            Self { name: reader.string(flexible)?, partition_indexes: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partition_indexes[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partition_indexes, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeProducersRequest<'a> {
    const NAME: &'static str = "DescribeProducersRequest";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Request<'a> for DescribeProducersRequest<'a> {
    const API_KEY: ApiKey = ApiKey(61);
    type Response<'r> = DescribeProducersResponse<'r>;
}

/// Response of API key 61 (DescribeProducers), version 0, flexible from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribeProducersResponse<'a> {
    /// Int32, version 0.
    pub throttle_time_ms: i32,
    /// Array of [`TopicResponse`], version 0.
    pub topics: Vec<TopicResponse<'a>>,
}

impl<'a> Element<'a> for DescribeProducersResponse<'a> {
    const MIN_LEN: usize = 6;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { throttle_time_ms: reader.i32()?, topics: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 4;
        size.array(Some(&self.topics[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.throttle_time_ms);
        writer.array(&self.topics, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeProducersResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicResponse<'a> {
    /// String, version 0.
    pub name: &'a str,
    /// Array of [`PartitionResponse`], version 0.
    pub partitions: Vec<PartitionResponse<'a>>,
}

impl<'a> Element<'a> for TopicResponse<'a> {
    const MIN_LEN: usize = 3;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self { name: reader.string(flexible)?, partitions: reader.array(version, flexible)? };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.string(Some(self.name), flexible);
        size.array(Some(&self.partitions[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.string(self.name, flexible)?;
        writer.array(&self.partitions, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeProducersResponse`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionResponse<'a> {
    /// Int32, version 0.
    pub partition_index: i32,
    /// Int16, version 0.
    pub error_code: i16,
    /// String, version 0, nullable, default None.
    pub error_message: Option<&'a str>,
    /// Array of [`ProducerState`], version 0.
    pub active_producers: Vec<ProducerState>,
}

impl<'a> Element<'a> for PartitionResponse<'a> {
    const MIN_LEN: usize = 9;

    fn read(reader: &mut Reader<'a>, version: i16, flexible: bool) -> Result<Self, DecodeError> {
        let message = Self {
            partition_index: reader.i32()?,
            error_code: reader.i16()?,
            error_message: reader.nullable_string(flexible)?,
            active_producers: reader.array(version, flexible)?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, version: i16, flexible: bool) {
        size.bytes += 6;
        size.string(self.error_message, flexible);
        size.array(Some(&self.active_producers[..]), version, flexible);
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, version: i16, flexible: bool) -> Result<(), EncodeError> {
        writer.i32(self.partition_index);
        writer.i16(self.error_code);
        writer.nullable_string(self.error_message, flexible)?;
        writer.array(&self.active_producers, version, flexible)?;
        writer.unsigned_varint(0);
        Ok(())
    }
}

/// Part of [`DescribeProducersResponse`].
#[derive(Clone, Debug, PartialEq)]
pub struct ProducerState {
    /// Int64, version 0.
    pub producer_id: i64,
    /// Int32, version 0.
    pub producer_epoch: i32,
    /// Int32, version 0, default -1.
    pub last_sequence: i32,
    /// Int64, version 0, default -1.
    pub last_timestamp: i64,
    /// Int32, version 0.
    pub coordinator_epoch: i32,
    /// Int64, version 0, default -1.
    pub current_txn_start_offset: i64,
}

impl Default for ProducerState {
    fn default() -> Self {
        Self {
            producer_id: 0,
            producer_epoch: 0,
            last_sequence: -1,
            last_timestamp: -1,
            coordinator_epoch: 0,
            current_txn_start_offset: -1,
        }
    }
}

impl<'a> Element<'a> for ProducerState {
    const MIN_LEN: usize = 37;

    fn read(reader: &mut Reader<'a>, _: i16, _: bool) -> Result<Self, DecodeError> {
        let message = Self {
            producer_id: reader.i64()?,
            producer_epoch: reader.i32()?,
            last_sequence: reader.i32()?,
            last_timestamp: reader.i64()?,
            coordinator_epoch: reader.i32()?,
            current_txn_start_offset: reader.i64()?,
        };
        reader.skip_tagged_fields()?;
        Ok(message)
    }

    fn size(&self, size: &mut Size, _: i16, _: bool) {
        size.bytes += 36;
        size.bytes += 1;
    }

    fn write(&self, writer: &mut Writer, _: i16, _: bool) -> Result<(), EncodeError> {
        writer.i64(self.producer_id);
        writer.i32(self.producer_epoch);
        writer.i32(self.last_sequence);
        writer.i64(self.last_timestamp);
        writer.i32(self.coordinator_epoch);
        writer.i64(self.current_txn_start_offset);
        writer.unsigned_varint(0);
        Ok(())
    }
}

impl<'a> Message<'a> for DescribeProducersResponse<'a> {
    const NAME: &'static str = "DescribeProducersResponse";
    const MIN_VERSION: i16 = 0;
    const MAX_VERSION: i16 = 0;
    const FLEXIBLE_FROM: i16 = 0;
}

impl<'a> Response<'a> for DescribeProducersResponse<'a> {
    const API_KEY: ApiKey = ApiKey(61);
}
